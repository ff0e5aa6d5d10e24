//! Context: readings ranked by how near they are to the table that is asked about.

use std::collections::BTreeSet;

use crate::confidence::Method;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Mention, Reading, SchemaIndex, TableId, Target};

/// Score lost for every join between a reading and the table asked about.
const JOIN_PENALTY: f64 = 0.12;
/// Score lost where the way there leads to many rows.
const TO_MANY_PENALTY: f64 = 0.1;
/// Score a stored value loses for every join beyond the first: values are told apart by asking, not by distance.
const FURTHER_VALUE_PENALTY: f64 = 0.02;
/// Score a stored value wins where the words before call for one.
const VALUE_BONUS: f64 = 0.25;
/// Score lost by a stored identifier that only looks like the words when case is ignored.
const IDENTIFIER_PENALTY: f64 = 0.2;
/// Score lost by a part of the name of a table that only links others.
const BRIDGE_PENALTY: f64 = 0.2;
/// Score lost where no way leads there.
const UNREACHABLE_PENALTY: f64 = 0.4;
/// Score won by a thing of a table that stands beside it ("name of each artist").
const POSSESSION_BONUS: f64 = 0.3;

/// Score won by a number where one is computed with ("the average price").
const NUMBER_BONUS: f64 = 0.08;

/// Ranks the readings of all mentions anew, and gives back the table asked about.
///
/// `measured` is the table that a metric or concept of the question is computed from.
pub(crate) fn context_scores(
    schema: &SchemaIndex,
    mentions: &mut [Mention],
    measured: Option<TableId>,
) -> Option<TableId> {
    let head = provisional_head(schema, mentions, measured);
    let tables: Vec<(usize, TableId)> = mentions
        .iter()
        .enumerate()
        .filter_map(|(at, mention)| match mention.readings.first()?.target {
            Target::Table(table) => Some((at, table)),
            _ => None,
        })
        .collect();
    let named = head.and_then(|head| {
        mentions.iter().position(|mention| {
            mention.readings.first().is_some_and(|first| first.target == Target::Table(head))
        })
    });
    for at in 0..mentions.len() {
        if mentions[at].vague.is_some() {
            keep_what_defines(schema, head, &mut mentions[at]);
        }
        drop_unlikely(schema, head, &mut mentions[at]);
        keep_things_of_owner(schema, mentions, at);
        prefer_column_of_value(mentions, at);
        prefer_name(schema, mentions, at);
        let expects_value = expects_value(mentions, at);
        if mentions[at].readings.len() < 2 {
            continue;
        }
        let names_head = names_several_tables(head, &mentions[at]);
        let beside = possessor(mentions, at);
        let qualified = mentions.get(at + 1).and_then(|next| match next.readings.first()?.target {
            Target::Table(table) => Some(table),
            _ => None,
        });
        let computed = is_computed(mentions, at);
        let phrase = mentions[at].phrase.clone();
        for reading in &mut mentions[at].readings {
            let Some(table) = reading.target.table() else { continue };
            if computed
                && matches!(reading.target, Target::Column(column) if schema.is_number(column))
            {
                reading.score += NUMBER_BONUS;
            }
            let flag = matches!(reading.target, Target::Column(column) if schema.is_flag(column));
            if beside == Some(table) || flag && qualified == Some(table) {
                reading.score += POSSESSION_BONUS;
                continue;
            }
            if matches!(reading.target, Target::Table(_))
                && matches!(reading.method, Method::Head | Method::Modifier)
                && schema.profile(table).is_bridge
            {
                reading.score -= BRIDGE_PENALTY;
            }
            let whole = matches!(reading.target, Target::Table(_))
                && (names_head
                    || named == Some(at)
                    || !matches!(reading.method, Method::Head | Method::Modifier));
            if let Some(head) = head
                && !whole
            {
                let nearest = tables
                    .iter()
                    .filter(|(other, table)| *table != head && *other != at)
                    .map(|(_, other)| {
                        schema.distance(*other, table).map_or(9.0, |(joins, _)| joins as f64 + 0.5)
                    })
                    .fold(f64::INFINITY, f64::min);
                let own = match schema.distance(head, table) {
                    Some((joins, to_many)) => {
                        joins as f64 + if to_many { TO_MANY_PENALTY / JOIN_PENALTY } else { 0.0 }
                    }
                    None => UNREACHABLE_PENALTY / JOIN_PENALTY,
                };
                let joins = own.min(nearest).min(4.0);
                let stored = matches!(reading.target, Target::Value(..));
                reading.score -= if own * JOIN_PENALTY >= UNREACHABLE_PENALTY && nearest > 6.0 {
                    UNREACHABLE_PENALTY
                } else if stored && joins > 1.0 {
                    let further = joins.floor() - 1.0;
                    JOIN_PENALTY + FURTHER_VALUE_PENALTY * further + JOIN_PENALTY * joins.fract()
                } else {
                    JOIN_PENALTY * joins
                };
            }
            if let Target::Value(column, value) = &reading.target
                && schema.has_role(*column, Role::Identifier)
                && *value != phrase
            {
                reading.score -= IDENTIFIER_PENALTY;
            }
            let near = head.is_none_or(|head| {
                schema.distance(head, table).is_some_and(|(joins, to_many)| joins <= 1 && !to_many)
            });
            if expects_value && near && matches!(reading.target, Target::Value(..)) {
                reading.score += VALUE_BONUS;
            }
            if matches!(reading.target, Target::Value(..)) && schema.names_a_row(&reading.target) {
                reading.score += 0.02;
            }
        }
        share_labels(schema, head, &mut mentions[at]);
        mentions[at].rank();
    }
    head
}

/// "names of customers" are never those of rows that a customer may have several of; nor is another column, where
/// one is nearer.
fn keep_things_of_owner(schema: &SchemaIndex, mentions: &mut [Mention], at: usize) {
    let Some(owner) = owner_after(mentions, at) else { return };
    let phrase = mentions[at].phrase.to_lowercase();
    let own = |reading: &Reading| {
        reading
            .target
            .table()
            .is_none_or(|table| schema.distance(owner, table).is_none_or(|(_, to_many)| !to_many))
    };
    let things = mentions[at]
        .readings
        .iter()
        .all(|reading| matches!(reading.target, Target::Column(_) | Target::Label(_)));
    let name = phrase == "name" || phrase == "names";
    if things && (name || mentions[at].readings.iter().any(own)) {
        mentions[at].readings.retain(own);
    }
}

/// Table named behind "of", "for" or "of each" that follows at once.
fn owner_after(mentions: &[Mention], at: usize) -> Option<TableId> {
    let next = mentions.get(at + 1)?;
    let of = next.is(Lexical::Of)
        || next.is(Lexical::Group) && next.phrase.to_lowercase().starts_with("of ")
        || next.phrase.eq_ignore_ascii_case("corresponding to");
    let mut after = mentions[at + 2..].iter().skip_while(|mention| {
        mention.readings.is_empty()
            && [Lexical::Filler, Lexical::Group, Lexical::Everything, Lexical::Distinct]
                .iter()
                .any(|kind| mention.is(*kind))
    });
    match after.next().filter(|_| of)?.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    }
}

/// Of stored values behind "named", those that name rows.
fn prefer_name(schema: &SchemaIndex, mentions: &mut [Mention], at: usize) {
    let named = at.checked_sub(1).is_some_and(|before| {
        let phrase = mentions[before].phrase.to_lowercase();
        mentions[before].is(Lexical::Is)
            && ["name", "call", "title"].iter().any(|word| phrase.contains(word))
    });
    let is_name = |reading: &Reading| schema.names_a_row(&reading.target);
    if named && mentions[at].readings.iter().any(is_name) {
        mentions[at].readings.retain(is_name);
    }
}

/// Of columns that fit words before a stored value, those that hold the value: "document type Paper".
fn prefer_column_of_value(mentions: &mut [Mention], at: usize) {
    let Some(next) = (at + 1..mentions.len().min(at + 3))
        .find(|next| !mentions[*next].is(Lexical::Filler) && !mentions[*next].is(Lexical::Is))
    else {
        return;
    };
    let holding: BTreeSet<ColumnId> = mentions[next]
        .readings
        .iter()
        .filter_map(|reading| match reading.target {
            Target::Value(column, _) => Some(column),
            _ => None,
        })
        .collect();
    let holds = |reading: &Reading| matches!(reading.target, Target::Column(column) if holding.contains(&column));
    if mentions[at].readings.iter().any(holds)
        && mentions[at].readings.iter().all(|reading| matches!(reading.target, Target::Column(_)))
    {
        mentions[at].readings.retain(holds);
    }
}

/// Readings that only the distance makes likely: values that merely hold the word, in columns of prose or far
/// away, and things of views where a table has them as well.
fn drop_unlikely(schema: &SchemaIndex, head: Option<TableId>, mention: &mut Mention) {
    let near = |table: TableId| {
        head.is_none_or(|head| {
            schema.distance(head, table).is_some_and(|(joins, to_many)| joins <= 1 && !to_many)
        })
    };
    let inflected = |reading: &Reading| {
        reading.method == Method::ValueFuzzy && reading.score > Method::ValueFuzzy.base() - 0.01
    };
    let only_inflected = mention.readings.iter().all(inflected);
    let several = mention.tokens.len() > 1;
    mention.readings.retain(|reading| match &reading.target {
        Target::Value(column, _)
            if matches!(reading.method, Method::ValueFuzzy | Method::ValuePart) =>
        {
            let reached = only_inflected
                && head.is_none_or(|head| schema.distance(head, column.table).is_some());
            let prose =
                schema.has_role(*column, Role::FreeText) && !(several && inflected(reading));
            (near(column.table) || reached) && !prose
        }
        _ => true,
    });
    let is_view = |reading: &Reading| {
        reading.target.table().is_some_and(|table| schema.profile(table).is_view)
    };
    let stored = mention
        .readings
        .iter()
        .any(|reading| !is_view(reading) && reading.score >= mention.readings[0].score - 0.3);
    let exact_view = mention.readings.first().is_some_and(|first| {
        is_view(first) && first.method == Method::Exact && matches!(first.target, Target::Table(_))
    });
    if stored && !exact_view {
        mention.readings.retain(|reading| !is_view(reading));
    }
}

/// A name of the rows asked about that also names rows of another table is as likely to mean those:
/// "how many albums has Iron Maiden".
fn share_labels(schema: &SchemaIndex, head: Option<TableId>, mention: &mut Mention) {
    let exact = |reading: &Reading| {
        reading.method == Method::ValueExact && schema.names_a_row(&reading.target)
    };
    let other =
        mention.readings.iter().any(|reading| exact(reading) && reading.target.table() != head);
    if other {
        for reading in &mut mention.readings {
            if exact(reading) && reading.target.table() == head {
                reading.score -= JOIN_PENALTY - 0.02;
            }
        }
    }
}

/// Whether words are the last of the names of the table asked about and of others, so that each fits alike.
fn names_several_tables(head: Option<TableId>, mention: &Mention) -> bool {
    let heads = |reading: &&Reading| {
        reading.method == Method::Head && matches!(reading.target, Target::Table(_))
    };
    let mut tables = mention.readings.iter().filter(heads);
    let first = mention.readings.first().is_some_and(|reading| {
        reading.method == Method::Head
            && head.is_some_and(|head| reading.target == Target::Table(head))
    });
    first && tables.nth(1).is_some()
}

/// Whether the words before call for a value: "in Sales", "status is open", "open or picking".
fn expects_value(mentions: &[Mention], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &mentions[before]) else { return false };
    let value = |mention: &Mention| {
        mention.readings.first().is_some_and(|reading| matches!(reading.target, Target::Value(..)))
    };
    before.is(Lexical::In)
        || before.is(Lexical::Is)
        || before.is(Lexical::EqualTo)
        || (before.is(Lexical::Or) || before.is(Lexical::And))
            && at >= 2
            && value(&mentions[at - 2])
}

/// Whether an aggregate of the words is asked for: "the average price".
fn is_computed(mentions: &[Mention], at: usize) -> bool {
    let functions = [Lexical::Average, Lexical::Maximum, Lexical::Minimum, Lexical::Sum];
    mentions[..at]
        .iter()
        .rev()
        .find(|mention| !mention.is(Lexical::Filler) && !mention.is(Lexical::Of))
        .is_some_and(|before| functions.iter().any(|function| before.is(*function)))
}

/// A vague term is defined by a flag of that name, or by a stored value near the table asked about; other
/// things that happen to bear its name leave it vague.
fn keep_what_defines(schema: &SchemaIndex, head: Option<TableId>, mention: &mut Mention) {
    let near = |table: TableId| {
        head.is_none_or(|head| {
            schema.distance(head, table).is_some_and(|(joins, to_many)| joins <= 1 && !to_many)
        })
    };
    let superlative = mention.superlative.is_some();
    let own = |reading: &Reading| head.is_some() && reading.target.table() == head;
    if mention.readings.iter().any(own) {
        mention.readings.retain(own);
    }
    mention.readings.retain(|reading| match &reading.target {
        Target::Value(column, _) => near(column.table),
        Target::Column(column) => schema.is_flag(*column) && near(column.table),
        Target::Metric(_) => true,
        Target::Table(_) | Target::Label(_) => superlative,
    });
}

/// Table whose rows are probably asked about: the first named outside groupings and orderings.
fn provisional_head(
    schema: &SchemaIndex,
    mentions: &[Mention],
    measured: Option<TableId>,
) -> Option<TableId> {
    let table = |mention: &Mention| {
        mention.readings.first().and_then(|reading| match reading.target {
            Target::Table(table) => Some(table),
            Target::Label(table) if reading.method != Method::Head => Some(table),
            _ => None,
        })
    };
    let in_clause = |at: usize| {
        mentions[..at].iter().rev().take(2).any(|before| {
            [Lexical::Group, Lexical::By, Lexical::Order].iter().any(|kind| before.is(*kind))
        })
    };
    let named =
        (0..mentions.len()).filter(|&at| !in_clause(at)).find_map(|at| table(&mentions[at]));
    let anywhere = || mentions.iter().find_map(table);
    let of_columns = || {
        let mut counts: Vec<(usize, TableId)> = Vec::new();
        for mention in mentions {
            let Some(first) = mention.readings.first() else { continue };
            let near = first.score - 0.05;
            let readings = mention.readings.iter().take_while(|reading| reading.score >= near);
            let tables: BTreeSet<TableId> =
                readings.filter_map(|reading| reading.target.table()).collect();
            for table in tables {
                match counts.iter_mut().find(|(_, known)| *known == table) {
                    Some((count, _)) => *count += 1,
                    None => counts.push((1, table)),
                }
            }
        }
        let most = counts.iter().map(|(count, _)| *count).max()?;
        let mut best = counts
            .iter()
            .filter(|(count, table)| *count == most && !schema.profile(*table).is_view);
        match (best.next(), best.next()) {
            (Some((_, table)), None) => Some(*table),
            _ => None,
        }
    };
    let of_kind = || mentions.iter().find_map(|mention| schema.rows_of_plural(mention));
    named.or(measured).or_else(anywhere).or_else(of_kind).or_else(of_columns)
}

/// Table that owns the mention: "name of each artist", "the artist's name", "genre Rock", "Rock genre".
fn possessor(mentions: &[Mention], at: usize) -> Option<TableId> {
    let table = |mention: &Mention| match mention.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    };
    let skipped = |mention: &Mention| {
        [Lexical::Filler, Lexical::Group, Lexical::Everything, Lexical::Distinct]
            .iter()
            .any(|kind| mention.is(*kind))
            && mention.readings.is_empty()
    };
    let column = |mention: &Mention| {
        mention
            .readings
            .first()
            .is_some_and(|reading| matches!(reading.target, Target::Column(_) | Target::Label(_)))
    };
    let mut listed = at + 1;
    while mentions.get(listed).is_some_and(|mention| {
        column(mention) || mention.is(Lexical::And) && mentions.get(listed + 1).is_some_and(column)
    }) {
        listed += 1;
    }
    let mut after = mentions[listed..].iter().filter(|mention| !skipped(mention));
    let is_value = mentions[at]
        .readings
        .first()
        .is_some_and(|reading| matches!(reading.target, Target::Value(..)));
    let next = after.next();
    if listed > 0
        && !is_value
        && let Some(owner) = owner_after(mentions, listed - 1)
        && mentions[listed - 1..=listed].iter().any(|mention| mention.is(Lexical::Group))
    {
        return Some(owner);
    }
    if next.is_some_and(|mention| mention.is(Lexical::Of))
        && !is_value
        && let Some(owner) = after.next().and_then(table)
    {
        return Some(owner);
    }
    let before = mentions[..at].iter().rev().find(|mention| {
        !(mention.is(Lexical::Filler)
            || is_value && (mention.is(Lexical::Is) || mention.is(Lexical::In)))
    });
    let owner = before.and_then(table);
    let fits = |owner: TableId| {
        mentions[at].readings.iter().any(|reading| {
            reading.target.table() == Some(owner) && !matches!(reading.target, Target::Table(_))
        })
    };
    if let Some(owner) = owner.filter(|owner| fits(*owner)) {
        return Some(owner);
    }
    if is_value {
        return next.and_then(table).filter(|owner| fits(*owner));
    }
    described(mentions, at).filter(|owner| fits(*owner))
}

/// Table that a relative clause around the mention is about: "students with age 20 and the id 7", "whose id is 7".
fn described(mentions: &[Mention], at: usize) -> Option<TableId> {
    let mut relative = false;
    for mention in mentions[..at].iter().rev() {
        if let Some(Target::Table(table)) = mention.readings.first().map(|first| &first.target) {
            return relative.then_some(*table);
        }
        relative |= mention.is(Lexical::With) || mention.is(Lexical::Where);
        if mention.is(Lexical::Of) || mention.is(Lexical::Group) || mention.is(Lexical::By) {
            return None;
        }
    }
    None
}
