//! The verdict on one question.

use std::fmt::Write;

use anyhow::Result;
use wherefore_engine::session::MentionKind;
use wherefore_sql::{ReadDialect, read};

use crate::dialogue::Dialogue;
use crate::facts::Facts;
use crate::gold::Golds;
use crate::item::Item;
use crate::lenient::{self, Forgiven, forgiven};
use crate::options::{Compared, Options};
use crate::report::line;
use crate::rows::Agreement;
use crate::source::Source;

/// Verdict on one question.
#[derive(Default)]
pub(super) struct Judged {
    /// Type of question.
    pub(super) kind: String,
    /// Database.
    pub(super) database: String,
    /// Overall confidence (0 to 1) and verdict, when a statement was written without asking back.
    pub(super) answered: Option<(f64, Verdict)>,
    /// Verdict on the statement that takes the best guess everywhere.
    pub(super) guessed: Verdict,
    /// Links from words of the question to the catalog.
    pub(super) bindings: Vec<Tie>,
    /// What the confidence depends on.
    pub(super) signals: Vec<(&'static str, i32)>,
    /// Whether unread words are all that is asked about.
    pub(super) only_unread: bool,
    /// Whether the best guess gives a statement.
    pub(super) written: bool,
    /// Whether some words were not read.
    pub(super) unread: bool,
    pub(super) end: &'static str,
    pub(super) detail: String,
}

/// A link from words of the question to a table, column or value.
pub(super) struct Tie {
    /// Kind of link target and matching method.
    pub(super) how: String,
    /// 0 to 1.
    pub(super) confidence: f64,
    /// Whether the gold statement names the same target.
    pub(super) right: bool,
}

/// Comparison of a statement with the gold statement.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Verdict {
    /// Whether the rows equal those of the gold statement; additional columns are allowed.
    pub(super) right: bool,
    /// Whether the columns equal those of the gold statement too.
    pub(super) same_columns: bool,
    /// What the lenient judge forgave; `None` when it accepts no less than the strict one.
    pub(super) forgiven: Option<Forgiven>,
    /// How the statement fares on changed rows.
    pub(super) repeated: Repeated,
}

impl Verdict {
    /// Whether the lenient judge accepts the statement.
    pub(super) fn is_accepted(self) -> bool {
        self.right || self.forgiven.is_some()
    }

    /// Whether the strict judge accepts the statement, on changed rows too where these decide.
    pub(super) fn is_right_again(self) -> bool {
        self.right && !matches!(self.repeated, Repeated::Differs | Repeated::Leniently)
    }

    /// Whether the lenient judge accepts the statement, on changed rows too where these decide.
    pub(super) fn is_accepted_again(self) -> bool {
        self.is_accepted() && self.repeated != Repeated::Differs
    }
}

/// How an accepted statement fares on a copy of the database with changed rows.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Repeated {
    /// It was not run there.
    #[default]
    Untried,
    /// It agrees with the gold there too; other rows at a tie agree, since copies of rows make ties.
    Agrees,
    /// Only the lenient judge accepts it there.
    Leniently,
    /// It does not agree with the gold there.
    Differs,
    /// The gold returns nothing there, or there is no such copy.
    Undecided,
}

/// Judges a question; `None` when its gold statement returns no rows.
pub(super) fn judge(source: &Source, item: &Item, options: &Options) -> Result<Option<Judged>> {
    let golds = Golds::of(source, item);
    if !golds.rows.iter().any(Option::is_some) {
        return Ok(None);
    }
    let dialogue = Dialogue::ask(source, &item.question, item.today(options), false)?;
    let guess = Dialogue::ask(source, &item.question, item.today(options), true)?;
    let verdict = |dialogue: &Dialogue<'_>| {
        dialogue.statement().map(|sql| compare(source, item, &golds, sql))
    };
    let repeated = |dialogue: &Dialogue<'_>, verdict: Verdict| match dialogue.statement() {
        Some(sql) if options.compared == Compared::Changed && verdict.is_accepted() => {
            repeat(source, item, sql)
        }
        _ => Repeated::Untried,
    };
    let confidence = dialogue.view().understanding.confidence.overall;
    let answered = verdict(&dialogue)
        .map(|verdict| (confidence, Verdict { repeated: repeated(&dialogue, verdict), ..verdict }));
    let guessed = verdict(&guess).unwrap_or_default();
    let bindings = golds.facts.first().map(|gold| ties(&dialogue, gold)).unwrap_or_default();
    let mut detail = String::new();
    if options.verbose {
        let outcome = match answered {
            Some((_, verdict)) if verdict.repeated == Repeated::Differs => {
                "WRONG ON CHANGED ROWS".to_owned()
            }
            Some((_, verdict)) if verdict.right => "RIGHT".to_owned(),
            Some((_, Verdict { forgiven: Some(reason), .. })) => format!("LENIENT {reason:?}"),
            Some(_) => "WRONG".to_owned(),
            None if guessed.is_accepted() => "ABSTAINED, BEST GUESS RIGHT".to_owned(),
            None => "ABSTAINED, BEST GUESS WRONG".to_owned(),
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
    Ok(Some(Judged {
        kind: item.kind.clone(),
        database: item.database().to_owned(),
        answered,
        guessed,
        bindings,
        signals: dialogue.signals(&item.question),
        only_unread: dialogue.asks_only_about_unread(),
        written: guess.statement().is_some(),
        unread: !dialogue.view().understanding.unread.is_empty(),
        end: dialogue.end(),
        detail,
    }))
}

/// Compares a statement with the golds; where several are given, any of them counts.
fn compare(source: &Source, item: &Item, golds: &Golds, sql: &str) -> Verdict {
    let met = golds.any_met_by(source, sql);
    let mut verdict = Verdict::default();
    for (index, agreement) in met {
        if matches!(agreement, Agreement::Fewer(_)) {
            continue;
        }
        let ordered = match (source.run(sql), &golds.rows[index]) {
            (Some(rows), Some(gold)) => {
                is_ordered_like(sql, &item.golds[index]) || rows.in_order_of(gold)
            }
            _ => false,
        };
        verdict.right |= ordered;
        verdict.same_columns |= ordered && agreement == Agreement::Same;
    }
    if !verdict.right {
        verdict.forgiven = item.golds.iter().find_map(|gold| forgiven(source, sql, gold));
    }
    verdict
}

/// Compares an accepted statement with the golds on changed rows.
fn repeat(source: &Source, item: &Item, sql: &str) -> Repeated {
    let Some(copy) = source.changed() else { return Repeated::Undecided };
    let golds = Golds::of(copy, item);
    if copy.run(sql).is_none() {
        return Repeated::Undecided;
    }
    match compare(copy, item, &golds, sql) {
        Verdict { right: true, .. } | Verdict { forgiven: Some(Forgiven::Ties), .. } => {
            Repeated::Agrees
        }
        Verdict { forgiven: Some(_), .. } => Repeated::Leniently,
        // The gold that it met may be the one without rows.
        _ if golds.rows.iter().any(Option::is_none) => Repeated::Undecided,
        _ => Repeated::Differs,
    }
}

/// Whether the gold statement has no ORDER BY, or the statement orders in the same direction.
///
/// Ties may come in any order, so comparing rows is not enough.
fn is_ordered_like(sql: &str, gold: &str) -> bool {
    let (Ok(gold), Ok(ours)) = (read(gold, ReadDialect::Sqlite), read(sql, ReadDialect::Sqlite))
    else {
        return true;
    };
    lenient::is_ordered_like(&ours, &gold)
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
}
