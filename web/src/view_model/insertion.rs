//! Puts a name into the question at the cursor.

/// The text with a word at a place, apart from its neighbours by spaces, and the place after the word.
///
/// Places count UTF-16 code units, as browsers do; one beyond the end is the end.
pub fn inserted(text: &str, place: usize, word: &str) -> (String, usize) {
    let mut units = 0;
    let end = text.char_indices().find(|(_, character)| {
        let is_here = units >= place;
        units += character.len_utf16();
        is_here
    });
    let (before, after) = text.split_at(end.map_or(text.len(), |(at, _)| at));
    let needs_space = |side: Option<char>| side.is_some_and(|c| c.is_alphanumeric() || c == ',');
    let lead = if needs_space(before.chars().next_back()) { " " } else { "" };
    let trail = if needs_space(after.chars().next()) { " " } else { "" };
    let start = format!("{before}{lead}{word}");
    let caret = start.encode_utf16().count();
    (format!("{start}{trail}{after}"), caret)
}

#[cfg(test)]
mod tests {
    use super::inserted;

    #[test]
    fn a_word_is_apart_from_its_neighbours() {
        assert_eq!(inserted("", 0, "orders"), ("orders".to_owned(), 6));
        assert_eq!(inserted("number of", 9, "orders"), ("number of orders".to_owned(), 16));
        assert_eq!(inserted("number of ", 10, "orders"), ("number of orders".to_owned(), 16));
        assert_eq!(inserted("list 2025", 5, "orders"), ("list orders 2025".to_owned(), 11));
    }

    #[test]
    fn places_count_utf_16_code_units() {
        assert_eq!(inserted("😀 x", 3, "orders"), ("😀 orders x".to_owned(), 9));
        assert_eq!(inserted("é", 99, "orders"), ("é orders".to_owned(), 8));
    }
}
