//! A thing of the catalog that a statement takes for something.

use crate::catalog::{Catalog, ColumnRef};
use crate::intent::Aggregate;
use wherefore_sql::explain::{plural, words_of};

/// What a thing is taken for, most telling first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(in crate::writing) enum Role {
    /// A figure is worked out of it.
    Figure,
    /// Rows are kept by when it was.
    Period,
    /// Rows are kept by what it is.
    Filter,
    /// Rows become one row for each of it.
    Group,
    /// It is shown.
    Shown,
    /// Tables hang together by it.
    Join,
    /// Its rows are read.
    Table,
}

/// A table, a column, a value of one, or a figure; equal to another where it means the same.
#[derive(Clone, Debug, Default)]
pub(in crate::writing) struct Thing {
    /// What it means.
    key: String,
    /// Key of its table.
    pub(in crate::writing) table: String,
    /// Its column, where it is one.
    pub(in crate::writing) column: Option<String>,
    /// Its value as written, where it is one.
    pub(in crate::writing) value: Option<String>,
    /// The figure that is worked out.
    pub(in crate::writing) figure: Option<Aggregate>,
    /// Key of the table whose rows it stands for.
    pub(in crate::writing) rows: Option<String>,
    /// It in words, where they do not follow from the rest.
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
    /// What is asked about where no words of the question are.
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

    /// Rows that have none of a table's beside them, kept or left out.
    pub(in crate::writing) fn without(key: &str, kept: bool) -> Self {
        let rows = plural(&words_of(key.rsplit('.').next().unwrap_or(key)));
        let words = if kept {
            format!("also those without {rows}")
        } else {
            format!("only those with {rows}")
        };
        Self::table(key).called(words).with(if kept { "outer" } else { "inner" })
    }

    /// The same, standing for the rows of a table.
    pub(super) fn of_rows(self, rows: Option<String>) -> Self {
        let key = rows.clone().unwrap_or(self.key);
        Self { key, rows, ..self }
    }

    /// The same, told apart by something more.
    pub(super) fn with(self, more: &str) -> Self {
        Self { key: format!("{} {more}", self.key), ..self }
    }

    /// The same with its words.
    pub(super) fn called(self, words: String) -> Self {
        Self { words: Some(words), ..self }
    }

    /// The same as a figure; without one, a figure that has no name here.
    pub(super) fn figure(self, figure: Option<Aggregate>) -> Self {
        Self { figure, ..self }
    }

    /// The same with a value.
    pub(super) fn value(self, value: Option<String>) -> Self {
        Self { value, ..self }
    }

    /// Its column.
    pub(in crate::writing) fn reference(&self) -> Option<ColumnRef> {
        self.column.as_ref().map(|column| ColumnRef::new(&self.table, column))
    }

    /// Whether it is of the same table and column, whatever is done with them.
    pub(in crate::writing) fn is_of(&self, other: &Self) -> bool {
        self.table == other.table && self.column == other.column
    }

    /// It in words; with its table where that is needed to tell it apart.
    pub(in crate::writing) fn words(&self, catalog: &Catalog, apart: bool) -> String {
        let table = catalog.table(&self.table);
        let rows = plural(&words_of(table.map_or(self.table.as_str(), |table| &table.name)));
        let of = |words: String| if apart { format!("{words} of {rows}") } else { words };
        match (&self.words, &self.column) {
            (Some(words), _) => of(self.figured(words.clone())),
            (None, None) => self.figured(rows),
            (None, Some(column)) => {
                let column = of(self.figured(words_of(column)));
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
            Some(Aggregate::Minimum) => format!("lowest {words}"),
            Some(Aggregate::Sum) => format!("sum of {words}"),
            None => words,
        }
    }
}
