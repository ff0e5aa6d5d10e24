//! Traces the decisions made about a question to the parts of a statement that implement them (invariant I9).

use serde::{Deserialize, Serialize};

use super::explain;
use super::step::Step;
use crate::bind::{Bound, Meaning};
use crate::tree::{Body, Expr, Query, SelectItem, Source, SqlSpan};
use crate::walk::{inner_query, walk};
use crate::{Diagnostic, read_with_tokens};
use wherefore_catalog::{Catalog, ColumnRef};

/// A decision about a phrase of the question.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Decision {
    /// The phrase.
    pub phrase: String,
    /// Keys of the tables that the statement must read.
    pub tables: Vec<String>,
    /// Columns that the statement must use.
    pub columns: Vec<ColumnRef>,
    /// Literals that the statement must contain: one of the alternatives of each entry.
    pub literals: Vec<Vec<String>>,
    /// Functions that the statement must call, in lower case; a date part is written as `extract year`.
    pub functions: Vec<String>,
}

/// Where a decision is implemented.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Kept {
    /// The phrase of the decision.
    pub phrase: String,
    /// Whether the statement contains everything that the decision requires.
    pub is_kept: bool,
    /// Indices of the explanation's steps that state the decision; empty if it is not kept.
    pub steps: Vec<usize>,
    /// Spans that implement the decision, in order; empty if it is not kept.
    pub spans: Vec<SqlSpan>,
}

/// For each decision, the steps and the spans of a statement that implement it.
///
/// A decision without requirements is kept, with no steps and no spans.
pub fn kept(
    sql: &str,
    catalog: &Catalog,
    decisions: &[Decision],
) -> Result<Vec<Kept>, Vec<Diagnostic>> {
    let steps = explain(sql, catalog)?;
    let read = read_with_tokens(sql, catalog.dialect.into()).map_err(|fault| vec![fault])?;
    let bound = Bound::of(&read.query, catalog, catalog.dialect);
    let facts = Facts::of(&read.query, &bound);
    Ok(decisions.iter().map(|decision| facts.find(decision, &steps)).collect())
}

/// The tables, columns, literals and functions of a statement, with their spans.
#[derive(Default)]
struct Facts {
    tables: Vec<(String, SqlSpan)>,
    columns: Vec<(ColumnRef, SqlSpan)>,
    literals: Vec<(String, SqlSpan)>,
    functions: Vec<(String, SqlSpan)>,
}

impl Facts {
    fn of(query: &Query, bound: &Bound<'_>) -> Self {
        let mut facts = Self::default();
        for block in &bound.blocks {
            for source in &block.sources {
                if let Some(table) = source.table {
                    facts.tables.push((table.key(), source.span));
                }
            }
            // USING and NATURAL use columns that are written only once or not at all.
            for equal in &block.equalities {
                for place in [equal.left, equal.right] {
                    if let (Some(origin), Some(source)) =
                        (bound.origin(place), bound.source(place.block, place.source))
                    {
                        let column = ColumnRef::new(origin.table.key(), &origin.column.name);
                        facts.columns.push((column, source.span));
                    }
                }
            }
        }
        for used in &bound.uses {
            if let Meaning::Column(place) = used.meaning
                && let Some(origin) = bound.origin(place)
            {
                let column = ColumnRef::new(origin.table.key(), &origin.column.name);
                facts.columns.push((column, used.name.span));
            }
        }
        for call in &bound.calls {
            facts.functions.push((call.call.name.clone(), call.call.span));
        }
        facts.query(query);
        facts
    }

    fn query(&mut self, query: &Query) {
        query.with.iter().for_each(|cte| self.query(&cte.query));
        match &query.body {
            Body::Select(select) => {
                for item in &select.items {
                    if let SelectItem::Expr { expr, .. } = item {
                        self.expression(expr);
                    }
                }
                for item in &select.from {
                    self.source(&item.source);
                    for join in &item.joins {
                        self.source(&join.source);
                        if let crate::tree::JoinCondition::On(on) = &join.condition {
                            self.expression(on);
                        }
                    }
                }
                let clauses = select.distinct_on.iter().chain(&select.filter);
                let clauses = clauses.chain(&select.group_by).chain(&select.having);
                clauses.for_each(|expr| self.expression(expr));
            }
            Body::SetOperation { left, right, .. } => {
                self.query(left);
                self.query(right);
            }
            Body::Values(rows) => rows.iter().flatten().for_each(|expr| self.expression(expr)),
            // Statements with foreign nodes are rejected by the guard, so they implement no decisions.
            Body::Foreign(_) | Body::Spelled(_) => {}
        }
        query.order_by.iter().for_each(|item| self.expression(&item.expr));
        query.limit.iter().chain(&query.offset).for_each(|expr| self.expression(expr));
    }

    fn source(&mut self, source: &Source) {
        match source {
            Source::Derived { query, .. } => self.query(query),
            Source::Function { call, .. } => {
                crate::walk::arguments(call).for_each(|expr| self.expression(expr));
            }
            Source::Foreign(_) | Source::Table { .. } => {}
        }
    }

    fn expression(&mut self, expr: &Expr) {
        let mut queries = Vec::new();
        walk(expr, &mut |part| {
            match part {
                Expr::Literal(literal, place) => {
                    let Some(text) = literal.text() else { return };
                    self.literals.push((text.to_owned(), place.0));
                }
                Expr::Extract { field, operand } => {
                    let span = crate::place::leaves(operand).unwrap_or_default();
                    self.functions.push((format!("extract {field}"), span));
                }
                _ => {}
            }
            queries.extend(inner_query(part));
        });
        for query in queries {
            self.query(query);
        }
    }

    fn find(&self, decision: &Decision, steps: &[Step]) -> Kept {
        let mut spans = Vec::new();
        let mut is_kept = true;
        let mut need = |found: Vec<SqlSpan>| {
            is_kept &= !found.is_empty();
            spans.extend(found);
        };
        for table in &decision.tables {
            need(places(&self.tables, |it| it == table));
        }
        for column in &decision.columns {
            need(places(&self.columns, |it| it == column));
        }
        for any in &decision.literals {
            need(places(&self.literals, |it| any.iter().any(|text| says(it, text))));
        }
        for function in &decision.functions {
            need(places(&self.functions, |it| it == function));
        }
        if !is_kept {
            return Kept { phrase: decision.phrase.clone(), ..Kept::default() };
        }
        spans.sort_by_key(|span| (span.start, span.end));
        spans.dedup();
        let holds = |step: &Step| spans.iter().any(|span| reaches(step, *span));
        let steps = (0..).zip(steps).filter(|(_, step)| holds(step)).map(|(at, _)| at).collect();
        Kept { phrase: decision.phrase.clone(), is_kept, steps, spans }
    }
}

/// Whether a span is inside that of a step or of one of its inner steps.
fn reaches(step: &Step, span: SqlSpan) -> bool {
    step.span.start <= span.start && span.end <= step.span.end && span.end > span.start
        || step.inner.iter().any(|inner| reaches(inner, span))
}

fn places<T>(list: &[(T, SqlSpan)], fits: impl Fn(&T) -> bool) -> Vec<SqlSpan> {
    list.iter().filter(|(it, _)| fits(it)).map(|(_, span)| *span).collect()
}

/// Whether a literal expresses a value: as equal text, as a substring, or as the same number.
fn says(literal: &str, text: &str) -> bool {
    literal == text
        || text.len() > 2 && literal.contains(text)
        || matches!((literal.parse::<f64>(), text.parse::<f64>()),
            (Ok(one), Ok(other)) if (one - other).abs() < 1e-9)
}
