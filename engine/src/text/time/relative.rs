//! Days, weekdays and periods relative to today.

use super::anchor::{Anchor, Footing, Yearly};
use super::calendar::{Period, Unit};
use super::grammar::Grammar;
use super::lexicon::Class;
use crate::day::{Date, plus_days};
use crate::intent::TimeGrain;

const LAST: i32 = -1;
const PAST: i32 = -2;
const PREVIOUS: i32 = -3;
const THIS: i32 = 0;

/// "today", "yesterday morning", "the day before yesterday", "this morning", "last night"; "now" as a bound.
pub(super) fn day(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let on = |offset: i32, end: usize| {
        let period = Period::day(plus_days(grammar.today, i64::from(offset))?)?;
        Some(Anchor::fixed(period, Some(TimeGrain::Day), end).relative())
    };
    if let Some(offset) = grammar.value(position, Class::Day) {
        return on(offset, grammar.skip(position + 1, Class::DayPart));
    }
    if grammar.is(position, Class::Now) {
        return on(0, position + 1).map(|anchor| anchor.with(Footing::Bound));
    }
    if grammar.unit(position) == Some(Unit::Day)
        && let Some(offset) = grammar.value(position + 2, Class::Day)
    {
        if offset < 0 && grammar.word(position + 1, "before") {
            return on(offset - 1, position + 3);
        }
        if offset > 0 && grammar.word(position + 1, "after") {
            return on(offset + 1, position + 3);
        }
    }
    let direction = grammar.value(position, Class::Direction)?;
    let part = grammar.is(position + 1, Class::DayPart) && matches!(direction, THIS | LAST);
    part.then(|| on(direction, position + 2))?
}

/// "this week", "last month", "past year", "the last year".
pub(super) fn direction_unit(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let article = grammar.is(position, Class::Article);
    let at = grammar.skip(position, Class::Article);
    let direction = grammar.value(at, Class::Direction)?;
    let unit_at = grammar.skip(at + 1, Class::Whole);
    let whole = unit_at > at + 1;
    let unit =
        grammar.unit(unit_at).filter(|_| !grammar.text(unit_at).unwrap_or("s").ends_with('s'))?;
    let end = unit_at + 1;
    let of_something = direction != THIS && grammar.word(end, "of");
    let footing = if of_something { Footing::Bare } else { Footing::Certain };
    let anchor = |period| Anchor::fixed(period, unit.grain(), end).relative().with(footing);
    let neighbour = || {
        let current = unit.containing(grammar.today)?;
        unit.containing(unit.later(current.start, i64::from(direction.signum()))?)
    };
    let back = || rolling(grammar, unit, 1);
    Some(match unit {
        Unit::Day => match direction {
            THIS => anchor(Period::day(grammar.today)?),
            PREVIOUS => anchor(Period::day(plus_days(grammar.today, -1)?)?),
            _ => return None,
        },
        Unit::Fortnight => match direction {
            THIS => return None,
            1 => anchor(Period::new(grammar.today, unit.later(grammar.today, 1)?)?),
            _ => anchor(back()?),
        },
        Unit::Week | Unit::Month | Unit::Year
            if !whole && (direction == PAST || direction == LAST && article) =>
        {
            Anchor { rival: neighbour(), ..anchor(back()?) }
        }
        Unit::Quarter if !whole && (direction == PAST || direction == LAST && article) => {
            Anchor { rival: back(), ..anchor(neighbour()?) }
        }
        _ => anchor(neighbour()?),
    })
}

/// "last 30 days", "the past two weeks", "next 3 months", "last 3 full months", "last 30-day period".
pub(super) fn direction_length(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let direction = grammar.value(position, Class::Direction).filter(|value| *value != THIS)?;
    let dash = usize::from(grammar.mark(position + 1, &["-"]));
    let count_at = grammar.skip(position + 1 + dash, Class::Whole);
    let (count, unit, end) = grammar.length(count_at, false)?;
    let whole = count_at > position + 1 + dash
        || end.checked_sub(2).is_some_and(|before| grammar.is(before, Class::Whole));
    let end = grammar.skip(end, Class::Window);
    if unit == Unit::Weekend {
        return None;
    }
    let current = unit.containing(grammar.today)?;
    let period = match (direction > 0, whole) {
        (false, false) => rolling(grammar, unit, count)?,
        (false, true) => Period::new(unit.later(current.start, -count)?, current.start)?,
        (true, false) => Period::new(grammar.today, unit.later(grammar.today, count)?)?,
        (true, true) => Period::new(current.end, unit.later(current.end, count)?)?,
    };
    Some(Anchor { stretch: true, ..Anchor::fixed(period, unit.grain(), end).relative() })
}

/// "3 days ago", "a year ago", "two weeks from now".
pub(super) fn ago(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let (count, unit, end) = grammar.length(position, true)?;
    let (count, end) = if grammar.is(end, Class::Ago) {
        (-count, end + 1)
    } else {
        let today =
            grammar.is(end + 1, Class::Now) || grammar.value(end + 1, Class::Day) == Some(0);
        match (grammar.word(end, "from"), grammar.word(end, "before")) {
            (true, _) if today => (count, end + 2),
            (_, true) if today => (-count, end + 2),
            _ => return None,
        }
    };
    let exact = unit.later(grammar.today, count)?;
    let anchor = Anchor::fixed(unit.containing(exact)?, unit.grain(), end).relative();
    Some(Anchor { exact: Some(exact), ..anchor })
}

/// "YTD", "year to date", "this year so far", "so far this year".
pub(super) fn to_date(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let so_far = |at: usize| grammar.word(at, "so") && grammar.word(at + 1, "far");
    let this = |at: usize| {
        let unit = grammar.unit(at + 1)?;
        (grammar.value(at, Class::Direction) == Some(THIS)).then_some(unit)
    };
    let (unit, end) = if let Some(value) = grammar.value(position, Class::ToDate) {
        (Unit::from_value(value)?, position + 1)
    } else if let Some(unit) = grammar.unit(position) {
        let said = grammar.word(position + 1, "to") && grammar.word(position + 2, "date");
        (said.then_some(unit)?, position + 3)
    } else if so_far(position) {
        (this(position + 2)?, position + 4)
    } else {
        let unit = this(position)?;
        let to_date = grammar.word(position + 2, "to") && grammar.word(position + 3, "date");
        ((so_far(position + 2) || to_date).then_some(unit)?, position + 4)
    };
    let period = Period::new(unit.containing(grammar.today)?.start, plus_days(grammar.today, 1)?)?;
    Some(Anchor { stretch: true, ..Anchor::fixed(period, unit.grain(), end).relative() })
}

/// "Monday", "last Monday", "next Friday", "Monday of last week".
pub(super) fn weekday(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let named = |at: usize| {
        grammar
            .value(at, Class::Weekday)
            .map(|day| (day, Footing::Bare))
            .or_else(|| Some((grammar.value(at, Class::WeekdayOrdinary)?, Footing::Ordinary)))
    };
    let on = |day: Date, end: usize| {
        Some(Anchor::fixed(Period::day(day)?, Some(TimeGrain::Day), end).relative())
    };
    let today = i64::from(grammar.today.weekday().to_monday_zero_offset());
    if let Some(direction) = grammar.value(position, Class::Direction) {
        let ahead = i64::from(named(position + 1)?.0) - today;
        let ahead = match direction {
            THIS => ahead,
            1 => (ahead - 1).rem_euclid(7) + 1,
            _ => ahead.rem_euclid(7) - 7,
        };
        return on(plus_days(grammar.today, ahead)?, position + 2);
    }
    let (day, footing) = named(position)?;
    let at = grammar.skip(position + 1, Class::Link);
    if let Some(direction) = grammar.value(at, Class::Direction)
        && grammar.unit(at + 1) == Some(Unit::Week)
    {
        let offset = i64::from(day) - today + 7 * i64::from(direction.signum());
        return on(plus_days(grammar.today, offset)?, at + 2);
    }
    let back = (i64::from(day) - today).rem_euclid(7);
    let back = if back == 0 { 0 } else { back - 7 };
    Some(on(plus_days(grammar.today, back)?, position + 1)?.with(footing))
}

/// "last May", "next summer", "this December".
pub(super) fn direction_name(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let direction = grammar.value(position, Class::Direction)?;
    let (yearly, end) = if let Some((month, _)) = grammar.month(position + 1) {
        (Yearly::Month(month), grammar.after_month(position + 1))
    } else {
        let season = grammar.value(position + 1, Class::Season)?;
        (Yearly::Season(u8::try_from(season).ok()?), position + 2)
    };
    let period = match direction {
        THIS => yearly.in_year(grammar.today.year())?,
        1 => yearly.upcoming(grammar)?,
        _ => yearly.latest_over(grammar)?,
    };
    let grain = Anchor::yearly(yearly, end).grain;
    Some(Anchor::fixed(period, grain, end).relative())
}

/// The last `count` units, up to and including today.
pub(super) fn rolling(grammar: &Grammar<'_>, unit: Unit, count: i64) -> Option<Period> {
    let start = plus_days(unit.later(grammar.today, count.checked_neg()?)?, 1)?;
    Period::new(start, plus_days(grammar.today, 1)?)
}
