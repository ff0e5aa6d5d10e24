//! Values or periods of related rows, joined by "and": all of them, each on a row of its own, or any of them.
//!
//! Invalid, so that it is asked: "customers who bought rock and jazz". Valid: "both rock and jazz", "rock or jazz",
//! and values of the rows asked about themselves, of which no row has two.

use wherefore_english::{and_list, or_list};

use super::context::Composer;
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::intent::{Comparison, DateRange, Expression, Literal, Predicate, TextMatch};
use crate::linking::{Lexical, TableId};
use crate::reading::{Condition, TimeSpec};

impl Composer<'_> {
    /// The condition, or one for each value where all of them are meant.
    pub(super) fn together(
        &mut self,
        plan: &Plan,
        condition: &Condition,
        table: TableId,
        predicate: Predicate,
    ) -> Vec<Predicate> {
        let Condition::Values { at, negated: false, .. } = condition else {
            return vec![predicate];
        };
        let (Some(first), Some(last)) = (at.first(), at.last()) else { return vec![predicate] };
        let (names, apart): (Vec<String>, Vec<Predicate>) = match &predicate {
            Predicate::OneOf { column, values } => values
                .iter()
                .map(|value| {
                    (
                        value.clone(),
                        Predicate::OneOf { column: column.clone(), values: vec![value.clone()] },
                    )
                })
                .unzip(),
            // "Orders with gloves and lanterns", which only are parts of names.
            Predicate::Any { conditions } => at
                .iter()
                .map(|at| self.phrase(*at).to_owned())
                .zip(conditions.iter().cloned())
                .unzip(),
            _ => return vec![predicate],
        };
        if at.len() != names.len() {
            return vec![predicate];
        }
        let listed = Listed { first: *first, last: *last, names, apart };
        self.all_or_any(plan, table, listed, predicate)
    }

    /// "Customers who ordered in 2016 and 2017": one condition for each period where all of them are meant.
    pub(super) fn periods_together(
        &mut self,
        plan: &Plan,
        time: &TimeSpec,
        table: TableId,
        predicate: Predicate,
    ) -> Vec<Predicate> {
        let Predicate::Any { conditions } = &predicate else { return vec![predicate] };
        let said = (time.at..self.mentions.len()).filter(|at| self.mentions[*at].time.is_some());
        let said: Vec<usize> = said.take(conditions.len()).collect();
        let Some(last) = said.last().filter(|_| said.len() == conditions.len()) else {
            return vec![predicate];
        };
        // "in both 2016 and 2017": such words belong to the first of the periods.
        let leads = |word: &str| {
            let both = self.lexicon.get(word).contains(&Lexical::Both);
            both || self.lexicon.is_preposition(word)
        };
        let names: Vec<String> = said
            .iter()
            .map(|at| {
                let words = self.phrase(*at).split(' ');
                let name: Vec<&str> =
                    words.skip_while(|word| leads(&word.to_lowercase())).collect();
                name.join(" ")
            })
            .collect();
        let mut words = self.phrase(time.at).split(' ').map(str::to_lowercase);
        if let Some(word) = words.find(|word| self.lexicon.get(word).contains(&Lexical::Both)) {
            return if is_either(&word) { vec![predicate] } else { conditions.clone() };
        }
        let listed = Listed { first: time.at, last: *last, names, apart: conditions.clone() };
        self.all_or_any(plan, table, listed, predicate)
    }

    /// A condition on one of several things of related rows, or one for each where "and" or "both" says so or it is decided.
    fn all_or_any(
        &mut self,
        plan: &Plan,
        table: TableId,
        listed: Listed,
        predicate: Predicate,
    ) -> Vec<Predicate> {
        let Listed { first, last, names, apart } = listed;
        let said = |kind: Lexical| self.mentions[first..last].iter().any(|m| m.is(kind));
        let far = self.schema.distance(plan.base, table).is_some_and(|(_, to_many)| to_many);
        let several = apart.len() > 1;
        if !far || !several || !plan.takes_apart(table) || !said(Lexical::And) || said(Lexical::Or)
        {
            return vec![predicate];
        }
        // "Customers in both Berlin and Paris who bought rock and jazz": that "both" is said of other things.
        let joins =
            |at: usize| [Lexical::And, Lexical::Or].iter().any(|kind| self.mentions[at].is(*kind));
        let start = (0..first).rev().find(|at| joins(*at)).unwrap_or(0);
        let told = self.mentions[start..last].iter().filter(|mention| mention.is(Lexical::Both));
        let words: Vec<String> = told.map(|mention| mention.phrase.to_lowercase()).collect();
        if words.iter().any(|word| is_either(word)) {
            return vec![predicate];
        }
        if !words.is_empty() {
            return apart;
        }
        let (all, any) = match names.as_slice() {
            [one, other] => (format!("both {one} and {other}"), format!("either {one} or {other}")),
            _ => (format!("all of {}", and_list(&names)), format!("any of {}", or_list(&names))),
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
        let span = self.span(first).zip(self.span(last)).map(|(one, other)| one.union(other));
        let options = vec![
            option("all", all, "at least one row for each of them", all_of),
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

/// Things of related rows that a question lists.
struct Listed {
    /// Mention of the first.
    first: usize,
    /// Mention of the last.
    last: usize,
    /// How they are called.
    names: Vec<String>,
    /// A condition for each.
    apart: Vec<Predicate>,
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

/// Whether no row meets both of two conditions, which name values or periods of one column.
fn excludes(one: &Predicate, other: &Predicate) -> bool {
    if let (
        Predicate::InRange { column, range },
        Predicate::InRange { column: same, range: other },
    ) = (one, other)
    {
        let before = |first: &DateRange, second: &DateRange| {
            first.end.as_ref().zip(second.start.as_ref()).is_some_and(|(end, start)| end <= start)
        };
        return column == same && (before(range, other) || before(other, range));
    }
    match (named_values(one), named_values(other)) {
        (Some((column, values)), Some((rival, others))) => {
            column == rival && values.iter().all(|value| !others.contains(value))
        }
        _ if one != other => matches!(
            (one, other),
            (Predicate::Text { column, matching: TextMatch::Contains, .. }, Predicate::Text { column: same, matching: TextMatch::Contains, .. }) if column == same
        ),
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

/// Whether a word for two things means that one of them is enough, rather than both.
fn is_either(word: &str) -> bool {
    word.starts_with("either") || word.starts_with("any")
}
