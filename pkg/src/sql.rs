//! Statements for JavaScript: linted, said in words, mended, and carried over to another dialect.

use js_sys::{Array, Reflect};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wherefore_engine::sql::explain::{Step, explain, sentence};
use wherefore_engine::sql::lint::{Asked, Finding, lint};
use wherefore_engine::sql::repair::{Corrected, autocorrect};
use wherefore_engine::sql::tree::SqlSpan;
use wherefore_engine::sql::{Diagnostic, ReadDialect, Target, transpile};
use wherefore_engine::text::Span;

use crate::{Engine, error, read, write};

/// A statement in words.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Explained {
    /// One sentence on the whole statement.
    pub sentence: String,
    /// What it does, in the order in which it is worked out.
    pub steps: Vec<Step>,
}

#[wasm_bindgen]
impl Engine {
    /// Everything that is found in a statement of the data source's dialect, in the order in which it stands.
    ///
    /// `asked` says what a question asked for, to the rules about the shape of the result. Throws `AskedError` where it
    /// is not of that shape.
    pub fn lint(&self, sql: &str, asked: Option<Ts<Asked>>) -> Result<Vec<Ts<Finding>>, JsValue> {
        let mut found = lint(sql, self.0.catalog(), read_asked(asked)?.as_ref());
        convert_findings(&mut found, sql);
        found.iter().map(write).collect()
    }

    /// What a statement of the data source's dialect does, step by step, and in one sentence.
    ///
    /// Throws `StatementError` where it cannot be read.
    pub fn explain(&self, sql: &str) -> Result<Ts<Explained>, JsValue> {
        let mut steps = explain(sql, self.0.catalog())
            .map_err(|faults| refused("statement_unreadable", faults, sql))?;
        let sentence = sentence(&steps);
        convert_steps(&mut steps, sql);
        write(&Explained { sentence, steps })
    }

    /// Mends the errors of a statement that have a fix beside which nothing else can be meant.
    ///
    /// The places of what is left are those of the statement that comes back. Throws `AskedError` where `asked` is not
    /// of its shape.
    pub fn autocorrect(
        &self,
        sql: &str,
        asked: Option<Ts<Asked>>,
    ) -> Result<Ts<Corrected>, JsValue> {
        let mut corrected = autocorrect(sql, self.0.catalog(), read_asked(asked)?.as_ref());
        convert_findings(&mut corrected.left, &corrected.sql);
        write(&corrected)
    }

    /// A query of one dialect, written in another; its names are not looked up in the catalog.
    ///
    /// Throws `StatementError` where it cannot be read or carried over, and `DialectError` where a dialect is unknown.
    pub fn transpile(sql: &str, from: Ts<ReadDialect>, to: Ts<Target>) -> Result<String, JsValue> {
        let from = read(&from, "DialectError", "unknown_dialect")?;
        let to = read(&to, "DialectError", "unknown_dialect")?;
        transpile(sql, from, to)
            .map_err(|faults| refused("statement_not_carried_over", faults, sql))
    }
}

fn read_asked(asked: Option<Ts<Asked>>) -> Result<Option<Asked>, JsValue> {
    asked.map(|asked| read(&asked, "AskedError", "invalid_asked")).transpose()
}

/// A statement that was refused, with what is wrong with it as `diagnostics`.
fn refused(code: &str, mut faults: Vec<Diagnostic>, sql: &str) -> JsValue {
    for fault in &mut faults {
        convert(&mut fault.span, sql);
    }
    let message = faults.first().map_or_else(String::new, ToString::to_string);
    let error = error::new("StatementError", code, &message);
    let diagnostics: Array = faults.iter().filter_map(|fault| fault.into_js().ok()).collect();
    // Setting a property of a fresh object cannot fail.
    let _ = Reflect::set(&error, &"diagnostics".into(), &diagnostics);
    error
}

fn convert_findings(found: &mut [Finding], sql: &str) {
    for finding in found {
        convert(&mut finding.span, sql);
        for edit in finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            convert(&mut edit.span, sql);
        }
    }
}

fn convert_steps(steps: &mut [Step], sql: &str) {
    for step in steps {
        convert(&mut step.span, sql);
        convert_steps(&mut step.inner, sql);
    }
}

/// Bytes to UTF-16 code units.
fn convert(span: &mut SqlSpan, sql: &str) {
    let units = Span { start: span.start, end: span.end }.to_utf16(sql);
    *span = SqlSpan { start: units.start, end: units.end };
}
