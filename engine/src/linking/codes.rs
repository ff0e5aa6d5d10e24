//! Coded values: words for values that a column stores as codes, such as "female" for `F`.

use super::identifier::words_of_identifier;
use crate::data::{Code, Codes};
use crate::text::letters_of;

impl Codes {
    /// Codes that a column of this name stores.
    pub(super) fn of_column(&self, column: &str) -> Vec<&Code> {
        let named = words_of_identifier(column);
        let holds = |code: &&Code| named.iter().any(|word| code.columns.contains(word));
        self.codes.iter().filter(holds).collect()
    }
}

impl Code {
    /// The words for a stored value; empty if the value is not a spelling of the code.
    pub(super) fn words(&self, value: &str) -> &[String] {
        if self.values.contains(&letters_of(value)) { &self.words } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_code_means_its_words_only_in_a_column_of_its_kind() {
        let codes = crate::Words::BUILT_IN.codes();
        let words = |column, value| -> Vec<&String> {
            codes.of_column(column).into_iter().flat_map(|code| code.words(value)).collect()
        };
        assert!(words("sex", "F").iter().any(|word| *word == "female"));
        assert!(words("PatientGender", "male").iter().any(|word| *word == "men"));
        assert!(words("grade", "F").is_empty());
        assert!(words("sex", "X").is_empty());
    }
}
