//! The intent of a question that names no table or measure, or only a value.

use super::asked_people;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{
    AssumptionSource, ClarificationOption, CustomInput, Decision, OptionBinding, Relation,
};
use crate::compose::{Composer, predicate_table};
use crate::linking::{Lexical, Mention, Named, TableId, Target, holds_persons, prominent};
use crate::reading::{CountTarget, Frame, MeasureTarget, Part, TableUse};

/// Maximum number of tables among the options.
const TABLES: usize = 5;

/// Whether the question does not say what to show.
pub(super) fn is_open(frame: &Frame, parts: &[Part]) -> bool {
    let counts_nothing = frame.measures.iter().all(|measure| {
        matches!(
            measure.target,
            MeasureTarget::Count(CountTarget::Head) | MeasureTarget::Aggregate(_)
        )
    });
    let named = frame.head.is_some()
        || !frame.outputs.is_empty()
        || !frame.groups.is_empty()
        || !counts_nothing
        || frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some())
        || frame
            .measures
            .iter()
            .any(|measure| matches!(parts.get(measure.at), Some(Part::Schema | Part::Concept(_))));
    !named && frame.blocked.is_empty()
}

/// Decides which table the question refers to, and returns its rows as the result.
pub(super) fn decide(
    composer: &mut Composer<'_>,
    frame: &mut Frame,
    mentions: &[Mention],
    parts: &[Part],
    reason: &str,
) {
    let who = asked_people::asked(mentions);
    // "Who has no orders": those whose orders they would be.
    let missed =
        frame.related.iter().filter(|related| who.is_some() && related.how == TableUse::Without);
    let of_values: Vec<TableId> = mentions
        .iter()
        .zip(parts)
        .filter(|(_, part)| **part == Part::Schema)
        .flat_map(|(mention, _)| &mention.readings)
        // "Who was hired last", "does anybody have a balance over 1000": those who have that column.
        .filter_map(|reading| match &reading.target {
            Target::Column(column) | Target::Value(column, _) => Some(column.table),
            _ => None,
        })
        .chain(missed.map(|related| related.table))
        .fold(Vec::new(), |mut tables, table| {
            if !tables.contains(&table) {
                tables.push(table);
            }
            tables
        });
    let of_values = persons_first(composer, mentions, parts).map_or(of_values, |one| vec![one]);
    let first = frame.coordination.map(|coordination| coordination.first);
    let listed = first.and_then(|first| {
        let reading = mentions.get(first)?.readings.first()?;
        reading.target.table()
    });
    if let Some(table) = listed {
        frame.head = Some((table, usize::MAX));
        return;
    }
    let selected = composer.constraints.selected.iter().find_map(|target| match target {
        Target::Table(table) => Some(*table),
        _ => None,
    });
    let of_column = composer.constraints.selected.iter().find_map(|target| match target {
        Target::Column(column) => Some(column.table),
        _ => None,
    });
    let all = || prominent(composer.catalog, composer.schema);
    let people = who.map(|_| {
        let any: Vec<TableId> = composer.schema.ids().collect();
        let done = asked_people::of_done(composer, mentions, frame, &any);
        if done.is_empty() {
            asked_people::of_values(composer, mentions, &of_values, &all())
        } else {
            frame.unread.retain(|at| !asked_people::says_who(composer, mentions, *at, &done));
            done
        }
    });
    let tables = match people.filter(|people| !people.is_empty()) {
        Some(people) => people,
        None if of_values.is_empty() => all(),
        None if only_places(mentions, parts) => rows_at(composer, &of_values, all()),
        None => of_values,
    };
    let rejected = |table: &TableId| composer.constraints.rejected.contains(&Target::Table(*table));
    let others = tables
        .into_iter()
        .filter(|table| Some(*table) != selected.or(of_column) && !rejected(table));
    let tables: Vec<TableId> = selected.or(of_column).into_iter().chain(others).collect();
    let valued = mentions
        .iter()
        .zip(parts)
        .find(|(_, part)| **part == Part::Schema)
        .map(|(mention, _)| mention)
        .or_else(|| mentions.get(who?));
    let options = options(composer, &tables);
    if options.is_empty() {
        return;
    }
    let severity = if options.len() == 1 { Severity::Minor } else { Severity::Critical };
    let custom = (severity == Severity::Critical).then(|| any_rows(composer, &tables)).flatten();
    let chosen = composer.decide(Decision {
        kind: AmbiguityKind::Intent,
        severity,
        span: valued.map(|mention| mention.span),
        phrase: valued.map_or_else(String::new, |mention| mention.phrase.clone()),
        relation: Relation::Means,
        reason: reason.to_owned(),
        options,
        recommended: None,
        custom,
    });
    // A correction that names a column means rows of its table.
    if let (None, Some(_), Some(open)) = (selected, of_column, composer.open.last_mut()) {
        open.decided = open.decided.or(Some(AssumptionSource::Correction));
    }
    let table = match chosen {
        OptionBinding::Table { table } => Some(table),
        OptionBinding::Predicate { predicate } => {
            let table = predicate_table(&predicate).map(str::to_owned);
            composer.given.push(predicate);
            table
        }
        _ => None,
    };
    if let Some(table) = table.and_then(|table| composer.schema.table(&table)) {
        if who.is_some() {
            asked_people::link_by_deeds(composer, frame, mentions, table);
        }
        frame.head = Some((table, usize::MAX));
    }
}

/// "Women with a pressure ulcer": the only persons among what is named, where a value or flag of them stands first.
fn persons_first(composer: &Composer<'_>, mentions: &[Mention], parts: &[Part]) -> Option<TableId> {
    let mut named =
        (0..mentions.len()).filter(|at| parts.get(*at) == Some(&Part::Schema)).peekable();
    let phrase = mentions[*named.peek()?].phrase.to_lowercase();
    if !phrase.ends_with('s') && !phrase.ends_with("men") {
        return None;
    }
    let mut tables = named.filter_map(|at| match &mentions[at].readings.first()?.target {
        Target::Column(column) | Target::Value(column, _) => Some(column.table),
        _ => None,
    });
    let first = tables.next().filter(|table| holds_persons(composer.schema, *table))?;
    let alone = tables.all(|other| other == first || !holds_persons(composer.schema, other));
    alone.then_some(first)
}

/// "Everything we get from Germany": whether all that is named only says where the rows are.
fn only_places(mentions: &[Mention], parts: &[Part]) -> bool {
    let asks = mentions.first().is_some_and(|first| {
        let phrase = first.phrase.to_lowercase();
        let word = phrase.split([' ', '\'', '’']).next().unwrap_or_default();
        ["what", "everything", "anything", "stuff", "things"].contains(&word)
    });
    let mut named =
        (0..mentions.len()).filter(|at| parts.get(*at) == Some(&Part::Schema)).peekable();
    let placed = |at: usize| {
        let first = mentions[at].readings.first();
        let value = first.is_some_and(|first| matches!(first.target, Target::Value(..)));
        value && at.checked_sub(1).is_some_and(|before| mentions[before].is(Lexical::In))
    };
    asks && named.peek().is_some() && named.all(placed)
}

/// Prominent tables whose rows refer to those of the tables with the values, the nearest first.
fn rows_at(composer: &Composer<'_>, valued: &[TableId], all: Vec<TableId>) -> Vec<TableId> {
    let steps = |table: &TableId| {
        let ways = valued.iter().filter_map(|valued| composer.schema.distance(*table, *valued));
        ways.map(|(steps, _)| steps).min().filter(|steps| *steps > 0)
    };
    let above = |table: &TableId| {
        let ways = valued.iter().filter_map(|valued| composer.schema.distance(*valued, *table));
        ways.into_iter().any(|(_, to_many)| !to_many)
    };
    let mut rows: Vec<TableId> =
        all.into_iter().filter(|table| steps(table).is_some() && !above(table)).collect();
    crate::order::by_key(&mut rows, |table| steps(table));
    if rows.is_empty() { valued.to_vec() } else { rows }
}

/// Options that mean rows of the first tables.
fn options(composer: &Composer<'_>, tables: &[TableId]) -> Vec<ClarificationOption> {
    let option = |table: &TableId| {
        let key = composer.schema.profile(*table).key.clone();
        ClarificationOption {
            id: key.clone(),
            label: crate::narration::rows(composer.catalog, &key),
            description: crate::narration::listed(composer.catalog.table_at(*table)),
            binding: OptionBinding::Table { table: key },
            confidence: None,
        }
    };
    tables.iter().take(TABLES).map(option).collect()
}

/// Input of any table or rows; its example is a table that is not among the options, if there is one.
fn any_rows(composer: &Composer<'_>, tables: &[TableId]) -> Option<CustomInput> {
    let offered = |table: &TableId| tables.iter().take(TABLES).any(|one| one == table);
    let mut others = prominent(composer.catalog, composer.schema).into_iter();
    let example = others.find(|table| !offered(table)).or(tables.first().copied())?;
    let key = &composer.schema.profile(example).key;
    let placeholder = crate::narration::rows(composer.catalog, key);
    Some(CustomInput::Text { placeholder, table: String::new(), parameter: None })
}
