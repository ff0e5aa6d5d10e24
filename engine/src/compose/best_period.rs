//! "What was our best month": what periods are ranked by, where the words do not say.
//!
//! Offered are sums and numbers of the rows that record sales; where there are none, the numbers of rows of the tables
//! with a date that questions are likeliest to be about. There is no default that could run unasked.

use super::context::Composer;
use super::measure::Resolved;
use super::option::OPTIONS;
use crate::data::Role;
use crate::intent::Expression;
use crate::linking::{TableId, prominent};
use crate::reading::{Frame, Group, Superlative};

/// Maximum number of sums among the options.
const SUMS: usize = 3;
impl Composer<'_> {
    /// Whether a frame ranks periods by nothing that the words name.
    pub(super) fn ranks_bare_periods(&self, frame: &Frame) -> bool {
        let bare = frame.superlative.as_ref().is_some_and(|it| it.by.is_none());
        bare && frame.head.is_none()
            && frame.measures.is_empty()
            && matches!(frame.groups.as_slice(), [Group::Period { .. }])
    }

    /// Asks what periods are ranked by.
    pub(super) fn decide_best_period(&mut self, superlative: &Superlative) -> Option<Resolved> {
        let earned = self.dictionary.concepts.iter().filter(|concept| {
            concept.roles.contains(&Role::Amount) && !concept.participles.is_empty()
        });
        let concepts = earned.map(|concept| concept.term.clone()).collect();
        let sought = Superlative { concepts, figure: true, ..superlative.clone() };
        let counts = |resolved: &Resolved| {
            matches!(&resolved.expression, Expression::Aggregate { argument: None, .. })
        };
        let own_date = |table| self.schema.profile(table).date.is_some();
        let recorded = self.recorded(None, &sought, 0).into_iter();
        let (rows, mut options): (Vec<_>, Vec<_>) =
            recorded.partition(|(_, resolved)| counts(resolved));
        options.retain(|(_, resolved)| !superlative.counted && self.has_date(resolved.fact));
        options.truncate(SUMS);
        options.extend(rows.into_iter().filter(|(_, resolved)| own_date(resolved.fact)));
        if options.is_empty() {
            let dated = prominent(self.catalog, self.schema).into_iter();
            let dated: Vec<TableId> = dated.filter(|table| own_date(*table)).collect();
            let counted = |table| self.count_option(table, superlative.at);
            options = dated.into_iter().take(OPTIONS).filter_map(counted).collect();
        }
        options.truncate(OPTIONS);
        if options.is_empty() { None } else { self.decide_among(superlative.at, options) }
    }

    /// Whether rows of a table have a date, of their own or of the one row that they belong to.
    fn has_date(&self, table: TableId) -> bool {
        let dated = |table: &TableId| self.schema.profile(*table).date.is_some();
        dated(&table) || self.dated_neighbours(table).iter().any(dated)
    }
}
