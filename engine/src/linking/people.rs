//! Full names: a first and a last name side by side are those of one person.

use std::collections::BTreeSet;

use wherefore_english::singular;

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::{Lexical, Lexicon};
use super::mention::{Mention, Reading};
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::data::Role;
use crate::dictionary::Dictionary;
use crate::text::{fold, stem};

/// Words for persons of any kind.
const PEOPLE: [&str; 5] = ["individual", "individuals", "people", "person", "persons"];

/// Keeps, of the stored values of two mentions side by side, those of tables in which they are parts of one name:
/// "Ada Lovelace" where one table has both and another only people called Lovelace.
pub(crate) fn join_full_names(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let (first, last) = (&mentions[at - 1], &mentions[at]);
        if first.tokens.end != last.tokens.start {
            continue;
        }
        let pairs: Vec<(f64, TableId)> = parts(schema, first)
            .flat_map(|(one, score)| {
                parts(schema, last)
                    .filter(move |(other, _)| one.table == other.table && one != *other)
                    .map(move |(other, more)| (score + more, other.table))
            })
            .collect();
        let Some(best) = pairs.iter().map(|(score, _)| *score).reduce(f64::max) else { continue };
        let tables: Vec<TableId> = pairs
            .iter()
            .filter(|(score, _)| best - score < 0.05)
            .map(|(_, table)| *table)
            .collect();
        for mention in &mut mentions[at - 1..=at] {
            mention.readings.retain(|reading| match &reading.target {
                Target::Value(column, _) => {
                    tables.contains(&column.table) && is_part(schema, *column)
                }
                _ => true,
            });
        }
    }
}

/// Columns of which a mention is a value, where they are one of several parts of the name of a row.
fn parts<'a>(
    schema: &'a SchemaIndex,
    mention: &'a Mention,
) -> impl Iterator<Item = (ColumnId, f64)> + 'a {
    mention.readings.iter().filter_map(|Reading { target, score, .. }| match target {
        Target::Value(column, _) => is_part(schema, *column).then_some((*column, *score)),
        _ => None,
    })
}

fn is_part(schema: &SchemaIndex, column: ColumnId) -> bool {
    let label = &schema.profile(column.table).label;
    label.len() > 1 && label.contains(&column)
}

/// Ties a word for persons that nothing is called to the tables whose persons do the same: "employees" to `staff`.
pub(crate) fn tie_persons_alike(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for mention in mentions {
        if !mention.is_unknown() || mention.tokens.len() > 1 {
            continue;
        }
        let said = singular(&fold(&mention.phrase));
        // Of several groups of agents the smallest says most: a vendor is a supplier before an employee who sells.
        let mut groups: Vec<&BTreeSet<String>> = lexicon.acting_alike(&said).collect();
        crate::order::by_key(&mut groups, |alike| alike.len());
        let tables = groups.into_iter().find_map(|alike| {
            let alike: Vec<String> = alike.iter().map(|word| stem(word)).collect();
            let acts = |table: &TableId| {
                let profile = schema.profile(*table);
                !profile.is_view && profile.stems.last().is_some_and(|head| alike.contains(head))
            };
            let tables: Vec<TableId> = schema.ids().filter(acts).collect();
            (!tables.is_empty()).then_some(tables)
        });
        for table in tables.into_iter().flatten() {
            mention.add(Target::Table(table), Method::Related, Method::Related.base());
        }
    }
}

/// Ties "people" to the tables of persons, those that do what the verb behind it says if it says it of some: "how many
/// people work in Linz", "departments with more than 5 people".
pub(crate) fn tie_people(
    catalog: &Catalog,
    schema: &SchemaIndex,
    lexicon: &Lexicon,
    dictionary: &Dictionary,
    mentions: &mut [Mention],
) {
    for at in 0..mentions.len() {
        let mention = &mentions[at];
        let before = mentions[..at].iter().rev().find(|before| before.lexical != [Lexical::Filler]);
        let asked = [
            Lexical::Count,
            Lexical::Fewest,
            Lexical::List,
            Lexical::Most,
            Lexical::Of,
            Lexical::Share,
        ];
        let asks = before.is_none_or(|before| {
            before.number.is_some()
                || before.superlative.is_some()
                || asked.iter().any(|kind| before.is(*kind))
        });
        let said = PEOPLE.contains(&mention.phrase.to_lowercase().as_str());
        let tied = mention.readings.first().is_some_and(|reading| reading.method.is_whole());
        // A column of a broader or narrower word, such as the role of a user, is no person.
        let column = |reading: &Reading| {
            reading.method.is_by_meaning() && matches!(reading.target, Target::Column(_))
        };
        let misled = mention.readings.first().is_some_and(column);
        if !said || !asks && !misled || tied {
            continue;
        }
        let tables = || (0..catalog.tables.len()).map(|table| TableId(table as u16));
        let persons: Vec<TableId> =
            tables().filter(|table| holds_persons(schema, *table)).collect();
        let behind = mentions[at + 1..]
            .iter()
            .find(|mention| !mention.is(Lexical::Where) && !mention.is(Lexical::Is));
        let verb = behind.map(|verb| fold(&verb.phrase)).unwrap_or_default();
        let agents: Vec<String> = lexicon.agents_of(&verb).map(stem).collect();
        let acts = |table: &TableId| {
            let profile = schema.profile(*table);
            !profile.is_view && profile.stems.last().is_some_and(|head| agents.contains(head))
        };
        let acting: Vec<TableId> = tables().filter(acts).collect();
        let mut tables = if acting.is_empty() { persons } else { acting };
        // "people with diabetes": those of whom something is said.
        let said_of = |table: &TableId| {
            mentions.iter().enumerate().any(|(other, mention)| {
                other != at && mention.readings.first().is_some_and(|reading| {
                    matches!(reading.target, Target::Column(column) if column.table == *table)
                })
            })
        };
        if tables.iter().any(said_of) {
            tables.retain(said_of);
        }
        // "people in care": those who can be in that state.
        let state = mentions.get(at + 1).and_then(|next| dictionary.terms.get(next.vague?));
        let can_be = |table: &TableId| {
            state.is_none_or(|term| {
                let mut roles = schema.profile(*table).roles.iter().flatten();
                roles.any(|role| term.roles.contains(role))
            })
        };
        if tables.iter().any(can_be) {
            tables.retain(can_be);
        }
        let (method, mention) = (Method::Kin, &mut mentions[at]);
        if !tables.is_empty() {
            mention.lexical.clear();
            mention.readings.clear();
        }
        for table in tables {
            mention.add(Target::Table(table), method, method.base());
        }
    }
}

/// Whether rows of a table are persons: they have a first and a last name.
pub(crate) fn holds_persons(schema: &SchemaIndex, table: TableId) -> bool {
    let profile = schema.profile(table);
    let has = |words: &[&str]| {
        let columns = 0..profile.columns.len() as u16;
        let mut columns = columns.map(|column| ColumnId { table, column });
        columns.any(|column| {
            schema.has_role(column, Role::Name)
                && schema.words_of(column).iter().any(|own| words.contains(&own.as_str()))
        })
    };
    let named = profile.label.len() > 1
        && profile.label.iter().all(|column| schema.has_role(*column, Role::Name));
    !profile.is_view
        && (named || has(&["first", "given", "fore"]) && has(&["last", "family", "sur", "surname"]))
}

/// Keeps, of the stored values behind "by", those that name who made something: "songs by Queen".
pub(crate) fn prefer_makers(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let before = mentions[at - 1].phrase.to_lowercase();
        let maker = |reading: &Reading| match &reading.target {
            Target::Value(column, _) => {
                lexicon.names_makers(&schema.profile(column.table).stems)
                    || lexicon.names_makers(schema.stems_of(*column))
            }
            _ => false,
        };
        let mention = &mut mentions[at];
        let values = |reading: &Reading| matches!(reading.target, Target::Value(..));
        let by = before.split(' ').next_back() == Some("by");
        if by && mention.readings.iter().any(maker) && mention.readings.iter().all(values) {
            mention.readings.retain(maker);
        }
    }
}

/// Keeps, of the values that say what somebody is, those of persons where the question names no other rows that have it:
/// "sales managers" are employees before they are contacts of customers.
pub(crate) fn prefer_persons(schema: &SchemaIndex, mentions: &mut [Mention]) {
    let named: BTreeSet<TableId> = mentions
        .iter()
        .flat_map(|mention| &mention.readings)
        .filter(|reading| !matches!(reading.target, Target::Value(..)))
        .filter_map(|reading| reading.target.table())
        .collect();
    for mention in mentions {
        let mut tables = mention.readings.iter().filter_map(|reading| match &reading.target {
            Target::Value(column, _) => Some(column.table),
            _ => None,
        });
        let several = tables.clone().collect::<BTreeSet<_>>().len() > 1;
        let persons = |reading: &Reading| match &reading.target {
            Target::Value(column, _) => {
                !schema.profile(column.table).label.contains(column)
                    && schema.tells_a_persons_post(*column)
            }
            _ => false,
        };
        let posts = mention.readings.iter().all(|reading| match &reading.target {
            Target::Value(column, _) => schema.tells_a_post(*column),
            _ => false,
        });
        let free = !tables.any(|table| named.contains(&table));
        if several && posts && free && mention.readings.iter().any(persons) {
            mention.readings.retain(persons);
        }
    }
}

impl SchemaIndex {
    /// Whether a column says what the persons of its table do.
    pub(super) fn tells_a_persons_post(&self, column: ColumnId) -> bool {
        holds_persons(self, column.table) && self.tells_a_post(column)
    }
}

/// Keeps, of the values of a subject, those that name rows: "how many orders did Ada place" is about a customer, even if
/// orders have a column with the same name.
pub(crate) fn prefer_subjects(schema: &SchemaIndex, lexicon: &Lexicon, mentions: &mut [Mention]) {
    for at in 1..mentions.len() {
        let before = mentions[at - 1].phrase.to_lowercase();
        let helped = before.split(' ').next_back().is_some_and(|word| lexicon.is_auxiliary(word));
        let named = |target: &Target| match target {
            Target::Value(column, _) => schema.profile(column.table).label.contains(column),
            _ => false,
        };
        let mention = &mut mentions[at];
        if helped && mention.readings.iter().any(|reading| named(&reading.target)) {
            mention.readings.retain(|reading| {
                !matches!(reading.target, Target::Value(..)) || named(&reading.target)
            });
        }
    }
}
