//! Quoting of identifiers and texts in the SQL that the proxy itself generates.

/// An identifier in double quotes, which both dialects always read as a name.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\0', "").replace('"', "\"\""))
}

/// A table's name with its schema, quoted.
pub(crate) fn quoted_table(schema: Option<&str>, name: &str) -> String {
    match schema {
        Some(schema) => format!("{}.{}", quoted(schema), quoted(name)),
        None => quoted(name),
    }
}

/// A text with the wildcards of LIKE escaped by `\`.
pub(crate) fn like_literal(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
