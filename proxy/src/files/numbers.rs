//! Numbers as texts write them, with a decimal point or a decimal comma.

/// Which character precedes the decimals. The other one may group the thousands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Decimals {
    /// `1,234.56`
    Point,
    /// `1.234,56`
    Comma,
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// Without decimals, and within 64 bits.
    Integer(i64),
    /// With decimals.
    Real(f64),
}

/// Reads a number; `None` for anything else, including identifiers such as `00123` and `+49123`.
pub(super) fn number(text: &str, decimals: Decimals) -> Option<Number> {
    let (point, group) = match decimals {
        Decimals::Point => ('.', ','),
        Decimals::Comma => (',', '.'),
    };
    let body = text.strip_prefix('-').unwrap_or(text);
    if !body.starts_with(|first: char| first.is_ascii_digit() || first == point) {
        return None;
    }
    if is_digits(body) && body.len() < 19 {
        return (body == "0" || !body.starts_with('0'))
            .then(|| text.parse().ok().map(Number::Integer))
            .flatten();
    }
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        // `12E3` is more often a code than a number.
        Some((mantissa, exponent))
            if mantissa.contains(point) || exponent.starts_with(['+', '-']) =>
        {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            (mantissa, is_digits(digits).then_some(exponent)?)
        }
        Some(_) => return None,
        None => (body, ""),
    };
    let (whole, fraction) = match mantissa.split_once(point) {
        Some((whole, fraction)) => (whole, is_digits(fraction).then_some(fraction)?),
        None => (mantissa, ""),
    };
    let whole = match whole {
        "" if !fraction.is_empty() => "0".to_owned(),
        _ if is_digits(whole) => whole.to_owned(),
        _ => ungrouped(whole, group)?,
    };
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let sign = if body.len() < text.len() { "-" } else { "" };
    if fraction.is_empty() && exponent.is_empty() {
        return format!("{sign}{whole}").parse().ok().map(Number::Integer);
    }
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    let exponent = if exponent.is_empty() { "0" } else { exponent };
    let real: f64 = format!("{sign}{whole}.{fraction}e{exponent}").parse().ok()?;
    real.is_finite().then_some(Number::Real(real))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits without the separators of thousands, each of which three digits must follow.
fn ungrouped(whole: &str, group: char) -> Option<String> {
    let mut parts = whole.split(group);
    let first = parts.next().filter(|first| is_digits(first) && first.len() <= 3)?;
    let mut digits = first.to_owned();
    for part in parts {
        digits.push_str(Some(part).filter(|part| is_digits(part) && part.len() == 3)?);
    }
    Some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_both_styles() {
        use Number::{Integer, Real};
        for (text, point, comma) in [
            ("0", Some(Integer(0)), Some(Integer(0))),
            ("-12", Some(Integer(-12)), Some(Integer(-12))),
            ("12.5", Some(Real(12.5)), None),
            ("12,5", None, Some(Real(12.5))),
            ("1.234", Some(Real(1.234)), Some(Integer(1234))),
            ("1,234", Some(Integer(1234)), Some(Real(1.234))),
            ("1,234,567.89", Some(Real(1_234_567.89)), None),
            ("-1.234.567,89", None, Some(Real(-1_234_567.89))),
            (".5", Some(Real(0.5)), None),
            ("1.5e-7", Some(Real(1.5e-7)), None),
            ("2E+3", Some(Real(2000.0)), Some(Real(2000.0))),
            ("9223372036854775807", Some(Integer(i64::MAX)), Some(Integer(i64::MAX))),
        ] {
            assert_eq!(number(text, Decimals::Point), point, "{text}");
            assert_eq!(number(text, Decimals::Comma), comma, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_number_is_none() {
        for text in [
            "",
            "-",
            ".",
            ",",
            "00123",
            "01.5",
            "+49123",
            "12E3",
            "1e",
            "1.5e",
            "5.",
            "1 234",
            "12,34,5",
            "1,23",
            "1234,567.8",
            "12-5",
            "0x1F",
            "NaN",
            "inf",
            "١٢",
            "9223372036854775808",
            "1.5e999",
        ] {
            assert_eq!(number(text, Decimals::Point), None, "{text}");
        }
    }
}
