//! Short forms: words of names as databases shorten them, and the words they stand for.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::catalog::{Catalog, Table};

/// Letters of the shortest beginning that may stand for a word.
const SHORTEST: usize = 3;
/// Letters of the longest.
const LONGEST: usize = 5;

/// Short forms with what they stand for, from `data/abbreviations.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Abbreviations {
    words: BTreeMap<String, String>,
    heads: Vec<String>,
}

impl Abbreviations {
    /// Built-in short forms; none only if their data file were broken, which a test rules out.
    pub(super) fn built_in() -> Self {
        serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/abbreviations.json")))
            .unwrap_or_default()
    }

    /// What a folded word is short for.
    pub(super) fn long(&self, word: &str) -> Option<&str> {
        self.words.get(word).map(String::as_str)
    }

    /// Words of a name with every short form written out; none where there is no short form.
    pub(super) fn written_out(&self, words: &[String]) -> Option<Vec<String>> {
        // `LName` is cut into "l" and "name".
        let joined = match words {
            [first, second, rest @ ..] if first.len() == 1 => {
                self.long(&format!("{first}{second}")).map(|long| (long, rest))
            }
            _ => None,
        };
        let (start, rest) = joined.map_or((None, words), |(long, rest)| (Some(long), rest));
        let known = rest.iter().any(|word| self.words.contains_key(word));
        (start.is_some() || known).then(|| {
            start
                .into_iter()
                .chain(rest.iter().map(|word| self.long(word).unwrap_or(word)))
                .flat_map(|word| word.split(' '))
                .map(str::to_owned)
                .collect()
        })
    }

    /// Words of a table's name without the last, where that says nothing of its rows: "user" for `user_profiles`;
    /// or those before "of": "member" for `member_of_club`.
    pub(super) fn bare<'a>(&self, words: &'a [String]) -> Option<&'a [String]> {
        let of = words.iter().position(|word| word == "of").filter(|of| *of > 0);
        let (last, start) = words.split_last()?;
        let headless = self.heads.contains(last).then_some(start);
        of.map(|of| &words[..of]).or(headless).filter(|bare| !bare.is_empty())
    }
}

/// Words of a column's name; a key such as `eid` or `clubid` is two: "e id".
pub(super) fn key_words(
    catalog: &Catalog,
    table: &Table,
    column: &str,
    words: Vec<String>,
) -> Vec<String> {
    let [word] = words.as_slice() else { return words };
    let Some(start) = word.strip_suffix("id").filter(|start| !start.is_empty()) else {
        return words;
    };
    let named = |names: &[String]| matches!(names, [name] if name == column);
    let key = table.key();
    let is_key = named(&table.primary_key)
        || catalog.foreign_keys.iter().any(|foreign| {
            foreign.from_table == key && named(&foreign.from_columns)
                || foreign.to_table == key && named(&foreign.to_columns)
        });
    if is_key { vec![start.to_owned(), "id".to_owned()] } else { words }
}

/// Whether a word of a name is a beginning that only a longer word has: no word of its own, and short.
pub(super) fn may_be_short(word: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Beginnings of a word that may stand for it, longest first.
pub(super) fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let longest = LONGEST.min(word.len().saturating_sub(2));
    (SHORTEST..=longest).rev().filter_map(|length| word.get(..length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_file_is_read_whole() {
        let known = Abbreviations::built_in();
        assert_eq!(known.long("qty"), Some("quantity"));
        assert!(known.words.len() > 80);
        for (short, long) in &known.words {
            assert!(short.len() < long.len(), "{short}");
            assert!(!known.words.contains_key(long), "{long}");
        }
    }

    #[test]
    fn names_are_written_out_word_by_word() {
        let known = Abbreviations::built_in();
        let words = |name: &str| name.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(known.written_out(&words("acct bal")), Some(words("account balance")));
        assert_eq!(known.written_out(&words("patient dob")), Some(words("patient date of birth")));
        assert_eq!(known.written_out(&words("l name")), Some(words("last name")));
        assert_eq!(known.written_out(&words("patient name")), None);
    }

    #[test]
    fn heads_that_say_nothing_of_the_rows_are_left_out() {
        let known = Abbreviations::built_in();
        let words = |name: &str| name.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(known.bare(&words("user profiles")), Some(&words("user")[..]));
        assert_eq!(known.bare(&words("member of club")), Some(&words("member")[..]));
        assert_eq!(known.bare(&words("order lines")), None);
        assert_eq!(known.bare(&words("details")), None);
    }

    #[test]
    fn short_words_have_no_beginnings() {
        assert_eq!(beginnings("latitude").collect::<Vec<_>>(), ["latit", "lati", "lat"]);
        assert_eq!(beginnings("cars").count(), 0);
    }
}
