//! Comparisons with a figure of a column: of which rows it is computed.
//!
//! Invalid, so that it is asked: "suppliers in Italy with a rating above average". Valid: "suppliers with a rating above
//! average", where no other condition holds for the rows.

use super::context::{Composer, Failure};
use super::filter::TableCondition;
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Comparison, Predicate};
use crate::linking::{ColumnId, Named, TableId, Target};
use crate::narration::Describer;
use crate::reading::{Condition, Frame};

impl Composer<'_> {
    /// Comparison of the column at a mention, or of one with these roles, with a figure of all its rows, or of those that
    /// are the same in some columns.
    pub(super) fn against_figure(
        &mut self,
        head: TableId,
        (column, roles): (Option<usize>, &[Role]),
        (operator, function): (Comparison, Aggregate),
        same: Vec<ColumnRef>,
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        let column = match column {
            Some(column) => self.column(column, Some(head))?,
            None => self.figured_column(head, roles, at)?,
        };
        if !self.catalog.column_at(column).data_type.is_numeric() {
            let message = format!("{} holds no numbers", self.column_words(column));
            return Err(self.fail(
                FailureCode::NotANumber,
                message,
                "name a column with numbers",
                Some(at),
            ));
        }
        let reference = self.catalog.reference(column);
        let predicate = Predicate::AgainstFigure {
            column: reference,
            operator,
            function,
            conditions: Vec::new(),
            same,
        };
        Ok((column.table, predicate))
    }

    /// The column at a mention, or one with these roles, has the highest value of all rows of a table, or the lowest.
    pub(super) fn extreme_row(
        &mut self,
        table: TableId,
        (column, roles): (Option<usize>, &[Role]),
        highest: bool,
        at: usize,
    ) -> Result<(TableId, Predicate), Failure> {
        let column = match column {
            Some(named) => {
                self.mentions[named].readings.iter().find_map(|reading| match reading.target {
                    Target::Column(column) if column.table == table => Some(column),
                    _ => None,
                })
            }
            None => self.superlative_column(table, roles),
        };
        let Some(column) = column.filter(|column| column.table == table) else {
            let message = format!("it is not clear what “{}” is measured by", self.phrase(at));
            let hint = "name the column that orders";
            return Err(self.fail(FailureCode::NothingToOrder, message, hint, Some(at)));
        };
        let function = if highest { Aggregate::Maximum } else { Aggregate::Minimum };
        let predicate = Predicate::AgainstFigure {
            column: self.catalog.reference(column),
            operator: Comparison::Equal,
            function,
            conditions: Vec::new(),
            same: Vec::new(),
        };
        Ok((table, predicate))
    }

    /// Column whose figure is meant where none is named.
    pub(super) fn figured_column(
        &mut self,
        head: TableId,
        roles: &[Role],
        at: usize,
    ) -> Result<ColumnId, Failure> {
        let columns = (0..self.catalog.table_at(head).columns.len())
            .map(|column| ColumnId { table: head, column: column as u16 });
        let fits = |column: ColumnId| roles.iter().any(|role| self.schema.has_role(column, *role));
        let fitting = columns.filter(|column| fits(*column)).count();
        if !roles.is_empty() && fitting == 0 {
            let message = format!("{} have no such number", self.table_rows(head));
            let hint = "name the column that is compared";
            return Err(self.fail(FailureCode::NothingToCompare, message, hint, Some(at)));
        }
        self.compared_column(head, (None, None), roles, at)
    }

    /// "Above the average salary of employees in Sales": what is said of the rows of a figure is a condition on them.
    ///
    /// # Errors
    ///
    /// Where no way leads from these rows to the table of a condition.
    pub(super) fn figures_of_named_rows(
        &mut self,
        frame: &Frame,
        plan: &Plan,
        mut found: Vec<TableCondition>,
    ) -> Result<Vec<TableCondition>, Failure> {
        for condition in &frame.conditions {
            let Condition::Figure { at, rows, .. } = condition else { continue };
            let (of_figure, rest): (Vec<TableCondition>, Vec<TableCondition>) =
                found.into_iter().partition(|found| rows.contains(&found.at));
            found = rest;
            let Some(position) = found.iter().position(|found| found.at == *at) else { continue };
            let mut held = Vec::new();
            let table = found[position].table;
            let named = frame.leading.iter().filter(|(_, place)| place > at).copied().collect();
            self.lead_there(plan, table, named, &of_figure)?;
            for said in &of_figure {
                held.push(self.of_rows(plan, table, said)?);
            }
            if let Predicate::AgainstFigure { conditions, .. } = &mut found[position].predicate {
                conditions.extend(held);
            }
        }
        Ok(found)
    }

    /// Says of which rows figures are computed, and asks where other conditions hold for them.
    ///
    /// # Errors
    ///
    /// Where no way leads from these rows to the table of a condition.
    pub(super) fn rows_of_figures(
        &mut self,
        plan: &Plan,
        found: &mut [TableCondition],
    ) -> Result<(), Failure> {
        for position in 0..found.len() {
            let TableCondition { at, table, predicate } = found[position].clone();
            let Predicate::AgainstFigure { conditions, same, .. } = &predicate else { continue };
            if !conditions.is_empty() || !same.is_empty() || found.len() == 1 {
                continue;
            }
            let mut others = Vec::new();
            for other in found.iter().filter(|other| is_plain(&other.predicate)) {
                let far = self.schema.distance(table, other.table);
                let parent = table == plan.base && far.is_some_and(|(_, to_many)| !to_many);
                if other.table == table || parent {
                    others.push(self.of_rows(plan, table, other)?);
                }
            }
            found[position].predicate = self.rows_of_figure(at, table, predicate, others);
        }
        Ok(())
    }

    fn rows_of_figure(
        &mut self,
        at: usize,
        table: TableId,
        predicate: Predicate,
        others: Vec<Predicate>,
    ) -> Predicate {
        let rows = self.table_rows(table);
        let describer = Describer { catalog: self.catalog };
        let severity = if others.is_empty() { Severity::Minor } else { Severity::Important };
        let mut narrowed = predicate.clone();
        if let Predicate::AgainstFigure { conditions, .. } = &mut narrowed {
            *conditions = others;
        }
        let compared = describer.predicate(&predicate);
        let option =
            |id: &str, label: String, of: &str, predicate: &Predicate| ClarificationOption {
                id: id.to_owned(),
                label,
                description: format!("{compared} of {of}"),
                binding: OptionBinding::Predicate { predicate: predicate.clone() },
                confidence: None,
            };
        let all = format!("all {rows}");
        let mut options = vec![option("all", all.clone(), &all, &predicate)];
        if severity == Severity::Important {
            let matching = format!("the matching {rows}");
            options.push(option("those", format!("only {matching}"), &matching, &narrowed));
        }
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::Condition,
            severity,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::ComparesWith,
            reason: "it can be computed from all rows or only from the matching ones".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Predicate { predicate: chosen }
                if chosen == predicate || chosen == narrowed =>
            {
                chosen
            }
            _ => predicate,
        }
    }
}

/// Whether a predicate says something of a row by itself.
fn is_plain(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Compare { .. }
        | Predicate::InRange { .. }
        | Predicate::IsNull { .. }
        | Predicate::OneOf { .. }
        | Predicate::Text { .. } => true,
        Predicate::Not { condition } => is_plain(condition),
        Predicate::All { conditions } | Predicate::Any { conditions } => {
            conditions.iter().all(is_plain)
        }
        _ => false,
    }
}
