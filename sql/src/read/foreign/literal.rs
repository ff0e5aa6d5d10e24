//! Literals that the tree cannot represent.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::foreign::{Part, Spelling};
use crate::tree::{Expr, SqlSpan};

use super::super::{Converted, Reader, unsupported};

impl Reader<'_> {
    /// A string-like literal that the tree cannot represent, with its prefix.
    pub(in super::super) fn foreign_literal(
        &self,
        prefix: &'static str,
        text: String,
        place: SqlSpan,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("this kind of literal", place))?;
        Ok(kept.expr(vec![Part::Text(prefix), Part::String(text)]))
    }

    /// A number in a notation other than decimal digits, point and exponent.
    pub(in super::super) fn foreign_number(&self, text: String, place: SqlSpan) -> Converted<Expr> {
        let kept = self.keep(unsupported("this number format", place))?;
        Ok(kept.expr(vec![Part::Number(text)]))
    }

    /// A hexadecimal literal: the parser does not distinguish `0x1F` from `X'1F'`, so the source text decides.
    pub(in super::super) fn foreign_hex(&self, text: String, place: SqlSpan) -> Converted<Expr> {
        if self.lines.starts_with(place, '0') {
            self.foreign_number(format!("0x{text}"), place)
        } else {
            self.foreign_literal("X", text, place)
        }
    }

    /// A string with Unicode escapes, which the parser has already decoded.
    pub(in super::super) fn foreign_unicode(
        &self,
        text: String,
        place: SqlSpan,
    ) -> Converted<Expr> {
        let message = "strings with Unicode escapes are not allowed";
        let kept = self.keep(Diagnostic::new(Code::Lexical, message, place))?;
        Ok(kept.expr(vec![Part::String(text)]))
    }

    /// An interval in its original syntax; it is foreign if the tree cannot represent it.
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
        let fault = unsupported("an interval with several fields", SqlSpan::default());
        Ok(self.keep(fault)?.expr(parts))
    }
}
