//! Printing for Spark SQL and Databricks, where it differs from the dialects of data sources.

use crate::tree::{
    Argument, BinaryOperator, Body, CastType, Expr, FunctionCall, Literal, Query, Source,
};

use super::expression::{ADDITION, UNARY};
use super::{Printer, Target, Text, Unprintable};

/// What begins a variable, which Spark replaces anywhere in the text of a statement.
const VARIABLE: &str = "${";

impl Printer {
    pub(super) fn is_spark(self) -> bool {
        matches!(self.target, Target::Spark | Target::Databricks)
    }

    /// An identifier, which is always quoted: words that are reserved depend on settings of the server.
    pub(super) fn spark_name(self, name: &str) -> Text {
        if name.contains(VARIABLE) {
            return self.refuse("a name with ${");
        }
        Ok(format!("`{}`", name.replace('`', "``")))
    }

    /// A string literal. Quotes and backslashes are escaped by a backslash, and a dollar sign by its code point where it
    /// would begin a variable.
    pub(super) fn spark_string(text: &str) -> String {
        let mut written = String::with_capacity(text.len() + 2);
        written.push('\'');
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\'' => written.push_str("\\'"),
                '\\' => written.push_str("\\\\"),
                '\n' => written.push_str("\\n"),
                '\r' => written.push_str("\\r"),
                '$' if characters.peek() == Some(&'{') => written.push_str("\\u0024"),
                character => written.push(character),
            }
        }
        written.push('\'');
        written
    }

    /// A node that Spark writes differently; `None` if it writes it as PostgreSQL does.
    pub(super) fn spark_expression(
        self,
        expr: &Expr,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        Ok(Some(match expr {
            Expr::AtTimeZone { .. } => return self.refuse("AT TIME ZONE"),
            Expr::Array(_) => return self.refuse("an array"),
            Expr::Tuple(_) => return self.refuse("a row value"),
            Expr::Collate { .. } => return self.refuse("a collation"),
            Expr::Parameter(_) => return self.refuse("a parameter"),
            Expr::Binary { operator, .. } => return self.spark_operator(*operator),
            Expr::Cast { operand, to } => {
                let operand = self.inline(operand, indent)?;
                format!("CAST({operand} AS {})", self.spark_type(to)?)
            }
            Expr::Literal(Literal::Interval(_), _) => {
                return self.refuse("an interval that is not added to a date");
            }
            Expr::Literal(Literal::Timestamp(text), _) => {
                format!("TIMESTAMP_NTZ {}", self.string(text)?)
            }
            Expr::Like { operand, pattern, case_insensitive, negated, escape } => {
                let operand = self.operand_of(operand, ADDITION, indent)?;
                let not = if *negated { " NOT" } else { "" };
                let keyword = if *case_insensitive { "ILIKE" } else { "LIKE" };
                format!("{operand}{not} {keyword} {}", self.spark_pattern(pattern, *escape)?)
            }
            _ => return Ok(None),
        }))
    }

    fn spark_operator(self, operator: BinaryOperator) -> Result<Option<String>, Unprintable> {
        match operator {
            BinaryOperator::Glob => self.refuse("glob"),
            BinaryOperator::JsonGet
            | BinaryOperator::JsonGetText
            | BinaryOperator::JsonPath
            | BinaryOperator::JsonPathText => self.refuse("a JSON path operator"),
            BinaryOperator::Regex
            | BinaryOperator::RegexInsensitive
            | BinaryOperator::NotRegex
            | BinaryOperator::NotRegexInsensitive => self.refuse("a regular expression"),
            _ => Ok(None),
        }
    }

    /// A LIKE pattern, in which a backslash escapes. Spark refuses one before any other character than those it is for.
    fn spark_pattern(self, pattern: &Expr, escape: Option<char>) -> Text {
        let Expr::Literal(Literal::String(text), _) = pattern else {
            return match escape {
                None | Some('\\') => self.operand_of(pattern, ADDITION, 0),
                Some(_) => self.refuse("ESCAPE with a computed pattern"),
            };
        };
        let mut written = String::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            let (is_escaped, character) = if escape == Some(character) {
                let Some(next) = characters.next() else {
                    return self.refuse("a pattern that ends with its escape character");
                };
                (true, next)
            } else {
                (false, character)
            };
            if character == '\\' || is_escaped && matches!(character, '%' | '_') {
                written.push('\\');
            }
            written.push(character);
        }
        self.string(&written)
    }

    fn spark_type(self, to: &CastType) -> Text {
        let spelling = super::other::spelling(&to.name, Target::Spark);
        match (spelling.strip_suffix('*'), to.arguments.as_slice()) {
            _ if spelling == "-" => self.refuse(format!("a cast to {}", to.name)),
            (Some(_), []) => self.refuse("a decimal without a scale"),
            (Some(name), arguments) => {
                let list: Vec<String> = arguments.iter().map(u32::to_string).collect();
                Ok(format!("{name}({})", list.join(", ")))
            }
            (None, []) => Ok(spelling.to_owned()),
            (None, _) => self.refuse(format!("a cast to {} with a precision", to.name)),
        }
    }

    /// A call with syntax of its own; `None` for other calls.
    pub(super) fn spark_call(
        self,
        call: &FunctionCall,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        let operand = |expr: &Expr| self.operand_of(expr, UNARY, indent);
        Ok(Some(match (call.name.as_str(), call.arguments.as_slice()) {
            ("_int_div", [Argument::Expr(left), Argument::Expr(right)]) => {
                format!("({} DIV {})", operand(left)?, operand(right)?)
            }
            ("_interval", [Argument::Expr(count), Argument::Expr(unit)]) => {
                let (
                    Expr::Literal(Literal::Number(count), _),
                    Expr::Literal(Literal::String(unit), _),
                ) = (count, unit)
                else {
                    return self.refuse("this interval");
                };
                format!("INTERVAL {} {}", self.string(count)?, unit.to_ascii_uppercase())
            }
            ("_difference", _) => return self.refuse("a difference of times"),
            _ if !call.order_by.is_empty() => return self.refuse("ORDER BY in this aggregate"),
            _ => return Ok(None),
        }))
    }

    /// Refuses sources that Spark and Sail read differently, or not at all.
    pub(super) fn check_spark_query(self, query: &Query) -> Result<(), Unprintable> {
        if (self.is_spark() || self.target == Target::Trino)
            && query.recursive
            && !query.with.is_empty()
        {
            return self.refuse("WITH RECURSIVE");
        }
        Ok(())
    }

    /// Refuses a list of rows whose columns have no names.
    pub(super) fn check_spark_source(self, source: &Source) -> Result<(), Unprintable> {
        match source {
            Source::Derived { query, columns, .. }
                if self.is_spark()
                    && columns.is_empty()
                    && matches!(query.body, Body::Values(_)) =>
            {
                self.refuse("VALUES without names of columns")
            }
            Source::Function { call, .. } if self.is_spark() => {
                self.refuse(format!("{} in FROM", call.name))
            }
            _ => Ok(()),
        }
    }
}
