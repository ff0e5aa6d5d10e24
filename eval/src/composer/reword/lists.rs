//! Words that the engine knows, and words that structure a question.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use wherefore_engine::catalog::Catalog;
use wherefore_engine::text::stem;

use super::wordnet::Part;

/// Lists of words that structure a question.
const STRUCTURE: [&str; 10] = [
    include_str!("../../../../engine/data/corrections.toml"),
    include_str!("../../../../engine/data/directions.toml"),
    include_str!("../../../../engine/data/durations.toml"),
    include_str!("../../../../engine/data/follow_up.toml"),
    include_str!("../../../../engine/data/text/magnitudes.txt"),
    include_str!("../../../../engine/data/text/number_words.txt"),
    include_str!("../../../../engine/data/text/time_phrases.txt"),
    include_str!("../../../../engine/data/text/time_words.txt"),
    include_str!("../../../../engine/data/text/units.txt"),
    include_str!("../../../../engine/data/units.toml"),
];
/// Phrases of structure, with one list of verbs that are none: those that relate two things.
const LEXICON: &str = include_str!("../../../../engine/data/lexicon.toml");
/// The list of these verbs.
const RELATION: &str = "relation = ";
/// Adjectives that order rows; only their forms structure a question.
const SUPERLATIVES: &str = include_str!("../../../../engine/data/superlatives.toml");
/// All other lists of the engine and of its English.
const OTHERS: [&str; 18] = [
    LEXICON,
    SUPERLATIVES,
    include_str!("../../../../engine/data/abbreviations.toml"),
    include_str!("../../../../engine/data/classifiers.toml"),
    include_str!("../../../../engine/data/codes.toml"),
    include_str!("../../../../engine/data/derivations.toml"),
    include_str!("../../../../engine/data/dictionary/commerce.toml"),
    include_str!("../../../../engine/data/dictionary/finance.toml"),
    include_str!("../../../../engine/data/dictionary/general.toml"),
    include_str!("../../../../engine/data/dictionary/healthcare.toml"),
    include_str!("../../../../engine/data/roles.toml"),
    include_str!("../../../../engine/data/template.toml"),
    include_str!("../../../../engine/data/text/currencies.txt"),
    include_str!("../../../../engine/data/thesaurus/frequent.txt"),
    include_str!("../../../../engine/data/turns.toml"),
    include_str!("../../../../engine/data/verb_classes.toml"),
    include_str!("../../../../engine/data/verbs.toml"),
    concat!(
        include_str!("../../../../english/data/irregular_nouns.txt"),
        include_str!("../../../../english/data/irregular_verbs.txt")
    ),
];
/// Words of grammar with the part of speech behind them.
const FUNCTION_WORDS: &str = include_str!("function_words.txt");

static KNOWN: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    STRUCTURE.into_iter().chain(OTHERS).flat_map(|file| words(file, |_| true)).map(stem).collect()
});
static STRUCTURE_WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let forms = words(SUPERLATIVES, |line| line.starts_with("forms"));
    let lexicon = words(LEXICON, |line| !line.starts_with(RELATION));
    let others = STRUCTURE.into_iter().flat_map(|file| words(file, |_| true));
    forms.chain(lexicon).chain(others).chain(FOLLOWED.keys().copied()).collect()
});
static FOLLOWED: LazyLock<BTreeMap<&str, Option<Part>>> = LazyLock::new(|| {
    let lines = FUNCTION_WORDS.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| match line.split_once(": ") {
            Some((word, "noun")) => (word, Some(Part::Noun)),
            Some((word, _)) => (word, Some(Part::Verb)),
            None => (line, None),
        })
        .collect()
});

/// Words of the lines of a data file that are kept; comments are not read.
fn words(file: &str, keep: impl Fn(&str) -> bool) -> impl Iterator<Item = &str> {
    let lines = file.lines().filter(|line| !line.starts_with('#')).filter(move |line| keep(line));
    lines
        .flat_map(|line| line.split(|letter: char| !letter.is_ascii_lowercase()))
        .filter(|word| !word.is_empty())
}

/// Whether a list of the engine holds a word of the same stem.
pub(super) fn is_known(word: &str) -> bool {
    KNOWN.contains(&stem(word))
}

/// Whether a word structures a question rather than naming something in the data.
pub(super) fn is_structure(word: &str) -> bool {
    STRUCTURE_WORDS.contains(word)
}

/// The part of speech that follows a word of grammar, if only one does.
pub(super) fn followed_by(word: &str) -> Option<Part> {
    FOLLOWED.get(word).copied().flatten()
}

/// Stems of the words in the names of tables and columns.
pub(super) fn names(catalog: &Catalog) -> BTreeSet<String> {
    let tables = catalog.tables.iter();
    tables
        .flat_map(|table| {
            table.columns.iter().map(|column| &column.name).chain(std::iter::once(&table.name))
        })
        .flat_map(|name| wherefore_english::name_parts(name))
        .map(|part| stem(&part.to_lowercase()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_list_is_held() {
        // From the lexicon, a dictionary, the thesaurus, the classes of verbs, and irregular verbs.
        for word in ["lists", "customers", "capability", "abiding", "bought"] {
            assert!(is_known(word), "{word}");
        }
        assert!(!is_known("educatee"));
    }

    #[test]
    fn structure_is_told_from_content() {
        for word in ["show", "how", "highest", "sorted", "years", "seven", "these"] {
            assert!(is_structure(word), "{word}");
        }
        for word in ["student", "attend", "customers"] {
            assert!(!is_structure(word), "{word}");
        }
        assert_eq!(followed_by("the"), Some(Part::Noun));
        assert_eq!(followed_by("who"), Some(Part::Verb));
        assert_eq!(followed_by("which"), None);
    }
}
