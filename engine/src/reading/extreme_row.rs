//! The row at one end of an order as a condition on other rows: "rivers in the largest state", "cities in the state with
//! the smallest area".

use super::frame::{Condition, Superlative};
use super::parse::Parser;
use super::part::Part;
use crate::data::Role;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

impl Parser<'_> {
    /// Takes an adjective that ranks rows of another table than the one asked about as a condition on them.
    pub(super) fn ranks_other_rows(&mut self, ranked: &Superlative) -> bool {
        let found = self.ranked_behind(ranked).or_else(|| self.ranked_before(ranked));
        let Some((noun, table, by)) = found else { return false };
        if self.is_asked_about(table, noun) {
            return false;
        }
        self.taken.extend(by);
        // "The largest country" means a row of `countries`, and not the foreign key `rivers.country`.
        if matches!(self.target(noun), Some(Target::Column(_))) {
            self.taken.insert(noun);
            self.frame.outputs.retain(|output| *output != noun);
        }
        self.frame.conditions.push(Condition::Extreme {
            table,
            column: by,
            roles: ranked.roles.clone(),
            highest: ranked.descending,
            at: ranked.at,
        });
        true
    }

    /// Takes "latest order date of Ada" as the highest of these dates, and not as one of several persons called Ada.
    pub(super) fn ends_dates(&mut self, at: usize, latest: bool) -> bool {
        let frame = &self.frame;
        let first = frame.head.is_none() && frame.outputs.is_empty() && frame.measures.is_empty();
        let date = match self.target(at + 1) {
            Some(Target::Column(column)) if self.is_date(*column) => column.table,
            _ => return false,
        };
        let adjacent = self.mentions[at].tokens.end == self.mentions[at + 1].tokens.start;
        let of = self.mentions.get(at + 2).is_some_and(|next| next.is(Lexical::Of));
        let other = (at + 3..self.mentions.len()).find(|next| self.part(*next) != Part::Lexical);
        let other = other.and_then(|other| self.target(other)).and_then(Target::table);
        let parent = other.is_some_and(|other| {
            self.index.distance(date, other).is_some_and(|(joins, many)| joins > 0 && !many)
        });
        if !(first && adjacent && of && parent) {
            return false;
        }
        let function = if latest { Aggregate::Maximum } else { Aggregate::Minimum };
        self.start_aggregate(function, at);
        true
    }

    /// "In the largest state": one row of a table that stands right behind the adjective and has a column for it.
    fn ranked_behind(&self, ranked: &Superlative) -> Option<(usize, TableId, Option<usize>)> {
        let noun = self.behind(ranked.at + 1, &[Lexical::Filler]);
        let table = self.rows_meant(noun)?;
        let before = ranked.at.checked_sub(1)?;
        let places = [Lexical::In, Lexical::Of];
        let placed = self.part(before) == Part::Lexical
            && places.iter().any(|kind| self.mentions[before].is(*kind));
        let one = self.part(noun) == Part::Schema && !self.is_in_plural(noun);
        let of_measure = self.mentions.get(noun + 1).is_some_and(|next| next.is(Lexical::By));
        let measured = ranked.roles.iter().any(|role| self.has_column_of(table, *role));
        (placed && one && measured && !of_measure).then_some((noun, table, None))
    }

    /// "In the state with the smallest area": one row of a table, and a column of it behind the adjective.
    fn ranked_before(&self, ranked: &Superlative) -> Option<(usize, TableId, Option<usize>)> {
        let behind = self.behind(ranked.at + 1, &[Lexical::Filler]);
        let with = ranked.at.checked_sub(1).filter(|with| {
            self.part(*with) == Part::Lexical && self.mentions[*with].is(Lexical::With)
        })?;
        let noun = with.checked_sub(1)?;
        let placed = noun.checked_sub(1).is_some_and(|before| {
            [Lexical::In, Lexical::Of].iter().any(|kind| self.mentions[before].is(*kind))
        });
        let table = self.rows_meant(noun)?;
        let own = self.mentions.get(behind)?.readings.iter().any(|reading| {
            matches!(reading.target, Target::Column(column) if column.table == table
                && self.catalog.column_at(column).data_type.is_numeric())
        });
        let one = self.part(noun) == Part::Schema && !self.is_in_plural(noun);
        (placed && one && own && self.part(behind) == Part::Schema).then_some((
            noun,
            table,
            Some(behind),
        ))
    }

    /// Table whose rows a noun means: the one named, or the one that a key of the same name refers to.
    fn rows_meant(&self, at: usize) -> Option<TableId> {
        match self.target(at)? {
            Target::Table(table) => Some(*table),
            Target::Column(column) => {
                let readings = self.mentions[at].readings.iter();
                let mut tables = readings.filter_map(|reading| match reading.target {
                    Target::Table(table) => Some(table),
                    _ => None,
                });
                tables.find(|table| self.refers_to(*column, *table))
            }
            _ => None,
        }
    }

    /// Whether rows of a table are what is asked about, or nothing else is.
    fn is_asked_about(&self, table: TableId, noun: usize) -> bool {
        let shown = || {
            let others = self.frame.outputs.iter().filter(|output| **output != noun);
            others.filter_map(|at| self.target(*at)?.table())
        };
        match self.frame.head {
            Some((head, _)) => head == table,
            // A foreign key is of other rows, although these are named by an earlier question only.
            None if matches!(self.target(noun), Some(Target::Column(_))) => false,
            None => !shown().any(|shown| shown != table),
        }
    }

    fn is_in_plural(&self, at: usize) -> bool {
        self.mentions[at].phrase.to_lowercase().ends_with('s')
    }

    /// Whether a table has a column with a role.
    fn has_column_of(&self, table: TableId, role: Role) -> bool {
        let columns = 0..self.catalog.table_at(table).columns.len() as u16;
        let mut columns = columns.map(|column| ColumnId { table, column });
        columns.any(|column| self.index.has_role(column, role))
    }
}
