//! The thesaurus: synonyms, hypernyms and hyponyms of the words of names.

use std::collections::{BTreeMap, BTreeSet};

use crate::confidence::Method;
use crate::data::Words;

/// Meanings, one per line: synonyms, then after `|` direct hyponyms.
const WORDNET: &str = "thesaurus/wordnet.txt";
/// The meanings of frequent words only, for engines that read their words from the published file.
const FREQUENT: &str = "thesaurus/frequent.txt";

/// Words of names that are too general for synonyms.
const GENERAL: [&str; 8] = ["amount", "count", "id", "name", "no", "number", "total", "value"];

/// The entries of the thesaurus that are relevant to a catalog.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ThesaurusMatches<'a> {
    /// Words related to each name, with the kind of relation.
    pub(super) related: BTreeMap<&'a str, Vec<(&'a str, Method)>>,
    /// Words, other than the names, that occur in the thesaurus.
    pub(super) held: BTreeSet<&'a str>,
    /// The relevant lines, which form an equivalent thesaurus for this catalog.
    pub(super) lines: Vec<&'a str>,
}

/// The thesaurus to use: the excerpt given with a catalog, otherwise the whole if this build has it, otherwise that of
/// frequent words.
pub(super) fn text<'a>(given: Option<&'a str>, words: &'a Words) -> &'a str {
    given.unwrap_or_else(|| match words.text(WORDNET) {
        "" => words.text(FREQUENT),
        whole => whole,
    })
}

/// Looks up names, and checks whether other words occur.
///
/// The text is scanned once, and only words that share a line with a name are copied.
pub(super) fn look_up<'a>(
    text: &'a str,
    names: impl Iterator<Item = &'a str>,
    others: &BTreeSet<String>,
) -> ThesaurusMatches<'a> {
    let mut forms: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names.filter(|name| name.len() > 2 && !GENERAL.contains(name)) {
        for form in base_forms(name) {
            let names = forms.entry(form).or_default();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let sieve = Sieve::new(forms.keys().chain(others).map(String::as_str));
    let mut found = ThesaurusMatches::default();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut says = false;
        let (same, kinds) = line.split_once('|').unwrap_or((line, ""));
        for (text, is_kind) in [(same, false), (kinds, true)] {
            for word in text.split(' ').filter(|word| sieve.may_hold(word)) {
                if others.contains(word) {
                    says |= found.held.insert(word);
                }
                for name in forms.get(word).into_iter().flatten() {
                    says = true;
                    let beside = same.split(' ').filter(|other| *other != word);
                    if is_kind {
                        add(&mut found.related, name, beside, Method::Kin);
                    } else {
                        add(&mut found.related, name, beside, Method::Related);
                        add(&mut found.related, name, kinds.split(' '), Method::Kin);
                    }
                }
            }
        }
        if says {
            found.lines.push(line);
        }
    }
    found
}

/// Filter by the first two letters and the length of a word, which rules out most words of the thesaurus.
struct Sieve(Vec<u32>);

impl Sieve {
    fn new<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut sieve = Self(vec![0; 1024]);
        for word in words {
            if let Some((place, bit)) = Self::place(word) {
                sieve.0[place] |= bit;
            }
        }
        sieve
    }

    /// Whether a word can be among those of the filter.
    fn may_hold(&self, word: &str) -> bool {
        Self::place(word).is_some_and(|(place, bit)| self.0[place] & bit != 0)
    }

    fn place(word: &str) -> Option<(usize, u32)> {
        let [first, second, ..] = word.as_bytes() else { return None };
        let place = usize::from(first & 31) << 5 | usize::from(second & 31);
        Some((place, 1 << word.len().min(31)))
    }
}

fn add<'a>(
    found: &mut BTreeMap<&'a str, Vec<(&'a str, Method)>>,
    name: &'a str,
    words: impl Iterator<Item = &'a str>,
    method: Method,
) {
    let known = found.entry(name).or_default();
    for word in words.filter(|word| !word.is_empty()) {
        match known.iter_mut().find(|(other, _)| *other == word) {
            Some((_, other)) if other.base() < method.base() => *other = method,
            Some(_) => {}
            None => known.push((word, method)),
        }
    }
}

/// A word and its possible singular forms.
fn base_forms(word: &str) -> Vec<String> {
    let mut forms = vec![word.to_owned()];
    if let Some(start) = word.strip_suffix("ies") {
        forms.extend([format!("{start}y"), format!("{start}ie")]);
    } else if let Some(start) = word.strip_suffix("es") {
        forms.extend([start.to_owned(), format!("{start}e")]);
    } else if let Some(start) = word.strip_suffix('s').filter(|start| !start.ends_with('s')) {
        forms.push(start.to_owned());
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str, word: &str) -> Option<Method> {
        look_up(text(None, &Words::BUILT_IN), [name].into_iter(), &BTreeSet::new())
            .related
            .get(name)?
            .iter()
            .find(|(other, _)| *other == word)
            .map(|(_, method)| *method)
    }

    #[test]
    fn synonyms_are_surer_than_kinds() {
        assert_eq!(method("wages", "rewards"), None);
        assert_eq!(method("salary", "pay"), Some(Method::Related));
        assert_eq!(method("customers", "client"), Some(Method::Related));
        assert_eq!(method("movies", "film"), Some(Method::Related));
        assert_eq!(method("customer", "consumer"), Some(Method::Kin));
        assert_eq!(method("consumer", "customer"), Some(Method::Kin));
    }

    #[test]
    fn the_order_of_names_changes_nothing() {
        let names = ["wage", "customers", "invoice", "car", "staff", "car"];
        let forward = look_up(text(None, &Words::BUILT_IN), names.into_iter(), &BTreeSet::new());
        let backward =
            look_up(text(None, &Words::BUILT_IN), names.into_iter().rev(), &BTreeSet::new());
        assert_eq!(forward, backward);
    }

    #[test]
    fn general_words_and_unknown_ones_have_no_relatives() {
        for word in ["name", "number", "id", "zzyzx", ""] {
            assert!(
                look_up(text(None, &Words::BUILT_IN), [word].into_iter(), &BTreeSet::new())
                    .related
                    .is_empty(),
                "{word}"
            );
        }
    }

    #[test]
    fn the_lines_that_say_something_say_the_same_again() {
        let names = ["movies", "customers", "salary", "wages", "vehicle"];
        let others = BTreeSet::from(["cust".to_owned(), "sale".to_owned()]);
        let whole = look_up(text(None, &Words::BUILT_IN), names.into_iter(), &others);
        let part = whole.lines.join("\n");
        assert!(part.len() * 20 < text(None, &Words::BUILT_IN).len(), "{}", part.len());
        assert_eq!(look_up(&part, names.into_iter(), &others), whole);
    }

    #[test]
    fn the_data_file_holds_plain_words() {
        for line in text(None, &Words::BUILT_IN).lines().filter(|line| !line.starts_with('#')) {
            let plain =
                |character: char| character.is_ascii_lowercase() || " |".contains(character);
            assert!(line.chars().all(plain), "{line}");
        }
    }
}
