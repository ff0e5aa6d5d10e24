//! The SELECT-only SQL tree: what composer and reader make, and guard, printer and rules work on.
//!
//! What its own nodes cannot hold cannot run: that is the guard's first layer. A foreign node, which a host with a
//! reader can have besides, is only read and printed: the guard refuses each, so that no checked statement has one.

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

/// A range of the SQL that was read, in UTF-8 bytes, and in UTF-16 code units where the JavaScript package gives it;
/// zero-length at 0 for composed SQL.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct SqlSpan {
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// Where a node stood in the text that was read; two nodes that say the same are equal wherever they stand.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Place(pub SqlSpan);

impl PartialEq for Place {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A name, as written without its quotes.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Identifier {
    /// The name.
    pub name: String,
    /// Whether it was quoted, so that its case counts.
    pub quoted: bool,
    /// Where it stood.
    #[serde(skip)]
    pub span: SqlSpan,
}

impl PartialEq for Identifier {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.quoted == other.quoted
    }
}

impl Identifier {
    /// A name as stored: quoted, so that its case counts.
    pub fn stored(name: impl Into<String>) -> Self {
        Self { name: name.into(), quoted: true, span: SqlSpan::default() }
    }
}
