//! What the user did to the list of earlier questions: pinned, named, deleted. Kept in the browser.

use serde::{Deserialize, Serialize};

use super::history::{Entry, alike};

/// Maximum length of a name in characters.
const NAME_CHARACTERS: usize = 120;

/// Pins and names of questions, and questions to be deleted.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub struct HistoryMarks {
    pinned: Vec<String>,
    names: Vec<(String, String)>,
    /// Questions that are deleted at the next opportunity, each with all its ids.
    pub deleting: Vec<(String, Vec<String>)>,
}

impl HistoryMarks {
    /// Marks from the browser's storage; none if the text is not of this form.
    pub fn read(text: &str) -> Self {
        wherefore_engine::read_json(text).unwrap_or_default()
    }

    /// Text for the browser's storage.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Pins a question, or takes its pin away.
    pub fn pin(&mut self, question: &str, pinned: bool) {
        self.pinned.retain(|known| !alike(known, question));
        if pinned {
            self.pinned.push(question.to_owned());
        }
    }

    /// Gives a question a name; an empty one, or the question itself, takes the name away.
    pub fn rename(&mut self, question: &str, name: &str) {
        self.names.retain(|(known, _)| !alike(known, question));
        let name: String = name.trim().chars().take(NAME_CHARACTERS).collect();
        if !name.is_empty() && !alike(&name, question) {
            self.names.push((question.to_owned(), name));
        }
    }

    /// Takes a question out of the list, to be deleted.
    pub fn delete(&mut self, entry: &Entry) {
        self.deleting.push((entry.question.clone(), entry.ids.clone()));
    }

    /// Puts a question back into the list.
    pub fn restore(&mut self, question: &str) {
        self.deleting.retain(|(known, _)| known != question);
    }

    /// Forgets all marks of a question that was deleted.
    pub fn forget(&mut self, question: &str) {
        self.restore(question);
        self.pin(question, false);
        self.rename(question, "");
    }

    /// The entries with their marks, the pinned first, without those to be deleted.
    pub fn applied(&self, entries: &[Entry]) -> Vec<Entry> {
        let deleting: Vec<&String> = self.deleting.iter().flat_map(|(_, ids)| ids).collect();
        let is_kept = |entry: &&Entry| !entry.ids.iter().any(|id| deleting.contains(&id));
        let marked = |entry: &Entry| {
            let name = self.names.iter().find(|(known, _)| alike(known, &entry.question));
            Entry {
                name: name.map(|(_, name)| name.clone()),
                pinned: self.pinned.iter().any(|known| alike(known, &entry.question)),
                ..entry.clone()
            }
        };
        let entries = entries.iter().filter(is_kept).map(marked);
        let (mut entries, others): (Vec<Entry>, Vec<Entry>) =
            entries.partition(|entry| entry.pinned);
        entries.extend(others);
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::HistoryMarks;
    use crate::view_model::history::{Entry, PastPath};

    fn list() -> Vec<Entry> {
        let entry = |(index, question): (usize, &str)| Entry {
            ids: vec![index.to_string()],
            question: question.to_owned(),
            name: None,
            pinned: false,
            note: None,
            path: PastPath::default(),
        };
        ["open orders", "all orders", "customers"].into_iter().enumerate().map(entry).collect()
    }

    fn titles(marks: &HistoryMarks) -> Vec<String> {
        marks.applied(&list()).iter().map(|entry| entry.title().to_owned()).collect()
    }

    #[test]
    fn pinned_questions_are_first_until_they_are_not() {
        let mut marks = HistoryMarks::default();
        marks.pin("customers", true);
        assert_eq!(titles(&marks), ["customers", "open orders", "all orders"]);
        marks.pin("customers", false);
        assert_eq!(titles(&marks), ["open orders", "all orders", "customers"]);
    }

    #[test]
    fn a_name_stands_for_the_question_until_it_is_empty() {
        let mut marks = HistoryMarks::default();
        marks.rename("all  orders", "  Everything ");
        assert_eq!(titles(&marks), ["open orders", "Everything", "customers"]);
        marks.rename("all orders", "all orders");
        assert_eq!(titles(&marks), ["open orders", "all orders", "customers"]);
        marks.rename("all orders", &"é".repeat(500));
        assert_eq!(titles(&marks)[1].chars().count(), 120);
    }

    #[test]
    fn what_is_to_be_deleted_is_not_listed() {
        let mut marks = HistoryMarks::default();
        marks.pin("customers", true);
        marks.delete(&list()[2]);
        assert_eq!(titles(&marks), ["open orders", "all orders"]);
        marks.restore("customers");
        assert_eq!(titles(&marks), ["customers", "open orders", "all orders"]);
    }

    #[test]
    fn nothing_is_kept_of_a_question_that_was_deleted() {
        let mut marks = HistoryMarks::default();
        marks.pin("customers", true);
        marks.rename("customers", "People");
        marks.delete(&list()[2]);
        marks.forget("customers");
        assert_eq!(marks, HistoryMarks::default());
    }

    #[test]
    fn marks_are_read_again_and_other_texts_are_none() {
        let mut marks = HistoryMarks::default();
        marks.pin("a \"b\"", true);
        assert_eq!(HistoryMarks::read(&marks.text()), marks);
        assert_eq!(HistoryMarks::read("[]"), HistoryMarks::default());
    }
}
