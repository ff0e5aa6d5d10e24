//! Corrections: what a person says was meant instead, in words or as data.

use crate::day::{self, Date};
use serde::{Deserialize, Serialize};

use super::machine::Session;
use super::names::{self, Names};
use super::{Effect, Outcome, State, StepError};
use crate::catalog::ColumnRef;
use crate::compose::{Constraints, contains_binding};
use crate::engine::Engine;
use crate::interpretation::selected_bindings;
use crate::linking::{Named, Target};
use crate::text::Span;

/// Most corrections of one question (`spec` §2.4).
const CORRECTIONS: usize = 3;

/// A correction: hard constraints on what the question means.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Correction {
    /// Columns that must, and must not, be used.
    Column {
        /// Must be used.
        #[serde(default)]
        selected_column: Option<ColumnRef>,
        /// Must not be used.
        #[serde(default)]
        rejected_columns: Vec<ColumnRef>,
    },
    /// Columns that must be joined.
    Join {
        /// One column.
        left: ColumnRef,
        /// The other.
        right: ColumnRef,
    },
    /// Tables that must, and must not, be used.
    Table {
        /// Must be used.
        #[serde(default)]
        selected_table: Option<String>,
        /// Must not be used.
        #[serde(default)]
        rejected_tables: Vec<String>,
    },
    /// Words such as "no, I meant shipping country", "not invoices, orders", `join a.id with b.a_id`.
    Text {
        /// The words.
        text: String,
    },
}

impl Session {
    /// Reads the question again under a correction; the session stays as it was where that cannot be kept.
    pub(super) fn correct(
        &mut self,
        engine: &Engine,
        correction: Correction,
    ) -> Result<Vec<Effect>, StepError> {
        if self.question.is_none() {
            return Err(self.unexpected("correct"));
        }
        if self.corrections.len() >= CORRECTIONS {
            return Err(StepError::TooManyCorrections { limit: CORRECTIONS });
        }
        let text = match &correction {
            Correction::Text { text } => text.clone(),
            _ => String::new(),
        };
        self.constraints_of(engine, &correction)?;
        let before = self.clone();
        self.corrections.push(correction);
        self.pending.clear();
        self.tree = None;
        self.view.result = None;
        self.view.notes.clear();
        self.enter(State::QueryUnderstanding, "reading the correction");
        let effects = self.advance(engine);
        if self.keeps_corrections(engine) {
            return Ok(effects);
        }
        *self = before;
        Err(StepError::InvalidWords {
            code: "correction_unused",
            clarification_id: None,
            text,
            reason: "the question has no place for it".to_owned(),
            span: None,
            hint: "ask a question that names it".into(),
        })
    }

    /// Whether what was written holds what the corrections select.
    fn keeps_corrections(&self, engine: &Engine) -> bool {
        let failed =
            matches!(self.view.outcome, Some(Outcome::GenerationFailed | Outcome::OutOfScope));
        let constraints = self.constraints(engine, self.follows);
        let wanted = selected_bindings(engine.catalog(), &constraints);
        match &self.tree {
            Some(tree) => wanted.iter().all(|binding| contains_binding(tree, binding)),
            None => !failed,
        }
    }

    /// All constraints so far, with those of earlier questions where this one goes on from them; a later one goes before an earlier one.
    pub(super) fn constraints(&self, engine: &Engine, follows: bool) -> Constraints {
        let mut all = Constraints::default();
        let before = self.start.context.iter().filter(|_| follows);
        let before = before.flat_map(|context| &context.corrections);
        for correction in before.chain(&self.corrections) {
            let Ok(Constraints { selected, rejected, joins }) =
                self.constraints_of(engine, correction)
            else {
                continue;
            };
            all.selected.retain(|target| !rejected.contains(target));
            all.rejected.retain(|target| !selected.contains(target));
            all.selected.extend(selected);
            all.rejected.extend(rejected);
            all.joins.extend(joins);
        }
        all
    }

    fn constraints_of(
        &self,
        engine: &Engine,
        correction: &Correction,
    ) -> Result<Constraints, StepError> {
        let names = Names { engine, today: self.today(), near: self.near(engine) };
        match correction {
            Correction::Text { text } => names::read(&names, text),
            Correction::Table { selected_table, rejected_tables } => {
                let table = |key: &String| names.table(key).map(Target::Table);
                Ok(Constraints {
                    selected: selected_table.iter().map(table).collect::<Result<_, _>>()?,
                    rejected: rejected_tables.iter().map(table).collect::<Result<_, _>>()?,
                    joins: Vec::new(),
                })
            }
            Correction::Column { selected_column, rejected_columns } => {
                let column = |column: &ColumnRef| {
                    let place = Span::new(0, 0);
                    names
                        .column(&column.to_string(), &column.to_string(), place)
                        .map(Target::Column)
                };
                Ok(Constraints {
                    selected: selected_column.iter().map(column).collect::<Result<_, _>>()?,
                    rejected: rejected_columns.iter().map(column).collect::<Result<_, _>>()?,
                    joins: Vec::new(),
                })
            }
            Correction::Join { left, right } => {
                let column = |column: &ColumnRef| {
                    let place = Span::new(0, 0);
                    names
                        .column(&column.to_string(), &column.to_string(), place)
                        .map(|column| engine.catalog().reference(column))
                };
                let joins = vec![(column(left)?, column(right)?)];
                Ok(Constraints { joins, ..Constraints::default() })
            }
        }
    }

    /// The day on which the question was asked.
    pub(super) fn today(&self) -> Date {
        let today = self.question.as_ref().and_then(|question| day::parse(&question.today));
        today.unwrap_or_default()
    }

    fn near(&self, engine: &Engine) -> Option<crate::linking::TableId> {
        self.tree.as_ref().and_then(|tree| engine.schema().table(&tree.from))
    }
}
