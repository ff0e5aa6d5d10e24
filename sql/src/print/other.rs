//! Printing for T-SQL and BigQuery, where they differ from the dialects of data sources, and what MySQL shares with them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::tree::{
    BinaryOperator, Body, CastType, Expr, JoinCondition, JoinKind, Literal, OrderItem, Query,
    Source,
};
use crate::words::entries;

use super::{Printer, Target, Text, Unprintable};

/// Type names on T-SQL, BigQuery, MySQL, Spark, Snowflake and Trino.
static TYPES: LazyLock<BTreeMap<&str, [&str; 6]>> = LazyLock::new(|| {
    let mut types = BTreeMap::new();
    for line in entries(include_str!("../../data/types_targets.tsv")) {
        let mut fields = line.split('\t');
        if let Some(names) = fields.next()
            && let Ok(spellings) = <[&str; 6]>::try_from(fields.collect::<Vec<_>>())
        {
            types.extend(names.split(',').map(|name| (name, spellings)));
        }
    }
    types
});

/// Name of a type on a target that only writes; `-` if it has none.
pub(super) fn spelling(name: &str, target: Target) -> &'static str {
    let Some([tsql, bigquery, mysql, spark, snowflake, trino]) = TYPES.get(name) else {
        return "-";
    };
    match target {
        Target::Tsql => tsql,
        Target::Bigquery => bigquery,
        Target::Mysql => mysql,
        Target::Spark | Target::Databricks => spark,
        Target::Snowflake => snowflake,
        Target::Trino => trino,
        Target::Postgres | Target::Sqlite | Target::Duckdb => "-",
    }
}

impl Printer {
    fn is_tsql(self) -> bool {
        self.target == Target::Tsql
    }

    fn is_other(self) -> bool {
        matches!(self.target, Target::Tsql | Target::Bigquery)
    }

    /// A node that these targets write differently; `None` if they write it as PostgreSQL does.
    pub(super) fn other_expression(
        self,
        expr: &Expr,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        if self.is_mysql() {
            return self.mysql_expression(expr, indent);
        }
        if self.is_spark() {
            return self.spark_expression(expr, indent);
        }
        if self.is_warehouse() {
            return self.warehouse_expression(expr, indent);
        }
        if !self.is_other() {
            return Ok(None);
        }
        Ok(Some(match expr {
            Expr::AtTimeZone { .. } => return self.refuse("AT TIME ZONE"),
            Expr::Array(items) if !self.is_tsql() => {
                format!("[{}]", self.expressions(items, indent)?)
            }
            Expr::Array(_) => return self.refuse("an array"),
            Expr::Tuple(_) if self.is_tsql() => return self.refuse("a row value"),
            Expr::Collate { .. } if !self.is_tsql() => return self.refuse("a collation"),
            Expr::IsBoolean { .. } if self.is_tsql() => return self.refuse("IS TRUE or IS FALSE"),
            Expr::Binary { operator, .. } => return self.other_operator(*operator),
            Expr::Literal(literal, _) => return self.other_literal(literal),
            Expr::Cast { operand, to } => {
                let operand = self.inline(operand, indent)?;
                format!("CAST({operand} AS {})", self.other_type(to)?)
            }
            Expr::Parameter(name) if name.starts_with('@') && name.len() > 1 => return Ok(None),
            Expr::Parameter(name) if name == "?" => return Ok(None),
            Expr::Parameter(_) => return self.refuse("a parameter of this form"),
            Expr::Like { operand, pattern, negated, escape, .. } if !self.is_tsql() => {
                let operand = self.operand_of(operand, 5, indent)?;
                let not = if *negated { " NOT" } else { "" };
                format!("{operand}{not} LIKE {}", self.backslashed_pattern(pattern, *escape)?)
            }
            _ => return Ok(None),
        }))
    }

    pub(super) fn other_operator(
        self,
        operator: BinaryOperator,
    ) -> Result<Option<String>, Unprintable> {
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

    fn other_literal(self, literal: &Literal) -> Result<Option<String>, Unprintable> {
        Ok(Some(match literal {
            Literal::Boolean(value) if self.is_tsql() => {
                format!("CAST({} AS bit)", i32::from(*value))
            }
            Literal::Date(text) if self.is_tsql() => {
                format!("CAST({} AS date)", self.string(text)?)
            }
            Literal::Timestamp(text) if self.is_tsql() => {
                format!("CAST({} AS datetime2)", self.string(text)?)
            }
            Literal::Timestamp(text) => format!("DATETIME {}", self.string(text)?),
            Literal::Interval(_) if self.is_tsql() => return self.refuse("an interval"),
            Literal::Interval(text) => match text.split_whitespace().collect::<Vec<_>>().as_slice()
            {
                [count, unit] if count.parse::<i64>().is_ok() => {
                    let unit = unit.strip_suffix('s').unwrap_or(unit).to_ascii_uppercase();
                    format!("INTERVAL {count} {unit}")
                }
                _ => return self.refuse("this interval"),
            },
            Literal::String(text) if !text.is_ascii() && self.is_tsql() => {
                format!("N{}", self.string(text)?)
            }
            _ => return Ok(None),
        }))
    }

    fn other_type(self, to: &CastType) -> Text {
        let spelling = spelling(&to.name, self.target);
        match (spelling.strip_suffix('*'), to.arguments.as_slice()) {
            _ if spelling == "-" => self.refuse(format!("a cast to {}", to.name)),
            (Some("nvarchar"), []) => Ok("nvarchar(max)".to_owned()),
            (Some("decimal"), []) => self.refuse("a decimal without a scale"),
            (Some(name), []) => Ok(name.to_owned()),
            (Some(name), arguments) => {
                let list: Vec<String> = arguments.iter().map(u32::to_string).collect();
                Ok(format!("{name}({})", list.join(", ")))
            }
            (None, _) => Ok(spelling.to_owned()),
        }
    }

    /// A LIKE pattern for targets whose escape character is the backslash.
    pub(super) fn backslashed_pattern(self, pattern: &Expr, escape: Option<char>) -> Text {
        let Expr::Literal(Literal::String(text), _) = pattern else {
            return match escape {
                None => self.inline(pattern, 0),
                Some(_) => self.refuse("ESCAPE with a computed pattern"),
            };
        };
        let mut written = String::new();
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            match (escape, character) {
                (Some(escape), character) if character == escape => {
                    written.push('\\');
                    written.extend(characters.next());
                }
                (_, '\\') => written.push_str("\\\\"),
                (_, character) => written.push(character),
            }
        }
        self.string(&written)
    }

    /// A string literal for BigQuery and Snowflake, with backslash escapes.
    pub(super) fn escaped_string(text: &str) -> String {
        let mut written = String::with_capacity(text.len() + 2);
        written.push('\'');
        for character in text.chars() {
            match character {
                '\'' => written.push_str("\\'"),
                '\\' => written.push_str("\\\\"),
                '\n' => written.push_str("\\n"),
                '\r' => written.push_str("\\r"),
                character => written.push(character),
            }
        }
        written.push('\'');
        written
    }

    /// TOP, for a T-SQL SELECT with a limit and no offset.
    pub(super) fn top(self, query: &Query, indent: usize) -> Result<Option<String>, Unprintable> {
        match &query.limit {
            Some(limit)
                if self.is_tsql()
                    && query.offset.is_none()
                    && matches!(query.body, Body::Select(_)) =>
            {
                Ok(Some(format!("TOP ({})", self.inline(limit, indent)?)))
            }
            _ => Ok(None),
        }
    }

    /// OFFSET and FETCH of T-SQL; empty if TOP applies or there is no limit.
    pub(super) fn offset_fetch(
        self,
        query: &Query,
        indent: usize,
    ) -> Result<Vec<String>, Unprintable> {
        let mut clauses = Vec::new();
        let is_narrow = match &query.body {
            Body::Select(select) => select.distinct,
            Body::SetOperation { .. } => true,
            Body::Values(_) => return self.refuse("VALUES"),
            Body::Foreign(_) | Body::Spelled(_) => {
                return self.refuse("syntax that only PostgreSQL has");
            }
        };
        if is_narrow && query.order_by.iter().any(|item| item.nulls_first.is_some()) {
            return self.refuse("NULLS FIRST or NULLS LAST with DISTINCT or a set operation");
        }
        if query.offset.is_none() && matches!(query.body, Body::Select(_))
            || (query.limit.is_none() && query.offset.is_none())
        {
            return Ok(clauses);
        }
        if query.order_by.is_empty() {
            clauses.push("ORDER BY (SELECT NULL)".to_owned());
        }
        let offset = match &query.offset {
            Some(offset) => self.inline(offset, indent)?,
            None => "0".to_owned(),
        };
        clauses.push(format!("OFFSET {offset} ROWS"));
        if let Some(limit) = &query.limit {
            clauses.push(format!("FETCH NEXT {} ROWS ONLY", self.inline(limit, indent)?));
        }
        Ok(clauses)
    }

    /// A sort key that positions NULLs on T-SQL and MySQL, which have no NULLS FIRST or LAST.
    pub(super) fn nulls_by_case(self, item: &OrderItem) -> Result<Option<String>, Unprintable> {
        let (true, Some(first)) = (self.is_tsql() || self.is_mysql(), item.nulls_first) else {
            return Ok(None);
        };
        if matches!(item.expr, Expr::Literal(..)) {
            return self.refuse("NULLS FIRST or NULLS LAST with an ORDER BY position");
        }
        let value = self.operand_of(&item.expr, 5, 0)?;
        if self.is_mysql() {
            return Ok(Some(format!("{value} IS {}NULL", if first { "NOT " } else { "" })));
        }
        let (null, other) = if first { (0, 1) } else { (1, 0) };
        Ok(Some(format!("CASE WHEN {value} IS NULL THEN {null} ELSE {other} END")))
    }

    /// CROSS APPLY or OUTER APPLY for a lateral join.
    pub(super) fn apply(
        self,
        kind: JoinKind,
        source: &Source,
        condition: &JoinCondition,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        self.check_mysql_join(kind)?;
        if self.target == Target::Trino && matches!(condition, JoinCondition::Natural) {
            return self.refuse("NATURAL JOIN");
        }
        if !self.is_other() {
            return Ok(None);
        }
        if matches!(condition, JoinCondition::Natural)
            || self.is_tsql() && matches!(condition, JoinCondition::Using(_))
        {
            return self.refuse("NATURAL JOIN or USING");
        }
        let Source::Derived { query, alias, columns, lateral: true } = source else {
            return Ok(None);
        };
        // The condition TRUE has been rewritten to `1 = 1` at this point.
        let one = Expr::number("1");
        let always = Expr::binary(one.clone(), BinaryOperator::Equal, one);
        let is_true = match condition {
            JoinCondition::None => true,
            JoinCondition::On(on) => *on == always,
            _ => false,
        };
        let keyword = match kind {
            JoinKind::Cross | JoinKind::Inner => "CROSS APPLY",
            JoinKind::Left => "OUTER APPLY",
            _ => return self.refuse("LATERAL"),
        };
        if !self.is_tsql() || !is_true {
            return self.refuse("LATERAL");
        }
        let plain = Source::Derived {
            query: query.clone(),
            alias: alias.clone(),
            columns: columns.clone(),
            lateral: false,
        };
        Ok(Some(format!("{keyword} {}", self.source(&plain, indent)?)))
    }
}
