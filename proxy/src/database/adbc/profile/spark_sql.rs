//! What Apache Spark and Sail have in common: types, quoting, failures.

use wherefore_engine::catalog::DataType;
use wherefore_sql::{Target, print_identifier, print_string};

use super::Syntax;
use crate::database::DatabaseError;
use crate::database::adbc::wire::Step;

/// How the proxy's own statements are written in Spark SQL.
pub(super) const SYNTAX: Syntax = Syntax {
    name: quoted,
    literal: Some(literal),
    text: "string",
    escape: "",
    has_in_query: false,
    within: |sql, rows| match rows {
        Some(rows) => format!("(\n{sql}\n) LIMIT {rows}"),
        None => format!("(\n{sql}\n)"),
    },
};

/// A name in backticks. One that cannot be written is replaced by one that no table has.
fn quoted(name: &str) -> String {
    print_identifier(name, Target::Spark).unwrap_or_else(|_| "`?`".to_owned())
}

/// A text as a literal. No text has a zero byte.
fn literal(text: &str) -> String {
    print_string(&text.replace('\0', ""), Target::Spark).unwrap_or_else(|_| "''".to_owned())
}

/// Type family of a declared type.
pub(super) fn family(declared: &str) -> DataType {
    let name = declared.split(['(', '<', ' ']).next().unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        "tinyint" | "smallint" | "int" | "integer" | "bigint" | "byte" | "short" | "long" => {
            DataType::Integer
        }
        "decimal" | "double" | "float" | "real" => DataType::Number,
        "string" | "varchar" | "char" => DataType::Text,
        "boolean" => DataType::Boolean,
        "date" => DataType::Date,
        "timestamp" | "timestamp_ntz" | "timestamp_ltz" => DataType::Timestamp,
        "binary" => DataType::Binary,
        "time" => DataType::Time,
        _ => DataType::Other,
    }
}

/// What drivers say if the connection to a server was lost in the middle of a result.
const LOST: [&str; 5] = [
    "connection error",
    "Unavailable",
    "error reading from server",
    "transport is closing",
    "connection reset",
];

/// The error for a statement that failed. What the server adds about its plans is left out.
pub(super) fn failure(step: Step, message: String, protocol: &str) -> DatabaseError {
    match step {
        Step::Denied => DatabaseError::PermissionDenied(message),
        Step::Foreign => DatabaseError::Unavailable(format!(
            "what listens there does not speak {protocol} ({message})"
        )),
        Step::Lost => DatabaseError::Unavailable(message),
        _ if LOST.iter().any(|words| message.contains(words)) => {
            DatabaseError::Unavailable(message)
        }
        _ => {
            let end = message.find("\n== ").or_else(|| message.find(";\n"));
            let text = message[..end.unwrap_or(message.len())].trim();
            DatabaseError::statement(text.strip_prefix("[Spark] ").unwrap_or(text))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_follow_the_declaration() {
        for (declared, expected) in [
            ("decimal(10,2)", DataType::Number),
            ("bigint", DataType::Integer),
            ("array<int>", DataType::Other),
            ("struct<a:int,b:string>", DataType::Other),
            ("map<string,int>", DataType::Other),
            ("interval day to second", DataType::Other),
            ("varchar(20)", DataType::Text),
            ("string collate UNICODE_CI", DataType::Text),
            ("timestamp_ntz", DataType::Timestamp),
            ("binary", DataType::Binary),
            ("date", DataType::Date),
        ] {
            assert_eq!(family(declared), expected, "{declared}");
        }
    }

    #[test]
    fn a_lost_server_is_no_failed_statement() {
        let code = |step, message: &str| failure(step, message.to_owned(), "Flight SQL");
        for (step, message) in [
            (Step::Lost, "IO"),
            (Step::Run, "rpc error: code = Unavailable desc = error reading from server: EOF"),
            (Step::Foreign, "Method not found"),
        ] {
            assert!(matches!(code(step, message), DatabaseError::Unavailable(_)), "{message}");
        }
        let long = "[Spark] [DIVIDE_BY_ZERO] Division by zero.\n== SQL (line 1) ==\nselect 1/0";
        assert_eq!(
            code(Step::Run, long),
            DatabaseError::statement("[DIVIDE_BY_ZERO] Division by zero.")
        );
    }

    #[test]
    fn names_and_texts_end_where_they_should() {
        assert_eq!(quoted("a`b"), "`a``b`");
        assert_eq!(quoted("${x}"), "`?`");
        assert_eq!(literal("it's \\ ${x}"), "'it\\'s \\\\ \\u0024{x}'");
    }
}
