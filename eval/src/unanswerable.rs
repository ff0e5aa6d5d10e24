//! `eval unanswerable`: how often a statement is written for a question that the data cannot answer.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use serde_json::json;

use super::dialogue::Dialogue;
use super::item::Item;
use super::options::Options;
use super::report::{self, Table, percent};
use super::score::{figure, share};
use super::source::Source;
use super::work;

/// Types of question that have an answer.
const ANSWERABLE: [&str; 2] = ["ambiguous", "answerable"];

/// How one question ended.
struct Judged {
    end: &'static str,
    detail: String,
}

/// Evaluates all items and prints a table by type of question.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let judged = work::each(items, options, |source, item| judge(source, item, options))?;
    let mut by_kind: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (item, judged) in items.iter().zip(&judged) {
        by_kind.entry(&item.kind).or_default().push(judged.end);
    }
    let ends = ["answered", "asked", "not_written", "out_of_scope"];
    let mut table = Table::new(&["type", "n", ends[0], ends[1], ends[2], ends[3]]);
    let mut unanswerable = Vec::new();
    for (kind, found) in by_kind {
        let mut row = vec![kind.to_owned(), found.len().to_string()];
        row.extend(ends.map(|end| percent(ended(&found, end))));
        table.row(row);
        if !ANSWERABLE.contains(&kind) {
            unanswerable.extend(found);
        }
    }
    let result = json!({
        "n": unanswerable.len(),
        "statement": figure(ended(&unanswerable, "answered")),
        "asked": figure(ended(&unanswerable, "asked")),
    });
    let details: Vec<String> = judged.into_iter().map(|judged| judged.detail).collect();
    report::print(if options.verbose { &details } else { &[] }, &[table], &result)
}

fn judge(source: &Source, item: &Item, options: &Options) -> Result<Judged> {
    let dialogue = Dialogue::ask(source, &item.question, item.today(options), false)?;
    let mut end = dialogue.end();
    if end == "answered" && dialogue.statement().is_none() {
        end = "not_written";
    }
    let mut detail = format!("[{}] {} ({end})\n  {}\n", item.id, item.kind, item.question);
    dialogue.describe(&mut detail)?;
    writeln!(detail)?;
    Ok(Judged { end, detail })
}

/// Share of the questions that ended in this way.
fn ended(found: &[&str], end: &str) -> Option<f64> {
    share(found.iter().filter(|found| **found == end).count(), found.len())
}
