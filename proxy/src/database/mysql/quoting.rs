//! Quoting of identifiers in the SQL that the proxy itself generates.

/// An identifier in backticks.
pub(super) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('\0', "").replace('`', "``"))
}

/// A column as text with an exact collation.
pub(super) fn text(column: &str, collation: &str) -> String {
    format!("CAST({} AS CHAR) COLLATE {collation}", quoted(column))
}
