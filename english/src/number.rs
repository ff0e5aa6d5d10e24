//! Numbers and counts.

use crate::noun::plural;

/// A number with commas between thousands: `1,204`.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number with a noun, which is given in the singular: `1 order`, `1,204 orders`.
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {}", grouped(number), plural(noun)) }
}

/// An ordinal number: `1st`, `2nd`, `11th`.
pub fn ordinal(number: usize) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{}{ending}", grouped(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, shown) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(number), shown);
        }
    }

    #[test]
    fn the_noun_follows_the_number() {
        assert_eq!(counted(0, "row"), "0 rows");
        assert_eq!(counted(1, "person"), "1 person");
        assert_eq!(counted(1_204, "person"), "1,204 people");
    }

    #[test]
    fn ordinals_end_as_they_are_spoken() {
        for (number, said) in
            [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (112, "112th")]
        {
            assert_eq!(ordinal(number), said);
        }
        assert_eq!(ordinal(1_021), "1,021st");
    }
}
