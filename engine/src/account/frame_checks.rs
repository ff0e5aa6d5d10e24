//! Checks of a frame against the question: mentions that no clause uses, and keys that are compared.

use std::collections::BTreeSet;

use super::{Accounted, Doubt, DoubtKind};
use crate::catalog::DataType;
use crate::data::Role;
use crate::intent::Comparison;
use crate::linking::{ColumnId, Lexical, Named, Target};
use crate::reading::{Condition, Part};

impl Accounted<'_> {
    /// Numbers and words for things of the data that no clause uses.
    pub(super) fn unused(&self, used: &BTreeSet<usize>) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for (at, mention) in self.mentions.iter().enumerate() {
            if used.contains(&at) || self.is_said_again(at, used) || self.is_figure(at) {
                continue;
            }
            let kind = match self.parts.get(at) {
                Some(Part::Number) if !self.is_part_of_time(at) => DoubtKind::NumberUnused,
                Some(Part::Grain(_)) if !self.is_unit(at) => DoubtKind::PeriodUnused,
                Some(
                    Part::Schema | Part::Concept(_) | Part::Vague(_) | Part::Time | Part::Unknown,
                ) => DoubtKind::WordsUnused,
                _ => continue,
            };
            doubts.push(Doubt { kind, span: Some(mention.span) });
        }
        doubts
    }

    /// Whether a period is the unit of a number ("65 years") or of what a condition compares.
    fn is_unit(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.parts.get(before));
        before == Some(&Part::Number) || self.condition_of(at).is_some()
    }

    /// Whether words only repeat what a used mention means ("the name of artists and their names").
    fn is_said_again(&self, at: usize, used: &BTreeSet<usize>) -> bool {
        let mention = &self.mentions[at];
        let own = mention.readings.first().map(|reading| &reading.target);
        used.iter().filter_map(|other| self.mentions.get(*other)).any(|other| {
            other.span == mention.span
                || other.phrase.eq_ignore_ascii_case(&mention.phrase)
                || own.is_some() && other.readings.first().map(|reading| &reading.target) == own
        })
    }

    /// Whether a number is one that a limit or a condition holds by value.
    fn is_figure(&self, at: usize) -> bool {
        let Some(number) = &self.mentions[at].number else { return false };
        let ranked = self.frame.superlative.as_ref().and_then(|superlative| superlative.limit);
        let limit = ranked.or(self.frame.limit.map(|(limit, _)| limit));
        let limited = limit.is_some_and(|limit| number.value == limit.to_string());
        limited && !number.percent
            || self.frame.conditions.iter().any(|condition| match condition {
                Condition::Compare { value, .. }
                | Condition::CountOf { value, .. }
                | Condition::Key { value, .. }
                | Condition::Measure { value, .. } => *value == number.value,
                _ => false,
            })
    }

    /// Whether a number stands in words that a time expression covers.
    fn is_part_of_time(&self, at: usize) -> bool {
        let span = self.mentions[at].span;
        self.mentions.iter().enumerate().any(|(other, mention)| {
            other != at
                && self.parts.get(other) == Some(&Part::Time)
                && mention.span.start <= span.start
                && span.end <= mention.span.end
        })
    }

    /// Bounds on keys and names that the words next to the number do not name.
    pub(super) fn compared_keys(&self) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for condition in &self.frame.conditions {
            let Condition::Compare { column: Some(column), operator, at, .. } = condition else {
                continue;
            };
            let Some(&Target::Column(id)) = self.target(*column) else { continue };
            let span = self.mentions.get(*at).map(|mention| mention.span);
            let named_beside = self.stand_together(*column, *at);
            if self.is_key(id) && !named_beside {
                doubts.push(Doubt { kind: DoubtKind::KeyCompared, span });
            } else if self.is_name(id) && *operator != Comparison::Equal {
                doubts.push(Doubt { kind: DoubtKind::NameCompared, span });
            }
        }
        doubts
    }

    pub(super) fn target(&self, at: usize) -> Option<&Target> {
        Some(&self.mentions.get(at)?.readings.first()?.target)
    }

    /// Whether only words of comparison stand between two mentions.
    fn stand_together(&self, one: usize, other: usize) -> bool {
        let between = if one < other { one + 1..other } else { other + 1..one };
        between.into_iter().all(|at| {
            self.is_structure(at)
                && ![Lexical::With, Lexical::Where, Lexical::Of, Lexical::And]
                    .iter()
                    .any(|kind| self.mentions[at].is(*kind))
        })
    }

    fn is_key(&self, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        let reference = self.catalog.reference(column);
        self.schema.profile(column.table).primary_key.as_slice() == [column]
            || definition.unique
            || self.catalog.foreign_keys.iter().any(|key| {
                key.from_table == reference.table && key.from_columns.contains(&reference.column)
            })
    }

    /// Whether a column holds names: text that tells rows apart for people.
    fn is_name(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).data_type == DataType::Text
            && (self.schema.has_role(column, Role::Name)
                || self.schema.profile(column.table).label.contains(&column))
    }
}
