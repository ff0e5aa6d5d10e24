//! A person's name in quotes, where it is stored in two columns.

use super::context::Composer;
use crate::intent::{Comparison, Expression, Literal, Predicate};
use crate::linking::{ColumnId, Named, TableId, Target};

impl Composer<'_> {
    /// Person that a text names: of the table named before it, of the rows asked about, or the only one stored.
    pub(super) fn person_named(
        &self,
        named: Option<usize>,
        text: &str,
        head: TableId,
    ) -> Option<(TableId, Predicate)> {
        let rows = match named.map(|named| self.target(named)) {
            Some(Some(Target::Table(table) | Target::Label(table))) => Some(table),
            Some(_) => return None,
            None => self.name_columns(head).map(|_| head),
        };
        if let Some(rows) = rows {
            let columns = self.name_columns(rows)?;
            let stored = self.splits(text).find(|split| self.are_listed(columns, *split));
            let parts = stored.or_else(|| self.splits(text).next())?;
            return Some((rows, self.is_called(columns, parts)));
        }
        let mut found = (0..self.catalog.tables.len()).filter_map(|table| {
            let table = TableId(table as u16);
            let columns = self.name_columns(table)?;
            let parts = self.splits(text).find(|split| self.are_listed(columns, *split))?;
            Some((table, self.is_called(columns, parts)))
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// Columns of the first and the last name of a table's rows.
    fn name_columns(&self, table: TableId) -> Option<(ColumnId, ColumnId)> {
        match self.schema.profile(table).label.as_slice() {
            [first, last] => Some((*first, *last)),
            _ => None,
        }
    }

    /// The ways to split a text into a first and a last name.
    fn splits<'a>(&self, text: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        text.match_indices(' ').map(|(at, _)| (text[..at].trim(), text[at..].trim()))
    }

    fn are_listed(&self, columns: (ColumnId, ColumnId), (first, last): (&str, &str)) -> bool {
        let listed = |column: ColumnId, text: &str| {
            let list = self.catalog.column_at(column).values.as_ref();
            list.is_some_and(|list| list.values.iter().any(|value| value == text))
        };
        listed(columns.0, first) && listed(columns.1, last)
    }

    fn is_called(&self, columns: (ColumnId, ColumnId), parts: (&str, &str)) -> Predicate {
        let equals = |column: ColumnId, text: &str| Predicate::Compare {
            left: Expression::Column { column: self.catalog.reference(column) },
            operator: Comparison::Equal,
            right: Literal::Text { value: text.to_owned() },
        };
        Predicate::All { conditions: vec![equals(columns.0, parts.0), equals(columns.1, parts.1)] }
    }
}
