//! Names beside keys: a key that refers to other rows tells a reader nothing, their names do.
//!
//! Valid: "who heads Surgery" shows the name of the physician. Not so where the key itself is asked for: "id", "code".

use super::context::Composer;
use super::plan::Plan;
use crate::catalog::ColumnRef;
use crate::confidence::Method;
use crate::intent::{JoinStep, Predicate};
use crate::linking::{ColumnId, Edge, Lexical, Named, TableId, Target};
use crate::reading::Frame;

/// Words that ask for a key itself.
const KEYS: [&str; 10] =
    ["code", "codes", "id", "identifier", "identifiers", "ids", "key", "keys", "number", "numbers"];

impl Composer<'_> {
    /// Columns to show for a mention, each key with the name of the row that it refers to; for "who" only the name.
    pub(super) fn with_names(
        &self,
        at: usize,
        columns: Vec<ColumnId>,
        plan: &mut Plan,
    ) -> Vec<ColumnId> {
        if self.asks_for_key(at) {
            return columns;
        }
        let mut shown = Vec::new();
        for column in columns {
            let Some(edge) = self.named_row(plan, column) else {
                shown.push(column);
                continue;
            };
            if !self.asks_who() {
                shown.push(column);
            }
            if !plan.tables.contains(&edge.to) {
                let outer = self.catalog.column_at(column).nullable;
                plan.joins.push(JoinStep { outer, ..self.step(edge) });
                plan.tables.push(edge.to);
            }
            shown.extend(self.schema.profile(edge.to).label.iter().copied());
        }
        shown
    }

    /// Names of the row that a key refers to, which is joined, to show beside the key that rows are grouped by; none where
    /// the key itself is asked for.
    pub(super) fn names_of_key(&self, at: usize, key: ColumnId, plan: &mut Plan) -> Vec<ColumnId> {
        let Some(edge) = self.row_of_key(key).filter(|_| !self.asks_for_key(at)) else {
            return Vec::new();
        };
        if plan.tables.contains(&edge.to) || !plan.tables.contains(&key.table) {
            return Vec::new();
        }
        let outer = self.catalog.column_at(key).nullable;
        plan.joins.push(JoinStep { outer, ..self.step(edge) });
        plan.tables.push(edge.to);
        self.schema.profile(edge.to).label.clone()
    }

    fn asks_for_key(&self, at: usize) -> bool {
        let phrase = self.phrase(at).to_lowercase();
        phrase.split([' ', '_']).any(|word| KEYS.contains(&word))
    }

    /// Shows the names of people beside what else is asked of them: "who runs it and what is their phone number".
    pub(super) fn name_who(&self, frame: &Frame, base: TableId, shown: &mut Vec<ColumnId>) {
        let further = frame.outputs.first().is_some_and(|first| {
            self.mentions[..*first].iter().any(|mention| mention.is(Lexical::And))
        });
        let label = &self.schema.profile(base).label;
        let own = further && !shown.is_empty() && shown.iter().all(|column| column.table == base);
        if own && self.asks_who() && !shown.iter().any(|column| label.contains(column)) {
            shown.splice(0..0, label.iter().copied());
        }
    }

    /// Shows the names of rows beside what is asked of the rows that they refer to: "open tickets and the customers' phone
    /// numbers".
    pub(super) fn name_rows_beside_parents(
        &self,
        frame: &Frame,
        base: TableId,
        shown: &mut Vec<ColumnId>,
    ) {
        let Some((head, said)) = frame.head else { return };
        let Some(first) = frame.outputs.first().filter(|first| **first > said) else { return };
        let mut between = self.mentions[said + 1..*first].iter().rev();
        let joins = between
            .find(|mention| !mention.is(Lexical::Filler) || mention.is(Lexical::And))
            .is_some_and(|mention| mention.is(Lexical::And));
        let of_others = !shown.is_empty() && shown.iter().all(|column| column.table != base);
        if head == base && joins && of_others && frame.beside.is_none() {
            shown.splice(0..0, self.label(base));
        }
    }

    /// Shows the names of rows beside those that each of them refers to: "departments and their head".
    pub(super) fn name_owners(&self, frame: &Frame, base: TableId, shown: &mut Vec<ColumnId>) {
        let [at] = frame.outputs.as_slice() else { return };
        let owned = at.checked_sub(1).is_some_and(|before| {
            let phrase = self.phrase(before).to_lowercase();
            phrase.split(' ').next_back().is_some_and(|word| ["their", "its"].contains(&word))
        });
        let key = shown.first().is_some_and(|column| {
            column.table == base && self.is_foreign(*column) && shown.len() > 1
        });
        let label = &self.schema.profile(base).label;
        let listed = frame.head.is_some_and(|(head, _)| head == base);
        if owned && key && listed && !shown.iter().any(|column| label.contains(column)) {
            shown.splice(0..0, label.iter().copied());
        }
    }

    /// Asks about rows that are only named by a key that refers to them, where the answer follows no such key: "who
    /// manages the Sales department", where departments have no manager.
    pub(super) fn ask_unused_key(&mut self, frame: &Frame, plan: &Plan) {
        let Some((head, at)) = frame.head else { return };
        let related = frame.conditions.iter().any(|condition| {
            self.target(condition.at())
                .and_then(|target| target.table())
                .is_some_and(|table| table != head)
        });
        let by_key = self.mentions.get(at).is_some_and(|mention| {
            mention.readings.first().is_some_and(|first| {
                let flag =
                    matches!(first.target, Target::Column(column) if self.schema.is_flag(column));
                first.method == Method::Head && !flag
            })
        });
        let words: Vec<String> =
            self.phrase(at).to_lowercase().split(' ').map(crate::text::stem).collect();
        let own = &self.schema.profile(head).stems;
        if !related || !by_key || words.iter().any(|word| own.contains(word)) {
            return;
        }
        let named = |table: &str, column: &String| {
            let reference = ColumnRef::new(table, column.as_str());
            self.column_id(&reference).is_some_and(|column| {
                self.schema.stems_of(column).iter().any(|stem| words.contains(stem))
            })
        };
        let uses = |step: &JoinStep| {
            step.from_columns.iter().any(|column| named(&step.from_table, column))
                || step.to_columns.iter().any(|column| named(&step.to_table, column))
        };
        let followed = plan.joins.iter().any(uses)
            || plan.filters.iter().any(|filter| match filter {
                Predicate::Exists { joins, .. } | Predicate::RelatedCount { joins, .. } => {
                    joins.iter().any(uses)
                }
                _ => false,
            });
        if !followed {
            let frame = Frame { unread: vec![at], head: Some((head, at)), ..Frame::default() };
            self.unread(&frame);
        }
    }

    /// Whether a question asks for people.
    fn asks_who(&self) -> bool {
        self.mentions.first().is_some_and(|first| {
            let phrase = first.phrase.to_lowercase();
            phrase.split(' ').next().is_some_and(|word| word == "who")
        })
    }

    /// Way from a key of the rows asked about to the rows of another table that have a name, where it is the only one.
    fn named_row(&self, plan: &Plan, column: ColumnId) -> Option<&Edge> {
        self.row_of_key(column).filter(|_| column.table == plan.base)
    }

    /// Way from a key to the rows of another table that have a name, where it is the only one from its table.
    fn row_of_key(&self, column: ColumnId) -> Option<&Edge> {
        let edges = self.schema.edges(column.table).iter();
        let edge = edges
            .clone()
            .find(|edge| edge.forward && edge.from_columns == [column.column])
            .filter(|edge| edge.to != column.table)?;
        let only = edges.filter(|other| other.to == edge.to && other.forward).count() == 1;
        let label = &self.schema.profile(edge.to).label;
        let named = !label.is_empty()
            && edge
                .to_columns
                .iter()
                .all(|key| !label.contains(&ColumnId { table: edge.to, column: *key }));
        (only && named).then_some(edge)
    }
}
