//! Translates corrections into constraints on reading.

use super::given::Given;
use super::names::{self, Names};
use super::question::Question;
use super::{Correction, StepError};
use crate::catalog::ColumnRef;
use crate::compose::{Constraints, contains_binding, joins_columns, reads_table};
use crate::intent::QueryTree;
use crate::interpretation::selected_bindings;
use crate::linking::{Named, Target};
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
            all.selected.retain(|target| !rejected.contains(target));
            all.rejected.retain(|target| !selected.contains(target));
            all.selected.extend(selected);
            all.rejected.extend(rejected);
            all.joins.extend(joins);
        }
        all
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

    /// A correction that rejects tables, as data: "that table" is another one after the correction.
    pub(super) fn fixed(self, constraints: &Constraints) -> Option<Correction> {
        let Constraints { selected, rejected, joins } = constraints;
        let key = |target: &Target| match target {
            Target::Table(table) => Some(self.engine.catalog().table_at(*table).key()),
            _ => None,
        };
        let selected_table = match &selected[..] {
            [] => None,
            [selected] => Some(key(selected)?),
            _ => return None,
        };
        let rejected_tables = rejected.iter().map(key).collect::<Option<Vec<_>>>()?;
        let is_fixed = joins.is_empty() && !rejected_tables.is_empty();
        is_fixed.then_some(Correction::Table { selected_table, rejected_tables })
    }

    /// Whether a query tree uses everything that the corrections select, and no table that they reject.
    pub(super) fn keeps_corrections(self, question: &Question, tree: &QueryTree) -> bool {
        let constraints = self.constraints(question, Some(tree), question.reading.follows);
        let wanted = selected_bindings(self.engine.catalog(), &constraints);
        let catalog = self.engine.catalog();
        let mut rejected = constraints.rejected.iter().filter_map(|target| match target {
            Target::Table(table) => Some(catalog.table_at(*table).key()),
            _ => None,
        });
        wanted.iter().all(|binding| contains_binding(tree, binding))
            && constraints.joins.iter().all(|(left, right)| joins_columns(tree, left, right))
            && !rejected.any(|table| reads_table(tree, &table))
    }
}
