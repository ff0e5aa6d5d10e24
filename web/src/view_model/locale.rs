//! How numbers and dates are written in the language of the page.

use std::cell::RefCell;

use super::decimal::grouped_digits;

/// How numbers and dates are written, as `Intl` has it for a locale.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Locale {
    /// Thousands separator, such as `,`.
    pub group: String,
    /// Number of digits of the groups before the last one: 3, or 2 in India.
    pub group_size: usize,
    /// Decimal separator, such as `.`.
    pub point: String,
    /// Behind the number of a percentage, with the space before it, if there is one.
    pub percent: String,
    /// Parts of a date in their order.
    pub date: Vec<DatePart>,
}

/// A part of a date.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum DatePart {
    /// Day of the month; whether it has two digits always.
    Day(bool),
    /// What stands between others.
    Literal(String),
    /// Number of the month; whether it has two digits always.
    Month(bool),
    /// Name of the month, of twelve.
    MonthName(Vec<String>),
    /// Year.
    Year,
}

impl Default for Locale {
    /// English, with dates as in ISO 8601.
    fn default() -> Self {
        use DatePart::{Day, Literal, Month, Year};
        let dash = || Literal("-".to_owned());
        Self {
            group: ",".to_owned(),
            group_size: 3,
            point: ".".to_owned(),
            percent: "%".to_owned(),
            date: vec![Year, dash(), Month(true), dash(), Day(true)],
        }
    }
}

thread_local! {
    static CURRENT: RefCell<Locale> = RefCell::new(Locale::default());
}

impl Locale {
    /// Writes all numbers and dates from now on as this locale does.
    pub fn choose(self) {
        CURRENT.set(self);
    }

    /// Calls a function with the locale of the page; the default in tests outside a browser.
    pub fn with<T>(run: impl FnOnce(&Self) -> T) -> T {
        CURRENT.with_borrow(run)
    }

    /// A number whose digits are given, with separators.
    pub fn number(&self, sign: &str, whole: &str, places: &str) -> String {
        let whole = grouped_digits(whole, &self.group, self.group_size);
        if places.is_empty() {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}{}{places}", self.point)
        }
    }

    /// A number with all its digits.
    pub fn figure(&self, value: f64) -> String {
        let text = value.abs().to_string();
        let (whole, places) = text.split_once('.').unwrap_or((&text, ""));
        self.number(if value < 0.0 { "-" } else { "" }, whole, places)
    }

    /// A number as somebody types it: with the separators of the locale, or in plain notation.
    pub fn parse(&self, typed: &str) -> Option<f64> {
        let typed: String = typed.chars().filter(|letter| !letter.is_whitespace()).collect();
        let (whole, places) = typed.split_once(&self.point).unwrap_or((&typed, ""));
        let mut groups = whole.split(&self.group);
        let first = groups.next().unwrap_or_default();
        let groups: Vec<&str> = groups.collect();
        let sizes = groups.iter().rev().enumerate();
        let is_grouped = !groups.is_empty()
            && sizes
                .into_iter()
                .all(|(at, group)| group.len() == if at == 0 { 3 } else { self.group_size });
        let plain = if is_grouped || typed.contains(&self.point) {
            format!("{first}{}.{places}", groups.concat())
        } else {
            typed
        };
        plain.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// A date in the form `2025-03-01`; any other text is returned unchanged.
    pub fn day(&self, date: &str) -> String {
        let parts: Vec<&str> = date.split('-').collect();
        let &[year, month, day] = parts.as_slice() else { return date.to_owned() };
        let digits = |number: &str, has_two: bool| {
            if has_two { number.to_owned() } else { number.trim_start_matches('0').to_owned() }
        };
        let part = |part: &DatePart| match part {
            DatePart::Day(has_two) => digits(day, *has_two),
            DatePart::Literal(text) => text.clone(),
            DatePart::Month(has_two) => digits(month, *has_two),
            DatePart::MonthName(names) => {
                let at = month.parse::<usize>().ok().and_then(|month| month.checked_sub(1));
                let name = at.and_then(|at| names.get(at));
                name.map_or_else(|| month.to_owned(), Clone::clone)
            }
            DatePart::Year => year.to_owned(),
        };
        self.date.iter().map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{DatePart, Locale};

    fn german() -> Locale {
        use DatePart::{Day, Literal, Month, Year};
        let point = || Literal(".".to_owned());
        Locale {
            group: ".".to_owned(),
            point: ",".to_owned(),
            percent: "\u{a0}%".to_owned(),
            date: vec![Day(true), point(), Month(true), point(), Year],
            ..Locale::default()
        }
    }

    #[test]
    fn numbers_have_the_separators_of_the_locale() {
        assert_eq!(german().number("-", "1234567", "50"), "-1.234.567,50");
        assert_eq!(Locale::default().number("", "999", ""), "999");
        let indian = Locale { group_size: 2, ..Locale::default() };
        assert_eq!(indian.number("", "1234567", ""), "12,34,567");
    }

    #[test]
    fn a_typed_number_has_the_separators_of_the_locale_or_none() {
        let is = |found: Option<f64>, value: f64| {
            found.is_some_and(|found| (found - value).abs() < 1e-9)
        };
        for (typed, value) in [
            ("1.500", 1500.0),
            ("1.234.567,5", 1_234_567.5),
            ("12,5", 12.5),
            ("12.5", 12.5),
            ("-3", -3.0),
        ] {
            assert!(is(german().parse(typed), value), "{typed}");
        }
        let english = Locale::default();
        for (typed, value) in [("1,500", 1500.0), ("1,500.25", 1500.25), (" 12.5 ", 12.5)] {
            assert!(is(english.parse(typed), value), "{typed}");
        }
        for typed in ["12,5", "", "a", "1e999", "inf"] {
            assert_eq!(english.parse(typed), None, "{typed}");
        }
        assert_eq!(german().figure(-1500.5), "-1.500,5");
    }

    #[test]
    fn dates_have_the_order_and_the_names_of_the_locale() {
        let names = (1..=12).map(|month| format!("month{month}")).collect();
        let space = || DatePart::Literal(" ".to_owned());
        let date = vec![
            DatePart::Day(false),
            space(),
            DatePart::MonthName(names),
            space(),
            DatePart::Year,
        ];
        let named = Locale { date, ..Locale::default() };
        assert_eq!(german().day("2025-03-01"), "01.03.2025");
        assert_eq!(named.day("2025-03-01"), "1 month3 2025");
        assert_eq!(named.day("2025-00-00"), " 00 2025");
        assert_eq!(german().day("infinity"), "infinity");
    }
}
