//! Phrases for subqueries in conditions and values.

use super::names::Teller;
use super::said::{Said, tail};
use super::step::{Step, StepKind};
use crate::bind::ColumnPlace;
use crate::tree::{BinaryOperator, Body, Expr, Literal, Query, Select, SelectItem};
use crate::walk::conjuncts;
use wherefore_english::{plural, possessive};

/// A subquery over one source that can be described in one phrase.
struct Simple<'q> {
    select: &'q Select,
    block: usize,
}

/// How the rows of a subquery relate to a row of the outer query.
enum Tie {
    /// Inner rows reference the outer row by a foreign key; holds the key column of the outer source.
    Own(ColumnPlace),
    /// The inner rows do not reference the outer row.
    None,
}

impl Teller<'_> {
    /// EXISTS and NOT EXISTS.
    pub(super) fn exists(&self, query: &Query, negated: bool) -> Said {
        let Some(simple) = self.simple(query, false) else {
            let mut list = self.list_of(query);
            // The output of an EXISTS subquery does not matter.
            if list.inner.len() > 1 {
                list.inner.retain(|step| step.kind != StepKind::Show);
            }
            self.put_inside(list);
            return Said {
                attach: Some(if negated {
                    "for which the subquery returns no rows".to_owned()
                } else {
                    "for which the subquery returns at least one row".to_owned()
                }),
                clause: format!(
                    "the subquery {}",
                    if negated { "returns no rows" } else { "returns at least one row" }
                ),
            };
        };
        let (tie, conditions) = self.tied(&simple);
        let inner = self.called(simple.block, 0);
        let after = tail(&conditions);
        let after = if after.is_empty() { after } else { format!(" {after}") };
        match tie {
            Tie::Own(outer) => self.having_rows(outer, &inner.row, &inner.rows, &after, negated),
            Tie::None => {
                let what = if negated {
                    format!("there are no {}{after}", inner.rows)
                } else {
                    format!("there is at least one {}{after}", inner.row)
                };
                Said { attach: Some(format!("for which {what}")), clause: what }
            }
        }
    }

    fn having_rows(
        &self,
        outer: ColumnPlace,
        row: &str,
        rows: &str,
        after: &str,
        negated: bool,
    ) -> Said {
        let whose = self.called(outer.block, outer.source).row;
        if negated {
            Said {
                attach: Some(format!("that have no {rows}{after}")),
                clause: format!("the {whose} has no {rows}{after}"),
            }
        } else {
            Said {
                attach: Some(format!("that have at least one {row}{after}")),
                clause: format!("the {whose} has at least one {row}{after}"),
            }
        }
    }

    /// IN and NOT IN with a subquery.
    pub(super) fn in_query(
        &self,
        operand: &Expr,
        query: &Query,
        negated: bool,
        block: usize,
    ) -> Said {
        let not = if negated { "not " } else { "" };
        let Some(simple) = self.simple(query, false) else {
            let words = self.noun(operand, block);
            self.put_inside(self.list_of(query));
            return Said {
                attach: Some(format!("whose {words} is {not}in the result of the subquery")),
                clause: format!("{words} is {not}in the result of the subquery"),
            };
        };
        let [SelectItem::Expr { expr: shown, .. }] = simple.select.items.as_slice() else {
            let words = self.noun(operand, block);
            self.put_inside(self.list_of(query));
            let clause = format!("{words} are {not}together in the result of the subquery");
            return Said { attach: None, clause };
        };
        let conditions = self.filtered(&simple, &mut |_| false);
        let after = tail(&conditions);
        let after = if after.is_empty() { after } else { format!(" {after}") };
        let inner = self.called(simple.block, 0);
        let places = self.bound.column_of(operand).zip(self.bound.column_of(shown));
        if let Some((outside, inside)) = places {
            if self.points_to(inside, outside) {
                return self.having_rows(outside, &inner.row, &inner.rows, &after, negated);
            }
            if self.points_to(outside, inside) {
                let row = self.called(outside.block, outside.source).row;
                return Said {
                    attach: Some(format!("{not}of {}{after}", inner.rows)),
                    clause: format!("the {row} is {not}of {}{after}", inner.rows),
                };
            }
        }
        let words = self.noun(operand, block);
        let values = match places {
            Some((_, inside)) => plural(&self.bare_column(inside)),
            None => format!("values of {}", self.noun(shown, simple.block)),
        };
        let all = if after.is_empty() { "all " } else { "" };
        let clause = format!("{words} is {not}among the {values} of {all}{}{after}", inner.rows);
        Said { attach: Some(format!("whose {clause}")), clause }
    }

    /// A scalar subquery.
    pub(super) fn value_of(&self, query: &Query) -> String {
        let found =
            self.simple(query, true).and_then(|simple| match simple.select.items.as_slice() {
                [SelectItem::Expr { expr, .. }] => Some((simple.block, simple.select, expr)),
                _ => None,
            });
        let Some((block, select, shown)) = found else {
            self.put_inside(self.list_of(query));
            return "the value of the subquery".to_owned();
        };
        let simple = Simple { select, block };
        let is_figure = self.bound.blocks.get(block).is_some_and(|block| block.aggregates);
        let (tie, conditions) = self.tied(&simple);
        let inner = self.called(block, 0);
        let after = tail(&conditions);
        let rows = match tie {
            Tie::Own(outer) => {
                let whose = possessive(&self.called(outer.block, outer.source).row);
                format!("the {whose} {}", inner.rows)
            }
            Tie::None if after.is_empty() => format!("all {}", inner.rows),
            Tie::None => inner.rows.clone(),
        };
        let rows = if after.is_empty() { rows } else { format!("{rows} {after}") };
        let figure = self.noun(shown, block);
        if !is_figure {
            return match query.order_by.as_slice() {
                [] => format!("{figure} of {rows}"),
                items => format!("{figure} of the first of {rows} by {}", self.order(items, block)),
            };
        }
        if figure == format!("number of {}", inner.rows) {
            return format!("number of {rows}");
        }
        format!("the {figure} of {rows}")
    }

    /// The steps of a subquery as one step.
    pub(super) fn list_of(&self, query: &Query) -> Step {
        let inner = self.query(query);
        let span = super::query::span_of(&inner);
        let text = "run the subquery".to_owned();
        Step { kind: StepKind::List, clause: text.clone(), text, span, inner }
    }

    /// A subquery over one source with nothing but a filter; as a scalar, also one with an order and LIMIT 1.
    fn simple<'q>(&self, query: &'q Query, is_value: bool) -> Option<Simple<'q>> {
        let Body::Select(select) = &query.body else { return None };
        let [from] = select.from.as_slice() else { return None };
        let is_first =
            |limit: &Expr| matches!(limit, Expr::Literal(Literal::Number(text), _) if text == "1");
        let is_cut = match &query.limit {
            None => false,
            Some(limit) => !(is_value && is_first(limit) && !query.order_by.is_empty()),
        };
        let is_table = matches!(from.source, crate::tree::Source::Table { .. });
        let is_plain = query.with.is_empty()
            && !is_cut
            && query.offset.is_none()
            && from.joins.is_empty()
            && is_table
            && select.group_by.is_empty()
            && select.having.is_none()
            && select.distinct_on.is_empty();
        let block = self.block_of(select)?;
        is_plain.then_some(Simple { select, block })
    }

    /// How the subquery's rows relate to the outer row, and its other conditions.
    fn tied(&self, simple: &Simple<'_>) -> (Tie, Vec<Said>) {
        let mut tie = Tie::None;
        let conditions = self.filtered(simple, &mut |part| {
            let found = match tie {
                Tie::None => self.outer_key(part, simple.block),
                Tie::Own(_) => None,
            };
            let is_tie = found.is_some();
            if let Some(place) = found {
                tie = Tie::Own(place);
            }
            is_tie
        });
        (tie, conditions)
    }

    /// Conditions of a subquery, without those that `leave` selects.
    fn filtered(&self, simple: &Simple<'_>, leave: &mut dyn FnMut(&Expr) -> bool) -> Vec<Said> {
        let parts: Vec<&Expr> = simple.select.filter.iter().flat_map(conjuncts).collect();
        let parts: Vec<&Expr> = parts.into_iter().filter(|part| !leave(part)).collect();
        let mut said = Vec::new();
        self.parts(&parts, simple.block, &mut |part| said.push(part().said));
        said
    }

    /// The key of an outer source that an inner foreign key column is compared with.
    fn outer_key(&self, part: &Expr, block: usize) -> Option<ColumnPlace> {
        let Expr::Binary { operator: BinaryOperator::Equal, left, right } = part else {
            return None;
        };
        let (left, right) = (self.bound.column_of(left)?, self.bound.column_of(right)?);
        let (inside, outside) = match (left.block == block, right.block == block) {
            (true, false) => (left, right),
            (false, true) => (right, left),
            _ => return None,
        };
        (self.points_to(inside, outside)).then_some(outside)
    }

    /// Whether a column is a foreign key to another source's key.
    fn points_to(&self, from: ColumnPlace, to: ColumnPlace) -> bool {
        if !self.is_key(to) || self.is_key(from) {
            return false;
        }
        match (self.bound.origin(from), self.bound.origin(to)) {
            (Some(from), Some(to)) => {
                let (one, other) = (from.table.key(), to.table.key());
                self.catalog.foreign_keys.iter().any(|key| {
                    key.from_table == one
                        && key.to_table == other
                        && key.from_columns == [from.column.name.as_str()]
                        && key.to_columns == [to.column.name.as_str()]
                })
            }
            _ => false,
        }
    }
}
