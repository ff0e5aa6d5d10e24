//! Authorizer of SQLite: a second allow-list, independent of the guard, applied while a statement is prepared.

use std::collections::BTreeSet;

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use wherefore_engine::catalog::Catalog;

const FUNCTIONS: &str = include_str!("../../../data/sqlite_functions.txt");

/// Tables and functions that statements may use.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    allowed: BTreeSet<String>,
    stored: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Scope {
    /// Allows the tables of the catalog; other stored tables are denied.
    pub(super) fn new(catalog: &Catalog, stored: impl IntoIterator<Item = String>) -> Self {
        Self {
            allowed: catalog.tables.iter().map(|table| table.name.to_lowercase()).collect(),
            stored: stored.into_iter().map(|name| name.to_lowercase()).collect(),
            functions: functions().map(str::to_owned).collect(),
        }
    }

    /// Decision on one action of a statement.
    pub(super) fn decide(&self, context: &AuthContext<'_>) -> Authorization {
        let allowed = match context.action {
            AuthAction::Select | AuthAction::Recursive => true,
            AuthAction::Read { table_name, .. } => self.may_read(table_name),
            AuthAction::Function { function_name } => {
                self.functions.contains(&function_name.to_lowercase())
            }
            _ => false,
        };
        if allowed { Authorization::Allow } else { Authorization::Deny }
    }

    /// A name that is not stored is allowed, since common table expressions are reported by their names, unless it is
    /// reserved by SQLite.
    fn may_read(&self, table: &str) -> bool {
        let table = table.to_lowercase();
        self.allowed.contains(&table)
            || !(table.starts_with("sqlite_")
                || table.starts_with("pragma_")
                || table == "dbstat"
                || self.stored.contains(&table))
    }
}

/// Names of the functions that statements may call.
pub(super) fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// The guard's list of functions: a kind, then names. Table functions do not pass the function check of SQLite.
    const GUARD: &str = include_str!("../../../../sql/data/functions_sqlite.txt");

    #[test]
    fn what_the_guard_lets_through_is_let_through_here() {
        let known: BTreeSet<&str> = super::functions().collect();
        let missing: Vec<&str> = GUARD
            .lines()
            .filter(|line| {
                !line.is_empty() && !line.starts_with(['#', ' ']) && !line.starts_with("table ")
            })
            .flat_map(|line| line.split_whitespace().skip(1))
            // `substr:3` is the function `substr` with three arguments.
            .filter_map(|name| name.split(':').next())
            .filter(|name| !known.contains(name))
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
