//! Noun phrases: singular, plural, possessive and article. The last word of a phrase is its noun.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Irregular plurals, each with its singular; a noun with only one form is paired with itself.
pub(crate) const IRREGULAR_FILE: &str = include_str!("../data/irregular_nouns.txt");

static SINGULARS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| crate::pairs(IRREGULAR_FILE).collect());
static PLURALS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| SINGULARS.iter().map(|(plural, singular)| (*singular, *plural)).collect());

/// Endings of nouns that take `es` in the plural.
const SIBILANTS: [&str; 5] = ["ch", "sh", "x", "ss", "us"];
/// Prefixes of words that are spelled with a vowel but pronounced with a consonant.
const SPOKEN_WITH_CONSONANT: [&str; 4] = ["uni", "use", "one", "eu"];
/// Prefixes of words whose first letter is silent.
const SPOKEN_WITH_VOWEL: [&str; 3] = ["hour", "honest", "heir"];

/// Singular of an irregular plural.
pub(crate) fn irregular_singular(plural: &str) -> Option<&'static str> {
    SINGULARS.get(plural).copied()
}

/// The plural of a noun phrase in lower case: `order lines`, `people`. A plural is returned unchanged.
pub fn plural(phrase: &str) -> String {
    let (before, noun) = last_word(phrase);
    if let Some(many) = PLURALS.get(noun) {
        return format!("{before}{many}");
    }
    if noun.is_empty() || SINGULARS.contains_key(noun) {
        return phrase.to_owned();
    }
    match noun.strip_suffix('y') {
        Some(base) if !base.ends_with(['a', 'e', 'o', 'u']) => format!("{before}{base}ies"),
        _ if ends_with_any(noun, &SIBILANTS) || noun.ends_with("is") => format!("{phrase}es"),
        _ if noun.ends_with('s') => phrase.to_owned(),
        _ => format!("{phrase}s"),
    }
}

/// The singular of a noun phrase in lower case: `order line`, `person`. A singular is returned unchanged.
pub fn singular(phrase: &str) -> String {
    let (before, noun) = last_word(phrase);
    if let Some(one) = SINGULARS.get(noun) {
        return format!("{before}{one}");
    }
    if let Some(base) = noun.strip_suffix("ies").filter(|base| base.len() > 1) {
        return format!("{before}{base}y");
    }
    if let Some(base) = noun.strip_suffix("es").filter(|base| takes_es(base)) {
        return format!("{before}{base}");
    }
    if ends_with_any(noun, &["ss", "us", "is"]) {
        return phrase.to_owned();
    }
    phrase.strip_suffix('s').unwrap_or(phrase).to_owned()
}

/// A noun phrase preceded by `a` or `an`.
pub fn with_article(phrase: &str) -> String {
    let starts = |starts: &[&str]| starts.iter().any(|start| phrase.starts_with(start));
    let vowel = phrase.starts_with(['a', 'e', 'i', 'o', 'u']) && !starts(&SPOKEN_WITH_CONSONANT)
        || starts(&SPOKEN_WITH_VOWEL);
    format!("{} {phrase}", if vowel { "an" } else { "a" })
}

/// The possessive of a noun phrase: `customer's`, `customers'`, `address's`.
pub fn possessive(phrase: &str) -> String {
    let (_, noun) = last_word(phrase);
    let is_plural = noun.ends_with('s') && !ends_with_any(noun, &["ss", "us", "is"]);
    if is_plural { format!("{phrase}'") } else { format!("{phrase}'s") }
}

/// Whether a word before `es` is a singular: true for `status`, false for `hous` and `claus`.
fn takes_es(base: &str) -> bool {
    ends_with_any(base, &SIBILANTS) && base.len() > 2 && !ends_with_any(base, &["aus", "ous"])
}

fn ends_with_any(word: &str, ends: &[&str]) -> bool {
    ends.iter().any(|end| word.ends_with(end))
}

fn last_word(phrase: &str) -> (&str, &str) {
    phrase.split_at(phrase.rfind(' ').map_or(0, |at| at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [(&str, &str); 25] = [
        ("user", "users"),
        ("order line", "order lines"),
        ("category", "categories"),
        ("day", "days"),
        ("box", "boxes"),
        ("branch", "branches"),
        ("dish", "dishes"),
        ("person", "people"),
        ("sales person", "sales people"),
        ("child", "children"),
        ("address", "addresses"),
        ("status", "statuses"),
        ("analysis", "analyses"),
        ("warehouse", "warehouses"),
        ("clause", "clauses"),
        ("use", "uses"),
        ("bus", "buses"),
        ("purchase", "purchases"),
        ("size", "sizes"),
        ("cache", "caches"),
        ("cookie", "cookies"),
        ("hero", "heroes"),
        ("series", "series"),
        ("staff", "staff"),
        ("inventory", "inventory"),
    ];

    #[test]
    fn plural_and_singular_undo_each_other() {
        for (one, many) in BOTH {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
        }
    }

    #[test]
    fn what_has_the_form_already_stays() {
        for (one, many) in BOTH {
            assert_eq!(plural(many), many);
            assert_eq!(singular(one), one);
        }
        assert_eq!(plural(""), "");
        assert_eq!(singular(""), "");
    }

    #[test]
    fn irregular_plurals_are_stable() {
        for (many, one) in crate::pairs(IRREGULAR_FILE) {
            assert_eq!(singular(many), one);
            assert_eq!(plural(many), many);
            assert_eq!(singular(&plural(one)), one);
        }
    }

    #[test]
    fn the_article_follows_the_sound() {
        for (phrase, said) in [
            ("order", "an order"),
            ("customer", "a customer"),
            ("unit", "a unit"),
            ("user", "a user"),
            ("euro", "a euro"),
            ("hourly rate", "an hourly rate"),
        ] {
            assert_eq!(with_article(phrase), said);
        }
    }

    #[test]
    fn possessives_of_one_and_of_many() {
        for (phrase, said) in [
            ("customer", "customer's"),
            ("order lines", "order lines'"),
            ("people", "people's"),
            ("billing address", "billing address's"),
            ("status", "status's"),
        ] {
            assert_eq!(possessive(phrase), said);
        }
    }
}
