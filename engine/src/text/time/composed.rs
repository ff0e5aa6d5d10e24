//! Composed anchors, derived from plain ones: the first or last day, a part, or the enclosing period.

use super::anchor::Anchor;
use super::calendar::{Period, Unit};
use super::grammar::Grammar;
use super::lexicon::Class;
use super::plain::{Rule, longer, longest, plain};
use crate::day::plus_days;
use crate::intent::TimeGrain;

const COMPOSED: &[Rule] = &[bound, part, holding];

/// The longest anchor at a position, with or without other anchors inside it.
pub(super) fn anchor(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let composed = longest(grammar, position, COMPOSED);
    longer(plain(grammar, position), composed)
}

/// "the end of May", "the beginning of the year".
fn bound(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let closing = grammar.value(position, Class::Edge)? == 1;
    if !grammar.is(position + 1, Class::Link) {
        return None;
    }
    let (of, end) = whole(grammar, position + 2)?;
    let day = if closing { of.last_day()? } else { of.start };
    Some(Anchor::fixed(Period::day(day)?, Some(TimeGrain::Day), end).relative())
}

/// "the first week of May", "the last 3 months of 2023", "the second month of last quarter".
fn part(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let (skipped, closing, mut at) = if grammar.value(position, Class::Direction) == Some(-1) {
        (0, true, position + 1)
    } else {
        let (ordinal, end) = grammar.ordinal(position)?;
        (
            i64::from(ordinal).checked_sub(1).filter(|skipped| (0..400).contains(skipped))?,
            false,
            end,
        )
    };
    let mut count = 1;
    if let Some((said, end)) = grammar.count(at).filter(|_| skipped == 0) {
        (count, at) = (said, end);
    }
    let unit = grammar.unit(at)?;
    if !grammar.is(at + 1, Class::Link) || count < 1 {
        return None;
    }
    let (of, end) = whole(grammar, at + 2)?;
    let period = if closing {
        Period::new(unit.later(of.end, -count)?, of.end)?
    } else {
        let start = unit.later(of.start, skipped)?;
        Period::new(start, unit.later(start, count)?)?
    };
    let inside = of.start <= period.start && period.end <= of.end;
    inside.then(|| Anchor { stretch: true, ..Anchor::fixed(period, unit.grain(), end) })
}

/// "the week of May 5", "the month of May 2023".
fn holding(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    let unit = grammar.unit(position)?;
    if !grammar.is(position + 1, Class::Link) {
        return None;
    }
    let inner = plain(grammar, position + 2)?;
    let within = inner.period(grammar)?;
    let period = unit.containing(within.start)?;
    let holds = within.end <= period.end && unit != Unit::Day;
    holds.then(|| Anchor {
        year_assumed: inner.year_assumed,
        relative: inner.relative,
        ..Anchor::fixed(period, unit.grain(), inner.end)
    })
}

/// The period of an anchor, or the current period for "the year".
fn whole(grammar: &Grammar<'_>, position: usize) -> Option<(Period, usize)> {
    if let Some(anchor) = plain(grammar, position) {
        return Some((anchor.period(grammar)?, anchor.end));
    }
    let unit = grammar.unit(position + 1).filter(|_| grammar.is(position, Class::Article))?;
    let last = plus_days(unit.containing(grammar.today)?.end, -1)?;
    Some((unit.containing(last)?, position + 2))
}
