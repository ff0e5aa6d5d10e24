//! Statements of the engine's dialogues, translated and prepared by a real MariaDB.

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use support::catalogs::engine;
use support::play::play;
use support::scenario::files;
use wherefore_engine::catalog::{Catalog, DataType, Table};
use wherefore_engine::session::EffectRequest;
use wherefore_sql::{Dialect, GuardLimits, MysqlServer, ReadDialect, check_text};
use wherefore_tests::mariadb::MariaDb;

const MODE: &str = "SET sql_mode = 'STRICT_ALL_TABLES,NO_UNSIGNED_SUBTRACTION,ONLY_FULL_GROUP_BY'; \
     SET collation_connection = utf8mb4_nopad_bin";

#[test]
fn mariadb_explains_the_statements_of_the_dialogues() {
    let server = MariaDb::start().expect("MariaDB starts");
    let (mut explained, mut refused, mut failed) = (0, BTreeMap::new(), Vec::new());
    let mut made = Vec::new();
    for file in files() {
        let engine = engine(&file.front, Dialect::Postgres);
        let catalog = engine.catalog();
        make_tables(&server, catalog, &mut made);
        let mut written = BTreeSet::new();
        for scenario in &file.scenarios {
            play(&engine, &file.front.today, scenario, &mut |step| {
                written.extend(step.effects().iter().filter_map(|effect| match &effect.request {
                    EffectRequest::Execute { sql, .. } => Some(sql.clone()),
                    EffectRequest::LookUpValues { .. } | EffectRequest::Write { .. } => None,
                }));
            });
        }
        let mut texts = Vec::new();
        for sql in &written {
            match native(sql, catalog) {
                Ok(text) => texts.push(format!("EXPLAIN {text}")),
                Err(reason) => drop(refused.insert(reason, sql.clone())),
            }
        }
        explained += texts.len();
        if let Err(error) = server.query(&format!("{MODE}; {}", texts.join(";\n"))) {
            failed.push(format!("{}: {error}", file.path.display()));
        }
    }
    assert!(explained > 400, "only {explained} statements were explained");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let reasons: Vec<&str> = refused.keys().map(String::as_str).collect();
    assert_eq!(reasons, ["cannot be expressed in MySQL: percentile_cont"], "{refused:#?}");
}

/// The statement as MariaDB runs it, or why it cannot be expressed.
fn native(sql: &str, catalog: &Catalog) -> Result<String, String> {
    let limits = GuardLimits::default();
    let checked = check_text(sql, ReadDialect::Postgres, catalog, Dialect::Postgres, &limits)
        .unwrap_or_else(|faults| panic!("{faults:?}\n{sql}"));
    let native = checked.for_mysql(catalog, MysqlServer::Mariadb);
    native.map(|native| native.sql().to_owned()).map_err(|fault| fault.message)
}

/// Replaces the tables of the database with empty ones of a catalog.
fn make_tables(server: &MariaDb, catalog: &Catalog, made: &mut Vec<String>) {
    let tables: Vec<String> = catalog.tables.iter().map(definition).collect();
    if *made == tables {
        return;
    }
    let script = format!(
        "DROP DATABASE test; CREATE DATABASE test CHARACTER SET utf8mb4; USE test; {}",
        tables.join("; ")
    );
    server.query(&script).expect("the catalog's tables can be made");
    *made = tables;
}

fn definition(table: &Table) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("`{}` {}", column.name, declared(column.data_type)))
        .collect();
    format!("CREATE TABLE `{}` ({})", table.name, columns.join(", "))
}

fn declared(data_type: DataType) -> &'static str {
    match data_type {
        DataType::Binary => "BLOB",
        DataType::Boolean => "TINYINT(1)",
        DataType::Date => "DATE",
        DataType::Integer => "BIGINT",
        DataType::Json | DataType::Other => "TEXT",
        DataType::Number => "DECIMAL(20, 6)",
        DataType::Text => "VARCHAR(100)",
        DataType::Time => "TIME(6)",
        DataType::Timestamp => "DATETIME(6)",
        DataType::Uuid => "CHAR(36)",
    }
}
