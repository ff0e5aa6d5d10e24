//! Phrases for functions, read from a data file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::words::entries;

static PHRASES: LazyLock<BTreeMap<(&str, usize), &str>> = LazyLock::new(|| {
    let mut table = BTreeMap::new();
    for line in entries(include_str!("../../data/phrases.tsv")) {
        let mut fields = line.split('\t');
        let (Some(names), Some(Ok(count)), Some(phrase)) =
            (fields.next(), fields.next().map(str::parse), fields.next())
        else {
            continue;
        };
        for name in names.split(',') {
            table.insert((name, count), phrase);
        }
    }
    table
});

/// The phrase for a call with its described arguments, if there is one.
pub(super) fn phrase(name: &str, arguments: &[String]) -> Option<String> {
    let pattern = PHRASES.get(&(name, arguments.len()))?;
    let mut words = String::with_capacity(pattern.len() + 16);
    let mut rest = *pattern;
    while let Some((before, after)) = rest.split_once('{') {
        words.push_str(before);
        let (place, after) = after.split_once('}')?;
        let place: usize = place.parse().ok()?;
        words.push_str(arguments.get(place.checked_sub(1)?)?);
        rest = after;
    }
    words.push_str(rest);
    Some(words)
}

/// Whether there is a phrase for a call with this many arguments.
pub(super) fn has_phrase(name: &str, count: usize) -> bool {
    PHRASES.contains_key(&(name, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;
    use crate::guard::names;

    #[test]
    fn every_phrase_is_of_a_function_that_may_be_called_and_names_its_arguments() {
        for (name, count) in PHRASES.keys() {
            let known = [Dialect::Postgres, Dialect::Sqlite]
                .into_iter()
                .any(|dialect| names(dialect).any(|it| it == *name));
            assert!(known, "{name}");
            let arguments: Vec<String> = (0..*count).map(|at| format!("<{at}>")).collect();
            let words = phrase(name, &arguments).unwrap_or_else(|| panic!("{name} is formed"));
            assert!(arguments.iter().all(|it| words.contains(it.as_str())), "{name}: {words}");
        }
    }
}
