//! Names of tables and columns split into the words people use.

use crate::text::{fold, runs};

/// Folded words of an identifier: `BillingCountry`, `billing_country` and `billing country` are the same two.
pub(crate) fn words_of_identifier(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in runs(name) {
        if run.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            words.push(run.to_owned());
            continue;
        }
        let mut start = 0;
        let mut previous: Option<char> = None;
        let mut characters = run.char_indices().peekable();
        while let Some((at, character)) = characters.next() {
            let starts_word = character.is_uppercase()
                && previous.is_some_and(|before| {
                    before.is_lowercase()
                        || before.is_numeric()
                        || before.is_uppercase()
                            && characters.peek().is_some_and(|(_, next)| next.is_lowercase())
                });
            if starts_word {
                words.push(fold(&run[start..at]));
                start = at;
            }
            previous = Some(character);
        }
        if start < run.len() {
            words.push(fold(&run[start..]));
        }
    }
    words
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
