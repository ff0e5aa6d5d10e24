//! Statements of the engine's dialogues, translated and prepared by DuckDB.

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use support::catalogs::engine;
use support::play::play;
use support::scenario::files;
use wherefore_engine::catalog::{Catalog, DataType, Table};
use wherefore_engine::session::EffectRequest;
use wherefore_sql::{Dialect, GuardLimits, ReadDialect, check_text};
use wherefore_tests::duckdb::DuckDb;

#[test]
fn duckdb_explains_the_statements_of_the_dialogues() {
    let (mut explained, mut refused, mut failed) = (0, BTreeMap::new(), Vec::new());
    for file in files() {
        let engine = engine(&file.front, Dialect::Postgres);
        let catalog = engine.catalog();
        let tables: Vec<String> = catalog.tables.iter().map(definition).collect();
        let Some(database) = DuckDb::new(&tables.join("; ")) else { return };
        let mut written = BTreeSet::new();
        for scenario in &file.scenarios {
            play(&engine, &file.front.today, scenario, &mut |step| {
                written.extend(step.effects().iter().filter_map(|effect| match &effect.request {
                    EffectRequest::Execute { sql, .. } => Some(sql.clone()),
                    EffectRequest::LookUpValues { .. } | EffectRequest::Write { .. } => None,
                }));
            });
        }
        let mut texts =
            vec!["SET default_null_order = 'nulls_last_on_asc_first_on_desc'".to_owned()];
        for sql in &written {
            match native(sql, catalog) {
                Ok(text) => texts.push(format!("EXPLAIN SELECT * FROM ({text}) AS checked")),
                Err(reason) => drop(refused.insert(reason, sql.clone())),
            }
        }
        explained += texts.len() - 1;
        let path = file.path.display();
        failed.extend(database.run_each(&texts).iter().map(|error| format!("{path}: {error}")));
    }
    assert!(explained > 400, "only {explained} statements were explained");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(refused.is_empty(), "{refused:#?}");
}

/// The statement as DuckDB runs it, or why it cannot be expressed.
fn native(sql: &str, catalog: &Catalog) -> Result<String, String> {
    let limits = GuardLimits::default();
    let checked = check_text(sql, ReadDialect::Postgres, catalog, Dialect::Postgres, &limits)
        .unwrap_or_else(|faults| panic!("{faults:?}\n{sql}"));
    let native = checked.for_duckdb(catalog);
    native.map(|native| native.sql().to_owned()).map_err(|fault| fault.message)
}

fn definition(table: &Table) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("\"{}\" {}", column.name, declared(column.data_type)))
        .collect();
    format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", "))
}

fn declared(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Binary => "BLOB",
        DataType::Boolean => "BOOLEAN",
        DataType::Date => "DATE",
        DataType::Integer => "BIGINT",
        DataType::Json => "JSON",
        DataType::Number => "DECIMAL(20, 6)",
        DataType::Other | DataType::Text => "TEXT",
        DataType::Time => "TIME",
        DataType::Timestamp => "TIMESTAMP",
        DataType::Uuid => "UUID",
    }
}
