//! Concepts such as "sales": the columns that store them, or quantity × price of lines.

use super::context::{Composer, Failure};
use super::measure::{Resolved, prefix};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::ColumnRef;
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, ArithmeticOperator, Expression, Predicate, QueryTree};
use crate::linking::{ColumnId, Named, TableId, Target};
use crate::narration::{self, Wording};
use crate::order;
use crate::reading::{Frame, MeasureTarget};

/// What may store a concept.
#[derive(Clone)]
struct Stored {
    score: f64,
    /// Amount of one row.
    amount: Expression,
    table: TableId,
    /// Words for the amount.
    words: String,
}

impl Composer<'_> {
    /// A word such as "sales": an amount of a table that records it, or quantity × price of its lines.
    pub(super) fn concept(
        &mut self,
        function: Option<Aggregate>,
        at: usize,
        head: Option<TableId>,
    ) -> Result<Resolved, Failure> {
        let function = function.unwrap_or(Aggregate::Sum);
        if let Some(table) = self.stocked_goods(at) {
            return self.stock_worth(function, table, at);
        }
        let stored = self.stored_concept(at, head);
        let Some(best) = stored.first().cloned() else {
            return Err(self.fail(
                FailureCode::UndefinedMeasure,
                format!("“{}” is not defined in this data", self.phrase(at)),
                "name the column that holds it",
                Some(at),
            ));
        };
        let chosen = self.decide_concept(at, stored, best);
        if self.of_lines {
            self.note_lines(at, &chosen);
        }
        let phrase = self.phrase(at).to_lowercase();
        let name = phrase.strip_suffix(" of").unwrap_or(&phrase).replace(' ', "_");
        let alias = format!("{}{name}", prefix(function));
        Ok(Resolved {
            expression: Expression::Aggregate {
                function,
                argument: Some(Box::new(chosen.amount)),
                distinct: false,
            },
            fact: chosen.table,
            alias,
            at,
            date: None,
        })
    }

    /// What may store the concept of a mention, the likeliest first: near tables before far ones.
    fn stored_concept(&self, at: usize, head: Option<TableId>) -> Vec<Stored> {
        let concept = self
            .mentions
            .get(at)
            .and_then(|mention| mention.concept)
            .and_then(|concept| self.dictionary.concepts.get(concept));
        let recording =
            concept.into_iter().flat_map(|concept| self.schema.recording(self.catalog, concept));
        let worth = self.mentions.get(at).and_then(|mention| mention.worth);
        // "Order value" is recorded by the orders or their lines, and not by what else is sold.
        let belongs = |table: TableId| {
            worth.is_none_or(|rows| {
                self.schema
                    .distance(table, rows)
                    .is_some_and(|(joins, to_many)| joins <= 1 && !to_many)
            })
        };
        let mut found: Vec<Stored> = recording
            .filter(|candidate| belongs(candidate.table))
            .filter_map(|candidate| {
                let table = candidate.table;
                let near = head.map_or(0.0, |head| {
                    self.schema.distance(head, table).map_or(0.3, |(joins, to_many)| {
                        0.005 * joins as f64 + if to_many { 0.2 } else { 0.0 }
                    })
                });
                let (amount, words) = match candidate.column.filter(|_| !self.of_lines) {
                    Some(column) => (self.column_expression(column), self.column_words(column)),
                    None => self.line_amount(table)?,
                };
                Some(Stored { score: candidate.score - near, amount, table, words })
            })
            .collect();
        order::by(&mut found, |a, b| {
            b.score.total_cmp(&a.score).then_with(|| a.table.cmp(&b.table))
        });
        found
    }

    /// Of columns that fit about as well as the best, the one that is meant.
    fn decide_concept(&mut self, at: usize, stored: Vec<Stored>, best: Stored) -> Stored {
        let rivals: Vec<Stored> = stored
            .into_iter()
            .take_while(|rival| best.score - rival.score < self.settings.rival_gap / 2.0)
            .collect();
        let options = self.concept_options(&rivals);
        if rivals.len() < 2 || options.len() < 2 {
            return best;
        }
        let picked = self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: Severity::Important,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "several columns store it".to_owned(),
            options,
            recommended: None,
            custom: None,
        });
        let OptionBinding::Column { column } = picked else { return best };
        let picked = Expression::Column { column };
        rivals.into_iter().find(|rival| rival.amount == picked).unwrap_or(best)
    }

    /// An option for each of the columns.
    fn concept_options(&self, rivals: &[Stored]) -> Vec<ClarificationOption> {
        let columns: Vec<ColumnRef> = rivals
            .iter()
            .filter_map(|rival| match &rival.amount {
                Expression::Column { column } => Some(column.clone()),
                _ => None,
            })
            .take(5)
            .collect();
        let wordings = narration::columns(self.catalog, &columns);
        let options = columns.into_iter().zip(wordings);
        options
            .map(|(column, Wording { label, description })| ClarificationOption {
                id: column.to_string(),
                label,
                description,
                binding: OptionBinding::Column { column },
                confidence: None,
            })
            .collect()
    }

    /// Whether totals of whole rows are summed although a condition selects some of their line items, which have amounts of
    /// their own: "revenue of Blue Train", "revenue excluding Jazz". Rows that are named themselves are meant whole:
    /// "revenue of orders with Blue Train".
    pub(super) fn sums_beyond_condition(&self, frame: &Frame, tree: &QueryTree) -> bool {
        let concept = frame.measures.iter().any(|measure| {
            self.mentions.get(measure.at).is_some_and(|mention| mention.concept.is_some())
                && !matches!(measure.target, MeasureTarget::Count(_))
        });
        let Some(fact) = self.schema.table(&tree.from).filter(|_| concept) else { return false };
        let named = (0..self.mentions.len())
            .any(|at| matches!(self.target(at), Some(Target::Table(table)) if table == fact));
        let of_lines = |condition: &Predicate| match condition {
            Predicate::Exists { joins, .. } => joins
                .first()
                .and_then(|step| self.schema.table(&step.to_table))
                .is_some_and(|lines| {
                    self.schema.distance(lines, fact) == Some((1, false))
                        && self.line_amount(lines).is_some()
                }),
            _ => false,
        };
        !named && tree.row_conditions().any(of_lines)
    }

    /// Notes that amounts of lines are taken in place of those of whole rows.
    fn note_lines(&mut self, at: usize, chosen: &Stored) {
        let (option, _) = self.sum_option(chosen.amount.clone(), &chosen.words, chosen.table, at);
        self.decide(Decision {
            kind: AmbiguityKind::MetricDefinition,
            severity: Severity::Minor,
            span: self.span(at),
            phrase: self.phrase(at).to_owned(),
            relation: Relation::Means,
            reason: "amounts of whole rows would be counted several times".to_owned(),
            options: vec![option],
            recommended: None,
            custom: None,
        });
    }

    /// Quantity × price of a table of lines, less a discount that is a share.
    pub(super) fn line_amount(&self, table: TableId) -> Option<(Expression, String)> {
        let of_role = |role: Role| {
            (0..self.catalog.table_at(table).columns.len())
                .map(|column| ColumnId { table, column: column as u16 })
                .find(|column| self.schema.has_role(*column, role))
        };
        let (quantity, price) = (of_role(Role::Quantity)?, of_role(Role::Price)?);
        let product = Expression::Arithmetic {
            operator: ArithmeticOperator::Multiply,
            left: Box::new(self.column_expression(quantity)),
            right: Box::new(self.column_expression(price)),
        };
        let discount = of_role(Role::Percentage).filter(|column| {
            let definition = self.catalog.column_at(*column);
            let share = definition.maximum.as_ref().and_then(|most| most.parse::<f64>().ok());
            self.column_words(*column).contains("discount") && share.is_none_or(|most| most <= 1.0)
        });
        match discount {
            Some(discount) => {
                let rest = Expression::Arithmetic {
                    operator: ArithmeticOperator::Minus,
                    left: Box::new(Expression::Number { value: "1".to_owned() }),
                    right: Box::new(self.column_expression(discount)),
                };
                let whole = Expression::Arithmetic {
                    operator: ArithmeticOperator::Multiply,
                    left: Box::new(product),
                    right: Box::new(rest),
                };
                Some((whole, "quantity × price less discount".to_owned()))
            }
            None => Some((product, "quantity × price".to_owned())),
        }
    }
}
