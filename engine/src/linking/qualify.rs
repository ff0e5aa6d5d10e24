//! Qualified columns: of several columns that match a phrase equally, selects the one whose name contains another word
//! of the question.
//!
//! Examples: "which price was bid" for `bid_price`, "the 3 day total" for `three_day_total`.

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::{Lexical, Lexicon};
use super::mention::{Mention, Reading};
use crate::confidence::Method;
use crate::intent::TextMatch;
use crate::text::{NumberMention, stem};

/// Number words, by value.
const NUMBERS: [&str; 13] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
];

/// Reduces equally good column readings to the one whose name also contains another, unmatched word.
pub(crate) fn qualify(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        let columns = fitting(lexicon, &mentions[at]);
        if columns.len() < 2 {
            continue;
        }
        let qualified: Vec<(usize, ColumnId)> = (0..mentions.len())
            .filter(|other| *other != at)
            .filter_map(|other| {
                let named = named_by(schema, lexicon, mentions, at, other, &columns);
                match named.as_slice() {
                    [column] => Some((other, *column)),
                    _ => None,
                }
            })
            .collect();
        let Some((other, column)) = qualified.first().copied() else { continue };
        if qualified.iter().any(|(_, another)| *another != column) {
            continue;
        }
        let listed = (other + 1 == at && other > 1 && mentions[other].number.is_some())
            .then(|| other - 2)
            .filter(|first| mentions[*first].number.is_some());
        if let Some(first) = listed {
            match by_number(schema, &mentions[first], &columns).as_slice() {
                [own] if *own != column => name(&mut mentions[first], *own),
                _ => continue,
            }
        }
        let kept = Target::Column(column);
        mentions[at].readings.retain(|reading| match reading.target {
            Target::Column(other) => other == column || !columns.contains(&other),
            _ => true,
        });
        if let Some(reading) =
            mentions[at].readings.iter_mut().find(|reading| reading.target == kept)
        {
            reading.method = Method::Stem;
            reading.score = reading.score.max(Method::Head.base());
        }
        let said = &mut mentions[other];
        said.readings.clear();
        (said.vague, said.concept, said.superlative, said.number) = (None, None, None, None);
        said.lexical = vec![Lexical::Filler];
    }
}

/// Links a number to the column that it names: "5" in "the 5 and 10 year rate".
fn name(mention: &mut Mention, column: ColumnId) {
    (mention.number, mention.time) = (None, None);
    mention.lexical.clear();
    let (target, method) = (Target::Column(column), Method::Stem);
    mention.readings = vec![Reading { target, method, score: Method::Head.base() }];
}

/// Columns whose names contain a number, in digits or as a word.
fn by_number(schema: &SchemaIndex, mention: &Mention, columns: &[ColumnId]) -> Vec<ColumnId> {
    let Some(word) = mention.number.as_ref().map(spelled) else { return Vec::new() };
    let holds = |column: &&ColumnId| {
        let words = schema.words_of(**column);
        words.iter().any(|own| *own == word || number_of(own, &mention.phrase))
    };
    columns.iter().filter(holds).copied().collect()
}

/// A small number as a word; otherwise its digits.
fn spelled(number: &NumberMention) -> String {
    let word = number.value.parse().ok().and_then(|value: usize| NUMBERS.get(value));
    word.map_or_else(|| number.value.clone(), |word| (*word).to_owned())
}

/// Merges "first" or "last" with the following "name", if rows only have a full name.
pub(crate) fn join_name_parts(mentions: &mut Vec<Mention>) {
    for at in (1..mentions.len()).rev() {
        let (part, name) = (&mentions[at - 1], &mentions[at]);
        let whole = name.readings.first().is_some_and(|first| {
            matches!(first.target, Target::Column(_) | Target::Label(_))
                && ["name", "names"].contains(&name.phrase.to_lowercase().as_str())
        });
        if whole && part.tokens.end == name.tokens.start && name_part(&part.phrase).is_some() {
            let part = mentions.remove(at - 1);
            let name = &mut mentions[at - 1];
            name.tokens.start = part.tokens.start;
            name.span = part.span.union(name.span);
            name.phrase = format!("{} {}", part.phrase, name.phrase);
        }
    }
}

/// Ties a mention to a date alone.
fn name_date(mention: &mut Mention, date: ColumnId) {
    let (target, method) = (Target::Column(date), Method::Stem);
    mention.readings = vec![Reading { target, method, score: Method::Head.base() }];
}

/// Merges a word of the name of a table with the column of that table behind it: "stock count date" for the date in
/// `counted_on` of `stock_levels`.
pub(crate) fn join_table_words(schema: &SchemaIndex, mentions: &mut Vec<Mention>) {
    for at in (1..mentions.len()).rev() {
        let (word, column) = (&mentions[at - 1], &mentions[at]);
        let (rows, valued) = match word.readings.first() {
            Some(Reading { target: Target::Table(rows), .. }) => (Some(*rows), false),
            Some(Reading { target: Target::Value(of, _), .. }) => (Some(of.table), true),
            _ => (None, false),
        };
        let dated = rows.filter(|_| column.phrase.eq_ignore_ascii_case("date"));
        let date = column.readings.iter().find_map(|reading| match reading.target {
            Target::Column(date) => dated.is_none_or(|rows| date.table == rows).then_some(date),
            _ => None,
        });
        let Some(date) = date.or_else(|| schema.profile(dated?).date) else { continue };
        let table = date.table;
        let said = stem(&word.phrase.to_lowercase());
        let stems = &schema.profile(table).stems;
        let own = schema.stems_of(date).contains(&said);
        let named = word.is_unknown() && stems.len() > 1 && stems.contains(&said)
            || word.is(Lexical::Count) && own
            || dated.is_some();
        let beside = !word.quoted
            && (valued || word.tokens.len() == 1)
            && word.tokens.end == column.tokens.start;
        if valued && beside && named {
            // "the latest stock count date" is that of the rows with this value.
            name_date(&mut mentions[at], date);
        } else if named && beside {
            let word = mentions.remove(at - 1);
            let column = &mut mentions[at - 1];
            column.tokens.start = word.tokens.start;
            column.span = word.span.union(column.span);
            column.phrase = format!("{} {}", word.phrase, column.phrase);
            column.grain = None;
            if dated.is_some() {
                name_date(column, date);
            }
        }
    }
}

/// The position of a name part in a full name: "first name" is at its start.
pub(crate) fn name_part(phrase: &str) -> Option<TextMatch> {
    match phrase.to_lowercase().split(' ').next()? {
        "first" => Some(TextMatch::StartsWith),
        "last" => Some(TextMatch::EndsWith),
        _ => None,
    }
}

/// Removes column readings of a verb before a number if the question names other tables: "parcels that cost 20".
pub(crate) fn unbind_verbs(lexicon: &Lexicon, mentions: &mut [Mention]) {
    let asked: Vec<TableId> = mentions
        .iter()
        .filter_map(|mention| match mention.readings.first()?.target {
            Target::Table(table) => Some(table),
            _ => None,
        })
        .collect();
    for at in 1..mentions.len().saturating_sub(1) {
        let (before, mention, after) = (&mentions[at - 1], &mentions[at], &mentions[at + 1]);
        let elsewhere = mention.readings.iter().all(|reading| {
            matches!(reading.target, Target::Column(column) if !asked.contains(&column.table))
        });
        let verb = mention.tokens.len() == 1
            && before.is(Lexical::Where)
            && after.number.is_some()
            && lexicon.is_verb(&mention.phrase);
        if verb && elsewhere && !asked.is_empty() {
            mentions[at].readings.clear();
        }
    }
}

/// Most joins between those who do something and rows that say so.
const FAR: usize = 2;

/// Removes the readings of a verb right behind the rows that do it, where no keys lead from these to any of them:
/// "suppliers deliver gloves" is about no delivered orders.
pub(crate) fn unbind_far_verbs(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let word = mentions[at].phrase.to_lowercase();
        let first = |at: usize| mentions.get(at)?.readings.first().map(|first| &first.target);
        let Some(&Target::Table(agent)) = first(at - 1) else { continue };
        let readings = &mentions[at].readings;
        let led = |reading: &Reading| {
            let table = reading.target.table();
            table.is_none_or(|table| {
                let way = schema.distance(agent, table);
                way.is_some_and(|(joins, to_many)| joins <= FAR || !to_many)
            })
        };
        let verb = mentions[at].tokens.len() == 1
            && (lexicon.is_verb(&word) || lexicon.is_used_as_verb(&word));
        // "customers paying within 14 days" have no pay.
        let elsewhere = |reading: &Reading| {
            matches!(reading.target, Target::Column(column) if column.table != agent
                && !schema.holds_dates(column))
        };
        let several = mentions[at - 1].phrase.ends_with('s');
        if several && word.ends_with("ing") && mentions[at].tokens.len() == 1 {
            mentions[at].readings.retain(|reading| !elsewhere(reading));
            continue;
        }
        let done_to = mentions.get(at + 1).is_some_and(|next| {
            next.number.is_some() || !next.readings.is_empty() || next.lexical != [Lexical::Filler]
        });
        if verb && done_to && !readings.is_empty() && !readings.iter().any(led) {
            mentions[at].readings.clear();
            mentions[at].lexical = vec![Lexical::Filler];
        }
    }
}

/// Columns of one table whose names end with the words of a mention, if none of them is named completely.
fn fitting(lexicon: &Lexicon, mention: &Mention) -> Vec<ColumnId> {
    let Some(first) = mention.readings.first() else { return Vec::new() };
    let Target::Column(column) = first.target else { return Vec::new() };
    let structure = |word: &str| !lexicon.get(&word.to_lowercase()).is_empty();
    if first.method != Method::Head
        || mention.quoted
        || mention.phrase.split(' ').take(1).any(structure)
    {
        return Vec::new();
    }
    let ends = mention.readings.iter().filter(|reading| reading.method == Method::Head);
    ends.filter_map(|reading| match reading.target {
        Target::Column(other) if other.table == column.table => Some(other),
        _ => None,
    })
    .collect()
}

/// Columns whose names contain the other word, in addition to the words of the mention.
fn named_by(
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    mentions: &[Mention],
    at: usize,
    other: usize,
    columns: &[ColumnId],
) -> Vec<ColumnId> {
    let mention = &mentions[other];
    if mention.quoted || mention.time.is_some() || mention.tokens.len() > 1 {
        return Vec::new();
    }
    let word = match &mention.number {
        Some(number) if other + 1 == at => spelled(number),
        Some(_) => return Vec::new(),
        None => mention.phrase.to_lowercase(),
    };
    let structure =
        mention.lexical.iter().any(|kind| *kind != Lexical::Filler && *kind != Lexical::Relation);
    let elsewhere = mention.readings.first().is_some_and(|reading| match reading.target {
        Target::Column(_) => {
            let among = |other: &Reading| matches!(other.target, Target::Column(column) if columns.contains(&column));
            reading.method.is_whole() || !mention.readings.iter().any(among)
        }
        _ => true,
    });
    if structure && lexicon.knows(&word) || elsewhere {
        return Vec::new();
    }
    let stemmed = stem(&word);
    let holds = |column: &&ColumnId| {
        schema.stems_of(**column).contains(&stemmed)
            || schema
                .words_of(**column)
                .iter()
                .any(|own| *own == word || number_of(own, &mention.phrase))
    };
    columns.iter().filter(holds).copied().collect()
}

/// Whether a word of a name starts with exactly these digits: "10" in `10yr`.
fn number_of(word: &str, digits: &str) -> bool {
    !digits.is_empty()
        && digits.chars().all(|digit| digit.is_ascii_digit())
        && word
            .strip_prefix(digits)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}
