//! "Who": the tables whose rows are people, or do what the verb behind it says.
//!
//! Valid: "who sold the most" (employees), "who spent the most in 2024" (customers), "who ordered Chai" (customers, by
//! their orders).

use crate::compose::Composer;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Lexical, Mention, Named, TableId, Target, holds_persons};
use crate::reading::{
    Condition, CountTarget, Frame, Group, MISSING_FROM_NOTHING, Measure, MeasureTarget, Related,
    Superlative, TableUse,
};
use crate::text::{fold, stem};

/// Position of the "who" that asks for people, if the question starts with it.
pub(super) fn asked(mentions: &[Mention]) -> Option<usize> {
    let first = mentions.first()?.phrase.to_lowercase();
    let word = first.split([' ', '\'', '’']).next();
    (word == Some("who")).then_some(0)
}

/// Tables that "who" may mean, among those in this order: agents of the verb, else tables of persons.
pub(super) fn tables(
    composer: &Composer<'_>,
    mentions: &[Mention],
    among: &[TableId],
) -> Vec<TableId> {
    let acting = acting(composer, mentions, among);
    if acting.is_empty() {
        let done_to = done_to(composer, mentions);
        let undergoes = doing(composer, &done_to, among);
        let persons = among.iter().copied().filter(|table| !undergoes.contains(table));
        return persons.filter(|table| holds_persons(composer.schema, *table)).collect();
    }
    acting
}

/// Last words of the names of tables whose rows something is done to by others: patients behind "who treated Ada".
fn done_to(composer: &Composer<'_>, mentions: &[Mention]) -> Vec<String> {
    let behind = |at: &usize| !mentions[*at].is(Lexical::Not) && !mentions[*at].is(Lexical::Filler);
    let Some(verb) = (1..mentions.len()).find(behind) else { return Vec::new() };
    let doing = agents_at(composer, mentions, verb);
    let mut done_to = agents_of(composer, &mentions[verb]);
    done_to.retain(|table| !doing.contains(table));
    done_to
}

/// Tables that "who" may mean beside stored values, the nearest to them: "who is Ada", "who works in Linz", "who has a
/// pressure ulcer".
pub(super) fn of_values(
    composer: &Composer<'_>,
    mentions: &[Mention],
    valued: &[TableId],
    all: &[TableId],
) -> Vec<TableId> {
    let own = tables(composer, mentions, valued);
    if !own.is_empty() {
        return own;
    }
    let joins = |table: &TableId| {
        let ways = valued.iter().map(|valued| composer.schema.distance(*table, *valued));
        ways.into_iter().try_fold(0, |sum, way| Some(sum + way?.0))
    };
    let mut reaching: Vec<TableId> = tables(composer, mentions, all);
    let nearest = reaching.iter().filter_map(joins).min();
    reaching.retain(|table| joins(table).is_some() && joins(table) == nearest);
    reaching
}

/// Tables that "who" may mean where rows are missing or counted: those that do what the verb or the noun of these rows
/// says, else those that the rows refer to and whose rows can act. "Who has no orders", "who handled the most complaints".
pub(super) fn of_done(
    composer: &Composer<'_>,
    mentions: &[Mention],
    frame: &Frame,
    all: &[TableId],
) -> Vec<TableId> {
    let Some((done, at)) = rows_done(frame) else { return Vec::new() };
    let linked = |table: &TableId| {
        composer.schema.distance(done, *table).is_some_and(|(_, to_many)| !to_many)
    };
    let undergoes = doing(composer, &done_to(composer, mentions), all);
    let all: Vec<TableId> =
        all.iter().copied().filter(|table| linked(table) && !undergoes.contains(table)).collect();
    let by_verb = acting(composer, mentions, &all);
    if !by_verb.is_empty() {
        return by_verb;
    }
    let noun = mentions.get(at).map(|noun| agents_of(composer, noun)).unwrap_or_default();
    let by_noun = doing(composer, &noun, &all);
    if !by_noun.is_empty() {
        return by_noun;
    }
    let acts = |table: &TableId| {
        let last = composer.schema.profile(*table).stems.last();
        holds_persons(composer.schema, *table)
            || last.is_some_and(|last| composer.lexicon.is_agent(last))
    };
    let near = |table: &TableId| composer.schema.distance(done, *table) == Some((1, false));
    all.into_iter().filter(|table| acts(table) && near(table)).collect()
}

/// "Who treated the most patients": the treatments link those who are asked for with the rows that are counted.
pub(super) fn link_by_deeds(
    composer: &Composer<'_>,
    frame: &mut Frame,
    mentions: &[Mention],
    person: TableId,
) {
    let Some((counted, noun)) = rows_done(frame) else { return };
    let refers = |table: &TableId| {
        let mut edges = composer.schema.edges(*table).iter();
        edges.any(|edge| edge.forward && edge.to == person)
    };
    let done = (1..noun.min(mentions.len())).find_map(|at| {
        let table = match mentions[at].readings.first()?.target {
            Target::Table(table) => table,
            Target::Column(column) if is_date(composer, column) => column.table,
            _ => return None,
        };
        let deeds = table != counted && table != person && refers(&table);
        deeds.then_some((at, table))
    });
    let Some((at, done)) = done else { return };
    frame.through.extend([(done, person), (done, counted)]);
    let said = |condition: &Condition| matches!(condition, Condition::Set { at: set, negated: false } if *set == at);
    if frame.conditions.iter().any(said) {
        frame.conditions.retain(|condition| !said(condition));
        frame.related.push(Related { table: done, at, how: TableUse::With });
    }
}

fn is_date(composer: &Composer<'_>, column: ColumnId) -> bool {
    composer.catalog.column_at(column).data_type.is_temporal()
}

/// Whether a word is a verb for what all of these tables do: "delivered" for shippers.
pub(super) fn says_who(
    composer: &Composer<'_>,
    mentions: &[Mention],
    at: usize,
    tables: &[TableId],
) -> bool {
    let agents = agents_at(composer, mentions, at);
    doing(composer, &agents, tables).len() == tables.len()
}

/// Rows that are missing or counted, with their mention.
fn rows_done(frame: &Frame) -> Option<(TableId, usize)> {
    let missed = frame.related.iter().find(|related| related.how == TableUse::Without);
    missed.map(|missed| (missed.table, missed.at)).or_else(|| {
        match frame.superlative.as_ref()?.by {
            Some(Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at }) => {
                Some((table, at))
            }
            _ => None,
        }
    })
}

/// "who handled the most complaints": the complaints are counted for each of those who are asked for, which is still to
/// be decided. False where the question asks for something else.
pub(super) fn turn_to_most(frame: &mut Frame, mentions: &[Mention]) -> bool {
    let outputs = frame.outputs.iter().filter(|output| asked(mentions) != Some(**output));
    let plain = frame.measures.is_empty() && outputs.count() == 0 && frame.groups.is_empty();
    let Some(superlative) = &mut frame.superlative else { return false };
    let rows = matches!(
        superlative.by,
        Some(Measure { target: MeasureTarget::Count(CountTarget::Rows(_)), .. })
    );
    if asked(mentions).is_some() && plain && rows && superlative.by_count && frame.head.is_none() {
        frame.outputs.clear();
        return true;
    }
    let Some((things, at)) = frame.head else { return false };
    let between = superlative.at + 1..at.min(mentions.len());
    let behind =
        superlative.at < at && mentions[between].iter().all(|between| between.is(Lexical::Filler));
    // "who ordered Chai most often": the rows that record what was done are counted.
    let done = || {
        let first = mentions.get(at).and_then(|mention| mention.readings.first());
        at < superlative.at && first.is_some_and(|first| first.target == Target::Table(things))
    };
    let often = superlative.counted && done();
    let counted = superlative.by.is_none() && (superlative.by_count && behind || often);
    if asked(mentions).is_none() || !plain || !counted {
        return false;
    }
    let target = MeasureTarget::Count(CountTarget::Rows(things));
    superlative.by = Some(Measure { target, at });
    superlative.by_count = true;
    superlative.counted = false;
    frame.head = None;
    frame.outputs.clear();
    true
}

/// Tables whose rows do what the words behind "who" say.
fn acting(composer: &Composer<'_>, mentions: &[Mention], among: &[TableId]) -> Vec<TableId> {
    // A verb that is left out elsewhere, such as "placed", says here who acts.
    let mut said = (1..mentions.len()).filter(|at| !mentions[*at].is(Lexical::Not)).peekable();
    let filler = said.peek().copied().filter(|next| mentions[*next].is(Lexical::Filler));
    let agents = filler.map(|next| agents_at(composer, mentions, next)).unwrap_or_default();
    if !agents.is_empty() {
        return doing(composer, &agents, among);
    }
    let verb = said.find(|at| !mentions[*at].is(Lexical::Filler));
    verb.map(|verb| doing(composer, &agents_at(composer, mentions, verb), among))
        .unwrap_or_default()
}

/// The same for a verb at a place: those whom it only happens to are not meant where something stands behind it that it
/// is done to, as in "who treated Ada".
fn agents_at(composer: &Composer<'_>, mentions: &[Mention], at: usize) -> Vec<String> {
    let passive = mentions[..at].iter().any(|mention| mention.is(Lexical::Is));
    let mut behind = mentions[at + 1..].iter().filter(|mention| !mention.is(Lexical::Filler));
    let object = behind.next().is_some_and(|next| {
        let first = next.readings.first().map(|first| &first.target);
        next.is(Lexical::Most)
            || next.is(Lexical::Fewest)
            || next.time.is_none() && matches!(first, Some(Target::Value(..) | Target::Table(_)))
    });
    if passive || !object {
        return agents_of(composer, &mentions[at]);
    }
    let folded = fold(&mentions[at].phrase);
    let word = folded.split(' ').next().unwrap_or_default();
    composer.lexicon.doers_of(word).map(stem).collect()
}

/// Last words of the names of tables whose rows do what a mention says, stemmed.
fn agents_of(composer: &Composer<'_>, mention: &Mention) -> Vec<String> {
    let folded = fold(&mention.phrase);
    let word = folded.split(' ').next().unwrap_or_default();
    composer.lexicon.agents_of(word).map(stem).collect()
}

fn doing(composer: &Composer<'_>, agents: &[String], among: &[TableId]) -> Vec<TableId> {
    let acts = |table: &TableId| {
        let head = composer.schema.profile(*table).stems.last();
        head.is_some_and(|head| agents.contains(head))
    };
    among.iter().copied().filter(acts).collect()
}

/// "who ordered Chai": the rows that record what was done only say who did it, where one table does it.
pub(super) fn turn_to_agents(composer: &Composer<'_>, frame: &mut Frame, mentions: &[Mention]) {
    let Some((done, at)) = frame.head.filter(|(_, at)| {
        asked(mentions).is_some() && *at < 3 + usize::from(frame.superlative.is_some())
    }) else {
        return;
    };
    let recorded = mentions.get(at).is_some_and(|mention| {
        let first = mention.readings.first().map(|reading| &reading.target);
        first == Some(&Target::Table(done))
    });
    let plain = frame.measures.is_empty() && frame.outputs.is_empty() && frame.groups.is_empty();
    if !recorded || !plain {
        return;
    }
    let parents: Vec<TableId> = composer
        .schema
        .edges(done)
        .iter()
        .filter(|edge| edge.to_one && edge.forward && edge.to != done)
        .map(|edge| edge.to)
        .collect();
    let mut acting = acting(composer, mentions, &parents);
    acting.dedup();
    // "who has the largest wound": the only persons that the rows belong to.
    let persons = holds_persons(composer.schema, done);
    let acts = |table: &TableId| {
        let stems = &composer.schema.profile(*table).stems;
        holds_persons(composer.schema, *table)
            || stems.last().is_some_and(|last| composer.lexicon.is_agent(last))
    };
    if acting.is_empty() && frame.superlative.is_some() && !persons {
        acting.extend(parents.iter().copied().filter(acts));
    }
    if let [only] = acting.as_slice() {
        // "Who assessed the most wounds": those who did it are ranked by what they did it to.
        if frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some()) {
            frame.head = Some((*only, usize::MAX));
            frame.related.push(Related { table: done, at, how: TableUse::With });
            link_by_deeds(composer, frame, mentions, *only);
            return;
        }
        // "Who placed the latest order": the orders are ranked, and the first one says who.
        if frame.superlative.is_some() {
            frame.output_tables.push((*only, at));
            return;
        }
        frame.head = Some((*only, usize::MAX));
        let how = if deny_events(frame, mentions, at) { TableUse::Without } else { TableUse::With };
        frame.related.push(Related { table: done, at, how });
    }
}

/// "who hasn't ordered since June": the events are denied, and not their date. False where nothing is denied.
fn deny_events(frame: &mut Frame, mentions: &[Mention], verb: usize) -> bool {
    let denied =
        mentions[..verb.min(mentions.len())].iter().any(|mention| mention.is(Lexical::Not));
    let unset = |condition: &Condition| matches!(condition, Condition::Set { at, negated: true } | Condition::Null { at, negated: false } if *at == verb);
    let dated = frame.times.iter().any(|time| time.negated);
    if !denied || !(dated || frame.conditions.iter().any(unset)) {
        return false;
    }
    frame.conditions.retain(|condition| !unset(condition));
    for time in &mut frame.times {
        time.negated = false;
    }
    true
}

/// "who hasn't ordered since June", where the verb names the date of the orders: those who have none of that time.
pub(super) fn turn_from_denied_date(
    composer: &Composer<'_>,
    frame: &mut Frame,
    mentions: &[Mention],
) {
    let plain = frame.measures.is_empty()
        && frame.outputs.is_empty()
        && frame.groups.is_empty()
        && frame.related.is_empty()
        && frame.superlative.is_none();
    let of_events = |date: ColumnId| frame.head.is_none_or(|(head, _)| head == date.table);
    let [time] = frame.times.as_mut_slice() else { return };
    let dated = time.column.and_then(|at| Some((mentions.get(at)?.readings.first()?, at)));
    let Some((Target::Column(date), at)) = dated.map(|(first, at)| (&first.target, at)) else {
        return;
    };
    if asked(mentions).is_none() || !plain || !time.negated || !of_events(*date) {
        return;
    }
    let edges = composer.schema.edges(date.table).iter();
    let parents: Vec<TableId> = edges
        .filter(|edge| edge.to_one && edge.forward && edge.to != date.table)
        .map(|edge| edge.to)
        .collect();
    let mut agents = acting(composer, mentions, &parents);
    agents.dedup();
    if let [only] = agents.as_slice() {
        time.negated = false;
        frame.head = Some((*only, usize::MAX));
        frame.related.push(Related { table: date.table, at, how: TableUse::Without });
    }
}

/// "who has no orders": the rows that are missing say whose they would be, and who that is can be asked.
pub(super) fn turn_to_missed(frame: &mut Frame, mentions: &[Mention]) {
    let lacks = frame.related.iter().any(|related| related.how == TableUse::Without);
    if asked(mentions).is_some() && frame.head.is_none() && lacks {
        frame.blocked.retain(|blocked| blocked.reason != MISSING_FROM_NOTHING);
    }
}

/// "who is currently admitted": the only persons whom rows with that date belong to.
pub(super) fn turn_from_event(composer: &Composer<'_>, frame: &mut Frame, mentions: &[Mention]) {
    let [at] = frame.outputs[..] else { return };
    let column = mentions.get(at).and_then(|mention| mention.readings.first());
    let Some(Target::Column(column)) = column.map(|reading| &reading.target) else { return };
    let plain = frame.head.is_none()
        && frame.measures.is_empty()
        && frame.groups.is_empty()
        && frame.superlative.is_none();
    let happened = composer.catalog.column_at(*column).data_type.is_temporal()
        && !holds_persons(composer.schema, column.table);
    if asked(mentions).is_none() || !plain || !happened {
        return;
    }
    let persons = || {
        let edges = composer.schema.edges(column.table).iter();
        edges.filter(|edge| edge.to_one && edge.forward && holds_persons(composer.schema, edge.to))
    };
    let mut named = persons().filter(|edge| edge.plain);
    let only = named.next().filter(|_| named.next().is_none());
    if let Some(edge) = only {
        frame.outputs.clear();
        frame.head = Some((edge.to, usize::MAX));
        frame.conditions.push(Condition::Set { at, negated: false });
    }
}

/// "who has the highest salary in each department": the persons with that figure, and not the figure of each group.
pub(super) fn turn_to_first_of_each(
    composer: &Composer<'_>,
    frame: &mut Frame,
    mentions: &[Mention],
) {
    let [Measure { target: MeasureTarget::Aggregate(end), at }] = frame.measures[..] else {
        return;
    };
    let descending = match end {
        Aggregate::Maximum => true,
        Aggregate::Minimum => false,
        _ => return,
    };
    let first = mentions.get(at).and_then(|mention| mention.readings.first());
    let Some(Target::Column(column)) = first.map(|reading| &reading.target) else { return };
    let persons = column.table;
    let of_persons = holds_persons(composer.schema, persons)
        && frame.head.is_none_or(|(head, _)| head == persons);
    let in_groups = matches!(frame.groups[..], [Group::Table(..) | Group::Thing(_)]);
    if asked(mentions).is_none() || !of_persons || !in_groups || frame.superlative.is_some() {
        return;
    }
    frame.measures.clear();
    frame.head = frame.head.or(Some((persons, usize::MAX)));
    frame.superlative = Some(Superlative::by_own(at, descending));
    frame.top_of_each = true;
}

/// "who earns the most in the IT department": the table behind the preposition says where the persons are that are
/// ranked.
pub(super) fn turn_from_place(composer: &Composer<'_>, frame: &mut Frame, mentions: &[Mention]) {
    let Some((place, at)) = frame.head.filter(|_| asked(mentions).is_some()) else { return };
    let Some(ranked) = frame.superlative.as_ref().filter(|ranked| ranked.at < at) else { return };
    let inside = mentions[ranked.at..at.min(mentions.len())]
        .iter()
        .any(|mention| mention.is(Lexical::In) || mention.is(Lexical::Of));
    let roles = &ranked.roles;
    if !inside || roles.is_empty() || ranked.by.is_some() || holds_persons(composer.schema, place) {
        return;
    }
    let mut persons = composer.schema.ids().filter(|table| {
        let ranks = || {
            let columns = 0..composer.catalog.table_at(*table).columns.len();
            let mut columns =
                columns.map(|column| ColumnId { table: *table, column: column as u16 });
            columns.any(|column| roles.iter().any(|role| composer.schema.has_role(column, *role)))
        };
        holds_persons(composer.schema, *table)
            && composer.schema.distance(*table, place) == Some((1, false))
            && ranks()
    });
    if let (Some(only), None) = (persons.next(), persons.next()) {
        frame.head = Some((only, usize::MAX));
        frame.related.push(Related { table: place, at, how: TableUse::Path });
    }
}
