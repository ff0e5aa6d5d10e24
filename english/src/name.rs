//! Names of tables and columns as words, in any naming style.

/// Words that a heading writes in capitals.
const INITIALISMS: [&str; 12] =
    ["ai", "ean", "iban", "id", "ids", "ip", "isbn", "pdf", "sku", "url", "urls", "vat"];

/// Parts of a name, split at separators and changes of case, as spelled: `BillingCountry` and `Billing_Country` give
/// `Billing`, `Country`.
pub fn name_parts(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for run in name.split(|character: char| !character.is_alphanumeric()) {
        let mut start = 0;
        for at in word_starts(run) {
            parts.push(&run[start..at]);
            start = at;
        }
        if start < run.len() {
            parts.push(&run[start..]);
        }
    }
    parts
}

/// A name as words in lower case: `BillingCountry` and `billing_country` give `billing country`.
///
/// Other separators than underscores and hyphens are kept; a name without words is returned unchanged.
pub fn name_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let separates = |c: char| c == '_' || c == '-' || c.is_whitespace();
    for run in name.split(separates).filter(|run| !run.is_empty()) {
        if !words.is_empty() {
            words.push(' ');
        }
        let mut start = 0;
        for at in word_starts(run) {
            words.extend(run[start..at].chars().flat_map(char::to_lowercase));
            words.push(' ');
            start = at;
        }
        words.extend(run[start..].chars().flat_map(char::to_lowercase));
    }
    if words.is_empty() { name.to_owned() } else { words }
}

/// A name as a column heading: `number_of_orders` gives `Number of orders`, `CustomerId` gives `Customer ID`.
pub fn heading(name: &str) -> String {
    let words = name_words(name);
    let words: Vec<String> = words
        .split(' ')
        .map(|word| if INITIALISMS.contains(&word) { word.to_uppercase() } else { word.to_owned() })
        .collect();
    crate::capitalised(&words.join(" "))
}

/// Offsets at which a new word starts: at a capital after a lower-case letter or digit, and at the last of several
/// capitals if a lower-case letter follows.
fn word_starts(run: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    if run.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return starts;
    }
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
            starts.push(at);
        }
        previous = Some(character);
    }
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_naming_style_gives_the_same_words() {
        for name in ["BillingCountry", "billing_country", "billing country", "BILLING_COUNTRY"] {
            assert_eq!(name_words(name), "billing country", "{name}");
        }
        assert_eq!(name_words("_order__id_"), "order id");
        assert_eq!(name_words("Rain mm"), "rain mm");
        assert_eq!(name_words("XMLFile2Name"), "xml file2 name");
        assert_eq!(name_words("share (%)"), "share (%)");
        assert_eq!(name_words("größeInM"), "größe in m");
        assert_eq!(name_words("__"), "__");
        assert_eq!(name_words(""), "");
    }

    #[test]
    fn parts_keep_their_case() {
        assert_eq!(name_parts("CustomerID"), ["Customer", "ID"]);
        assert_eq!(name_parts("XMLFile2Name"), ["XML", "File2", "Name"]);
        assert_eq!(name_parts("share (%)"), ["share"]);
        assert_eq!(name_parts(""), Vec::<&str>::new());
    }

    #[test]
    fn headings_start_with_a_capital_and_keep_initialisms() {
        for (name, shown) in [
            ("number_of_orders", "Number of orders"),
            ("CustomerId", "Customer ID"),
            ("id", "ID"),
            ("count(*)", "Count(*)"),
            ("?column?", "?column?"),
        ] {
            assert_eq!(heading(name), shown);
        }
    }
}
