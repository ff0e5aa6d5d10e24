//! The list of earlier questions.

use super::cell_text::grouped;
use crate::texts;
use serde::Deserialize;
use serde_json::value::RawValue;
use wherefore_engine::catalog::ColumnRef;

/// Response of `GET /api/v1/history`.
#[derive(Debug, Deserialize)]
pub struct HistoryPage {
    /// Questions, newest first.
    pub questions: Vec<PastQuestion>,
}

/// A question of the history.
#[derive(Clone, Debug, Deserialize)]
pub struct PastQuestion {
    id: String,
    question: String,
    status: String,
    outcome: String,
    #[serde(default)]
    said: Vec<String>,
    #[serde(default)]
    corrections: Vec<Box<RawValue>>,
}

/// An entry of the list.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Entry {
    /// Ids of all times that the question was asked.
    pub ids: Vec<String>,
    /// The question.
    pub question: String,
    /// Name that the user gave it.
    pub name: Option<String>,
    /// Whether the user pinned it.
    pub pinned: bool,
    /// How it ended, unless it was answered.
    pub note: Option<&'static str>,
    /// What leads to its statement.
    pub path: PastPath,
}

/// The texts and corrections that lead to the statement of an earlier question.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct PastPath {
    /// Texts, oldest first: a complete question, then texts that modify it.
    pub said: Vec<String>,
    /// Corrections of the texts, each as JSON that the engine reads.
    pub corrections: Vec<String>,
}

impl Entry {
    /// What the entry is called in the list.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.question)
    }

    /// What else leads to its statement, if more than the question does.
    pub fn led(&self) -> Option<String> {
        let PastPath { said, corrections } = &self.path;
        let later: Vec<&str> = said.iter().skip(1).map(String::as_str).collect();
        let follows = later.iter().any(|text| alike(text, &self.question));
        let corrected = corrections.iter().filter_map(|correction| in_words(correction));
        let after = said.first().filter(|_| follows).map(|first| texts::after_question(first));
        let later = later.into_iter().filter(|text| !alike(text, &self.question));
        let corrected: Vec<String> = later.map(str::to_owned).chain(corrected).collect();
        let corrected = (!corrected.is_empty()).then(|| texts::corrected_to(&corrected.join("; ")));
        let parts: Vec<String> = after.into_iter().chain(corrected).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

/// What the page reads of a correction.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Correction {
    text: String,
    selected_table: Option<String>,
    rejected_tables: Vec<String>,
    selected_column: Option<ColumnRef>,
    rejected_columns: Vec<ColumnRef>,
    left: Option<ColumnRef>,
    right: Option<ColumnRef>,
}

/// A correction in words.
fn in_words(correction: &str) -> Option<String> {
    let correction: Correction = serde_json::from_str(correction).ok()?;
    if !correction.text.is_empty() {
        return Some(correction.text);
    }
    let column = |column: &ColumnRef| format!("{}.{}", column.table, column.column);
    if let (Some(left), Some(right)) = (&correction.left, &correction.right) {
        return Some(texts::join_with(&column(left), &column(right)));
    }
    let selected =
        correction.selected_table.or_else(|| correction.selected_column.as_ref().map(column));
    let rejected = correction.rejected_tables.into_iter();
    let rejected = rejected.chain(correction.rejected_columns.iter().map(column));
    let parts: Vec<String> =
        selected.into_iter().chain(rejected.map(|name| texts::not_this(&name))).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The list, newest first; a question that was asked several times is listed once, as it ended last.
pub fn entries(past: Vec<PastQuestion>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for PastQuestion { id, question, status, outcome, said, corrections } in past {
        if question.trim().is_empty() {
            continue;
        }
        let listed = entries.iter_mut().find(|listed| alike(&listed.question, &question));
        if let Some(listed) = listed {
            listed.ids.push(id);
            continue;
        }
        let note = note(&status, &outcome);
        let corrections = corrections.iter().map(|given| given.get().to_owned()).collect();
        let path = PastPath { said, corrections };
        entries.push(Entry { ids: vec![id], question, name: None, pinned: false, note, path });
    }
    entries
}

/// The entries whose question, name or corrections contain each word of a search, in any case.
pub fn matching(entries: &[Entry], search: &str) -> Vec<Entry> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &&Entry| {
        let led = entry.led().unwrap_or_default();
        let text = format!("{}\n{}\n{led}", entry.title(), entry.question).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    entries.iter().filter(fits).cloned().collect()
}

/// What is said of the number of entries, of which a search found some.
pub fn count(found: usize, all: usize) -> String {
    match (found, all) {
        (_, 0) => texts::no_earlier_questions().to_owned(),
        (0, _) => texts::no_question_found().to_owned(),
        (found, all) if found < all => texts::questions_found(&grouped(found), all),
        (_, all) => texts::questions(all),
    }
}

fn note(status: &str, outcome: &str) -> Option<&'static str> {
    match (status, outcome) {
        ("pending_clarification", _) => Some(texts::not_decided()),
        ("abandoned", _) => Some(texts::note_stopped()),
        (_, "answered") => None,
        _ => Some(texts::not_answered()),
    }
}

/// Whether two questions have the same words.
pub(super) fn alike(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::{Entry, HistoryPage, PastPath, count, entries, matching};

    fn entry(question: &str, note: Option<&'static str>) -> Entry {
        let ids = Vec::new();
        let path = PastPath::default();
        Entry { ids, question: question.to_owned(), name: None, pinned: false, note, path }
    }

    #[test]
    fn what_else_leads_to_a_statement_is_said() {
        let led = |question: &str, said: &[&str], corrections: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            let path = PastPath { said: owned(said), corrections: owned(corrections) };
            Entry { path, ..entry(question, None) }.led()
        };
        assert_eq!(led("open orders", &["open orders"], &[]), None);
        let text = r#"{"type":"text","text":"no, I meant invoices"}"#;
        assert_eq!(
            led("open orders", &["open orders"], &[text]).as_deref(),
            Some("corrected: no, I meant invoices")
        );
        let table = r#"{"type":"table","selected_table":"a","rejected_tables":["b"]}"#;
        let join = r#"{"type":"join","left":{"table":"a","column":"x"},"right":{"table":"b","column":"y"}}"#;
        assert_eq!(
            led("orders in 2023", &["orders in 2023", "no, 2024"], &[table, join]).as_deref(),
            Some("corrected: no, 2024; a, not b; join a.x with b.y")
        );
        assert_eq!(
            led("and in 2024?", &["orders in 2023", "and in 2024?"], &[]).as_deref(),
            Some("after: orders in 2023")
        );
    }

    #[test]
    fn a_question_asked_again_is_listed_once_as_it_ended_last() {
        let page: HistoryPage = serde_json::from_value(serde_json::json!({
            "questions": [
                { "id": "1", "question": "open orders", "status": "completed", "outcome": "answered", "rounds": 1 },
                { "id": "2", "question": "recent orders", "status": "pending_clarification",
                    "outcome": "needs_clarification" },
                { "id": "3", "question": "open  orders", "status": "completed", "outcome": "execution_failed" },
                { "id": "4", "question": "delete all", "status": "completed", "outcome": "out_of_scope" },
                { "id": "5", "question": "all orders", "status": "abandoned", "outcome": "abandoned" },
                { "id": "6", "question": "", "status": "completed", "outcome": "answered" },
            ],
            "next": null,
        }))
        .unwrap();
        let of = |ids: &[&str], question: &str, note| {
            let ids = ids.iter().map(|id| (*id).to_owned()).collect();
            Entry { ids, ..entry(question, note) }
        };
        assert_eq!(
            entries(page.questions),
            [
                of(&["1", "3"], "open orders", None),
                of(&["2"], "recent orders", Some("not decided")),
                of(&["4"], "delete all", Some("not answered")),
                of(&["5"], "all orders", Some("stopped")),
            ]
        );
    }

    #[test]
    fn a_search_finds_entries_with_all_its_words() {
        let all = [entry("Open orders in Linz", None), entry("open invoices", None)];
        assert_eq!(matching(&all, " "), all);
        assert_eq!(matching(&all, "LINZ open"), [all[0].clone()]);
        assert_eq!(matching(&all, "linz invoices"), []);
    }

    #[test]
    fn the_number_of_entries_is_said_in_words() {
        assert_eq!(count(0, 0), "No earlier questions.");
        assert_eq!(count(0, 4), "No earlier question has these words.");
        assert_eq!(count(1, 4), "1 of 4 questions");
        assert_eq!(count(1, 1), "1 question");
    }
}
