//! Printing of internal calls that stand for bit string and byte string literals.

use crate::tree::{Argument, Expr, FunctionCall, Literal};

use super::{Printer, Target, Unprintable};

impl Printer {
    /// The literal for an internal call; `None` for other calls.
    pub(super) fn internal(self, call: &FunctionCall) -> Result<Option<String>, Unprintable> {
        let texts: Option<Vec<&str>> = call
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Expr(Expr::Literal(Literal::String(text), _)) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        let has_x = |target| {
            matches!(
                target,
                Target::Sqlite
                    | Target::Mysql
                    | Target::Spark
                    | Target::Databricks
                    | Target::Snowflake
                    | Target::Trino
            )
        };
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_hexdigit());
        let text = match (call.name.as_str(), texts.as_deref(), self.target) {
            ("_bits", Some([kind @ ("b" | "x"), text]), Target::Postgres) if digits(text) => {
                format!("{}'{text}'", kind.to_ascii_uppercase())
            }
            ("_bits", Some(["x", text]), target) | ("_blob", Some([text]), target)
                if has_x(target) && digits(text) && text.len() % 2 == 0 =>
            {
                format!("x'{text}'")
            }
            ("_blob", Some([text]), Target::Postgres) if digits(text) => {
                format!("decode('{text}', 'hex')")
            }
            ("_blob", Some([text]), Target::Duckdb) if digits(text) && text.len() % 2 == 0 => {
                format!("from_hex('{text}')")
            }
            ("_bits", Some(["x", text]), Target::Tsql) | ("_blob", Some([text]), Target::Tsql)
                if digits(text) =>
            {
                format!("0x{text}")
            }
            ("_bits" | "_blob", ..) => return self.refuse("a bit or byte string"),
            ("_interval", ..) => return self.refuse("an interval"),
            _ => return Ok(None),
        };
        Ok(Some(text))
    }
}
