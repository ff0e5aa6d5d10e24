//! Every statement in the engine's dialogues is accepted by the guard and can be prepared by SQLite.

#[path = "../../engine/tests/support/mod.rs"]
mod support;

use rusqlite::Connection;
use support::catalogs::engine;
use support::play::play;
use support::scenario::files;
use wherefore_engine::catalog::{Catalog, Table};
use wherefore_engine::session::EffectRequest;
use wherefore_sql::{Dialect, GuardLimits, ReadDialect, check_text};

/// A statement and its source.
struct Statement {
    place: String,
    sql: String,
    catalog: Catalog,
}

/// Statements that the dialogues show or run in one dialect, without repetitions in a scenario.
fn statements(dialect: Dialect) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for file in files() {
        let engine = engine(&file.front, dialect);
        for scenario in &file.scenarios {
            let place = format!("{}: {}", file.path.display(), scenario.title);
            let mut written: Vec<String> = Vec::new();
            play(&engine, &file.front.today, scenario, &mut |step| {
                written.extend(step.session.view().sql.clone());
                written.extend(step.effects().iter().filter_map(|effect| match &effect.request {
                    EffectRequest::Execute { sql, .. } => Some(sql.clone()),
                    EffectRequest::LookUpValues { .. } | EffectRequest::Write { .. } => None,
                }));
            });
            written.sort();
            written.dedup();
            statements.extend(written.into_iter().map(|sql| Statement {
                place: place.clone(),
                sql,
                catalog: engine.catalog().clone(),
            }));
        }
    }
    assert!(statements.len() > 100, "only {} statements were written", statements.len());
    statements
}

#[test]
fn sqlite_explains_every_statement_of_the_dialogues() {
    let refused: Vec<String> = statements(Dialect::Sqlite)
        .iter()
        .filter_map(|Statement { place, sql, catalog }| {
            let database = database(catalog);
            let explained = database.prepare(&format!("EXPLAIN {sql}"));
            explained.err().map(|error| format!("{place}: {error}\n{sql}"))
        })
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
}

#[test]
fn i5_the_guard_lets_every_statement_of_the_dialogues_through_unchanged() {
    let mut refused = Vec::new();
    for (dialect, read) in
        [(Dialect::Sqlite, ReadDialect::Sqlite), (Dialect::Postgres, ReadDialect::Postgres)]
    {
        for Statement { place, sql, catalog } in statements(dialect) {
            match check_text(&sql, read, &catalog, dialect, &GuardLimits::default()) {
                Ok(checked) if checked.sql() == sql => {}
                Ok(checked) => refused.push(format!("{place}: changed\n{sql}\n{}", checked.sql())),
                Err(diagnostics) => refused.push(format!("{place}: {diagnostics:?}\n{sql}")),
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
}

/// An empty database with the tables of a catalog.
fn database(catalog: &Catalog) -> Connection {
    let database = Connection::open_in_memory().expect("SQLite opens a database in memory");
    for table in &catalog.tables {
        database.execute_batch(&definition(table)).expect("the catalog's tables can be made");
    }
    database
}

fn definition(table: &Table) -> String {
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("\"{}\" {}", column.name, column.declared_type))
        .collect();
    format!("CREATE TABLE \"{}\" ({})", table.name, columns.join(", "))
}
