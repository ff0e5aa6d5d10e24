//! Nodes for SQL syntax that is parsed and printed but never runs.
//!
//! A [`Foreign`] node holds a construct that the tree cannot represent: the parts needed to print it, and the
//! diagnostic that the guard returns for it. A [`Spelled`] node wraps a regular node that was written in alternative
//! PostgreSQL syntax; only the regular node is checked.

use super::diagnostic::Diagnostic;
use super::tree::{Expr, FromItem, Identifier, OrderItem, Query, Window};

#[cfg(feature = "read")]
pub use std::boxed::Box as Held;

#[cfg(not(feature = "read"))]
pub use super::held::Held;

/// A construct that the tree has no node for.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// Diagnostic that the guard returns.
    pub fault: Diagnostic,
    /// Parts to print, in order.
    pub parts: Vec<Part>,
    /// Whether the construct is an operator, which needs parentheses next to other operators.
    pub is_operator: bool,
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

/// A printable part of a foreign node.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Keywords and punctuation that the reader adds.
    Text(&'static str),
    /// An unquoted word of the source text; its case does not matter.
    Word(String),
    /// A word that keeps its quotes because it could be a keyword without them.
    Quoted(String),
    /// An operator or punctuation of the source text.
    Symbol(String),
    /// A number literal, in any PostgreSQL notation.
    Number(String),
    /// A string.
    String(String),
    /// An identifier.
    Name(Identifier),
    /// An expression that is delimited by commas or parentheses.
    Expr(Expr),
    /// An expression that is an operand of an operator.
    Operand(Expr),
    /// An ORDER BY item.
    Order(OrderItem),
    /// Contents of the parentheses after OVER.
    Window(Window),
    /// A query without its parentheses.
    Query(Box<Query>),
    /// A source with its joins.
    From(Box<FromItem>),
}

/// A regular node together with the alternative PostgreSQL syntax it was written in.
#[derive(Clone, Debug, PartialEq)]
pub struct Spelled<T> {
    /// The equivalent regular node.
    pub meaning: T,
    /// The syntax it was written in.
    pub spelling: Spelling,
}

/// Alternative PostgreSQL syntax for constructs that the printer writes differently.
#[derive(Clone, Debug, PartialEq)]
pub enum Spelling {
    /// `<> ALL (…)` for NOT IN.
    All,
    /// `= ANY (…)` for IN.
    Any,
    /// `date(operand)` for a cast.
    DateCall,
    /// `POSITION(… IN …)` for strpos.
    Position,
    /// `SUBSTRING(… FROM … FOR …)`; FROM and FOR are each optional.
    Substring {
        /// Whether FROM is present.
        from: bool,
        /// Whether FOR is present.
        length: bool,
    },
    /// `TRIM(LEADING … FROM …)`, TRAILING or BOTH; the value is that keyword.
    Trim(&'static str),
    /// LIKE without an ESCAPE clause, which uses the dialect's default escape character.
    OwnEscape,
    /// A literal or another leaf, printed from its original parts.
    Leaf(Vec<Part>),
    /// `OVER name` or `OVER (name …)`, with the named window resolved in the call.
    Over(Vec<Part>),
    /// `a ^ b` for `power(a, b)`.
    Power,
    /// IS UNKNOWN for IS NULL.
    Unknown,
    /// A SELECT with the WINDOW clause that its window calls refer to.
    Windows(Vec<Part>),
}
