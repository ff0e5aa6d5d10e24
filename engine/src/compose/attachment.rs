//! Attachment of conditions beside several values: `(a OR b) AND c`, or `a OR (b AND c)`.

use wherefore_english::and_list;

use super::context::{Composer, Failure};
use super::filter::TableCondition;
use super::plan::{Counted, Plan};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::intent::Predicate;
use crate::linking::TableId;
use crate::narration::Describer;
use crate::reading::{Attachment, Condition, Coordination, Frame};

impl Composer<'_> {
    /// The conditions found, with those beside several values put together as was decided.
    pub(super) fn attached(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        found: Vec<TableCondition>,
    ) -> Result<Vec<TableCondition>, Failure> {
        let Some(coordination) = frame.coordination else { return Ok(found) };
        if coordination.attachment == Some(Attachment::All) || coordination.tables.is_some() {
            return Ok(found);
        }
        let beside = |found: &TableCondition| {
            if coordination.leads {
                found.at + 1 == coordination.first
            } else {
                found.at > coordination.first
            }
        };
        let (listed, rest): (Vec<TableCondition>, Vec<TableCondition>) =
            found.into_iter().partition(|found| found.at == coordination.first);
        let (mut parts, mut rest): (Vec<TableCondition>, Vec<TableCondition>) =
            rest.into_iter().partition(|found| beside(found));
        parts.extend(self.counted_beside(frame, plan, &coordination)?);
        let [TableCondition { table, predicate: Predicate::OneOf { column, values }, .. }] =
            listed.as_slice()
        else {
            rest.extend(listed);
            rest.extend(parts);
            return Ok(rest);
        };
        // "Bought rock or jazz in 2012": rows on the way to the values lead to one of them each.
        let way = self.path(plan.base, *table, &plan.named)?;
        let on_way = |part: &TableCondition| {
            way.to_many
                && part.table != *table
                && way
                    .steps
                    .iter()
                    .any(|step| self.schema.table(&step.to_table) == Some(part.table))
        };
        if parts.is_empty() || values.len() < 2 || parts.iter().all(on_way) {
            rest.extend(listed.iter().cloned());
            rest.extend(parts);
            return Ok(rest);
        }
        // Conditions on the same related rows stay together; others are conditions on the rows asked about.
        let together = parts.iter().all(|part| part.table == *table);
        let place = if together { *table } else { plan.base };
        let mut conditions = Vec::new();
        for part in &parts {
            conditions.push(if together {
                part.predicate.clone()
            } else {
                self.of_base(plan, part)?
            });
        }
        let nearest = if coordination.leads { 0 } else { values.len() - 1 };
        let one_of = |values: Vec<String>| Predicate::OneOf { column: column.clone(), values };
        let listed_as = |composer: &mut Self, plan: &mut Plan, predicate: Predicate| {
            if together {
                Ok(predicate)
            } else {
                composer.of_base(
                    plan,
                    &TableCondition { at: coordination.first, table: *table, predicate },
                )
            }
        };
        let all_values = listed_as(self, plan, one_of(values.clone()))?;
        let near = listed_as(self, plan, one_of(vec![values[nearest].clone()]))?;
        let others = values
            .iter()
            .enumerate()
            .filter(|(position, _)| *position != nearest)
            .map(|(_, value)| value.clone())
            .collect();
        let others = listed_as(self, plan, one_of(others))?;
        let of_all = Predicate::All {
            conditions: std::iter::once(all_values).chain(conditions.clone()).collect(),
        };
        let of_nearest = Predicate::Any {
            conditions: vec![
                others,
                Predicate::All {
                    conditions: std::iter::once(near).chain(conditions.clone()).collect(),
                },
            ],
        };
        let chosen = match coordination.attachment {
            Some(_) => of_nearest,
            None => self.decide_attachment(frame, &coordination, &parts, of_all, of_nearest),
        };
        rest.push(TableCondition { at: coordination.first, table: place, predicate: chosen });
        Ok(rest)
    }

    /// Numbers of related rows that are compared beside the values, taken out of the plan.
    fn counted_beside(
        &mut self,
        frame: &Frame,
        plan: &mut Plan,
        coordination: &Coordination,
    ) -> Result<Vec<TableCondition>, Failure> {
        let mut parts = Vec::new();
        for condition in &frame.conditions {
            let Condition::CountOf { table, at, .. } = condition else { continue };
            if *at < coordination.last || *table == plan.base || coordination.leads {
                continue;
            }
            let Some(position) = plan.counted.iter().position(|counted| counted.table == *table)
            else {
                continue;
            };
            let counted = plan.counted.remove(position);
            let predicate = self.of_number(plan, counted)?;
            parts.push(TableCondition { at: *at, table: plan.base, predicate });
        }
        Ok(parts)
    }

    /// A condition as one on the rows asked about.
    pub(super) fn of_base(
        &mut self,
        plan: &Plan,
        found: &TableCondition,
    ) -> Result<Predicate, Failure> {
        if plan.tables.contains(&found.table) {
            return Ok(found.predicate.clone());
        }
        self.of_rows(plan, plan.base, found)
    }

    /// A condition as one on the rows of a table, from which a way leads to its own.
    pub(super) fn of_rows(
        &mut self,
        plan: &Plan,
        rows: TableId,
        said: &TableCondition,
    ) -> Result<Predicate, Failure> {
        if said.table == rows {
            return Ok(said.predicate.clone());
        }
        let joins = self.path(rows, said.table, &plan.named)?.steps;
        let (condition, negated) = match &said.predicate {
            Predicate::Not { condition } => ((**condition).clone(), true),
            other => (other.clone(), false),
        };
        Ok(Predicate::Exists { joins, conditions: vec![condition], negated })
    }

    /// A number of related rows that is compared, as a condition on the rows asked about.
    pub(super) fn of_number(
        &mut self,
        plan: &Plan,
        counted: Counted,
    ) -> Result<Predicate, Failure> {
        let path = self.path(plan.base, counted.table, &plan.named)?;
        Ok(Predicate::RelatedCount {
            distinct: self.counted_once(&path.steps, counted.different),
            joins: path.steps,
            conditions: counted.conditions,
            operator: counted.operator,
            value: counted.value,
        })
    }

    fn decide_attachment(
        &mut self,
        frame: &Frame,
        coordination: &Coordination,
        parts: &[TableCondition],
        of_all: Predicate,
        of_nearest: Predicate,
    ) -> Predicate {
        let things: Vec<String> = frame
            .conditions
            .iter()
            .find_map(|condition| match condition {
                Condition::Values { at, .. } if at.first() == Some(&coordination.first) => Some(at),
                _ => None,
            })
            .into_iter()
            .flatten()
            .map(|at| self.phrase(*at).to_owned())
            .collect();
        let nearest = if coordination.leads { things.first() } else { things.last() };
        let nearest = nearest.cloned().unwrap_or_default();
        let listed = and_list(&things);
        let every = match things.len() {
            0 => "all of them".to_owned(),
            2 => format!("both {listed}"),
            _ => format!("all of {listed}"),
        };
        let others: Vec<&String> = things.iter().filter(|thing| **thing != nearest).collect();
        let describer = Describer { catalog: self.catalog };
        let said: Vec<String> =
            parts.iter().map(|part| describer.predicate(&part.predicate)).collect();
        let said = and_list(&said);
        let to = parts.iter().map(|part| part.at).max().unwrap_or(coordination.last);
        let from = if coordination.leads { to } else { coordination.last + 1 };
        let span = self.span(from).zip(self.span(to)).map(|(from, to)| from.union(to));
        let option =
            |id: &str, label: String, description: String, predicate| ClarificationOption {
                id: id.to_owned(),
                label,
                description,
                binding: OptionBinding::Predicate { predicate },
                confidence: None,
            };
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Condition,
            severity: Severity::Important,
            phrase: span.map_or_else(String::new, |span| span.of(self.question).to_owned()),
            span,
            relation: Relation::AppliesTo,
            reason: "it can apply to all of them or only to the nearest".to_owned(),
            options: vec![
                option("all", every, format!("for all of them, {said}"), of_all.clone()),
                option(
                    "nearest",
                    format!("only {nearest}"),
                    format!("for {nearest}, {said}; and all {}", and_list(&others)),
                    of_nearest,
                ),
            ],
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Predicate { predicate } => predicate,
            _ => of_all,
        }
    }
}
