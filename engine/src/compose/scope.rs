//! Scope of "each" and "all": listed for each row, or what all rows have in common.
//!
//! Only tables that relate many to many leave it open. Where a row belongs to one of the others at most, nothing
//! can be common to several.

use wherefore_english::{plural, possessive, singular};

use super::context::{Composer, Failure};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation, Scope};
use crate::failure::FailureCode;
use crate::linking::{Lexical, TableId};
use crate::reading::{Distribution, Frame};

impl Composer<'_> {
    /// The frame with the scope of "each" and "all" decided on.
    pub(super) fn scoped(&mut self, frame: &mut Frame) -> Result<(), Failure> {
        let common = self.mentions.iter().position(|mention| {
            mention.lexical == [Lexical::Common] && mention.readings.is_empty()
        });
        let found = frame.distribution.and_then(|distribution| {
            let listed = self.listed(frame, distribution.table)?;
            self.many_to_many(listed, distribution.table).then_some((listed, distribution))
        });
        let Some((listed, distribution)) = found else {
            return match common {
                Some(at) => Err(self.fail(
                    FailureCode::NotComposable,
                    format!("it is not clear what “{}” is compared across", self.phrase(at)),
                    "name what to list, and what it is common to",
                    Some(at),
                )),
                None => Ok(()),
            };
        };
        let scope = match distribution.scope {
            Some(scope) => scope,
            None => self.decide_scope(listed, &distribution),
        };
        frame.groups.clear();
        frame.related.retain(|related| related.table != distribution.table);
        let at = frame.head.filter(|(head, _)| *head == listed).map_or(usize::MAX, |(_, at)| at);
        match scope {
            Scope::All => {
                frame.head = Some((listed, at));
                frame.shared = Some(distribution.table);
            }
            Scope::Each => {
                if frame.outputs.is_empty() {
                    frame.output_tables.push((listed, at));
                }
                frame.head = Some((distribution.table, distribution.at));
                frame.beside = Some(distribution.table);
            }
        }
        Ok(())
    }

    /// Table whose rows are listed for the rows of another.
    fn listed(&self, frame: &Frame, across: TableId) -> Option<TableId> {
        let shown = frame
            .outputs
            .iter()
            .filter_map(|at| self.target(*at).and_then(|target| target.table()))
            .find(|table| *table != across);
        shown.or(frame.head.map(|(head, _)| head).filter(|head| *head != across))
    }

    /// Whether a row of either table may have several of the other, and one column tells the rows apart.
    fn many_to_many(&self, listed: TableId, across: TableId) -> bool {
        let to_many = |from, to| self.schema.distance(from, to).is_some_and(|(_, to_many)| to_many);
        to_many(listed, across)
            && to_many(across, listed)
            && self.schema.profile(across).primary_key.len() == 1
    }

    fn decide_scope(&mut self, listed: TableId, distribution: &Distribution) -> Scope {
        let things = self.table_rows(listed);
        let across = self.table_words(distribution.table);
        let table = self.schema.profile(distribution.table).key.clone();
        let option = |id: &str, label: String, description: String, scope| ClarificationOption {
            id: id.to_owned(),
            label,
            description,
            binding: OptionBinding::Scope { table: table.clone(), scope },
            confidence: None,
        };
        let options = vec![
            option(
                "each",
                format!("each {} own {things}", possessive(&singular(&across))),
                format!("one row for each {} and {}", singular(&across), singular(&things)),
                Scope::Each,
            ),
            option(
                "all",
                format!("only {things} that all {} share", plural(&across)),
                format!("each {} once", singular(&things)),
                Scope::All,
            ),
        ];
        let (first, last) = (self.span(distribution.quantifier), self.span(distribution.at));
        let span = first.zip(last).map(|(first, last)| first.union(last));
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Condition,
            severity: Severity::Important,
            span,
            phrase: span.map_or_else(String::new, |span| span.of(self.question).to_owned()),
            relation: Relation::Means,
            reason: format!("several {} can have the same {things}", plural(&across)),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Scope { scope, .. } => scope,
            _ => Scope::Each,
        }
    }
}
