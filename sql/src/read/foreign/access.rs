//! Subscripts, slices and fields of values.

use sqlparser::ast;

use crate::foreign::Part;
use crate::tree::{Expr, Identifier, SqlSpan};

use super::super::{Converted, Reader, unsupported};
use super::token::STAR;

impl Reader<'_> {
    /// `root[…].field`.
    pub(in super::super) fn access(
        &mut self,
        root: ast::Expr,
        chain: Vec<ast::AccessExpr>,
    ) -> Converted<Expr> {
        let fault = unsupported("a subscript or field access", SqlSpan::default());
        let kept = self.keep(fault.clone())?;
        let mut parts = match root {
            ast::Expr::Identifier(name) => vec![Part::Name(self.identifier(name)?)],
            ast::Expr::CompoundIdentifier(names) => super::dotted(self.identifiers(names)?),
            other => vec![Part::Text("("), Part::Expr(self.expr(other)?), Part::Text(")")],
        };
        for access in chain {
            match access {
                ast::AccessExpr::Dot(ast::Expr::Identifier(field)) if field.value == STAR => {
                    parts.push(Part::Text(".*"));
                }
                ast::AccessExpr::Dot(ast::Expr::Identifier(field)) => {
                    parts.extend([Part::Text("."), Part::Name(self.identifier(field)?)]);
                }
                ast::AccessExpr::Dot(_) => return Err(fault),
                ast::AccessExpr::Subscript(subscript) => self.subscript(subscript, &mut parts)?,
            }
        }
        Ok(kept.expr(parts))
    }

    fn subscript(&mut self, subscript: ast::Subscript, parts: &mut Vec<Part>) -> Converted<()> {
        parts.push(Part::Text("["));
        match subscript {
            ast::Subscript::Index { index } => parts.push(Part::Expr(self.expr(index)?)),
            ast::Subscript::Slice { lower_bound, upper_bound, stride } => {
                super::super::absent(stride.is_none(), "an array slice with a stride")?;
                if let Some(lower) = lower_bound {
                    parts.push(Part::Expr(self.expr(lower)?));
                }
                parts.push(Part::Text(":"));
                if let Some(upper) = upper_bound {
                    parts.push(Part::Expr(self.expr(upper)?));
                }
            }
        }
        parts.push(Part::Text("]"));
        Ok(())
    }

    /// A column qualified with a schema, or a field of a column.
    pub(in super::super) fn long_column(&self, names: Vec<Identifier>) -> Converted<Expr> {
        let place = names.first().map(|name| name.span).unwrap_or_default();
        let fault = unsupported("a schema-qualified column", place).hint("give the table an alias");
        Ok(self.keep(fault)?.expr(super::dotted(names)))
    }
}
