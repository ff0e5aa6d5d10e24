//! Literals.

use serde::{Deserialize, Serialize};

/// Serializes a literal without its position.
pub(super) mod placeless {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Literal;
    use crate::tree::Place;

    #[cfg_attr(
        target_pointer_width = "64",
        expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with references")
    )]
    pub(in crate::tree) fn serialize<S: Serializer>(
        literal: &Literal,
        _: &Place,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        literal.serialize(serializer)
    }

    pub(in crate::tree) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<(Literal, Place), D::Error> {
        Ok((Literal::deserialize(deserializer)?, Place::default()))
    }
}

/// A literal.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    /// TRUE or FALSE.
    Boolean(bool),
    /// DATE 'yyyy-mm-dd'; SQLite prints only the string.
    Date(String),
    /// INTERVAL '…' (PostgreSQL).
    Interval(String),
    /// NULL.
    Null,
    /// A number as written: digits, at most one decimal point, and an optional exponent.
    Number(String),
    /// A string, unquoted and unescaped.
    String(String),
    /// TIMESTAMP 'yyyy-mm-dd hh:mm:ss'; SQLite prints only the string.
    Timestamp(String),
}

impl Literal {
    /// Text of the literal without quotes; `None` for NULL.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Boolean(value) => Some(if *value { "true" } else { "false" }),
            Self::Date(text)
            | Self::Interval(text)
            | Self::Number(text)
            | Self::String(text)
            | Self::Timestamp(text) => Some(text),
            Self::Null => None,
        }
    }
}
