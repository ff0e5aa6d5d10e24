//! The SELECT-only syntax tree. The composer and the reader build it; the guard, the printer and the lint rules consume
//! it.
//!
//! A construct without a regular node cannot run, which makes the tree the guard's first layer of defence. With the SQL
//! reader, the tree can also contain foreign nodes for such constructs. They are only read and printed: the guard
//! refuses each of them, so a checked statement never contains one.

mod call;
mod expr;
mod literal;
mod operator;
mod query;

use serde::{Deserialize, Serialize};

pub use call::{Argument, Frame, FrameBound, FunctionCall, Window};
pub use expr::Expr;
pub use literal::Literal;
pub use operator::{BinaryOperator, CastType, GroupingKind};
pub use query::{
    Body, Cte, FromItem, Join, JoinCondition, JoinKind, OrderItem, Query, Select, SelectItem,
    SetOperator, Source,
};

/// A range of the SQL text, in UTF-8 bytes (in UTF-16 code units in the JavaScript package); zero-length at 0 for
/// composed SQL.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct SqlSpan {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// Position of a node in the SQL text. All places compare equal, so that equality of nodes ignores position.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Place(pub SqlSpan);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An identifier, without its quotes.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Identifier {
    /// The name.
    pub name: String,
    /// Whether the name was quoted, which makes it case-sensitive on PostgreSQL.
    pub quoted: bool,
    /// Position in the SQL text.
    #[serde(skip)]
    pub span: SqlSpan,
}

impl PartialEq for Identifier {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.quoted == other.quoted
    }
}

impl Identifier {
    /// An identifier for a stored name: quoted, to preserve its case.
    pub fn stored(name: impl Into<String>) -> Self {
        Self { name: name.into(), quoted: true, span: SqlSpan::default() }
    }
}
