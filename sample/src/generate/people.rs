//! Names, addresses, phone numbers and company names by language area.

use std::collections::BTreeSet;

use crate::words::{Culture, Words};

use super::random::Random;

/// An invented person.
pub(super) struct Person {
    pub(super) first_name: String,
    pub(super) last_name: String,
}

impl Person {
    pub(super) fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
    }

    /// First and last name in lower-case ASCII, joined by a dot.
    pub(super) fn login(&self) -> String {
        format!("{}.{}", plain(&self.first_name), plain(&self.last_name))
    }
}

/// The text in lower case, reduced to ASCII letters and digits.
pub(super) fn plain(text: &str) -> String {
    deunicode::deunicode(text)
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

/// Language area of a country.
pub(super) fn culture<'w>(words: &'w Words, iso_code: &str) -> &'w Culture {
    words
        .cultures
        .iter()
        .find(|culture| culture.countries.iter().any(|country| country == iso_code))
        .unwrap_or(&words.cultures[0])
}

/// A random person of a language area; `female` selects the list of first names.
pub(super) fn person(random: &mut Random, culture: &Culture, female: bool) -> Person {
    let first_names = if female { &culture.female } else { &culture.male };
    Person {
        first_name: random.pick(first_names).clone(),
        last_name: random.pick(&culture.surnames).clone(),
    }
}

/// Phone number with 555, which is reserved for fictional numbers.
pub(super) fn phone(random: &mut Random, culture: &Culture) -> String {
    format!("{} 555 {}", culture.dial_code, random.digits(6))
}

/// Invented national identity number.
pub(super) fn national_id(random: &mut Random, sequence: i64) -> String {
    format!("{}-{:05}-{}", random.digits(4), sequence * 37 % 100_000, random.digits(1))
}

/// Street and house number, in the order customary in the language area.
pub(super) fn street(random: &mut Random, culture: &Culture) -> String {
    let number = random.between(1..=180);
    let street = random.pick(&culture.streets);
    if culture.number_first { format!("{number} {street}") } else { format!("{street} {number}") }
}

/// Company name that is not in `taken`; it is added there.
pub(super) fn company(
    random: &mut Random,
    culture: &Culture,
    city: &str,
    taken: &mut BTreeSet<String>,
) -> String {
    for _ in 0..40 {
        let name = random
            .pick(&culture.companies)
            .replace("{surname2}", random.pick::<String>(&culture.surnames))
            .replace("{surname}", random.pick::<String>(&culture.surnames))
            .replace("{city}", city)
            .replace("{trade}", random.pick::<String>(&culture.trades));
        if taken.insert(name.clone()) {
            return name;
        }
    }
    let surname = random.pick(&culture.surnames).clone();
    let mut branch = 2;
    loop {
        let name = format!("{surname} {city} {branch}");
        if taken.insert(name.clone()) {
            return name;
        }
        branch += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn names_lose_accents_and_apostrophes_in_addresses() {
        assert_eq!(plain("O'Brien"), "obrien");
        assert_eq!(plain("Łucja Müller"), "lucjamuller");
    }
}
