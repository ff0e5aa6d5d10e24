//! Fiscal years, which are numbered by the calendar year they end in.

use super::anchor::Anchor;
use super::calendar::{Period, Unit};
use super::grammar::Grammar;
use super::lexicon::Class;
use crate::day::{plus_days, plus_months};
use crate::intent::TimeGrain;

/// "FY24", "fiscal year 2024", "last fiscal year".
pub(super) fn year(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let (year, end) = year_named(grammar, position)?;
    let anchor = Anchor::fixed(part(grammar, year, 0, 12)?, Some(TimeGrain::Year), end);
    let relative = grammar.is(position, Class::Direction);
    Some(if relative { anchor.relative() } else { anchor })
}

/// "this fiscal quarter", "fiscal year to date", "FYTD".
pub(super) fn relative(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let current = current_year(grammar);
    let spelled = grammar.is(position, Class::Fiscal)
        && grammar.unit(position + 1) == Some(Unit::Year)
        && grammar.word(position + 2, "to")
        && grammar.word(position + 3, "date");
    if spelled || grammar.is(position, Class::FiscalToDate) {
        let period = part(grammar, current, 0, 12)?;
        let to_date = Period::new(period.start, plus_days(grammar.today, 1)?)?;
        let end = position + if spelled { 4 } else { 1 };
        return Some(Anchor::fixed(to_date, Some(TimeGrain::Year), end).relative());
    }
    let direction = grammar.value(position, Class::Direction)?;
    let quarter = grammar.is(position + 1, Class::Fiscal)
        && grammar.unit(position + 2) == Some(Unit::Quarter);
    if !quarter {
        return None;
    }
    let year = part(grammar, current, 0, 12)?;
    let mut start = year.start;
    while let Some(next) = plus_months(start, 3).filter(|next| *next <= grammar.today) {
        start = next;
    }
    let start = plus_months(start, i64::from(direction.signum() * 3))?;
    let period = Period::new(start, plus_months(start, 3)?)?;
    Some(Anchor::fixed(period, Some(TimeGrain::Quarter), position + 3).relative())
}

/// Number of a fiscal year, with the position after it.
pub(super) fn year_named(grammar: &Grammar<'_>, position: usize) -> Option<(i16, usize)> {
    let number = |position: usize| {
        let position = position + usize::from(grammar.mark(position, &["-", "'", "’", "‘"]));
        let year = grammar.year(position).or_else(|| grammar.short_year(position))?;
        Some((year, position + 1))
    };
    if let Some(direction) = grammar.value(position, Class::Direction) {
        let named = grammar.is(position + 1, Class::Fiscal)
            && grammar.unit(position + 2) == Some(Unit::Year);
        let shift = i16::try_from(direction.signum()).ok()?;
        return named.then(|| Some((current_year(grammar).checked_add(shift)?, position + 3)))?;
    }
    if grammar.is(position, Class::Fiscal) {
        let at = position + 1;
        return number(at + usize::from(grammar.unit(at) == Some(Unit::Year)));
    }
    match grammar.text(position)?.strip_prefix("fy")? {
        "" => number(position + 1),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let year = match digits.len() {
                2 => grammar.full_year(digits)?,
                4 => digits.parse().ok().filter(|year| (1900..=2100).contains(year))?,
                _ => return None,
            };
            Some((year, position + 1))
        }
        _ => None,
    }
}

/// A part of a fiscal year: `months` months from an offset of `first_month`.
pub(super) fn part(
    grammar: &Grammar<'_>,
    year: i16,
    first_month: u8,
    months: i32,
) -> Option<Period> {
    let opening = grammar.fiscal_year_start;
    let start_year = if opening == 1 { year } else { year.checked_sub(1)? };
    let opened = Period::months(start_year, opening, 12)?.start;
    let start = plus_months(opened, i64::from(first_month))?;
    Period::new(start, plus_months(start, i64::from(months))?)
}

fn current_year(grammar: &Grammar<'_>) -> i16 {
    let opening = grammar.fiscal_year_start;
    let begun = u8::try_from(grammar.today.month()).is_ok_and(|month| month >= opening);
    grammar.today.year() + i16::from(opening > 1 && begun)
}
