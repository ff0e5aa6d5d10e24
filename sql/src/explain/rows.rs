//! Steps for ORDER BY and LIMIT of a set operation.

use super::names::Teller;
use super::step::{Step, StepKind};
use crate::tree::{Body, Expr, Literal, Query};
use wherefore_english::name_words;

impl Teller<'_> {
    /// ORDER BY and LIMIT of a set operation, which refer to output columns by name or ordinal.
    pub(super) fn rows_in_order(&self, query: &Query, steps: &mut Vec<Step>) {
        let mut first = query;
        while let Body::SetOperation { left, .. } = &first.body {
            first = left;
        }
        let outputs = match &first.body {
            Body::Select(select) => self
                .block_of(select)
                .and_then(|at| self.bound.blocks.get(at))
                .map(|it| it.outputs.clone()),
            _ => None,
        };
        self.ordered(&query.order_by, steps, &|item| {
            let found = outputs.as_ref().and_then(|outputs| match &item.expr {
                Expr::Column { name, .. } => {
                    outputs.iter().find(|it| it.name.eq_ignore_ascii_case(&name.name))
                }
                Expr::Literal(Literal::Number(place), _) => {
                    outputs.get(place.parse::<usize>().ok()?.checked_sub(1)?)
                }
                _ => None,
            });
            let (key, kind) = match found {
                Some(output) => (name_words(&output.name), output.kind),
                None => (self.written(&item.expr), None),
            };
            format!("{key}, {}", self.direction(item, kind, false))
        });
        self.cut(query, steps);
    }

    pub(super) fn cut(&self, query: &Query, steps: &mut Vec<Step>) {
        let number = |expr: &Expr| match expr {
            Expr::Literal(Literal::Number(text), _) => text.clone(),
            Expr::Parameter(name) => format!("`{name}`"),
            other => self.written(other),
        };
        let span = self.places.of_all(query.limit.iter().chain(&query.offset));
        let skipped = query.offset.as_ref().map(number).filter(|text| text != "0");
        let limit =
            query.limit.as_ref().filter(|it| !matches!(it, Expr::Literal(Literal::Null, _)));
        let words = match (limit.map(number), skipped) {
            (None, None) => return,
            (Some(limit), None) if query.order_by.is_empty() && limit == "1" => {
                "keep only one row, whichever comes first".to_owned()
            }
            (Some(limit), None) if query.order_by.is_empty() => {
                format!("keep only {limit} rows, whichever come first")
            }
            (Some(limit), None) if limit == "1" => "keep only the first row".to_owned(),
            (Some(limit), None) => format!("keep only the first {limit} rows"),
            (None, Some(skipped)) => format!("skip the first {skipped} rows"),
            (Some(limit), Some(skipped)) => {
                format!("skip the first {skipped} rows, then keep only the next {limit}")
            }
        };
        let range = match (&query.limit, &query.offset) {
            (
                Some(Expr::Literal(Literal::Number(limit), _)),
                Some(Expr::Literal(Literal::Number(skip), _)),
            ) => skip.parse::<u32>().ok().zip(limit.parse::<u32>().ok()),
            _ => None,
        };
        let clause = match range {
            Some((skip, limit)) if skip > 0 && limit > 0 => {
                format!(
                    "only rows {} to {}",
                    u64::from(skip) + 1,
                    u64::from(skip) + u64::from(limit)
                )
            }
            _ => words.strip_prefix("keep ").unwrap_or(&words).to_owned(),
        };
        steps.push(Step { kind: StepKind::Cut, text: words, clause, span, inner: Vec::new() });
    }
}
