//! Conversions that other databases make implicitly and PostgreSQL does not, and arguments of types that a function does
//! not have. The signatures of the functions and the types of the arguments decide.

use crate::Dialect;
use crate::bind::{Kind, Returns, Wants, signature};
use crate::diagnostic::Diagnostic;
use crate::read::ReadDialect;
use crate::tree::{Argument, BinaryOperator, Body, Expr, FunctionCall, Literal, Query};

use super::dates::cast;
use super::kinds::kind;
use super::refused;
use super::walk::{self, Done, Visitor};

/// Makes implicit conversions of a dialect explicit in a query of the tree's vocabulary.
pub(super) fn coerce(query: &mut Query, from: ReadDialect) -> Result<(), Diagnostic> {
    if from == ReadDialect::Postgres {
        return Ok(());
    }
    walk::query(&mut Coercing { from }, query)
}

struct Coercing {
    from: ReadDialect,
}

impl Coercing {
    /// Whether conditions are numbers, and numbers conditions.
    fn has_numeric_truth(&self) -> bool {
        matches!(self.from, ReadDialect::Mysql | ReadDialect::Sqlite)
    }

    fn condition(&self, expr: &mut Expr) {
        if self.has_numeric_truth() && is_numeric(expr) {
            replace(expr, |expr| Expr::binary(expr, BinaryOperator::NotEqual, Expr::number("0")));
        }
    }

    fn number(&self, expr: &mut Expr) {
        if self.has_numeric_truth() && kind(expr) == Some(Kind::Boolean) {
            replace(expr, |expr| cast(expr, "integer"));
        }
    }

    fn arguments(&self, call: &mut FunctionCall) -> Done {
        let Some(known) = signature(&call.name, Dialect::Postgres) else { return Ok(()) };
        for (at, argument) in call.arguments.iter_mut().enumerate() {
            let Some(wants) = known.wants.get(at).or(known.wants.last()) else { continue };
            let Argument::Expr(value) = argument else { continue };
            let Some(found) = kind(value) else { continue };
            match (wants, found) {
                (Wants::Number | Wants::Kind(Kind::Integer), Kind::Boolean) => self.number(value),
                (Wants::Kind(Kind::Text), kind) if kind.is_numeric() => {
                    replace(value, |value| cast(value, "text"));
                }
                (Wants::Number | Wants::Kind(Kind::Integer), Kind::Date | Kind::Timestamp)
                | (Wants::Temporal, Kind::Integer | Kind::Number) => {
                    return Err(misfit(call, at, found.words()));
                }
                (Wants::Number | Wants::Kind(Kind::Integer), Kind::Untyped)
                    if is_word(value) && !matches!(known.returns, Returns::Unknown) =>
                {
                    return Err(misfit(call, at, "a text that is not a number"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn misfit(call: &FunctionCall, at: usize, what: &str) -> Diagnostic {
    let fault = refused(format!("{} with {what} as argument {}", call.name, at + 1));
    Diagnostic { span: call.span, ..fault }
}

fn is_numeric(expr: &Expr) -> bool {
    kind(expr).is_some_and(Kind::is_numeric)
}

/// Whether an expression is a text literal that does not spell a number.
fn is_word(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Literal::String(text), _) if text.trim().parse::<f64>().is_err())
}

fn replace(expr: &mut Expr, build: impl FnOnce(Expr) -> Expr) {
    *expr = build(std::mem::replace(expr, Expr::Tuple(Vec::new())));
}

impl Visitor for Coercing {
    fn expr(&mut self, node: &mut Expr) -> Done {
        use BinaryOperator as Op;
        match node {
            Expr::Function(call) => {
                self.arguments(call)?;
                if drops_fraction(call, self.from) {
                    replace(node, |average| Expr::call("trunc", vec![average]));
                }
            }
            Expr::Extract { field, operand } if is_numeric(operand) => {
                return Err(refused(format!("extract({field}) of a number")));
            }
            Expr::Not(operand) => self.condition(operand),
            Expr::And(parts) | Expr::Or(parts) => {
                for part in parts {
                    self.condition(part);
                }
            }
            Expr::Case { operand: None, branches, .. } => {
                for (when, _) in branches {
                    self.condition(when);
                }
            }
            Expr::Binary { operator, left, right } => match operator {
                Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => {
                    self.number(left);
                    self.number(right);
                }
                Op::Equal
                | Op::NotEqual
                | Op::Less
                | Op::LessOrEqual
                | Op::Greater
                | Op::GreaterOrEqual => {
                    if is_numeric(left) {
                        self.number(right);
                    } else if is_numeric(right) {
                        self.number(left);
                    }
                }
                _ => {}
            },
            _ => {}
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &mut query.body else { return Ok(()) };
        select.filter.iter_mut().chain(&mut select.having).for_each(|it| self.condition(it));
        Ok(())
    }
}

/// Whether a call is an average of integers in a dialect where it is an integer.
fn drops_fraction(call: &FunctionCall, from: ReadDialect) -> bool {
    averages_integers(from)
        && call.name == "avg"
        && matches!(call.arguments.as_slice(), [Argument::Expr(value)]
            if kind(value) == Some(Kind::Integer))
}

/// Whether an average of integers is an integer in a dialect.
pub(super) fn averages_integers(from: ReadDialect) -> bool {
    matches!(from, ReadDialect::Mssql | ReadDialect::Redshift)
}
