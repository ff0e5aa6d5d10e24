//! How a written name compares with a stored one.

use super::Dialect;
use super::tree::Identifier;

/// Whether a written name means a stored one.
pub(crate) fn matches(written: &Identifier, stored: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Sqlite => written.name.eq_ignore_ascii_case(stored),
        Dialect::Postgres if written.quoted => written.name == stored,
        Dialect::Postgres => {
            written.name.len() == stored.len()
                && written
                    .name
                    .bytes()
                    .zip(stored.bytes())
                    .all(|(w, s)| w.to_ascii_lowercase() == s)
        }
    }
}

/// A written name as the server stores it.
pub(crate) fn stored(written: &Identifier, dialect: Dialect) -> Identifier {
    let name = match dialect {
        Dialect::Postgres if !written.quoted => written.name.to_ascii_lowercase(),
        Dialect::Postgres | Dialect::Sqlite => written.name.clone(),
    };
    Identifier { name, quoted: true, span: written.span }
}
