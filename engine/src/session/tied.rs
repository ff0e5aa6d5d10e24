//! Schema links and periods of a question, for the brief of a model.

use crate::catalog::ColumnRef;
use crate::confidence::Method;
use crate::day;
use crate::engine::Engine;
use crate::intent::DateRange;
use crate::interpretation::Interpretation;
use crate::linking::{Lexical, Named, Reading, Target};
use crate::reading::{Condition, Frame, Part};
use crate::writing::{DecidedWords, Said, Tie};

/// Maximum number of schema links in a brief.
const TIES: usize = 40;
/// Score from which a schema link without alternatives is certain (`docs/spec.md` §2.2): names, inflections, synonyms
/// and values reach it.
pub(super) const SURE: f64 = 0.8;

/// Schema links of the words of a question.
pub(super) fn ties(
    engine: &Engine,
    interpretation: &Interpretation,
    frame: Option<&Frame>,
) -> Vec<Tie> {
    let catalog = engine.catalog();
    let mut ties: Vec<Tie> = Vec::new();
    let keeps = |at: usize| {
        frame.is_some_and(|frame| {
            frame.conditions.iter().any(|condition| {
                matches!(condition, Condition::Values { at: of, negated: false, .. } if of.contains(&at))
            })
        })
    };
    for (at, (mention, part)) in interpretation.mentions.iter().enumerate() {
        let (Part::Schema, Some(best)) = (part, mention.readings.first()) else { continue };
        let tied: Vec<&Reading> = mention
            .readings
            .iter()
            .take_while(|reading| best.score - reading.score < engine.settings().rival_gap)
            .collect();
        let sure = tied.len() == 1
            && match best.target {
                Target::Value(..) => best.method == Method::ValueExact && keeps(at),
                _ => best.score >= SURE,
            };
        for reading in tied {
            let phrase = mention.phrase.clone();
            let of_column = |reference: ColumnRef, value: Option<String>| {
                let (table, column) = (reference.table, Some(reference.column));
                Tie { phrase: phrase.clone(), table, column, value, sure }
            };
            let tie = match &reading.target {
                Target::Label(table) | Target::Table(table) => {
                    let table = catalog.table_at(*table).key();
                    Tie { phrase, table, column: None, value: None, sure }
                }
                Target::Column(column) => of_column(catalog.reference(*column), None),
                Target::Value(column, value) => {
                    of_column(catalog.reference(*column), Some(value.clone()))
                }
                Target::Metric(_) => continue,
            };
            if ties.len() < TIES && !ties.contains(&tie) {
                ties.push(tie);
            }
        }
    }
    ties
}

/// Unambiguous periods that filter rows.
pub(super) fn said(
    interpretation: &Interpretation,
    decided: &[DecidedWords],
    frame: Option<&Frame>,
) -> Vec<Said> {
    let mut said = Vec::new();
    for (at, (mention, part)) in interpretation.mentions.iter().enumerate() {
        let (Part::Time, Some(time)) = (part, &mention.time) else { continue };
        // "Who haven't logged in since July": what was before July.
        let denied = interpretation.mentions[..at]
            .iter()
            .any(|(before, _)| before.is(Lexical::Not) || before.is(Lexical::Without));
        let is_open = decided.iter().any(|words| words.phrase == mention.phrase);
        let keeps =
            frame.is_some_and(|frame| frame.times.iter().any(|it| it.at == at && !it.negated));
        // Days of the week are counted in many ways.
        let recurs = time.weekdays != 0;
        if time.weak || time.rival.is_some() || recurs || is_open || denied || frame.is_none() {
            continue;
        }
        let phrase = mention.phrase.clone();
        // Without a year, the period is relative to today.
        let years = phrase.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 4);
        let relative = years.count() == 0;
        if !keeps {
            if !relative {
                let literals = inside(&time.range);
                let started = time.range.start.is_some();
                said.push(Said { phrase, literals, anywhere: true, relative, started });
            }
            continue;
        }
        let first = time.range.start.clone().unwrap_or_default();
        let last = time.range.end.as_deref().and_then(day::parse);
        let mut literals = Vec::new();
        // A period that starts on 1997-01-01 also matches the literals `1997-01` and `1997`.
        for length in [10, 7, 4] {
            let short = first.get(..length).map(str::to_owned);
            let whole = ["-01-01", "-01", ""].iter().any(|end| first.get(length..) == Some(*end));
            literals.extend(short.filter(|_| whole));
        }
        // The day before the start stands in `> '2023-12-31'`. The day behind the end is the start of the next period too:
        // it proves only a period without a start, or one that goes on from another.
        literals.extend(day::parse(&first).and_then(|day| day::plus_days(day, -1)).map(day::text));
        let mut continues = false;
        if let Some(end) = &time.range.end {
            let year = end.strip_suffix("-01-01").and_then(|year| year.parse::<i32>().ok());
            literals.extend(year.map(|year| (year - 1).to_string()));
            continues = interpretation.mentions.iter().any(|(other, _)| {
                other.time.as_ref().is_some_and(|other| other.range.end.as_deref() == Some(&first))
            });
            if first.is_empty() || continues {
                literals.extend(year.map(|year| year.to_string()));
                literals.push(end.clone());
            }
        }
        literals.extend(last.and_then(|day| day::plus_days(day, -1)).map(day::text));
        literals.retain(|text| !text.is_empty());
        let started = !first.is_empty() && !continues;
        said.push(Said { phrase, literals, anywhere: false, relative, started });
    }
    said
}

/// Literals of which a statement about a period contains at least one: its first and last day, and the month and the year
/// that it lies in, if it lies in one.
fn inside(range: &DateRange) -> Vec<String> {
    let first = range.start.clone().unwrap_or_default();
    let last = range.end.as_deref().and_then(day::parse);
    let last = last.and_then(|day| day::plus_days(day, -1)).map(day::text).unwrap_or_default();
    let shared = |length: usize| first.get(..length).filter(|start| last.starts_with(start));
    let mut literals: Vec<String> =
        [shared(7), shared(4)].into_iter().flatten().map(str::to_owned).collect();
    literals.extend([first.clone(), last.clone()]);
    literals.retain(|text| !text.is_empty());
    literals
}
