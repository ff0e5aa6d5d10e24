//! Estimated upper bounds on the size of texts, lists and JSON values, as far as the statement determines them.
//!
//! A stored value counts as short, and what is assembled from rows as somewhat longer. What is bounded is the factor by
//! which an expression multiplies its inputs: servers cannot interrupt some of the functions that process one huge
//! value.

use crate::tree::BinaryOperator;

use super::constants;

/// A column of a recursive CTE whose recursive part is being checked: index of the CTE and of the column.
pub(super) type OwnColumn = (usize, usize);

/// Stands for any number of occurrences above one.
pub(super) const MANY: u8 = 2;

/// Number of characters that a stored value or the text of a number counts as.
const SHORT: u64 = 32;

/// How many times as long as a short value what is assembled from any number of rows counts at least.
const ASSEMBLED: u64 = 16;

/// How a value is written as text or as a part of a JSON value.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Form {
    /// As JSON: a JSON value contains it without quotes.
    Json,
    /// As a list, which quotes its elements.
    List,
    /// As it is; a JSON value quotes it.
    #[default]
    Plain,
}

/// Size of a value relative to its inputs.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Size {
    /// How often the value can contain a column of the recursive CTE: once or [`MANY`] times.
    pub(super) own: Vec<(OwnColumn, u8)>,
    /// Whether the value can be longer than each column that it contains.
    pub(super) adds: bool,
    /// Estimated number of characters.
    pub(super) length: u64,
    /// Whether the value is assembled from any number of rows, by an aggregate or a recursion.
    pub(super) open: bool,
    /// How the value is written.
    pub(super) form: Form,
    /// Whether the statement can put a wildcard of LIKE into the value.
    pub(super) has_wildcard: bool,
}

impl Size {
    /// Size of a column of a recursive CTE, within its recursive part.
    pub(super) fn of_own(column: OwnColumn, seed: &Self) -> Self {
        let seed = Self { adds: false, length: seed.length(), open: false, ..seed.clone() };
        Self { own: vec![(column, 1)], ..seed }
    }

    /// Estimated number of characters, at least that of a short value.
    pub(super) fn length(&self) -> u64 {
        self.length.max(SHORT)
    }

    /// Size of a stored value, a number, a date or a truth value.
    pub(super) fn short() -> Self {
        Self::of_length(SHORT)
    }

    /// Size of a text of at most this many characters.
    pub(super) fn of_length(length: u64) -> Self {
        Self { length, ..Self::default() }
    }

    /// The same size without the columns of this recursive CTE, for use after the recursion.
    pub(super) fn without(&self, table: usize) -> Self {
        let own = self.own.iter().filter(|((own, _), _)| *own != table).copied().collect();
        Self { own, ..self.clone() }
    }

    /// The same size after the recursion of a table with columns of these sizes.
    pub(super) fn after(&self, table: usize, columns: &[Self]) -> Self {
        let own = self.own.iter().filter(|((own, _), _)| *own == table);
        let columns = own.filter_map(|((_, column), _)| columns.get(*column));
        columns.fold(self.without(table), |size, column| size.either(column.clone()))
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
        self.length = self.length.max(other.length);
        self.has_wildcard |= other.has_wildcard;
        self.form = match (self.form, other.form) {
            (form, other) if form == other => form,
            (Form::List, _) | (_, Form::List) => Form::List,
            _ => Form::Plain,
        };
        self
    }

    /// Size of a value that contains two; a value next to a list becomes an element of it.
    pub(super) fn and(self, other: Self) -> Self {
        match (self.form, other.form) {
            (Form::List, Form::Json | Form::Plain) => self.beside(other.quoted(2)),
            (Form::Json | Form::Plain, Form::List) => {
                Self { form: Form::List, ..self.quoted(2).beside(other) }
            }
            (Form::Json, Form::Plain) => Self { form: Form::Plain, ..self.beside(other) },
            _ => self.beside(other),
        }
    }

    fn beside(mut self, other: Self) -> Self {
        for (column, times) in other.own {
            match self.own.iter_mut().find(|(known, _)| *known == column) {
                Some((_, known)) => *known = (*known + times).min(MANY),
                None => self.own.push((column, times)),
            }
        }
        self.adds = !self.own.is_empty();
        self.open |= other.open;
        self.length = self.length.saturating_add(other.length);
        self.has_wildcard |= other.has_wildcard;
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

    /// Size of a value of which every character takes the place of up to `factor` characters, between two quotation
    /// marks.
    pub(super) fn quoted(self, factor: u64) -> Self {
        let length = self.length.saturating_mul(factor).saturating_add(2);
        Self { length, ..self.many() }
    }

    /// Size of a value that is cut at a length.
    pub(super) fn cut(self, length: u64) -> Self {
        let is_known = self.own.is_empty() && !self.open;
        let length = if is_known { length.min(self.length) } else { length };
        self.padded(length)
    }

    /// Size of a value that is brought to a length.
    pub(super) fn padded(self, length: u64) -> Self {
        Self { has_wildcard: self.has_wildcard, ..Self::of_length(length) }
    }

    /// Size of a value written as text, which quotes the elements of a list.
    pub(super) fn in_text(self) -> Self {
        match self.form {
            Form::List => Self { form: Form::Plain, ..self.quoted(2) },
            Form::Json | Form::Plain => Self { form: Form::Plain, ..self },
        }
    }

    /// Size of a value as a part of a JSON value.
    pub(super) fn in_json(self) -> Self {
        match self.form {
            Form::Json => self.many(),
            Form::List | Form::Plain => Self { form: Form::Json, ..self.quoted(2) },
        }
    }

    /// Size of what an aggregate or a recursion assembles from values of this size.
    pub(super) fn assembled(self) -> Self {
        let length = Self::assembled_length(self.length);
        Self { length, open: true, has_wildcard: true, ..self }
    }

    /// Estimated number of characters for use in a product, where what is assembled from rows counts more.
    pub(super) fn length_to_multiply(&self) -> u64 {
        if self.open { self.length.saturating_mul(ASSEMBLED) } else { self.length }
    }

    /// Estimated number of characters of what is assembled from values of this length.
    pub(super) fn assembled_length(length: u64) -> u64 {
        length.max(SHORT * ASSEMBLED)
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
        BinaryOperator::JsonGet | BinaryOperator::JsonPath => Size { form: Form::Json, ..left },
        BinaryOperator::JsonGetText | BinaryOperator::JsonPathText => {
            Size { form: Form::Plain, ..left }
        }
        BinaryOperator::Minus => Size { length: left.length.max(right.length), ..left },
        BinaryOperator::Divide
        | BinaryOperator::Modulo
        | BinaryOperator::Multiply
        | BinaryOperator::Plus => constants::of_number(left.length.saturating_add(right.length)),
        BinaryOperator::Equal
        | BinaryOperator::Glob
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual
        | BinaryOperator::IsDistinctFrom
        | BinaryOperator::IsNotDistinctFrom
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::NotEqual
        | BinaryOperator::NotRegex
        | BinaryOperator::NotRegexInsensitive
        | BinaryOperator::Regex
        | BinaryOperator::RegexInsensitive => Size::short(),
    }
}
