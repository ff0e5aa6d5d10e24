//! Type families of columns, derived from declared types.

use serde::{Deserialize, Serialize};

/// Type family of a column, which determines the operations that a question can apply to it.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum DataType {
    /// Bytes.
    Binary,
    /// True or false.
    Boolean,
    /// Calendar date.
    Date,
    /// Whole number.
    Integer,
    /// JSON document.
    Json,
    /// Decimal or floating-point number.
    Number,
    /// Anything else, such as arrays and ranges.
    Other,
    /// Text.
    #[default]
    Text,
    /// Time of day.
    Time,
    /// Date with time of day.
    Timestamp,
    /// Universally unique identifier.
    Uuid,
}

impl DataType {
    /// The family of a declared type such as `NVARCHAR(40)`, `numeric(10,2)` or `timestamp with time zone`.
    ///
    /// An empty declaration (as in SQLite views) gives [`DataType::Other`].
    pub fn from_declaration(declared: &str) -> Self {
        let lower = declared.trim().to_ascii_lowercase();
        let base = lower.split('(').next().unwrap_or("").trim();
        let has = |part: &str| base.contains(part);
        if base.is_empty()
            || lower.ends_with("[]")
            || ["range", "interval", "point"].iter().any(|name| has(name))
        {
            Self::Other
        } else if has("timestamp") || has("datetime") {
            Self::Timestamp
        } else if base == "date" {
            Self::Date
        } else if base.starts_with("time") {
            Self::Time
        } else if has("bool") || base == "bit" {
            Self::Boolean
        } else if has("int") || has("serial") {
            Self::Integer
        } else if ["numeric", "decimal", "real", "float", "double", "money", "number"]
            .iter()
            .any(|name| has(name))
        {
            Self::Number
        } else if has("json") {
            Self::Json
        } else if has("uuid") || has("uniqueidentifier") {
            Self::Uuid
        } else if has("blob") || has("bytea") || has("binary") || has("image") {
            Self::Binary
        } else {
            Self::Text
        }
    }

    /// Whether values of this type can be summed and averaged.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Number)
    }

    /// Whether values of this type can be filtered by a calendar range.
    pub fn is_temporal(self) -> bool {
        matches!(self, Self::Date | Self::Timestamp)
    }
}

#[cfg(test)]
mod tests {
    use super::DataType;

    #[test]
    fn declared_types_of_both_engines_fall_into_their_family() {
        for (declared, expected) in [
            ("NVARCHAR(160)", DataType::Text),
            ("character varying", DataType::Text),
            ("NUMERIC(10,2)", DataType::Number),
            ("double precision", DataType::Number),
            ("bigint", DataType::Integer),
            ("timestamp with time zone", DataType::Timestamp),
            ("DATETIME", DataType::Timestamp),
            ("date", DataType::Date),
            ("time without time zone", DataType::Time),
            ("text[]", DataType::Other),
            ("int4range", DataType::Other),
            ("point", DataType::Other),
            ("", DataType::Other),
            ("BLOB", DataType::Binary),
        ] {
            assert_eq!(DataType::from_declaration(declared), expected, "{declared}");
        }
    }
}
