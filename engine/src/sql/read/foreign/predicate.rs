//! Predicates and special calls that the tree has no node for.

use sqlparser::ast;

use crate::sql::diagnostic::{Code, Diagnostic};
use crate::sql::foreign::{Part, Spelling};
use crate::sql::tree::{Expr, Identifier, SqlSpan};

use super::super::{Converted, Reader, unsupported};

impl Reader<'_> {
    /// `operand op ANY (…)`, also with LIKE.
    pub(in super::super) fn quantified(
        &mut self,
        operand: ast::Expr,
        mut operator: Vec<Part>,
        quantifier: &'static str,
        right: ast::Expr,
        what: &str,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported(what, SqlSpan::default()))?;
        let mut parts = vec![Part::Operand(self.expr(operand)?), Part::Text(" ")];
        parts.append(&mut operator);
        parts.push(Part::Text(quantifier));
        parts.extend(match self.expr(right)? {
            Expr::Subquery(query) => vec![Part::Text("("), Part::Query(query), Part::Text(")")],
            other => vec![Part::Text("("), Part::Expr(other), Part::Text(")")],
        });
        Ok(kept.operator(parts))
    }

    /// `= ANY (…)` and `<> ALL (…)` of an expression that makes an array.
    pub(in super::super) fn foreign_quantifier(
        &self,
        operand: Expr,
        negated: bool,
        array: Expr,
    ) -> Converted<Expr> {
        let fault = unsupported("any and all of this expression", SqlSpan::default());
        let kept = self.keep(fault)?;
        let words = if negated { " <> ALL (" } else { " = ANY (" };
        let parts = [Part::Operand(operand), Part::Text(words), Part::Expr(array)];
        Ok(kept.operator(parts.into_iter().chain([Part::Text(")")]).collect()))
    }

    /// COLLATE with a collation of a schema.
    pub(in super::super) fn foreign_collation(
        &self,
        operand: Expr,
        names: Vec<Identifier>,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("a collation of another schema", SqlSpan::default()))?;
        let mut parts = vec![Part::Operand(operand), Part::Text(" COLLATE ")];
        parts.extend(super::dotted(names));
        Ok(kept.operator(parts))
    }

    /// `operand SIMILAR TO pattern` and its like.
    pub(in super::super) fn similar_to(
        &mut self,
        operand: ast::Expr,
        pattern: ast::Expr,
        escape: Option<Box<ast::Expr>>,
        negated: bool,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("similar to", SqlSpan::default()))?;
        let words = if negated { " NOT SIMILAR TO " } else { " SIMILAR TO " };
        let operand = self.expr(operand)?;
        let pattern = self.expr(pattern)?;
        let mut parts = vec![Part::Operand(operand), Part::Text(words), Part::Operand(pattern)];
        if let Some(escape) = escape {
            parts.extend([Part::Text(" ESCAPE "), Part::Operand(self.expr(*escape)?)]);
        }
        Ok(kept.operator(parts))
    }

    /// LIKE with an escape that is no character.
    pub(in super::super) fn like_with_escape(
        &mut self,
        operand: Expr,
        pattern: Expr,
        escape: Expr,
        case_insensitive: bool,
        negated: bool,
    ) -> Converted<Expr> {
        let fault = unsupported("an escape of more than one character", SqlSpan::default());
        let kept = self.keep(fault)?;
        let words = match (negated, case_insensitive) {
            (false, false) => " LIKE ",
            (false, true) => " ILIKE ",
            (true, false) => " NOT LIKE ",
            (true, true) => " NOT ILIKE ",
        };
        let escape = [Part::Text(" ESCAPE "), Part::Operand(escape)];
        let mut parts = vec![Part::Operand(operand), Part::Text(words), Part::Operand(pattern)];
        parts.extend(escape);
        Ok(kept.operator(parts))
    }

    /// What follows IS: a form of text, or a kind of JSON.
    pub(in super::super) fn is_predicate(
        &mut self,
        operand: ast::Expr,
        negated: bool,
        words: String,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("this expression", SqlSpan::default()))?;
        let mut parts = vec![Part::Operand(self.expr(operand)?)];
        parts.push(Part::Text(if negated { " IS NOT" } else { " IS" }));
        for word in words.split_whitespace() {
            parts.extend([Part::Text(" "), Part::Word(word.to_owned())]);
        }
        Ok(kept.operator(parts))
    }

    /// `OVERLAY(text PLACING new FROM start FOR length)`.
    pub(in super::super) fn overlay(
        &mut self,
        text: ast::Expr,
        new: ast::Expr,
        start: ast::Expr,
        length: Option<Box<ast::Expr>>,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("overlay", SqlSpan::default()))?;
        let mut parts = vec![Part::Text("OVERLAY("), Part::Expr(self.expr(text)?)];
        parts.extend([Part::Text(" PLACING "), Part::Expr(self.expr(new)?)]);
        parts.extend([Part::Text(" FROM "), Part::Expr(self.expr(start)?)]);
        if let Some(length) = length {
            parts.extend([Part::Text(" FOR "), Part::Expr(self.expr(*length)?)]);
        }
        parts.push(Part::Text(")"));
        Ok(kept.expr(parts))
    }

    /// A literal of a kind that the tree does not hold, as it stands after `prefix`.
    pub(in super::super) fn foreign_literal(
        &self,
        prefix: &'static str,
        text: String,
        place: SqlSpan,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("this kind of literal", place))?;
        Ok(kept.expr(vec![Part::Text(prefix), Part::String(text)]))
    }

    /// A number that is not written in digits, a point and an exponent.
    pub(in super::super) fn foreign_number(&self, text: String, place: SqlSpan) -> Converted<Expr> {
        let kept = self.keep(unsupported("this kind of number", place))?;
        Ok(kept.expr(vec![Part::Number(text)]))
    }

    /// `0x1F`, which the parser does not tell from `X'1F'`: the text does.
    pub(in super::super) fn foreign_hex(&self, text: String, place: SqlSpan) -> Converted<Expr> {
        if self.lines.starts_with(place, '0') {
            self.foreign_number(format!("0x{text}"), place)
        } else {
            self.foreign_literal("X", text, place)
        }
    }

    /// A string whose escapes the parser has undone.
    pub(in super::super) fn foreign_unicode(
        &self,
        text: String,
        place: SqlSpan,
    ) -> Converted<Expr> {
        let message = "a string with unicode escapes";
        let kept = self.keep(Diagnostic::new(Code::Lexical, message, place))?;
        Ok(kept.expr(vec![Part::String(text)]))
    }

    /// An interval in words of its own; those that the tree cannot say are foreign.
    pub(in super::super) fn interval_of_fields(
        &self,
        interval: &ast::Interval,
        meaning: Option<Expr>,
        count: String,
    ) -> Converted<Expr> {
        let mut parts = vec![Part::Text("INTERVAL "), Part::String(count)];
        if let Some(first) = &interval.leading_field {
            parts.extend([Part::Text(" "), Part::Word(first.to_string())]);
        }
        if let Some(last) = &interval.last_field {
            parts.extend([Part::Text(" TO "), Part::Word(last.to_string())]);
        }
        let precision = interval.fractional_seconds_precision.or(interval.leading_precision);
        if let Some(precision) = precision {
            let number = Part::Number(precision.to_string());
            parts.extend([Part::Text("("), number, Part::Text(")")]);
        }
        if let Some(meaning) = meaning {
            return Ok(self.spelled(meaning, Spelling::Leaf(parts)));
        }
        let fault = unsupported("an interval of several fields", SqlSpan::default());
        Ok(self.keep(fault)?.expr(parts))
    }
}
