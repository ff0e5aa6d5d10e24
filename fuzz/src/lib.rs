//! Invariants that hold for any text read as SQL; the fuzzer and the corpus test check the same function.

pub mod corpus;

use std::sync::LazyLock;

use wherefore_catalog::Catalog;
use wherefore_sql::lint::{Finding, lint};
use wherefore_sql::repair::autocorrect;
use wherefore_sql::tree::SqlSpan;
use wherefore_sql::{
    Diagnostic, Dialect, GuardLimits, ReadDialect, Target, check_text, explain, read, transpile,
};

static CATALOGS: LazyLock<[Catalog; 2]> = LazyLock::new(|| {
    [Dialect::Postgres, Dialect::Sqlite].map(|dialect| {
        let text = include_str!("../../sql/tests/data/shop.json");
        let catalog: Catalog = serde_json::from_str(text).expect("the catalog of the tests is one");
        Catalog { dialect, ..catalog }
    })
});

/// Dialect of an input, by its first letter.
const DIALECTS: [(char, ReadDialect); 9] = [
    ('b', ReadDialect::Bigquery),
    ('d', ReadDialect::Duckdb),
    ('m', ReadDialect::Mysql),
    ('o', ReadDialect::Oracle),
    ('p', ReadDialect::Postgres),
    ('r', ReadDialect::Redshift),
    ('s', ReadDialect::Sqlite),
    ('t', ReadDialect::Mssql),
    ('w', ReadDialect::Snowflake),
];

/// Reads, lints, corrects, explains, checks and transpiles a text, and returns whether it could be parsed. The first
/// letter selects the dialect, the rest is SQL.
///
/// # Panics
///
/// When an invariant is violated.
pub fn sql(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut characters = text.chars();
    let first = characters.next();
    let known = DIALECTS.iter().find(|(letter, _)| Some(*letter) == first);
    let from = known.map_or(ReadDialect::Postgres, |(_, dialect)| *dialect);
    let sql = characters.as_str();
    let statement = read(sql, from);
    if let Err(faults) = &statement {
        assert_eq!(faults.len(), 1, "a text that cannot be read has one fault");
        placed(sql, faults);
    }
    for target in [
        Target::Postgres,
        Target::Sqlite,
        Target::Tsql,
        Target::Bigquery,
        Target::Mysql,
        Target::Snowflake,
        Target::Databricks,
        Target::Trino,
    ] {
        match transpile(sql, from, target) {
            Ok(text) => assert!(!text.is_empty(), "a rewritten statement is not empty"),
            Err(faults) => placed(sql, &faults),
        }
    }
    for catalog in CATALOGS.iter() {
        linted(sql, catalog);
        guarded(sql, from, catalog);
    }
    statement.is_ok()
}

/// Checks that findings lie within the text, and that their fixes can be applied.
fn linted(sql: &str, catalog: &Catalog) {
    for Finding { span, fixes, .. } in lint(sql, catalog, None) {
        inside(sql, span);
        for fix in fixes {
            assert!(fix.apply(sql).is_some(), "an edit cannot be made: {fix:?}");
        }
    }
    autocorrect(sql, catalog, None);
    match explain::explain(sql, catalog) {
        Ok(steps) => {
            explain::sentence(&steps);
            for step in &steps {
                inside(sql, step.span);
            }
        }
        Err(faults) => placed(sql, &faults),
    }
}

/// Checks that a statement that the guard accepts and prints is accepted again and prints the same.
fn guarded(sql: &str, from: ReadDialect, catalog: &Catalog) {
    let limits = GuardLimits::default();
    match check_text(sql, from, catalog, catalog.dialect, &limits) {
        Ok(checked) => {
            let printed = checked.sql();
            let again =
                check_text(printed, catalog.dialect.into(), catalog, catalog.dialect, &limits);
            match again {
                Ok(again) => assert_eq!(again.sql(), printed, "printed anew it is another"),
                Err(faults) => panic!("what was let through is refused: {printed}: {faults:?}"),
            }
        }
        Err(faults) => placed(sql, &faults),
    }
}

fn placed(sql: &str, faults: &[Diagnostic]) {
    assert!(!faults.is_empty(), "a refusal says why");
    for fault in faults {
        inside(sql, fault.span);
    }
}

fn inside(sql: &str, span: SqlSpan) {
    assert!(
        sql.get(span.start as usize..span.end as usize).is_some(),
        "{span:?} is no range of the text"
    );
}
