//! Syntax that only PostgreSQL has. It is kept in foreign nodes, which are printed but never run.
//!
//! In other dialects the same syntax is an error, unless it means the same there.

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
pub(super) use token::{DOCUMENT, QUERY, TABLE, TYPED, sentinel};

use sqlparser::tokenizer::TokenWithSpan;

use crate::diagnostic::Diagnostic;
use crate::foreign::{Foreign, Part, Spelled, Spelling};
use crate::tree::{Expr, Identifier};
use crate::words::entries;

use super::dialect::ReadDialect;
use super::{Converted, Reader};

/// Prepares tokens for the parser, and returns the sequences that were cut out.
pub(super) fn prepare(tokens: Vec<TokenWithSpan>) -> (Vec<TokenWithSpan>, Asides) {
    let (tokens, asides) = aside::set_aside(lexeme::relex(tokens));
    (token::respell(tokens), asides)
}

impl Reader<'_> {
    /// Whether foreign nodes can be created.
    pub(super) fn is_postgres(&self) -> bool {
        self.dialect == ReadDialect::Postgres
    }

    /// For PostgreSQL, wraps a diagnostic to be stored in a foreign node; for other dialects, returns it as an error.
    pub(super) fn keep(&self, fault: Diagnostic) -> Converted<Kept> {
        if self.is_postgres() { Ok(Kept { fault }) } else { Err(fault) }
    }

    /// Like [`Reader::keep`], for row locks in dialects that share PostgreSQL's locking clauses.
    pub(super) fn keep_lock(&self, fault: Diagnostic) -> Converted<Kept> {
        let same = matches!(self.dialect, ReadDialect::Mysql | ReadDialect::Postgres);
        if same { Ok(Kept { fault }) } else { Err(fault) }
    }

    /// Like [`Reader::keep`], for schema-qualified functions that can be user-defined in this dialect.
    pub(super) fn keep_function(&self, fault: Diagnostic, names: &[Identifier]) -> Converted<Kept> {
        let own = match self.dialect {
            ReadDialect::Postgres => true,
            // Excludes system functions and methods of column types.
            ReadDialect::Mssql => {
                let is_method = |name: &Identifier| {
                    // Methods of the spatial types.
                    name.name.starts_with("ST")
                        || entries(include_str!("../../../data/methods_tsql.txt"))
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

    /// A regular node together with its alternative syntax.
    pub(super) fn spelled(&self, meaning: Expr, spelling: Spelling) -> Expr {
        if self.is_postgres() && self.in_words {
            Expr::Spelled(Box::new(Spelled { meaning, spelling }))
        } else {
            meaning
        }
    }
}

/// A diagnostic to be stored in a foreign node.
pub(super) struct Kept {
    fault: Diagnostic,
}

impl Kept {
    /// A foreign expression that needs no parentheses.
    pub(super) fn expr(self, parts: Vec<Part>) -> Expr {
        Expr::Foreign(self.node(parts, false))
    }

    /// A foreign expression that is an operator application.
    pub(super) fn operator(self, parts: Vec<Part>) -> Expr {
        Expr::Foreign(self.node(parts, true))
    }

    /// A foreign node.
    #[expect(clippy::unnecessary_box_returns, reason = "every node holds it in a box")]
    pub(super) fn node(self, parts: Vec<Part>, is_operator: bool) -> Box<Foreign> {
        Box::new(Foreign { fault: self.fault, parts, is_operator })
    }
}

/// Parts for the items of a list, separated by commas.
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

/// Parts for a dotted name.
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
