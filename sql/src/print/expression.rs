//! Printing of expressions, with parentheses where precedence or an ambiguity requires them.

use crate::Dialect;
use crate::tree::{BinaryOperator, Expr, Literal};

use super::layout::break_line;
use super::{Printer, TRANSPILES, Target, Text};

// Precedence levels; a higher one binds more tightly. PostgreSQL and SQLite disagree on `||` versus arithmetic, so the
// two are never combined without parentheses.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
pub(super) const COMPARISON: u8 = 4;
pub(super) const ADDITION: u8 = 5;
const MULTIPLICATION: u8 = 6;
const OTHER: u8 = 7;
pub(super) const UNARY: u8 = 8;
const POSTFIX: u8 = 9;
pub(super) const PRIMARY: u8 = 10;

impl Printer {
    /// An expression in a position that needs no parentheses.
    pub(super) fn inline(self, expr: &Expr, indent: usize) -> Text {
        self.expression(expr, indent)
    }

    /// A condition with each conjunct on its own line.
    pub(super) fn conjunction(self, condition: &Expr, indent: usize) -> Text {
        let Expr::And(parts) = condition else { return self.inline(condition, indent) };
        if parts.is_empty() {
            return self.inline(condition, indent);
        }
        let parts: Vec<String> = parts
            .iter()
            .map(|part| self.operand_of(part, AND + 1, indent + 2))
            .collect::<Result<_, _>>()?;
        Ok(parts.join(&format!("{}AND ", break_line(indent + 2))))
    }

    /// An operand, in parentheses unless it binds at least as tightly as `level`.
    pub(super) fn operand_of(self, expr: &Expr, level: u8, indent: usize) -> Text {
        let text = self.expression(expr, indent)?;
        Ok(if binding(expr) >= level { text } else { bracketed(&text) })
    }

    fn expression(self, expr: &Expr, indent: usize) -> Text {
        if TRANSPILES && let Some(text) = self.other_expression(expr, indent)? {
            return Ok(text);
        }
        match expr {
            Expr::AtTimeZone { operand, zone } => {
                self.postgres_only("AT TIME ZONE")?;
                let operand = self.operand_of(operand, POSTFIX, indent)?;
                Ok(format!("{operand} AT TIME ZONE {}", self.operand_of(zone, PRIMARY, indent)?))
            }
            Expr::Collate { operand, collation } => {
                let operand = self.operand_of(operand, POSTFIX, indent)?;
                Ok(format!("{operand} COLLATE {}", self.name(collation)?))
            }
            Expr::Grouping { .. } => self.refuse("ROLLUP, CUBE or GROUPING SETS outside GROUP BY"),
            Expr::Column { qualifier, name } => match qualifier {
                Some(source) => Ok([&*self.name(source)?, ".", &self.name(name)?].concat()),
                None => self.name(name),
            },
            Expr::Literal(literal, _) => self.literal(literal),
            Expr::And(parts) => self.chain(parts, "AND", AND, indent),
            Expr::Or(parts) => self.chain(parts, "OR", OR, indent),
            Expr::Not(operand) => Ok(["NOT ", &*self.operand_of(operand, UNARY, indent)?].concat()),
            Expr::Unary { negative, operand } => {
                let sign = if *negative { "-" } else { "+" };
                Ok([sign, &*self.operand_of(operand, POSTFIX, indent)?].concat())
            }
            Expr::Binary { operator, left, right } => self.binary(*operator, left, right, indent),
            Expr::IsNull { operand, negated } => {
                let is = if *negated { " IS NOT NULL" } else { " IS NULL" };
                Ok([&*self.operand_of(operand, ADDITION, indent)?, is].concat())
            }
            Expr::IsBoolean { operand, value, negated } => {
                let not = if *negated { "NOT " } else { "" };
                let value = boolean(*value);
                Ok(format!("{} IS {not}{value}", self.operand_of(operand, ADDITION, indent)?))
            }
            Expr::Between { operand, low, high, negated } => {
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let low = self.operand_of(low, ADDITION, indent)?;
                let high = self.operand_of(high, ADDITION, indent)?;
                Ok([&*operand, not(*negated), " BETWEEN ", &low, " AND ", &high].concat())
            }
            Expr::InList { operand, list, negated } => {
                if list.is_empty() {
                    return self.refuse("an empty IN list");
                }
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let list = self.expressions(list, indent)?;
                Ok([&*operand, not(*negated), " IN (", &list, ")"].concat())
            }
            Expr::InQuery { operand, query, negated } => {
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let query = self.parenthesised(query, indent)?;
                Ok([&*operand, not(*negated), " IN ", &query].concat())
            }
            Expr::Exists { query, negated } => {
                let exists = if *negated { "NOT EXISTS " } else { "EXISTS " };
                Ok([exists, &*self.parenthesised(query, indent)?].concat())
            }
            Expr::Subquery(query) => self.parenthesised(query, indent),
            Expr::Like { .. } => self.like(expr, indent),
            Expr::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref(), indent)
            }
            Expr::Cast { operand, to } => self.cast(operand, to, indent),
            Expr::Extract { field, operand } => self.extract(field, operand, indent),
            Expr::Function(call) => self.call(call, indent),
            Expr::Tuple(items) if items.len() < 2 => self.refuse("a row of fewer than two values"),
            Expr::Tuple(items) => Ok(bracketed(&self.expressions(items, indent)?)),
            Expr::Array(items) => {
                self.postgres_only("an array")?;
                Ok(format!("ARRAY[{}]", self.expressions(items, indent)?))
            }
            Expr::Parameter(name) => self.parameter(name),
            Expr::Foreign(foreign) => self.foreign(foreign, indent),
            Expr::Spelled(spelled) => self.spelled_expr(spelled, indent),
        }
    }

    fn chain(self, parts: &[Expr], keyword: &str, level: u8, indent: usize) -> Text {
        if let [single] = parts {
            return self.inline(single, indent);
        }
        if parts.is_empty() {
            return Ok(boolean(keyword == "AND").to_owned());
        }
        let parts: Vec<String> = parts
            .iter()
            .map(|part| self.operand_of(part, level.max(AND) + 1, indent))
            .collect::<Result<_, _>>()?;
        Ok(parts.join([" ", keyword, " "].concat().as_str()))
    }

    fn binary(self, operator: BinaryOperator, left: &Expr, right: &Expr, indent: usize) -> Text {
        let symbol = self.symbol(operator)?;
        let level = level(operator);
        let comparison = level == COMPARISON;
        let left_text = self.operand_of(left, if comparison { ADDITION } else { level }, indent)?;
        let right_text = self.operand_of(right, level + 1, indent)?;
        let left_text = if mixes(operator, left) { bracketed(&left_text) } else { left_text };
        let mixes_on_the_right = mixes(operator, right) || splits(operator, right);
        let right_text = if binding(right) > level && mixes_on_the_right {
            bracketed(&right_text)
        } else {
            right_text
        };
        Ok([&*left_text, " ", symbol, " ", &right_text].concat())
    }

    fn symbol(self, operator: BinaryOperator) -> Result<&'static str, super::Unprintable> {
        if TRANSPILES
            && self.is_mysql()
            && let Some(symbol) = Self::mysql_symbol(operator)
        {
            return Ok(symbol);
        }
        let postgres = |symbol: &'static str| self.postgres_only(symbol).map(|()| symbol);
        Ok(match operator {
            BinaryOperator::Concat => "||",
            BinaryOperator::Divide => "/",
            BinaryOperator::Equal => "=",
            BinaryOperator::Glob if self.is_sqlite() => "GLOB",
            BinaryOperator::Glob => return self.refuse("glob"),
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterOrEqual => ">=",
            BinaryOperator::IsDistinctFrom => "IS DISTINCT FROM",
            BinaryOperator::IsNotDistinctFrom => "IS NOT DISTINCT FROM",
            BinaryOperator::JsonGet => "->",
            BinaryOperator::JsonGetText => "->>",
            BinaryOperator::JsonPath => postgres("#>")?,
            BinaryOperator::JsonPathText => postgres("#>>")?,
            BinaryOperator::Less => "<",
            BinaryOperator::LessOrEqual => "<=",
            BinaryOperator::Minus => "-",
            BinaryOperator::Modulo => "%",
            BinaryOperator::Multiply => "*",
            BinaryOperator::NotEqual => "<>",
            BinaryOperator::NotRegex => postgres("!~")?,
            BinaryOperator::NotRegexInsensitive => postgres("!~*")?,
            BinaryOperator::Plus => "+",
            BinaryOperator::Regex => postgres("~")?,
            BinaryOperator::RegexInsensitive => postgres("~*")?,
        })
    }

    fn like(self, expr: &Expr, indent: usize) -> Text {
        let Expr::Like { operand, pattern, case_insensitive, negated, escape } = expr else {
            return self.inline(expr, indent);
        };
        let keyword = match self.dialect {
            Dialect::Postgres if *case_insensitive => "ILIKE",
            Dialect::Postgres | Dialect::Sqlite => "LIKE",
        };
        let has_backslash =
            matches!(&**pattern, Expr::Literal(Literal::String(text), _) if text.contains('\\'));
        let escape = match (escape, self.dialect) {
            (Some(character), _) => format!(" ESCAPE {}", self.string(&character.to_string())?),
            (None, Dialect::Postgres) if has_backslash && self.target == Target::Postgres => {
                " ESCAPE ''".to_owned()
            }
            (None, _) => String::new(),
        };
        let operand = self.operand_of(operand, ADDITION, indent)?;
        let pattern = self.operand_of(pattern, ADDITION, indent)?;
        Ok([&*operand, not(*negated), " ", keyword, " ", &pattern, &escape].concat())
    }

    fn case(
        self,
        operand: Option<&Expr>,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        indent: usize,
    ) -> Text {
        if branches.is_empty() {
            return self.refuse("a CASE without a branch");
        }
        let mut parts = vec!["CASE".to_owned()];
        if let Some(operand) = operand {
            parts.push(self.operand_of(operand, ADDITION, indent)?);
        }
        for (when, then) in branches {
            let when = self.inline(when, indent)?;
            parts.push(format!("WHEN {when} THEN {}", self.inline(then, indent)?));
        }
        if let Some(otherwise) = otherwise {
            parts.push(format!("ELSE {}", self.inline(otherwise, indent)?));
        }
        parts.push("END".to_owned());
        Ok(parts.join(" "))
    }

    fn literal(self, literal: &Literal) -> Text {
        let typed = |keyword: &str, text: &str| {
            let text = self.string(text)?;
            Ok(if self.is_sqlite() { text } else { format!("{keyword} {text}") })
        };
        match literal {
            Literal::Boolean(value) => Ok(boolean(*value).to_owned()),
            Literal::Date(text) => typed("DATE", text),
            Literal::Interval(text) => {
                self.postgres_only("an interval")?;
                typed("INTERVAL", text)
            }
            Literal::Null => Ok("NULL".to_owned()),
            Literal::Number(text) if is_number(text) => Ok(text.clone()),
            Literal::Number(text) => self.refuse(format!("the number {text:?}")),
            Literal::String(text) => self.string(text),
            Literal::Timestamp(text) => typed("TIMESTAMP", text),
        }
    }

    fn parameter(self, name: &str) -> Text {
        let rest = name.strip_prefix([':', '$', '@', '?']).unwrap_or("");
        let word = rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if word && (name == "?" || !rest.is_empty()) {
            Ok(name.to_owned())
        } else {
            self.refuse(format!("the parameter {name:?}"))
        }
    }
}

fn level(operator: BinaryOperator) -> u8 {
    match operator {
        BinaryOperator::Minus | BinaryOperator::Plus => ADDITION,
        BinaryOperator::Divide | BinaryOperator::Modulo | BinaryOperator::Multiply => {
            MULTIPLICATION
        }
        BinaryOperator::Concat
        | BinaryOperator::JsonGet
        | BinaryOperator::JsonGetText
        | BinaryOperator::JsonPath
        | BinaryOperator::JsonPathText => OTHER,
        _ => COMPARISON,
    }
}

fn binding(expr: &Expr) -> u8 {
    match expr {
        Expr::Or(parts) | Expr::And(parts) if parts.is_empty() => PRIMARY,
        Expr::Or(parts) | Expr::And(parts) if parts.len() == 1 => binding(&parts[0]),
        Expr::Or(_) => OR,
        Expr::And(_) => AND,
        Expr::Not(_) | Expr::Exists { negated: true, .. } => NOT,
        Expr::Binary { operator, .. } => level(*operator),
        Expr::IsNull { .. }
        | Expr::IsBoolean { .. }
        | Expr::Between { .. }
        | Expr::InList { .. }
        | Expr::InQuery { .. }
        | Expr::Like { .. } => COMPARISON,
        Expr::Unary { .. } => UNARY,
        Expr::Foreign(foreign) if foreign.is_operator => COMPARISON,
        Expr::Spelled(spelled) => {
            binding(&spelled.meaning).min(super::foreign::binding(&spelled.spelling))
        }
        Expr::Literal(Literal::Number(text), _) if text.starts_with('-') => UNARY,
        Expr::AtTimeZone { .. } | Expr::Collate { .. } => POSTFIX,
        _ => PRIMARY,
    }
}

/// Whether the precedence of the two operators differs between dialects.
fn mixes(operator: BinaryOperator, operand: &Expr) -> bool {
    let Expr::Binary { operator: inner, .. } = operand else { return false };
    match level(operator) {
        ADDITION | MULTIPLICATION => level(*inner) == OTHER,
        OTHER => level(*inner) == OTHER && *inner != operator,
        _ => false,
    }
}

/// Whether PostgreSQL takes only the left part of the operand: it groups regular expressions and joining operators from
/// the left.
fn splits(operator: BinaryOperator, operand: &Expr) -> bool {
    let is_regex = matches!(
        operator,
        BinaryOperator::NotRegex
            | BinaryOperator::NotRegexInsensitive
            | BinaryOperator::Regex
            | BinaryOperator::RegexInsensitive
    );
    is_regex && matches!(operand, Expr::Binary { operator, .. } if level(*operator) == OTHER)
}

/// A text in parentheses.
fn bracketed(text: &str) -> String {
    ["(", text, ")"].concat()
}

fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => {
            (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
        }
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    !(whole.is_empty() && fraction.is_empty())
        && digits(whole)
        && digits(fraction)
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

fn boolean(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

fn not(negated: bool) -> &'static str {
    if negated { " NOT" } else { "" }
}
