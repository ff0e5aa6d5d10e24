//! Literals that the tree does not hold.

use sqlparser::ast;

use crate::sql::diagnostic::{Code, Diagnostic};
use crate::sql::foreign::{Part, Spelling};
use crate::sql::tree::{Expr, SqlSpan};

use super::super::{Converted, Reader, unsupported};

impl Reader<'_> {
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
