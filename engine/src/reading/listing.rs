//! What is listed behind "with" to be shown beside rows: columns, names, and rows that each row has at most one of.
//!
//! Valid: "employees with title and city", "orders with customer and ship country", "customers who never ordered, with
//! phone". Invalid, so that each is a condition: a flag, a column that is compared, rows of which there may be several.

use wherefore_english::singular;

use super::parse::{Clause, Parser};
use super::part::Part;
use crate::catalog::DataType;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

/// Something that is shown beside rows.
#[derive(Clone, Copy, Debug)]
enum Item {
    /// The column or label at the mention.
    Shown(usize),
    /// The name of the row of a table, at the mention.
    Row(TableId, usize),
    /// The name of the row that a key leads to, at the mention.
    Key(ColumnId, TableId, usize),
}

/// A list, as far as it is read.
#[derive(Clone, Debug, Default)]
struct Listing {
    items: Vec<Item>,
    /// Mention behind the list.
    next: usize,
    /// Whether the words say whose columns these are: "the name of their manager".
    owner: bool,
}

impl Parser<'_> {
    /// Reads a list of what is shown behind the word at `at`, and gives back where to go on; none where the words are
    /// no such list.
    pub(super) fn listing(&mut self, at: usize) -> Option<usize> {
        let word = &self.mentions[at];
        let adds = self.part(at) == Part::Lexical && word.is(Lexical::Beside);
        let joins = self.part(at) == Part::Lexical && word.lexical == [Lexical::And];
        if !adds && !joins || !self.frame.groups.is_empty() || !self.frame.measures.is_empty() {
            return None;
        }
        let rows = self.shown_rows()?;
        let named = self.frame.outputs.first().copied();
        let listing = self.listed(at + 1, rows)?;
        let unknown = (at + 1..listing.next).filter(|said| self.part(*said) == Part::Unknown);
        let unknown: Vec<usize> = unknown.collect();
        let apart = at
            .checked_sub(1)
            .is_some_and(|before| self.mentions[before].tokens.end < word.tokens.start);
        let owned = self.is_had_by_rows(at + 1) || self.is_had_by_rows(at + 2);
        // "products with supplier", not "with suppliers": the name of the one row that each has.
        let one = match listing.items.as_slice() {
            [Item::Row(_, said) | Item::Key(_, _, said)] => !self.is_plural(*said),
            // "employees with salary": a number says nothing of which rows are meant.
            [Item::Shown(said)] => match self.target(*said) {
                Some(Target::Column(column)) => {
                    let definition = self.catalog.column_at(*column);
                    definition.data_type.is_numeric()
                        && !definition.nullable
                        && Some(column.table) == self.frame.head.map(|(head, _)| head)
                        && !self.is_plural(*said)
                }
                _ => false,
            },
            _ => true,
        };
        // "customers from Brazil and the name of their support rep".
        let owner = joins && listing.owner && self.frame.outputs.is_empty();
        if !(adds && (one || apart || owned) || owner) {
            return None;
        }
        self.frame.unread.extend(unknown);
        self.show_listed(listing.items);
        self.frame.beside = self.frame.beside.or(self.frame.head.map(|(head, _)| head));
        if let Some(shown) = named {
            self.head_if_none(rows, shown);
        }
        (self.subject, self.conjunction) = (None, None);
        (self.ordering, self.clause) = (false, Clause::Main);
        Some(listing.next)
    }

    /// Whether the mention at `at` is a noun in the plural: "suppliers", "children".
    fn is_plural(&self, at: usize) -> bool {
        let said = self.mentions[at].phrase.to_lowercase();
        singular(&said) != said
    }

    /// Reads all mentions as a list of what is shown beside rows of the table; false where they are no such list.
    pub(super) fn whole_listing(&mut self, rows: TableId) -> bool {
        let Some(listing) = self.listed(0, rows) else { return false };
        if listing.next < self.mentions.len() {
            return false;
        }
        let unknown = (0..listing.next).filter(|said| self.part(*said) == Part::Unknown);
        self.frame.unread.extend(unknown.collect::<Vec<_>>());
        self.show_listed(listing.items);
        true
    }

    fn show_listed(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Shown(shown) => self.frame.outputs.push(shown),
                Item::Row(table, said) => self.frame.output_tables.push((table, said)),
                Item::Key(key, table, said) => {
                    self.frame.output_tables.push((table, said));
                    self.frame.through.push((key.table, table));
                }
            }
        }
    }

    /// Table whose rows are shown so far.
    fn shown_rows(&self) -> Option<TableId> {
        let shown = || self.frame.outputs.first().and_then(|at| self.target(*at)?.table());
        self.frame.head.map(|(head, _)| head).or_else(shown)
    }

    fn listed(&self, from: usize, rows: TableId) -> Option<Listing> {
        let mut listing = Listing { items: Vec::new(), next: from, owner: false };
        loop {
            let first = self.behind_articles(listing.next);
            let (item, next) = self.listed_item(first, rows)?;
            listing.items.push(item);
            listing.owner |= next > first + 1;
            listing.next = next;
            let Some(separator) = self.mentions.get(next) else { return Some(listing) };
            let comma = self.mentions[next - 1].tokens.end < separator.tokens.start;
            if self.part(next) == Part::Lexical && separator.is(Lexical::Order) {
                return Some(listing);
            } else if self.part(next) == Part::Lexical && separator.is(Lexical::And) {
                listing.next = next + 1;
            } else if !comma {
                return None;
            }
        }
    }

    /// One item of a list, and the mention behind it.
    fn listed_item(&self, at: usize, rows: TableId) -> Option<(Item, usize)> {
        // "creation date", where only the date is known.
        let beside = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end && self.part(at + 1) == Part::Schema
        });
        if self.part(at) == Part::Unknown && beside {
            return self.listed_item(at + 1, rows);
        }
        if self.part(at) != Part::Schema || self.mentions[at].negated {
            return None;
        }
        let one =
            |table: TableId| self.index.distance(rows, table).is_some_and(|(_, to_many)| !to_many);
        match *self.target(at)? {
            Target::Table(table) if one(table) && table != rows => {
                let next = self.mentions.get(at + 1);
                let beside = next.is_some_and(|next| {
                    next.tokens.start == self.mentions[at].tokens.end
                        && self.part(at + 1) == Part::Schema
                        && self.target(at + 1).and_then(Target::table) == Some(table)
                });
                if beside {
                    self.listed_item(at + 1, rows)
                } else {
                    Some((Item::Row(table, at), at + 1))
                }
            }
            Target::Label(table) if one(table) => {
                Some((Item::Shown(at), self.behind_owner(at, table)))
            }
            Target::Column(column) if one(column.table) => {
                if self.catalog.column_at(column).data_type == DataType::Boolean {
                    return None;
                }
                let item = match self.row_of_key(column) {
                    Some(parent) => Item::Key(column, parent, at),
                    None => Item::Shown(at),
                };
                Some((item, self.behind_owner(at, column.table)))
            }
            _ => None,
        }
    }

    /// Table of the row that a key leads to.
    fn row_of_key(&self, key: ColumnId) -> Option<TableId> {
        let edges = self.index.edges(key.table).iter();
        let mut own = edges.filter(|edge| edge.from_columns.as_slice() == [key.column]);
        own.find(|edge| edge.forward && edge.to_one).map(|edge| edge.to)
    }

    /// "name of their support rep": the mention behind the table that a column or label is said to be of.
    fn behind_owner(&self, at: usize, table: TableId) -> usize {
        let of = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of));
        let owner = self.behind_articles(at + 2);
        let owned = of
            && match self.target(owner) {
                Some(Target::Table(owner)) => *owner == table,
                Some(Target::Column(key)) => self.row_of_key(*key) == Some(table),
                _ => false,
            };
        if owned { owner + 1 } else { at + 1 }
    }

    /// First mention from `from` on that is no article or pronoun.
    fn behind_articles(&self, from: usize) -> usize {
        let article = |at: usize| {
            self.part(at) == Part::Lexical && self.mentions[at].lexical == [Lexical::Filler]
        };
        (from..self.mentions.len()).find(|at| !article(*at)).unwrap_or(self.mentions.len())
    }
}
