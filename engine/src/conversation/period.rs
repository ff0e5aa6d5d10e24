//! Periods of a follow-up that are told from the period of the earlier question.
//!
//! Behind "orders in March 2018": "the month before", "the previous month", "a year later", and "and in June?", which is
//! in the same year.

use super::turn::Turn;
use crate::data::CueWords;
use crate::day;
use crate::intent::{DateRange, TimeGrain};
use crate::linking::{Lexical, Mention};
use crate::reading::Part;
use crate::text::{TimeKind, TimeMention};

/// Gives the periods of a follow-up their days; whether any has changed.
pub(crate) fn told_from(words: &CueWords, turn: &mut Turn, earlier: &DateRange) -> bool {
    let neighbours = neighbours(words, turn, earlier);
    let years = turn.mentions.iter_mut().map(|mention| same_year(mention, earlier));
    years.fold(neighbours, |changed, moved| changed || moved)
}

/// "And in June?": in the year of the earlier period.
fn same_year(mention: &mut Mention, earlier: &DateRange) -> bool {
    let Some(time) = mention.time.as_mut().filter(|time| time.year_assumed) else { return false };
    let year = |date: &Option<String>| date.as_deref()?.get(..4)?.parse::<i64>().ok();
    let within =
        earlier.end.as_deref().and_then(day::parse).and_then(|end| day::plus_days(end, -1));
    let one = within.map(day::text).and_then(|last| year(&Some(last))) == year(&earlier.start);
    let (Some(own), Some(asked), true) = (year(&time.range.start), year(&earlier.start), one)
    else {
        return false;
    };
    let months = (asked - own) * 12;
    match moved(&time.range, months) {
        Some(range) if months != 0 => {
            time.range = range;
            time.rival = None;
            true
        }
        _ => false,
    }
}

/// "The month before", "the following year": a period beside the earlier one.
fn neighbours(words: &CueWords, turn: &mut Turn, earlier: &DateRange) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < turn.mentions.len() {
        if let Some((from, to, range, grain)) = neighbour(words, turn, at, earlier) {
            let last = turn.mentions[to].clone();
            let mention = &mut turn.mentions[from];
            mention.tokens.end = last.tokens.end;
            mention.span = mention.span.union(last.span);
            if from < to {
                let words: Vec<String> =
                    turn.mentions[from..=to].iter().map(|part| part.phrase.clone()).collect();
                turn.mentions[from].phrase = words.join(" ");
            }
            let mention = &mut turn.mentions[from];
            mention.readings.clear();
            mention.lexical.clear();
            mention.grain = None;
            mention.time = Some(TimeMention {
                span: mention.span,
                tokens: mention.tokens.clone(),
                description: String::new(),
                range,
                kind: TimeKind::Period,
                grain_hint: Some(grain),
                rival: None,
                weak: false,
                year_assumed: false,
                weekdays: 0,
            });
            turn.parts[from] = Part::Time;
            turn.mentions.drain(from + 1..=to);
            turn.parts.drain(from + 1..=to);
            at = from;
            changed = true;
        }
        at += 1;
    }
    changed
}

/// First and last mention of words for a period beside the earlier one, with the period.
fn neighbour(
    words: &CueWords,
    turn: &Turn,
    at: usize,
    earlier: &DateRange,
) -> Option<(usize, usize, DateRange, TimeGrain)> {
    let mention = &turn.mentions[at];
    let later = |position: usize, all: bool| {
        let phrase = turn.mentions.get(position)?.phrase.to_lowercase();
        let mut said = phrase.split(' ');
        let word = if all { Some(phrase.as_str()) } else { said.next_back() }?;
        words.neighbour(word)
    };
    let (from, to, grain, later) = if let Some(time) = &mention.time {
        let phrase = mention.phrase.to_lowercase();
        let later = phrase.split(' ').find_map(|word| words.neighbour(word))?;
        (at, at, time.grain_hint?, later)
    } else {
        let grain = mention.grain?;
        if let Some(later) = at.checked_sub(1).and_then(|before| later(before, false)) {
            (at - 1, at, grain, later)
        } else {
            let direction = later(at + 1, true)?;
            let that = turn.mentions.get(at + 2).is_some_and(|that| that.is(Lexical::Filler));
            (at, at + 1 + usize::from(that), grain, direction)
        }
    };
    let range = beside(earlier, grain, later)?;
    Some((from, to, range, grain))
}

/// The period of a length right before or behind another; the same part of the year before or behind where the other is
/// shorter.
fn beside(earlier: &DateRange, grain: TimeGrain, later: bool) -> Option<DateRange> {
    let months = match grain {
        TimeGrain::Year => 12,
        TimeGrain::Quarter => 3,
        TimeGrain::Month => 1,
        TimeGrain::Week | TimeGrain::Day => {
            let days = if grain == TimeGrain::Week { 7 } else { 1 };
            let start = day::parse(earlier.start.as_ref()?)?;
            let end = day::parse(earlier.end.as_ref()?)?;
            let (from, to) = if later {
                (end, day::plus_days(end, days)?)
            } else {
                (day::plus_days(start, -days)?, start)
            };
            return Some(DateRange { start: Some(day::text(from)), end: Some(day::text(to)) });
        }
        _ => return None,
    };
    let start = day::parse(earlier.start.as_ref()?)?;
    let end = day::parse(earlier.end.as_ref()?)?;
    if end <= day::plus_months(start, months)? {
        return moved(earlier, if later { months } else { -months });
    }
    let (from, to) = if later {
        (end, day::plus_months(end, months)?)
    } else {
        (day::plus_months(start, -months)?, start)
    };
    Some(DateRange { start: Some(day::text(from)), end: Some(day::text(to)) })
}

/// A range moved by months; none where its ends are no days.
pub(super) fn moved(range: &DateRange, months: i64) -> Option<DateRange> {
    let end = |date: &Option<String>| match date {
        Some(date) => day::plus_months(day::parse(date)?, months).map(|day| Some(day::text(day))),
        None => Some(None),
    };
    Some(DateRange { start: end(&range.start)?, end: end(&range.end)? })
}
