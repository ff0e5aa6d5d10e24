//! Time expressions: phrases of a question as calendar ranges.
//!
//! Conventions, following those of common temporal taggers:
//! - Weeks start on Monday. "Last week", "last month" and "previous quarter" are the calendar period before the current
//!   one; "this year" is the whole year, and "year to date" ends today.
//! - "Last N days", weeks, months, quarters or years are rolling: N units up to and including today. "Next N days" are
//!   N units from today on. "Last N full months" are calendar months before the current one.
//! - "Past month" and "the last month" are rolling like "last 1 month", with the calendar period as the alternative
//!   reading; for quarters it is the other way round.
//! - "N days ago" is that day, "N months ago" the calendar month that contains it; as a bound of a range it is the day.
//! - "Since" and "from" start at the beginning of the period, "after" at its end; "before" ends at its beginning,
//!   "until", "through" and "by" at its end. "From 2023" has the year itself as the alternative reading.
//! - A month, quarter, season or day without a year is the latest that has begun.
//! - "05/01/2023" is read month first, with the other order as the alternative reading; "1.5.2023" is read day first.
//! - A fiscal year is numbered by the calendar year it ends in.
//! - Seasons are the meteorological ones of the northern hemisphere; "winter 2023" ends in 2024.

mod absolute;
mod anchor;
mod calendar;
mod composed;
mod fiscal;
mod grammar;
mod lexicon;
mod plain;
mod recurring;
mod relation;
mod relative;

use std::ops::Range;

use anchor::Footing;
use grammar::Grammar;
use lexicon::Class;
use relation::Reading;
pub use relation::TimeKind;

use super::piece::pieces;
use super::{Span, Token};
use crate::day::{self, Date, plus_days};
use crate::intent::{DateRange, TimeGrain};

/// A time expression in a question.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TimeMention {
    /// Span in the question, including its prepositions.
    pub span: Span,
    /// Indices of the tokens in the expression.
    pub tokens: Range<usize>,
    /// The days that the expression denotes.
    pub range: DateRange,
    /// Kind of the time expression.
    pub kind: TimeKind,
    /// The days in words, both ends inclusive ("from 2026-10-22 to 2026-11-20").
    pub description: String,
    /// The unit of the expression.
    pub grain_hint: Option<TimeGrain>,
    /// An alternative reading, worth a clarification if the difference matters.
    pub rival: Option<DateRange>,
    /// Whether the phrase may not be a time, such as a number that looks like a year.
    pub weak: bool,
    /// Whether no year was stated and the latest one was assumed.
    pub year_assumed: bool,
    /// The days of the week that recur ("on Mondays"), bit 0 for Monday; the range is open then, and 0 is none.
    pub weekdays: u8,
}

/// Time expressions in question order, the longest at each position.
///
/// `today` is the day on which the question is asked; `fiscal_year_start` is a month from 1 to 12, any other value
/// counts as 1. Vague expressions ("early 2023"), offsets from another day ("2 days
/// before Saturday") and comparisons ("same month last year", "year over year") are skipped.
pub fn time_expressions(tokens: &[Token], today: Date, fiscal_year_start: u8) -> Vec<TimeMention> {
    let pieces = pieces(tokens);
    let grammar = Grammar::new(&pieces, today, fiscal_year_start);
    let mut mentions: Vec<TimeMention> = Vec::new();
    let mut firm_end = None;
    let mut position = 0;
    while position < pieces.len() {
        let days =
            if pieces[position].first { recurring::reading(&grammar, position) } else { None };
        if let Some((days, end)) = days.filter(|(_, end)| pieces[end - 1].last) {
            mentions.push(recurring_mention(tokens, &grammar, position..end, days));
            position = end;
            continue;
        }
        let found =
            if pieces[position].first { relation::reading(&grammar, position) } else { None };
        let Some(reading) = found.filter(|reading| pieces[reading.end - 1].last) else {
            position += 1;
            continue;
        };
        let linked = position >= 1
            && firm_end == Some(position - 1)
            && (grammar.is(position - 1, Class::List) || grammar.mark(position - 1, &[",", "&"]));
        let next = reading.end;
        let read = if is_another_meaning(&grammar, position) {
            None
        } else {
            weakness(&grammar, position, &reading, linked)
        };
        match read {
            Some(weak) => {
                firm_end = (!weak).then_some(next);
                mentions.push(mention(tokens, &grammar, position, reading, weak));
                position = next;
            }
            None if reading.footing == Footing::Ordinary => position += 1,
            None => position = next,
        }
    }
    mentions
}

/// Whether the preceding words give the expression another meaning.
fn is_another_meaning(grammar: &Grammar<'_>, position: usize) -> bool {
    let same = position >= 2
        && grammar.word(position - 2, "same")
        && !grammar.is(position - 1, Class::Link);
    let offset = (grammar.word(position, "after") || grammar.word(position, "before"))
        && (2..=4).any(|back| {
            let start = position.checked_sub(back);
            let length = start.and_then(|start| grammar.length(start, true));
            length.is_some_and(|(_, _, end)| end == position)
        });
    same || offset
        || is_part_of_period(grammar, position)
        || grammar.follows(position, Class::Recurring)
}

/// Whether the preceding word takes a part of the period: "early 2023". "Shipped late last month" does not, since
/// "late" belongs to the verb there, unlike in "from late last month".
fn is_part_of_period(grammar: &Grammar<'_>, position: usize) -> bool {
    let named = position >= 2
        && (grammar.word(position - 2, "from")
            || grammar.is(position - 2, Class::Preposition)
            || grammar.is(position - 2, Class::Link));
    // "Shipped late in 2017": what was done was late.
    let done = position >= 2
        && grammar.word(position - 1, "late")
        && grammar.pieces[position - 2].text.ends_with("ed");
    grammar.follows(position, Class::Vague)
        && !done
        && (named || position < 2 || !grammar.is(position, Class::Direction))
}

/// Whether the reading is weak; `None` if the words do not denote a time.
fn weakness(
    grammar: &Grammar<'_>,
    position: usize,
    reading: &Reading,
    linked: bool,
) -> Option<bool> {
    let supported = reading.supported || linked;
    match reading.footing {
        Footing::Certain => Some(false),
        Footing::Bare => Some(!supported),
        Footing::Ordinary if supported => Some(false),
        Footing::Ordinary => {
            let starts = position == 0 || grammar.mark(position - 1, &[".", "?", "!", ":"]);
            (grammar.pieces[position].title_case && !starts).then_some(true)
        }
        Footing::Bound => None,
    }
}

fn mention(
    tokens: &[Token],
    grammar: &Grammar<'_>,
    position: usize,
    reading: Reading,
    weak: bool,
) -> TimeMention {
    let pieces = grammar.pieces;
    let range = pieces[position].token..pieces[reading.end - 1].token + 1;
    TimeMention {
        span: tokens[range.start].span.union(tokens[range.end - 1].span),
        tokens: range,
        description: describe(&reading),
        range: DateRange { start: reading.start.map(day::text), end: reading.until.map(day::text) },
        kind: reading.kind,
        grain_hint: reading.grain,
        rival: reading.rival,
        weak,
        year_assumed: reading.year_assumed,
        weekdays: 0,
    }
}

fn recurring_mention(
    tokens: &[Token],
    grammar: &Grammar<'_>,
    read: Range<usize>,
    weekdays: u8,
) -> TimeMention {
    let range = grammar.pieces[read.start].token..grammar.pieces[read.end - 1].token + 1;
    TimeMention {
        span: tokens[range.start].span.union(tokens[range.end - 1].span),
        tokens: range,
        description: weekday_words(weekdays),
        range: DateRange::default(),
        kind: TimeKind::Period,
        grain_hint: None,
        rival: None,
        weak: false,
        year_assumed: false,
        weekdays,
    }
}

/// "on a Saturday", "on a weekend", "from Monday to Friday"; bit 0 is Monday.
pub(crate) fn weekday_words(days: u8) -> String {
    const NAMES: [&str; 7] =
        ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let named = NAMES.iter().enumerate().filter(|(bit, _)| days & 1 << bit != 0);
    let named: Vec<String> = named.map(|(_, name)| format!("a {name}")).collect();
    format!("on {}", wherefore_english::or_list(&named))
}

fn describe(reading: &Reading) -> String {
    let last = reading.until.and_then(|end| plus_days(end, -1));
    let days = match (reading.start, last) {
        (Some(start), Some(last)) if start == last => format!("on {start}"),
        (Some(start), Some(last)) => format!("from {start} to {last}"),
        (Some(start), None) => format!("from {start} on"),
        (None, Some(last)) => format!("up to {last}"),
        (None, None) => String::new(),
    };
    if reading.month_first { format!("{days} (month first)") } else { days }
}
