//! Numbers written in digits.

use crate::text::token::{currency, magnitude};

/// Maximum number of digits of a number; longer runs are identifiers.
const MOST_DIGITS: usize = 40;

/// A decimal number, as digits.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Decimal {
    negative: bool,
    whole: String,
    fraction: String,
}

/// The parts of a number token.
#[derive(Debug)]
pub(super) struct Written {
    /// The number.
    pub(super) value: Decimal,
    /// Whether the token ends in `st`, `nd`, `rd` or `th`.
    pub(super) ordinal: bool,
    /// Whether the token ends in a percent sign.
    pub(super) percent: bool,
    /// ISO 4217 code of the number's currency symbol.
    pub(super) currency: Option<&'static str>,
}

impl Decimal {
    /// The number with this many tenths.
    pub(super) fn from_tenths(tenths: u128) -> Self {
        Self {
            negative: false,
            whole: (tenths / 10).to_string(),
            fraction: (tenths % 10).to_string(),
        }
    }

    /// The number multiplied by a power of ten.
    pub(super) fn shifted(mut self, power: u32) -> Self {
        for _ in 0..power {
            if self.fraction.is_empty() {
                self.whole.push('0');
            } else {
                self.whole.push(self.fraction.remove(0));
            }
        }
        self
    }

    /// The number in digits, with at most one decimal point and a leading minus, without redundant zeros.
    pub(super) fn text(&self) -> String {
        let whole = self.whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        let fraction = self.fraction.trim_end_matches('0');
        let sign = if self.negative && (whole != "0" || !fraction.is_empty()) { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    }
}

/// Parses the folded text of a number token; `None` for dates and times of day.
pub(super) fn read(folded: &str) -> Option<Written> {
    let mut rest = folded;
    let mut value = Decimal::default();
    if let Some(unsigned) = rest.strip_prefix(['-', '\u{2212}']) {
        value.negative = true;
        rest = unsigned;
    } else if let Some(unsigned) = rest.strip_prefix('+') {
        rest = unsigned;
    }
    let mut money = None;
    if let Some(symbol) =
        rest.chars().next().filter(|symbol| !symbol.is_ascii_digit() && *symbol != '.')
    {
        money = Some(currency(symbol.encode_utf8(&mut [0; 4]))?);
        rest = rest.get(symbol.len_utf8()..)?;
    }
    let digits_end = rest.rfind(|character: char| character.is_ascii_digit())? + 1;
    let (digits, suffix) = rest.split_at(digits_end);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    value.whole =
        whole.chars().filter(|mark| !matches!(mark, ',' | '\u{a0}' | '\u{202f}')).collect();
    fraction.clone_into(&mut value.fraction);
    let plain = value.whole.bytes().chain(value.fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if !plain || value.whole.len() + value.fraction.len() > MOST_DIGITS {
        return None;
    }
    let mut written = Written { value, ordinal: false, percent: false, currency: money };
    match suffix {
        "" => {}
        "%" => written.percent = true,
        "st" | "nd" | "rd" | "th" => written.ordinal = true,
        _ => match magnitude(suffix) {
            Some(power) => written.value = written.value.shifted(power),
            None => written.currency = Some(currency(suffix)?),
        },
    }
    Some(written)
}
