//! Cast types that the tree cannot represent, printed as written.

use sqlparser::ast;

use crate::diagnostic::Diagnostic;
use crate::foreign::Part;
use crate::tree::Expr;

use super::super::{Converted, Reader};
use super::token::TYPED;

impl Reader<'_> {
    /// `CAST(operand AS type)` with a type that the tree cannot represent.
    pub(in super::super) fn foreign_cast(
        &self,
        operand: Expr,
        data_type: &ast::DataType,
        fault: Diagnostic,
    ) -> Converted<Expr> {
        let kept = self.keep(fault.clone())?;
        let mut parts = vec![Part::Text("CAST("), Part::Expr(operand), Part::Text(" AS ")];
        parts.extend(type_parts(data_type).ok_or(fault)?);
        parts.push(Part::Text(")"));
        Ok(kept.expr(parts))
    }
}

/// Parts of a type name; `None` if PostgreSQL has no such type.
pub(super) fn type_parts(data_type: &ast::DataType) -> Option<Vec<Part>> {
    match data_type {
        ast::DataType::Array(element) => {
            let (ast::ArrayElemTypeDef::SquareBracket(inner, length)
            | ast::ArrayElemTypeDef::Qualified(inner, length)) = element
            else {
                return None;
            };
            let mut parts = type_parts(inner)?;
            parts.push(Part::Text("["));
            parts.extend(length.map(|length| Part::Number(length.to_string())));
            parts.push(Part::Text("]"));
            Some(parts)
        }
        ast::DataType::Custom(name, arguments) => {
            let mut parts = Vec::new();
            for part in &name.0 {
                let ast::ObjectNamePart::Identifier(ident) = part else { return None };
                if !parts.is_empty() {
                    parts.push(Part::Text("."));
                }
                parts.push(match ident.quote_style {
                    Some(_) => Part::Quoted(ident.value.trim_start_matches(TYPED).to_owned()),
                    None => Part::Word(ident.value.trim_start_matches(TYPED).to_owned()),
                });
            }
            if !arguments.is_empty() {
                let arguments = arguments
                    .iter()
                    .flat_map(|argument| [Part::Text(", ")].into_iter().chain(words(argument)));
                parts.push(Part::Text("("));
                parts.extend(arguments.skip(1));
                parts.push(Part::Text(")"));
            }
            Some(parts)
        }
        other => Some(words(&other.to_string())),
    }
}

/// Splits a text into words, numbers and punctuation.
fn words(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_inner = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_inner(first) {
            rest.find(|c| !is_inner(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        parts.push(match first {
            ' ' => Part::Text(" "),
            '0'..='9' => Part::Number(token.to_owned()),
            _ if is_inner(first) => Part::Word(token.to_owned()),
            _ => Part::Symbol(token.to_owned()),
        });
        rest = after;
    }
    parts
}
