//! Columns whose values are never listed.

use crate::DataType;

const NAMES: &str = include_str!("../data/sensitive_names.txt");

/// Whether the values of a column with this name and type family are never listed.
///
/// A numeric column is sensitive only if its name ends with a sensitive word, so `token_count` is not.
pub fn is_sensitive(name: &str, data_type: DataType) -> bool {
    let words = words(name);
    let counted = data_type.is_numeric() || data_type == DataType::Boolean;
    NAMES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .any(|entry| {
            if counted {
                words.ends_with_words(&entry)
            } else {
                words.0.windows(entry.len()).any(|window| window.iter().eq(entry.iter()))
            }
        })
}

struct Words(Vec<String>);

impl Words {
    fn ends_with_words(&self, entry: &[&str]) -> bool {
        self.0.len() >= entry.len() && self.0[self.0.len() - entry.len()..].iter().eq(entry.iter())
    }
}

/// Lower-case words of an identifier in any case style.
fn words(name: &str) -> Words {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in name.chars() {
        if !character.is_alphanumeric() || (character.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = character.is_lowercase() || character.is_numeric();
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    Words(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_by_words_in_any_case_style() {
        for (name, data_type, expected) in [
            ("EmailAddress", DataType::Text, true),
            ("customer_email", DataType::Text, true),
            ("ssn", DataType::Integer, true),
            ("PhoneNumber", DataType::Text, true),
            ("token_count", DataType::Integer, false),
            ("api_token", DataType::Text, true),
            ("national-id", DataType::Text, true),
            ("emailed", DataType::Boolean, false),
            ("status", DataType::Text, false),
            ("passenger", DataType::Text, false),
        ] {
            assert_eq!(is_sensitive(name, data_type), expected, "{name}");
        }
    }
}
