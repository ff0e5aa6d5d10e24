//! Things that are listed with others that are shown, but are not shown themselves: "their first name, department and city".

use std::collections::BTreeSet;

use super::clause::condition_mentions;
use super::touched::Touched;
use super::{Accounted, Doubt, DoubtKind};
use crate::catalog::ColumnRef;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};
use crate::reading::Part;

impl Accounted<'_> {
    /// Things of the data in a list of what to show that no output shows, where one beside them is shown.
    pub(super) fn listed_unshown(&self) -> Vec<Doubt> {
        if self.tree.over_groups.is_some() || self.frame.share.is_some() {
            return Vec::new();
        }
        let shown = self.shown();
        let counts = shown.functions.contains(&Aggregate::Count);
        let is_shown = |at: usize| match self.target(at) {
            Some(Target::Column(column)) => self.is_column_shown(&shown, *column),
            Some(Target::Label(table)) => self.is_table_shown(&shown, *table, false),
            Some(Target::Table(table)) => self.is_table_shown(&shown, *table, counts),
            _ => true,
        };
        let elsewhere = self.used_elsewhere();
        let things: Vec<usize> = (0..self.mentions.len())
            .filter(|at| {
                self.parts.get(*at) == Some(&Part::Schema) && !self.names_value_beside(*at)
            })
            .collect();
        let mut doubts = Vec::new();
        for pair in things.windows(2) {
            let &[one, other] = pair else { continue };
            if !self.is_listed(one, other) || elsewhere.contains(&one) || elsewhere.contains(&other)
            {
                continue;
            }
            let lost = match (is_shown(one), is_shown(other)) {
                (true, false) => other,
                (false, true) => one,
                _ => continue,
            };
            let doubt = self.doubt(DoubtKind::ListedUnshown, lost);
            if doubts.last() != Some(&doubt) {
                doubts.push(doubt);
            }
        }
        doubts
    }

    /// What the outputs and groups of the query read.
    fn shown(&self) -> Touched<'_> {
        let trees = std::iter::once(self.tree).chain(&self.tree.also);
        let shown = trees
            .flat_map(|tree| tree.select.iter().map(|item| &item.expression).chain(&tree.group_by));
        shown.fold(Touched::default(), Touched::expression)
    }

    /// Whether a column is shown, or what names the rows that it refers to.
    fn is_column_shown(&self, shown: &Touched<'_>, column: ColumnId) -> bool {
        let own = self.catalog.reference(column);
        let mut keys = self.catalog.foreign_keys.iter().filter(|foreign| {
            foreign.from_table == own.table && foreign.from_columns.contains(&own.column)
        });
        shown.columns.iter().any(|other| **other == own)
            || keys.any(|key| shown.columns.iter().any(|other| other.table == key.to_table))
    }

    /// Whether a column of a table or a key to it is shown, or its rows are counted.
    fn is_table_shown(&self, shown: &Touched<'_>, table: TableId, counts: bool) -> bool {
        let key = &self.schema.profile(table).key;
        let refers = |column: &ColumnRef| {
            self.catalog.foreign_keys.iter().any(|foreign| {
                foreign.from_table == column.table
                    && foreign.from_columns.contains(&column.column)
                    && foreign.to_table == *key
            })
        };
        let counted = || {
            let joins = self.tree.joins.iter().map(|join| &join.to_table);
            joins.chain([&self.tree.from]).any(|read| read == key)
        };
        shown.columns.iter().any(|column| column.table == *key || refers(column))
            || counts && counted()
    }

    /// Whether two mentions are neighbours in a list: only "and", a comma and filler words stand between them.
    fn is_listed(&self, one: usize, other: usize) -> bool {
        let words = &self.mentions[one + 1..other];
        let joined = words.iter().any(|word| word.is(Lexical::And))
            || other == one + 1
                && self.mentions[one].tokens.end < self.mentions[other].tokens.start;
        joined && words.iter().all(|word| word.is(Lexical::And) || word.is(Lexical::Filler))
    }

    /// Whether a mention is the noun of a stored value beside it: "the Grunge playlist".
    fn names_value_beside(&self, at: usize) -> bool {
        let Some(Target::Table(table)) = self.target(at) else { return false };
        [at.checked_sub(1), Some(at + 1)].into_iter().flatten().any(|beside| {
            matches!(self.target(beside), Some(Target::Value(column, _)) if column.table == *table)
        })
    }

    /// Mentions that conditions, times or orders use.
    fn used_elsewhere(&self) -> BTreeSet<usize> {
        let mut used = BTreeSet::new();
        for condition in &self.frame.conditions {
            condition_mentions(condition, &mut used);
        }
        used.extend(self.frame.times.iter().filter_map(|time| time.column));
        used.extend(self.frame.order.iter().filter_map(|order| order.at));
        used
    }
}
