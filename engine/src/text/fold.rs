//! Case and accent folding.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use super::words;

static LETTERS: LazyLock<BTreeMap<&'static str, &'static str>> =
    LazyLock::new(|| words::pairs(include_str!("../../data/text/letters.txt")));

/// The text in lower case, without accents and invisible characters, with plain apostrophes and hyphens.
///
/// Only accents of the Latin, Greek and Cyrillic scripts are removed; vowel signs of other scripts stay.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            folded.push(character.to_ascii_lowercase());
        } else {
            fold_character(character, &mut folded);
        }
    }
    folded
}

/// Normalized text for comparing stored values: the folded letters and digits.
pub(crate) fn letters_of(text: &str) -> String {
    runs(&fold(text)).concat()
}

/// Maximal runs of letters and digits.
pub(crate) fn runs(text: &str) -> Vec<&str> {
    if !text.is_ascii() {
        let runs = text.split(|character: char| !character.is_alphanumeric());
        return runs.filter(|run| !run.is_empty()).collect();
    }
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 0..=text.len() {
        if !text.as_bytes().get(end).is_some_and(u8::is_ascii_alphanumeric) {
            if start < end {
                runs.push(&text[start..end]);
            }
            start = end + 1;
        }
    }
    runs
}

/// Whether the character is invisible: joiners, direction marks, variation selectors.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the character can be part of a word: a letter, digit, combining mark or underscore.
pub(crate) fn is_word_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    !is_invisible(character) && (character.is_alphanumeric() || is_combining_mark(character))
}

/// Whether the character is an apostrophe.
pub(crate) fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | 'ʼ')
}

fn fold_character(character: char, folded: &mut String) {
    match character {
        _ if is_invisible(character) => {}
        '’' | '‘' | 'ʼ' => folded.push('\''),
        '\u{2010}' | '\u{2011}' => folded.push('-'),
        _ => {
            for lower in character.to_lowercase() {
                let mut accented = false;
                decompose_canonical(lower, |part| accented |= is_accent(part));
                if accented {
                    decompose_canonical(lower, |part| push_letter(part, folded));
                } else {
                    push_letter(lower, folded);
                }
            }
        }
    }
}

fn push_letter(letter: char, folded: &mut String) {
    if is_accent(letter) {
        return;
    }
    match LETTERS.get(letter.encode_utf8(&mut [0; 4]) as &str) {
        Some(plain) => folded.push_str(plain),
        None => folded.push(letter),
    }
}

fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn letters_lose_case_and_accents() {
        for (text, folded) in [
            ("São Paulo", "sao paulo"),
            ("sa\u{303}o", "sao"),
            ("Łódź", "lodz"),
            ("Straße", "strasse"),
            ("Ångström", "angstrom"),
            ("Ǿre", "ore"),
            ("İzmir", "izmir"),
            ("Ærø", "aero"),
            ("naïve’s", "naive's"),
            ("non\u{2011}breaking", "non-breaking"),
            ("za\u{200b}p", "zap"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn other_scripts_keep_their_signs() {
        for text in ["हिन्दी", "日本語ガ", "한국어", "ไทย"] {
            assert_eq!(fold(text), text);
        }
    }

    #[test]
    fn runs_are_what_stands_between_other_characters() {
        for (text, runs) in [
            ("a-b  c1_d", &["a", "b", "c1", "d"][..]),
            ("größe: 5", &["größe", "5"]),
            (" ?", &[]),
            ("", &[]),
            ("one", &["one"]),
        ] {
            assert_eq!(super::runs(text), runs, "{text}");
        }
    }

    #[test]
    fn folding_twice_changes_nothing() {
        for text in ["ǅ", "ﬃ", "ẞ", "Ὀδυσσεύς", "Й"] {
            assert_eq!(fold(&fold(text)), fold(text), "{text}");
        }
    }
}
