//! Date formats on SQLite with names of months and weekdays, which its `strftime` does not have.

use crate::tree::Expr;

use super::dates::cast;
use super::formats::{Family, pieces};
use super::strings::joined;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// The text of a value in a `to_char` format, as a concatenation; `None` if a part of the format has no equivalent.
pub(super) fn formatted(value: &Expr, format: &str) -> Option<Expr> {
    let parts = pieces(format, Family::ToChar, Family::Sqlite)?;
    let parts = parts.into_iter().map(|piece| match piece {
        Ok(text) => Some(strftime(&text, value)),
        Err(meaning) => part(meaning, value),
    });
    joined(parts.collect::<Option<Vec<Expr>>>()?)
}

fn part(meaning: &str, value: &Expr) -> Option<Expr> {
    let short = |name: &str| name.chars().take(3).collect::<String>();
    let months = MONTHS.iter().zip(1..);
    let days = DAYS.iter().zip(0..);
    Some(match meaning {
        "month name" => case("%m", months.map(|(name, at)| (two(at), (*name).to_owned())), value),
        "short month name" => case("%m", months.map(|(name, at)| (two(at), short(name))), value),
        "weekday name" => {
            case("%w", days.map(|(name, at)| (at.to_string(), (*name).to_owned())), value)
        }
        "short weekday name" => {
            case("%w", days.map(|(name, at)| (at.to_string(), short(name))), value)
        }
        "short month name in capitals" => {
            let months = months.map(|(name, at)| (two(at), short(name).to_uppercase()));
            case("%m", months, value)
        }
        "year of century" => {
            Expr::call("substr", vec![strftime("%Y", value), Expr::number("3"), Expr::number("2")])
        }
        "month without zero" => plain("%m", value),
        "day without zero" => plain("%d", value),
        _ => return None,
    })
}

fn two(number: u32) -> String {
    format!("{number:02}")
}

fn strftime(format: &str, value: &Expr) -> Expr {
    Expr::call("strftime", vec![Expr::string(format), value.clone()])
}

/// A number without leading zeros.
fn plain(format: &str, value: &Expr) -> Expr {
    cast(cast(strftime(format, value), "integer"), "text")
}

fn case(format: &str, names: impl Iterator<Item = (String, String)>, value: &Expr) -> Expr {
    let branches = names.map(|(key, name)| (Expr::string(key), Expr::string(name))).collect();
    Expr::Case { operand: Some(Box::new(strftime(format, value))), branches, otherwise: None }
}
