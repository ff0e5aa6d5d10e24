//! Verbs without an object whose deeds are recorded in rows of another name: "customers who bought in March" placed
//! orders in March.
//!
//! Valid: "customers who bought in 2024", "who hasn't purchased since May". Invalid, so that the verb only links two
//! things: "customers who placed orders", "do we buy from Spain", and "products bought in May", whose subject buys nothing.

use super::element::{TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::{Lexical, Lexicon};
use super::mention::{Act, Mention};
use crate::confidence::Method;
use crate::text::{fold, stem};

/// Words that stand for an object of any kind or for the asker, folded.
const ANY_OBJECT: [&str; 9] =
    ["anything", "at all", "ever", "from us", "here", "once", "something", "stuff", "with us"];

/// Words for the company itself, which does not buy what it sells.
const OURSELVES: [&str; 3] = ["i", "us", "we"];

/// Ties such verbs to the table that records their deeds.
pub(crate) fn tie_deeds(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let behind = object_of(&mentions[at + 1..]);
        if !is_untied(&mentions[at]) || behind == Behind::Other {
            continue;
        }
        let phrase = fold(&mentions[at].phrase);
        let recorded = phrase.split(' ').find_map(|word| {
            lexicon.deeds_of(word).find_map(|agents| {
                let called = |table: TableId, name: &str| {
                    let profile = schema.profile(table);
                    !profile.is_view && profile.stems.last().is_some_and(|last| *last == stem(name))
                };
                let subject = subject_of(&mentions[..at])?;
                let acting = |table: &TableId| {
                    agents.tables.iter().any(|name| called(*table, name))
                        && (subject == Subject::Anyone || subject == Subject::Rows(*table))
                };
                let acting: Vec<TableId> = schema.ids().filter(acting).collect();
                let deeds = agents.deeds.iter().map(|deed| (deed, false));
                let plans = agents.plans.iter().map(|plan| (plan, true));
                deeds.chain(plans).find_map(|(deed, planned)| {
                    let refers = |table: &TableId| {
                        called(*table, deed)
                            && acting
                                .iter()
                                .any(|of| schema.distance(*table, *of) == Some((1, false)))
                    };
                    let mut tables = schema.ids().filter(refers);
                    let table = tables.next()?;
                    let itself = behind == Behind::Rows(table);
                    (tables.next().is_none() && !itself).then_some((table, planned))
                })
            })
        });
        if let Some((table, planned)) = recorded {
            let mention = &mut mentions[at];
            mention.lexical.clear();
            mention.readings.clear();
            mention.add(Target::Table(table), Method::Related, Method::Related.base());
            mention.act = planned.then_some(Act::Planned);
        }
    }
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
fn subject_of(before: &[Mention]) -> Option<Subject> {
    let ours = before
        .last()
        .is_some_and(|last| fold(&last.phrase).split(' ').any(|word| OURSELVES.contains(&word)));
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
    /// Nothing, a period, or a stored value.
    Deed,
    /// The rows of a table.
    Rows(TableId),
    /// Anything else.
    Other,
}

fn object_of(behind: &[Mention]) -> Behind {
    let next = behind.iter().find(|mention| {
        let any = ANY_OBJECT.contains(&fold(&mention.phrase).as_str());
        !any && !mention.is(Lexical::Filler) && !mention.is(Lexical::In)
    });
    let Some(next) = next else { return Behind::Deed };
    match next.readings.first().map(|reading| &reading.target) {
        _ if next.time.is_some() => Behind::Deed,
        Some(Target::Value(..)) => Behind::Deed,
        Some(Target::Table(table)) => Behind::Rows(*table),
        _ => Behind::Other,
    }
}
