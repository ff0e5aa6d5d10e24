//! A catalog element in a statement, with its role.

use crate::catalog::{Catalog, ColumnRef};
use crate::intent::Aggregate;
use wherefore_english::{name_words, plural};

/// Role of an element in a statement, most significant first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(in crate::writing) enum Role {
    /// Argument of an aggregate.
    Figure,
    /// Date column that rows are filtered by.
    Period,
    /// Column that rows are filtered by.
    Filter,
    /// Grouping key of the rows.
    Group,
    /// Column of the output.
    Shown,
    /// Column that tables are joined by.
    Join,
    /// Table in a FROM clause.
    Table,
}

/// A table, a column, a value of a column, or an aggregate; equal if the keys are equal.
#[derive(Clone, Debug, Default)]
pub(in crate::writing) struct Thing {
    /// Canonical text that identifies the meaning.
    key: String,
    /// Key of the element's table.
    pub(in crate::writing) table: String,
    /// Name of the column, if the element is not a table.
    pub(in crate::writing) column: Option<String>,
    /// Value as written, if the element is one.
    pub(in crate::writing) value: Option<String>,
    /// Aggregate function, if the element is an aggregate.
    pub(in crate::writing) figure: Option<Aggregate>,
    /// Key of the table whose rows the column identifies.
    pub(in crate::writing) rows: Option<String>,
    /// Description, if it cannot be derived from the other fields.
    words: Option<String>,
}

impl PartialEq for Thing {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Thing {}

impl Ord for Thing {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl PartialOrd for Thing {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Role {
    /// Word for the role, used if no words of the question name the element.
    pub(in crate::writing) fn word(self) -> &'static str {
        match self {
            Self::Figure => "figure",
            Self::Period => "date",
            Self::Filter => "condition",
            Self::Group => "grouping",
            Self::Shown => "column",
            Self::Join => "link",
            Self::Table => "table",
        }
    }
}

impl Thing {
    pub(super) fn table(key: &str) -> Self {
        Self { key: key.to_owned(), table: key.to_owned(), ..Self::default() }
    }

    pub(super) fn column(column: &ColumnRef) -> Self {
        Self {
            key: column.to_string(),
            table: column.table.clone(),
            column: Some(column.column.clone()),
            ..Self::default()
        }
    }

    /// The choice whether rows without a match in a table are kept (`kept`) or dropped.
    pub(in crate::writing) fn without(key: &str, kept: bool) -> Self {
        let rows = plural(&name_words(key.rsplit('.').next().unwrap_or(key)));
        let words = if kept {
            format!("also those without {rows}")
        } else {
            format!("only those with {rows}")
        };
        Self::table(key).called(words).with(if kept { "outer" } else { "inner" })
    }

    /// The same element, identified by the table whose rows it identifies.
    pub(super) fn of_rows(self, rows: Option<String>) -> Self {
        let key = rows.clone().unwrap_or(self.key);
        Self { key, rows, ..self }
    }

    /// The same element, with `more` added to its key.
    pub(super) fn with(self, more: &str) -> Self {
        Self { key: format!("{} {more}", self.key), ..self }
    }

    /// The same element with a description.
    pub(super) fn called(self, words: String) -> Self {
        Self { words: Some(words), ..self }
    }

    /// The same element with an aggregate function; `None` for a function without a name here.
    pub(super) fn figure(self, figure: Option<Aggregate>) -> Self {
        Self { figure, ..self }
    }

    /// The same element with a value.
    pub(super) fn value(self, value: Option<String>) -> Self {
        Self { value, ..self }
    }

    /// Reference to the element's column.
    pub(in crate::writing) fn reference(&self) -> Option<ColumnRef> {
        self.column.as_ref().map(|column| ColumnRef::new(&self.table, column))
    }

    /// Whether both have the same table and column; value and aggregate may differ.
    pub(in crate::writing) fn is_of(&self, other: &Self) -> bool {
        self.table == other.table && self.column == other.column
    }

    /// Description of the element; with `apart`, it includes the table.
    pub(in crate::writing) fn words(&self, catalog: &Catalog, apart: bool) -> String {
        let table = catalog.table(&self.table);
        let rows = plural(&name_words(table.map_or(self.table.as_str(), |table| &table.name)));
        let of = |words: String| if apart { format!("{words} of {rows}") } else { words };
        match (&self.words, &self.column) {
            (Some(words), _) => of(self.figured(words.clone())),
            (None, None) => self.figured(rows),
            (None, Some(column)) => {
                let column = of(self.figured(name_words(column)));
                match &self.value {
                    Some(value) => format!("{column}: {value}"),
                    None => column,
                }
            }
        }
    }

    fn figured(&self, words: String) -> String {
        match self.figure {
            Some(Aggregate::Average) => format!("average {words}"),
            Some(Aggregate::Count) if self.column.is_some() => {
                format!("number of different {words}")
            }
            Some(Aggregate::Count) => format!("number of {words}"),
            Some(Aggregate::Maximum) => format!("highest {words}"),
            Some(Aggregate::Median) => format!("median {words}"),
            Some(Aggregate::Minimum) => format!("lowest {words}"),
            Some(Aggregate::Sum) => format!("sum of {words}"),
            None => words,
        }
    }
}
