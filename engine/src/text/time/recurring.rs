//! Days of the week that recur.
//!
//! Valid: "on a Saturday", "on Mondays", "on weekends", "at the weekend", "every Friday", "on Saturdays or Sundays".
//! Invalid: "on Saturday", which is one day, and "by weekday", which groups.

use super::grammar::Grammar;
use super::lexicon::Class;

/// Days of the week, one bit each; bit 0 is Monday.
pub(super) type Days = u8;

/// Saturday and Sunday.
const WEEKEND: Days = 0b110_0000;

/// The days that recur in an expression at a position, with the position after it.
pub(super) fn reading(grammar: &Grammar<'_>, position: usize) -> Option<(Days, usize)> {
    let every = grammar.word(position, "every") || grammar.word(position, "each");
    let led = every || grammar.word(position, "on") || grammar.word(position, "at");
    let (mut days, mut end) = led.then(|| named(grammar, position + 1, every))??;
    let joins = |at: usize| grammar.word(at, "and") || grammar.word(at, "or");
    while joins(end) || grammar.mark(end, &[","]) {
        let next = end + 1;
        let next = next + usize::from(joins(next));
        let next = next + usize::from(grammar.word(next, "on"));
        let Some((more, after)) = named(grammar, next, every) else { break };
        days |= more;
        end = after;
    }
    Some((days, end))
}

/// The days named at a position, with the position after them; a day in the singular needs an article, or `every`.
fn named(grammar: &Grammar<'_>, position: usize, every: bool) -> Option<(Days, usize)> {
    if let Some(days) = grammar.value(position, Class::Weekdays) {
        return Some((Days::try_from(days).ok()?, position + 1));
    }
    if grammar.word(position, "the") && grammar.word(position + 1, "weekend") {
        return Some((WEEKEND, position + 2));
    }
    let article = grammar.word(position, "a") || grammar.word(position, "any");
    let day = position + usize::from(article);
    if !article && !every {
        return None;
    }
    if grammar.word(day, "weekend") {
        return Some((WEEKEND, day + 1));
    }
    let value = grammar.value(day, Class::Weekday)?;
    Some((1 << u8::try_from(value).ok()?.min(6), day + 1))
}
