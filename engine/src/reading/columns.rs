//! Comparisons of two columns: of one row, or of a row and the one that it refers to.
//!
//! Valid: "products with units in stock below the reorder level", "orders with more units ordered than units shipped",
//! "products below their reorder level", "employees hired before their manager". Invalid, so that it is refused: a
//! number and a text, keys, and columns of rows that are many for each other.

use wherefore_english::singular;

use super::frame::Condition;
use super::parse::Parser;
use super::part::Part;
use crate::catalog::DataType;
use crate::intent::Comparison;
use crate::linking::{ColumnId, Lexical, Named, Target};

/// Words that say that there is more of what follows.
const MORE: [&str; 3] = ["more", "higher", "greater"];
/// Words that say that there is less of what follows.
const LESS: [&str; 3] = ["fewer", "less", "lower"];

/// Words that say whose row is meant.
pub(super) const OWN: [&str; 9] =
    ["her", "her own", "his", "his own", "its", "its own", "own", "their", "their own"];

/// Operator that a word before "than" says.
pub(super) fn more_or_less(word: &str) -> Option<Comparison> {
    match word {
        more if MORE.contains(&more) => Some(Comparison::Greater),
        less if LESS.contains(&less) => Some(Comparison::Less),
        _ => None,
    }
}

/// The other side of a comparison.
#[derive(Clone, Copy, Debug)]
struct Other {
    /// Mention of the column; none for the column that is compared.
    than: Option<usize>,
    /// Key that leads to the row it is of, with its mention; none for the same row.
    parent: Option<(ColumnId, usize)>,
    /// Where to go on.
    next: usize,
}

impl Parser<'_> {
    /// Reads the column behind the operator at `at`, and gives back where to go on; none where none stands there.
    pub(super) fn against_column(&mut self, at: usize, operator: Comparison) -> Option<usize> {
        let said = self.before(at).filter(|before| self.subject == Some(*before));
        self.other_side(at + 1)
            .and_then(|other| self.compare_columns(at, said, operator, other))
            .or_else(|| self.against_row(at, operator))
    }

    /// "more units on order than units in stock": the column stands between the two words of comparison.
    pub(super) fn than_column(&mut self, at: usize) -> Option<usize> {
        if !self.mentions[at].phrase.eq_ignore_ascii_case("than") {
            return None;
        }
        // "A higher average salary than the average".
        let computed = self.frame.measures.iter().map(|measure| measure.at).max();
        let word = computed.and_then(|measure| {
            let words = self.mentions[measure.saturating_sub(2)..measure].iter().rev();
            let mut words = words.map(|mention| mention.phrase.to_lowercase());
            words.find_map(|word| more_or_less(word.split(' ').next_back()?))
        });
        if let Some(operator) = word
            && let Some(next) = self.against_figure(at, operator)
        {
            return Some(next);
        }
        let said = self.before(at).filter(|before| self.subject == Some(*before))?;
        let word = self.mentions.get(said.checked_sub(1)?)?;
        let operator = more_or_less(word.phrase.to_lowercase().as_str())?;
        match self.other_side(at + 1) {
            Some(other) => self.compare_columns(at, Some(said), operator, other),
            None => self.against_row(at, operator),
        }
    }

    /// "hired before their manager": a date of a row and of the row that it refers to.
    pub(super) fn against_parent(
        &mut self,
        at: usize,
        said: usize,
        operator: Comparison,
    ) -> Option<usize> {
        let other = self.other_side(at + 1).filter(|other| other.parent.is_some())?;
        self.compare_columns(at, Some(said), operator, other)
    }

    fn compare_columns(
        &mut self,
        at: usize,
        said: Option<usize>,
        operator: Comparison,
        other: Other,
    ) -> Option<usize> {
        let computed = |at: usize| self.frame.measures.iter().any(|measure| measure.at == at);
        let one = said.and_then(|said| self.compared(said));
        let than = other.than.and_then(|than| self.compared(than));
        let fits = match (one, than) {
            (Some(one), Some(than)) => one != than && self.alike(one, than, operator),
            (Some(one), None) => {
                other.than.is_none() && self.catalog.column_at(one).data_type != DataType::Text
            }
            // What is compared has to be found: a number of the rows asked about.
            (None, Some(than)) => {
                said.is_none()
                    && self.catalog.column_at(than).data_type.is_numeric()
                    && operator != Comparison::Equal
                    && self.frame.head.is_some_and(|(head, _)| {
                        head == than.table
                            || self
                                .index
                                .distance(head, than.table)
                                .is_some_and(|(joins, _)| joins == 1)
                    })
            }
            (None, None) => false,
        };
        let grouped = self.grouping || self.ordering || !self.aggregates.is_empty();
        if !fits || grouped || said.is_some_and(computed) {
            return None;
        }
        let operator = self.after_negation(operator);
        self.frame.outputs.retain(|output| Some(*output) != said);
        self.frame
            .conditions
            .retain(|known| !matches!(known, Condition::Set { at, .. } if Some(*at) == said));
        let (than, parent) = (other.than, other.parent);
        self.frame.conditions.push(Condition::Columns { column: said, operator, than, parent, at });
        (self.subject, self.date_hint) = (None, None);
        Some(other.next)
    }

    /// Column at the other side of a comparison, behind a table that it is of, or a key that leads to its row.
    fn other_side(&self, from: usize) -> Option<Other> {
        let passed = |at: usize| {
            let filler = self.mentions[at].is(Lexical::Filler) || self.mentions[at].is(Lexical::Of);
            self.part(at) == Part::Lexical && filler
        };
        let first = (from..self.mentions.len()).find(|at| !passed(*at))?;
        let counted = |at: usize| self.mentions.get(at).is_some_and(|next| next.number.is_some());
        let column = |at: usize| self.compared(at).filter(|_| !counted(at + 1)).map(|_| at);
        if let Some(key) = self.own_key(first) {
            let than = column(first + 1).filter(|next| {
                self.compared(*next).is_some_and(|column| column.table == key.table)
            });
            let next = than.unwrap_or(first) + 1;
            return Some(Other { than, parent: Some((key, first)), next });
        }
        if self.part(first) != Part::Schema {
            return None;
        }
        let than = match self.target(first)? {
            Target::Table(table) => column(first + 1)
                .filter(|next| self.compared(*next).is_some_and(|next| next.table == *table)),
            Target::Column(_) | Target::Label(_) | Target::Metric(_) | Target::Value(..) => {
                column(first)
            }
        }?;
        Some(Other { than: Some(than), parent: None, next: than + 1 })
    }

    /// Key of the rows asked about to another row of their table, by its name: "their manager" for `manager_id`.
    pub(super) fn own_key(&self, at: usize) -> Option<ColumnId> {
        if let Some(Target::Column(column)) = self.target(at)
            && self.refers_to_own_table(*column)
        {
            return Some(*column);
        }
        let before = at.checked_sub(1).and_then(|before| self.mentions.get(before))?;
        let owned = OWN.contains(&before.phrase.to_lowercase().as_str());
        let (head, _) = self.frame.head.filter(|_| owned)?;
        let said = singular(&self.mentions.get(at)?.phrase.to_lowercase());
        self.superior_key(head, &said)
    }

    /// Column that a mention means, where it can be compared: no key.
    fn compared(&self, at: usize) -> Option<ColumnId> {
        match self.target(at) {
            Some(Target::Column(column)) if self.part(at) == Part::Schema => {
                let definition = self.catalog.column_at(*column);
                let key = definition.unique || self.is_foreign(*column) || definition.is_flag();
                Some(*column).filter(|_| !key)
            }
            _ => None,
        }
    }

    /// Whether the values of two columns can be compared.
    fn alike(&self, one: ColumnId, other: ColumnId, operator: Comparison) -> bool {
        let (one, other) =
            (self.catalog.column_at(one).data_type, self.catalog.column_at(other).data_type);
        let equal = matches!(operator, Comparison::Equal | Comparison::NotEqual);
        one.is_numeric() && other.is_numeric()
            || one.is_temporal() && other.is_temporal()
            || equal && one == DataType::Text && other == DataType::Text
    }
}
