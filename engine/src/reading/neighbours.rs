//! Neighbours: what the words around a mention say about it.

use crate::linking::{Lexical, Mention, SchemaIndex, TableId, Target};

/// Table that the best reading of a mention is.
pub(super) fn table_of(mention: &Mention) -> Option<TableId> {
    match mention.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    }
}

/// Table that owns the mention: "name of each artist", "the artist's name", "genre Rock", "Rock genre".
pub(super) fn possessor(mentions: &[Mention], at: usize) -> Option<TableId> {
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
    if column(&mentions[at])
        && let Some(owner) = owner_of_list(mentions, listed)
    {
        return Some(owner);
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
        && let Some(owner) = after.next().and_then(table_of)
    {
        return Some(owner);
    }
    let before = mentions[..at].iter().rev().find(|mention| {
        !(mention.is(Lexical::Filler)
            || is_value && (mention.is(Lexical::Is) || mention.is(Lexical::In)))
    });
    let owner = before.and_then(table_of);
    let fits = |owner: TableId| {
        mentions[at].readings.iter().any(|reading| {
            reading.target.table() == Some(owner) && !matches!(reading.target, Target::Table(_))
        })
    };
    if let Some(owner) = owner.filter(|owner| fits(*owner)) {
        return Some(owner);
    }
    if is_value {
        return next.and_then(table_of).filter(|owner| fits(*owner));
    }
    described(mentions, at).filter(|owner| fits(*owner))
}

/// Table right beside a stored value that holds it, or whose rows refer to one that does: "German customers" in "orders
/// from German customers", "the London office" where offices refer to cities.
pub(super) fn noun_beside(
    schema: &SchemaIndex,
    mentions: &[Mention],
    at: usize,
) -> Option<TableId> {
    let mention = &mentions[at];
    let stored = |table: TableId| {
        mention.readings.iter().any(
            |reading| matches!(&reading.target, Target::Value(column, _) if column.table == table),
        )
    };
    let first = mention.readings.first()?;
    let adjacent = |next: &&Mention| next.tokens.start == mention.tokens.end;
    let noun = mentions.get(at + 1).filter(adjacent).and_then(table_of)?;
    if !matches!(first.target, Target::Value(..)) {
        return None;
    }
    if stored(noun) {
        // A key that holds the name of the row it refers to has the value too.
        let refers = mention.readings.iter().any(|reading| {
            matches!(&reading.target, Target::Value(column, _) if column.table != noun
                && schema.edges(column.table).iter().any(|edge| edge.forward
                    && edge.to == noun
                    && edge.from_columns == [column.column]))
        });
        return (!refers).then_some(noun);
    }
    let mut parents = schema.edges(noun).iter().filter(|edge| edge.to_one).map(|edge| edge.to);
    parents.find(|parent| stored(*parent))
}

/// "name, department and city of all employees": the table behind a list of columns and tables that starts at a mention.
fn owner_of_list(mentions: &[Mention], start: usize) -> Option<TableId> {
    let thing = |mention: &Mention| {
        let first = mention.readings.first().map(|reading| &reading.target);
        matches!(first, Some(Target::Column(_) | Target::Label(_) | Target::Table(_)))
    };
    let mut end = start;
    while mentions.get(end).is_some_and(|mention| {
        thing(mention) || mention.is(Lexical::And) && mentions.get(end + 1).is_some_and(thing)
    }) {
        end += 1;
    }
    let ends_with_thing = end > start && thing(&mentions[end - 1]);
    ends_with_thing.then(|| owner_after(mentions, end - 1)).flatten()
}

/// Table named behind "of", "for" or "of each" that follows at once.
pub(super) fn owner_after(mentions: &[Mention], at: usize) -> Option<TableId> {
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
    after.next().filter(|_| of).and_then(table_of)
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

/// Whether the words before call for a value: "in Sales", "status is open", "open or picking".
pub(super) fn expects_value(mentions: &[Mention], at: usize) -> bool {
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

/// Whether the words before ask for rows, and the words at a place are in the plural: "with no comments", "how many calls".
pub(super) fn asks_for_rows(mentions: &[Mention], at: usize) -> bool {
    let kinds = [Lexical::Without, Lexical::Count, Lexical::CountNoun];
    let mut before = mentions[..at].iter().rev().filter(|mention| !mention.is(Lexical::Filler));
    mentions[at].phrase.to_lowercase().ends_with('s')
        && before.next().is_some_and(|before| kinds.iter().any(|kind| before.is(*kind)))
}

/// Whether the words before deny what is done: "not resolved".
pub(super) fn is_denied(mentions: &[Mention], at: usize) -> bool {
    let done = mentions[at].tokens.len() == 1 && mentions[at].phrase.to_lowercase().ends_with("ed");
    done && at.checked_sub(1).is_some_and(|before| mentions[before].is(Lexical::Not))
}

/// Whether an aggregate of the words is asked for: "the average price".
pub(super) fn is_computed(mentions: &[Mention], at: usize) -> bool {
    let functions = [Lexical::Average, Lexical::Maximum, Lexical::Minimum, Lexical::Sum];
    mentions[..at]
        .iter()
        .rev()
        .find(|mention| !mention.is(Lexical::Filler) && !mention.is(Lexical::Of))
        .is_some_and(|before| functions.iter().any(|function| before.is(*function)))
}
