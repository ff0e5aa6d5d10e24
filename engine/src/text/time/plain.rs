//! Plain anchors: those that contain no other anchor.

use super::anchor::Anchor;
use super::grammar::Grammar;
use super::lexicon::Class;
use super::{absolute, fiscal, relative};

/// A grammar rule: the anchor at a position, if the rule matches.
pub(super) type Rule = fn(&Grammar<'_>, usize) -> Option<Anchor>;

const PLAIN: &[Rule] = &[
    absolute::date_in_digits,
    absolute::month_and_day,
    absolute::day_and_month,
    absolute::month,
    absolute::year,
    absolute::quarter,
    absolute::half,
    absolute::decade,
    absolute::season,
    fiscal::year,
    fiscal::relative,
    relative::day,
    relative::direction_unit,
    relative::direction_length,
    relative::ago,
    relative::to_date,
    relative::weekday,
    relative::direction_name,
];

/// The longest anchor at a position that contains no other anchor.
pub(super) fn plain(grammar: &Grammar<'_>, position: usize) -> Option<Anchor> {
    longest(grammar, position, PLAIN)
}

/// The longest anchor that these rules find at a position, with or without an article before it.
pub(super) fn longest(grammar: &Grammar<'_>, position: usize, rules: &[Rule]) -> Option<Anchor> {
    let at = |position| {
        rules
            .iter()
            .filter_map(|rule| rule(grammar, position))
            .reduce(|best, other| if other.end > best.end { other } else { best })
    };
    let here = at(position);
    if grammar.is(position, Class::Article) { longer(here, at(position + 1)) } else { here }
}

/// The longer of two anchors; the first if they have the same length.
pub(super) fn longer(first: Option<Anchor>, second: Option<Anchor>) -> Option<Anchor> {
    match (first, second) {
        (Some(first), Some(second)) => Some(if second.end > first.end { second } else { first }),
        (first, second) => first.or(second),
    }
}
