//! Diagnosis of statements that the reader rejects.

use super::rules::{dialect_syntax, reserved_word};
use super::{Edit, Finding, Fix, rule_of};
use crate::tree::SqlSpan;
use crate::words::is_reserved;
use crate::{
    Code, Diagnostic, Dialect, GuardLimits, ReadDialect, print, read, translate, transpile,
};
use wherefore_catalog::Catalog;

/// Findings for a statement that the reader rejected.
pub(super) fn findings(sql: &str, catalog: &Catalog, fault: Diagnostic) -> Vec<Finding> {
    // Of the lexical errors, only backticks point to another database; an unclosed quote does not.
    let is_form = matches!(fault.code, Code::Syntax | Code::Unsupported)
        || fault.code == Code::Lexical && sql.contains('`');
    if is_form && let Some(found) = reserved(sql, catalog, &fault) {
        return vec![found];
    }
    if is_form && let Some(found) = foreign(sql, catalog, &fault) {
        return vec![found];
    }
    let Some(rule) = rule_of(fault.code) else { return Vec::new() };
    let message = match fault.hint {
        Some(hint) => format!("{}: {hint}", fault.message),
        None => fault.message,
    };
    vec![Finding::new(rule, message, fault.span)]
}

/// A catalog name that is an unquoted keyword, at or before the position of the error.
fn reserved(sql: &str, catalog: &Catalog, fault: &Diagnostic) -> Option<Finding> {
    let names = catalog.tables.iter().flat_map(|table| {
        std::iter::once(&table.name).chain(table.columns.iter().map(|column| &column.name))
    });
    let dialect = catalog.dialect;
    for name in names {
        let lower = name.to_ascii_lowercase();
        if !is_reserved(&lower, dialect) {
            continue;
        }
        for span in words(sql).filter(|span| text(sql, *span).eq_ignore_ascii_case(name)) {
            let quoted = format!("\"{}\"", name.replace('"', "\"\""));
            let fix =
                Fix::safe(format!("quote the name: {quoted}"), vec![Edit::replace(span, quoted)]);
            let mended = fix.apply(sql)?;
            let further =
                |fault: &Diagnostic, next: &Diagnostic| next.span.start > fault.span.start;
            let helps = match read(&mended, dialect.into()) {
                Ok(_) => true,
                Err(next) => next.first().is_some_and(|next| further(fault, next)),
            };
            if helps {
                let message =
                    format!("`{}` is a reserved word; as a name it needs quotes", text(sql, span));
                return Some(Finding::new(reserved_word(), message, span).fix(Some(fix)));
            }
        }
    }
    None
}

/// A statement in the dialect of another database.
fn foreign(sql: &str, catalog: &Catalog, fault: &Diagnostic) -> Option<Finding> {
    let own = catalog.dialect;
    let dialect = others(sql, own).find(|dialect| {
        read(sql, *dialect).is_ok() || transpile(sql, *dialect, own.into()).is_ok()
    })?;
    let message = format!("the statement is not valid {own}; it looks like {}", called(dialect));
    Some(Finding::new(dialect_syntax(), message, fault.span))
}

/// The statement translated from the best-matching dialect; `None` if that fixes nothing.
pub(crate) fn rewritten(sql: &str, catalog: &Catalog) -> Option<Fix> {
    let own = catalog.dialect;
    let whole = SqlSpan { start: 0, end: sql.len() as u32 };
    let as_own = read(sql, own.into()).ok().and_then(|query| print(&query, own).ok());
    let as_others = others(sql, own).filter_map(|dialect| {
        let translated = translate(sql, dialect, own.into(), Some(catalog)).ok()?;
        translated.doubts.is_empty().then_some(translated.sql)
    });
    let faults = |text: &String| errors(text, catalog);
    let text = as_own.into_iter().chain(as_others).min_by_key(faults)?;
    let helps = errors(&text, catalog) == 0 || errors(&text, catalog) < errors(sql, catalog);
    helps.then(|| {
        Fix::safe(format!("translate the statement to {own}"), vec![Edit::replace(whole, text)])
    })
}

/// Number of guard diagnostics of a statement; `usize::MAX` if it cannot be read.
fn errors(sql: &str, catalog: &Catalog) -> usize {
    let Ok(query) = read(sql, catalog.dialect.into()) else { return usize::MAX };
    crate::guard::faults(&query, catalog, catalog.dialect, &GuardLimits::default()).len()
}

/// Dialects to try. If the statement contains double quotes, those in which they delimit strings are left out, because
/// an unknown name would silently become a string.
fn others(sql: &str, own: Dialect) -> impl Iterator<Item = ReadDialect> {
    let quoted = sql.contains('"');
    let texts = [ReadDialect::Mysql, ReadDialect::Bigquery];
    [
        ReadDialect::Postgres,
        ReadDialect::Sqlite,
        ReadDialect::Mysql,
        ReadDialect::Mssql,
        ReadDialect::Snowflake,
        ReadDialect::Bigquery,
        ReadDialect::Oracle,
        ReadDialect::Redshift,
        ReadDialect::Duckdb,
    ]
    .into_iter()
    .filter(move |dialect| {
        *dialect != ReadDialect::from(own) && !(quoted && texts.contains(dialect))
    })
}

fn called(dialect: ReadDialect) -> &'static str {
    match dialect {
        ReadDialect::Bigquery => "BigQuery",
        ReadDialect::Duckdb => "DuckDB",
        ReadDialect::Mssql => "SQL Server",
        ReadDialect::Mysql => "MySQL",
        ReadDialect::Postgres => "PostgreSQL",
        ReadDialect::Sqlite => "SQLite",
        ReadDialect::Oracle => "Oracle",
        ReadDialect::Redshift => "Redshift",
        ReadDialect::Snowflake => "Snowflake",
    }
}

fn text(sql: &str, span: SqlSpan) -> &str {
    sql.get(span.start as usize..span.end as usize).unwrap_or_default()
}

/// Spans of runs of letters, digits and underscores outside quotes.
fn words(sql: &str) -> impl Iterator<Item = SqlSpan> {
    let mut found = Vec::new();
    let mut quote = None;
    let mut start = None;
    for (at, character) in sql.char_indices().chain(std::iter::once((sql.len(), ' '))) {
        let in_word = quote.is_none() && (character.is_alphanumeric() || character == '_');
        match (start, in_word) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push(SqlSpan { start: from as u32, end: at as u32 });
                start = None;
            }
            _ => {}
        }
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    found.into_iter()
}
