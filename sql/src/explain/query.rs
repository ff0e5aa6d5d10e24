//! Steps for queries, in evaluation order.

use super::names::Teller;
use super::place::joined;
use super::step::{Step, StepKind};
use crate::tree::{Body, Cte, Query, SetOperator, Source, SqlSpan};
use wherefore_english::name_words;

impl Teller<'_> {
    /// Steps of a whole statement; at least one.
    pub(super) fn statement(&self, query: &Query) -> Vec<Step> {
        let mut steps = self.query(query);
        if steps.is_empty() {
            let text = "return the result of the statement".to_owned();
            let clause = text.clone();
            steps.push(Step {
                kind: StepKind::Show,
                text,
                clause,
                span: SqlSpan::default(),
                inner: Vec::new(),
            });
        }
        steps
    }

    /// Steps of a query.
    pub(super) fn query(&self, query: &Query) -> Vec<Step> {
        let mut steps: Vec<Step> =
            query.with.iter().map(|cte| self.common(cte, query.recursive)).collect();
        match &query.body {
            Body::Select(select) => match self.block_of(select) {
                Some(block) => self.select(select, query, block, &mut steps),
                None => {
                    steps.push(plain(
                        StepKind::Show,
                        "show the result of the statement",
                        SqlSpan::default(),
                    ));
                }
            },
            Body::SetOperation { operator, all, left, right } => {
                steps.push(self.combined(*operator, *all, left, right));
                self.rows_in_order(query, &mut steps);
            }
            Body::Values(rows) => {
                let span = self.places.of_all(rows.iter().flatten());
                let text = format!("read {} listed in the statement", count(rows.len(), "row"));
                let clause = format!("{} listed in the statement", count(rows.len(), "row"));
                steps.push(Step { kind: StepKind::Read, text, clause, span, inner: Vec::new() });
                self.rows_in_order(query, &mut steps);
            }
            Body::Foreign(_) | Body::Spelled(_) => {
                steps.push(plain(
                    StepKind::Show,
                    "show the result of the statement",
                    SqlSpan::default(),
                ));
            }
        }
        steps
    }

    fn common(&self, cte: &Cte, recursive: bool) -> Step {
        let name = name_words(&cte.name.name);
        let repeats = match &cte.query.body {
            Body::SetOperation { right, .. } if recursive => Some(right),
            _ => None,
        };
        let repeats = repeats.filter(|right| reads(right, &cte.name.name));
        let inner = match (&cte.query.body, repeats) {
            (Body::SetOperation { left, .. }, Some(right)) => {
                let again = format!("then, as long as new rows are found, add to “{name}”");
                vec![self.sub("start with", left), self.sub(&again, right)]
            }
            _ => self.query(&cte.query),
        };
        Step {
            kind: StepKind::List,
            text: format!("build a list called “{name}”"),
            clause: format!("“{name}”"),
            span: joined(cte.name.span, span_of(&inner)),
            inner,
        }
    }

    fn sub(&self, text: &str, query: &Query) -> Step {
        let inner = self.query(query);
        let span = span_of(&inner);
        Step { kind: StepKind::List, text: text.to_owned(), clause: text.to_owned(), span, inner }
    }

    pub(super) fn combined(
        &self,
        operator: SetOperator,
        all: bool,
        left: &Query,
        right: &Query,
    ) -> Step {
        let mut lists = vec![right];
        let mut rest = left;
        while let Body::SetOperation { operator: inner, all: inner_all, left, right } = &rest.body {
            let is_plain = rest.with.is_empty() && rest.order_by.is_empty() && rest.limit.is_none();
            if *inner != operator || *inner_all != all || !is_plain {
                break;
            }
            lists.push(right);
            rest = left;
        }
        lists.push(rest);
        lists.reverse();
        let names = ["first", "second", "third", "fourth", "fifth", "sixth"];
        let inner: Vec<Step> = lists
            .iter()
            .enumerate()
            .map(|(at, query)| {
                let name =
                    names.get(at).map_or_else(|| format!("{}th", at + 1), |it| (*it).to_owned());
                self.sub(&format!("{name} list"), query)
            })
            .collect();
        let text = match (operator, all) {
            (SetOperator::Union, true) => "append the lists",
            (SetOperator::Union, false) => "append the lists and remove duplicate rows",
            (SetOperator::Intersect, true) => "keep only rows that are in every list",
            (SetOperator::Intersect, false) => {
                "keep only rows that are in every list, without duplicates"
            }
            (SetOperator::Except, true) => {
                "remove from the first list one row for each equal row of the others"
            }
            (SetOperator::Except, false) => {
                "keep only rows of the first list that are not in the others, without duplicates"
            }
        };
        let clause = match operator {
            SetOperator::Union => "and",
            SetOperator::Intersect => "but only those that are also in this list:",
            SetOperator::Except => "but without those of this list:",
        };
        Step {
            kind: StepKind::Combine,
            text: text.to_owned(),
            clause: clause.to_owned(),
            span: span_of(&inner),
            inner,
        }
    }
}

/// Span of all steps.
pub(super) fn span_of(steps: &[Step]) -> SqlSpan {
    steps.iter().map(|step| step.span).fold(SqlSpan::default(), joined)
}

/// Whether a query reads a table of this name directly in its FROM.
fn reads(query: &Query, name: &str) -> bool {
    match &query.body {
        Body::Select(select) => select.from.iter().any(|item| {
            std::iter::once(&item.source).chain(item.joins.iter().map(|it| &it.source)).any(
                |source| matches!(source, Source::Table { name: own, .. } if own.name.eq_ignore_ascii_case(name)),
            )
        }),
        Body::SetOperation { left, right, .. } => reads(left, name) || reads(right, name),
        Body::Values(_) | Body::Foreign(_) | Body::Spelled(_) => false,
    }
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

pub(super) fn plain(kind: StepKind, text: &str, span: SqlSpan) -> Step {
    Step { kind, text: text.to_owned(), clause: text.to_owned(), span, inner: Vec::new() }
}
