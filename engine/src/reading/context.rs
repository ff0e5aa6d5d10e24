//! Context: readings ranked by how near they are to the table that is asked about.

use std::collections::BTreeSet;

use super::neighbours::{
    asks_for_rows, expects_value, is_computed, noun_beside, possessor, table_of,
};
use super::retain::retain_possible;
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
/// Score won by a stored value that names a row.
const ROW_NAME_BONUS: f64 = 0.02;
/// Score won by rows that the rows asked about may have several of, behind "no" and "how many": "tickets with no comments".
const ROWS_BONUS: f64 = 0.25;
/// Score won by a number where one is computed with ("the average price").
const NUMBER_BONUS: f64 = 0.08;
/// Ranks the readings of all mentions anew, and gives back the table asked about.
///
/// `measured` is the table that a metric or concept of the question is computed from, and `recorded` the one where the
/// concept of a superlative such as "best selling" is recorded.
pub(crate) fn context_scores(
    schema: &SchemaIndex,
    mentions: &mut [Mention],
    measured: Option<TableId>,
    recorded: Option<TableId>,
) -> Option<TableId> {
    let head = provisional_head(schema, mentions, measured);
    let tables: Vec<(usize, TableId)> = mentions
        .iter()
        .enumerate()
        .filter_map(|(at, mention)| Some((at, table_of(mention)?)))
        .collect();
    for at in 0..mentions.len() {
        retain_possible(schema, head, mentions, at);
        if mentions[at].readings.len() < 2 {
            continue;
        }
        let recorded = recorded.filter(|_| head != measured);
        let scores = Scores { recorded, ..Scores::of(schema, head, &tables, mentions, at) };
        for reading in &mut mentions[at].readings {
            scores.adjust(reading);
        }
        share_labels(schema, head, &mut mentions[at]);
        let named: Vec<TableId> = tables.iter().map(|(_, table)| *table).chain(head).collect();
        let said = tables.iter().rev().find(|(other, _)| *other < at && at - other <= 2);
        lift_names(schema, &named, said.map(|(_, table)| *table), &mut mentions[at]);
        mentions[at].rank();
    }
    head
}

/// What the scores of the readings of one mention depend on.
struct Scores<'a> {
    schema: &'a SchemaIndex,
    /// Table asked about.
    head: Option<TableId>,
    /// Other tables that are named.
    others: Vec<TableId>,
    /// Table of what is measured: a place is that of what was sold as well as that of the rows it is shown for.
    recorded: Option<TableId>,
    /// Words of the mention.
    phrase: String,
    /// Whether the mention names the table asked about, however loosely.
    names_head: bool,
    /// Table that owns the mention.
    owner: Option<TableId>,
    /// Table named behind the mention.
    next: Option<TableId>,
    /// The same table, unless the mention names a column of it too, such as the date of "healed wounds".
    described: Option<TableId>,
    /// Whether an aggregate of the mention is asked for.
    computed: bool,
    /// Whether the words before call for a value.
    expects_value: bool,
    /// Score that rows of which there may be several win behind "with no" and "how many".
    of_rows: f64,
}

impl<'a> Scores<'a> {
    fn of(
        schema: &'a SchemaIndex,
        head: Option<TableId>,
        tables: &[(usize, TableId)],
        mentions: &[Mention],
        at: usize,
    ) -> Self {
        let named = head.and_then(|head| tables.iter().find(|(_, table)| *table == head));
        let others = tables.iter().filter(|(other, table)| Some(*table) != head && *other != at);
        let noun = noun_beside(schema, mentions, at);
        let next = mentions.get(at + 1).and_then(table_of);
        let of_next = |reading: &Reading| matches!(reading.target, Target::Column(column) if Some(column.table) == next);
        Self {
            schema,
            head,
            others: others.map(|(_, table)| *table).collect(),
            recorded: None,
            phrase: mentions[at].phrase.clone(),
            names_head: names_several_tables(head, &mentions[at])
                || named.is_some_and(|(named, _)| *named == at),
            owner: noun.or_else(|| possessor(mentions, at)),
            next,
            described: next.filter(|_| !mentions[at].readings.iter().any(of_next)),
            computed: is_computed(mentions, at),
            expects_value: noun.is_none() && expects_value(mentions, at),
            of_rows: if asks_for_rows(mentions, at) && is_column_elsewhere(head, &mentions[at]) {
                ROWS_BONUS
            } else {
                0.0
            },
        }
    }

    /// Adds to the score of a reading what speaks for it, and takes away what speaks against it.
    fn adjust(&self, reading: &mut Reading) {
        let schema = self.schema;
        let Some(table) = reading.target.table() else { return };
        let column = match reading.target {
            Target::Column(column) => Some(column),
            _ => None,
        };
        if self.computed && column.is_some_and(|column| schema.is_number(column)) {
            reading.score += NUMBER_BONUS;
        }
        let related = matches!(reading.target, Target::Table(_))
            && self.head.is_some_and(|head| schema.distance(table, head) == Some((1, false)));
        if related {
            reading.score += self.of_rows;
        }
        let flag = column.is_some_and(|column| schema.is_flag(column));
        // "clinicians with completed appointments": a stored state of the rows named right behind.
        let state = reading.method == Method::ValueExact
            && self.described == Some(table)
            && matches!(reading.target, Target::Value(..))
            && !schema.names_a_row(&reading.target);
        if self.owner == Some(table) || flag && self.next == Some(table) || state {
            reading.score += POSSESSION_BONUS;
            return;
        }
        let is_table = matches!(reading.target, Target::Table(_));
        let partly = matches!(reading.method, Method::Head | Method::Modifier);
        if is_table && partly && schema.profile(table).is_bridge {
            reading.score -= BRIDGE_PENALTY;
        }
        let stored = matches!(reading.target, Target::Value(..));
        let whole = is_table && (self.names_head || !partly);
        if let Some(head) = self.head.filter(|_| !whole) {
            reading.score -= self.distance_penalty(head, table, stored);
        }
        if let Target::Value(column, value) = &reading.target
            && schema.has_role(*column, Role::Identifier)
            && *value != self.phrase
        {
            reading.score -= IDENTIFIER_PENALTY;
        }
        let within = |from: TableId, most: usize| {
            schema.distance(from, table).is_some_and(|(joins, to_many)| joins <= most && !to_many)
        };
        let near = self.head.is_none_or(|head| within(head, 1))
            || self.recorded.is_some_and(|recorded| within(recorded, 2));
        if self.expects_value && near && stored {
            reading.score += VALUE_BONUS;
        }
        if stored && schema.names_a_row(&reading.target) {
            reading.score += ROW_NAME_BONUS;
        }
    }

    /// Score lost by the distance between a table and the one asked about, or another that is named and nearer.
    fn distance_penalty(&self, head: TableId, table: TableId, stored: bool) -> f64 {
        let distance = |from: TableId| self.schema.distance(from, table);
        let nearest = self
            .others
            .iter()
            .map(|other| distance(*other).map_or(9.0, |(joins, _)| joins as f64 + 0.5))
            .fold(f64::INFINITY, f64::min);
        let own = match distance(head) {
            Some((joins, to_many)) => {
                joins as f64 + if to_many { TO_MANY_PENALTY / JOIN_PENALTY } else { 0.0 }
            }
            None => UNREACHABLE_PENALTY / JOIN_PENALTY,
        };
        let recorded = self.recorded.filter(|_| stored).and_then(distance);
        let recorded = recorded.filter(|(_, to_many)| !to_many);
        let nearest = recorded.map_or(nearest, |(joins, _)| nearest.min(joins as f64));
        let joins = own.min(nearest).min(4.0);
        if own * JOIN_PENALTY >= UNREACHABLE_PENALTY && nearest > 6.0 {
            UNREACHABLE_PENALTY
        } else if stored && joins > 1.0 {
            let further = joins.floor() - 1.0;
            JOIN_PENALTY + FURTHER_VALUE_PENALTY * further + JOIN_PENALTY * joins.fract()
        } else {
            JOIN_PENALTY * joins
        }
    }
}

/// Whether words are the name of a column of other rows than those asked about, and of no table as a whole.
fn is_column_elsewhere(head: Option<TableId>, mention: &Mention) -> bool {
    let first = mention.readings.first().map(|reading| &reading.target);
    let elsewhere = matches!(first, Some(Target::Column(column)) if Some(column.table) != head);
    let whole =
        |reading: &Reading| matches!(reading.target, Target::Table(_)) && reading.method.is_whole();
    elsewhere && !mention.readings.iter().any(whole)
}

/// A value of the rows asked about that also names rows of another table is as likely to mean those: "how many albums has
/// Iron Maiden", and "tracks by Iron Maiden" where that is a composer too.
fn share_labels(schema: &SchemaIndex, head: Option<TableId>, mention: &mut Mention) {
    let exact = |reading: &Reading| {
        reading.method == Method::ValueExact && schema.names_a_row(&reading.target)
    };
    let best = |wanted: &dyn Fn(TableId) -> bool| {
        let others = mention.readings.iter().filter(|reading| {
            exact(reading)
                && reading.target.table().is_some_and(|table| Some(table) != head && wanted(table))
        });
        others.map(|reading| reading.score).max_by(f64::total_cmp)
    };
    let joined = best(&|table| head.is_some_and(|head| schema.distance(head, table).is_some()));
    if best(&|_| true).is_none() {
        return;
    }
    for reading in &mut mention.readings {
        if reading.target.table() != head || reading.method != Method::ValueExact {
            continue;
        }
        if exact(reading) {
            reading.score -= JOIN_PENALTY - 0.02;
        } else if let Some(other) = joined {
            reading.score = reading.score.min(other + 0.02);
        }
    }
}

/// The name of a row that rows of a named table belong to is as likely as a value that is stored nearer: "AC/DC songs",
/// where that is a composer and the artist of the album. Not so where the rows said before are called so ("the album Big
/// Ones"), nor where a key copies the name.
fn lift_names(
    schema: &SchemaIndex,
    named: &[TableId],
    said: Option<TableId>,
    mention: &mut Mention,
) {
    let exact = |reading: &Reading| {
        reading.method == Method::ValueExact && matches!(reading.target, Target::Value(..))
    };
    let stored: Vec<ColumnId> = mention
        .readings
        .iter()
        .filter_map(|reading| match reading.target {
            Target::Value(column, _) if exact(reading) => Some(column),
            _ => None,
        })
        .collect();
    if said.is_some_and(|said| {
        stored.iter().any(|column| column.table == said && schema.profile(said).label == [*column])
    }) {
        return;
    }
    let copied = |table: TableId| {
        stored.iter().any(|column| {
            schema.edges(column.table).iter().any(|edge| {
                edge.forward && edge.to == table && edge.from_columns.contains(&column.column)
            })
        })
    };
    let scores = mention.readings.iter().filter(|reading| exact(reading)).map(|it| it.score);
    let Some(best) = scores.max_by(f64::total_cmp) else { return };
    for reading in &mut mention.readings {
        let owns = reading.target.table().is_some_and(|table| {
            named.iter().any(|rows| {
                schema.distance(*rows, table).is_some_and(|(joins, many)| joins > 0 && !many)
            })
        });
        let copied = reading.target.table().is_some_and(copied);
        if exact(reading) && owns && !copied && schema.names_a_row(&reading.target) {
            reading.score = reading.score.max(best - FURTHER_VALUE_PENALTY);
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
    // "average freight by country": the only number that is named outside groupings.
    let of_figure = || {
        let figures = (0..mentions.len()).filter(|&at| !in_clause(at)).filter_map(|at| {
            let first = mentions[at].readings.first()?;
            let near = first.score - 0.05;
            let near = mentions[at].readings.iter().take_while(|reading| reading.score >= near);
            let stored = near.filter(|reading| {
                reading.target.table().is_none_or(|table| !schema.profile(table).is_view)
            });
            let tables: BTreeSet<TableId> = stored
                .map(|reading| match reading.target {
                    Target::Column(column) if schema.is_number(column) => Some(column.table),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            (tables.len() == 1).then(|| tables.first().copied())?
        });
        let tables: BTreeSet<TableId> = figures.collect();
        tables.first().copied().filter(|_| tables.len() == 1)
    };
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
    named.or(measured).or_else(anywhere).or_else(of_kind).or_else(of_figure).or_else(of_columns)
}
