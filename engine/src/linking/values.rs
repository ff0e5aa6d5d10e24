//! The value index: stored values by their letters, and by their words.

use std::collections::BTreeMap;

use super::codes::Codes;
use super::index::{ColumnId, TableId};
use crate::catalog::{Catalog, DataType};
use crate::order;
use crate::text::{fold, letters_of, runs};

/// Most values of one column that a single word may bring.
const VALUES_BY_WORD: usize = 6;

/// Stored values, indexed.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueIndex {
    values: Vec<(ColumnId, String)>,
    by_letters: BTreeMap<String, Vec<u32>>,
    by_word: BTreeMap<String, Vec<u32>>,
    longest: usize,
}

impl ValueIndex {
    /// Index of the values that a catalog lists.
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let mut index = Self::default();
        let codes = Codes::built_in();
        for (table, definition) in catalog.tables.iter().enumerate().take(usize::from(u16::MAX)) {
            for (position, column) in definition.columns.iter().enumerate() {
                let listed = column.values.as_ref().filter(|_| !column.sensitive);
                if !matches!(column.data_type, DataType::Text | DataType::Other) {
                    continue;
                }
                let id = ColumnId { table: TableId(table as u16), column: position as u16 };
                let codes = codes.of_column(&column.name);
                for value in listed.iter().flat_map(|list| &list.values) {
                    index.add(id, value);
                    for word in codes.iter().flat_map(|code| code.words(value)) {
                        index.add_word(id, value, word);
                    }
                }
            }
        }
        index
    }

    /// Adds a stored value.
    pub(crate) fn add(&mut self, column: ColumnId, value: &str) {
        let folded = fold(value);
        let words = runs(&folded);
        let letters = words.concat();
        if letters.chars().all(char::is_numeric) {
            return;
        }
        let position = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        self.longest = self.longest.max(words.len().min(8));
        if (2..=6).contains(&words.len()) {
            for word in words {
                if word.len() >= 4 && word.chars().all(char::is_alphabetic) {
                    let entries = match self.by_word.get_mut(word) {
                        Some(entries) => entries,
                        None => self.by_word.entry(word.to_owned()).or_default(),
                    };
                    if entries.last() != Some(&position) {
                        entries.push(position);
                    }
                }
            }
        }
        if folded.as_bytes().contains(&b'\'') {
            let plain = letters_of(&folded.replace("'s ", " "));
            if plain != letters {
                self.by_letters.entry(plain).or_default().push(position);
            }
        }
        self.by_letters.entry(letters).or_default().push(position);
        self.values.push((column, value.to_owned()));
    }

    /// Adds a word for a stored value added last, unless the value is that word.
    fn add_word(&mut self, column: ColumnId, value: &str, word: &str) {
        let Some(position) = self.values.len().checked_sub(1) else { return };
        let own = self.values.get(position).is_some_and(|last| *last == (column, value.to_owned()));
        if own && letters_of(value) != word {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            self.by_letters.entry(word.to_owned()).or_default().push(position);
        }
    }

    /// Values whose letters are these.
    pub(crate) fn by_letters(&self, letters: &str) -> impl Iterator<Item = &(ColumnId, String)> {
        self.by_letters
            .get(letters)
            .into_iter()
            .flatten()
            .filter_map(|&at| self.values.get(at as usize))
    }

    /// Values that hold this folded word among others; columns where too many do are left out.
    pub(crate) fn by_word(&self, word: &str) -> Vec<&(ColumnId, String)> {
        let found: Vec<&(ColumnId, String)> = self
            .by_word
            .get(word)
            .into_iter()
            .flatten()
            .filter_map(|&at| self.values.get(at as usize))
            .collect();
        let mut counts: BTreeMap<ColumnId, usize> = BTreeMap::new();
        for (column, _) in &found {
            *counts.entry(*column).or_default() += 1;
        }
        found
            .into_iter()
            .filter(|(column, _)| counts.get(column).is_some_and(|count| *count <= VALUES_BY_WORD))
            .collect()
    }

    /// Values that are spelt nearly like these letters, nearest first; short ones are left out.
    pub(crate) fn similar(&self, letters: &str) -> Vec<&(ColumnId, String)> {
        let length = letters.chars().count();
        let Some(first) = letters.chars().next().filter(|_| length >= 5) else { return Vec::new() };
        let most = if length >= 8 { 2 } else { 1 };
        let mut found: Vec<(usize, &Vec<u32>)> = self
            .by_letters
            .range(first.to_string()..)
            .take_while(|(key, _)| key.starts_with(first))
            .filter(|(key, _)| key.len().abs_diff(letters.len()) <= most)
            .map(|(key, positions)| (strsim::osa_distance(letters, key), positions))
            .filter(|(distance, _)| *distance <= most)
            .collect();
        order::by_key(&mut found, |(distance, positions)| (*distance, positions.first().copied()));
        found
            .into_iter()
            .flat_map(|(_, positions)| positions)
            .filter_map(|&at| self.values.get(at as usize))
            .take(8)
            .collect()
    }

    /// Whether a folded word is a value or a word of one.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.by_word.contains_key(word) || self.by_letters.contains_key(&letters_of(word))
    }

    /// Words of the longest value, at most 8.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}
