//! Values of related rows, joined by "and": all of them, each on a row of its own, or any of them.
//!
//! Invalid, so that it is asked: "customers who bought rock and jazz". Valid: "both rock and jazz", "rock or jazz",
//! and values of the rows asked about themselves, of which no row has two.

use wherefore_english::{and_list, or_list};

use super::context::Composer;
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::intent::{Comparison, Expression, Literal, Predicate};
use crate::linking::{Lexical, TableId};
use crate::reading::Condition;

impl Composer<'_> {
    /// The condition, or one for each value where all of them are meant.
    pub(super) fn together(
        &mut self,
        plan: &Plan,
        condition: &Condition,
        table: TableId,
        predicate: Predicate,
    ) -> Vec<Predicate> {
        let (Condition::Values { at, negated: false, .. }, Predicate::OneOf { column, values }) =
            (condition, &predicate)
        else {
            return vec![predicate];
        };
        let (Some(first), Some(last)) = (at.first(), at.last()) else { return vec![predicate] };
        let said = |kind: Lexical| self.mentions[*first..*last].iter().any(|m| m.is(kind));
        let far = self.schema.distance(plan.base, table).is_some_and(|(_, to_many)| to_many);
        let each = at.len() == values.len() && at.len() > 1;
        if !far || !each || !plan.takes_apart(table) || !said(Lexical::And) || said(Lexical::Or) {
            return vec![predicate];
        }
        // "Customers in both Berlin and Paris who bought rock and jazz": that "both" is said of other things.
        let joins =
            |at: usize| [Lexical::And, Lexical::Or].iter().any(|kind| self.mentions[at].is(*kind));
        let start = (0..*first).rev().find(|at| joins(*at)).unwrap_or(0);
        let told = self.mentions[start..*last].iter().filter(|mention| mention.is(Lexical::Both));
        let words: Vec<String> = told.map(|mention| mention.phrase.to_lowercase()).collect();
        if words.iter().any(|word| word.starts_with("either") || word.starts_with("any")) {
            return vec![predicate];
        }
        let apart: Vec<Predicate> = values
            .iter()
            .map(|value| Predicate::OneOf { column: column.clone(), values: vec![value.clone()] })
            .collect();
        if !words.is_empty() {
            return apart;
        }
        let (all, any) = match values.as_slice() {
            [one, other] => (format!("both {one} and {other}"), format!("either {one} or {other}")),
            _ => (format!("all of {}", and_list(values)), format!("any of {}", or_list(values))),
        };
        let all_of = Predicate::All { conditions: apart.clone() };
        let option = |id: &str, label: String, description: &str, predicate: Predicate| {
            ClarificationOption {
                id: id.to_owned(),
                label,
                description: description.to_owned(),
                binding: OptionBinding::Predicate { predicate },
                confidence: None,
            }
        };
        let span = self.span(*first).zip(self.span(*last)).map(|(one, other)| one.union(other));
        let options = vec![
            option("all", all, "at least one row for each of them", all_of.clone()),
            option("any", any, "one of them is enough", predicate.clone()),
        ];
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Condition,
            severity: Severity::Important,
            span,
            phrase: span.map_or_else(String::new, |span| span.of(self.question).to_owned()),
            relation: Relation::Means,
            reason: "you can mean all of them or any of them".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Predicate { predicate: one } if one == predicate => vec![predicate],
            _ => apart,
        }
    }
}

/// Conditions on related rows, split where no one row can meet them: each column holds one value.
pub(super) fn rows_apart(conditions: Vec<Predicate>) -> Vec<Vec<Predicate>> {
    let rivals = |at: usize| -> Vec<usize> {
        let clash = |other: &usize| *other != at && excludes(&conditions[at], &conditions[*other]);
        (0..conditions.len()).filter(clash).collect()
    };
    let Some((first, rest)) =
        (0..conditions.len()).map(|at| (at, rivals(at))).find(|(_, rivals)| !rivals.is_empty())
    else {
        return vec![conditions];
    };
    std::iter::once(first)
        .chain(rest.iter().copied())
        .map(|kept| {
            let dropped = |at: usize| at != kept && (at == first || rest.contains(&at));
            let own = conditions.iter().enumerate().filter(|(at, _)| !dropped(*at));
            own.map(|(_, condition)| condition.clone()).collect()
        })
        .collect()
}

/// Whether no row meets both of two conditions that name values of one column.
fn excludes(one: &Predicate, other: &Predicate) -> bool {
    match (named_values(one), named_values(other)) {
        (Some((column, values)), Some((rival, others))) => {
            column == rival && values.iter().all(|value| !others.contains(value))
        }
        _ => false,
    }
}

fn named_values(predicate: &Predicate) -> Option<(&crate::catalog::ColumnRef, Vec<&str>)> {
    match predicate {
        Predicate::OneOf { column, values } => {
            Some((column, values.iter().map(String::as_str).collect()))
        }
        Predicate::Compare {
            left: Expression::Column { column },
            operator: Comparison::Equal,
            right: Literal::Text { value },
        } => Some((column, vec![value.as_str()])),
        _ => None,
    }
}
