//! What is wrong with a statement.

use serde::{Serialize, Serializer};

use super::tree::SqlSpan;

/// A fault found in a statement, with the place where it was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Diagnostic {
    /// Stable code of the rule.
    #[cfg_attr(feature = "typescript", tsify(type = "string"))]
    pub code: Code,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
    /// What would help, where that is known.
    pub hint: Option<String>,
    /// Where in the SQL that was read; zero-length at 0 for composed SQL.
    pub span: SqlSpan,
}

/// Rules that a statement can break.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Code {
    /// A name without a source stands in more than one source.
    AmbiguousColumn,
    /// A name list does not match the number of columns.
    ColumnCount,
    /// INSERT, UPDATE, DELETE or MERGE anywhere.
    DataModification,
    /// Two sources share a name.
    DuplicateAlias,
    /// A function that is not on the list.
    Function,
    /// SELECT INTO or a lock.
    IntoOrLock,
    /// Characters or tokens that servers read in different ways.
    Lexical,
    /// Too long, too deep, or without a bound.
    Limit,
    /// Not exactly one statement.
    OneStatement,
    /// A placeholder without a value.
    Parameter,
    /// A relation outside the catalog's schemas.
    Relation,
    /// Another statement than a query.
    SelectOnly,
    /// Text that is not SQL of its dialect.
    Syntax,
    /// A cast to a type that is not on the list.
    Type,
    /// A source name that is not in FROM.
    UnknownAlias,
    /// A column that no source has.
    UnknownColumn,
    /// A table that the catalog does not have.
    UnknownTable,
    /// A construct that the target dialect cannot express.
    Unprintable,
    /// A construct that the tree does not hold.
    Unsupported,
    /// A whole row or a hidden column used as a value.
    WholeRow,
}

impl Code {
    /// Stable short form, such as `G05`.
    pub fn id(self) -> &'static str {
        match self {
            Self::OneStatement => "G01",
            Self::SelectOnly => "G02",
            Self::DataModification => "G03",
            Self::IntoOrLock => "G04",
            Self::Function => "G05",
            Self::Relation => "G06",
            Self::Lexical => "G07",
            Self::Limit => "G08",
            Self::WholeRow => "G09",
            Self::Parameter => "G10",
            Self::Type => "G11",
            Self::UnknownTable => "N01",
            Self::UnknownColumn => "N02",
            Self::UnknownAlias => "N03",
            Self::AmbiguousColumn => "N04",
            Self::DuplicateAlias => "N05",
            Self::ColumnCount => "N09",
            Self::Syntax => "R01",
            Self::Unsupported => "R02",
            Self::Unprintable => "R03",
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl Diagnostic {
    /// A fault without a hint.
    pub fn new(code: Code, message: impl Into<String>, span: SqlSpan) -> Self {
        Self { code, message: message.into(), hint: None, span }
    }

    /// The same fault with a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code.id(), self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}
