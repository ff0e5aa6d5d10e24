//! Command `explain`: how a question is read, without running its statement.

use std::fmt::Write;

use jiff::Zoned;
use thiserror::Error;
use wherefore_engine::Clause;
use wherefore_engine::session::Preview;

use crate::config::{Contradiction, Explain};
use crate::startup::{StartError, knowledge, open_database, read_catalog_soon};

/// Why a question cannot be explained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExplainError {
    /// The options do not specify a data source.
    #[error(transparent)]
    Options(#[from] Contradiction),
    /// The data source cannot be read.
    #[error(transparent)]
    Source(#[from] StartError),
    /// The options specify tenants, and not this one.
    #[error("unknown tenant: {0}")]
    UnknownTenant(String),
}

/// Reads the question, and returns what was understood as text.
pub async fn run(explain: Explain) -> Result<String, ExplainError> {
    let Explain { question, today, tenant: name, config } = explain;
    config.check()?;
    let tenants = config.all_tenants();
    let Some(tenant) = tenants.into_iter().find(|tenant| tenant.name == name) else {
        return Err(ExplainError::UnknownTenant(name));
    };
    let database = match tenant.address()? {
        Some(address) => Some(open_database(&config, &address)?),
        None => None,
    };
    let catalog = read_catalog_soon(&config, &tenant, database.as_ref()).await?;
    let knowledge = knowledge(&config, &tenant, catalog, None)?;
    let today = today.unwrap_or_else(|| Zoned::now().date().to_string());
    let preview = knowledge.engine.preview(&question, &today);
    Ok(told(&question, &preview))
}

/// Clauses with their words, the other words, decisions, open questions, confidence and SQL, one section each.
fn told(question: &str, preview: &Preview) -> String {
    let account = &preview.understanding.account;
    let clauses =
        account.clauses.iter().map(|clause| (clause.text.clone(), words_of(question, clause)));
    let rest = account
        .rest
        .iter()
        .map(|rest| (rest.span.of(question).to_owned(), rest.reading.words().to_owned()));
    let assumptions = preview
        .assumptions
        .iter()
        .map(|assumption| (assumption.phrase.clone(), assumption.meaning.clone()));
    let questions = preview.clarifications.iter().map(|open| {
        let options: Vec<&str> = open.options.iter().map(|option| option.label.as_str()).collect();
        (open.question.clone(), options.join(" | "))
    });
    let mut told = String::new();
    section(&mut told, "Clauses", clauses);
    section(&mut told, "Other words", rest);
    section(&mut told, "Assumptions", assumptions);
    section(&mut told, "Open questions", questions);
    let doubts = preview.understanding.doubts.iter().map(|doubt| {
        let words = doubt.span.map_or("the query", |span| span.of(question));
        (words.to_owned(), doubt.kind.reason().to_owned())
    });
    section(&mut told, "Doubts", doubts);
    if let Some(problem) = &preview.problem {
        let _ = writeln!(told, "Problem: {} ({})", problem.message, problem.code);
    } else {
        let confidence = preview.understanding.confidence.overall;
        let _ = writeln!(told, "Confidence: {:.0} %", confidence * 100.0);
    }
    if let Some(sql) = &preview.sql {
        let _ = writeln!(told, "\n{sql}");
    }
    told
}

/// The words that ask for a clause, or why it is there without any.
fn words_of(question: &str, clause: &Clause) -> String {
    let words: Vec<String> =
        clause.spans.iter().map(|span| format!("“{}”", span.of(question))).collect();
    match (words.is_empty(), clause.default) {
        (false, _) => words.join(" "),
        (true, Some(default)) => default.reason().to_owned(),
        (true, None) => "no words ask for it".to_owned(),
    }
}

/// Writes a title and a line for each pair; nothing if there are none.
fn section(told: &mut String, title: &str, lines: impl Iterator<Item = (String, String)>) {
    let lines: Vec<(String, String)> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(told, "{title}:");
    for (left, right) in lines {
        let _ = writeln!(told, "  {left}: {right}");
    }
}
