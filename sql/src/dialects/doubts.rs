//! Sums, differences and averages of columns whose type is unknown.

use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::read::ReadDialect;
use crate::tree::{Argument, BinaryOperator, Expr, Identifier, Literal, Query};

use super::marked::Columns;
use super::walk::{self, Done, Visitor};
use super::{Doubt, coerce, functions};

/// The doubts about a query that was read in a dialect and not yet rewritten.
pub(super) fn of(
    query: &mut Query,
    from: ReadDialect,
    to: Target,
    columns: Option<&Columns>,
) -> Result<Vec<Doubt>, Diagnostic> {
    let mut doubting = Doubting { from, to, columns, found: Vec::new() };
    walk::query(&mut doubting, query)?;
    Ok(doubting.found)
}

/// Whether a date plus a number is a date in a dialect.
fn has_days_in_sums(from: ReadDialect) -> bool {
    !matches!(from, ReadDialect::Mysql | ReadDialect::Sqlite)
}

struct Doubting<'a> {
    from: ReadDialect,
    to: Target,
    columns: Option<&'a Columns>,
    found: Vec<Doubt>,
}

impl Doubting<'_> {
    /// The name of a column that may be a date. A name without a qualifier can also be a function, such as `sysdate`.
    fn doubtful<'e>(&self, expr: &'e Expr) -> Option<&'e Identifier> {
        let Expr::Column { qualifier, name } = expr else { return None };
        let is_number = self.columns.is_some_and(|columns| columns.is_number(name));
        let lower = name.name.to_ascii_lowercase();
        let is_call = qualifier.is_none()
            && (functions::bare(&lower, name.span, self.from).is_some()
                || self.from == ReadDialect::Oracle
                    && matches!(lower.as_str(), "level" | "rownum"));
        (!is_number && !is_call).then_some(name)
    }

    /// Columns as conditions, which are numbers or booleans in MySQL.
    fn conditions(&mut self, node: &Expr) {
        let conditions: Vec<&Expr> = match node {
            Expr::Function(call) if call.name == "if" => {
                crate::walk::arguments(call).take(1).collect()
            }
            Expr::Case { operand: None, branches, .. } => {
                branches.iter().map(|(when, _)| when).collect()
            }
            Expr::And(parts) | Expr::Or(parts) => parts.iter().collect(),
            Expr::Not(operand) => vec![&**operand],
            _ => return,
        };
        for condition in conditions {
            if let Some(name) = self.doubtful(condition) {
                let message = format!("`{}` is taken for a boolean, not for a number", name.name);
                self.add(name, message);
            }
        }
    }

    /// Whether sums and differences of dates must be rewritten for the target, unlike those of numbers.
    fn counts_days(&self) -> bool {
        matches!(self.to, Target::Databricks | Target::Mysql | Target::Sqlite | Target::Trino)
    }

    fn add(&mut self, name: &Identifier, message: String) {
        if !self.found.iter().any(|known| known.message == message) {
            self.found.push(Doubt { message, span: name.span });
        }
    }
}

impl Visitor for Doubting<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Function(call) = node
            && call.name == "avg"
            && coerce::averages_integers(self.from)
            && let [Argument::Expr(value)] = call.arguments.as_slice()
            && let Some(name) = self.doubtful(value)
        {
            let message = format!(
                "`{}` is taken for a number with decimals; the average of integers is an integer",
                name.name
            );
            self.add(name, message);
        }
        if self.from == ReadDialect::Mysql && self.to == Target::Postgres {
            self.conditions(node);
        }
        let Expr::Binary { operator, left, right } = node else { return Ok(()) };
        if !has_days_in_sums(self.from) {
            return Ok(());
        }
        let less = match operator {
            BinaryOperator::Plus => false,
            BinaryOperator::Minus => true,
            _ => return Ok(()),
        };
        let is_number = |expr: &Expr| matches!(expr, Expr::Literal(Literal::Number(_), _));
        match (self.doubtful(left), self.doubtful(right)) {
            (Some(name), None) | (None, Some(name))
                if self.counts_days() && (is_number(left) || is_number(right)) =>
            {
                let what = if less { "difference" } else { "sum" };
                let message = format!(
                    "`{}` is taken for a number; if it is a date, the {what} is wrong",
                    name.name
                );
                self.add(name, message);
            }
            (Some(name), Some(other))
                if less && (self.counts_days() || self.from == ReadDialect::Oracle) =>
            {
                let message = format!(
                    "`{}` and `{}` are taken for numbers; if they are dates, the difference is wrong",
                    name.name, other.name
                );
                self.add(name, message);
            }
            (Some(name), Some(other))
                if self.to == Target::Sqlite && self.from == ReadDialect::Mssql =>
            {
                let message = format!(
                    "`{}` and `{}` are taken for numbers; if they are texts, the sum is wrong",
                    name.name, other.name
                );
                self.add(name, message);
            }
            _ => {}
        }
        Ok(())
    }
}
