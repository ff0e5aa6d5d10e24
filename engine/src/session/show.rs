//! Renders an interpretation and its rows for users.

use wherefore_english::{and_list, ordinal};

use super::{
    Assumption, Cell, MentionKind, MentionView, Note, NoteKind, ProblemView, ResultSet, Rival,
    Stage, Understanding, ValueSearch,
};
use crate::catalog::Catalog;
use crate::clarification::{AssumptionSource, OptionBinding};
use crate::compose::Failure;
use crate::engine::Engine;
use crate::intent::{Predicate, QueryTree};
use crate::interpretation::Interpretation;
use crate::linking::{Lexical, Mention, Named, Reading, TableId, Target, words_of_identifier};
use crate::narration::{self, Describer, range_words};
use crate::order;
use crate::reading::Part;
use crate::text::Span;

/// Maximum number of searches for stored values per question.
const SEARCHES: usize = 16;
/// Maximum number of alternative meanings shown per mention.
const RIVALS: usize = 4;

/// Confidence of what the asker settled, 0 to 1.
const SETTLED: f64 = 0.95;

/// What was understood of the question.
pub(super) fn understanding(engine: &Engine, interpretation: &Interpretation) -> Understanding {
    let mut mentions: Vec<MentionView> = interpretation
        .mentions
        .iter()
        .filter_map(|(mention, part)| mention_view(engine, mention, *part))
        .collect();
    for assumption in assumptions(engine, interpretation) {
        let told = mentions.iter_mut().find(|mention| Some(mention.span) == assumption.span);
        if let Some(mention) = told {
            settle(mention, &assumption);
        }
    }
    Understanding {
        mentions,
        unread: interpretation.unread.clone(),
        confidence: interpretation.confidence,
        doubts: interpretation.doubts.clone(),
        account: interpretation.account.clone(),
    }
}

/// Shows what was decided of a mention; what the asker settled, now or before, is as good as certain.
fn settle(mention: &mut MentionView, assumption: &Assumption) {
    let reason = match assumption.source {
        AssumptionSource::Correction => "your correction",
        AssumptionSource::Memory => "an earlier answer of yours",
        AssumptionSource::Model => {
            mention.meaning.clone_from(&assumption.meaning);
            "a language model".clone_into(&mut mention.reason);
            return;
        }
        AssumptionSource::User => "your answer",
        AssumptionSource::BestGuess | AssumptionSource::Budget | AssumptionSource::Default => {
            if mention.kind == MentionKind::VagueTerm {
                mention.meaning.clone_from(&assumption.meaning);
            }
            return;
        }
    };
    mention.meaning.clone_from(&assumption.meaning);
    mention.confidence = mention.confidence.max(SETTLED);
    reason.clone_into(&mut mention.reason);
    mention.rivals.clear();
}

fn mention_view(engine: &Engine, mention: &Mention, part: Part) -> Option<MentionView> {
    let catalog = engine.catalog();
    let view = |kind, meaning: String, confidence: f64, reason: &str| MentionView {
        span: mention.span,
        phrase: mention.phrase.clone(),
        kind,
        meaning,
        confidence,
        reason: reason.to_owned(),
        rivals: Vec::new(),
    };
    match part {
        Part::Schema => {
            let best = mention.readings.first()?;
            let rivals = mention.readings[1..]
                .iter()
                .filter(|rival| best.score - rival.score < 0.3)
                .take(RIVALS)
                .map(|rival| Rival {
                    meaning: meaning(catalog, rival, mention.negated),
                    confidence: confidence(rival),
                })
                .collect();
            let kind = match best.target {
                Target::Table(_) => MentionKind::Table,
                Target::Label(_) | Target::Column(_) => MentionKind::Column,
                Target::Metric(_) => MentionKind::Aggregate,
                Target::Value(..) => MentionKind::Value,
            };
            Some(MentionView {
                rivals,
                ..view(
                    kind,
                    meaning(catalog, best, mention.negated),
                    confidence(best),
                    best.method.reason(),
                )
            })
        }
        Part::Time => {
            let time = mention.time.as_ref()?;
            let sure = if time.weak || time.year_assumed { 0.8 } else { 1.0 };
            Some(view(MentionKind::Time, range_words(&time.range), sure, "a time expression"))
        }
        Part::Grain(_) => Some(view(MentionKind::Grouping, "a period".to_owned(), 1.0, "a period")),
        Part::Number => {
            let number = mention.number.as_ref()?;
            Some(view(MentionKind::Number, number.value.clone(), 1.0, "a number"))
        }
        Part::Superlative(_) => {
            Some(view(MentionKind::Ordering, "an order".to_owned(), 1.0, "a superlative"))
        }
        Part::Vague(_) => Some(view(
            MentionKind::VagueTerm,
            "needs a definition".to_owned(),
            0.5,
            "a term of the dictionary",
        )),
        Part::Concept(_) => Some(view(
            MentionKind::Aggregate,
            "an amount of money".to_owned(),
            0.88,
            "a common word for it",
        )),
        Part::Lexical => {
            let (kind, meaning) = structure(mention)?;
            Some(view(kind, meaning.to_owned(), 1.0, "a word of the question's structure"))
        }
        Part::Unknown => None,
    }
}

/// Kind and meaning of a structure word; `None` if it is not shown.
fn structure(mention: &Mention) -> Option<(MentionKind, &'static str)> {
    mention.lexical.iter().find_map(|lexical| match lexical {
        Lexical::Count | Lexical::CountNoun => Some((MentionKind::Aggregate, "count")),
        Lexical::Sum => Some((MentionKind::Aggregate, "sum")),
        Lexical::Average if mention.is(Lexical::Median) => Some((MentionKind::Aggregate, "median")),
        Lexical::Average => Some((MentionKind::Aggregate, "average")),
        Lexical::Maximum => Some((MentionKind::Aggregate, "largest")),
        Lexical::Minimum => Some((MentionKind::Aggregate, "smallest")),
        Lexical::Group => Some((MentionKind::Grouping, "for each")),
        Lexical::Order | Lexical::Ascending | Lexical::Descending => {
            Some((MentionKind::Ordering, "ordered"))
        }
        Lexical::Top | Lexical::Most => Some((MentionKind::Ordering, "largest first")),
        Lexical::Bottom | Lexical::Fewest => Some((MentionKind::Ordering, "smallest first")),
        Lexical::First => Some((MentionKind::Limit, "the first")),
        Lexical::Last => Some((MentionKind::Limit, "the last")),
        Lexical::MoreThan => Some((MentionKind::Comparison, "more than")),
        Lexical::AtLeast | Lexical::OrMore => Some((MentionKind::Comparison, "at least")),
        Lexical::LessThan => Some((MentionKind::Comparison, "less than")),
        Lexical::AtMost | Lexical::OrLess => Some((MentionKind::Comparison, "at most")),
        Lexical::Between => Some((MentionKind::Comparison, "between")),
        Lexical::Not | Lexical::Without => Some((MentionKind::Comparison, "not")),
        _ => None,
    })
}

fn confidence(reading: &Reading) -> f64 {
    reading.method.confidence()
}

/// Meaning of a reading; `negated` if the word denies its value, as "unpaid" does.
fn meaning(catalog: &Catalog, reading: &Reading, negated: bool) -> String {
    match &reading.target {
        Target::Table(table) => catalog.table_at(*table).key(),
        Target::Label(table) => {
            format!("{} name", narration::row(catalog, &catalog.table_at(*table).key()))
        }
        Target::Column(column) => catalog.reference(*column).to_string(),
        Target::Metric(metric) => {
            catalog.metrics.get(*metric).map_or_else(String::new, |metric| metric.name.clone())
        }
        Target::Value(column, value) => {
            let sign = if negated { "≠" } else { "=" };
            format!("{} {sign} {value}", catalog.reference(*column))
        }
    }
}

/// Decisions, with the chosen meaning.
pub(super) fn assumptions(engine: &Engine, interpretation: &Interpretation) -> Vec<Assumption> {
    let describer = Describer { catalog: engine.catalog() };
    interpretation
        .open
        .iter()
        .filter_map(|open| {
            let source = open.decided?;
            let chosen = open
                .clarification
                .options
                .iter()
                .find(|option| option.binding == open.chosen)
                .cloned();
            let span = open.clarification.span;
            let denies =
                |(mention, _): &(Mention, Part)| mention.negated && Some(mention.span) == span;
            let meaning = match &open.chosen {
                OptionBinding::Value { column, value }
                    if interpretation.mentions.iter().any(denies) =>
                {
                    describer.denied(column, value)
                }
                binding => describer.meaning(binding, chosen.as_ref()),
            };
            Some(Assumption {
                id: open.clarification.id.clone(),
                phrase: open.clarification.phrase.clone(),
                span: open.clarification.span,
                meaning,
                source,
                from_memory: None,
                clarification: open.clarification.clone(),
                chosen,
            })
        })
        .collect()
}

/// Describes a query tree in one sentence.
pub(super) fn sentence(engine: &Engine, tree: &QueryTree) -> String {
    Describer { catalog: engine.catalog() }.sentence(tree)
}

/// A failure, as shown to users.
pub(super) fn problem(failure: &Failure, stage: Stage) -> ProblemView {
    ProblemView {
        code: failure.code.to_string(),
        stage,
        message: failure.message.clone(),
        hint: failure.hint.clone(),
        span: failure.span,
        retryable: false,
    }
}

/// Index of the output column that rows are ranked by; `None` without order and limit.
pub(super) fn ranked_column(tree: &QueryTree) -> Option<usize> {
    let order = tree.order_by.first()?;
    tree.limit?;
    tree.select.iter().position(|item| item.expression == order.expression)
}

/// Note about rows beyond the limit that tie with the last row; `None` without ties.
pub(super) fn tie(tree: &QueryTree, rows: &ResultSet, behind: &ResultSet) -> Option<Note> {
    let column = ranked_column(tree)?;
    let last = rows.rows.last()?.get(column)?;
    let tied: Vec<&Vec<Cell>> =
        behind.rows.iter().take_while(|row| row.get(column) == Some(last)).collect();
    if tied.is_empty() {
        return None;
    }
    let name = |row: &Vec<Cell>| {
        let label = row
            .iter()
            .enumerate()
            .find(|(at, cell)| *at != column && matches!(cell, Cell::Text(_)));
        label
            .or_else(|| row.iter().enumerate().find(|(at, _)| *at != column))
            .map(|(_, cell)| cell.to_string())
    };
    let listed = rows.rows.last().into_iter().chain(tied.iter().take(5).copied());
    let mut names: Vec<String> = listed.filter_map(name).collect();
    if tied.len() == behind.rows.len() && behind.rows.len() >= 20 {
        names.push("others".to_owned());
    } else if tied.len() >= names.len() {
        names.push(format!("{} more", tied.len() + 1 - names.len()));
    }
    let place = ordinal(tree.limit.unwrap_or_default() as usize);
    let text = format!("{place} place is tied: {} have {last} each.", and_list(&names));
    Some(Note { kind: NoteKind::Tie, text })
}

/// Notes about rows.
pub(super) fn notes(engine: &Engine, tree: Option<&QueryTree>, rows: &ResultSet) -> Vec<Note> {
    let mut notes = Vec::new();
    if rows.truncated {
        let text = format!("Only the first {} rows are shown; there are more.", rows.rows.len());
        notes.push(Note { kind: NoteKind::Truncated, text });
    }
    if rows.cut_count > 0 {
        let text = match rows.cut_count {
            1 => "One value is too long and is cut.".to_owned(),
            count => format!("{count} values are too long and are cut."),
        };
        notes.push(Note { kind: NoteKind::Truncated, text });
    }
    let counted_nothing = tree.is_some_and(|tree| tree.group_by.is_empty())
        && rows.rows.len() == 1
        && rows.rows.iter().flatten().all(|cell| matches!(cell, Cell::Null | Cell::Integer(0)));
    if rows.rows.is_empty() || counted_nothing {
        let mut text = "Nothing matches.".to_owned();
        for filter in tree.iter().flat_map(|tree| &tree.filters) {
            if let Some(reason) = outside(engine.catalog(), filter) {
                text.push(' ');
                text.push_str(&reason);
            }
        }
        notes.push(Note { kind: NoteKind::Empty, text });
    }
    notes
}

/// Message that a date filter does not overlap the stored dates; `None` if it does.
fn outside(catalog: &Catalog, filter: &Predicate) -> Option<String> {
    match filter {
        Predicate::InRange { column, range } => {
            let definition = catalog.column(column)?;
            let (first, last) = (definition.minimum.as_deref()?, definition.maximum.as_deref()?);
            let (first, last) = (first.get(..10).unwrap_or(first), last.get(..10).unwrap_or(last));
            let after = range.start.as_deref().is_some_and(|start| start > last);
            let before = range.end.as_deref().is_some_and(|end| end <= first);
            let words = words_of_identifier(&column.column).join(" ");
            (after || before)
                .then(|| format!("The stored {words} values go from {first} to {last}."))
        }
        Predicate::Exists { conditions, .. } => {
            conditions.iter().find_map(|filter| outside(catalog, filter))
        }
        _ => None,
    }
}

/// Up to three suggested questions: those of the table's area, else of all areas, else generated from the largest
/// tables.
pub(super) fn suggestions(engine: &Engine, key: Option<&str>, question: &str) -> Vec<String> {
    let catalog = engine.catalog();
    let area = key.and_then(|key| catalog.table(key)).and_then(|table| table.area.as_ref());
    let of_area: Vec<String> = catalog
        .areas
        .iter()
        .filter(|known| area.is_some_and(|area| *area == known.name))
        .flat_map(|area| area.suggestions.clone())
        .collect();
    let mut found = of_area;
    if found.is_empty() {
        let longest = catalog.areas.iter().map(|area| area.suggestions.len()).max().unwrap_or(0);
        for position in 0..longest {
            found.extend(
                catalog.areas.iter().filter_map(|area| area.suggestions.get(position).cloned()),
            );
        }
    }
    if found.is_empty() {
        let mut tables: Vec<(u32, TableId)> = (0..catalog.tables.len().min(usize::from(u16::MAX)))
            .map(|position| TableId(position as u16))
            .filter(|table| {
                let profile = engine.schema().profile(*table);
                !profile.is_bridge && !profile.is_view && key.is_none_or(|key| profile.key != key)
            })
            .map(|table| (catalog.table_at(table).row_estimate.unwrap_or(0), table))
            .collect();
        order::by_key(&mut tables, |(rows, table)| (std::cmp::Reverse(*rows), *table));
        found = tables
            .into_iter()
            .map(|(_, table)| {
                format!(
                    "how many {} are there",
                    narration::rows(catalog, &catalog.table_at(table).key())
                )
            })
            .collect();
    }
    found.retain(|suggestion| !suggestion.eq_ignore_ascii_case(question.trim()));
    found.truncate(3);
    found
}

/// Searches for unknown words, in columns whose values are not all listed.
pub(super) fn searches(
    engine: &Engine,
    text: &str,
    interpretation: &Interpretation,
) -> Vec<ValueSearch> {
    if interpretation.unread.is_empty()
        && !interpretation.mentions.iter().any(|(mention, _)| mention.quoted)
    {
        return Vec::new();
    }
    let phrases = unread_phrases(text, interpretation);
    let named: Vec<TableId> = interpretation
        .mentions
        .iter()
        .filter_map(|(mention, _)| mention.readings.first()?.target.table())
        .collect();
    let mut columns = Vec::new();
    for (position, profile) in
        engine.schema().tables.iter().enumerate().filter(|(_, profile)| !profile.is_view)
    {
        let table = TableId(position as u16);
        let joins = named
            .iter()
            .filter_map(|other| engine.schema().distance(*other, table).map(|(joins, _)| joins))
            .min();
        let Some(joins) = joins.or(named.is_empty().then_some(0)) else { continue };
        for column in 0..engine.catalog().table_at(table).columns.len() {
            let id = crate::linking::ColumnId { table, column: column as u16 };
            if engine.catalog().is_searchable(id) {
                let label = profile.label.contains(&id);
                columns.push((joins, !label, id));
            }
        }
    }
    order::natural(&mut columns);
    let each = SEARCHES / phrases.len().max(1);
    let of_templates = interpretation.unlisted.iter().map(|(column, span)| ValueSearch {
        column: engine.catalog().reference(*column),
        text: span.of(text).to_owned(),
    });
    let of_phrases = phrases.iter().flat_map(|phrase| {
        columns.iter().take(each.max(1)).map(|(_, _, column)| ValueSearch {
            column: engine.catalog().reference(*column),
            text: phrase.clone(),
        })
    });
    let mut searches: Vec<ValueSearch> = Vec::new();
    for search in of_templates.chain(of_phrases) {
        if searches.len() < SEARCHES && !searches.contains(&search) {
            searches.push(search);
        }
    }
    searches
}

/// Quoted literals, and runs of unknown words with at most one other word between them; at most three.
fn unread_phrases(text: &str, interpretation: &Interpretation) -> Vec<String> {
    let mut phrases: Vec<String> = Vec::new();
    let mut run: Option<(Span, usize)> = None;
    let mut runs: Vec<(Span, usize)> = Vec::new();
    for (position, (mention, part)) in interpretation.mentions.iter().enumerate() {
        let unread = interpretation.unread.contains(&mention.span)
            && *part == Part::Unknown
            && !mention.quoted;
        if mention.quoted && mention.readings.is_empty() {
            let quoted = mention.span.of(text);
            let mut characters = quoted.chars();
            characters.next();
            characters.next_back();
            phrases.push(characters.as_str().to_owned());
        }
        match (&mut run, unread) {
            (Some((span, last)), true) if position - *last <= 2 => {
                *span = span.union(mention.span);
                *last = position;
            }
            (_, true) => {
                runs.extend(run.take());
                run = Some((mention.span, position));
            }
            _ => {}
        }
    }
    runs.extend(run);
    phrases.extend(runs.into_iter().map(|(span, _)| span.of(text).to_owned()));
    phrases.retain(|phrase| phrase.chars().count() >= 2);
    phrases.truncate(3);
    phrases
}

impl std::fmt::Display for Cell {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => formatter.write_str("NULL"),
            Self::Boolean(value) => write!(formatter, "{value}"),
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Number(value) => write!(formatter, "{value}"),
            Self::Text(value) => formatter.write_str(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::Catalog;
    use crate::{Engine, Knowledge};

    #[test]
    fn a_word_that_denies_a_value_is_said_to_deny_it() {
        let text = include_str!("../../tests/data/catalogs/shop.json");
        let catalog: Catalog = serde_json::from_str(text).unwrap();
        let preview = Engine::new(Knowledge { catalog, ..Knowledge::default() })
            .preview("unpaid orders", "2026-11-20");
        let meant = &preview.understanding.mentions[0].meaning;
        assert!(meant.ends_with(" ≠ paid"), "{meant}");
        assert!(preview.sql.unwrap().contains("<> 'paid'"));
    }
}
