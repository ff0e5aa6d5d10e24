//! Join planning: shortest ways along foreign keys, and a question where two keys lead to the same table.

use super::context::{Composer, Failure};
use super::describe::{column_words, table_words};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::Decision;
use crate::clarification::{ClarificationOption, OptionBinding};
use crate::intent::JoinStep;
use crate::linking::{ColumnId, Edge, Named, TableId};

/// Cost of a step to one row, to many rows, and what a table named in the question saves.
const TO_ONE: u32 = 10;
const TO_MANY: u32 = 14;
const NAMED_SAVES: u32 = 3;

/// A way between two tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// Steps in order.
    pub(super) steps: Vec<JoinStep>,
    /// Whether any step leads to many rows.
    pub(super) to_many: bool,
}

impl Composer<'_> {
    /// Shortest way between two tables; parallel foreign keys are decided on.
    pub(super) fn path(
        &mut self,
        from: TableId,
        to: TableId,
        named: &[TableId],
    ) -> Result<Path, Failure> {
        if from == to {
            return Ok(Path::default());
        }
        let Some(edges) = self.cheapest(from, to, named) else {
            let message = format!(
                "no foreign keys lead from {} to {}",
                table_words(self.catalog, from),
                table_words(self.catalog, to)
            );
            return Err(self.fail(
                "no_join_path",
                message,
                "name a table that links the two",
                None,
            ));
        };
        let mut path = Path::default();
        for edge in edges {
            let parallel: Vec<Edge> = self
                .schema
                .edges(edge.from)
                .iter()
                .filter(|other| other.to == edge.to && other.to_one == edge.to_one)
                .cloned()
                .collect();
            let edge = if parallel.len() > 1 { self.choose_edge(&parallel, edge) } else { edge };
            path.to_many |= !edge.to_one;
            path.steps.push(self.step(&edge));
        }
        Ok(path)
    }

    /// Dijkstra's algorithm over the foreign-key graph; ties go to the table that stands first.
    fn cheapest(&self, from: TableId, to: TableId, named: &[TableId]) -> Option<Vec<Edge>> {
        let count = self.schema.tables.len();
        let mut cost: Vec<Option<u32>> = vec![None; count];
        let mut done = vec![false; count];
        let mut came: Vec<Option<Edge>> = vec![None; count];
        cost[usize::from(from.0)] = Some(0);
        loop {
            let next = (0..count)
                .filter(|&table| !done[table])
                .filter_map(|table| cost[table].map(|cost| (cost, table)))
                .min();
            let (so_far, table) = next?;
            if table == usize::from(to.0) {
                break;
            }
            done[table] = true;
            for edge in self.schema.edges(TableId(table as u16)) {
                if edge.to == edge.from {
                    continue;
                }
                let target = usize::from(edge.to.0);
                let saved = if named.contains(&edge.to) { NAMED_SAVES } else { 0 };
                let total = so_far + if edge.to_one { TO_ONE } else { TO_MANY } - saved;
                if cost[target].is_none_or(|known| total < known) {
                    cost[target] = Some(total);
                    came[target] = Some(edge.clone());
                }
            }
        }
        let mut edges = Vec::new();
        let mut table = to;
        while table != from {
            let edge = came[usize::from(table.0)].clone()?;
            table = edge.from;
            edges.push(edge);
        }
        edges.reverse();
        Some(edges)
    }

    fn choose_edge(&mut self, parallel: &[Edge], fallback: Edge) -> Edge {
        let key_column = |edge: &Edge| {
            let (table, columns) = if edge.to_one {
                (edge.from, &edge.from_columns)
            } else {
                (edge.to, &edge.to_columns)
            };
            columns.first().map(|column| ColumnId { table, column: *column })
        };
        let mentioned = parallel.iter().find(|edge| {
            key_column(edge).is_some_and(|column| {
                let words =
                    crate::linking::words_of_identifier(&self.catalog.column_at(column).name);
                words.iter().filter(|word| *word != "id" && !self.is_word_of(edge.to, word)).any(
                    |word| {
                        self.mentions
                            .iter()
                            .any(|mention| mention.phrase.to_lowercase().contains(word.as_str()))
                    },
                )
            })
        });
        if let Some(edge) = mentioned {
            return edge.clone();
        }
        let options: Vec<ClarificationOption> = parallel
            .iter()
            .filter_map(|edge| {
                let column = key_column(edge)?;
                Some(ClarificationOption {
                    id: self.catalog.column_at(column).name.clone(),
                    label: column_words(self.catalog, column),
                    description: format!("joined by {}", self.catalog.reference(column)),
                    binding: OptionBinding::Column { column: self.catalog.reference(column) },
                })
            })
            .collect();
        self.joined = false;
        let target = parallel.first().map_or(fallback.to, |edge| edge.to);
        let named = self.mentions.iter().find(|mention| {
            mention.readings.first().is_some_and(|reading| reading.target.table() == Some(target))
        });
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Join,
            severity: Severity::Important,
            span: named.map(|mention| mention.span),
            phrase: named.map_or_else(
                || table_words(self.catalog, target),
                |mention| mention.phrase.clone(),
            ),
            reason: "several foreign keys lead there".to_owned(),
            recommended: None,
            custom: None,
            options,
        });
        parallel
            .iter()
            .find(|edge| {
                key_column(edge).is_some_and(|column| {
                    chosen == OptionBinding::Column { column: self.catalog.reference(column) }
                })
            })
            .cloned()
            .unwrap_or(fallback)
    }

    fn is_word_of(&self, table: TableId, word: &str) -> bool {
        self.schema
            .profile(table)
            .words
            .iter()
            .any(|own| crate::text::stem(own) == crate::text::stem(word))
    }

    fn step(&self, edge: &Edge) -> JoinStep {
        let names = |table: TableId, columns: &[u16]| {
            columns
                .iter()
                .map(|column| {
                    self.catalog.column_at(ColumnId { table, column: *column }).name.clone()
                })
                .collect()
        };
        JoinStep {
            from_table: self.schema.profile(edge.from).key.clone(),
            from_columns: names(edge.from, &edge.from_columns),
            to_table: self.schema.profile(edge.to).key.clone(),
            to_columns: names(edge.to, &edge.to_columns),
            outer: false,
        }
    }
}
