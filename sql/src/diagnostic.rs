//! Diagnostics: the errors that the reader, the guard and the printer report.

use serde::{Serialize, Serializer};

use super::tree::SqlSpan;

/// An error in a statement, with its position in the SQL text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Diagnostic {
    /// Stable code of the rule.
    #[cfg_attr(feature = "typescript", tsify(type = "string"))]
    pub code: Code,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
    /// How to fix the statement, if known.
    pub hint: Option<String>,
    /// Position in the SQL text; zero-length at 0 if the query was composed rather than read.
    pub span: SqlSpan,
}

/// The rule that a statement breaks.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Code {
    /// An unqualified column name matches columns of several sources.
    AmbiguousColumn,
    /// The number of names in a column list differs from the number of columns.
    ColumnCount,
    /// INSERT, UPDATE, DELETE or MERGE, at any depth.
    DataModification,
    /// A translation that is right for one type of a column, which is not known.
    Doubt,
    /// Two sources of one FROM clause have the same name.
    DuplicateAlias,
    /// A function that is not on the allow-list.
    Function,
    /// SELECT INTO, or a locking clause such as FOR UPDATE.
    IntoOrLock,
    /// Characters or tokens that database servers interpret differently.
    Lexical,
    /// The statement is too long, nested too deeply, or unbounded.
    Limit,
    /// Not exactly one statement.
    OneStatement,
    /// A placeholder that has no value.
    Parameter,
    /// A relation outside the schemas of the catalog.
    Relation,
    /// A statement that is not a query.
    SelectOnly,
    /// Text that does not parse in its dialect.
    Syntax,
    /// A cast to a type that is not on the allow-list.
    Type,
    /// A qualifier that names no source in scope.
    UnknownAlias,
    /// A column that no source in scope has.
    UnknownColumn,
    /// A table that the catalog does not have.
    UnknownTable,
    /// A construct that the target dialect cannot express.
    Unprintable,
    /// A construct that the tree cannot represent.
    Unsupported,
    /// A whole row or a hidden column used as a value.
    WholeRow,
}

impl Code {
    /// Stable short identifier of the rule, such as `G05`.
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
            Self::Doubt => "R04",
        }
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl Diagnostic {
    /// A diagnostic without a hint.
    pub fn new(code: Code, message: impl Into<String>, span: SqlSpan) -> Self {
        Self { code, message: message.into(), hint: None, span }
    }

    /// The same diagnostic with a hint.
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
