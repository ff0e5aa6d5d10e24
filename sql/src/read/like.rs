//! Conversion of LIKE. In the tree no character escapes unless it is given explicitly.

use sqlparser::ast;

use crate::foreign::Spelling;
use crate::tree::{Expr, Literal, SqlSpan};

use super::{Converted, Reader, unsupported};

impl Reader<'_> {
    /// `LIKE ANY (…)` as alternatives.
    pub(super) fn like_any(
        &mut self,
        operand: ast::Expr,
        patterns: ast::Expr,
        escape: Option<Box<ast::Expr>>,
        case_insensitive: bool,
        negated: bool,
    ) -> Converted<Expr> {
        let patterns = match patterns {
            ast::Expr::Tuple(patterns) => patterns,
            ast::Expr::Nested(pattern) => vec![*pattern],
            _ => return Err(unsupported("LIKE ANY without a list", SqlSpan::default())),
        };
        let mut alternatives = patterns
            .into_iter()
            .map(|pattern| {
                self.like(operand.clone(), pattern, escape.clone(), case_insensitive, false)
            })
            .collect::<Converted<Vec<Expr>>>()?;
        let any = match alternatives.len() {
            0 => return Err(unsupported("LIKE ANY with an empty list", SqlSpan::default())),
            1 => alternatives.remove(0),
            _ => Expr::Or(alternatives),
        };
        Ok(if negated { Expr::Not(Box::new(any)) } else { any })
    }

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
        let is_own =
            escape.is_none() && self.dialect.like_escapes_by_backslash() && has_backslash(&pattern);
        let escape = match escape {
            Some(escape) => match self.expr(*escape)? {
                Expr::Literal(Literal::String(text), _) if text.chars().count() < 2 => {
                    text.chars().next()
                }
                other => {
                    let operand = *operand;
                    return self.like_with_escape(
                        operand,
                        pattern,
                        other,
                        case_insensitive,
                        negated,
                    );
                }
            },
            None if is_own => Some('\\'),
            None => None,
        };
        let pattern = Box::new(pattern);
        let like = Expr::Like { operand, pattern, case_insensitive, negated, escape };
        Ok(if is_own { self.spelled(like, Spelling::OwnEscape) } else { like })
    }
}

fn has_backslash(pattern: &Expr) -> bool {
    matches!(pattern, Expr::Literal(Literal::String(text), _) if text.contains('\\'))
}
