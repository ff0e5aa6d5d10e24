//! Word lists in data files: one entry per line, fields separated by white space; `#` starts a comment line.

use std::collections::{BTreeMap, BTreeSet};

/// Entries of a list of keys and values; the first entry of a key takes precedence.
pub(crate) fn pairs(data: &'static str) -> BTreeMap<&'static str, &'static str> {
    let mut found = BTreeMap::new();
    for line in lines(data) {
        if let Some((key, value)) = line.split_once(char::is_whitespace) {
            found.entry(key).or_insert(value.trim());
        }
    }
    found
}

/// Entries of a list with one word per line.
pub(crate) fn set(data: &'static str) -> BTreeSet<&'static str> {
    lines(data).collect()
}

/// Entries of a list, one per line.
pub(crate) fn lines(data: &'static str) -> impl Iterator<Item = &'static str> {
    data.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
