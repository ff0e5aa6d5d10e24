//! Concepts: words such as "sales", and the tables and columns that can record them.

use super::element::{ColumnId, TableId};
use super::index::{Named, SchemaIndex};
use crate::catalog::Catalog;
use crate::data::Role;
use crate::dictionary::Concept;
use crate::order;
use crate::text::stem;

/// A table that can record a concept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Recording {
    /// The table.
    pub(crate) table: TableId,
    /// Column with the amount; `None` if the amount is quantity × price of each row.
    pub(crate) column: Option<ColumnId>,
    /// Confidence, 0 to 1.
    pub(crate) score: f64,
}

/// Score of a column in a table that is not called after the concept.
const ANYWHERE: f64 = 0.7;

impl SchemaIndex {
    /// Tables that can record a concept, by descending confidence.
    ///
    /// A table qualifies by its name. Tables with an amount column rank above tables of line items, and amounts that
    /// are only a part of the total (tax, fee) rank last.
    pub(crate) fn recording(&self, catalog: &Catalog, concept: &Concept) -> Vec<Recording> {
        let mut found = Vec::new();
        let stems: Vec<String> = concept.tables.iter().map(|word| stem(word)).collect();
        for (position, profile) in
            self.tables.iter().enumerate().filter(|(_, profile)| !profile.is_view)
        {
            let table = TableId(position as u16);
            let rank = stems.iter().position(|word| profile.stems.contains(word));
            let Some(rank) = rank else { continue };
            let base = 0.95 - 0.01 * rank as f64;
            let of_role =
                |column: &ColumnId| concept.roles.iter().any(|role| self.has_role(*column, *role));
            let mut amounts: Vec<ColumnId> =
                profile.measures.iter().copied().filter(of_role).collect();
            let money = concept.roles.contains(&Role::Amount);
            if amounts.is_empty() && !money {
                amounts = (0..catalog.table_at(table).columns.len())
                    .map(|column| ColumnId { table, column: column as u16 })
                    .filter(of_role)
                    .collect();
            }
            for column in &amounts {
                let words = self.words_of(*column);
                let partly = ["tax", "fee", "discount"]
                    .iter()
                    .any(|part| words.iter().any(|word| word == part));
                let score = base - if partly { 0.2 } else { 0.0 };
                found.push(Recording { table, column: Some(*column), score });
            }
            if amounts.is_empty() && money {
                found.push(Recording { table, column: None, score: base - 0.12 });
            }
        }
        if found.is_empty() && concept.anywhere {
            for (position, profile) in self.tables.iter().enumerate() {
                let of_role = |column: &&ColumnId| {
                    concept.roles.iter().any(|role| self.has_role(**column, *role))
                };
                let table = TableId(position as u16);
                let columns = profile.measures.iter().filter(of_role);
                let stored = columns.filter(|_| !profile.is_view);
                found.extend(stored.map(|column| Recording {
                    table,
                    column: Some(*column),
                    score: ANYWHERE,
                }));
            }
        }
        order::by(&mut found, |a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.table.cmp(&b.table))
        });
        found
    }
}
