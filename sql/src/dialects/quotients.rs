//! Types of the operands of quotients, which decide whether a division is one of integers.

use crate::tree::{Argument, BinaryOperator, Expr};

use super::marked::{Columns, is_mark};
use super::walk::{Done, Visitor};

/// Marks columns of numbers inside the operands of `/`, which is a division of integers only if both are integers.
pub(super) struct MarkQuotients<'a> {
    pub(super) columns: &'a Columns,
}

impl Visitor for MarkQuotients<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Binary { operator: BinaryOperator::Divide, left, right } = node {
            self.mark(left);
            self.mark(right);
        }
        // PostgreSQL's `div` takes decimals only, MySQL's DIV any number.
        if let Expr::Function(call) = node
            && call.name == "div"
        {
            for argument in &mut call.arguments {
                if let Argument::Expr(value @ Expr::Cast { .. }) = argument {
                    without_decimal(value);
                }
            }
        }
        Ok(())
    }
}

/// Marks columns of numbers inside the operands of casts, whose types depend on them.
pub(super) struct MarkCasts<'a> {
    pub(super) columns: &'a Columns,
}

impl Visitor for MarkCasts<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Cast { operand, to } = node
            && !is_mark(to)
        {
            self.columns.mark_number(operand);
        }
        Ok(())
    }
}

/// Removes a cast to a decimal without a scale.
fn without_decimal(value: &mut Expr) {
    if let Expr::Cast { operand, to } = value
        && to.arguments.is_empty()
        && matches!(to.name.as_str(), "decimal" | "numeric")
    {
        *value = std::mem::replace(&mut **operand, Expr::Tuple(Vec::new()));
    }
}

impl MarkQuotients<'_> {
    fn mark(&self, expr: &mut Expr) {
        match expr {
            Expr::Column { .. } => self.columns.mark_number(expr),
            Expr::Binary { left, right, .. } => {
                self.mark(left);
                self.mark(right);
            }
            Expr::Function(call) => {
                for argument in &mut call.arguments {
                    if let Argument::Expr(value) = argument {
                        self.mark(value);
                    }
                }
            }
            Expr::Unary { operand, .. } => self.mark(operand),
            _ => {}
        }
    }
}
