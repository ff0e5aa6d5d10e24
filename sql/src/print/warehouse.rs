//! Printing for Snowflake and Trino, where they differ from PostgreSQL.

use crate::tree::{CastType, Expr, Literal, Query};

use super::other::spelling;
use super::{Printer, Target, Text, Unprintable};

/// Words that Snowflake reserves and PostgreSQL does not, in alphabetical order.
const RESERVED: [&str; 25] = [
    "account",
    "by",
    "connection",
    "database",
    "gscluster",
    "increment",
    "insert",
    "issue",
    "lateral",
    "minus",
    "of",
    "organization",
    "qualify",
    "regexp",
    "revoke",
    "rlike",
    "row",
    "rows",
    "sample",
    "schema",
    "start",
    "tablesample",
    "trigger",
    "try_cast",
    "view",
];

/// Whether Snowflake reserves a word, in lower case, that PostgreSQL does not.
pub(super) fn is_reserved_in_snowflake(word: &str) -> bool {
    RESERVED.contains(&word) || matches!(word, "set" | "update" | "values" | "whenever" | "delete")
}

impl Printer {
    /// Whether the target is Snowflake or Trino.
    pub(super) fn is_warehouse(self) -> bool {
        matches!(self.target, Target::Snowflake | Target::Trino)
    }

    /// A node that these targets write differently; `None` if they write it as PostgreSQL does.
    pub(super) fn warehouse_expression(
        self,
        expr: &Expr,
        indent: usize,
    ) -> Result<Option<String>, Unprintable> {
        Ok(Some(match expr {
            Expr::AtTimeZone { .. } => return self.refuse("AT TIME ZONE"),
            Expr::Array(_) => return self.refuse("an array"),
            Expr::Collate { .. } => return self.refuse("a collation"),
            Expr::Binary { operator, .. } => return self.other_operator(*operator),
            Expr::Literal(Literal::Interval(_), _) => {
                return self.refuse("an interval that is not added to a date");
            }
            Expr::Literal(Literal::Timestamp(text), _) if self.target == Target::Snowflake => {
                format!("CAST({} AS TIMESTAMP_NTZ)", self.string(text)?)
            }
            Expr::Cast { operand, to } => {
                let operand = self.inline(operand, indent)?;
                format!("CAST({operand} AS {})", self.warehouse_type(to)?)
            }
            Expr::Parameter(name) if name != "?" => {
                return self.refuse("a parameter of this form");
            }
            _ => return Ok(None),
        }))
    }

    fn warehouse_type(self, to: &CastType) -> Text {
        let spelling = spelling(&to.name, self.target);
        match (spelling.strip_suffix('*'), to.arguments.as_slice()) {
            _ if spelling == "-" => self.refuse(format!("a cast to {}", to.name)),
            (Some("NUMBER" | "DECIMAL"), []) => self.refuse("a decimal without a scale"),
            (Some(name), []) => Ok(name.to_owned()),
            (Some(name), arguments) => {
                let list: Vec<String> = arguments.iter().map(u32::to_string).collect();
                Ok(format!("{name}({})", list.join(", ")))
            }
            (None, []) => Ok(spelling.to_owned()),
            (None, _) => self.refuse(format!("a cast to {} with a precision", to.name)),
        }
    }

    /// The clauses that limit rows: Trino skips rows first, and Snowflake has no OFFSET without a LIMIT.
    pub(super) fn warehouse_limit(
        self,
        query: &Query,
        indent: usize,
    ) -> Result<Vec<String>, Unprintable> {
        let written = |keyword: &str, value: &Option<Expr>| {
            value
                .as_ref()
                .map(|value| Ok(format!("{keyword} {}", self.inline(value, indent)?)))
                .transpose()
        };
        let (limit, offset) = (written("LIMIT", &query.limit)?, written("OFFSET", &query.offset)?);
        Ok(match (self.target, limit, offset) {
            (Target::Snowflake, None, Some(offset)) => vec!["LIMIT NULL".to_owned(), offset],
            (Target::Trino, limit, offset) => offset.into_iter().chain(limit).collect(),
            (_, limit, offset) => limit.into_iter().chain(offset).collect(),
        })
    }
}
