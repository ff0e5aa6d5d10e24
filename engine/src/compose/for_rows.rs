//! A figure "for" rows of another table: for each of them, or for all together.
//!
//! Invalid, so that it is asked: "average score for agents". Valid: "average score for each agent", "average score for
//! agents in Graz", where the rows are a condition.

use wherefore_english::{plural, singular};

use super::context::Composer;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation, Scope};
use crate::linking::{Lexical, TableId};
use crate::reading::{CountTarget, Frame, Group, MeasureTarget, TableUse};

impl Composer<'_> {
    /// Adds the group that the asker wants where a figure is asked for "for" rows that each of the counted rows refers to.
    pub(super) fn for_each_or_all(&mut self, frame: &mut Frame) {
        let open = frame.groups.is_empty()
            && frame.conditions.is_empty()
            && frame.vague.is_empty()
            && frame.distribution.is_none()
            && frame.superlative.is_none()
            && frame.share.is_none();
        let [measure] = frame.measures.as_slice() else { return };
        let measured = match measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => Some(table),
            _ => self.target(measure.at).and_then(|target| target.table()),
        };
        if !open {
            return;
        }
        let refers = |table: TableId| {
            measured.is_none_or(|measured| {
                self.schema
                    .distance(measured, table)
                    .is_some_and(|(joins, to_many)| joins > 0 && !to_many)
            })
        };
        let found = frame.related.iter().position(|related| {
            related.how == TableUse::Path
                && self.is_said_for_several(related.at)
                && refers(related.table)
        });
        let Some(found) = found else { return };
        let (table, at) = (frame.related[found].table, frame.related[found].at);
        if self.each_or_all(table, at) == Scope::Each {
            frame.related.remove(found);
            frame.groups.push(Group::Table(table, at));
        }
    }

    /// Whether a table is named in the plural behind "for".
    fn is_said_for_several(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.mentions.get(before));
        let said_for = before
            .is_some_and(|word| word.is(Lexical::Of) && word.phrase.eq_ignore_ascii_case("for"));
        let phrase = self.phrase(at).to_lowercase();
        said_for && singular(&phrase) != phrase
    }

    fn each_or_all(&mut self, table: TableId, at: usize) -> Scope {
        let rows = self.table_words(table);
        let key = self.schema.profile(table).key.clone();
        let options = vec![
            ClarificationOption {
                id: "each".to_owned(),
                label: format!("each {}", singular(&rows)),
                description: format!("one figure for each {}", singular(&rows)),
                binding: OptionBinding::Scope { table: key, scope: Scope::Each },
                confidence: None,
            },
            ClarificationOption {
                id: "all".to_owned(),
                label: format!("all {} together", plural(&rows)),
                description: "one figure".to_owned(),
                binding: OptionBinding::Ignore,
                confidence: None,
            },
        ];
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Condition,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "the figure can be split up or not".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Scope { scope, .. } => scope,
            _ => Scope::All,
        }
    }
}
