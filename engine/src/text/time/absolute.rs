//! Dates, months, years, quarters, halves, decades and seasons.

use super::anchor::{Anchor, Footing, When, Yearly};
use super::calendar::{Period, Unit, date};
use super::fiscal;
use super::grammar::Grammar;
use super::lexicon::Class;
use crate::intent::TimeGrain;
use crate::text::token::{TokenKind, currency};

/// Years back in which a day of a year falls on each weekday at least once, except 29 February.
const EARLIER_YEARS: i16 = 10;
const DASHES: &[&str] = &["-", "–", "—"];
const APOSTROPHES: &[&str] = &["'", "’", "‘"];

/// A year that qualifies a month, a quarter or another part of a year.
#[derive(Clone, Copy, Debug)]
pub(super) enum YearNamed {
    Calendar(i16),
    Fiscal(i16),
}

impl YearNamed {
    /// The yearly period in this year; days, months and seasons refer to the calendar year.
    fn period(self, grammar: &Grammar<'_>, yearly: Yearly) -> Option<Period> {
        match (self, yearly) {
            (Self::Fiscal(year), Yearly::Quarter(quarter)) => {
                fiscal::part(grammar, year, quarter * 3 - 3, 3)
            }
            (Self::Fiscal(year), Yearly::Half(half)) => {
                fiscal::part(grammar, year, half * 6 - 6, 6)
            }
            (Self::Calendar(year) | Self::Fiscal(year), _) => yearly.in_year(year),
        }
    }
}

/// "2025-03-01", "2025-03", "05/01/2023" (month first), "1.5.2023" (day first), also in quotes. A date with a time of
/// day other than midnight does not match.
pub(super) fn date_in_digits(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let position = position + usize::from(grammar.word(position, "date"));
    let piece = grammar.pieces.get(position)?;
    let footing = match piece.kind {
        TokenKind::Number => Footing::Certain,
        TokenKind::Quoted => Footing::Ordinary,
        TokenKind::Punctuation | TokenKind::Symbol | TokenKind::Word => return None,
    };
    let (text, clock) = piece.text.split_once(['t', ' ']).unwrap_or((piece.text, ""));
    let clock_behind = grammar.text(position + 1).filter(|next| next.contains(':'));
    if !is_midnight(clock) || !clock_behind.is_none_or(is_midnight) {
        return None;
    }
    let mark = text.chars().find(|mark| matches!(mark, '-' | '/' | '.'))?;
    let mut fields = text.split(mark);
    let (first, second, third) = (fields.next()?, fields.next()?, fields.next());
    let end = position + 1;
    let day = |year: i16, month: &str, day: &str| {
        Period::day(date(year, month.parse().ok()?, day.parse().ok()?)?)
    };
    let grain = Some(TimeGrain::Day);
    let Some(third) = third else {
        let period = Period::months(first.parse().ok()?, second.parse().ok()?, 1)?;
        return (mark == '-' && first.len() == 4)
            .then(|| Anchor::fixed(period, Some(TimeGrain::Month), end).with(footing));
    };
    if fields.next().is_some() {
        return None;
    }
    if first.len() == 4 {
        let period = day(first.parse().ok()?, second, third)?;
        return Some(Anchor::fixed(period, grain, end).with(footing));
    }
    let year = match third.len() {
        2 => grammar.full_year(third)?,
        4 => third.parse().ok()?,
        _ => return None,
    };
    let (month_first, day_first) = (day(year, first, second), day(year, second, first));
    let (taken, other) =
        if mark == '.' { (day_first, month_first) } else { (month_first, day_first) };
    let rival = other.filter(|other| mark != '.' && taken.is_some_and(|taken| taken != *other));
    let anchor = Anchor::fixed(taken.or(other)?, grain, end).with(footing);
    Some(Anchor { rival, ..anchor })
}

/// "May 5", "Friday, May 5th, 2023", "May 5–10".
pub(super) fn month_and_day(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let start = after_weekday(grammar, position);
    let (month, _) = grammar.month(start)?;
    let day_at = grammar.skip(grammar.after_month(start), Class::Article);
    let (first, end) = grammar.day_of_month(day_at)?;
    Some(on_weekday(grammar, position, days(grammar, position, month, (first, end))?))
}

/// "5 May", "the 5th of May 2023", "5 to 10 May".
pub(super) fn day_and_month(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let start = grammar.skip(after_weekday(grammar, position), Class::Article);
    let (first, first_end) = grammar.day_of_month(start)?;
    let (last, end) = until_day(grammar, position, first_end).unwrap_or((first, first_end));
    let month_at = grammar.skip(end, Class::Link);
    let (month, ordinary) = grammar.month(month_at)?;
    let yearly = Yearly::Days { month, first, last };
    let anchor = in_year_said(grammar, yearly, grammar.after_month(month_at))?;
    let doubtful =
        ordinary && anchor.year_assumed && month_at == end && grammar.whole_number(start).is_some();
    let footing = if doubtful { Footing::Ordinary } else { Footing::Certain };
    let anchor = Anchor { stretch: first != last, ..anchor.with(footing) };
    Some(on_weekday(grammar, position, anchor))
}

/// "Monday 30 November": the year closest to today in which that day is a Monday; next year is the last one tried.
fn on_weekday(grammar: &Grammar<'_>, position: usize, anchor: Anchor) -> Anchor {
    let named = grammar
        .value(position, Class::Weekday)
        .or_else(|| grammar.value(position, Class::WeekdayOrdinary));
    let (Some(weekday), When::Yearly(yearly)) = (named, anchor.when) else { return anchor };
    let this = grammar.today.year();
    let years = (this - EARLIER_YEARS..=this + 1).filter_map(|year| yearly.in_year(year));
    let fits = years.filter(|period| {
        i64::from(period.start.weekday().to_monday_zero_offset()) == i64::from(weekday)
    });
    let days = |period: &Period| grammar.today.duration_since(period.start).as_hours().abs();
    match fits.min_by_key(days) {
        Some(period) => Anchor { when: When::Fixed(period), year_assumed: false, ..anchor },
        None => anchor,
    }
}

/// "May", "May 2023", "May of last year", "May '23".
pub(super) fn month(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let (month, ordinary) = grammar.month(position)?;
    let end = grammar.after_month(position);
    if grammar.day_of_month(grammar.skip(end, Class::Article)).is_some() {
        return None;
    }
    let footing = if ordinary { Footing::Ordinary } else { Footing::Bare };
    named(grammar, Yearly::Month(month), end, footing)
}

/// "2023", "the year 2023".
pub(super) fn year(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let unit_at = grammar.skip(position, Class::Whole);
    let said = grammar.unit(unit_at) == Some(Unit::Year);
    let at = if said { grammar.skip(unit_at + 1, Class::Link) } else { position };
    let year = grammar.year(at).or_else(|| earlier_year(grammar, at, said))?;
    let before = position.checked_sub(1);
    let amount = grammar.follows(position, Class::Amount)
        || before.is_some_and(|before| {
            grammar.mark(before, &["<", ">", "=", "<=", ">=", "=<", "=>", "==", "<>", "!=", "#"])
        })
        || grammar.mark(at + 1, &["%"])
        || grammar.unit(at + 1).is_some()
        || grammar.text(at + 1).is_some_and(|next| currency(next).is_some());
    if (amount || follows_day(grammar, position)) && !said {
        return None;
    }
    let footing = match said {
        true => Footing::Certain,
        false if year < 1900 => Footing::Ordinary,
        false => Footing::Bare,
    };
    let period = Period::months(year, 1, 12)?;
    Some(Anchor::fixed(period, Some(TimeGrain::Year), at + 1).with(footing))
}

/// A year from 1700 to 1899; after "of" and "for" only if `said`, because there it is more often an amount.
fn earlier_year(grammar: &Grammar<'_>, position: usize, said: bool) -> Option<i16> {
    let amount = position
        .checked_sub(1)
        .is_some_and(|before| grammar.word(before, "of") || grammar.word(before, "for"));
    let year = grammar.text(position).filter(|text| text.len() == 4)?.parse().ok()?;
    (said || !amount).then_some(year).filter(|year| (1700..1900).contains(year))
}

/// "Q2", "Q2 2023", "2023 Q2", "second quarter of 2023", "last quarter of FY24".
pub(super) fn quarter(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let short = |position: usize| numbered(grammar.text(position)?, 'q', 4);
    if let Some(year) = grammar.year(position) {
        let at = position + 1 + usize::from(grammar.mark(position + 1, &["-"]));
        let period = Yearly::Quarter(short(at)?).in_year(year)?;
        return Some(Anchor::fixed(period, Some(TimeGrain::Quarter), at + 1));
    }
    if let Some(quarter) = short(position) {
        return named(grammar, Yearly::Quarter(quarter), position + 1, Footing::Certain);
    }
    if grammar.unit(position) == Some(Unit::Quarter) {
        let number = u8::try_from(grammar.whole_number(position + 1)?).ok()?;
        let quarter = Some(number).filter(|number| (1..=4).contains(number))?;
        return named(grammar, Yearly::Quarter(quarter), position + 2, Footing::Certain);
    }
    let (quarter, end) = which(grammar, position, 4)?;
    if grammar.unit(end) != Some(Unit::Quarter) {
        return None;
    }
    let anchor = named(grammar, Yearly::Quarter(quarter), end + 1, Footing::Bare)?;
    let last = grammar.is(position, Class::Direction);
    (!last || !anchor.year_assumed).then_some(anchor)
}

/// "H1", "H1 2024", "first half of 2024".
pub(super) fn half(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    if let Some(half) = numbered(grammar.text(position)?, 'h', 2) {
        return named(grammar, Yearly::Half(half), position + 1, Footing::Bare);
    }
    let (half, end) = which(grammar, position, 2)?;
    if !grammar.word(end, "half") {
        return None;
    }
    let anchor = named(grammar, Yearly::Half(half), end + 1, Footing::Bare)?;
    (!anchor.year_assumed).then_some(anchor)
}

/// "the 1990s", "the '90s", "90s", "the nineties".
pub(super) fn decade(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let at = position + usize::from(grammar.mark(position, APOSTROPHES));
    let mut footing = Footing::Bare;
    let start = if let Some(start) = grammar.value(at, Class::Decade) {
        i16::try_from(start).ok()?
    } else {
        let digits = grammar.text(at)?.strip_suffix('s').filter(|digits| digits.ends_with('0'))?;
        match digits.len() {
            2 => grammar.full_year(digits)?,
            4 => {
                footing = Footing::Certain;
                digits.parse().ok().filter(|year| (1000..=2090).contains(year))?
            }
            _ => return None,
        }
    };
    if grammar.follows(position, Class::Article) {
        footing = Footing::Certain;
    }
    Some(Anchor::fixed(Period::months(start, 1, 120)?, None, at + 1).with(footing))
}

/// "summer 2023", "the winter of 2023".
pub(super) fn season(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let season = u8::try_from(grammar.value(position, Class::Season)?).ok()?;
    let end = grammar.skip(position + 1, Class::Term);
    named(grammar, Yearly::Season(season), end, Footing::Ordinary)
}

/// The year after a month, a quarter or another part of a year, with the position after it.
pub(super) fn year_behind(grammar: &Grammar<'_>, position: usize) -> Option<(YearNamed, usize)> {
    if grammar.mark(position, &[",", "-"]) {
        return grammar.year(position + 1).map(|year| (YearNamed::Calendar(year), position + 2));
    }
    if grammar.mark(position, APOSTROPHES) {
        let year = grammar.short_year(position + 1)?;
        return Some((YearNamed::Calendar(year), position + 2));
    }
    let at = grammar.skip(grammar.skip(position, Class::Link), Class::Article);
    if let Some((year, end)) = fiscal::year_named(grammar, at) {
        return Some((YearNamed::Fiscal(year), end));
    }
    if let Some(direction) = grammar.value(at, Class::Direction)
        && grammar.unit(at + 1) == Some(Unit::Year)
    {
        let year = grammar.today.year().checked_add(i16::try_from(direction.signum()).ok()?)?;
        return Some((YearNamed::Calendar(year), at + 2));
    }
    let said = grammar.unit(at) == Some(Unit::Year);
    let at = if said { grammar.skip(at + 1, Class::Link) } else { at };
    grammar.year(at).map(|year| (YearNamed::Calendar(year), at + 1))
}

/// A yearly period with the year after it; without a year, an anchor with this footing.
fn named(grammar: &Grammar<'_>, yearly: Yearly, end: usize, footing: Footing) -> Option<Anchor> {
    let anchor = in_year_said(grammar, yearly, end)?;
    Some(if anchor.year_assumed { anchor.with(footing) } else { anchor })
}

/// A yearly period with the year after it, or without a year; `None` if the year has no such day.
fn in_year_said(grammar: &Grammar<'_>, yearly: Yearly, end: usize) -> Option<Anchor> {
    let anchor = Anchor::yearly(yearly, end);
    match year_behind(grammar, end) {
        Some((year, end)) => Some(Anchor::fixed(year.period(grammar, yearly)?, anchor.grain, end)),
        None => yearly.latest(grammar).map(|_| anchor),
    }
}

fn days(
    grammar: &Grammar<'_>,
    position: usize,
    month: u8,
    (first, first_end): (u8, usize),
) -> Option<Anchor> {
    let (last, end) = until_day(grammar, position, first_end)
        .filter(|(_, end)| grammar.month(*end).is_none())
        .unwrap_or((first, first_end));
    let anchor = in_year_said(grammar, Yearly::Days { month, first, last }, end)?;
    Some(Anchor { stretch: first != last, ..anchor })
}

/// The end of a range of days: "5–10" or "5 to 10".
fn until_day(grammar: &Grammar<'_>, start: usize, position: usize) -> Option<(u8, usize)> {
    let bound = start.checked_sub(1).is_some_and(|before| grammar.word(before, "between"));
    (grammar.mark(position, DASHES)
        || grammar.is(position, Class::Connector)
        || bound && grammar.word(position, "and"))
    .then(|| grammar.day_of_month(position + 1))
    .flatten()
}

fn is_midnight(clock: &str) -> bool {
    !clock.contains(|mark: char| mark.is_ascii_digit() && mark != '0')
}

/// Whether a month and a day precede; a year after a day that is not a valid date does not count as a year.
fn follows_day(grammar: &Grammar<'_>, position: usize) -> bool {
    let comma = position.checked_sub(1).is_some_and(|before| grammar.mark(before, &[","]));
    position.checked_sub(2 + usize::from(comma)).is_some_and(|month| {
        grammar.month(month).is_some() && grammar.day_of_month(month + 1).is_some()
    })
}

/// Position after a weekday that precedes a date.
fn after_weekday(grammar: &Grammar<'_>, position: usize) -> usize {
    let weekday =
        grammar.is(position, Class::Weekday) || grammar.is(position, Class::WeekdayOrdinary);
    if !weekday {
        return position;
    }
    position + 1 + usize::from(grammar.mark(position + 1, &[",", "."]))
}

/// An ordinal up to `count`, or "last" for `count` itself.
fn which(grammar: &Grammar<'_>, position: usize, count: u8) -> Option<(u8, usize)> {
    if grammar.value(position, Class::Direction) == Some(-1) {
        return Some((count, position + 1));
    }
    let (ordinal, end) = grammar.ordinal(position)?;
    let ordinal = u8::try_from(ordinal).ok()?;
    (1..=count).contains(&ordinal).then_some((ordinal, end))
}

/// The number of "q2" or "h1".
fn numbered(text: &str, letter: char, count: u8) -> Option<u8> {
    let number = text.strip_prefix(letter).filter(|digits| digits.len() == 1)?.parse().ok()?;
    (1..=count).contains(&number).then_some(number)
}
