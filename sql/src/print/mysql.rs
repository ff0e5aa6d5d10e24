//! Printing for MySQL and MariaDB, where they differ from the dialects of data sources.

use crate::tree::{Argument, BinaryOperator, CastType, Expr, FunctionCall, JoinKind, Literal};

use super::expression::{ADDITION, UNARY};
use super::{Printer, Target, Text, Unprintable};

/// More rows than any table has: OFFSET needs a LIMIT.
pub(super) const ALL_ROWS: &str = "18446744073709551615";

impl Printer {
    pub(super) fn is_mysql(self) -> bool {
        self.target == Target::Mysql
    }

    /// A string literal. Both quotes and backslashes are doubled, so that it ends where it should in any `sql_mode`.
    pub(super) fn mysql_string(text: &str) -> String {
        ["'", &*text.replace('\\', "\\\\").replace('\'', "''"), "'"].concat()
    }

    /// A node that MySQL writes differently; `None` if it writes it as PostgreSQL does.
    pub(super) fn mysql_expression(
        self,
        expr: &Expr,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        Ok(Some(match expr {
            Expr::AtTimeZone { .. } => return self.refuse("AT TIME ZONE"),
            Expr::Array(_) => return self.refuse("an array"),
            Expr::Binary { operator, .. } => return self.mysql_operator(*operator),
            Expr::Cast { operand, to } => {
                let operand = self.inline(operand, indent)?;
                format!("CAST({operand} AS {})", self.mysql_type(to)?)
            }
            Expr::Literal(Literal::Interval(_), _) => {
                return self.refuse("an interval that is not added to a date");
            }
            Expr::Parameter(name) if name == "?" => return Ok(None),
            Expr::Parameter(_) => return self.refuse("a parameter of this form"),
            Expr::Like { operand, pattern, negated, escape, .. } => {
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let not = if *negated { " NOT" } else { "" };
                format!("{operand}{not} LIKE {}", self.backslashed_pattern(pattern, *escape)?)
            }
            _ => return Ok(None),
        }))
    }

    fn mysql_operator(self, operator: BinaryOperator) -> Result<Option<String>, Unprintable> {
        match operator {
            BinaryOperator::Concat => self.refuse("a concatenation by an operator"),
            BinaryOperator::IsDistinctFrom => self.refuse("IS DISTINCT FROM"),
            BinaryOperator::Glob => self.refuse("glob"),
            BinaryOperator::JsonGet
            | BinaryOperator::JsonGetText
            | BinaryOperator::JsonPath
            | BinaryOperator::JsonPathText => self.refuse("a JSON path operator"),
            BinaryOperator::RegexInsensitive | BinaryOperator::NotRegexInsensitive => {
                self.refuse("a regular expression")
            }
            _ => Ok(None),
        }
    }

    /// The symbol of an operator that MySQL spells differently.
    pub(super) fn mysql_symbol(operator: BinaryOperator) -> Option<&'static str> {
        Some(match operator {
            BinaryOperator::IsNotDistinctFrom => "<=>",
            BinaryOperator::Regex => "REGEXP",
            BinaryOperator::NotRegex => "NOT REGEXP",
            _ => return None,
        })
    }

    fn mysql_type(self, to: &CastType) -> Text {
        let arguments: Vec<String> = to.arguments.iter().map(u32::to_string).collect();
        let list = if arguments.is_empty() {
            String::new()
        } else {
            format!("({})", arguments.join(", "))
        };
        match super::other::spelling(&to.name, Target::Mysql) {
            "-" => self.refuse(format!("a cast to {}", to.name)),
            "decimal*" if to.arguments.is_empty() => self.refuse("a decimal without a scale"),
            // Without a precision, fractions of a second would be rounded away.
            "datetime*" if to.arguments.is_empty() => Ok("datetime(6)".to_owned()),
            "time*" if to.arguments.is_empty() => Ok("time(6)".to_owned()),
            spelling => Ok(match spelling.strip_suffix('*') {
                Some(name) => format!("{name}{list}"),
                None => spelling.to_owned(),
            }),
        }
    }

    /// A call with syntax of its own; `None` for other calls.
    pub(super) fn mysql_call(
        self,
        call: &FunctionCall,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        let operand = |expr: &Expr| self.operand_of(expr, UNARY, indent);
        Ok(Some(match (call.name.as_str(), call.arguments.as_slice()) {
            ("_int_div", [Argument::Expr(left), Argument::Expr(right)]) => {
                format!("({} DIV {})", operand(left)?, operand(right)?)
            }
            (
                "_interval",
                [Argument::Expr(count), Argument::Expr(Expr::Literal(Literal::String(unit), _))],
            ) => format!("INTERVAL {} {}", operand(count)?, unit.to_ascii_uppercase()),
            ("group_concat", [Argument::Expr(value), Argument::Expr(separator)]) => {
                let distinct = if call.distinct { "DISTINCT " } else { "" };
                let order = match self.order_items(&call.order_by)?.join(", ") {
                    items if items.is_empty() => items,
                    items => format!(" ORDER BY {items}"),
                };
                if call.over.is_some() {
                    return self.refuse("string_agg over a window");
                }
                let (value, separator) =
                    (self.inline(value, indent)?, self.inline(separator, indent)?);
                format!("group_concat({distinct}{value}{order} SEPARATOR {separator})")
            }
            ("_difference", _) => return self.refuse("a difference of times"),
            _ if !call.within_group.is_empty() => return self.refuse("WITHIN GROUP"),
            _ if !call.order_by.is_empty() => return self.refuse("ORDER BY in an aggregate"),
            _ if call.filter.is_some() => return self.refuse("FILTER"),
            _ => return Ok(None),
        }))
    }

    /// Refuses joins that MySQL lacks.
    pub(super) fn check_mysql_join(self, kind: JoinKind) -> Result<(), Unprintable> {
        if self.is_mysql() && kind == JoinKind::Full {
            return self.refuse("FULL JOIN");
        }
        Ok(())
    }
}
