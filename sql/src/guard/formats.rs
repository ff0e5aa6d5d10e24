//! Format strings of SQLite's `printf`.

/// A conversion such as `%-10.3f`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Conversion {
    /// Width; 0 if none is given.
    pub(super) width: u64,
    /// Precision; 0 if none is given.
    pub(super) precision: u64,
    /// Whether an argument gives the width or the precision (`*`).
    pub(super) is_variable: bool,
    /// The letter at the end; `None` at the end of the format.
    pub(super) letter: Option<char>,
}

impl Conversion {
    /// Whether it doubles the quotation marks in its argument.
    pub(super) fn is_quoting(self) -> bool {
        matches!(self.letter, Some('q' | 'Q' | 'w'))
    }
}

/// The conversions of a format.
pub(super) fn conversions(format: &str) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let mut conversion = Conversion::default();
        rest = after.trim_start_matches(['-', '+', ' ', '#', '!', '0', ',']);
        (conversion.width, rest) = length(rest, &mut conversion.is_variable);
        if let Some(after) = rest.strip_prefix('.') {
            (conversion.precision, rest) = length(after, &mut conversion.is_variable);
        }
        rest = rest.trim_start_matches('l');
        let mut characters = rest.chars();
        conversion.letter = characters.next();
        rest = characters.as_str();
        found.push(conversion);
    }
    found
}

/// The number at the start of a text, or `*`, and what follows.
fn length<'a>(text: &'a str, is_variable: &mut bool) -> (u64, &'a str) {
    if let Some(rest) = text.strip_prefix('*') {
        *is_variable = true;
        return (0, rest);
    }
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let number = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::{Conversion, conversions};

    #[test]
    fn conversions_are_read_as_sqlite_reads_them() {
        let plain = Conversion::default();
        for (format, expected) in [
            ("100 * 2", vec![]),
            (
                "%s / quarter %q",
                vec![
                    Conversion { letter: Some('s'), ..plain },
                    Conversion { letter: Some('q'), ..plain },
                ],
            ),
            ("%%q", vec![Conversion { letter: Some('%'), ..plain }]),
            (
                "%-+ #!0,12.345lld",
                vec![Conversion { width: 12, precision: 345, letter: Some('d'), ..plain }],
            ),
            ("%*.*Q", vec![Conversion { is_variable: true, letter: Some('Q'), ..plain }]),
            (
                "%99999999999999999999w",
                vec![Conversion { width: u64::MAX, letter: Some('w'), ..plain }],
            ),
            ("%", vec![plain]),
        ] {
            assert_eq!(conversions(format), expected, "{format}");
        }
    }
}
