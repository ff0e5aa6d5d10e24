//! Name resolution of columns.

use crate::Dialect;
use crate::tree::Identifier;

use super::checked::OutputColumn;
use super::size::Size;
use crate::names::matches;

/// A common table expression (CTE) in scope.
pub(super) struct CommonTable {
    pub(super) name: Identifier,
    /// Output columns of the CTE; `None` until it is defined, and using it before that is an error.
    pub(super) shape: Option<Shape>,
}

/// Output columns of a query or table, and its size class.
#[derive(Clone, Default)]
pub(super) struct Shape {
    pub(super) columns: Vec<OutputColumn>,
    /// Number of factors of the Cartesian product that its rows form: 0 for a single row, 1 for a table.
    pub(super) width: usize,
}

/// A source in FROM with its columns.
pub(super) struct BoundSource {
    /// Alias, or the table's own name.
    pub(super) name: Option<Identifier>,
    pub(super) shape: Shape,
    /// Whether the columns are unknown because of an error that is already reported.
    pub(super) is_open: bool,
}

/// The sources of a SELECT and the enclosing scopes.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) sources: Vec<BoundSource>,
    /// Columns merged by USING.
    pub(super) merged: Vec<OutputColumn>,
    /// Names and sizes of output columns, in clauses that can use them.
    pub(super) aliases: Vec<(String, Size)>,
    /// Whether an alias takes precedence over a column (ORDER BY).
    pub(super) aliases_first: bool,
    pub(super) outer: Option<&'a Scope<'a>>,
}

/// What a name resolves to.
pub(super) enum Resolved {
    /// A column of a source of this SELECT, with its stored name.
    Column { name: String, column: OutputColumn },
    /// A column of an outer query, with the name of its source.
    Outer { source: Option<Identifier>, name: String, column: OutputColumn },
    /// The alias of an output column, with the size of its values.
    Alias(Size),
    /// Several sources have such a column.
    Ambiguous,
    /// Possibly a column of a source whose columns are unknown.
    Unknowable,
    /// No source has such a column.
    UnknownColumn,
    /// No source has this name.
    UnknownSource,
}

impl Scope<'_> {
    /// Resolves `name` or `qualifier.name`, from the innermost scope outwards.
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

    /// Index of a source of this SELECT by its name.
    pub(super) fn source_index(&self, name: &Identifier, dialect: Dialect) -> Option<usize> {
        self.sources.iter().position(|source| source.is_called(name, dialect))
    }

    /// Index of the first source that has a column of this name.
    pub(super) fn source_of_column(&self, name: &Identifier, dialect: Dialect) -> Option<usize> {
        self.sources.iter().position(|source| source.column(name, dialect).is_some())
    }

    /// All column names in this scope, for did-you-mean suggestions.
    pub(super) fn column_names(&self) -> impl Iterator<Item = &str> {
        self.sources
            .iter()
            .flat_map(|source| &source.shape.columns)
            .map(|column| column.name.as_str())
    }

    /// Names of all sources in this scope and the enclosing ones.
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
        let alias = self.aliases.iter().find(|(alias, _)| matches(name, alias, dialect));
        let alias = alias.map(|(_, size)| Resolved::Alias(size.clone()));
        if self.aliases_first
            && let Some(alias) = alias
        {
            return alias;
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
            (None, _) if let Some(alias) = alias => alias,
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
