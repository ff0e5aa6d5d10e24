//! Steps for the output columns: what a SELECT computes and shows.

use std::collections::BTreeSet;

use super::join::address;
use super::names::Teller;
use super::place::joined;
use super::step::{Step, StepKind};
use crate::tree::{Expr, OrderItem, Select, SelectItem, SqlSpan};
use crate::walk::walk;
use wherefore_english::{and_list, name_words};

/// Maximum number of output columns that are named.
const NAMED_COLUMNS: usize = 16;

impl Teller<'_> {
    /// Adds the steps that compute values, and returns the step that shows the output.
    pub(super) fn items(
        &self,
        select: &Select,
        block: usize,
        aggregates: bool,
        steps: &mut Vec<Step>,
    ) -> Option<Step> {
        let mut names = Vec::new();
        let mut nouns = Vec::new();
        let mut span = SqlSpan::default();
        let mut aside = Vec::new();
        let grouped: BTreeSet<usize> =
            self.bound.grouped_by(block).into_iter().map(address).collect();
        let mut figures = 0;
        let mut before_groups =
            steps.iter().rposition(|step| step.kind == StepKind::Group).unwrap_or(steps.len());
        for item in &select.items {
            match item {
                SelectItem::Expr { expr, alias } => {
                    let mut own = self.places.of(expr);
                    let called = alias.as_ref().map(|alias| name_words(&alias.name));
                    let is_column = matches!(expr, Expr::Column { .. });
                    let is_figure = aggregates && self.has_aggregate(expr);
                    let mut noun = String::new();
                    let step = self.step(StepKind::Compute, own, || {
                        noun = self.noun(expr, block);
                        (worked_out(&noun, called.as_deref()), noun.clone())
                    });
                    let is_computed =
                        !is_column && (is_figure || called.is_some() || has_window(expr));
                    let is_key = grouped.contains(&address(expr)) || self.is_grouped(expr, select);
                    if is_computed && is_key && is_long(&noun) {
                        steps.insert(before_groups, step);
                        before_groups += 1;
                    } else if is_computed && !is_key {
                        figures += 1;
                        steps.push(step);
                    } else {
                        aside.extend(step.inner);
                    }
                    if let Some(alias) = alias {
                        own = joined(own, alias.span);
                    }
                    span = joined(span, own);
                    let name = match called {
                        Some(called) if is_column && called != noun => {
                            format!("{noun} (as “{called}”)")
                        }
                        Some(called) => called,
                        None => noun.clone(),
                    };
                    let is_short = noun.chars().count() <= 60 || !is_computed;
                    if !(aggregates && is_key) {
                        nouns.push(if is_short { noun } else { name.clone() });
                    }
                    names.push(name);
                }
                SelectItem::Wildcard { qualifier } => {
                    let of = qualifier
                        .as_ref()
                        .and_then(|name| self.bound.source_called(block, name))
                        .map(|at| format!(" of the {}", self.called(block, at).rows));
                    span = joined(span, self.places.star_before(self.source_span(block, 0)));
                    names.push(format!("all columns{}", of.unwrap_or_default()));
                    nouns.push("all columns".to_owned());
                }
                SelectItem::Foreign(_) => {}
                SelectItem::WildcardExcept { except, .. } => {
                    let left: Vec<String> = except.iter().map(|it| name_words(&it.name)).collect();
                    names.push(format!("all columns but {}", and_list(&left)));
                    nouns.push("all columns".to_owned());
                }
            }
        }
        if figures == 1 && select.items.len() == 1 && !select.from.is_empty() {
            return None;
        }
        if nouns.is_empty() {
            nouns.clone_from(&names);
        }
        let text = format!("show {}", and_list(&few(names)));
        Some(Step { kind: StepKind::Show, text, clause: and_list(&few(nouns)), span, inner: aside })
    }

    fn has_aggregate(&self, expr: &Expr) -> bool {
        let mut found = false;
        walk(expr, &mut |part| {
            if let Expr::Function(call) = part {
                found |= call.over.is_none() && crate::guard::is_aggregate(call, self.dialect);
            }
        });
        found
    }

    /// Whether an output expression is a grouping key.
    fn is_grouped(&self, expr: &Expr, select: &Select) -> bool {
        select.group_by.iter().any(|key| {
            key == expr
                || match (self.bound.column_of(key), self.bound.column_of(expr)) {
                    (Some(one), Some(other)) => {
                        one == other
                            || one.block == other.block
                                && one.source == other.source
                                && self.is_key(one)
                    }
                    _ => false,
                }
        })
    }

    pub(super) fn ordered(
        &self,
        items: &[OrderItem],
        steps: &mut Vec<Step>,
        say: &dyn Fn(&OrderItem) -> String,
    ) {
        if items.is_empty() {
            return;
        }
        let span = self.places.of_all(items.iter().map(|item| &item.expr));
        steps.push(self.step(StepKind::Order, span, || {
            let words: Vec<String> = items.iter().map(say).collect();
            let words = words.join("; then ");
            (format!("sort by {words}"), format!("sorted by {words}"))
        }));
    }
}

fn worked_out(noun: &str, called: Option<&str>) -> String {
    let named = match called {
        Some(called) if is_long(noun) => return format!("calculate “{called}”: {noun}"),
        Some(called) if called != noun => format!(", called “{called}”"),
        _ => String::new(),
    };
    match noun.strip_prefix("number of ") {
        Some(counted)
            if !noun.starts_with("number of days from ")
                && !noun.contains([',', '÷', '×', '+', '−'])
                && !["the ", "characters", "entries"]
                    .iter()
                    .any(|start| counted.starts_with(start))
                && !noun.contains(" divided by ")
                && !noun.contains(" as a ") =>
        {
            format!("count {counted}{named}")
        }
        _ => format!("calculate {noun}{named}"),
    }
}

/// Whether a phrase is too long to use without an alias.
pub(super) fn is_long(noun: &str) -> bool {
    noun.contains(", ") || noun.contains(" if ") || noun.chars().count() > 60
}

fn has_window(expr: &Expr) -> bool {
    let mut found = false;
    walk(expr, &mut |part| {
        found |= matches!(part, Expr::Function(call) if call.over.is_some());
    });
    found
}

fn few(mut names: Vec<String>) -> Vec<String> {
    if names.len() > NAMED_COLUMNS {
        let more = names.len() - NAMED_COLUMNS;
        names.truncate(NAMED_COLUMNS);
        names.push(format!("{more} more"));
    }
    names
}
