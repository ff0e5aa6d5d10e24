//! Lowering of what is shown, compared and ordered by.

use super::{Lowering, Scope, all};
use crate::catalog::{ColumnRef, DataType};
use crate::intent::{Aggregate, ArithmeticOperator, Expression, Literal, Predicate, TimeGrain};
use wherefore_sql::Dialect;
use wherefore_sql::tree::{
    Argument, BinaryOperator, CastType, Expr, FunctionCall, Literal as SqlLiteral, OrderItem,
    Window,
};

impl Lowering<'_> {
    pub(super) fn expression(&self, expression: &Expression, scope: &Scope) -> Expr {
        match expression {
            Expression::Aggregate { function: Aggregate::Median, argument: Some(of), .. } => {
                self.figure_of(Aggregate::Median, self.expression(of, scope))
            }
            Expression::Aggregate { function, argument, distinct } => {
                let argument = argument.as_ref().map_or(Argument::Star, |argument| {
                    Argument::Expr(self.expression(argument, scope))
                });
                Expr::from(FunctionCall {
                    distinct: *distinct,
                    ..FunctionCall::new(function.function(), vec![argument])
                })
            }
            Expression::Arithmetic { operator, left, right } => {
                let sign = match operator {
                    ArithmeticOperator::Divide => BinaryOperator::Divide,
                    ArithmeticOperator::Minus => BinaryOperator::Minus,
                    ArithmeticOperator::Multiply => BinaryOperator::Multiply,
                    ArithmeticOperator::Plus => BinaryOperator::Plus,
                };
                Expr::binary(self.expression(left, scope), sign, self.expression(right, scope))
            }
            Expression::Column { column } => self.column(column, scope),
            Expression::Age { column, on } => self.age(column, on, scope),
            Expression::Days { from, to } => self.days(from, to, scope),
            Expression::Number { value } => Expr::number(value),
            Expression::Period { column, grain } => self.period(self.column(column, scope), *grain),
            Expression::Partial { aggregate, conditions } => {
                self.conditional(aggregate, conditions, scope)
            }
            Expression::Related { joins, column } => self.of_related_row(joins, column, scope),
            Expression::Share { aggregate, conditions } => {
                let part = self.conditional(aggregate, conditions, scope);
                percentage(part, self.expression(aggregate, scope))
            }
            Expression::Growth { aggregate, period } => {
                let now = self.expression(aggregate, scope);
                let before = Expr::from(FunctionCall {
                    over: Some(Window {
                        order_by: vec![OrderItem {
                            expr: self.expression(period, scope),
                            descending: false,
                            nulls_first: None,
                        }],
                        ..Window::default()
                    }),
                    ..FunctionCall::new("lag", vec![Argument::Expr(now.clone())])
                });
                percentage(Expr::binary(now, BinaryOperator::Minus, before.clone()), before)
            }
            Expression::ShareOfTotal { aggregate } => {
                let part = self.expression(aggregate, scope);
                let whole = Expr::from(FunctionCall {
                    over: Some(Window::default()),
                    ..FunctionCall::new("sum", vec![Argument::Expr(part.clone())])
                });
                percentage(part, whole)
            }
        }
    }

    /// An aggregate of the rows that meet conditions: of the others, nothing is counted or added up.
    fn conditional(&self, aggregate: &Expression, conditions: &[Predicate], scope: &Scope) -> Expr {
        let Expression::Aggregate { function, argument, distinct } = aggregate else {
            return self.expression(aggregate, scope);
        };
        let counted = argument
            .as_ref()
            .map_or_else(|| Expr::number("1"), |argument| self.expression(argument, scope));
        let met =
            all(self.each(conditions, scope)).unwrap_or(Expr::literal(SqlLiteral::Boolean(true)));
        let none = (*function == Aggregate::Sum).then(|| Box::new(Expr::number("0")));
        let case = Expr::Case { operand: None, branches: vec![(met, counted)], otherwise: none };
        Expr::from(FunctionCall {
            distinct: *distinct,
            ..FunctionCall::new(function.function(), vec![Argument::Expr(case)])
        })
    }

    /// Years from a date to a day: the Gregorian calendar has 365.2425 days a year.
    fn age(&self, column: &ColumnRef, on: &str, scope: &Scope) -> Expr {
        let born = self.column(column, scope);
        let (today, born) = match self.dialect {
            Dialect::Postgres => {
                let born = match self.data_type(column) {
                    DataType::Date => born,
                    _ => Expr::Cast {
                        operand: Box::new(born),
                        to: CastType { name: "date".to_owned(), arguments: Vec::new() },
                    },
                };
                (Expr::literal(SqlLiteral::Date(on.to_owned())), born)
            }
            Dialect::Sqlite => (
                Expr::call("julianday", vec![Expr::string(on)]),
                Expr::call("julianday", vec![born]),
            ),
        };
        let days = Expr::binary(today, BinaryOperator::Minus, born);
        Expr::binary(days, BinaryOperator::Divide, Expr::number("365.2425"))
    }

    /// Days from one date to another.
    fn days(&self, from: &ColumnRef, to: &ColumnRef, scope: &Scope) -> Expr {
        let minus = |one: Expr, other: Expr| Expr::binary(one, BinaryOperator::Minus, other);
        let (first, last) = (self.column(from, scope), self.column(to, scope));
        let dates = [from, to].iter().all(|column| self.data_type(column) == DataType::Date);
        match self.dialect {
            Dialect::Postgres if dates => minus(last, first),
            Dialect::Postgres => {
                let moment = |operand: Expr| Expr::Cast {
                    operand: Box::new(operand),
                    to: CastType { name: "timestamp".to_owned(), arguments: Vec::new() },
                };
                let seconds = Expr::Extract {
                    field: "epoch".to_owned(),
                    operand: Box::new(minus(moment(last), moment(first))),
                };
                Expr::binary(seconds, BinaryOperator::Divide, Expr::number("86400"))
            }
            Dialect::Sqlite => {
                let day = |column: Expr| Expr::call("julianday", vec![column]);
                minus(day(last), day(first))
            }
        }
    }

    /// A period as text that sorts by time: `2025`, `2025-Q1`, `2025-03`, `2025-W07`, `2025-03-01`; of all years, weeks
    /// or days together the month `03`, the day of the week from `1` for Monday, or the hour `14`.
    fn period(&self, column: Expr, grain: TimeGrain) -> Expr {
        match self.dialect {
            Dialect::Postgres => {
                let format = match grain {
                    TimeGrain::Day => "YYYY-MM-DD",
                    TimeGrain::Week => "IYYY-\"W\"IW",
                    TimeGrain::Month => "YYYY-MM",
                    TimeGrain::Quarter => "YYYY-\"Q\"Q",
                    TimeGrain::Year => "YYYY",
                    TimeGrain::DayOfWeek => "ID",
                    TimeGrain::HourOfDay => "HH24",
                    TimeGrain::MonthOfYear => "MM",
                };
                Expr::call("to_char", vec![column, Expr::string(format)])
            }
            Dialect::Sqlite => {
                let part = |format: &str| {
                    Expr::call("strftime", vec![Expr::string(format), column.clone()])
                };
                match grain {
                    TimeGrain::Day => part("%Y-%m-%d"),
                    TimeGrain::Week => part("%G-W%V"),
                    TimeGrain::Month => part("%Y-%m"),
                    TimeGrain::Year => part("%Y"),
                    TimeGrain::DayOfWeek => part("%u"),
                    TimeGrain::HourOfDay => part("%H"),
                    TimeGrain::MonthOfYear => part("%m"),
                    TimeGrain::Quarter => {
                        let month = Expr::Cast {
                            operand: Box::new(part("%m")),
                            to: CastType { name: "integer".to_owned(), arguments: Vec::new() },
                        };
                        let quarter = Expr::binary(
                            Expr::binary(month, BinaryOperator::Plus, Expr::number("2")),
                            BinaryOperator::Divide,
                            Expr::number("3"),
                        );
                        let start =
                            Expr::binary(part("%Y"), BinaryOperator::Concat, Expr::string("-Q"));
                        Expr::binary(start, BinaryOperator::Concat, quarter)
                    }
                }
            }
        }
    }

    pub(super) fn literal(&self, literal: &Literal, beside: &Expression) -> Expr {
        match literal {
            Literal::Boolean { value } => {
                let boolean = match beside {
                    Expression::Column { column } => self.data_type(column) == DataType::Boolean,
                    _ => false,
                };
                if boolean && self.dialect == Dialect::Postgres {
                    Expr::literal(SqlLiteral::Boolean(*value))
                } else {
                    Expr::number(u8::from(*value).to_string())
                }
            }
            Literal::Date { value } => Expr::literal(SqlLiteral::Date(value.clone())),
            Literal::Number { value } => match value.strip_prefix('-') {
                Some(rest) => Expr::Unary { negative: true, operand: Box::new(Expr::number(rest)) },
                None => Expr::number(value),
            },
            Literal::Text { value } => Expr::string(value),
        }
    }
}

/// A part as a percentage of a whole; NULL of a whole that is zero.
fn percentage(part: Expr, whole: Expr) -> Expr {
    let hundredfold = Expr::binary(Expr::number("100.0"), BinaryOperator::Multiply, part);
    let whole = Expr::call("nullif", vec![whole, Expr::number("0")]);
    Expr::binary(hundredfold, BinaryOperator::Divide, whole)
}
