//! Decimal numbers as text, rounded, grouped and compared without loss of digits.

use std::cmp::Ordering;

use super::locale::Locale;

/// A number in plain decimal notation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    places: &'a str,
}

impl<'a> Decimal<'a> {
    /// Parses digits with an optional sign and point; `None` for anything else, such as an exponent.
    pub fn parse(text: &'a str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, places) = digits.split_once('.').unwrap_or((digits, "0"));
        let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        (all(whole) && all(places)).then_some(Self {
            negative: digits.len() < text.len(),
            whole,
            places: places.trim_end_matches('0'),
        })
    }

    /// Number of decimal places without trailing zeros.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// Whether the absolute value is less than one.
    pub fn is_fraction(&self) -> bool {
        self.whole.bytes().all(|digit| digit == b'0')
    }

    /// Number of zeros behind the point before the first other digit.
    pub fn leading_zeros(&self) -> usize {
        self.places.bytes().take_while(|digit| *digit == b'0').count()
    }

    /// The number with exactly `places` decimal places, rounded half away from zero, with the separators of the page.
    ///
    /// A number that would be rounded to zero keeps two significant digits.
    pub fn rounded(&self, places: usize) -> String {
        let vanishes = self.is_fraction() && self.leading_zeros() >= places;
        let would_be_zero = vanishes && self.places() > 0 && !self.rounds_up(places);
        let places = if would_be_zero { self.leading_zeros() + 2 } else { places };
        let mut digits: Vec<u8> = self.whole.bytes().collect();
        digits.extend(self.places.bytes().chain(std::iter::repeat(b'0')).take(places));
        if self.rounds_up(places) {
            increment(&mut digits);
        }
        let point = digits.len() - places;
        let digits = String::from_utf8_lossy(&digits);
        let is_zero = digits.bytes().all(|digit| digit == b'0');
        let sign = if self.negative && !is_zero { "-" } else { "" };
        Locale::with(|locale| locale.number(sign, &digits[..point], &digits[point..]))
    }

    /// Compares two numbers by all their digits.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.is_below_zero(), other.is_below_zero()) {
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
            (one, other) => other.cmp(&one),
        }
    }

    /// Compares the absolute values.
    fn compare_size(&self, other: &Self) -> Ordering {
        let whole = |number: &Self| number.whole.trim_start_matches('0');
        let (one, two) = (whole(self), whole(other));
        let by_whole = one.len().cmp(&two.len()).then_with(|| one.cmp(two));
        by_whole.then_with(|| self.places.cmp(other.places))
    }

    fn is_below_zero(&self) -> bool {
        self.negative && !(self.is_fraction() && self.places.is_empty())
    }

    fn rounds_up(&self, places: usize) -> bool {
        self.places.as_bytes().get(places).is_some_and(|digit| *digit >= b'5')
    }
}

/// Adds one to the last of some ASCII digits.
fn increment(digits: &mut Vec<u8>) {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return;
        }
        *digit = b'0';
    }
    digits.insert(0, b'1');
}

/// Digits with a separator before the last three, and before every `size` of those in front of them.
pub fn grouped_digits(digits: &str, separator: &str, size: usize) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        let left = digits.len() - index;
        if index > 0 && left >= 3 && (left - 3).is_multiple_of(size) {
            text.push_str(separator);
        }
        text.push(digit);
    }
    text
}

/// A number with at most twelve significant digits, which hides binary rounding errors.
pub fn without_noise(value: f64) -> String {
    if !value.is_finite() || value == 0.0 {
        return value.to_string();
    }
    let whole_digits = value.abs().log10().floor() as i32 + 1;
    let decimals = usize::try_from(12 - whole_digits).unwrap_or(0).min(20);
    let text = format!("{value:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, Ordering, grouped_digits, without_noise};

    fn rounded(text: &str, places: usize) -> String {
        Decimal::parse(text).expect("a plain decimal").rounded(places)
    }

    #[test]
    fn numbers_are_compared_by_all_their_digits() {
        let ascending = [
            "-10",
            "-9.5",
            "-0.1",
            "0",
            "0.09",
            "0.1",
            "9",
            "10",
            "90071992547409931",
            "90071992547409932",
        ];
        for pair in ascending.windows(2) {
            let numbers = pair.iter().map(|text| Decimal::parse(text).expect("a plain decimal"));
            let numbers: Vec<_> = numbers.collect();
            assert_eq!(numbers[0].compare(&numbers[1]), Ordering::Less, "{pair:?}");
            assert_eq!(numbers[1].compare(&numbers[0]), Ordering::Greater, "{pair:?}");
        }
        let equal = |one, other| {
            let parse = |text| Decimal::parse(text).expect("a plain decimal");
            parse(one).compare(&parse(other)) == Ordering::Equal
        };
        assert!(equal("-0", "0.00") && equal("007.50", "7.5"));
    }

    #[test]
    fn the_half_is_rounded_away_from_zero_with_a_carry() {
        assert_eq!(rounded("2.345", 2), "2.35");
        assert_eq!(rounded("-2.345", 2), "-2.35");
        assert_eq!(rounded("999.995", 2), "1,000.00");
        assert_eq!(rounded("14.6987951807228916", 2), "14.70");
    }

    #[test]
    fn places_are_filled_with_zeros() {
        assert_eq!(rounded("85085.5", 2), "85,085.50");
        assert_eq!(rounded("7", 2), "7.00");
    }

    #[test]
    fn digits_beyond_a_float_are_kept() {
        assert_eq!(rounded("12345678901234567890.125", 2), "12,345,678,901,234,567,890.13");
    }

    #[test]
    fn a_small_number_is_never_shown_as_zero() {
        assert_eq!(rounded("0.000123", 2), "0.00012");
        assert_eq!(rounded("0.006", 2), "0.01");
        assert_eq!(rounded("-0.004", 2), "-0.0040");
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(rounded("-0.00", 1), "0.0");
    }

    #[test]
    fn other_notations_are_no_decimals() {
        for text in ["1.2e10", "NaN", "inf", "", "-", ".", "1.", "+1", "1,000", "1.2.3"] {
            assert_eq!(Decimal::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn binary_fractions_do_not_show() {
        assert_eq!(without_noise(2_328.599_999_999_957), "2328.6");
        assert_eq!(without_noise(0.1 + 0.2), "0.3");
        assert_eq!(without_noise(1e300).len(), 301);
        assert_eq!(without_noise(-0.000_012_5), "-0.0000125");
        assert_eq!(without_noise(100.0), "100");
        assert_eq!(without_noise(f64::NAN), "NaN");
    }

    #[test]
    fn digits_are_grouped_by_three() {
        let grouped = |digits| grouped_digits(digits, ",", 3);
        assert_eq!(grouped("0"), "0");
        assert_eq!(grouped("999"), "999");
        assert_eq!(grouped("1000"), "1,000");
        assert_eq!(grouped("1234567"), "1,234,567");
    }
}
