//! Coded values: words for values that a column stores as codes, such as "female" for `F`.

use std::collections::BTreeSet;

use wherefore_english::singular;

use super::identifier::words_of_identifier;
use crate::data::{Code, Codes};

impl Codes {
    /// Codes that a column of this name stores; a column called `name` is called as its table is.
    pub(super) fn of_column(&self, table: &str, column: &str) -> Vec<&Code> {
        let mut named = words_of_identifier(column);
        if named == ["name"] {
            named.extend(words_of_identifier(table).iter().map(|word| singular(word)));
        }
        let holds = |code: &&Code| named.iter().any(|word| code.columns.contains(word));
        self.codes.iter().filter(holds).collect()
    }

    /// The spellings of all stored codes, by their letters.
    pub(super) fn spellings(&self) -> BTreeSet<&str> {
        self.codes.iter().flat_map(|code| &code.values).map(String::as_str).collect()
    }
}

impl Code {
    /// The words for a stored value, given by its letters; empty if it is not a spelling of the code.
    pub(super) fn words(&self, letters: &str) -> &[String] {
        if self.values.iter().any(|value| value == letters) { &self.words } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    use crate::text::letters_of;

    #[test]
    fn a_code_means_its_words_only_in_a_column_of_its_kind() {
        let codes = crate::Words::BUILT_IN.codes();
        let words = |column: &str, value: &str| -> Vec<&String> {
            codes
                .of_column("patients", column)
                .into_iter()
                .flat_map(|code| code.words(&letters_of(value)))
                .collect()
        };
        assert!(words("sex", "F").iter().any(|word| *word == "female"));
        assert!(words("PatientGender", "male").iter().any(|word| *word == "men"));
        assert!(words("grade", "F").is_empty());
        assert!(words("sex", "X").is_empty());
    }
}
