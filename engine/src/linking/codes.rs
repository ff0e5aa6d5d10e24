//! Coded values: words for what a column stores as a code, "female" for `F`.

use serde::Deserialize;

use super::identifier::words_of_identifier;
use super::index::squash;

/// Codes with the words for them, from `data/codes.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Codes {
    codes: Vec<Code>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Code {
    /// Words of the names of the columns that store it.
    columns: Vec<String>,
    /// The forms it is stored in, folded.
    values: Vec<String>,
    /// Words for it, folded.
    words: Vec<String>,
}

impl Codes {
    /// Built-in codes; none only if their data file were broken, which a test rules out.
    pub(super) fn built_in() -> Self {
        serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/codes.json")))
            .unwrap_or_default()
    }

    /// Words for a value that a column of this name stores.
    pub(super) fn words(&self, column: &str, value: &str) -> impl Iterator<Item = &str> {
        let letters = squash(value);
        let named = words_of_identifier(column);
        self.codes
            .iter()
            .filter(move |code| {
                code.values.contains(&letters)
                    && named.iter().any(|word| code.columns.contains(word))
            })
            .flat_map(|code| &code.words)
            .map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_means_its_words_only_in_a_column_of_its_kind() {
        let codes = Codes::built_in();
        assert!(codes.words("sex", "F").any(|word| word == "female"));
        assert!(codes.words("PatientGender", "male").any(|word| word == "men"));
        assert_eq!(codes.words("grade", "F").count(), 0);
        assert_eq!(codes.words("sex", "X").count(), 0);
    }
}
