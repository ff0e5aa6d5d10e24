//! How long somebody stays: "average length of stay", "number of nights per booking".

use super::function::function;
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::linking::{ColumnId, Duration, Lexicon, Mention, Reading, SchemaIndex, TableId, Target};
use crate::text::{Span, fold};

/// Makes one mention of the words for how long somebody stays, where a figure of it is asked for: the days from the
/// date of arriving to that of leaving, of a table that is named or of the only one with both dates.
pub(crate) fn name_stays(
    catalog: &Catalog,
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    text: &str,
    mentions: &mut Vec<Mention>,
) {
    let measured =
        |before: &[Mention]| before.iter().any(|mention| function(lexicon, mention).is_some());
    for at in 1..mentions.len() {
        let spans = |end: &usize| said(text, &mentions[at..=*end]);
        let end = (at..mentions.len()).rev().find(|end| lexicon.stays.said.contains(&spans(end)));
        let Some(end) = end.filter(|_| measured(&mentions[..at])) else { continue };
        let Some((from, to)) = dates(catalog, schema, lexicon, mentions) else { return };
        let (first, last) = (&mentions[at], &mentions[end]);
        let span = first.span.union(last.span);
        let method = Method::Role;
        let merged = Mention {
            tokens: first.tokens.start..last.tokens.end,
            span,
            phrase: span.of(text).to_owned(),
            readings: vec![Reading { target: Target::Column(to), method, score: method.base() }],
            duration: Some(Duration { from: Some(from), age: false }),
            ..Mention::default()
        };
        mentions.splice(at..=end, [merged]);
        return;
    }
}

/// The folded words of mentions that follow each other.
fn said(text: &str, mentions: &[Mention]) -> String {
    let (Some(first), Some(last)) = (mentions.first(), mentions.last()) else {
        return String::new();
    };
    fold(Span { start: first.span.start, end: last.span.end.max(first.span.start) }.of(text))
}

/// Dates of arriving and leaving of the tables that are named, else of the only table that has both.
fn dates(
    catalog: &Catalog,
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    mentions: &[Mention],
) -> Option<(ColumnId, ColumnId)> {
    let of = |table: TableId| {
        let dates = &schema.profile(table).dates;
        let named = |words: &[String]| {
            let named = |date: &&ColumnId| {
                let name = format!(" {} ", schema.words_of(**date).join(" "));
                words.iter().any(|word| name.contains(&format!(" {word} ")))
            };
            dates.iter().find(named).copied()
        };
        named(&lexicon.stays.arriving).zip(named(&lexicon.stays.leaving))
    };
    let readings = mentions.iter().filter_map(|mention| mention.readings.first());
    let mut named = readings.filter_map(|reading| match reading.target {
        Target::Table(table) => Some(table),
        _ => None,
    });
    let mut all = (0..catalog.tables.len()).map(|table| TableId(table as u16)).filter_map(of);
    let only = all.next().filter(|_| all.next().is_none());
    named.find_map(of).or(only)
}
