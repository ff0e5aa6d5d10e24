//! The value index: stored values, found by their normalized text and by their words.

use std::collections::{BTreeMap, BTreeSet};

use super::element::{ColumnId, TableId};
use crate::catalog::{Catalog, DataType};
use crate::data::Words;
use crate::order;
use crate::text::{Postings, fold, letters_of, runs};

/// Maximum number of values of one column that a single word can match.
const VALUES_BY_WORD: usize = 6;

/// Fewest stored names of countries that make a column one of countries, if they are at least half of its values.
const COUNTRIES: usize = 3;
/// Name of a column of countries.
const COUNTRY: &str = "country";

/// Whether a column that is not called so holds countries: `headquarters`, `origin`.
fn holds_countries<'a>(
    values: impl Iterator<Item = &'a String>,
    countries: &BTreeSet<&str>,
) -> bool {
    let (mut found, mut all) = (0, 0);
    for value in values {
        all += 1;
        found += usize::from(countries.contains(letters_of(value).as_str()));
    }
    found >= COUNTRIES && found * 2 >= all
}

/// Index of stored values.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueIndex {
    values: Vec<(ColumnId, String)>,
    by_letters: Postings,
    by_word: Postings,
    longest: usize,
}

impl ValueIndex {
    /// Indexes the values that a catalog lists.
    pub(crate) fn new(catalog: &Catalog, words: &Words) -> Self {
        let mut index = Self::default();
        let (all_codes, nationalities) = (words.codes(), words.nationalities());
        let countries = nationalities.spellings();
        for (table, definition) in catalog.tables.iter().enumerate().take(usize::from(u16::MAX)) {
            for (position, column) in definition.columns.iter().enumerate() {
                let listed = column.values.as_ref().filter(|_| !column.sensitive);
                if !matches!(column.data_type, DataType::Text | DataType::Other) {
                    continue;
                }
                let id = ColumnId { table: TableId(table as u16), column: position as u16 };
                let mut codes = all_codes.of_column(&definition.name, &column.name);
                let named = nationalities.of_column(&definition.name, &column.name);
                codes.extend(named);
                let values = || listed.iter().flat_map(|list| &list.values);
                if codes.is_empty() && holds_countries(values(), &countries) {
                    codes.extend(all_codes.of_column(&definition.name, COUNTRY));
                    codes.extend(nationalities.of_column(&definition.name, COUNTRY));
                }
                for value in values() {
                    let Some(number) = index.add(id, value) else { continue };
                    let letters = if codes.is_empty() { String::new() } else { letters_of(value) };
                    for word in codes.iter().flat_map(|code| code.words(&letters)) {
                        let words = runs(word);
                        index.longest = index.longest.max(words.len().min(8));
                        index.by_letters.push(&words, number);
                    }
                }
            }
        }
        index.settle();
        index
    }

    /// Indexes stored values with their columns.
    pub(crate) fn of<'a>(values: impl Iterator<Item = (ColumnId, &'a String)>) -> Self {
        let mut index = Self::default();
        for (column, value) in values {
            index.add(column, value);
        }
        index.settle();
        index
    }

    /// Adds a stored value and returns its index; `None` for values that consist of digits only.
    fn add(&mut self, column: ColumnId, value: &str) -> Option<usize> {
        let folded = fold(value);
        let words = runs(&folded);
        if words.iter().all(|word| word.chars().all(char::is_numeric)) {
            return None;
        }
        let number = self.values.len();
        self.longest = self.longest.max(words.len().min(8));
        if folded.as_bytes().contains(&b'\'') {
            let plain = folded.replace("'s ", " ");
            self.by_letters.push(&runs(&plain), number);
        }
        self.by_letters.push(&words, number);
        if (2..=6).contains(&words.len()) {
            for word in words {
                if word.len() >= 4 && word.chars().all(char::is_alphabetic) {
                    self.by_word.push(&[word], number);
                }
            }
        }
        self.values.push((column, value.to_owned()));
        Some(number)
    }

    fn settle(&mut self) {
        self.by_letters.settle();
        self.by_word.settle();
    }

    /// Values with this normalized text: letters and digits only.
    pub(crate) fn by_letters(&self, letters: &str) -> impl Iterator<Item = &(ColumnId, String)> {
        self.by_letters.get(letters).filter_map(|number| self.values.get(number))
    }

    /// Values that contain this folded word; columns with too many such values are left out.
    pub(crate) fn by_word(&self, word: &str) -> Vec<&(ColumnId, String)> {
        let found: Vec<&(ColumnId, String)> =
            self.by_word.get(word).filter_map(|number| self.values.get(number)).collect();
        let mut counts: BTreeMap<ColumnId, usize> = BTreeMap::new();
        for (column, _) in &found {
            *counts.entry(*column).or_default() += 1;
        }
        found
            .into_iter()
            .filter(|(column, _)| counts.get(column).is_some_and(|count| *count <= VALUES_BY_WORD))
            .collect()
    }

    /// Number of values of a column.
    pub(crate) fn count_of(&self, column: ColumnId) -> usize {
        self.values.iter().filter(|(of, _)| *of == column).count()
    }

    /// Columns of which values contain any of these folded words, with the number of such values.
    pub(crate) fn columns_with(&self, words: &[&str]) -> Vec<(ColumnId, usize)> {
        let numbers: BTreeSet<usize> =
            words.iter().flat_map(|word| self.by_word.get(word)).collect();
        let mut counts: BTreeMap<ColumnId, usize> = BTreeMap::new();
        for (column, _) in numbers.into_iter().filter_map(|number| self.values.get(number)) {
            *counts.entry(*column).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// Values with a similar normalized text, nearest first; short ones are left out.
    pub(crate) fn similar(&self, letters: &str) -> Vec<&(ColumnId, String)> {
        let length = letters.chars().count();
        let Some(first) = letters.chars().next().filter(|_| length >= 5) else { return Vec::new() };
        let most = if length >= 8 { 2 } else { 1 };
        let mut found: Vec<(usize, usize)> = self
            .by_letters
            .starting_with(first.encode_utf8(&mut [0; 4]))
            .filter(|(key, _)| key.len().abs_diff(letters.len()) <= most)
            .map(|(key, number)| (strsim::osa_distance(letters, key), number))
            .filter(|(distance, _)| *distance <= most)
            .collect();
        order::natural(&mut found);
        found.into_iter().filter_map(|(_, number)| self.values.get(number)).take(8).collect()
    }

    /// Whether a folded word is one of several words of a value.
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.by_word.contains(word)
    }

    /// Whether a folded word is a value or a word of one.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.by_word.contains(word) || self.by_letters.contains(&letters_of(word))
    }

    /// Number of words of the longest value, at most 8.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}
