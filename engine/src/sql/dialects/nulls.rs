//! Where NULLs stand in an order.

use crate::sql::print::Target;
use crate::sql::read::ReadDialect;
use crate::sql::tree::OrderItem;

/// Whether NULLs come first where nothing is said.
fn first_by_default(from: ReadDialect, descending: bool) -> bool {
    match from {
        // NULL is less than every value.
        ReadDialect::Bigquery | ReadDialect::Mssql | ReadDialect::Mysql | ReadDialect::Sqlite => {
            !descending
        }
        // NULL is greater than every value.
        ReadDialect::Oracle
        | ReadDialect::Postgres
        | ReadDialect::Redshift
        | ReadDialect::Snowflake => descending,
        ReadDialect::Duckdb => false,
    }
}

/// Whether NULLs come first on a target where nothing is said.
pub(super) fn first_on_target(target: Target, descending: bool) -> bool {
    let as_read = match target {
        Target::Postgres => ReadDialect::Postgres,
        Target::Sqlite => ReadDialect::Sqlite,
        Target::Tsql => ReadDialect::Mssql,
        Target::Bigquery => ReadDialect::Bigquery,
    };
    first_by_default(as_read, descending)
}

/// Says what the dialect leaves out.
pub(super) fn make_explicit(item: &mut OrderItem, from: ReadDialect) {
    let default = first_by_default(from, item.descending);
    item.nulls_first.get_or_insert(default);
}

/// Leaves out what the target does anyway; composed and PostgreSQL's own orders say nothing.
pub(super) fn make_implicit(item: &mut OrderItem, target: Target) {
    let first = item.nulls_first.unwrap_or(item.descending);
    let as_target = first_on_target(target, item.descending) == first;
    item.nulls_first = if as_target { None } else { Some(first) };
}
