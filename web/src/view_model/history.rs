//! The list of earlier questions.

use serde::Deserialize;

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
}

impl Entry {
    /// What the entry is called in the list.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.question)
    }
}

/// The list, newest first; a question that was asked several times is listed once, as it ended last.
pub fn entries(past: Vec<PastQuestion>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for PastQuestion { id, question, status, outcome } in past {
        if question.trim().is_empty() {
            continue;
        }
        let listed = entries.iter_mut().find(|listed| alike(&listed.question, &question));
        if let Some(listed) = listed {
            listed.ids.push(id);
            continue;
        }
        let note = note(&status, &outcome);
        entries.push(Entry { ids: vec![id], question, name: None, pinned: false, note });
    }
    entries
}

/// The entries whose question or name contains each word of a search, in any case.
pub fn matching(entries: &[Entry], search: &str) -> Vec<Entry> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let fits = |entry: &&Entry| {
        let text = format!("{}\n{}", entry.title(), entry.question).to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    entries.iter().filter(fits).cloned().collect()
}

/// What is said of the number of entries, of which a search found some.
pub fn count(found: usize, all: usize) -> String {
    let questions = |count: usize| if count == 1 { "question" } else { "questions" };
    match (found, all) {
        (_, 0) => "No earlier questions.".to_owned(),
        (0, _) => "No earlier question has these words.".to_owned(),
        (found, all) if found < all => format!("{found} of {all} {}", questions(all)),
        (_, all) => format!("{all} {}", questions(all)),
    }
}

fn note(status: &str, outcome: &str) -> Option<&'static str> {
    match (status, outcome) {
        ("pending_clarification", _) => Some("not decided"),
        ("abandoned", _) => Some("stopped"),
        (_, "answered") => None,
        _ => Some("not answered"),
    }
}

/// Whether two questions have the same words.
pub(super) fn alike(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::{Entry, HistoryPage, count, entries, matching};

    fn entry(question: &str, note: Option<&'static str>) -> Entry {
        let ids = Vec::new();
        Entry { ids, question: question.to_owned(), name: None, pinned: false, note }
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
