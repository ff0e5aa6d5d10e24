//! Durations: "healing time", "days to ship", "time between order date and delivery".

use std::ops::Range;

use super::function::function;
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::data::Role;
use crate::linking::{
    ColumnId, Duration, Lexical, Lexicon, Mention, Named, Reading, SchemaIndex, TableId, Target,
    start_dates,
};

/// Operators that a duration may be compared with.
const OPERATORS: [Lexical; 4] =
    [Lexical::MoreThan, Lexical::AtLeast, Lexical::LessThan, Lexical::AtMost];
/// Shortest root of a verb, in letters: "ship-ment", "ship-ped".
const ROOT: usize = 4;
/// Longest ending behind it, in letters.
const ENDING: usize = 5;
/// Mentions before a duration among which a word computes a figure of it.
const REACH: usize = 3;

/// Makes one mention of the words for a time up to a date, where a figure of it or a comparison is asked for.
pub(crate) fn name_durations(
    catalog: &Catalog,
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    text: &str,
    mentions: &mut Vec<Mention>,
) {
    let mut at = 0;
    while at < mentions.len() {
        let found = Durations { catalog, schema, lexicon, mentions }.at(at);
        if let Some(DurationPhrase { places, date, duration }) = found {
            let (first, last) = (&mentions[places.start], &mentions[places.end - 1]);
            let span = first.span.union(last.span);
            let merged = Mention {
                tokens: first.tokens.start..last.tokens.end,
                span,
                phrase: span.of(text).to_owned(),
                readings: vec![date],
                duration: Some(duration),
                ..Mention::default()
            };
            mentions.splice(places, [merged]);
        } else if (Durations { catalog, schema, lexicon, mentions }).is_open(at) {
            mentions[at].readings.clear();
        }
        at += 1;
    }
}

/// Words for a duration.
struct DurationPhrase {
    /// Their mentions.
    places: Range<usize>,
    /// The date it ends with.
    date: Reading,
    /// Where it starts.
    duration: Duration,
}

struct Durations<'a> {
    catalog: &'a Catalog,
    schema: &'a SchemaIndex,
    lexicon: &'a Lexicon,
    mentions: &'a [Mention],
}

impl Durations<'_> {
    /// Words for a duration that start with the mention at `at`.
    fn at(&self, at: usize) -> Option<DurationPhrase> {
        if let Some(date) = self.age(at) {
            let duration = Duration { age: true, ..Duration::default() };
            let found = DurationPhrase { places: at..at + 1, date, duration };
            return (self.is_measured(at) || self.is_compared(at + 1)).then_some(found);
        }
        let asked = self.asks(at);
        if asked && let Some(date) = self.ending(at + 1) {
            return Some(DurationPhrase {
                places: at + 1..at + 2,
                date,
                duration: Duration::default(),
            });
        }
        let counted = |at: usize| {
            let mention = &self.mentions[at];
            [Lexical::Count, Lexical::CountNoun].iter().any(|kind| mention.is(*kind))
        };
        let noun = if counted(at) { at + 1 } else { at };
        if let Some(date) = self.ending(at).filter(|_| self.is_noun(at + 1)) {
            let found = DurationPhrase { places: at..at + 2, date, duration: Duration::default() };
            return (self.is_measured(at) || self.is_compared(at + 2)).then_some(found);
        }
        if !self.is_noun(noun) || !self.is_measured(at) {
            return None;
        }
        let joins = |at: usize, words: &[&str]| {
            let said = self.mentions.get(at).map(|mention| mention.phrase.to_lowercase());
            said.is_some_and(|said| words.contains(&said.as_str()))
        };
        let next = noun + 1;
        if joins(next, &["to", "until"])
            && let Some(date) = self.ending(next + 1)
        {
            return Some(DurationPhrase {
                places: at..next + 2,
                date,
                duration: Duration::default(),
            });
        }
        let between = joins(next, &["between", "from"]) && joins(next + 2, &["and", "to", "until"]);
        let (from, date) = self.both(next + 1, next + 3).filter(|_| between)?;
        Some(DurationPhrase {
            places: at..next + 4,
            date,
            duration: Duration { from: Some(from), age: false },
        })
    }

    /// Date of birth that a word for an age is counted from: of a table that is named, else the only one there is.
    fn age(&self, at: usize) -> Option<Reading> {
        let mention = &self.mentions[at];
        let known = mention.readings.iter().any(|reading| reading.method.is_whole());
        if known || !self.lexicon.is_age(&crate::text::fold(&mention.phrase)) {
            return None;
        }
        let born = |table: &TableId| {
            let mut dates = self.schema.profile(*table).dates.iter();
            dates.find(|date| self.schema.has_role(**date, Role::BirthDate)).copied()
        };
        let readings = self.mentions.iter().filter_map(|mention| mention.readings.first());
        let named =
            readings.filter_map(|reading| reading.target.table()).find_map(|table| born(&table));
        let all = (0..self.catalog.tables.len()).map(|table| TableId(table as u16));
        let mut all = all.filter_map(|table| born(&table));
        let only = all.next().filter(|_| all.next().is_none());
        let column = named.or(only)?;
        let method = Method::Role;
        Some(Reading { target: Target::Column(column), method, score: method.base() })
    }

    /// Whether the mention is the time between two things that are no dates.
    fn is_open(&self, at: usize) -> bool {
        let between = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Between));
        between && self.is_noun(at) && self.is_measured(at)
    }

    /// Whether the mention asks how long something takes.
    fn asks(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let said = mention.phrase.to_lowercase();
        let asks = ["how long ", "how many days "].iter().any(|start| said.starts_with(start));
        mention.is(Lexical::Average) && asks
    }

    /// Whether the mention is a noun for a time, and not the name of a column.
    fn is_noun(&self, at: usize) -> bool {
        self.mentions.get(at).is_some_and(|mention| {
            self.lexicon.is_duration(&crate::text::fold(&mention.phrase))
                && mention.readings.iter().all(|reading| !reading.method.is_whole())
        })
    }

    /// Whether a word before asks for a figure of what stands at `at`.
    fn is_measured(&self, at: usize) -> bool {
        let before = self.mentions[at.saturating_sub(REACH)..at].iter();
        before.rev().any(|mention| function(self.lexicon, mention).is_some())
    }

    fn is_compared(&self, at: usize) -> bool {
        let mut behind = self.mentions.iter().skip(at).take(2);
        behind.any(|mention| OPERATORS.iter().any(|kind| mention.is(*kind)))
    }

    /// A date that a mention may mean, with another date of its table that a time up to it may start with.
    fn ending(&self, at: usize) -> Option<Reading> {
        let readings = &self.mentions.get(at)?.readings;
        let ends = |column: ColumnId| {
            let first = self.schema.profile(column.table).date == Some(column);
            !first && !start_dates(self.catalog, self.schema, column).is_empty()
        };
        readings.iter().find(|reading| self.date(reading).is_some_and(ends)).cloned()
    }

    /// Dates of one table that two mentions may mean; one of them may be a word akin to the name of its date.
    fn both(&self, from: usize, to: usize) -> Option<(ColumnId, Reading)> {
        let (from, to) = (self.mentions.get(from)?, self.mentions.get(to)?);
        let dates = |mention: &Mention| -> Vec<(ColumnId, Reading)> {
            let dated = |reading: &Reading| Some((self.date(reading)?, reading.clone()));
            mention.readings.iter().filter_map(dated).collect()
        };
        let (starts, ends) = (dates(from), dates(to));
        let named = starts.iter().find_map(|(start, _)| {
            let apart = |end: &ColumnId| end.table == start.table && end != start;
            let (_, end) = ends.iter().find(|(end, _)| apart(end))?;
            Some((*start, end.clone()))
        });
        let behind =
            || starts.iter().find_map(|(start, _)| Some((*start, self.akin(*start, &to.phrase)?)));
        let before = || {
            ends.iter().find_map(|(date, end)| {
                let start = self.akin(*date, &from.phrase)?;
                Some((self.date(&start)?, end.clone()))
            })
        };
        named.or_else(behind).or_else(before)
    }

    /// The one other date of a table whose name is akin to a word.
    fn akin(&self, other: ColumnId, phrase: &str) -> Option<Reading> {
        let dates = self.schema.profile(other.table).dates.iter().copied();
        let mut akin = dates.filter(|date| *date != other && self.is_akin(*date, phrase));
        let (column, None) = (akin.next()?, akin.next()) else { return None };
        let method = Method::Role;
        Some(Reading { target: Target::Column(column), method, score: method.base() })
    }

    /// Whether a word of the name of a column is made of the same word as this one: "delivery" of "delivered".
    fn is_akin(&self, column: ColumnId, phrase: &str) -> bool {
        let folded = crate::text::fold(phrase);
        let Some(said) = folded.split(' ').next_back() else { return false };
        self.schema.words_of(column).iter().any(|word| {
            let same = word.chars().zip(said.chars()).take_while(|(one, other)| one == other);
            let root = same.count();
            let rest = |word: &str| word.chars().count() - root;
            root >= ROOT && rest(word) <= ENDING && rest(said) <= ENDING
        })
    }

    fn date(&self, reading: &Reading) -> Option<ColumnId> {
        match reading.target {
            Target::Column(column) if self.catalog.column_at(column).data_type.is_temporal() => {
                Some(column)
            }
            _ => None,
        }
    }
}
