//! Literals.

use serde::{Deserialize, Serialize};

/// A literal as data: its place is left out.
pub(super) mod placeless {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Literal;
    use crate::sql::tree::Place;

    #[cfg_attr(
        target_pointer_width = "64",
        expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with references")
    )]
    pub(in crate::sql::tree) fn serialize<S: Serializer>(
        literal: &Literal,
        _: &Place,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        literal.serialize(serializer)
    }

    pub(in crate::sql::tree) fn deserialize<'de, D: Deserializer<'de>>(
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
    /// DATE 'yyyy-mm-dd'; SQLite prints the text alone.
    Date(String),
    /// INTERVAL '…' (PostgreSQL).
    Interval(String),
    /// NULL.
    Null,
    /// A number as written: digits, at most one point and an exponent.
    Number(String),
    /// A string, without quotes or escapes.
    String(String),
    /// TIMESTAMP 'yyyy-mm-dd hh:mm:ss'; SQLite prints the text alone.
    Timestamp(String),
}

impl Literal {
    /// Its text as written, without quotes; NULL has none.
    pub(crate) fn text(&self) -> Option<&str> {
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
