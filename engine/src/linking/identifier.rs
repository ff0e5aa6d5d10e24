//! Names of tables and columns split into the words people use.

use crate::text::fold;

/// Folded words of an identifier: `BillingCountry`, `billing_country` and `billing country` are the same two.
pub(crate) fn words_of_identifier(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let characters: Vec<char> = name.chars().collect();
    for (index, &character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            flush(&mut word, &mut words);
            continue;
        }
        let previous = index.checked_sub(1).and_then(|at| characters.get(at)).copied();
        let next = characters.get(index + 1).copied();
        let starts_word = previous.is_some_and(|before| {
            character.is_uppercase()
                && (before.is_lowercase()
                    || before.is_numeric()
                    || before.is_uppercase() && next.is_some_and(char::is_lowercase))
        });
        if starts_word {
            flush(&mut word, &mut words);
        }
        word.push(character);
    }
    flush(&mut word, &mut words);
    words
}

fn flush(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(fold(word));
        word.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::words_of_identifier;

    #[test]
    fn every_naming_style_gives_the_same_words() {
        for name in ["BillingCountry", "billing_country", "billing country", "BILLING_COUNTRY"] {
            assert_eq!(words_of_identifier(name), ["billing", "country"], "{name}");
        }
        assert_eq!(words_of_identifier("CustomerID"), ["customer", "id"]);
        assert_eq!(words_of_identifier("XMLFile2Name"), ["xml", "file2", "name"]);
        assert_eq!(words_of_identifier(""), Vec::<String>::new());
    }
}
