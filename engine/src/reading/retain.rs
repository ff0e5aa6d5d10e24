//! Readings that the words around a mention rule out.

use std::collections::BTreeSet;

use super::neighbours::{is_denied, owner_after, table_of};
use crate::confidence::Method;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Mention, Reading, SchemaIndex, TableId, Target};

/// Keeps the readings of a mention that its context allows.
pub(super) fn retain_possible(
    schema: &SchemaIndex,
    head: Option<TableId>,
    mentions: &mut [Mention],
    at: usize,
) {
    if mentions[at].vague.is_some() {
        // "clinicians with completed appointments": said of the rows right behind.
        let behind = mentions.get(at + 1).filter(|next| {
            next.tokens.start == mentions[at].tokens.end
                && next.readings.first().is_some_and(|reading| {
                    matches!(reading.method, Method::Exact | Method::Stem | Method::Synonym)
                })
        });
        let said_of = behind.and_then(table_of).or(head);
        keep_what_defines(schema, said_of, &mut mentions[at]);
    }
    keep_denied_date(schema, head, mentions, at);
    drop_unlikely(schema, head, &mut mentions[at]);
    keep_things_of_owner(schema, mentions, at);
    prefer_column_of_value(mentions, at);
    prefer_value_of_column(mentions, at);
    prefer_name(schema, mentions, at);
}

/// "not resolved yet" says that the rows have no such date, whatever their status is.
fn keep_denied_date(
    schema: &SchemaIndex,
    head: Option<TableId>,
    mentions: &mut [Mention],
    at: usize,
) {
    let date = |reading: &Reading| match reading.target {
        Target::Column(column) => Some(column.table) == head && schema.holds_dates(column),
        _ => false,
    };
    // "Not shipped, cancelled" sets one value against another.
    let contrasted = mentions.get(at + 1).is_some_and(|next| {
        next.readings.first().is_some_and(|first| matches!(first.target, Target::Value(..)))
    });
    if is_denied(mentions, at) && !contrasted && mentions[at].readings.iter().any(date) {
        mentions[at].readings.retain(date);
    }
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
    // "Open things", where `timed_status_of_things` records the states of things.
    let records = |column: ColumnId| {
        head.is_some_and(|head| {
            let stems = &schema.profile(column.table).stems;
            schema.has_role(column, Role::Status)
                && schema.distance(head, column.table) == Some((1, true))
                && schema.profile(head).stems.iter().all(|own| stems.contains(own))
        })
    };
    // "Active subscriptions" are not those of active accounts: that is the state of another thing.
    let of_another = |column: ColumnId| {
        head.is_some_and(|head| head != column.table) && schema.has_role(column, Role::Status)
    };
    mention.readings.retain(|reading| match &reading.target {
        Target::Value(column, _) => near(column.table) && !of_another(*column) || records(*column),
        Target::Column(column) => schema.is_flag(*column) && near(column.table),
        Target::Metric(_) => true,
        Target::Table(_) | Target::Label(_) => superlative,
    });
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
    // A misspelt name of its own, "in Berlim", means that name wherever it is stored; a number of an order does not.
    let misspelt_name = mention.tokens.start > 0
        && mention.phrase.starts_with(char::is_uppercase)
        && !mention.phrase.contains(|letter: char| letter.is_ascii_digit())
        && mention.readings.iter().all(|reading| reading.method == Method::ValueFuzzy);
    let several = mention.tokens.len() > 1;
    mention.readings.retain(|reading| match &reading.target {
        // "Orders with gloves" name products.
        Target::Value(column, _) if reading.method == Method::ValueWord => {
            head.is_none_or(|head| schema.distance(head, column.table).is_some())
        }
        Target::Value(column, _)
            if matches!(reading.method, Method::ValueFuzzy | Method::ValuePart) =>
        {
            let reached = (only_inflected || misspelt_name)
                && head.is_none_or(|head| schema.distance(head, column.table).is_some());
            let prose =
                schema.has_role(*column, Role::FreeText) && !(several && inflected(reading));
            // "Customers who bought poultry" name a category of products.
            let of_kind = reading.method == Method::ValuePart
                && schema.profile(column.table).label.contains(column)
                && schema.rows_of_kind(column.table).is_some()
                && head.is_none_or(|head| schema.distance(head, column.table).is_some());
            (near(column.table) || reached || of_kind) && !prose
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

/// Of readings of words right behind the name of a column, the values of that column: "status shipped", "status is
/// shipped", although a date is called "shipped" too.
fn prefer_value_of_column(mentions: &mut [Mention], at: usize) {
    let mut end = mentions[at].tokens.start;
    let mut named = None;
    for before in mentions[..at].iter().rev() {
        if before.tokens.end < end {
            return;
        }
        end = before.tokens.start;
        if !before.is(Lexical::Filler) && !before.is(Lexical::Is) {
            named = before.readings.first().map(|first| first.target.clone());
            break;
        }
    }
    let Some(Target::Column(named)) = named else { return };
    let holds = |reading: &Reading| {
        reading.method == Method::ValueExact
            && matches!(&reading.target, Target::Value(column, _) if *column == named)
    };
    if mentions[at].readings.iter().any(holds) {
        mentions[at].readings.retain(holds);
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
