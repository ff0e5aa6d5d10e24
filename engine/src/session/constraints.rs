//! Translates corrections into constraints on reading.

use super::given::Given;
use super::names::{self, Names};
use super::question::Question;
use super::{Correction, StepError};
use crate::catalog::ColumnRef;
use crate::clarification::OptionBinding;
use crate::compose::{Constraints, contains_binding, joins_columns, reads_table, uses_column};
use crate::intent::QueryTree;
use crate::interpretation::selected_bindings;
use crate::linking::{ColumnId, Named, Target};
use crate::text::Span;

impl Given<'_> {
    /// Constraints of all corrections; with `follows`, also of those to the earlier questions.
    ///
    /// Later corrections override earlier ones. A correction that no longer matches the catalog is skipped.
    pub(super) fn constraints(
        self,
        question: &Question,
        basis: Option<&QueryTree>,
        follows: bool,
    ) -> Constraints {
        let mut all = Constraints::default();
        let before = self.start.context.iter().filter(|_| follows);
        let before = before.flat_map(|context| &context.corrections);
        for correction in before.chain(&question.corrections) {
            let Ok(Constraints { selected, rejected, joins }) =
                self.constraints_of(question, basis, correction)
            else {
                continue;
            };
            all.selected.retain(|target| {
                !rejected.contains(target)
                    && !selected.iter().any(|later| self.takes_place_of(later, target))
            });
            all.rejected.retain(|target| !selected.contains(target));
            all.selected.extend(selected);
            all.rejected.extend(rejected);
            all.joins.extend(joins);
        }
        all
    }

    /// Whether one column takes the place of another that was selected before: both are dates, or both are numbers, of one
    /// table.
    fn takes_place_of(self, later: &Target, earlier: &Target) -> bool {
        let (Target::Column(later), Target::Column(earlier)) = (later, earlier) else {
            return false;
        };
        let kind = |column: ColumnId| {
            let data_type = self.engine.catalog().column_at(column).data_type;
            (data_type.is_temporal(), data_type.is_numeric())
        };
        later.table == earlier.table
            && kind(*later) == kind(*earlier)
            && kind(*later) != (false, false)
    }

    /// Constraints of one correction.
    pub(super) fn constraints_of(
        self,
        question: &Question,
        basis: Option<&QueryTree>,
        correction: &Correction,
    ) -> Result<Constraints, StepError> {
        let near = basis.and_then(|tree| self.engine.schema().table(&tree.from));
        let today = question.asked.date();
        let names = Names { engine: self.engine, today, near, exact: false };
        let column = |column: &ColumnRef| {
            let name = column.to_string();
            names.column(&name, &name, Span::new(0, 0))
        };
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
                let target = |named: &ColumnRef| column(named).map(Target::Column);
                Ok(Constraints {
                    selected: selected_column.iter().map(target).collect::<Result<_, _>>()?,
                    rejected: rejected_columns.iter().map(target).collect::<Result<_, _>>()?,
                    joins: Vec::new(),
                })
            }
            Correction::Join { left, right } => {
                let catalog = self.engine.catalog();
                let reference = |named: &ColumnRef| column(named).map(|id| catalog.reference(id));
                let joins = vec![(reference(left)?, reference(right)?)];
                Ok(Constraints { joins, ..Constraints::default() })
            }
        }
    }

    /// A correction that depends on the table of the answer before it, as data: one that rejects "that table", and one
    /// whose name is a column of that table only.
    pub(super) fn fixed(
        self,
        question: &Question,
        correction: &Correction,
        constraints: &Constraints,
    ) -> Option<Correction> {
        let Constraints { selected, rejected, joins } = constraints;
        let catalog = self.engine.catalog();
        if !joins.is_empty() || selected.len() > 1 {
            return None;
        }
        let key = |target: &Target| match target {
            Target::Table(table) => Some(catalog.table_at(*table).key()),
            _ => None,
        };
        let column = |target: &Target| match target {
            Target::Column(column) => Some(catalog.reference(*column)),
            _ => None,
        };
        if let Some(rejected_tables) = rejected.iter().map(key).collect::<Option<Vec<_>>>()
            && !rejected_tables.is_empty()
        {
            let selected_table = match selected.first() {
                None => None,
                Some(selected) => Some(key(selected)?),
            };
            return Some(Correction::Table { selected_table, rejected_tables });
        }
        let without = self.constraints_of(question, None, correction);
        if without.is_ok_and(|without| without.selected == *selected) {
            return None;
        }
        let selected_column = Some(column(selected.first()?)?);
        let rejected_columns = rejected.iter().map(column).collect::<Option<Vec<_>>>()?;
        Some(Correction::Column { selected_column, rejected_columns })
    }

    /// How far a query tree keeps to the corrections.
    pub(super) fn kept_corrections(self, question: &Question, tree: &QueryTree) -> Kept {
        let constraints = self.constraints(question, Some(tree), question.reading.follows);
        let wanted = selected_bindings(self.engine.catalog(), &constraints);
        let catalog = self.engine.catalog();
        let is_used = |target: &Target| match target {
            Target::Table(table) => reads_table(tree, &catalog.table_at(*table).key()),
            Target::Column(column) => uses_column(tree, &catalog.reference(*column)),
            _ => false,
        };
        let keeps = wanted.iter().all(|binding| contains_binding(tree, binding))
            && constraints.joins.iter().all(|(left, right)| joins_columns(tree, left, right))
            && !constraints.rejected.iter().any(is_used);
        let in_use = |binding: &OptionBinding| match binding {
            OptionBinding::Column { column } => uses_column(tree, column),
            _ => true,
        };
        // A foreign key is named for the way that it leads, not to be shown.
        let is_key = |binding: &OptionBinding| match binding {
            OptionBinding::Column { column } => catalog.foreign_keys.iter().any(|key| {
                key.from_table == column.table && key.from_columns.contains(&column.column)
            }),
            _ => false,
        };
        let mut idle = wanted.iter().filter(|binding| !in_use(binding)).peekable();
        match keeps {
            true if idle.peek().is_none() => Kept::Used,
            true if !idle.any(is_key) => Kept::Shown,
            _ => Kept::No,
        }
    }
}

/// How far a query tree keeps to corrections.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kept {
    /// It uses everything that is selected and nothing that is rejected.
    Used,
    /// The same, but of a column that is selected it only shows the values.
    Shown,
    /// It does not use what is selected, or uses what is rejected.
    No,
}
