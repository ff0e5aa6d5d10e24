//! Rows that last: "who has MRSA at the moment" means infections that are not resolved.

use super::context::Composer;
use super::filter::TableCondition;
use super::option::ignore_option;
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::intent::{Expression, Predicate};
use crate::linking::{ColumnId, Lexical, Named, TableId};
use crate::narration::Describer;
use crate::reading::{Condition, Frame, TableUse};

impl Composer<'_> {
    /// Adds that rows have not ended, where the question asks for what is so at present, and one table in play has a date
    /// on which its rows end.
    ///
    /// Invalid: "orders that are currently open", where a state says it.
    pub(super) fn still_lasting(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        found: &mut Vec<TableCondition>,
    ) {
        let present = |at: &usize| self.mentions[*at].is(Lexical::Present);
        let Some(at) = (0..self.mentions.len()).find(present) else { return };
        if !frame.times.is_empty() || !frame.vague.is_empty() {
            return;
        }
        let missing = frame.related.iter().filter(|related| related.how == TableUse::Without);
        let missing: Vec<TableId> = missing.map(|related| related.table).collect();
        let mut tables: Vec<TableId> = missing
            .iter()
            .copied()
            .chain(found.iter().map(|found| found.table))
            .chain(frame.related.iter().map(|related| related.table))
            .filter(|table| *table != plan.base)
            .collect();
        tables.sort_unstable();
        tables.dedup();
        let mut lasting: Vec<(TableId, ColumnId)> =
            tables.iter().filter_map(|table| Some((*table, self.end_of_rows(*table)?))).collect();
        if lasting.is_empty() {
            lasting.extend(self.end_of_rows(plan.base).map(|end| (plan.base, end)));
        }
        let [(table, end)] = lasting.as_slice() else { return };
        let said = frame.conditions.iter().any(|condition| match condition {
            Condition::Set { at, .. } | Condition::Null { at, .. } => {
                self.target(*at).and_then(|target| target.table()) == Some(*table)
            }
            _ => false,
        });
        if said || found.iter().any(|found| found.table == *table && self.tells_a_state(found)) {
            return;
        }
        let predicate = Predicate::IsNull { column: self.catalog.reference(*end), negated: false };
        if !self.takes_lasting(at, &predicate) {
            return;
        }
        if missing.contains(table) {
            plan.exclude(*table, predicate);
        } else {
            found.push(TableCondition { at, table: *table, predicate });
        }
    }

    /// The only date on which rows of a table end, beside one on which they start.
    fn end_of_rows(&self, table: TableId) -> Option<ColumnId> {
        let ends = |column: &ColumnId| {
            [Role::ClosedDate, Role::EndDate]
                .iter()
                .any(|role| self.schema.has_role(*column, *role))
                && self.catalog.column_at(*column).nullable
        };
        let dates = &self.schema.profile(table).dates;
        let mut end = dates.iter().copied().filter(ends);
        let only = end.next().filter(|_| end.next().is_none())?;
        dates.iter().any(|date| !ends(date)).then_some(only)
    }

    /// Whether a condition already says in which state rows are.
    fn tells_a_state(&self, found: &TableCondition) -> bool {
        match &found.predicate {
            Predicate::Not { condition } => self.tells_a_state(&TableCondition {
                predicate: (**condition).clone(),
                ..found.clone()
            }),
            Predicate::OneOf { column, .. } => self
                .schema
                .column(self.catalog, column)
                .is_some_and(|column| self.schema.has_role(column, Role::Status)),
            Predicate::IsNull { .. } | Predicate::InRange { .. } => true,
            Predicate::Compare { left: Expression::Column { column }, .. } => self
                .schema
                .column(self.catalog, column)
                .is_some_and(|column| self.catalog.column_at(column).is_flag()),
            _ => false,
        }
    }

    /// Whether rows that have not ended are meant, which is assumed.
    fn takes_lasting(&mut self, at: usize, predicate: &Predicate) -> bool {
        let describer = Describer { catalog: self.catalog };
        let label = describer.predicate(predicate);
        let lasting = ClarificationOption {
            id: "lasting".to_owned(),
            description: format!("{label}, so that it has not ended"),
            label,
            binding: OptionBinding::Predicate { predicate: predicate.clone() },
            confidence: None,
        };
        let any = ignore_option("ended or not".to_owned(), "also rows that have ended");
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "rows that have not ended are meant".to_owned(),
            options: vec![lasting, any],
            recommended: None,
            custom: None,
        });
        chosen != OptionBinding::Ignore
    }
}
