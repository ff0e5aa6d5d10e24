//! Methods for SQL text: lint, explain, autocorrect, transpile.

use js_sys::{Array, Reflect};
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;
use wherefore_engine::text::Span;
use wherefore_sql::explain::{Step, explain, sentence};
use wherefore_sql::lint::{Asked, Finding, lint};
use wherefore_sql::repair::{Corrected, autocorrect};
use wherefore_sql::tree::SqlSpan;
use wherefore_sql::{Diagnostic, ReadDialect, Target, transpile};

use crate::{Engine, error, read, write};

/// Explanation of a statement.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Explained {
    /// Summary of the whole statement in one sentence.
    pub sentence: String,
    /// Steps in the order of evaluation.
    pub steps: Vec<Step>,
}

#[wasm_bindgen]
impl Engine {
    /// Findings in a statement of the data source's dialect, in the order of the text.
    ///
    /// `asked` says what the question asked for; rules about the shape of the result need it. Throws `AskedError` if it
    /// has another shape.
    pub fn lint(&self, sql: &str, asked: Option<Ts<Asked>>) -> Result<Vec<Ts<Finding>>, JsValue> {
        let mut found = lint(sql, self.0.catalog(), read_asked(asked)?.as_ref());
        convert_findings(&mut found, sql);
        found.iter().map(write).collect()
    }

    /// Explains a statement of the data source's dialect step by step and in one sentence.
    ///
    /// Throws `StatementError` if it cannot be parsed.
    pub fn explain(&self, sql: &str) -> Result<Ts<Explained>, JsValue> {
        let mut steps = explain(sql, self.0.catalog())
            .map_err(|faults| refused("statement_unreadable", faults, sql))?;
        let sentence = sentence(&steps);
        convert_steps(&mut steps, sql);
        write(&Explained { sentence, steps })
    }

    /// Applies the fixes of errors that have exactly one plausible correction.
    ///
    /// Spans of the remaining findings refer to the corrected statement. Throws `AskedError` if `asked` has another
    /// shape.
    pub fn autocorrect(
        &self,
        sql: &str,
        asked: Option<Ts<Asked>>,
    ) -> Result<Ts<Corrected>, JsValue> {
        let mut corrected = autocorrect(sql, self.0.catalog(), read_asked(asked)?.as_ref());
        convert_findings(&mut corrected.left, &corrected.sql);
        write(&corrected)
    }

    /// Rewrites a query of one dialect for another; names are not resolved in the catalog.
    ///
    /// Throws `StatementError` if it cannot be parsed or has no equivalent, and `DialectError` if a dialect is unknown.
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

/// Error of a rejected statement, with its faults as `diagnostics`.
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

/// Converts a span from bytes to UTF-16 code units.
fn convert(span: &mut SqlSpan, sql: &str) {
    let units = Span { start: span.start, end: span.end }.to_utf16(sql);
    *span = SqlSpan { start: units.start, end: units.end };
}
