//! Sentences.

/// A text with its first letter in upper case.
pub fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// A text as a sentence: trimmed, with a capital first letter, and a full stop unless it ends in punctuation.
pub fn sentence(text: &str) -> String {
    let mut sentence = capitalised(text.trim());
    if !sentence.is_empty() && !sentence.ends_with(['.', '!', '?', '…', ':']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_letter_is_a_capital() {
        assert_eq!(capitalised("orders of ada"), "Orders of ada");
        assert_eq!(capitalised("ölpreis"), "Ölpreis");
        assert_eq!(capitalised(""), "");
    }

    #[test]
    fn a_sentence_ends_with_one_mark() {
        assert_eq!(sentence("database is away"), "Database is away.");
        assert_eq!(sentence("Ready?"), "Ready?");
        assert_eq!(sentence(" "), "");
    }
}
