//! Which column a name means.

use crate::sql::Dialect;
use crate::sql::tree::Identifier;

use super::checked::OutputColumn;
use crate::sql::names::matches;

/// A common table expression in scope.
pub(super) struct CommonTable {
    pub(super) name: Identifier,
    /// None while it is not defined yet: a use before that is a fault.
    pub(super) shape: Option<Shape>,
}

/// Columns of a query or a table, and how it grows.
#[derive(Clone, Default)]
pub(super) struct Shape {
    pub(super) columns: Vec<OutputColumn>,
    /// Unconnected tables that multiply its rows: 0 for a single row, 1 for a table.
    pub(super) width: usize,
}

/// A source in FROM with the columns it offers.
pub(super) struct BoundSource {
    /// Alias, or the table's own name.
    pub(super) name: Option<Identifier>,
    pub(super) shape: Shape,
    /// Whether its columns are not known because of a fault already found.
    pub(super) is_open: bool,
}

/// Sources of a SELECT, and those around it.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) sources: Vec<BoundSource>,
    /// Columns that USING merged.
    pub(super) merged: Vec<OutputColumn>,
    /// Names of output columns, where the clause may use them.
    pub(super) aliases: Vec<String>,
    /// Whether an alias wins over a column (ORDER BY).
    pub(super) aliases_first: bool,
    pub(super) outer: Option<&'a Scope<'a>>,
}

/// What a name resolved to.
pub(super) enum Resolved {
    /// A column of a source of this SELECT, by stored name.
    Column { name: String, column: OutputColumn },
    /// A column of an outer query, by the source's name.
    Outer { source: Option<Identifier>, name: String, column: OutputColumn },
    /// An output column's alias.
    Alias,
    /// More than one source has it.
    Ambiguous,
    /// It may belong to a source whose columns are not known.
    Unknowable,
    /// No source has it.
    UnknownColumn,
    /// No source of that name.
    UnknownSource,
}

impl Scope<'_> {
    /// Resolves `name` or `qualifier.name`, innermost scope first.
    pub(super) fn resolve(
        &self,
        qualifier: Option<&Identifier>,
        name: &Identifier,
        dialect: Dialect,
    ) -> Resolved {
        match qualifier {
            Some(source) => self.resolve_qualified(source, name, dialect, false),
            None => self.resolve_bare(name, dialect, false),
        }
    }

    /// Place of a source among this SELECT's own.
    pub(super) fn source_index(&self, name: &Identifier, dialect: Dialect) -> Option<usize> {
        self.sources.iter().position(|source| source.is_called(name, dialect))
    }

    /// Place of the only source that has a column.
    pub(super) fn source_of_column(&self, name: &Identifier, dialect: Dialect) -> Option<usize> {
        self.sources.iter().position(|source| source.column(name, dialect).is_some())
    }

    /// Names of every column in this scope, for did-you-mean.
    pub(super) fn column_names(&self) -> impl Iterator<Item = &str> {
        self.sources
            .iter()
            .flat_map(|source| &source.shape.columns)
            .map(|column| column.name.as_str())
    }

    /// Names of every source in this scope and around it.
    pub(super) fn source_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .sources
            .iter()
            .filter_map(|source| Some(source.name.as_ref()?.name.as_str()))
            .collect();
        if let Some(outer) = self.outer {
            names.extend(outer.source_names());
        }
        names
    }

    fn resolve_qualified(
        &self,
        source: &Identifier,
        name: &Identifier,
        dialect: Dialect,
        is_outer: bool,
    ) -> Resolved {
        let Some(index) = self.source_index(source, dialect) else {
            return match self.outer {
                Some(outer) => outer.resolve_qualified(source, name, dialect, true),
                None => Resolved::UnknownSource,
            };
        };
        let bound = &self.sources[index];
        match bound.column(name, dialect) {
            Some(column) => found(column, bound.name.clone(), is_outer),
            None if bound.is_open => Resolved::Unknowable,
            None => Resolved::UnknownColumn,
        }
    }

    fn resolve_bare(&self, name: &Identifier, dialect: Dialect, is_outer: bool) -> Resolved {
        let is_alias = self.aliases.iter().any(|alias| matches(name, alias, dialect));
        if is_alias && self.aliases_first {
            return Resolved::Alias;
        }
        if let Some(column) = self.merged.iter().find(|column| matches(name, &column.name, dialect))
        {
            return found(column, None, is_outer);
        }
        let mut hits =
            self.sources.iter().filter_map(|source| Some((source, source.column(name, dialect)?)));
        match (hits.next(), hits.next()) {
            (Some(_), Some(_)) => Resolved::Ambiguous,
            (Some((source, column)), None) => found(column, source.name.clone(), is_outer),
            (None, _) if is_alias => Resolved::Alias,
            (None, _) if self.sources.iter().any(|source| source.is_open) => Resolved::Unknowable,
            (None, _) => match self.outer {
                Some(outer) => outer.resolve_bare(name, dialect, true),
                None => Resolved::UnknownColumn,
            },
        }
    }
}

impl BoundSource {
    pub(super) fn is_called(&self, name: &Identifier, dialect: Dialect) -> bool {
        self.name.as_ref().is_some_and(|own| matches(name, &own.name, dialect))
    }

    pub(super) fn column(&self, name: &Identifier, dialect: Dialect) -> Option<&OutputColumn> {
        self.shape.columns.iter().find(|column| matches(name, &column.name, dialect))
    }
}

fn found(column: &OutputColumn, source: Option<Identifier>, is_outer: bool) -> Resolved {
    let (name, column) = (column.name.clone(), column.clone());
    if is_outer {
        Resolved::Outer { source, name, column }
    } else {
        Resolved::Column { name, column }
    }
}
