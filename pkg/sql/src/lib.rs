//! JavaScript bindings of [`wherefore_sql`]: lint, autocorrect, explain, check, translate, transpile, read a schema.
//!
//! A module of its own, so that a page that needs no parser does not load it. Modules share neither memory nor types:
//! everything passes as text. `Statements` takes its catalog once; each call takes SQL and returns JSON, either `{"value": …}` or
//! `{"error": {"name", "code", "message", "diagnostics"}}`, which `pkg/js/sql.ts` returns or throws. Spans count UTF-16
//! code units.

mod reply;
mod spans;

use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::*;
use wherefore_catalog::Catalog;
use wherefore_sql::explain::{Step, explain, sentence};
use wherefore_sql::lint::{Asked, lint};
use wherefore_sql::repair::autocorrect;
use wherefore_sql::{
    Diagnostic, Dialect, GuardLimits, ReadDialect, Target, check_text, ddl, translate, transpile,
};

use crate::reply::{Refusal, reply};

/// Runs when the module is loaded; installs a hook that reports panics in the console.
#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Statements of one data source.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Statements {
    catalog: Option<Catalog>,
    /// Why there is no catalog.
    fault: Option<String>,
}

/// Explanation of a statement.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Explained {
    /// Summary of the whole statement in one sentence.
    pub sentence: String,
    /// Steps in the order of evaluation.
    pub steps: Vec<Step>,
}

/// A translated query.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Translated {
    /// The query in the target dialect.
    pub sql: String,
    /// Where its meaning depends on the type of a column that is not known; spans refer to the source.
    pub doubts: Vec<Diagnostic>,
}

#[wasm_bindgen]
impl Statements {
    /// Reads a catalog; `fault` says what is wrong with it.
    pub fn create(catalog: &str) -> Statements {
        match serde_json::from_str(catalog) {
            Ok(catalog) => Self { catalog: Some(catalog), fault: None },
            Err(fault) => Self { catalog: None, fault: Some(fault.to_string()) },
        }
    }

    /// Why the catalog could not be read.
    pub fn fault(&self) -> Option<String> {
        self.fault.clone()
    }

    /// Findings in a statement of the data source's dialect, in the order of the text.
    pub fn lint(&self, sql: &str, asked: Option<String>) -> String {
        reply(self.catalog().and_then(|catalog| {
            let mut found = lint(sql, catalog, read_asked(asked)?.as_ref());
            spans::findings(&mut found, sql);
            Ok(found)
        }))
    }

    /// Explains a statement step by step and in one sentence.
    pub fn explain(&self, sql: &str) -> String {
        reply(self.catalog().and_then(|catalog| {
            let mut steps = explain(sql, catalog)
                .map_err(|faults| Refusal::statement("statement_unreadable", faults, sql))?;
            let sentence = sentence(&steps);
            spans::steps(&mut steps, sql);
            Ok(Explained { sentence, steps })
        }))
    }

    /// Applies the fixes of errors that have exactly one plausible correction.
    pub fn autocorrect(&self, sql: &str, asked: Option<String>) -> String {
        reply(self.catalog().and_then(|catalog| {
            let mut corrected = autocorrect(sql, catalog, read_asked(asked)?.as_ref());
            spans::findings(&mut corrected.left, &corrected.sql);
            Ok(corrected)
        }))
    }

    /// Checks a statement with the guard and returns it as printed from the checked tree.
    pub fn check(&self, sql: &str) -> String {
        reply(self.catalog().and_then(|catalog| {
            let from = match catalog.dialect {
                Dialect::Postgres => ReadDialect::Postgres,
                Dialect::Sqlite => ReadDialect::Sqlite,
            };
            check_text(sql, from, catalog, catalog.dialect, &GuardLimits::default())
                .map(|checked| checked.sql().to_owned())
                .map_err(|faults| Refusal::statement("statement_refused", faults, sql))
        }))
    }

    fn catalog(&self) -> Result<&Catalog, Refusal> {
        self.catalog.as_ref().ok_or_else(|| {
            let fault = self.fault.as_deref().unwrap_or_default();
            Refusal::new("CatalogError", "invalid_catalog", fault)
        })
    }
}

/// Rewrites a query of one dialect for another; names are not resolved in a catalog.
#[wasm_bindgen(js_name = transpile)]
pub fn transpile_text(sql: &str, from: &str, to: &str) -> String {
    reply(dialects(from, to).and_then(|(from, to)| {
        transpile(sql, from, to)
            .map_err(|faults| Refusal::statement("statement_not_carried_over", faults, sql))
    }))
}

/// Rewrites a query of one dialect for another, with the column types of a catalog, and says what is in doubt.
#[wasm_bindgen(js_name = translate)]
pub fn translate_text(sql: &str, from: &str, to: &str, catalog: Option<String>) -> String {
    reply(dialects(from, to).and_then(|(from, to)| {
        let catalog: Option<Catalog> = catalog
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|fault| Refusal::new("CatalogError", "invalid_catalog", &fault.to_string()))?;
        let translated = translate(sql, from, to, catalog.as_ref())
            .map_err(|faults| Refusal::statement("statement_not_carried_over", faults, sql))?;
        let mut doubts: Vec<Diagnostic> = translated.doubts.into_iter().map(Into::into).collect();
        for doubt in &mut doubts {
            spans::convert(&mut doubt.span, sql);
        }
        Ok(Translated { sql: translated.sql, doubts })
    }))
}

/// Reads the statements that define a schema, and returns a catalog.
#[wasm_bindgen(js_name = readSchema)]
pub fn read_schema(sql: &str, dialect: &str) -> String {
    let unknown = || unknown_dialect(format!("a catalog cannot have the dialect {dialect:?}"));
    let dialect = named::<Dialect>(dialect).ok_or_else(unknown);
    reply(dialect.and_then(|dialect| {
        ddl::catalog(sql, dialect).map_err(|fault| Refusal::schema(fault, sql))
    }))
}

fn dialects(from: &str, to: &str) -> Result<(ReadDialect, Target), Refusal> {
    let dialects = || Some((named(from)?, named(to)?));
    dialects()
        .ok_or_else(|| unknown_dialect(format!("cannot read {from:?} or cannot write {to:?}")))
}

fn unknown_dialect(message: String) -> Refusal {
    Refusal::new("DialectError", "unknown_dialect", &message)
}

/// A value of an enum by its name on the wire.
fn named<T: serde::de::DeserializeOwned>(name: &str) -> Option<T> {
    serde_json::from_value(name.into()).ok()
}

fn read_asked(asked: Option<String>) -> Result<Option<Asked>, Refusal> {
    asked
        .map(|text| serde_json::from_str(&text))
        .transpose()
        .map_err(|fault| Refusal::new("AskedError", "invalid_asked", &fault.to_string()))
}
