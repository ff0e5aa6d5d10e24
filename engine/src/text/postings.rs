//! A compact multimap from strings to integers: one text buffer and a sorted index.

use crate::order;

/// A multimap from strings to integers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Postings {
    text: String,
    entries: Vec<Entry>,
}

/// A range of the buffer, with its number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Entry {
    start: u32,
    end: u32,
    number: u32,
}

impl Postings {
    /// Adds a number for the concatenation of `pieces`; it can be found after [`Self::settle`].
    pub(crate) fn push(&mut self, pieces: &[&str], number: usize) {
        let start = self.text.len();
        for piece in pieces {
            self.text.push_str(piece);
        }
        let (Ok(start), Ok(end), Ok(number)) =
            (u32::try_from(start), u32::try_from(self.text.len()), u32::try_from(number))
        else {
            self.text.truncate(start);
            return;
        };
        self.entries.push(Entry { start, end, number });
    }

    /// Sorts the entries by text, keeping the order of numbers of the same text, and removes adjacent duplicates.
    pub(crate) fn settle(&mut self) {
        let text = self.text.as_bytes();
        let of = |entry: &Entry| text.get(entry.start as usize..entry.end as usize);
        order::by(&mut self.entries, |one, other| of(one).cmp(&of(other)));
        self.entries.dedup_by(|one, other| one.number == other.number && of(one) == of(other));
    }

    /// The numbers stored for a text.
    pub(crate) fn get<'a>(&'a self, text: &str) -> impl Iterator<Item = usize> + use<'a> {
        let first = self.first(text);
        let entries = self.entries.get(first..).unwrap_or_default();
        let count = entries.iter().take_while(|entry| self.of(entry) == text).count();
        entries.iter().take(count).map(|entry| entry.number as usize)
    }

    /// Whether numbers are stored for a text.
    pub(crate) fn contains(&self, text: &str) -> bool {
        self.entries.get(self.first(text)).is_some_and(|entry| self.of(entry) == text)
    }

    /// Texts with this prefix in sorted order, each with one of its numbers.
    pub(crate) fn starting_with(&self, start: &str) -> impl Iterator<Item = (&str, usize)> {
        let entries = self.entries.get(self.first(start)..).unwrap_or_default();
        entries
            .iter()
            .map(|entry| (self.of(entry), entry.number as usize))
            .take_while(move |(text, _)| text.starts_with(start))
    }

    fn first(&self, text: &str) -> usize {
        self.entries.partition_point(|entry| self.of(entry) < text)
    }

    fn of(&self, entry: &Entry) -> &str {
        self.text.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Postings;

    proptest! {
        #[test]
        fn finds_what_was_added(added in prop::collection::vec(("[ab]{0,3}", 0_usize..9), 0..40)) {
            let mut postings = Postings::default();
            let mut expected: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            for (text, number) in &added {
                let (one, other) = text.split_at(text.len() / 2);
                postings.push(&[one, other], *number);
                let numbers = expected.entry(text).or_default();
                if numbers.last() != Some(number) {
                    numbers.push(*number);
                }
            }
            postings.settle();
            for (text, numbers) in &expected {
                prop_assert_eq!(&postings.get(text).collect::<Vec<_>>(), numbers);
                prop_assert!(postings.contains(text));
            }
            prop_assert!(!postings.contains("c") && postings.get("aaaa").next().is_none());
            let told: Vec<(&str, usize)> = postings.starting_with("a").collect();
            let wanted: Vec<(&str, usize)> = expected
                .iter()
                .filter(|(text, _)| text.starts_with('a'))
                .flat_map(|(text, numbers)| numbers.iter().map(move |number| (*text, *number)))
                .collect();
            prop_assert_eq!(told, wanted);
        }
    }
}
