//! Stems: a common form of the inflections of an English word.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};

/// Maximum length of a word to stem, in bytes; longer ones are not English words.
const LONGEST_WORD: usize = 64;

static STEMMER: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::create(Algorithm::English));

/// Stem of a folded word: the Snowball English stem, with irregular forms mapped to their base first.
///
/// For a word with inner hyphens, underscores or slashes, only the last part is stemmed. Words with characters other
/// than a to z are returned unchanged.
pub fn stem(folded: &str) -> String {
    let start = folded
        .rfind(crate::text::token::is_joiner)
        .map_or(0, |index| index + folded[index..].chars().next().map_or(0, char::len_utf8));
    let (lead, last) = folded.split_at(start);
    if last.is_empty()
        || last.len() > LONGEST_WORD
        || !last.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'\'')
    {
        return folded.to_owned();
    }
    let base = wherefore_english::base_form(last).unwrap_or(last);
    format!("{lead}{}", STEMMER.stem(base))
}

/// Cache of stems, for many names that share words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stems(BTreeMap<String, String>);

impl Stems {
    /// Stem of a folded word.
    pub(crate) fn of(&mut self, folded: &str) -> &str {
        if !self.0.contains_key(folded) {
            self.0.insert(folded.to_owned(), stem(folded));
        }
        self.0.get(folded).map_or("", String::as_str)
    }

    /// Stem of a folded word that was looked up before; empty for others.
    pub(crate) fn get(&self, folded: &str) -> &str {
        self.0.get(folded).map_or("", String::as_str)
    }

    /// Stems of folded words, joined by spaces.
    pub(crate) fn joined(&mut self, folded: &[String]) -> String {
        let mut joined = String::new();
        for (position, word) in folded.iter().enumerate() {
            if position > 0 {
                joined.push(' ');
            }
            joined.push_str(self.of(word));
        }
        joined
    }

    /// Stems of folded words.
    pub(crate) fn all(&mut self, folded: &[String]) -> Vec<String> {
        folded.iter().map(|word| self.of(word).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn inflections_share_a_stem() {
        for (one, other) in [
            ("customers", "customer"),
            ("countries", "country"),
            ("people", "person"),
            ("children", "child"),
            ("sales", "sale"),
            ("sold", "sell"),
            ("analyses", "analysis"),
            ("indices", "index"),
            ("addresses", "address"),
            ("line-items", "line-item"),
            ("billing_countries", "billing_country"),
            ("invoiced", "invoices"),
        ] {
            assert_eq!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn different_words_keep_different_stems() {
        for (one, other) in
            [("data", "date"), ("order", "old"), ("status", "state"), ("news", "new")]
        {
            assert_ne!(stem(one), stem(other), "{one} {other}");
        }
    }

    #[test]
    fn what_is_not_an_english_word_stays() {
        let long = "s".repeat(100);
        for text in ["", "q2", "größe", "日本語", "-", long.as_str()] {
            assert_eq!(stem(text), text);
        }
    }
}
