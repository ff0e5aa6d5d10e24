//! Shortest ways between two tables along foreign keys.

use super::context::Composer;
use crate::linking::{Edge, TableId, Target};
use crate::order;

/// Most ways that are told apart.
const WAYS: usize = 5;
/// Most ways that are looked at.
const SEARCHED: usize = 24;
/// Longest way, in joins, that is compared with ways of one join more.
const FURTHEST: u32 = 4;
/// Cost of a step to one row, to many rows, and what a table named in the question saves.
const TO_ONE: u32 = 20;
const TO_MANY: u32 = 28;
const NAMED_SAVES: u32 = 18;

/// Edges from one table to another, in order.
pub(super) type Way<'a> = Vec<&'a Edge>;

/// Whether a way does not lead up to a shared parent and down again: that joins rows that have nothing else to do with
/// each other, unless the parent is named.
fn joins_what_belongs(way: &Way<'_>, named: &[TableId]) -> bool {
    way.windows(2).all(|pair| !pair[0].to_one || pair[1].to_one || named.contains(&pair[0].to))
}

impl<'a> Composer<'a> {
    /// Edges of a table, without those whose referencing column a correction rejects.
    pub(super) fn usable(&self, table: TableId) -> impl Iterator<Item = &'a Edge> {
        self.schema.all_edges(table).filter(|edge| {
            let key = self.key_column(edge);
            key.is_none_or(|key| !self.constraints.rejected.contains(&Target::Column(key)))
        })
    }

    /// Whether any way leads from one table to another.
    pub(super) fn is_linked(&self, from: TableId, to: TableId) -> bool {
        !self.cheapest(from, to, &[from, to]).is_empty()
    }

    /// All ways of the least cost, at most [`WAYS`], shortest first.
    ///
    /// Where none of them follows only keys that are named after their table, ways with one join more count too:
    /// the city of an order may be its customer's rather than its sales representative's.
    ///
    /// Where there are several steps, each to many rows, the ways are those from the other side: the orders of a country
    /// are those whose country it is.
    pub(super) fn cheapest(&self, from: TableId, to: TableId, named: &[TableId]) -> Vec<Way<'a>> {
        let ways = self.cheapest_from(from, to, named);
        let spread = |way: &Way<'_>| way.len() > 1 && way.iter().all(|edge| !edge.to_one);
        if from == to || ways.is_empty() || !ways.iter().all(spread) {
            return ways;
        }
        let other_side = self.cheapest_from(to, from, named);
        let back: Option<Vec<Way<'a>>> = other_side.iter().map(|way| self.reversed(way)).collect();
        back.filter(|back| !back.is_empty() && back.iter().all(spread)).unwrap_or(ways)
    }

    /// The same way from its end to its start.
    pub(super) fn reversed(&self, way: &Way<'a>) -> Option<Way<'a>> {
        way.iter()
            .rev()
            .map(|edge| {
                self.schema.all_edges(edge.to).find(|back| {
                    back.to == edge.from
                        && back.forward != edge.forward
                        && back.from_columns == edge.to_columns
                        && back.to_columns == edge.from_columns
                })
            })
            .collect()
    }

    fn cheapest_from(&self, from: TableId, to: TableId, named: &[TableId]) -> Vec<Way<'a>> {
        let cost_to = self.costs(to, named);
        let mut ways = Vec::new();
        let mut way = Vec::new();
        if let Some(Some(best)) = cost_to.get(usize::from(from.0)) {
            self.extend(from, to, *best, named, &cost_to, &mut way, &mut ways);
            ways.retain(|way| joins_what_belongs(way, named));
            let obvious = ways.iter().any(|way| way.iter().all(|edge| edge.plain));
            if !obvious && best / TO_ONE < FURTHEST {
                ways.clear();
                self.extend(from, to, best + TO_ONE, named, &cost_to, &mut way, &mut ways);
            }
        }
        let unnamed = |way: &Way<'_>| way.iter().filter(|edge| !edge.plain).count();
        let people = |way: &Way<'_>| {
            way.iter()
                .rev()
                .skip(1)
                .filter(|edge| self.schema.profile(edge.to).label.len() > 1)
                .count()
        };
        ways.retain(|way| joins_what_belongs(way, named));
        let through_named =
            |way: &Way<'_>| way.iter().rev().skip(1).any(|edge| named.contains(&edge.to));
        if ways.iter().any(through_named) {
            ways.retain(through_named);
        }
        order::by_key(&mut ways, |way| (people(way), unnamed(way), way.len()));
        ways.truncate(WAYS);
        ways
    }

    /// Least cost from every table to this one (Dijkstra's algorithm); none where no way leads.
    fn costs(&self, to: TableId, named: &[TableId]) -> Vec<Option<u32>> {
        let count = self.schema.tables.len();
        let mut cost: Vec<Option<u32>> = vec![None; count];
        let mut done = vec![false; count];
        cost[usize::from(to.0)] = Some(0);
        loop {
            let next = (0..count)
                .filter(|&table| !done[table])
                .filter_map(|table| cost[table].map(|cost| (cost, table)))
                .min();
            let Some((so_far, table)) = next else { return cost };
            done[table] = true;
            let table = TableId(table as u16);
            if table != to && self.schema.is_end(table) {
                continue;
            }
            for edge in self.usable(table) {
                let back = self
                    .schema
                    .all_edges(edge.to)
                    .filter(|back| back.to == edge.from && back.to != back.from)
                    .map(|back| step_cost(back, named))
                    .min();
                let Some(back) = back else { continue };
                let total = so_far + back;
                let known = &mut cost[usize::from(edge.to.0)];
                if known.is_none_or(|known| total < known) {
                    *known = Some(total);
                }
            }
        }
    }

    /// Extends a way by every step that stays within the cost that is left.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
    fn extend(
        &self,
        at: TableId,
        to: TableId,
        left: u32,
        named: &[TableId],
        cost_to: &[Option<u32>],
        way: &mut Way<'a>,
        ways: &mut Vec<Way<'a>>,
    ) {
        if at == to {
            ways.push(way.clone());
            return;
        }
        for edge in self.usable(at) {
            let through = edge.to != to && self.schema.is_end(edge.to);
            if ways.len() >= SEARCHED || edge.to == edge.from || through {
                continue;
            }
            let cost = step_cost(edge, named);
            let rest = cost_to.get(usize::from(edge.to.0)).copied().flatten();
            let known = way.iter().any(|step| step.from == edge.to);
            if !known && rest.is_some_and(|rest| cost + rest <= left) {
                way.push(edge);
                self.extend(edge.to, to, left - cost, named, cost_to, way, ways);
                way.pop();
            }
        }
    }
}

fn step_cost(edge: &Edge, named: &[TableId]) -> u32 {
    let saved = if named.contains(&edge.to) { NAMED_SAVES } else { 0 };
    if edge.to_one { TO_ONE - saved } else { TO_MANY - saved }
}
