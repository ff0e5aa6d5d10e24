//! Readable names, in singular and plural.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::words::entries;

/// Irregular plurals, with their singulars.
static IRREGULAR: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    entries(include_str!("../../data/plurals.txt"))
        .filter_map(|line| line.split_once(' '))
        .collect()
});

/// The words of an identifier: `BillingCountry` and `billing_country` both become `billing country`.
pub fn words_of(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut previous: Option<char> = None;
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '_' || character == '-' || character.is_whitespace() {
            if !words.is_empty() && !words.ends_with(' ') {
                words.push(' ');
            }
        } else {
            let starts = character.is_uppercase()
                && previous.is_some_and(|before| {
                    before.is_lowercase()
                        || before.is_numeric()
                        || before.is_uppercase()
                            && characters.peek().is_some_and(|next| next.is_lowercase())
                });
            if starts && !words.ends_with(' ') {
                words.push(' ');
            }
            words.extend(character.to_lowercase());
        }
        previous = Some(character);
    }
    let trimmed = words.trim_end();
    if trimmed.is_empty() { name.to_owned() } else { trimmed.to_owned() }
}

/// The plural of a noun phrase.
pub fn plural(phrase: &str) -> String {
    let (before, noun) = last_word(phrase);
    if let Some((many, _)) = IRREGULAR.iter().find(|(_, one)| **one == noun) {
        return format!("{before}{many}");
    }
    let ends = |ends: &[&str]| ends.iter().any(|end| noun.ends_with(end));
    if noun.is_empty() || IRREGULAR.contains_key(noun) {
        phrase.to_owned()
    } else if let Some(base) =
        noun.strip_suffix('y').filter(|base| !base.ends_with(['a', 'e', 'o', 'u']))
    {
        format!("{before}{base}ies")
    } else if ends(&["ch", "sh", "x", "ss", "us", "is"]) {
        format!("{phrase}es")
    } else if noun.ends_with('s') {
        phrase.to_owned()
    } else {
        format!("{phrase}s")
    }
}

/// The singular of a noun phrase.
pub(super) fn singular(phrase: &str) -> String {
    let (before, noun) = last_word(phrase);
    if let Some(one) = IRREGULAR.get(noun) {
        return format!("{before}{one}");
    }
    if let Some(base) = noun.strip_suffix("ies").filter(|base| base.len() > 1) {
        return format!("{before}{base}y");
    }
    let sibilant =
        |base: &&str| ["ch", "sh", "x", "ss", "us"].iter().any(|end| base.ends_with(end));
    if let Some(base) = noun.strip_suffix("es").filter(sibilant) {
        return format!("{before}{base}");
    }
    if ["ss", "us", "is"].iter().any(|end| noun.ends_with(end)) {
        return phrase.to_owned();
    }
    phrase.strip_suffix('s').unwrap_or(phrase).to_owned()
}

/// A noun phrase with an indefinite article.
pub(super) fn with_article(phrase: &str) -> String {
    let vowel = phrase.starts_with(['a', 'e', 'i', 'o', 'u'])
        && !["uni", "use", "one", "eu"].iter().any(|start| phrase.starts_with(start));
    format!("{} {phrase}", if vowel { "an" } else { "a" })
}

/// The possessive of a noun phrase.
pub(super) fn possessive(phrase: &str) -> String {
    if phrase.ends_with('s') { format!("{phrase}'") } else { format!("{phrase}'s") }
}

/// Joins parts with commas and `and`.
pub(super) fn join_and(parts: &[String]) -> String {
    joined(parts, "and")
}

/// Joins parts with commas, and with a word before the last.
pub(super) fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {word} {last}", rest.join(", ")),
    }
}

fn last_word(phrase: &str) -> (&str, &str) {
    let at = phrase.rfind(' ').map_or(0, |at| at + 1);
    phrase.split_at(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_and_singulars_are_each_others() {
        for (one, many) in [
            ("user", "users"),
            ("order line", "order lines"),
            ("category", "categories"),
            ("day", "days"),
            ("box", "boxes"),
            ("branch", "branches"),
            ("person", "people"),
            ("address", "addresses"),
            ("status", "statuses"),
        ] {
            assert_eq!(plural(one), many);
            assert_eq!(singular(many), one);
            assert_eq!(plural(many), many);
        }
    }

    #[test]
    fn names_become_words() {
        assert_eq!(words_of("BillingCountry"), "billing country");
        assert_eq!(words_of("_order__id_"), "order id");
        assert_eq!(words_of("Rain mm"), "rain mm");
        assert_eq!(words_of("__"), "__");
    }
}
