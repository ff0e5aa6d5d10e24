//! What goods in stock are worth: price × number in stock; which price, where there are several.

use super::build::Measures;
use super::context::{Composer, Failure};
use super::measure::{Resolved, prefix};
use super::plan::Plan;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, ArithmeticOperator, Expression};
use crate::linking::{ColumnId, Named, TableId, number_in_stock, priced_goods};
use crate::narration::{self, Wording};

impl Composer<'_> {
    /// Table whose goods in stock a mention says the worth of.
    pub(super) fn stocked_goods(&self, at: usize) -> Option<TableId> {
        self.mentions.get(at)?.stocked
    }

    /// A figure of what the goods of a table in stock are worth.
    pub(super) fn stock_worth(
        &mut self,
        function: Aggregate,
        table: TableId,
        at: usize,
    ) -> Result<Resolved, Failure> {
        let level = number_in_stock(self.catalog, self.schema, table);
        let price = self.price_of_goods(table, at);
        let (Some(level), Some(price)) = (level, price) else {
            return Err(self.fail(
                FailureCode::UndefinedMeasure,
                format!("“{}” is not defined in this data", self.phrase(at)),
                "name the columns that hold the price and the number in stock",
                Some(at),
            ));
        };
        let worth = Expression::Arithmetic {
            operator: ArithmeticOperator::Multiply,
            left: Box::new(self.column_expression(price)),
            right: Box::new(self.column_expression(level)),
        };
        Ok(Resolved {
            expression: Expression::Aggregate {
                function,
                argument: Some(Box::new(worth)),
                distinct: false,
            },
            fact: table,
            alias: format!("{}stock_value", prefix(function)),
            at,
            date: None,
        })
    }

    /// Joins the table of the prices that goods in stock are valued at, where it is not that of the stock.
    pub(super) fn join_prices(
        &mut self,
        measures: &Measures,
        plan: &mut Plan,
    ) -> Result<(), Failure> {
        for measure in &measures.aggregates {
            let Expression::Aggregate { argument: Some(worth), .. } = &measure.expression else {
                continue;
            };
            if self.stocked_goods(measure.at) == Some(measure.fact)
                && let Expression::Arithmetic { left, .. } = &**worth
                && let Expression::Column { column } = &**left
                && let Some(price) = self.column_id(column)
            {
                self.join(plan, price.table)?;
            }
        }
        Ok(())
    }

    /// Columns of a table with numbers that have one of some roles.
    fn numbers(&self, table: TableId, roles: &[Role]) -> Vec<ColumnId> {
        let columns = 0..self.catalog.table_at(table).columns.len() as u16;
        columns
            .map(|column| ColumnId { table, column })
            .filter(|column| {
                self.catalog.column_at(*column).data_type.is_numeric()
                    && roles.iter().any(|role| self.schema.has_role(*column, *role))
            })
            .collect()
    }

    /// The price that goods are valued at; several are decided on.
    fn price_of_goods(&mut self, table: TableId, at: usize) -> Option<ColumnId> {
        let mut prices = self.numbers(table, &[Role::Price, Role::Cost]);
        if prices.is_empty()
            && let Some(goods) = priced_goods(self.catalog, self.schema, table)
        {
            prices = self.numbers(goods, &[Role::Price, Role::Cost]);
        }
        if prices.len() < 2 {
            return prices.first().copied();
        }
        let columns: Vec<ColumnRef> =
            prices.iter().take(5).map(|column| self.catalog.reference(*column)).collect();
        let wordings = narration::columns(self.catalog, &columns);
        let options = columns
            .into_iter()
            .zip(wordings)
            .map(|(column, Wording { label, description })| ClarificationOption {
                id: column.to_string(),
                label,
                description,
                binding: OptionBinding::Column { column },
                confidence: None,
            })
            .collect();
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::GoesBy,
            reason: "goods can be valued at several prices".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        match chosen {
            OptionBinding::Column { column } => self.column_id(&column),
            _ => prices.first().copied(),
        }
    }
}
