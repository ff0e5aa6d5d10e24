//! Position of NULLs in ORDER BY.

use crate::print::Target;
use crate::read::ReadDialect;
use crate::tree::OrderItem;

/// Whether NULLs sort first in a dialect without NULLS FIRST or NULLS LAST.
fn first_by_default(from: ReadDialect, descending: bool) -> bool {
    match from {
        // NULL sorts below every value.
        ReadDialect::Bigquery | ReadDialect::Mssql | ReadDialect::Mysql | ReadDialect::Sqlite => {
            !descending
        }
        // NULL sorts above every value.
        ReadDialect::Oracle
        | ReadDialect::Postgres
        | ReadDialect::Redshift
        | ReadDialect::Snowflake => descending,
        ReadDialect::Duckdb => false,
    }
}

/// Whether NULLs sort first on a target without NULLS FIRST or NULLS LAST.
pub(super) fn first_on_target(target: Target, descending: bool) -> bool {
    let as_read = match target {
        // Its setting `default_null_order` is that of PostgreSQL.
        Target::Postgres | Target::Duckdb | Target::Snowflake => ReadDialect::Postgres,
        // As in SQLite, NULL sorts below every value.
        Target::Sqlite | Target::Spark | Target::Databricks => ReadDialect::Sqlite,
        Target::Tsql => ReadDialect::Mssql,
        Target::Bigquery => ReadDialect::Bigquery,
        Target::Mysql => ReadDialect::Mysql,
        // NULL sorts last in both directions.
        Target::Trino => ReadDialect::Duckdb,
    };
    first_by_default(as_read, descending)
}

/// Makes the source dialect's default explicit.
pub(super) fn make_explicit(item: &mut OrderItem, from: ReadDialect) {
    let default = first_by_default(from, item.descending);
    item.nulls_first.get_or_insert(default);
}

/// Removes NULLS FIRST or LAST where it is the target's default. An item without either has PostgreSQL's default.
pub(super) fn make_implicit(item: &mut OrderItem, target: Target) {
    let first = item.nulls_first.unwrap_or(item.descending);
    let as_target = first_on_target(target, item.descending) == first;
    // On Snowflake the default is a setting of the account.
    item.nulls_first = if as_target && target != Target::Snowflake { None } else { Some(first) };
}
