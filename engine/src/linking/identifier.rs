//! Splits table and column names into words.

use wherefore_english::name_parts;

use crate::text::fold;

/// Folded words of an identifier: `BillingCountry`, `billing_country` and `billing country` have the same two.
pub(crate) fn words_of_identifier(name: &str) -> Vec<String> {
    name_parts(name).into_iter().map(fold).collect()
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
