//! The input of rules: text, tokens, resolved names and the expected result shape.

use super::{Asked, Edit, Fix};
use crate::Dialect;
use crate::bind::{Block, Bound, Clause, ColumnPlace, Joined, Source};
use crate::place::leaves;
use crate::print::print_name;
use crate::tree::{Expr, Identifier, SelectItem, SqlSpan};
use wherefore_catalog::{Catalog, ForeignKey, Table};

/// A statement, as rules see it.
pub(crate) struct Statement<'a> {
    pub(crate) text: &'a str,
    /// Spans of the tokens, without white space and comments.
    pub(crate) tokens: &'a [SqlSpan],
    pub(crate) bound: &'a Bound<'a>,
    pub(crate) catalog: &'a Catalog,
    pub(crate) dialect: Dialect,
    /// The expected shape of the result, if known.
    pub(crate) asked: Option<&'a Asked>,
}

impl<'a> Statement<'a> {
    /// SELECTs with their indices.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (usize, &'a Block<'a>)> {
        self.bound.blocks.iter().enumerate()
    }

    /// Visits the ON, WHERE and HAVING conditions of every SELECT.
    pub(crate) fn each_condition(&self, visit: &mut dyn FnMut(Clause, &'a Expr)) {
        for block in &self.bound.blocks {
            for source in &block.sources {
                if let Joined::Join(_, Some(on)) = source.join {
                    visit(Clause::On, on);
                }
            }
            block.select.filter.iter().for_each(|filter| visit(Clause::Where, filter));
            block.select.having.iter().for_each(|having| visit(Clause::Having, having));
        }
    }

    /// Visits every top-level expression of every clause.
    pub(crate) fn each_expression(&self, visit: &mut dyn FnMut(Clause, &'a Expr)) {
        self.each_condition(visit);
        for block in &self.bound.blocks {
            for item in &block.select.items {
                if let SelectItem::Expr { expr, .. } = item {
                    visit(Clause::Select, expr);
                }
            }
            block.select.group_by.iter().for_each(|expr| visit(Clause::Group, expr));
            block.query.order_by.iter().for_each(|item| visit(Clause::Order, &item.expr));
            let rows = block.query.limit.iter().chain(&block.query.offset);
            rows.for_each(|expr| visit(Clause::Limit, expr));
        }
    }

    /// Text of a span.
    pub(crate) fn text_of(&self, span: SqlSpan) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Index in `tokens` of the token that contains a byte, or of the next one.
    pub(crate) fn token_at(&self, byte: u32) -> usize {
        self.tokens.partition_point(|token| token.end <= byte)
    }

    /// Text of a token.
    pub(crate) fn token(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |span| self.text_of(*span))
    }

    /// Whether a token is this word, ignoring case.
    pub(crate) fn is_word(&self, at: usize, word: &str) -> bool {
        self.token(at).eq_ignore_ascii_case(word)
    }

    /// Span of an expression: its leaves, extended to balance parentheses.
    pub(crate) fn extent(&self, expr: &Expr) -> SqlSpan {
        let Some(span) = leaves(expr) else { return SqlSpan::default() };
        let (mut first, mut last) =
            (self.token_at(span.start), self.token_at(span.end.saturating_sub(1)));
        // The name of a call can be its last leaf, as in `count(*)` and `now()`.
        if self.token(last + 1) == "(" && self.is_call_name(last, expr) {
            last = self.closing(last + 1);
        }
        loop {
            let (open, closed) = self.balance(first, last);
            if open == 0 && closed == 0 {
                break;
            }
            let (was_first, was_last) = (first, last);
            if open > 0 {
                last = (last + 1).min(self.tokens.len().saturating_sub(1));
            }
            if closed > 0 {
                first = first.saturating_sub(1);
            }
            if (first, last) == (was_first, was_last) {
                break;
            }
        }
        if self.token(first) == "(" && first > 0 && has_own_syntax(self.token(first - 1)) {
            first -= 1;
        }
        if matches!(expr, Expr::Case { .. }) {
            while first > 0 && !self.is_word(first, "case") {
                first -= 1;
            }
            while last + 1 < self.tokens.len() && !self.is_word(last, "end") {
                last += 1;
            }
        }
        if matches!(expr, Expr::IsNull { .. }) {
            while last + 1 < self.tokens.len() && !self.is_word(last, "null") {
                last += 1;
            }
        }
        let start = self.tokens.get(first).map_or(span.start, |token| token.start);
        let end = self.tokens.get(last).map_or(span.end, |token| token.end);
        SqlSpan { start, end }
    }

    fn is_call_name(&self, token: usize, expr: &Expr) -> bool {
        let mut found = false;
        crate::walk::walk(expr, &mut |part| {
            if let Expr::Function(call) = part {
                found |= self.tokens.get(token).is_some_and(|it| it.start == call.span.start);
            }
        });
        found
    }

    /// Index of the token that closes the parenthesis at `at`.
    pub(crate) fn closing(&self, at: usize) -> usize {
        let mut depth = 0_i32;
        for token in at..self.tokens.len() {
            match self.token(token) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth <= 0 {
                return token;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    /// Numbers of unclosed and of unopened parentheses in a run of tokens.
    fn balance(&self, first: usize, last: usize) -> (usize, usize) {
        let (mut open, mut closed) = (0_usize, 0_usize);
        for at in first..=last {
            match self.token(at) {
                "(" => open += 1,
                ")" if open > 0 => open -= 1,
                ")" => closed += 1,
                _ => {}
            }
        }
        (open, closed)
    }

    /// Text of an expression.
    pub(crate) fn text_extent(&self, expr: &Expr) -> &'a str {
        self.text_of(self.extent(expr))
    }

    /// A stored name as the dialect writes it, quoted if necessary.
    pub(crate) fn written(&self, name: &str) -> String {
        print_name(name, self.dialect)
    }

    /// The name of a source as written in the statement.
    pub(crate) fn called(&self, source: &Source<'_>) -> Option<&'a str> {
        let name = source.name?;
        Some(self.text_of(name.span)).filter(|text| !text.is_empty())
    }

    /// The name of a source in backticks, or "a subquery", for messages.
    pub(crate) fn source_label(&self, source: &Source<'_>) -> String {
        self.called(source).map_or_else(|| "a subquery".to_owned(), |name| format!("`{name}`"))
    }

    /// A column name qualified by its source, as the dialect writes them.
    pub(crate) fn qualified(&self, place: ColumnPlace) -> Option<String> {
        let source = self.bound.source(place.block, place.source)?;
        let column = self.written(source.columns.name(place.column)?);
        Some(match self.called(source) {
            Some(called) => format!("{called}.{column}"),
            None => column,
        })
    }

    /// Foreign keys between two tables, in either direction.
    pub(crate) fn keys_between(
        &self,
        one: &'a Table,
        other: &'a Table,
    ) -> impl Iterator<Item = &'a ForeignKey> {
        self.catalog.foreign_keys.iter().filter(move |key| {
            one.has_key(&key.from_table) && other.has_key(&key.to_table)
                || other.has_key(&key.from_table) && one.has_key(&key.to_table)
        })
    }

    /// A fix that replaces an identifier.
    pub(crate) fn rename(&self, name: &Identifier, to: &str, is_safe: bool) -> Option<Fix> {
        let title = format!("replace `{}` with `{to}`", self.text_of(name.span));
        let edits = vec![Edit::replace(name.span, to)];
        (name.span != SqlSpan::default())
            .then(|| if is_safe { Fix::safe(title, edits) } else { Fix::offer(title, edits) })
    }
}

/// Keywords that are followed by parentheses without being function names.
fn has_own_syntax(word: &str) -> bool {
    ["cast", "extract", "substring", "trim", "position", "ceil", "floor", "exists", "array", "in"]
        .iter()
        .any(|own| word.eq_ignore_ascii_case(own))
        && !word.eq_ignore_ascii_case("in")
}
