//! The words of a text that a continuation may continue, and how far they match it.

use crate::text::fold;

/// Most words before the cursor that a continuation may begin with.
const WORDS: usize = 4;

/// The last words before the cursor.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    /// Folded words; empty if the continuation begins behind the text.
    pub(super) words: Vec<String>,
    /// Byte at which the first of them starts.
    pub(super) start: usize,
    /// Whether the last word may go on.
    pub(super) is_open: bool,
}

impl Typed {
    /// Each number of last words that may be continued, the fewest first.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let is_open = text.chars().next_back().is_some_and(|last| !last.is_whitespace());
        let mut found = vec![Self { words: Vec::new(), start: text.len(), is_open: false }];
        let mut end = text.trim_end().len();
        let mut words: Vec<String> = Vec::new();
        while end > 0 && words.len() < WORDS {
            let start = text[..end]
                .char_indices()
                .rev()
                .find(|(_, character)| character.is_whitespace())
                .map_or(0, |(at, character)| at + character.len_utf8());
            words.insert(0, fold(&text[start..end]));
            found.push(Self { words: words.clone(), start, is_open });
            end = text[..start].trim_end().len();
        }
        found
    }

    /// Number of letters typed.
    pub(super) fn letters(&self) -> usize {
        self.words.iter().map(|word| word.chars().count()).sum()
    }
}

/// How much of `typed` the words of a name take, from the front; `None` if they differ.
///
/// All words are taken if the name goes on behind them; the last one may be the beginning of a word.
pub(super) fn taken(typed: &[String], is_open: bool, name: &[String]) -> Option<usize> {
    for (at, word) in typed.iter().enumerate() {
        let Some(other) = name.get(at) else { return Some(at) };
        let is_last = at + 1 == typed.len();
        let is_same = word == other || is_last && is_open && other.starts_with(word.as_str());
        if !is_same {
            return None;
        }
    }
    Some(typed.len())
}

#[cfg(test)]
mod tests {
    use super::{Typed, taken};

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn each_number_of_last_words_may_be_continued() {
        let found = Typed::all("Revenue  by mo");
        let shown: Vec<(Vec<String>, usize)> =
            found.iter().map(|typed| (typed.words.clone(), typed.start)).collect();
        assert_eq!(
            shown,
            [
                (list(&[]), 14),
                (list(&["mo"]), 12),
                (list(&["by", "mo"]), 9),
                (list(&["revenue", "by", "mo"]), 0),
            ]
        );
        assert!(found.iter().skip(1).all(|typed| typed.is_open));
        assert!(Typed::all("revenue by ").iter().all(|typed| !typed.is_open));
        assert_eq!(Typed::all("").len(), 1);
    }

    #[test]
    fn only_the_last_word_may_be_the_beginning_of_one() {
        let name = list(&["list", "price"]);
        assert_eq!(taken(&list(&["list", "pr"]), true, &name), Some(2));
        assert_eq!(taken(&list(&["list", "pr"]), false, &name), None);
        assert_eq!(taken(&list(&["li", "price"]), true, &name), None);
        assert_eq!(taken(&list(&["list", "price", "ab"]), true, &name), Some(2));
        assert_eq!(taken(&[], true, &name), Some(0));
    }
}
