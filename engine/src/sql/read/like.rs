//! LIKE: in the tree, no character escapes unless it is named.

use sqlparser::ast;

use crate::sql::tree::{Expr, Literal, SqlSpan};

use super::{Converted, Reader, unsupported};

impl Reader<'_> {
    pub(super) fn like(
        &mut self,
        operand: ast::Expr,
        pattern: ast::Expr,
        escape: Option<Box<ast::Expr>>,
        case_insensitive: bool,
        negated: bool,
    ) -> Converted<Expr> {
        let operand = Box::new(self.expr(operand)?);
        let pattern = self.expr(pattern)?;
        let escape = match escape {
            Some(escape) => self.escape(*escape)?,
            None if self.dialect.like_escapes_by_backslash() && has_backslash(&pattern) => {
                Some('\\')
            }
            None => None,
        };
        let pattern = Box::new(pattern);
        Ok(Expr::Like { operand, pattern, case_insensitive, negated, escape })
    }

    fn escape(&mut self, escape: ast::Expr) -> Converted<Option<char>> {
        if let Expr::Literal(Literal::String(text), _) = self.expr(escape)? {
            let mut characters = text.chars();
            let first = characters.next();
            if characters.next().is_none() {
                return Ok(first);
            }
        }
        Err(unsupported("an escape of more than one character", SqlSpan::default()))
    }
}

fn has_backslash(pattern: &Expr) -> bool {
    matches!(pattern, Expr::Literal(Literal::String(text), _) if text.contains('\\'))
}
