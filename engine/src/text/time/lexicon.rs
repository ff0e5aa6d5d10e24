//! Words and phrases of the time grammar.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::order;

/// Word classes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Class {
    Ago,
    Amount,
    Article,
    Connector,
    Day,
    DayPart,
    Decade,
    Direction,
    Distributive,
    Edge,
    Fiscal,
    FiscalToDate,
    Link,
    List,
    Month,
    MonthOrdinary,
    Now,
    Preposition,
    Recurring,
    Season,
    Term,
    ToDate,
    Unit,
    Vague,
    Weekday,
    Weekdays,
    WeekdayOrdinary,
    Whole,
    Window,
}

/// The effect of a phrase next to a time expression.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Relation {
    After,
    AgeBefore,
    AgeWithin,
    AgoBefore,
    AgoLeast,
    AgoMost,
    AgoWithin,
    Before,
    By,
    Elsewhere,
    From,
    Since,
    SuffixSince,
    SuffixUntil,
    Until,
}

/// A phrase, split into words.
#[derive(Debug)]
pub(super) struct Phrase {
    pub(super) relation: Relation,
    pub(super) words: Vec<&'static str>,
}

/// The classes of a word, with their values.
pub(super) fn classes(word: &str) -> &'static [(Class, i32)] {
    WORDS.get(word).map_or(&[], Vec::as_slice)
}

/// Phrases that start with a word, longest first.
pub(super) fn phrases(word: &str) -> &'static [Phrase] {
    PHRASES.get(word).map_or(&[], Vec::as_slice)
}

static WORDS: LazyLock<BTreeMap<&'static str, Vec<(Class, i32)>>> = LazyLock::new(|| {
    let mut words: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in crate::text::words::lines(include_str!("../../../data/text/time_words.txt")) {
        let mut fields = line.split_whitespace();
        if let (Some(word), Some(class), Some(value)) =
            (fields.next(), fields.next(), fields.next())
            && let (Some(class), Ok(value)) = (class_named(class), value.parse())
        {
            words.entry(word).or_default().push((class, value));
        }
    }
    words
});

static PHRASES: LazyLock<BTreeMap<&'static str, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: BTreeMap<_, Vec<Phrase>> = BTreeMap::new();
    for line in crate::text::words::lines(include_str!("../../../data/text/time_phrases.txt")) {
        let mut fields = line.split_whitespace();
        if let Some(relation) = fields.next().and_then(relation_named) {
            let words: Vec<_> = fields.collect();
            if let Some(first) = words.first() {
                phrases.entry(*first).or_default().push(Phrase { relation, words });
            }
        }
    }
    for group in phrases.values_mut() {
        order::by_key(group, |phrase| std::cmp::Reverse(phrase.words.len()));
    }
    phrases
});

fn class_named(name: &str) -> Option<Class> {
    Some(match name {
        "ago" => Class::Ago,
        "amount" => Class::Amount,
        "article" => Class::Article,
        "connector" => Class::Connector,
        "day" => Class::Day,
        "daypart" => Class::DayPart,
        "decade" => Class::Decade,
        "direction" => Class::Direction,
        "distributive" => Class::Distributive,
        "edge" => Class::Edge,
        "fiscal" => Class::Fiscal,
        "fiscaltodate" => Class::FiscalToDate,
        "link" => Class::Link,
        "list" => Class::List,
        "month" => Class::Month,
        "month-ordinary" => Class::MonthOrdinary,
        "now" => Class::Now,
        "preposition" => Class::Preposition,
        "recurring" => Class::Recurring,
        "season" => Class::Season,
        "term" => Class::Term,
        "todate" => Class::ToDate,
        "unit" => Class::Unit,
        "vague" => Class::Vague,
        "weekday" => Class::Weekday,
        "weekdays" => Class::Weekdays,
        "weekday-ordinary" => Class::WeekdayOrdinary,
        "whole" => Class::Whole,
        "window" => Class::Window,
        _ => return None,
    })
}

fn relation_named(name: &str) -> Option<Relation> {
    Some(match name {
        "after" => Relation::After,
        "age-before" => Relation::AgeBefore,
        "age-within" => Relation::AgeWithin,
        "ago-before" => Relation::AgoBefore,
        "ago-least" => Relation::AgoLeast,
        "ago-most" => Relation::AgoMost,
        "ago-within" => Relation::AgoWithin,
        "before" => Relation::Before,
        "by" => Relation::By,
        "elsewhere" => Relation::Elsewhere,
        "from" => Relation::From,
        "since" => Relation::Since,
        "suffix-since" => Relation::SuffixSince,
        "suffix-until" => Relation::SuffixUntil,
        "until" => Relation::Until,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{class_named, relation_named};
    use crate::text::words::lines;

    #[test]
    fn every_line_of_the_lists_is_understood() {
        for line in lines(include_str!("../../../data/text/time_words.txt")) {
            let fields: Vec<_> = line.split_whitespace().collect();
            assert!(fields.len() == 3 && class_named(fields[1]).is_some(), "{line}");
            assert!(fields[2].parse::<i32>().is_ok(), "{line}");
        }
        for line in lines(include_str!("../../../data/text/time_phrases.txt")) {
            let relation = line.split_whitespace().next().and_then(relation_named);
            assert!(relation.is_some(), "{line}");
        }
    }
}
