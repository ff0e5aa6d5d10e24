//! Inflected forms: their base form, and the same form of another word.

use super::wordnet::{Part, WordNet};

/// How a word is inflected.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// Not at all.
    Base,
    /// Plural of a noun.
    Plural,
    /// Third person of a verb.
    ThirdPerson,
    /// Past or participle of a verb.
    Past,
    /// A verb in -ing.
    Progressive,
}

/// Endings of plurals, each with that of the base form.
const NOUNS: [(&str, &str); 8] = [
    ("ches", "ch"),
    ("shes", "sh"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("men", "man"),
    ("ies", "y"),
    ("s", ""),
];
/// Endings of verbs, each with that of the base form.
const VERBS: [(&str, &str, Form); 8] = [
    ("ies", "y", Form::ThirdPerson),
    ("es", "", Form::ThirdPerson),
    ("s", "", Form::ThirdPerson),
    ("ied", "y", Form::Past),
    ("ed", "e", Form::Past),
    ("ed", "", Form::Past),
    ("ing", "e", Form::Progressive),
    ("ing", "", Form::Progressive),
];

/// Base form of a noun with its inflection; `None` when `WordNet` has no such noun.
pub(super) fn noun(wordnet: &WordNet, word: &str) -> Option<(String, Form)> {
    if wordnet.has(Part::Noun, word) {
        return Some((word.to_owned(), Form::Base));
    }
    let irregular = wordnet.exception(Part::Noun, word).map(str::to_owned).or_else(|| {
        // A verb form such as "sold" is no plural.
        wherefore_english::verb_base(word).is_none().then_some(())?;
        wherefore_english::base_form(word).map(str::to_owned)
    });
    let regular =
        NOUNS.iter().filter_map(|(end, base)| Some(word.strip_suffix(end)?.to_owned() + base));
    let base = irregular.into_iter().chain(regular).find(|base| wordnet.has(Part::Noun, base))?;
    Some((base, Form::Plural))
}

/// Base form of a verb with its inflection; `None` when `WordNet` has no such verb.
pub(super) fn verb(wordnet: &WordNet, word: &str) -> Option<(String, Form)> {
    if wordnet.has(Part::Verb, word) {
        return Some((word.to_owned(), Form::Base));
    }
    let irregular =
        wordnet.exception(Part::Verb, word).or_else(|| wherefore_english::verb_base(word));
    let form = match word {
        _ if word.ends_with("ing") => Form::Progressive,
        _ if word.ends_with('s') => Form::ThirdPerson,
        _ => Form::Past,
    };
    let regular = VERBS.iter().flat_map(|(end, base, form)| {
        let lead = word.strip_suffix(end).unwrap_or_default();
        let single = base.is_empty().then(|| undoubled(lead)).flatten();
        [Some(lead.to_owned() + base).filter(|_| !lead.is_empty()), single]
            .into_iter()
            .flatten()
            .map(move |base| (base, *form))
    });
    let mut all = irregular.map(|base| (base.to_owned(), form)).into_iter().chain(regular);
    all.find(|(base, _)| wordnet.has(Part::Verb, base))
}

/// A word without the second of two equal consonants at its end.
fn undoubled(word: &str) -> Option<String> {
    let mut ends = word.chars().rev();
    let last = ends.next().filter(|last| !is_vowel(*last))?;
    (ends.next() == Some(last)).then(|| word[..word.len() - last.len_utf8()].to_owned())
}

/// A base form in lower case, inflected by the rules for regular words.
pub(super) fn inflected(base: &str, form: Form) -> String {
    match form {
        Form::Base => base.to_owned(),
        Form::Plural => wherefore_english::plural(base),
        Form::ThirdPerson => third_person(base),
        Form::Past => match base.strip_suffix('y').filter(|lead| !lead.ends_with(is_vowel)) {
            Some(lead) => format!("{lead}ied"),
            None if base.ends_with('e') => format!("{base}d"),
            None => format!("{}ed", doubled(base)),
        },
        Form::Progressive => match base.strip_suffix('e') {
            Some(lead) if lead.ends_with('i') => format!("{}ying", &lead[..lead.len() - 1]),
            Some(lead) if !lead.ends_with(['e', 'o', 'y']) => format!("{lead}ing"),
            _ => format!("{}ing", doubled(base)),
        },
    }
}

fn third_person(base: &str) -> String {
    match base.strip_suffix('y').filter(|lead| !lead.ends_with(is_vowel)) {
        Some(lead) => format!("{lead}ies"),
        None if base.ends_with(['s', 'x', 'z', 'o']) => format!("{base}es"),
        None if base.ends_with("ch") || base.ends_with("sh") => format!("{base}es"),
        None => format!("{base}s"),
    }
}

/// A verb of one syllable that ends in one vowel and one consonant has the consonant twice.
fn doubled(base: &str) -> String {
    let letters: Vec<char> = base.chars().collect();
    let vowels = letters.iter().filter(|letter| is_vowel(**letter)).count();
    match letters.as_slice() {
        [.., before, vowel, last]
            if vowels == 1
                && !is_vowel(*before)
                && is_vowel(*vowel)
                && !is_vowel(*last)
                && !matches!(last, 'w' | 'x' | 'y') =>
        {
            format!("{base}{last}")
        }
        _ => base.to_owned(),
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u')
}

#[cfg(test)]
mod tests {
    use super::super::wordnet::tests::wordnet;
    use super::*;

    #[test]
    fn base_forms_are_those_that_wordnet_has() {
        let wordnet = wordnet();
        for (form, base, inflection) in [
            ("tutee", "tutee", Form::Base),
            ("tutees", "tutee", Form::Plural),
            ("tutoi", "tutee", Form::Plural),
            ("bookmen", "bookman", Form::Plural),
        ] {
            assert_eq!(noun(&wordnet, form), Some((base.to_owned(), inflection)), "{form}");
        }
        for (form, base, inflection) in [
            ("bewail", "bewail", Form::Base),
            ("bewails", "bewail", Form::ThirdPerson),
            ("bewailed", "bewail", Form::Past),
            ("bewelt", "bewail", Form::Past),
            ("blimating", "blimate", Form::Progressive),
        ] {
            assert_eq!(verb(&wordnet, form), Some((base.to_owned(), inflection)), "{form}");
        }
        assert_eq!(noun(&wordnet, "bewails"), None);
        assert_eq!(verb(&wordnet, "tutees"), None);
    }

    #[test]
    fn a_form_is_restored() {
        for (base, form, expected) in [
            ("tutee", Form::Plural, "tutees"),
            ("carry", Form::ThirdPerson, "carries"),
            ("teach", Form::ThirdPerson, "teaches"),
            ("employ", Form::Past, "employed"),
            ("carry", Form::Past, "carried"),
            ("plan", Form::Past, "planned"),
            ("mean", Form::Progressive, "meaning"),
            ("name", Form::Progressive, "naming"),
            ("lie", Form::Progressive, "lying"),
            ("see", Form::Progressive, "seeing"),
            ("cut", Form::Progressive, "cutting"),
        ] {
            assert_eq!(inflected(base, form), expected);
        }
    }

    #[test]
    fn a_doubled_consonant_is_undone() {
        assert_eq!(undoubled("plann"), Some("plan".to_owned()));
        assert_eq!(undoubled("agree"), None);
        assert_eq!(undoubled("plan"), None);
    }
}
