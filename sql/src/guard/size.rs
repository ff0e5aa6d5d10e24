//! Upper bounds on the size of texts, lists and JSON values, as far as the statement determines them.
//!
//! Stored values count as short. What is bounded is the factor by which an expression multiplies its inputs: servers
//! cannot interrupt some of the functions that process one huge value.

use crate::Dialect;
use crate::tree::{Argument, BinaryOperator, CastType, Expr, FunctionCall, Literal};
use crate::types::{CastSpelling, type_entry};

use super::functions::{self, Growth};

/// A column of a recursive CTE whose recursive part is being checked: index of the CTE and of the column.
pub(super) type OwnColumn = (usize, usize);

/// Stands for any number of occurrences above one.
pub(super) const MANY: u8 = 2;

/// Size of a value relative to its inputs.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Size {
    /// How often the value can contain a column of the recursive CTE: once or [`MANY`] times.
    pub(super) own: Vec<(OwnColumn, u8)>,
    /// Whether the value can be longer than each column that it contains.
    pub(super) adds: bool,
    /// Maximum number of characters that come from constants of the statement.
    pub(super) fixed: u64,
    /// Whether the value is assembled from any number of rows, by an aggregate or a recursion.
    pub(super) open: bool,
}

impl Size {
    /// Size of a column of a recursive CTE, within its recursive part.
    pub(super) fn of_own(column: OwnColumn) -> Self {
        Self { own: vec![(column, 1)], ..Self::default() }
    }

    fn of_constant(characters: u64) -> Self {
        Self { fixed: characters, ..Self::default() }
    }

    /// The same size without the columns of this recursive CTE, for use after the recursion.
    pub(super) fn without(&self, table: usize) -> Self {
        let own = self.own.iter().filter(|((own, _), _)| *own != table).copied().collect();
        Self { own, ..self.clone() }
    }

    /// Size of a value that is one of two.
    pub(super) fn either(mut self, other: Self) -> Self {
        for (column, times) in other.own {
            match self.own.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known = times.max(*known),
                None => self.own.push((column, times)),
            }
        }
        self.adds |= other.adds;
        self.open |= other.open;
        self.fixed = self.fixed.max(other.fixed);
        self
    }

    /// Size of a value that contains two.
    fn and(mut self, other: Self) -> Self {
        for (column, times) in other.own {
            match self.own.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known = (*known + times).min(MANY),
                None => self.own.push((column, times)),
            }
        }
        self.adds = !self.own.is_empty();
        self.open |= other.open;
        self.fixed = self.fixed.saturating_add(other.fixed);
        self
    }

    /// Size of a value that can contain its inputs several times, or every character of them several times.
    pub(super) fn many(mut self) -> Self {
        for (_, times) in &mut self.own {
            *times = MANY;
        }
        self.adds = !self.own.is_empty();
        self
    }
}

/// Size of the result of a call, from the sizes of its arguments.
pub(super) fn of_call(call: &FunctionCall, dialect: Dialect, sizes: Vec<Size>) -> Size {
    let growth = functions::function(&call.name, dialect).map(|entry| entry.growth);
    let first = sizes.first().map_or(0, |size| size.fixed);
    let rest = sizes.iter().skip(1).fold(0, |sum: u64, size| sum.saturating_add(size.fixed));
    match growth.unwrap_or_default() {
        Growth::Longest => longest(sizes),
        Growth::Short => Size::default(),
        Growth::Format if is_quoting(call) => all(sizes).many(),
        Growth::Format | Growth::Joined => all(sizes),
        Growth::Wrapped => all(sizes).many(),
        Growth::Collected => Size { open: true, ..all(sizes).many() },
        Growth::Cut(place) => match constant(call, place) {
            Some(length) => Size::of_constant(length),
            None => longest(sizes),
        },
        Growth::Multiplied if shrinks(call) => longest(sizes),
        Growth::Multiplied => {
            let times = constant(call, 1).unwrap_or(rest).max(1);
            Size { fixed: first.saturating_mul(times), ..all(sizes).many() }
        }
    }
}

/// Size of a value that contains all of these.
pub(super) fn all(sizes: impl IntoIterator<Item = Size>) -> Size {
    sizes.into_iter().reduce(Size::and).unwrap_or_default()
}

/// Size of a value that is one of these.
pub(super) fn longest(sizes: impl IntoIterator<Item = Size>) -> Size {
    sizes.into_iter().reduce(Size::either).unwrap_or_default()
}

/// Size of a binary operation, from the sizes of its operands.
pub(super) fn of_binary(operator: BinaryOperator, left: Size, right: Size) -> Size {
    match operator {
        BinaryOperator::Concat => left.and(right),
        BinaryOperator::JsonGet
        | BinaryOperator::JsonGetText
        | BinaryOperator::JsonPath
        | BinaryOperator::JsonPathText
        | BinaryOperator::Minus => left,
        _ => Size::default(),
    }
}

/// Size of a literal.
pub(super) fn of_literal(literal: &Literal) -> Size {
    Size::of_constant(literal.text().map_or(0, |text| text.len() as u64))
}

/// Size of a cast: only texts and JSON values can be long, and PostgreSQL cuts at the length of the type.
pub(super) fn of_cast(operand: Size, to: &CastType, dialect: Dialect) -> Size {
    let spelling = type_entry(&to.name).and_then(|entry| entry.spelling(dialect));
    match (spelling, to.arguments.first()) {
        (Some(CastSpelling::Type("CHAR" | "BPCHAR" | "VARCHAR")), Some(length)) => {
            Size::of_constant(u64::from(*length))
        }
        (Some(CastSpelling::Type(name)), _) if is_text(name) => operand,
        _ => Size::default(),
    }
}

fn is_text(spelling: &str) -> bool {
    matches!(spelling, "BPCHAR" | "CHAR" | "JSON" | "JSONB" | "TEXT" | "VARCHAR")
}

/// Whether a replacement is not longer than what it replaces, both constants.
fn shrinks(call: &FunctionCall) -> bool {
    let text = |place: usize| match call.arguments.get(place) {
        Some(Argument::Expr(Expr::Literal(Literal::String(text), _))) => Some(text.chars().count()),
        _ => None,
    };
    match (text(1), text(2)) {
        (_, Some(0)) => true,
        (Some(pattern), Some(replacement)) => call.name == "replace" && replacement <= pattern,
        _ => false,
    }
}

/// Whether a format of SQLite quotes an argument (`%q`), which doubles the quotation marks in it.
fn is_quoting(call: &FunctionCall) -> bool {
    match call.arguments.first() {
        Some(Argument::Expr(Expr::Literal(Literal::String(format), _))) => {
            format.contains(['q', 'Q', 'w'])
        }
        _ => true,
    }
}

fn constant(call: &FunctionCall, place: usize) -> Option<u64> {
    match call.arguments.get(place) {
        Some(Argument::Expr(Expr::Literal(Literal::Number(text), _))) => text.parse().ok(),
        _ => None,
    }
}
