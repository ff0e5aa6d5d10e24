//! Statements of the engine's dialogues, printed as Spark SQL and, in the suites `sail` and `spark`, run on empty tables.

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use std::collections::{BTreeMap, BTreeSet};

use support::catalogs::engine;
use support::play::play;
use support::scenario::files;
use wherefore_engine::catalog::Catalog;
use wherefore_engine::session::EffectRequest;
use wherefore_sql::{Dialect, GuardLimits, ReadDialect, check_text};

/// Statements of the dialogues of a file as Spark SQL, with the catalog that they are for. What cannot be expressed is
/// added to the refusals, with its reason.
struct Printed {
    /// Path of the file.
    path: String,
    #[cfg_attr(
        not(any(feature = "sail", feature = "spark")),
        expect(dead_code, reason = "tables are made on servers only")
    )]
    catalog: Catalog,
    statements: Vec<String>,
}

fn printed(refused: &mut BTreeMap<String, String>) -> Vec<Printed> {
    let mut all = Vec::new();
    for file in files() {
        let engine = engine(&file.front, Dialect::Postgres);
        let mut written = BTreeSet::new();
        for scenario in &file.scenarios {
            play(&engine, &file.front.today, scenario, &mut |step| {
                written.extend(step.effects().iter().filter_map(|effect| match &effect.request {
                    EffectRequest::Execute { sql, .. } => Some(sql.clone()),
                    EffectRequest::LookUpValues { .. } | EffectRequest::Write { .. } => None,
                }));
            });
        }
        let catalog = engine.catalog().clone();
        let mut statements = Vec::new();
        for sql in written {
            match native(&sql, &catalog) {
                Ok(text) => statements.push(text),
                Err(reason) => drop(refused.insert(reason, sql)),
            }
        }
        all.push(Printed { path: file.path.display().to_string(), catalog, statements });
    }
    all
}

/// The statement as Spark runs it, or why it cannot be expressed.
fn native(sql: &str, catalog: &Catalog) -> Result<String, String> {
    let limits = GuardLimits::default();
    let checked = check_text(sql, ReadDialect::Postgres, catalog, Dialect::Postgres, &limits)
        .unwrap_or_else(|faults| panic!("{faults:?}\n{sql}"));
    let native = checked.for_spark(catalog);
    native.map(|native| native.sql().to_owned()).map_err(|fault| fault.message)
}

#[test]
fn spark_sql_expresses_the_statements_of_the_dialogues() {
    let mut refused = BTreeMap::new();
    let files = printed(&mut refused);
    for Printed { path, statements, .. } in &files {
        assert!(statements.iter().all(|sql| !sql.contains('"')), "{path}: a name in other quotes");
    }
    let count: usize = files.iter().map(|file| file.statements.len()).sum();
    assert!(count > 400, "only {count} statements are printed");
    assert!(refused.is_empty(), "{refused:#?}");
}

#[cfg(feature = "sail")]
#[test]
fn sail_runs_the_statements_of_the_dialogues() {
    on_servers::run_all(wherefore_tests::spark_sql::Engine::Sail);
}

#[cfg(feature = "spark")]
#[test]
fn spark_runs_the_statements_of_the_dialogues() {
    on_servers::run_all(wherefore_tests::spark_sql::Engine::Spark);
}

#[cfg(any(feature = "sail", feature = "spark"))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod on_servers {
    use std::collections::BTreeMap;

    use wherefore_engine::catalog::{DataType, Table};
    use wherefore_tests::spark_sql::{Engine, SparkSql};

    /// What Sail 0.7.2 cannot run: subqueries by a key, EXISTS as a value, and some subqueries on tables without rows.
    const GAPS_OF_SAIL: [&str; 3] = [
        "Correlated scalar subquery must be aggregated",
        "does not support logical expression Exists",
        "the job graph must have final stages with the same schema",
    ];

    /// Runs the statements of each file on tables of its catalog, in a schema of their own.
    pub(super) fn run_all(engine: Engine) {
        let server = SparkSql::start(engine).unwrap();
        let (mut ran, mut failed) = (0, Vec::<String>::new());
        for (place, file) in super::printed(&mut BTreeMap::new()).iter().enumerate() {
            let mut statements = vec![
                format!("CREATE DATABASE dialogues_{place}"),
                format!("USE DATABASE dialogues_{place}"),
            ];
            statements.extend(file.catalog.tables.iter().map(definition));
            statements.extend(file.statements.iter().map(|sql| format!("(\n{sql}\n) LIMIT 2")));
            ran += file.statements.len();
            failed.extend(server.failures(&statements).unwrap());
        }
        if engine == Engine::Sail {
            failed.retain(|error| !GAPS_OF_SAIL.iter().any(|gap| error.contains(gap)));
        }
        assert!(failed.is_empty(), "{} of {ran} failed:\n{}", failed.len(), failed.join("\n\n"));
    }

    fn definition(table: &Table) -> String {
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|column| format!("`{}` {}", column.name, declared(column.data_type)))
            .collect();
        format!("CREATE TABLE `{}` ({}) USING parquet", table.name, columns.join(", "))
    }

    fn declared(data_type: DataType) -> &'static str {
        match data_type {
            DataType::Binary => "BINARY",
            DataType::Boolean => "BOOLEAN",
            DataType::Date => "DATE",
            DataType::Integer => "BIGINT",
            DataType::Number => "DECIMAL(20, 6)",
            DataType::Timestamp => "TIMESTAMP_NTZ",
            DataType::Json | DataType::Other | DataType::Text | DataType::Time | DataType::Uuid => {
                "STRING"
            }
        }
    }
}
