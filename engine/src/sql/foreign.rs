//! SQL that the tree's own nodes do not hold, or hold in other words.
//!
//! A foreign node is read and printed, and never runs: it keeps what it needs to be printed again, and the fault that
//! the guard answers it with. A spelled node says in PostgreSQL's words what an own node means: only that is checked.

use super::diagnostic::Diagnostic;
use super::tree::{Expr, FromItem, Identifier, OrderItem, Query, Window};

/// A construct without a node of its own.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// What the guard says of it.
    pub fault: Diagnostic,
    /// What is printed, one part after the other.
    pub parts: Vec<Part>,
    /// Whether it is an operator, which needs parentheses beside others.
    pub is_operator: bool,
}

impl PartialEq for Foreign {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

/// A part of a foreign node, as it is printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Keywords and marks that the reader put there.
    Text(&'static str),
    /// An unquoted word of the text, whose case does not count.
    Word(String),
    /// A word that keeps its quotes, as a keyword might mean something else.
    Quoted(String),
    /// An operator or a mark of the text.
    Symbol(String),
    /// A number in any of the forms that PostgreSQL has.
    Number(String),
    /// A string.
    String(String),
    /// A name.
    Name(Identifier),
    /// An expression between commas or in parentheses.
    Expr(Expr),
    /// An expression beside an operator.
    Operand(Expr),
    /// An ORDER BY item.
    Order(OrderItem),
    /// What stands in the parentheses of OVER.
    Window(Window),
    /// A query without parentheses.
    Query(Box<Query>),
    /// A source with its joins.
    From(Box<FromItem>),
}

/// An own node in PostgreSQL's words.
#[derive(Clone, Debug, PartialEq)]
pub struct Spelled<T> {
    /// What it means.
    pub meaning: T,
    /// How it was written.
    pub spelling: Spelling,
}

/// Words that PostgreSQL has beside those that the printer writes.
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
    /// `SUBSTRING(… FROM … FOR …)`, with or without the first and the second.
    Substring {
        /// Whether FROM stands.
        from: bool,
        /// Whether FOR stands.
        length: bool,
    },
    /// `TRIM(LEADING … FROM …)` or its like, by the side.
    Trim(&'static str),
    /// LIKE without the ESCAPE that it has anyway.
    OwnEscape,
    /// A literal or another leaf in parts of its own.
    Leaf(Vec<Part>),
    /// `OVER name` or `OVER (name …)` for a call with that window.
    Over(Vec<Part>),
    /// `a ^ b` for `power(a, b)`.
    Power,
    /// IS UNKNOWN for IS NULL.
    Unknown,
    /// A SELECT with the WINDOW clause that its calls name.
    Windows(Vec<Part>),
}
