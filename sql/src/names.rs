//! Comparison of identifiers in SQL text with stored names.

use super::Dialect;
use super::tree::Identifier;

/// Whether an identifier refers to a stored name, by the dialect's rules for case and quotes.
pub(crate) fn matches(written: &Identifier, stored: &str, dialect: Dialect) -> bool {
    dialect.refers_to(&written.name, written.quoted, stored)
}

/// The identifier in the case in which the server stores it.
pub(crate) fn stored(written: &Identifier, dialect: Dialect) -> Identifier {
    let name = dialect.fold(&written.name, written.quoted);
    Identifier { name, quoted: true, span: written.span }
}
