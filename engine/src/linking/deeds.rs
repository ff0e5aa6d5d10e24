//! Verbs whose events are recorded in a table of another name: "customers who bought in March" placed orders in March.
//!
//! Valid: "customers who bought in 2024", "who hasn't purchased since May". Invalid, so that the verb only links two
//! things: "customers who placed orders", "do we buy from Spain", and "products bought in May", whose subject buys nothing.

use super::element::{TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::{Lexical, Lexicon};
use super::mention::{Act, Mention};
use crate::confidence::Method;
use crate::data::Agents;
use crate::text::{fold, stem};

/// Ties such verbs to the table that records their events.
pub(crate) fn tie_deeds(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let behind = object_of(lexicon, &mentions[at + 1..]);
        if !is_untied(&mentions[at]) || behind == Behind::Other {
            continue;
        }
        let Some(subject) = subject_of(lexicon, &mentions[..at]) else { continue };
        let phrase = fold(&mentions[at].phrase);
        let mut senses = phrase.split(' ').flat_map(|word| lexicon.deeds_of(word));
        let recorded = senses.find_map(|agents| recorded(schema, agents, subject));
        if let Some((table, planned)) = recorded.filter(|(table, _)| behind != Behind::Rows(*table))
        {
            let mention = &mut mentions[at];
            mention.lexical.clear();
            mention.readings.clear();
            mention.add(Target::Table(table), Method::Related, Method::Related.base());
            mention.act = planned.then_some(Act::Planned);
        }
    }
}

/// The only table that records what a subject did and has a foreign key to it, and whether it only plans it.
fn recorded(schema: &SchemaIndex, agents: &Agents, subject: Subject) -> Option<(TableId, bool)> {
    let called = |table: TableId, name: &str| {
        let profile = schema.profile(table);
        !profile.is_view && profile.stems.last().is_some_and(|last| *last == stem(name))
    };
    let acts = |table: &TableId| {
        (subject == Subject::Anyone || subject == Subject::Rows(*table))
            && agents.tables.iter().any(|name| called(*table, name))
    };
    let acting: Vec<TableId> = schema.ids().filter(acts).collect();
    let refers =
        |table: TableId| acting.iter().any(|of| schema.distance(table, *of) == Some((1, false)));
    let deeds = agents.deeds.iter().map(|deed| (deed, false));
    let plans = agents.plans.iter().map(|plan| (plan, true));
    deeds.chain(plans).find_map(|(name, planned)| {
        let mut tables = schema.ids().filter(|table| called(*table, name) && refers(*table));
        let table = tables.next()?;
        tables.next().is_none().then_some((table, planned))
    })
}

/// Who does what a verb says.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Subject {
    /// The rows of a table.
    Rows(TableId),
    /// "Who", "anyone".
    Anyone,
}

/// The subject of the verb behind some mentions: the last thing named before it.
fn subject_of(lexicon: &Lexicon, before: &[Mention]) -> Option<Subject> {
    let ours = before
        .last()
        .is_some_and(|last| fold(&last.phrase).split(' ').any(|word| lexicon.is_ourselves(word)));
    let mut things = before.iter().rev().filter(|mention| mention.lexical.is_empty());
    let named = things.find_map(|mention| Some(&mention.readings.first()?.target));
    match named {
        _ if ours => None,
        Some(Target::Table(table)) => Some(Subject::Rows(*table)),
        Some(_) => None,
        None => Some(Subject::Anyone),
    }
}

/// Whether a verb is tied to nothing, or only links two things.
fn is_untied(mention: &Mention) -> bool {
    let links =
        mention.is_unknown() || mention.is(Lexical::Relation) || mention.is(Lexical::Filler);
    let loose = mention
        .readings
        .iter()
        .all(|reading| reading.method == Method::Fuzzy || !reading.method.is_whole());
    if mention.readings.is_empty() { links } else { loose }
}

/// What stands behind a verb.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Behind {
    /// The end of the question, a period, or a stored value: the verb stands for its events.
    Event,
    /// The rows of a table.
    Rows(TableId),
    /// Anything else.
    Other,
}

fn object_of(lexicon: &Lexicon, behind: &[Mention]) -> Behind {
    let next = behind.iter().find(|mention| {
        let any = lexicon.is_any_object(&fold(&mention.phrase));
        !any && !mention.is(Lexical::Filler) && !mention.is(Lexical::In)
    });
    let Some(next) = next else { return Behind::Event };
    match next.readings.first().map(|reading| &reading.target) {
        _ if next.time.is_some() => Behind::Event,
        Some(Target::Value(..)) => Behind::Event,
        Some(Target::Table(table)) => Behind::Rows(*table),
        _ => Behind::Other,
    }
}
