//! What only PostgreSQL has: kept in foreign nodes, which are printed again and never run.
//!
//! For every other dialect the same constructs are refused here and now, but for those that mean the same there.

mod access;
mod aside;
mod call;
mod lexeme;
mod literal;
mod operator;
mod predicate;
mod query;
mod source;
mod token;
mod types;

pub(super) use aside::Asides;
pub(super) use call::Over;
pub(super) use operator::{collated, is_collation, is_word};
pub(super) use token::{DOCUMENT, QUERY, TABLE, TYPED};

use sqlparser::tokenizer::TokenWithSpan;

use crate::sql::diagnostic::Diagnostic;
use crate::sql::foreign::{Foreign, Part, Spelled, Spelling};
use crate::sql::tree::{Expr, Identifier};
use crate::sql::words::entries;

use super::dialect::ReadDialect;
use super::{Converted, Reader};

/// Tokens as the parser knows them, and what was set aside of them.
pub(super) fn prepare(tokens: Vec<TokenWithSpan>) -> (Vec<TokenWithSpan>, Asides) {
    let (tokens, asides) = aside::set_aside(lexeme::relex(tokens));
    (token::respell(tokens), asides)
}

impl Reader<'_> {
    /// Whether foreign nodes may be made.
    pub(super) fn is_postgres(&self) -> bool {
        self.dialect == ReadDialect::Postgres
    }

    /// A fault that is no fault on PostgreSQL: there it goes into the tree with what it is about.
    pub(super) fn keep(&self, fault: Diagnostic) -> Converted<Kept> {
        if self.is_postgres() { Ok(Kept { fault }) } else { Err(fault) }
    }

    /// The fault of a row lock, kept where a dialect has PostgreSQL's locks.
    pub(super) fn keep_lock(&self, fault: Diagnostic) -> Converted<Kept> {
        let same = matches!(self.dialect, ReadDialect::Mysql | ReadDialect::Postgres);
        if same { Ok(Kept { fault }) } else { Err(fault) }
    }

    /// The fault of a function with a schema, kept where its owner can have made one of that name elsewhere.
    pub(super) fn keep_function(&self, fault: Diagnostic, names: &[Identifier]) -> Converted<Kept> {
        let own = match self.dialect {
            ReadDialect::Postgres => true,
            // Not functions of the system, nor methods of a column's type.
            ReadDialect::Mssql => {
                let is_method = |name: &Identifier| {
                    // Those of places.
                    name.name.starts_with("ST")
                        || entries(include_str!("../../../../data/sql/methods_tsql.txt"))
                            .any(|method| name.name.eq_ignore_ascii_case(method))
                };
                let is_system =
                    names.first().is_some_and(|schema| schema.name.eq_ignore_ascii_case("sys"));
                names.len() > 1 && !is_system && !names.last().is_some_and(is_method)
            }
            _ => false,
        };
        if own { Ok(Kept { fault }) } else { Err(fault) }
    }

    /// An own node in the words in which it was written.
    pub(super) fn spelled(&self, meaning: Expr, spelling: Spelling) -> Expr {
        if self.is_postgres() && self.in_words {
            Expr::Spelled(Box::new(Spelled { meaning, spelling }))
        } else {
            meaning
        }
    }
}

/// A fault that is kept for the guard.
pub(super) struct Kept {
    fault: Diagnostic,
}

impl Kept {
    /// A foreign expression that needs no parentheses.
    pub(super) fn expr(self, parts: Vec<Part>) -> Expr {
        Expr::Foreign(self.node(parts, false))
    }

    /// A foreign expression that is an operator.
    pub(super) fn operator(self, parts: Vec<Part>) -> Expr {
        Expr::Foreign(self.node(parts, true))
    }

    /// A foreign node.
    #[expect(clippy::unnecessary_box_returns, reason = "every node holds it in a box")]
    pub(super) fn node(self, parts: Vec<Part>, is_operator: bool) -> Box<Foreign> {
        Box::new(Foreign { fault: self.fault, parts, is_operator })
    }
}

/// Parts of the items of a list, with commas between them.
fn listed<T>(items: impl IntoIterator<Item = T>, part: impl Fn(T) -> Part) -> Vec<Part> {
    let mut parts = Vec::new();
    for item in items {
        if !parts.is_empty() {
            parts.push(Part::Text(", "));
        }
        parts.push(part(item));
    }
    parts
}

/// Parts of a dotted name.
fn dotted(names: Vec<Identifier>) -> Vec<Part> {
    let mut parts = Vec::new();
    for name in names {
        if !parts.is_empty() {
            parts.push(Part::Text("."));
        }
        parts.push(Part::Name(name));
    }
    parts
}
