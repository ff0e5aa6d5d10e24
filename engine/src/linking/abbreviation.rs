//! Abbreviations in table and column names, and the words they stand for.

use std::collections::BTreeMap;

use super::identifier::words_of_identifier;
use crate::catalog::{Catalog, ForeignKey, Table};
pub(super) use crate::data::Abbreviations;
use crate::order::Sorted;
use crate::text::stem;

/// Minimum length of a prefix that can abbreviate a word.
const SHORTEST: usize = 3;
/// Maximum length of a prefix that can abbreviate a word.
const LONGEST: usize = 5;

impl Abbreviations {
    /// The expansion of a folded word, if it is an abbreviation.
    pub(super) fn long(&self, word: &str) -> Option<&str> {
        self.words.get(word).map(String::as_str)
    }

    /// The words of a name with all abbreviations expanded; `None` if there are none.
    pub(super) fn written_out(&self, words: &[String]) -> Option<Vec<String>> {
        // An identifier such as `LName` is split into "l" and "name".
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

    /// The words of a table name without a last word that says nothing about the rows ("user" for `user_profiles`), or
    /// the words before "of" ("member" for `member_of_club`).
    pub(super) fn bare<'a>(&self, words: &'a [String]) -> Option<&'a [String]> {
        let of = words.iter().position(|word| word == "of").filter(|of| *of > 0);
        let (last, start) = words.split_last()?;
        let headless = self.heads.contains(last).then_some(start);
        of.map(|of| &words[..of]).or(headless).filter(|bare| !bare.is_empty())
    }
}

/// Foreign keys by their tables, and tables by their keys.
pub(super) struct Keys<'a> {
    catalog: &'a Catalog,
    from: Sorted<(&'a str, usize)>,
    to: Sorted<(&'a str, usize)>,
    tables: BTreeMap<String, usize>,
}

impl<'a> Keys<'a> {
    /// The keys of a catalog.
    pub(super) fn new(catalog: &'a Catalog) -> Self {
        let keys = || catalog.foreign_keys.iter().enumerate();
        let mut tables = BTreeMap::new();
        for (position, table) in catalog.tables.iter().enumerate() {
            tables.entry(table.key()).or_insert(position);
        }
        Self {
            catalog,
            from: Sorted::new(keys().map(|(position, key)| (key.from_table.as_str(), position))),
            to: Sorted::new(keys().map(|(position, key)| (key.to_table.as_str(), position))),
            tables,
        }
    }

    fn table(&self, key: &str) -> Option<&'a Table> {
        self.tables.get(key).and_then(|position| self.catalog.tables.get(*position))
    }

    pub(super) fn from(&self, table: &str) -> impl Iterator<Item = &'a ForeignKey> {
        let found = self.from.equal(|(key, _)| (*key).cmp(table));
        found.iter().filter_map(|(_, position)| self.catalog.foreign_keys.get(*position))
    }

    fn to(&self, table: &str) -> impl Iterator<Item = &'a ForeignKey> {
        let found = self.to.equal(|(key, _)| (*key).cmp(table));
        found.iter().filter_map(|(_, position)| self.catalog.foreign_keys.get(*position))
    }
}

/// The words of a column name; a key such as `eid` or `clubid` is split in two: "e id".
pub(super) fn key_words(
    keys: &Keys<'_>,
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
        || keys.from(&key).any(|foreign| named(&foreign.from_columns))
        || keys.to(&key).any(|foreign| named(&foreign.to_columns));
    if is_key { vec![start.to_owned(), "id".to_owned()] } else { words }
}

/// What the row that a key refers to is to its row, where the name says it before that of the other table: "lead" in
/// `lead_agent_id`.
pub(super) fn role_of_key<'a>(
    abbreviations: &Abbreviations,
    keys: &Keys<'_>,
    table: &Table,
    column: &str,
    words: &'a [String],
) -> Option<&'a [String]> {
    let [role @ .., noun, id] = words else { return None };
    if id != "id" || role.is_empty() {
        return None;
    }
    let named = |names: &[String]| matches!(names, [name] if name == column);
    let own = table.key();
    let foreign = keys.from(&own).find(|foreign| named(&foreign.from_columns))?;
    let other = words_of_identifier(&keys.table(&foreign.to_table)?.name);
    let long = abbreviations.long(noun).unwrap_or(noun);
    let last = other.last().is_some_and(|last| stem(last) == stem(long));
    let nouns = role.iter().all(|word| !word.ends_with("ed") && !word.ends_with("ing"));
    (last && nouns).then_some(role)
}

/// Whether a word of a name has the length and characters of an abbreviating prefix.
pub(super) fn may_be_short(word: &str) -> bool {
    (SHORTEST..=LONGEST).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Prefixes of a word that can abbreviate it, longest first.
pub(super) fn beginnings(word: &str) -> impl Iterator<Item = &str> {
    let longest = LONGEST.min(word.len().saturating_sub(2));
    (SHORTEST..=longest).rev().filter_map(|length| word.get(..length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_file_is_read_whole() {
        let known = crate::Words::BUILT_IN.abbreviations();
        assert_eq!(known.long("qty"), Some("quantity"));
        assert!(known.words.len() > 80);
        for (short, long) in &known.words {
            assert!(short.len() < long.len(), "{short}");
            assert!(!known.words.contains_key(long), "{long}");
        }
    }

    #[test]
    fn names_are_written_out_word_by_word() {
        let known = crate::Words::BUILT_IN.abbreviations();
        let words = |name: &str| name.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(known.written_out(&words("acct bal")), Some(words("account balance")));
        assert_eq!(known.written_out(&words("patient dob")), Some(words("patient date of birth")));
        assert_eq!(known.written_out(&words("l name")), Some(words("last name")));
        assert_eq!(known.written_out(&words("patient name")), None);
    }

    #[test]
    fn heads_that_say_nothing_of_the_rows_are_left_out() {
        let known = crate::Words::BUILT_IN.abbreviations();
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
