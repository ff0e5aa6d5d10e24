//! Steps for a SELECT: FROM, joins, WHERE, GROUP BY, HAVING and output.

use std::collections::BTreeSet;

use super::join::address;
use super::names::Teller;
use super::place::joined;
use super::query::{plain, span_of};
use super::step::{Step, StepKind};
use crate::tree::{Expr, Literal, Query, Select, Source, SqlSpan};
use crate::walk::conjuncts;
use wherefore_english::{and_list, name_words, with_article};

impl Teller<'_> {
    pub(super) fn select(
        &self,
        select: &Select,
        query: &Query,
        block: usize,
        steps: &mut Vec<Step>,
    ) {
        let sources: Vec<&Source> = select
            .from
            .iter()
            .flat_map(|item| {
                std::iter::once(&item.source).chain(item.joins.iter().map(|it| &it.source))
            })
            .collect();
        for (at, source) in sources.iter().enumerate() {
            if let Source::Derived { query, alias, .. } = source {
                let inner = self.query(query);
                let text = match alias {
                    Some(alias) => format!("build a list called “{}”", name_words(&alias.name)),
                    None => "build a list".to_owned(),
                };
                let clause = alias.as_ref().map_or_else(
                    || "the list".to_owned(),
                    |it| format!("“{}”", name_words(&it.name)),
                );
                let span = joined(self.source_span(block, at), span_of(&inner));
                steps.push(Step { kind: StepKind::List, text, clause, span, inner });
            }
        }
        let mut said = BTreeSet::new();
        for (at, source) in sources.iter().enumerate() {
            if at == 0 {
                steps.push(self.step(StepKind::Read, self.source_span(block, 0), || {
                    let rows = self.rows_taken(source, block);
                    (format!("read the {rows}"), rows)
                }));
            } else if self.sources(block).len() > at {
                steps.push(self.join(block, at, &mut said));
            }
        }
        self.kept_rows(select, block, &said, steps);
        let aggregates = self.bound.blocks.get(block).is_some_and(|block| block.aggregates);
        if !select.group_by.is_empty() {
            let span = self.places.of_all(&select.group_by);
            steps.push(self.step(StepKind::Group, span, || {
                let (short, long) = self.grouping(select, block);
                (format!("make one row for each {short}"), format!("for each {long}"))
            }));
        }
        let shown = self.items(select, block, aggregates, steps);
        if let Some(having) = &select.having {
            let parts: Vec<&Expr> = conjuncts(having).iter().collect();
            self.parts(&parts, block, &mut |part| {
                let mut span = SqlSpan::default();
                let mut step = self.step(StepKind::KeepGroups, span, || {
                    let part = part();
                    span = part.span;
                    let clause = part.said.clause;
                    (format!("keep only groups where {clause}"), format!("where {clause}"))
                });
                step.span = span;
                steps.push(step);
            });
        }
        if select.distinct && select.distinct_on.is_empty() {
            let mut merged = plain(StepKind::Merge, "remove duplicate rows", SqlSpan::default());
            "without duplicate rows".clone_into(&mut merged.clause);
            steps.push(merged);
        }
        self.ordered(&query.order_by, steps, &|item| {
            let key = match self.item_of(&item.expr, self.bound.blocks[block].select) {
                Some((_, Some(alias))) => name_words(&alias.name),
                Some((expr, None)) => self.noun(expr, block),
                None => self.noun(&item.expr, block),
            };
            let meant = self
                .item_of(&item.expr, self.bound.blocks[block].select)
                .map_or(&item.expr, |(expr, _)| expr);
            format!("{key}, {}", self.direction(item, self.kind(meant), self.is_period(meant)))
        });
        if !select.distinct_on.is_empty() {
            let span = self.places.of_all(&select.distinct_on);
            steps.push(self.step(StepKind::Merge, span, || {
                let keys: Vec<&Expr> = select.distinct_on.iter().collect();
                let groups: Vec<String> =
                    self.groups(&keys, block).into_iter().map(|(_, words)| words).collect();
                let groups = and_list(&groups);
                (
                    format!("keep only the first row for each {groups}"),
                    format!("only the first for each {groups}"),
                )
            }));
        }
        self.cut(query, steps);
        steps.extend(shown);
    }

    fn rows_taken(&self, source: &Source, block: usize) -> String {
        let Source::Function { call, .. } = source else { return self.called(block, 0).rows };
        let list: Vec<&Expr> = crate::walk::arguments(call).collect();
        let values =
            |list: &[&Expr]| list.iter().map(|it| self.noun(it, block)).collect::<Vec<_>>();
        match (call.name.as_str(), list.as_slice()) {
            ("generate_series", [first, last]) => {
                let words = values(&[first, last]);
                format!("numbers from {} up to and including {}", words[0], words[1])
            }
            ("generate_series", [first, last, Expr::Literal(Literal::Interval(step), _)]) => {
                let words = values(&[first, last]);
                let step = super::moment::span_words(step).unwrap_or_else(|| step.clone());
                format!("dates from {} up to and including {}, {step} apart", words[0], words[1])
            }
            _ => format!("rows of `{}`", call.name),
        }
    }

    fn kept_rows(
        &self,
        select: &Select,
        block: usize,
        said: &BTreeSet<usize>,
        steps: &mut Vec<Step>,
    ) {
        let Some(filter) = &select.filter else { return };
        let mut flat = Vec::new();
        flatten(filter, &mut flat);
        flat.retain(|part| !said.contains(&address(part)));
        let is_only = self.sources(block).len() < 2;
        self.parts(&flat, block, &mut |part| {
            let mut span = SqlSpan::default();
            let mut step = self.step(StepKind::Keep, span, || {
                let mut part = part();
                span = part.span;
                let in_brackets = part.said.clause.clone();
                if let Some(inner) =
                    part.said.clause.strip_prefix('(').and_then(|it| it.strip_suffix(')'))
                    && part.said.attach.is_none()
                    && !inner.contains(['(', ')'])
                {
                    part.said.clause = inner.to_owned();
                }
                let source = part.source.and_then(|at| self.sources(block).get(at).zip(Some(at)));
                let rows = match source {
                    Some((source, at)) if source.is_nullable && !is_only => {
                        if part.said.clause.starts_with("there is ") {
                            let first = &self.sources(block)[0];
                            if first.is_nullable {
                                "rows".to_owned()
                            } else {
                                self.called(block, 0).rows
                            }
                        } else {
                            format!("rows with {}", with_article(&self.called(block, at).row))
                        }
                    }
                    Some((_, at)) => self.called(block, at).rows,
                    None => self.subject(block).rows,
                };
                let after = part.said.after_rows();
                let clause = match (&part.said.attach, flat.len()) {
                    (Some(_), _) if is_only => after.clone(),
                    (_, 1) => format!("where {}", part.said.clause),
                    _ => format!("where {in_brackets}"),
                };
                (format!("keep only {rows} {after}"), clause)
            });
            step.span = span;
            steps.push(step);
        });
    }
}

fn flatten<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::And(list) => list.iter().for_each(|part| flatten(part, parts)),
        other => parts.push(other),
    }
}
