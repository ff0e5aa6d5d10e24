//! Lookup tables: tables whose rows classify the rows of another, such as `wound_types` for `wounds`.

use super::element::{TableId, Target};
use super::index::{Edge, SchemaIndex};
use super::mention::Mention;
use crate::confidence::Method;

impl SchemaIndex {
    /// The table whose rows a lookup table classifies: the only one that references it, or the one whose name is a
    /// prefix of its name. `None` if the table references other tables itself.
    pub(crate) fn rows_of_kind(&self, kinds: TableId) -> Option<TableId> {
        // A kind may be part of another one.
        let others = self.edges(kinds).iter().filter(|edge| edge.to != kinds);
        let edges: Vec<&Edge> = others.collect();
        if edges.iter().any(|edge| edge.to_one) {
            return None;
        }
        let mut tables: Vec<TableId> = Vec::new();
        for edge in edges.iter().filter(|edge| !self.profile(edge.to).is_view) {
            if !tables.contains(&edge.to) {
                tables.push(edge.to);
            }
        }
        let own = &self.profile(kinds).stems;
        let named = |table: &TableId| {
            let stems = &self.profile(*table).stems;
            !stems.is_empty() && own.len() > stems.len() && own.starts_with(stems)
        };
        if let [only] = tables.as_slice() {
            return Some(*only);
        }
        let mut named = tables.into_iter().filter(named);
        named.next().filter(|_| named.next().is_none())
    }

    /// The table whose rows a plural names by their type: "pressure ulcers" for wounds of that type.
    pub(crate) fn rows_of_plural(&self, mention: &Mention) -> Option<TableId> {
        let lower = mention.phrase.starts_with(|first: char| first.is_lowercase());
        let plural = lower && mention.phrase.ends_with('s');
        let best = mention.readings.first()?.score;
        let mut near = mention.readings.iter().take_while(|reading| reading.score >= best - 0.05);
        near.find_map(|reading| match reading.target {
            Target::Value(column, _) if self.profile(column.table).is_view => None,
            // "Gloves" are the products that are called so.
            Target::Value(column, _) if plural && reading.method == Method::ValueWord => {
                self.rows_of_kind(column.table).or(Some(column.table))
            }
            Target::Value(column, _)
                if plural && self.profile(column.table).label.contains(&column) =>
            {
                self.rows_of_kind(column.table)
            }
            // "The sales manager" is the person whose title is so.
            Target::Value(column, _) if lower && self.tells_a_persons_post(column) => {
                Some(column.table)
            }
            _ => None,
        })
    }
}
