//! Operators that the tree has no node for.

use sqlparser::ast::{self, BinaryOperator, UnaryOperator};

use crate::foreign::Part;
use crate::tree::{Expr, Identifier, SqlSpan};

use super::super::{Converted, Reader, unsupported};
use super::token::COLLATION;

impl Reader<'_> {
    /// `left op right`.
    pub(in super::super) fn foreign_operation(
        &self,
        left: Expr,
        op: &BinaryOperator,
        right: Expr,
    ) -> Converted<Expr> {
        let fault = unsupported("this operator", SqlSpan::default());
        let kept = self.keep(fault.clone())?;
        let mut parts = vec![Part::Operand(left), Part::Text(" ")];
        parts.extend(symbol(op).ok_or(fault)?);
        parts.extend([Part::Text(" "), Part::Operand(right)]);
        Ok(kept.operator(parts))
    }

    /// `op operand`.
    pub(in super::super) fn foreign_prefix(
        &self,
        op: UnaryOperator,
        operand: Expr,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("this operator", SqlSpan::default()))?;
        let symbol = op.to_string();
        Ok(kept.operator(vec![Part::Symbol(symbol), Part::Text(" "), Part::Operand(operand)]))
    }
}

/// An operator between two operands; `None` if PostgreSQL has no such operator.
pub(in super::super) fn symbol(op: &BinaryOperator) -> Option<Vec<Part>> {
    Some(match op {
        BinaryOperator::Overlaps => vec![Part::Text("OVERLAPS")],
        BinaryOperator::PGCustomBinaryOperator(path) => {
            let (name, schemas) = path.split_last()?;
            let mut parts = vec![Part::Text("OPERATOR(")];
            for schema in schemas {
                parts.extend([Part::Word(schema.clone()), Part::Text(".")]);
            }
            parts.extend([Part::Symbol(name.clone()), Part::Text(")")]);
            parts
        }
        BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Xor
        | BinaryOperator::Match
        | BinaryOperator::Regexp
        | BinaryOperator::Glob
        | BinaryOperator::DuckIntegerDivide
        | BinaryOperator::MyIntegerDivide
        | BinaryOperator::Assignment => return None,
        other => vec![Part::Symbol(other.to_string())],
    })
}

/// Whether an expression is this bare word.
pub(in super::super) fn is_word(expr: &ast::Expr, word: &str) -> bool {
    matches!(expr, ast::Expr::Identifier(name) if name.value == word)
}

/// Whether an expression is a collation marker, inserted together with `^`.
pub(in super::super) fn is_collation(expr: &Expr) -> bool {
    matches!(expr, Expr::Column { qualifier: None, name } if name.name.starts_with(COLLATION))
}

/// COLLATE, from the `^` that was inserted in its place.
pub(in super::super) fn collated(operand: Expr, collation: Expr) -> Expr {
    let collation = match collation {
        Expr::Column { name, .. } => {
            Identifier { name: name.name.trim_start_matches(COLLATION).to_owned(), ..name }
        }
        _ => Identifier::default(),
    };
    Expr::Collate { operand: Box::new(operand), collation }
}
