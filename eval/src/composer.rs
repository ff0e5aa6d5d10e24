//! `eval composer`: how often a statement is written without a clarification, how often it is right, and how well
//! calibrated the confidence is.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use serde_json::json;
use wherefore_engine::session::MentionKind;
use wherefore_sql::tree::Query;
use wherefore_sql::{ReadDialect, read};

use super::dialogue::Dialogue;
use super::facts::Facts;
use super::gold::Golds;
use super::item::Item;
use super::options::Options;
use super::report::{self, Table, line, percent};
use super::rows::Agreement;
use super::score::{bins, calibration_error, figure, share};
use super::source::Source;
use super::work;

/// Verdict on one question.
struct Judged {
    /// Overall confidence (0 to 1) and verdict, when a statement was written without asking back.
    answered: Option<(f64, Verdict)>,
    /// Verdict on the statement that takes the best guess everywhere.
    guessed: Verdict,
    /// Links from words of the question to the catalog.
    bindings: Vec<Tie>,
    end: &'static str,
    detail: String,
}

/// A link from words of the question to a table, column or value.
struct Tie {
    /// Kind of link target and matching method.
    how: String,
    /// 0 to 1.
    confidence: f64,
    /// Whether the gold statement names the same target.
    right: bool,
}

/// Comparison of a statement with the gold statement.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Verdict {
    /// Whether the rows equal those of the gold statement; additional columns are allowed.
    right: bool,
    /// Whether the columns equal those of the gold statement too.
    same_columns: bool,
}

/// Evaluates all items and prints tables and figures.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let judged = work::each(items, options, |source, item| judge(source, item, options))?;
    let judged: Vec<Judged> = judged.into_iter().flatten().collect();
    let n = judged.len();
    let answered: Vec<(f64, Verdict)> =
        judged.iter().filter_map(|judged| judged.answered).collect();
    let right =
        |way: fn(Verdict) -> bool| answered.iter().filter(|(_, verdict)| way(*verdict)).count();
    let guessed =
        |way: fn(Verdict) -> bool| judged.iter().filter(|judged| way(judged.guessed)).count();
    let overall: Vec<(f64, bool)> =
        answered.iter().map(|(confidence, verdict)| (*confidence, verdict.right)).collect();
    let ties: Vec<&Tie> = judged.iter().flat_map(|judged| &judged.bindings).collect();
    let bindings: Vec<(f64, bool)> = ties.iter().map(|tie| (tie.confidence, tie.right)).collect();

    let mut table = Table::new(&["figure", "value", "same columns"]);
    let mut add = |name: &str, value: Option<f64>, same: Option<f64>| {
        table.row(vec![name.to_owned(), percent(value), percent(same)]);
    };
    add("coverage", share(answered.len(), n), None);
    let same = |verdict: Verdict| verdict.same_columns;
    let any = |verdict: Verdict| verdict.right;
    add(
        "selective accuracy",
        share(right(any), answered.len()),
        share(right(same), answered.len()),
    );
    add("accuracy of best guesses", share(guessed(any), n), share(guessed(same), n));
    add("calibration error of ties", calibration_error(&bindings), None);
    add("calibration error of the whole", calibration_error(&overall), None);
    for end in ["asked", "not_written", "out_of_scope"] {
        add(end, share(judged.iter().filter(|judged| judged.end == end).count(), n), None);
    }
    let tables = [
        table,
        risk(&overall, n),
        calibration("confidence of ties", &bindings),
        ways(&ties),
        calibration("confidence of the whole", &overall),
    ];
    let result = json!({
        "n": n,
        "coverage": figure(share(answered.len(), n)),
        "selective_accuracy": figure(share(right(any), answered.len())),
        "accuracy": figure(share(guessed(any), n)),
        "ece": figure(calibration_error(&bindings)),
    });
    let details: Vec<String> = judged.into_iter().map(|judged| judged.detail).collect();
    report::print(if options.verbose { &details } else { &[] }, &tables, &result)
}

/// Risk-coverage table: error rate among the most confident 10 %, 20 %, … of `n` questions.
fn risk(answered: &[(f64, bool)], n: usize) -> Table {
    let mut sorted = answered.to_vec();
    sorted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut table = Table::new(&["of the answered", "coverage", "confidence from", "risk"]);
    for tenth in 1..=10 {
        let part = &sorted[..sorted.len() * tenth / 10];
        let wrong = part.iter().filter(|(_, right)| !right).count();
        table.row(vec![
            format!("{} %", tenth * 10),
            percent(share(part.len(), n)),
            part.last().map_or_else(String::new, |(confidence, _)| format!("{confidence:.3}")),
            percent(share(wrong, part.len())),
        ]);
    }
    table
}

fn calibration(name: &str, predictions: &[(f64, bool)]) -> Table {
    let mut table = Table::new(&[name, "n", "mean", "right"]);
    for (tenth, bin) in bins(predictions).iter().enumerate().filter(|(_, bin)| bin.n > 0) {
        table.row(vec![
            format!("{:.1} to {:.1}", tenth as f64 / 10.0, (tenth + 1) as f64 / 10.0),
            bin.n.to_string(),
            format!("{:.3}", bin.confidence),
            format!("{:.3}", bin.accuracy),
        ]);
    }
    table
}

/// Judges a question; `None` when its gold statement returns no rows.
fn judge(source: &Source, item: &Item, options: &Options) -> Result<Option<Judged>> {
    let golds = Golds::of(source, item);
    if !golds.rows.iter().any(Option::is_some) {
        return Ok(None);
    }
    let dialogue = Dialogue::ask(source, &item.question, &options.today, false)?;
    let guess = Dialogue::ask(source, &item.question, &options.today, true)?;
    let verdict = |dialogue: &Dialogue<'_>| {
        dialogue.statement().map(|sql| compare(source, item, &golds, sql))
    };
    let confidence = dialogue.view().understanding.confidence.overall;
    let answered = verdict(&dialogue).map(|verdict| (confidence, verdict));
    let guessed = verdict(&guess).unwrap_or_default();
    let bindings = golds.facts.first().map(|gold| ties(&dialogue, gold)).unwrap_or_default();
    let mut detail = String::new();
    if options.verbose {
        let outcome = match answered {
            Some((_, verdict)) if verdict.right => "RIGHT",
            Some(_) => "WRONG",
            None if guessed.right => "ABSTAINED, BEST GUESS RIGHT",
            None => "ABSTAINED, BEST GUESS WRONG",
        };
        let end = dialogue.end();
        writeln!(detail, "[{}] {outcome} ({end}, {confidence:.3})\n  {}", item.id, item.question)?;
        for sql in &item.golds {
            writeln!(detail, "  gold {}", line(sql))?;
        }
        dialogue.describe(&mut detail)?;
        for question in dialogue.questions() {
            let labels: Vec<&str> =
                question.options.iter().map(|option| option.label.as_str()).collect();
            writeln!(
                detail,
                "  ASK [{:?}] {} / {}",
                question.ambiguity,
                question.phrase,
                labels.join(" / ")
            )?;
        }
        if let (None, Some(sql)) = (dialogue.statement(), guess.statement()) {
            writeln!(detail, "  best guess {}", line(sql))?;
        }
    }
    Ok(Some(Judged { answered, guessed, bindings, end: dialogue.end(), detail }))
}

fn compare(source: &Source, item: &Item, golds: &Golds, sql: &str) -> Verdict {
    let met = golds.met_by(source, sql);
    let agreement = met.iter().find(|(_, agreement)| !matches!(agreement, Agreement::Fewer(_)));
    let Some((index, agreement)) = agreement else { return Verdict::default() };
    let ordered = match (source.run(sql), &golds.rows[*index]) {
        (Some(rows), Some(gold)) => {
            is_ordered_like(sql, &item.golds[*index]) || rows.in_order_of(gold)
        }
        _ => false,
    };
    Verdict { right: ordered, same_columns: ordered && *agreement == Agreement::Same }
}

/// Whether the gold statement has no ORDER BY, or the statement orders in the same direction.
///
/// Ties may come in any order, so comparing rows is not enough.
fn is_ordered_like(sql: &str, gold: &str) -> bool {
    let direction = |query: &Query| query.order_by.first().map(|item| item.descending);
    let (Ok(gold), Ok(ours)) = (read(gold, ReadDialect::Sqlite), read(sql, ReadDialect::Sqlite))
    else {
        return true;
    };
    gold.limit.is_some() || direction(&gold).is_none_or(|wanted| direction(&ours) == Some(wanted))
}

/// Links grouped by matching method.
fn ways(ties: &[&Tie]) -> Table {
    let mut by_way: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for tie in ties {
        let (n, right) = by_way.entry(&tie.how).or_default();
        *n += 1;
        *right += usize::from(tie.right);
    }
    let mut table = Table::new(&["ties by", "n", "right"]);
    for (way, (n, right)) in by_way {
        table.row(vec![way.to_owned(), n.to_string(), percent(share(right, n))]);
    }
    table
}

/// Links to tables, columns and values, each compared with the gold statement.
fn ties(dialogue: &Dialogue<'_>, gold: &Facts) -> Vec<Tie> {
    let names = |fact: String| gold.contains(&fact.to_lowercase());
    dialogue
        .view()
        .understanding
        .mentions
        .iter()
        .filter_map(|mention| {
            let meaning = &mention.meaning;
            let right = match mention.kind {
                MentionKind::Table => names(format!("table:{meaning}")),
                MentionKind::Column if meaning.contains('.') => names(format!("column:{meaning}")),
                MentionKind::Value => {
                    let column = meaning.split(" = ").next().unwrap_or_default();
                    names(format!("column:{column}"))
                }
                _ => return None,
            };
            let how = format!("{:?}, {}", mention.kind, mention.reason).to_lowercase();
            Some(Tie { how, confidence: mention.confidence, right })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_counts_only_where_the_gold_has_one_without_a_limit() {
        for (ours, gold, expected) in [
            ("SELECT a FROM t", "SELECT a FROM t", true),
            ("SELECT a FROM t", "SELECT a FROM t ORDER BY a", false),
            ("SELECT a FROM t ORDER BY b", "SELECT a FROM t ORDER BY a", true),
            ("SELECT a FROM t ORDER BY b DESC", "SELECT a FROM t ORDER BY a", false),
            ("SELECT a FROM t", "SELECT a FROM t ORDER BY a LIMIT 1", true),
        ] {
            assert_eq!(is_ordered_like(ours, gold), expected, "{ours} | {gold}");
        }
    }

    #[test]
    fn risk_is_that_of_the_surest_part() {
        let answered: Vec<(f64, bool)> =
            (0..10).map(|index| (1.0 - f64::from(index) / 10.0, index < 5)).collect();
        let lines = risk(&answered, 20).lines();
        assert!(lines[5].contains("25.0 %") && lines[5].ends_with("0.0 %"), "{}", lines[5]);
        assert!(lines[10].ends_with("50.0 %"), "{}", lines[10]);
    }
}
