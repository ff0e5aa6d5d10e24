//! Kinds: tables whose rows only say of what kind the rows of another are, as `wound_types` of `wounds`.

use super::index::{SchemaIndex, TableId};
use super::mention::{Mention, Target};

impl SchemaIndex {
    /// Table whose rows the rows of a table are kinds of: the only one that refers to it, or the one whose name its
    /// own begins with; none where the table refers to others itself.
    pub(crate) fn rows_of_kind(&self, kinds: TableId) -> Option<TableId> {
        let edges = self.edges(kinds);
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

    /// Table whose rows a plural names by their kind: "pressure ulcers".
    pub(crate) fn rows_of_plural(&self, mention: &Mention) -> Option<TableId> {
        let plural = mention.phrase.ends_with('s')
            && mention.phrase.starts_with(|first: char| first.is_lowercase());
        match mention.readings.first()?.target {
            Target::Value(column, _)
                if plural && self.profile(column.table).label.contains(&column) =>
            {
                self.rows_of_kind(column.table)
            }
            _ => None,
        }
    }
}
