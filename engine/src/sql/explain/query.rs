//! Queries as steps, in the order in which they are worked out.

use std::collections::BTreeSet;

use super::join::address;
use super::names::Teller;
use super::noun::{join_and, with_article, words_of};
use super::place::joined;
use super::step::{Step, StepKind};
use crate::sql::tree::{
    Body, Cte, Expr, Literal, OrderItem, Query, Select, SelectItem, SetOperator, Source, SqlSpan,
};
use crate::sql::walk::{conjuncts, walk};

/// Columns that are named; of more, only the first.
const NAMED_COLUMNS: usize = 16;

impl Teller<'_> {
    /// Steps of a whole statement: at least one.
    pub(super) fn statement(&self, query: &Query) -> Vec<Step> {
        let mut steps = self.query(query);
        if steps.is_empty() {
            let text = "give back what is written".to_owned();
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
                    steps.push(plain(StepKind::Show, "show what is written", SqlSpan::default()));
                }
            },
            Body::SetOperation { operator, all, left, right } => {
                steps.push(self.combined(*operator, *all, left, right));
                self.rows_in_order(query, &mut steps);
            }
            Body::Values(rows) => {
                let span = self.places.of_all(rows.iter().flatten());
                let text =
                    format!("take {} written out in the statement", count(rows.len(), "row"));
                let clause = format!("{} written out", count(rows.len(), "row"));
                steps.push(Step { kind: StepKind::Read, text, clause, span, inner: Vec::new() });
                self.rows_in_order(query, &mut steps);
            }
            Body::Foreign(_) | Body::Spelled(_) => {
                steps.push(plain(StepKind::Show, "show what is written", SqlSpan::default()));
            }
        }
        steps
    }

    fn common(&self, cte: &Cte, recursive: bool) -> Step {
        let name = words_of(&cte.name.name);
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
            text: format!("work out a list, called “{name}”"),
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

    fn combined(&self, operator: SetOperator, all: bool, left: &Query, right: &Query) -> Step {
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
            (SetOperator::Union, true) => "put the lists below each other",
            (SetOperator::Union, false) => {
                "put the lists below each other, each different row once"
            }
            (SetOperator::Intersect, true) => "keep only rows that are in every list",
            (SetOperator::Intersect, false) => "keep only rows that are in every list, each once",
            (SetOperator::Except, true) => {
                "take from the first list one row for each such row of the others"
            }
            (SetOperator::Except, false) => {
                "keep only rows of the first list that are not in the others, each once"
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

    fn select(&self, select: &Select, query: &Query, block: usize, steps: &mut Vec<Step>) {
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
                    Some(alias) => format!("work out a list, called “{}”", words_of(&alias.name)),
                    None => "work out a list".to_owned(),
                };
                let clause = alias.as_ref().map_or_else(
                    || "the list".to_owned(),
                    |it| format!("“{}”", words_of(&it.name)),
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
                    (format!("take the {rows}"), rows)
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
            steps.push(plain(
                StepKind::Merge,
                "keep each different row only once",
                SqlSpan::default(),
            ));
        }
        self.ordered(&query.order_by, steps, &|item| {
            let key = match self.item_of(&item.expr, self.bound.blocks[block].select) {
                Some((_, Some(alias))) => words_of(&alias.name),
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
                let groups = join_and(&groups);
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
        let list: Vec<&Expr> = crate::sql::walk::arguments(call).collect();
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

    /// Steps that work values out, and the step that shows them.
    fn items(
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
                    let called = alias.as_ref().map(|alias| words_of(&alias.name));
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
                    let left: Vec<String> = except.iter().map(|it| words_of(&it.name)).collect();
                    names.push(format!("all columns but {}", join_and(&left)));
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
        let text = format!("show {}", join_and(&few(names)));
        Some(Step { kind: StepKind::Show, text, clause: join_and(&few(nouns)), span, inner: aside })
    }

    fn has_aggregate(&self, expr: &Expr) -> bool {
        let mut found = false;
        walk(expr, &mut |part| {
            if let Expr::Function(call) = part {
                found |= call.over.is_none() && crate::sql::guard::is_aggregate(call, self.dialect);
            }
        });
        found
    }

    /// Whether an output column is what the rows are grouped by.
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

    fn ordered(
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

    /// ORDER BY and LIMIT of a set operation: columns of the result by name or place.
    fn rows_in_order(&self, query: &Query, steps: &mut Vec<Step>) {
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
                Some(output) => (words_of(&output.name), output.kind),
                None => (self.written(&item.expr), None),
            };
            format!("{key}, {}", self.direction(item, kind, false))
        });
        self.cut(query, steps);
    }

    fn cut(&self, query: &Query, steps: &mut Vec<Step>) {
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
            (None, Some(skipped)) => format!("leave out the first {skipped} rows"),
            (Some(limit), Some(skipped)) => {
                format!("leave out the first {skipped} rows, then keep only the next {limit}")
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

/// Range of all steps.
pub(super) fn span_of(steps: &[Step]) -> SqlSpan {
    steps.iter().map(|step| step.span).fold(SqlSpan::default(), joined)
}

fn worked_out(noun: &str, called: Option<&str>) -> String {
    let named = match called {
        Some(called) if is_long(noun) => return format!("work out “{called}”: {noun}"),
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
        _ => format!("work out {noun}{named}"),
    }
}

/// Whether words are too many to be said without a name for them.
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

/// Whether a query reads a table of this name directly.
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

fn flatten<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::And(list) => list.iter().for_each(|part| flatten(part, parts)),
        other => parts.push(other),
    }
}

fn few(mut names: Vec<String>) -> Vec<String> {
    if names.len() > NAMED_COLUMNS {
        let more = names.len() - NAMED_COLUMNS;
        names.truncate(NAMED_COLUMNS);
        names.push(format!("{more} more"));
    }
    names
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

fn plain(kind: StepKind, text: &str, span: SqlSpan) -> Step {
    Step { kind, text: text.to_owned(), clause: text.to_owned(), span, inner: Vec::new() }
}
