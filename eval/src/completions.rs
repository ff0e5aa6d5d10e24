//! `eval completions`: how many of the beginnings of questions lead to a question that can be answered by accepting
//! completions.

use std::fmt::Write;

use anyhow::Result;
use serde_json::json;
use wherefore_engine::Engine;
use wherefore_engine::session::Completion;

use super::item::Item;
use super::options::Options;
use super::report::{self, Table, percent};
use super::score::{figure, share};
use super::work;

/// Most completions that are accepted.
const ACCEPTS: usize = 3;
/// Letters of a word from which it should be offered.
const LETTERS: usize = 3;

/// What was found of one question.
#[derive(Default)]
struct Judged {
    /// Fewest accepts of each beginning; `None` if no way leads to an answer.
    accepts: Vec<Option<usize>>,
    /// Whether always accepting the first completion leads to an answer.
    firsts: Vec<bool>,
    /// Whether the word that was begun is offered.
    named: Vec<bool>,
    /// Number of completions of each beginning.
    offered: Vec<usize>,
    /// Whether completions of a beginning, if there are any, keep all its words.
    kept: Vec<bool>,
    detail: String,
}

/// Evaluates all items and prints the shares.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let judged = work::each(items, options, |source, item| {
        judge(&source.engine, item, item.today(options))
    })?;
    let all = || judged.iter().flat_map(|judged| judged.accepts.iter().copied());
    let within = |most: usize| {
        share(all().filter(|it| it.is_some_and(|n| n <= most)).count(), all().count())
    };
    let firsts: Vec<bool> = judged.iter().flat_map(|judged| judged.firsts.clone()).collect();
    let named: Vec<bool> = judged.iter().flat_map(|judged| judged.named.clone()).collect();
    let offered: Vec<usize> = judged.iter().flat_map(|judged| judged.offered.clone()).collect();
    let kept: Vec<bool> = judged.iter().flat_map(|judged| judged.kept.clone()).collect();
    let part = |list: &[bool]| share(list.iter().filter(|it| **it).count(), list.len());
    let mut table = Table::new(&["accepts", "beginnings that lead to an answer"]);
    for most in 0..=ACCEPTS {
        table.row(vec![format!("at most {most}"), percent(within(most))]);
    }
    table.row(vec!["always the first".to_owned(), percent(part(&firsts))]);
    let result = json!({
        "questions": judged.len(),
        "beginnings": all().count(),
        "within_0": figure(within(0)),
        "within_1": figure(within(1)),
        "within_3": figure(within(ACCEPTS)),
        "always_first": figure(part(&firsts)),
        "words_kept": figure(part(&kept)),
        "word_offered": figure(part(&named)),
        "without_offer": figure(share(offered.iter().filter(|n| **n == 0).count(), offered.len())),
    });
    let details: Vec<String> = judged.into_iter().map(|judged| judged.detail).collect();
    report::print(if options.verbose { &details } else { &[] }, &[table], &result)
}

fn judge(engine: &Engine, item: &Item, today: &str) -> Result<Judged> {
    let mut judged = Judged::default();
    writeln!(judged.detail, "[{}] {}", item.id, item.question)?;
    for end in beginnings(&item.question) {
        let text = &item.question[..end];
        let found = offers(engine, text, today);
        let accepts = accepts(engine, text, today);
        let rest = item.question[end..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let word = text.split_whitespace().next_back().unwrap_or("").to_lowercase();
        if !rest.is_empty() && word.chars().count() >= LETTERS && !text.ends_with(' ') {
            let whole = format!("{word}{}", rest.to_lowercase());
            let says = |completion: &Completion| {
                completion.label.to_lowercase().split(' ').any(|said| said == whole)
            };
            judged.named.push(found.iter().any(says));
        }
        let shown: Vec<&str> = found.iter().map(|completion| completion.label.as_str()).collect();
        let mark = accepts.map_or("-".to_owned(), |accepts| accepts.to_string());
        writeln!(judged.detail, "  {mark} {text}| {}", shown.join(" · "))?;
        judged.firsts.push(leads_by_firsts(engine, text, today));
        judged.offered.push(found.len());
        judged.kept.push(accepts == Some(0) || found.iter().any(|completion| !completion.instead));
        judged.accepts.push(accepts);
    }
    Ok(judged)
}

/// Ends of the beginnings of a question: behind each word and its space, and in the middle of each word.
fn beginnings(question: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut start = 0;
    for word in question.split_inclusive(' ') {
        let letters = word.trim_end().chars().count();
        if let Some((middle, _)) = word.char_indices().nth(letters.div_ceil(2)) {
            ends.push(start + middle);
        }
        start += word.len();
        ends.push(start);
    }
    ends.dedup();
    ends
}

fn offers(engine: &Engine, text: &str, today: &str) -> Vec<Completion> {
    engine.completions(text, text.len(), today)
}

/// Whether a statement is written for a text without a question, and with all its words read.
fn is_answered(engine: &Engine, text: &str, today: &str) -> bool {
    let preview = engine.preview(text, today);
    preview.sql.is_some()
        && preview.problem.is_none()
        && preview.clarifications.is_empty()
        && preview.understanding.unread.is_empty()
}

fn accepted(text: &str, completion: &Completion) -> String {
    format!("{}{}", &text[..completion.span.start as usize], completion.insert)
}

/// Fewest accepts after which a text is answered.
fn accepts(engine: &Engine, text: &str, today: &str) -> Option<usize> {
    let mut texts = vec![text.to_owned()];
    for count in 0..=ACCEPTS {
        if texts.iter().any(|text| is_answered(engine, text, today)) {
            return Some(count);
        }
        if count == ACCEPTS {
            break;
        }
        let next = texts.iter().flat_map(|text| {
            let found = offers(engine, text, today);
            found.into_iter().map(|completion| accepted(text, &completion)).collect::<Vec<_>>()
        });
        texts = next.collect();
    }
    None
}

fn leads_by_firsts(engine: &Engine, text: &str, today: &str) -> bool {
    let mut text = text.to_owned();
    for _ in 0..ACCEPTS {
        if is_answered(engine, &text, today) {
            return true;
        }
        let Some(first) = offers(engine, &text, today).into_iter().next() else { return false };
        text = accepted(&text, &first);
    }
    is_answered(engine, &text, today)
}

#[cfg(test)]
mod tests {
    use super::beginnings;

    #[test]
    fn a_question_begins_behind_and_within_each_word() {
        let question = "sales by month";
        let shown: Vec<&str> =
            beginnings(question).into_iter().map(|end| &question[..end]).collect();
        assert_eq!(
            shown,
            ["sal", "sales ", "sales b", "sales by ", "sales by mon", "sales by month"]
        );
    }
}
