//! Fuzzy matching of values: edit distance of at most 2, of the whole value or one of its words.

use super::settings::FOUND_VALUES;

/// Maximum edit distance for a text of this length.
fn most_edits(text: &str) -> usize {
    match text.chars().count() {
        0..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

/// Splits a text into one piece more than there may be edits, so that every match contains at least one piece
/// unchanged.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let count = most_edits(text) + 1;
    if count == 1 {
        return Vec::new();
    }
    let size = characters.len().div_ceil(count);
    characters.chunks(size).map(|piece| piece.iter().collect()).collect()
}

/// Values within the maximum edit distance of a text in lower case, best match first.
pub(super) fn nearest(values: &[String], text: &str) -> Vec<String> {
    let most = most_edits(text);
    if most == 0 {
        return Vec::new();
    }
    let mut near: Vec<(usize, &String)> = values
        .iter()
        .filter_map(|value| {
            let lower = value.to_lowercase();
            let words = lower.split(|character: char| !character.is_alphanumeric());
            let distance = words
                .chain([lower.as_str()])
                .filter(|part| part.chars().count().abs_diff(text.chars().count()) <= most)
                .map(|part| strsim::osa_distance(part, text))
                .min()?;
            (distance <= most).then_some((distance, value))
        })
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(FOUND_VALUES as usize).map(|(_, value)| value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_within_the_edits_contains_a_piece() {
        for (text, value) in [("bergan", "bergen"), ("trondhiem", "trondheim"), ("oslo", "osla")] {
            let pieces = pieces(text);
            assert!(pieces.iter().any(|piece| value.contains(piece.as_str())), "{pieces:?}");
            assert_eq!(nearest(&[value.to_owned()], text), [value]);
        }
    }

    #[test]
    fn short_and_far_texts_are_near_nothing() {
        let values = ["ab", "Bergen", "Old Bergen Road"].map(str::to_owned);
        assert_eq!(nearest(&values, "ac"), Vec::<String>::new());
        assert_eq!(nearest(&values, "lillehammer"), Vec::<String>::new());
        assert_eq!(nearest(&values, "bergin"), ["Bergen", "Old Bergen Road"]);
        assert!(pieces("ac").is_empty());
    }
}
