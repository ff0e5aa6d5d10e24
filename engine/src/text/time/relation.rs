//! The effect of phrases around anchors: bounds, ranges and ages.

use crate::day::{self, Date, plus_days};

use super::anchor::{Anchor, Footing, When};
use super::calendar::{Period, Unit};
use super::composed::anchor;
use super::grammar::Grammar;
use super::lexicon::{Class, Relation};
use crate::intent::{DateRange, TimeGrain};

/// Kind of a time expression.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum TimeKind {
    /// A named period: a week, a month, a quarter, a year.
    Period,
    /// A single day.
    Point,
    /// A rolling period, or a range with both ends stated.
    Range,
    /// A range without an end.
    Since,
    /// A range without a start.
    Until,
}

/// A complete reading of a time expression.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    pub(super) kind: TimeKind,
    pub(super) start: Option<Date>,
    pub(super) until: Option<Date>,
    pub(super) grain: Option<TimeGrain>,
    pub(super) footing: Footing,
    /// Whether the surrounding words indicate a time.
    pub(super) supported: bool,
    pub(super) rival: Option<DateRange>,
    pub(super) year_assumed: bool,
    pub(super) month_first: bool,
    /// Index of the piece after the expression.
    pub(super) end: usize,
}

const BOUNDS: &[Relation] = &[
    Relation::After,
    Relation::Before,
    Relation::By,
    Relation::From,
    Relation::Since,
    Relation::Until,
];
const OPENINGS: &[Relation] = &[Relation::From, Relation::Since];
const AGES: &[Relation] = &[
    Relation::AgeBefore,
    Relation::AgeWithin,
    Relation::AgoBefore,
    Relation::AgoLeast,
    Relation::AgoMost,
    Relation::AgoWithin,
];
const SUFFIXES: &[Relation] = &[Relation::SuffixSince, Relation::SuffixUntil];
const DASHES: &[&str] = &["-", "–", "—"];

/// The longest reading at a position.
pub(super) fn reading(grammar: &Grammar<'_>, position: usize) -> Option<Reading> {
    let rules: [fn(&Grammar<'_>, usize) -> Option<Reading>; 5] =
        [between, from_to, bounded, age, plain];
    rules
        .iter()
        .filter_map(|rule| rule(grammar, position))
        .reduce(|best, other| if other.end > best.end { other } else { best })
}

/// "between May and July", "between 5 and 10 May".
fn between(grammar: &Grammar<'_>, position: usize) -> Option<Reading> {
    if !grammar.word(position, "between") {
        return None;
    }
    let first = anchor(grammar, position + 1)?;
    let joined = grammar.word(first.end, "and") || connects(grammar, first.end);
    if let Some(second) = joined.then(|| anchor(grammar, first.end + 1)).flatten() {
        return range(grammar, &first, &second, true);
    }
    first.stretch.then(|| whole(grammar, &first)).flatten()
}

/// "from May to July", "since 2020 until 2022", "2021–2023", "in May through July".
fn from_to(grammar: &Grammar<'_>, position: usize) -> Option<Reading> {
    let opened = grammar.relations(position, OPENINGS).next();
    let start = opened.map_or_else(|| after_preposition(grammar, position).0, |(_, end)| end);
    let first = anchor(grammar, start)?;
    if !connects(grammar, first.end) {
        return None;
    }
    let up_to = usize::from(grammar.word(first.end, "up") && grammar.word(first.end + 1, "to"));
    let second = anchor(grammar, first.end + 1 + up_to)?;
    let reading = range(grammar, &first, &second, opened.is_some())?;
    let weekday = first.relative
        && second.relative
        && matches!(
            (first.footing, second.footing),
            (Footing::Bare | Footing::Ordinary, Footing::Bare | Footing::Ordinary)
        );
    let footing = if weekday && opened.is_none() { first.footing } else { Footing::Certain };
    Some(Reading { footing, ..reading })
}

/// "since 2025", "after last Monday", "by Q2", "from May on".
fn bounded(grammar: &Grammar<'_>, position: usize) -> Option<Reading> {
    grammar.relations(position, BOUNDS).find_map(|(relation, at)| {
        let anchor = anchor(grammar, at)?;
        let period = anchor.period(grammar)?;
        let reading = whole(grammar, &anchor)?;
        let since = |start| Reading {
            kind: TimeKind::Since,
            start: Some(start),
            until: None,
            rival: None,
            ..reading.clone()
        };
        let before = |end| Reading {
            kind: TimeKind::Until,
            start: None,
            until: Some(end),
            rival: None,
            ..reading.clone()
        };
        let rival = |bound: fn(&Period) -> DateRange| anchor.rival.as_ref().map(bound);
        let from_start =
            |period: &Period| DateRange { start: Some(day::text(period.start)), end: None };
        let bounded = match relation {
            Relation::Since => {
                Reading { rival: rival(from_start), ..since(anchor.exact.unwrap_or(period.start)) }
            }
            Relation::From => from(grammar, &anchor, period, &reading, since),
            Relation::After => {
                let start = anchor.exact.map_or(Some(period.end), |exact| plus_days(exact, 1))?;
                let rival =
                    rival(|period| DateRange { start: Some(day::text(period.end)), end: None });
                Reading { rival, ..since(start) }
            }
            Relation::Before => {
                let rival =
                    rival(|period| DateRange { start: None, end: Some(day::text(period.start)) });
                Reading { rival, ..before(anchor.exact.unwrap_or(period.start)) }
            }
            _ => {
                let end = anchor.exact.map_or(Some(period.end), |exact| plus_days(exact, 1))?;
                let rival =
                    rival(|period| DateRange { start: None, end: Some(day::text(period.end)) });
                // "Through 2025" may also mean all of that year.
                let through = anchor.exact.is_none() && grammar.word(position, "through");
                let all = through.then(|| DateRange {
                    start: Some(day::text(period.start)),
                    end: Some(day::text(period.end)),
                });
                Reading { rival: rival.or(all), ..before(end) }
            }
        };
        let named = relation == Relation::By && matches!(anchor.when, When::Yearly(_));
        let footing = match anchor.footing {
            Footing::Bare | Footing::Ordinary if named => Footing::Bare,
            _ => Footing::Certain,
        };
        Some(Reading { footing, supported: !named, ..bounded })
    })
}

/// "from" starts an open range if "on" follows or a day is named; "from last month" denotes the month itself, and "from
/// 2023" the year itself, with the open range as the alternative reading.
fn from(
    grammar: &Grammar<'_>,
    anchor: &Anchor,
    period: Period,
    reading: &Reading,
    since: impl Fn(Date) -> Reading,
) -> Reading {
    let open = || since(anchor.exact.unwrap_or(period.start));
    if let Some((Relation::SuffixSince, end)) = grammar.relations(anchor.end, SUFFIXES).next() {
        return Reading { end, ..open() };
    }
    if grammar.word(anchor.end, "on") {
        return Reading { end: anchor.end + 1, ..open() };
    }
    if anchor.stretch || anchor.relative && anchor.exact.is_none() {
        return reading.clone();
    }
    if plus_days(period.start, 1) == Some(period.end) {
        return Reading { rival: Some(period.range()), ..open() };
    }
    let onwards = DateRange { start: Some(day::text(period.start)), end: None };
    Reading { rival: Some(onwards), supported: true, ..reading.clone() }
}

/// "older than 30 days", "more than 60 days ago", "within 2 weeks".
fn age(grammar: &Grammar<'_>, position: usize) -> Option<Reading> {
    grammar.relations(position, AGES).find_map(|(relation, at)| {
        let (count, unit, end) = grammar.length(at, true)?;
        let needs_ago = !matches!(relation, Relation::AgeBefore | Relation::AgeWithin);
        let old = needs_ago && grammar.word(end, "old");
        let ago = grammar.is(end, Class::Ago) || old;
        let elsewhere = grammar.relations(end, &[Relation::Elsewhere]).next().is_some();
        if !ago && (needs_ago || elsewhere) {
            return None;
        }
        let day = unit.later(grammar.today, -count).filter(|_| unit != Unit::Weekend)?;
        let tomorrow = plus_days(grammar.today, 1)?;
        let (kind, start, until) = match relation {
            Relation::AgeBefore | Relation::AgoBefore => (TimeKind::Until, None, Some(day)),
            Relation::AgoLeast => (TimeKind::Until, None, Some(plus_days(day, 1)?)),
            Relation::AgoMost => (TimeKind::Range, Some(day), Some(tomorrow)),
            _ => (TimeKind::Range, Some(plus_days(day, 1)?), Some(tomorrow)),
        };
        let years_of_age = unit == Unit::Year && (old || relation == Relation::AgeBefore);
        Some(Reading {
            kind,
            start,
            until,
            grain: unit.grain(),
            footing: if years_of_age { Footing::Bare } else { Footing::Certain },
            supported: !years_of_age,
            rival: None,
            year_assumed: false,
            month_first: false,
            end: end + usize::from(ago),
        })
    })
}

/// An anchor with or without a preposition, and with or without a following "onwards" or "or earlier".
fn plain(grammar: &Grammar<'_>, position: usize) -> Option<Reading> {
    let (at, supported) = after_preposition(grammar, position);
    let anchor = anchor(grammar, at)?;
    if at > position && !supported && anchor.footing != Footing::Certain {
        return None;
    }
    let reading = Reading { supported, ..whole(grammar, &anchor)? };
    let Some((relation, end)) = grammar.relations(anchor.end, SUFFIXES).next() else {
        return Some(reading);
    };
    let period = anchor.period(grammar)?;
    let open = Reading { supported: true, rival: None, end, ..reading };
    Some(if relation == Relation::SuffixSince {
        Reading { kind: TimeKind::Since, start: Some(period.start), until: None, ..open }
    } else {
        Reading { kind: TimeKind::Until, start: None, until: Some(period.end), ..open }
    })
}

/// The complete period of an anchor.
fn whole(grammar: &Grammar<'_>, anchor: &Anchor) -> Option<Reading> {
    let period = anchor.period(grammar)?;
    let single = plus_days(period.start, 1) == Some(period.end);
    let rolling = anchor.stretch || anchor.rival.is_some() && anchor.relative;
    let kind = match (single, rolling) {
        (true, _) => TimeKind::Point,
        (_, true) => TimeKind::Range,
        _ => TimeKind::Period,
    };
    Some(Reading {
        kind,
        start: Some(period.start),
        until: Some(period.end),
        grain: anchor.grain,
        footing: anchor.footing,
        supported: true,
        rival: anchor.rival.map(Period::range),
        year_assumed: anchor.year_assumed,
        month_first: anchor.is_month_first(),
        end: anchor.end,
    })
}

/// The range from the start of one anchor to the end of another. If they are in reverse order, they are swapped only if
/// the words clearly indicate a range.
fn range(grammar: &Grammar<'_>, first: &Anchor, second: &Anchor, said: bool) -> Option<Reading> {
    let (from, to) = pair(grammar, first, second)?;
    let start = first.exact.unwrap_or(from.start);
    let end = second.exact.map_or(Some(to.end), |exact| plus_days(exact, 1))?;
    let (start, until) = match (from.start <= to.start, said) {
        (true, _) => (start, end),
        (false, true) => (second.exact.unwrap_or(to.start), from.end),
        (false, false) => return None,
    };
    if start >= until {
        return None;
    }
    Some(Reading {
        kind: TimeKind::Range,
        start: Some(start),
        until: Some(until),
        rival: None,
        year_assumed: first.year_assumed && second.year_assumed,
        month_first: first.is_month_first() || second.is_month_first(),
        footing: Footing::Certain,
        end: second.end,
        ..whole(grammar, first)?
    })
}

/// The periods of two bounds; a bound without a year gets the year that keeps them in order.
fn pair(grammar: &Grammar<'_>, first: &Anchor, second: &Anchor) -> Option<(Period, Period)> {
    match (first.when, second.when) {
        (When::Fixed(from), When::Fixed(to)) => Some((from, to)),
        (When::Fixed(from), When::Yearly(to)) => {
            Some((from, to.first_from(from.start.year(), |period| period.start >= from.start)?))
        }
        (When::Yearly(from), When::Fixed(to)) => {
            let year = to.start.year();
            let found = (0..9)
                .filter_map(|offset| from.in_year(year.checked_sub(offset)?))
                .find(|period| period.start <= to.start)?;
            Some((found, to))
        }
        (When::Yearly(from), When::Yearly(to)) => {
            let following = |start: Period| {
                to.first_from(start.start.year(), |period| period.start >= start.start)
                    .map(|end| (start, end))
            };
            let (start, end) = following(from.latest(grammar)?)?;
            if end.start > grammar.today && end.start.year() > start.start.year() {
                let earlier = (1..9)
                    .find_map(|offset| from.in_year(start.start.year().checked_sub(offset)?))?;
                return following(earlier);
            }
            Some((start, end))
        }
    }
}

fn connects(grammar: &Grammar<'_>, position: usize) -> bool {
    grammar.is(position, Class::Connector)
        || grammar.mark(position, DASHES)
        || grammar.word(position, "up") && grammar.word(position + 1, "to")
}

/// Position after a preposition, and whether it indicates a time.
fn after_preposition(grammar: &Grammar<'_>, position: usize) -> (usize, bool) {
    match grammar.value(position, Class::Preposition) {
        Some(value) => (grammar.skip(position + 1, Class::Distributive), value == 1),
        None => (position, false),
    }
}
