//! Types of columns for rewriting: a column of a known type is wrapped in a cast that is removed again afterwards.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_catalog::Catalog;

use crate::Dialect;
use crate::bind::{Bound, Kind, Meaning};
use crate::tree::{Argument, BinaryOperator, CastType, Expr, Identifier, Query};

use super::walk::{self, Done, Visitor};

/// Length that distinguishes a marking cast from one of the statement.
const MARK: u32 = u32::MAX;

/// The columns of a statement, by the position of their names.
pub(super) struct Columns {
    /// Types as names of casts.
    typed: BTreeMap<u32, &'static str>,
    /// Columns that may hold dates or times as text.
    untyped: BTreeSet<u32>,
    /// Numbers.
    numbers: BTreeSet<u32>,
    /// Whole numbers.
    integers: BTreeSet<u32>,
    /// Names that no source has.
    unknown: BTreeSet<u32>,
}

impl Columns {
    pub(super) fn of(query: &Query, catalog: &Catalog) -> Self {
        let mut columns = Self {
            typed: BTreeMap::new(),
            untyped: BTreeSet::new(),
            numbers: BTreeSet::new(),
            integers: BTreeSet::new(),
            unknown: BTreeSet::new(),
        };
        let bound = Bound::of(query, catalog, catalog.dialect);
        for found in &bound.uses {
            let start = found.name.span.start;
            let place = match &found.meaning {
                Meaning::Column(place) => *place,
                Meaning::UnknownColumn => {
                    columns.unknown.insert(start);
                    continue;
                }
                _ => continue,
            };
            let source = bound.source(place.block, place.source);
            let kind = source.and_then(|it| it.columns.get(place.column)).and_then(|it| it.kind);
            let cast = match kind {
                Some(Kind::Date) => "date",
                Some(Kind::Timestamp) => "timestamp",
                // On SQLite, dates and times are text too.
                Some(Kind::Text) if catalog.dialect == Dialect::Postgres => "text",
                Some(Kind::Text | Kind::Other | Kind::Untyped) | None => {
                    columns.untyped.insert(start);
                    continue;
                }
                Some(kind) => {
                    if kind.is_numeric() {
                        columns.numbers.insert(start);
                    }
                    if kind == Kind::Integer {
                        columns.integers.insert(start);
                    }
                    continue;
                }
            };
            columns.typed.insert(start, cast);
        }
        columns
    }

    /// Whether no source has a column of this name.
    pub(super) fn is_unknown(&self, name: &Identifier) -> bool {
        self.unknown.contains(&name.span.start)
    }

    /// Whether a column certainly holds numbers.
    pub(super) fn is_number(&self, name: &Identifier) -> bool {
        self.numbers.contains(&name.span.start)
    }

    /// Marks an expression as a number if it is a column of numbers.
    pub(super) fn mark_number(&self, expr: &mut Expr) {
        let Expr::Column { name, .. } = expr else { return };
        let start = name.span.start;
        if self.integers.contains(&start) {
            mark(expr, "integer");
        } else if self.numbers.contains(&start) {
            mark(expr, "numeric");
        }
    }

    /// Whether a column may hold dates or times as text.
    pub(super) fn is_untyped(&self, name: &Identifier) -> bool {
        self.untyped.contains(&name.span.start)
    }

    /// The column inside an expression whose type is unknown; `None` if there is none or more than one.
    pub(super) fn only_untyped(&self, node: &Expr) -> Option<Expr> {
        let mut found = Found { columns: self, seen: Vec::new() };
        walk::expr(&mut found, &mut node.clone()).ok()?;
        match found.seen.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    /// An expression with its columns of unknown type marked as a type.
    pub(super) fn marked(&self, node: &Expr, to: &'static str) -> Expr {
        let mut node = node.clone();
        let mut marks = MarkUntyped { columns: self, to };
        // The visitor never fails.
        drop(walk::expr(&mut marks, &mut node));
        node
    }

    /// Removes the marks of a query.
    pub(super) fn unmark(query: &mut Query) {
        drop(walk::query(&mut Unmark, query));
    }

    /// An expression without marks.
    pub(super) fn unmarked(node: &Expr) -> Expr {
        let mut node = node.clone();
        drop(walk::expr(&mut Unmark, &mut node));
        node
    }
}

fn mark(column: &mut Expr, to: &str) {
    let operand = Box::new(std::mem::replace(column, Expr::Tuple(Vec::new())));
    let to = CastType { name: to.to_owned(), arguments: vec![MARK] };
    *column = Expr::Cast { operand, to };
}

/// The column and type of a mark.
pub(super) fn marked_column(expr: &Expr) -> Option<(&Expr, &str)> {
    match expr {
        Expr::Cast { operand, to } if is_mark(to) => Some((operand, &to.name)),
        _ => None,
    }
}

/// Whether a cast is a mark.
pub(super) fn is_mark(to: &CastType) -> bool {
    to.arguments == [MARK]
}

/// Marks columns of known types.
pub(super) struct Marks<'a> {
    pub(super) columns: &'a Columns,
}

impl Visitor for Marks<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { name, .. } = node else { return Ok(()) };
        if let Some(to) = self.columns.typed.get(&name.span.start) {
            mark(node, to);
        }
        Ok(())
    }
}

/// Marks columns of known types that are arguments of calls or operands of `+` and `-`. Elsewhere a column must stay
/// recognizable by its name.
pub(super) struct MarkOperands<'a> {
    pub(super) columns: &'a Columns,
}

impl Visitor for MarkOperands<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let mut marks = Marks { columns: self.columns };
        let mut operand = |part: &mut Expr| match part {
            Expr::Column { name, .. } if self.columns.integers.contains(&name.span.start) => {
                mark(part, "integer");
                Ok(())
            }
            Expr::Column { .. } => marks.expr(part),
            _ => Ok(()),
        };
        match node {
            Expr::Binary {
                operator: BinaryOperator::Plus | BinaryOperator::Minus,
                left,
                right,
            } => {
                operand(left)?;
                operand(right)
            }
            Expr::Function(call) => {
                call.arguments.iter_mut().try_for_each(|argument| match argument {
                    Argument::Expr(value) => operand(value),
                    Argument::Star => Ok(()),
                })
            }
            _ => Ok(()),
        }
    }
}

struct MarkUntyped<'a> {
    columns: &'a Columns,
    to: &'static str,
}

impl Visitor for MarkUntyped<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { name, .. } = node else { return Ok(()) };
        if self.columns.untyped.contains(&name.span.start) {
            mark(node, self.to);
        }
        Ok(())
    }
}

struct Found<'a> {
    columns: &'a Columns,
    seen: Vec<Expr>,
}

impl Visitor for Found<'_> {
    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { name, .. } = node else { return Ok(()) };
        if self.columns.untyped.contains(&name.span.start) && !self.seen.contains(node) {
            self.seen.push(node.clone());
        }
        Ok(())
    }
}

struct Unmark;

impl Visitor for Unmark {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Cast { operand, to } = node
            && to.arguments == [MARK]
        {
            *node = std::mem::replace(&mut **operand, Expr::Tuple(Vec::new()));
        }
        Ok(())
    }
}
