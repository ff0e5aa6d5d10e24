//! Measures: what is computed, from a column, a metric of the pack, or a concept such as "sales".

use wherefore_english::{plural, singular};

use super::context::{Composer, Failure};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{ColumnRef, MetricAggregate};
use crate::clarification::{ClarificationOption, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression};
use crate::linking::{ColumnId, Lexical, Named, TableId, Target, words_of_identifier};
use crate::narration::function_words;
use crate::reading::{CountTarget, Measure, MeasureTarget};
use crate::text::stem;

/// A measure with the table whose rows it is computed from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Resolved {
    /// The aggregate; a plain column where the measure only orders rows.
    pub(super) expression: Expression,
    /// Table whose rows are aggregated.
    pub(super) fact: TableId,
    /// Name of the output column.
    pub(super) alias: String,
    /// Mention it comes from.
    pub(super) at: usize,
    /// Date column that a time expression means.
    pub(super) date: Option<ColumnId>,
}

impl Composer<'_> {
    /// Measure of a frame; `head` is the table asked about, where one is.
    pub(super) fn measure(
        &mut self,
        measure: &Measure,
        head: Option<TableId>,
    ) -> Result<Resolved, Failure> {
        let at = measure.at;
        match measure.target {
            MeasureTarget::Count(CountTarget::Rows(table)) => Ok(match self.stocked(table, at) {
                Some(level) => self.aggregate_column(Aggregate::Sum, level, at),
                None => self.count_rows(table, at),
            }),
            MeasureTarget::Count(CountTarget::Head) => match head {
                Some(table) => Ok(self.count_rows(table, at)),
                None => Err(self.fail(
                    FailureCode::NothingToCount,
                    "it is not clear what is counted".to_owned(),
                    "name a table of this data",
                    Some(at),
                )),
            },
            MeasureTarget::Count(CountTarget::Values { distinct }) => {
                self.count_values(at, distinct, head)
            }
            MeasureTarget::Aggregate(function) => self.aggregate(function, at, head),
            MeasureTarget::Own => self.own(at, head),
        }
    }

    fn count_rows(&self, table: TableId, at: usize) -> Resolved {
        let expression =
            Expression::Aggregate { function: Aggregate::Count, argument: None, distinct: false };
        let alias = number_of(&self.catalog.table_at(table).name);
        Resolved { expression, fact: table, alias, at, date: None }
    }

    fn count_values(
        &mut self,
        at: usize,
        distinct: bool,
        head: Option<TableId>,
    ) -> Result<Resolved, Failure> {
        if let Some(Target::Label(table)) = self.target(at) {
            return Ok(self.count_rows(table, at));
        }
        let column = self.column(at, head)?;
        let definition = self.catalog.column_at(column);
        if definition.unique && !distinct {
            return Ok(self.count_rows(column.table, at));
        }
        let alias = number_of(&definition.name);
        Ok(Resolved {
            expression: Expression::Aggregate {
                function: Aggregate::Count,
                argument: Some(Box::new(self.column_expression(column))),
                distinct: true,
            },
            fact: column.table,
            alias,
            at,
            date: None,
        })
    }

    fn aggregate(
        &mut self,
        function: Aggregate,
        at: usize,
        head: Option<TableId>,
    ) -> Result<Resolved, Failure> {
        match self.target(at) {
            Some(Target::Column(_)) if self.is_duration(at) => {
                self.aggregate_duration(function, at, head)
            }
            Some(Target::Column(_)) => {
                let column = self.column(at, head)?;
                Ok(self.aggregate_column(function, column, at))
            }
            Some(Target::Metric(metric)) => self.metric(metric, Some(function), at),
            Some(Target::Table(table)) => self.aggregate_table(function, table, at),
            _ if self.mentions.get(at).is_some_and(|mention| mention.concept.is_some()) => {
                self.concept(Some(function), at, head)
            }
            _ => match head {
                Some(table) => self.aggregate_table(function, table, at),
                None => Err(self.fail(
                    FailureCode::NothingToMeasure,
                    format!("it is not clear what “{}” is computed from", self.phrase(at)),
                    "name a column with numbers",
                    Some(at),
                )),
            },
        }
    }

    /// Column of what is in stock, where a word means the goods and not the rows that record them: "the most stock".
    fn stocked(&self, table: TableId, at: usize) -> Option<ColumnId> {
        let named = matches!(self.target(at), Some(Target::Table(named)) if named == table);
        let goods = named && !self.phrase(at).ends_with('s') && !self.phrase(at).contains(' ');
        let columns = 0..self.catalog.table_at(table).columns.len() as u16;
        let mut columns = columns.map(|column| ColumnId { table, column });
        columns.find(|column| goods && self.schema.has_role(*column, Role::StockLevel))
    }

    /// Columns of a table that hold numbers which are neither keys nor years.
    fn figures(&self, table: TableId) -> Vec<ColumnId> {
        let profile = self.schema.profile(table);
        let columns = 0..self.catalog.table_at(table).columns.len() as u16;
        let columns = columns.map(|column| ColumnId { table, column });
        columns
            .filter(|column| {
                self.catalog.column_at(*column).data_type.is_numeric()
                    && !self.schema.is_flag(*column)
                    && !self.is_foreign(*column)
                    && !self.schema.has_role(*column, Role::Identifier)
                    && !profile.primary_key.contains(column)
                    && !profile.years.contains(column)
            })
            .collect()
    }

    /// "total invoices": the sum of the table's measure, or the number of its rows.
    fn aggregate_table(
        &mut self,
        function: Aggregate,
        table: TableId,
        at: usize,
    ) -> Result<Resolved, Failure> {
        if function == Aggregate::Sum
            && let Some(level) = self.stocked(table, at)
        {
            return Ok(self.aggregate_column(function, level, at));
        }
        let measures = self.schema.profile(table).measures.clone();
        if measures.is_empty() {
            let said = at.checked_sub(1).and_then(|before| self.mentions.get(before));
            let said = said.is_some_and(|said| {
                [Lexical::Average, Lexical::Maximum, Lexical::Minimum].iter().any(|it| said.is(*it))
            });
            if let (true, [only]) = (said, self.figures(table).as_slice()) {
                return Ok(self.aggregate_column(function, *only, at));
            }
            return match function {
                Aggregate::Sum if !self.mentions.iter().any(|said| said.is(Lexical::Amount)) => {
                    Ok(self.count_rows(table, at))
                }
                _ => Err(self.fail(
                    FailureCode::NoMeasure,
                    format!("{} have no number to compute it from", self.table_rows(table)),
                    "name a column with numbers",
                    Some(at),
                )),
            };
        }
        // "total amount of payments" names the column that is added up.
        if function == Aggregate::Sum
            && let [named] = self.named_by_aggregate(&measures).as_slice()
        {
            return Ok(self.aggregate_column(function, *named, at));
        }
        let mut options: Vec<ClarificationOption> = measures
            .iter()
            .take(4)
            .map(|column| ClarificationOption {
                id: self.catalog.column_at(*column).name.clone(),
                label: self.figure_words(function, *column),
                description: self.figure_description(function, *column),
                binding: OptionBinding::Column { column: self.catalog.reference(*column) },
                confidence: None,
            })
            .collect();
        let counted = OptionBinding::Aggregate { function: Aggregate::Count };
        let summed = self
            .mentions
            .iter()
            .any(|mention| mention.phrase.to_lowercase().split(' ').any(|word| word == "sum"));
        if function == Aggregate::Sum && !summed {
            options.insert(
                0,
                ClarificationOption {
                    id: "count".to_owned(),
                    label: format!("number of {}", self.table_rows(table)),
                    description: format!("counts each {} once", singular(&self.table_rows(table))),
                    binding: counted.clone(),
                    confidence: None,
                },
            );
        }
        let chosen = if options.len() == 1 {
            options[0].binding.clone()
        } else {
            self.decide(Decision {
                kind: AmbiguityKind::Aggregation,
                severity: Severity::Important,
                span: self.span(at),
                phrase: self.phrase(at).to_owned(),
                relation: Relation::Means,
                reason: "it can count rows or add up a column".to_owned(),
                options,
                recommended: None,
                custom: None,
            })
        };
        match chosen {
            OptionBinding::Column { column } => match self.column_id(&column) {
                Some(column) => Ok(self.aggregate_column(function, column, at)),
                None => Ok(self.count_rows(table, at)),
            },
            _ => Ok(self.count_rows(table, at)),
        }
    }

    /// Columns with a word of the phrase that asks for a sum in their name.
    fn named_by_aggregate(&self, columns: &[ColumnId]) -> Vec<ColumnId> {
        let asked = self.mentions.iter().filter(|mention| mention.is(Lexical::Sum));
        let words: Vec<String> =
            asked.flat_map(|mention| mention.phrase.split(' ').skip(1).map(stem)).collect();
        let named = |column: &ColumnId| {
            self.schema.stems_of(*column).iter().any(|stem| words.contains(stem))
        };
        columns.iter().copied().filter(named).collect()
    }

    /// What a figure of a column does, with the catalog's sentence about the column: `adds up the total of each order`.
    fn figure_description(&self, function: Aggregate, column: ColumnId) -> String {
        let row = singular(&self.table_rows(column.table));
        let does = match function {
            Aggregate::Sum => "adds up",
            Aggregate::Average => "the mean of",
            Aggregate::Maximum => "the largest of",
            Aggregate::Median => "the middle value of",
            Aggregate::Minimum => "the smallest of",
            Aggregate::Count => "counts",
        };
        let figure = format!("{does} the {} of each {row}", self.column_words(column));
        match self.catalog.column_at(column).description.as_str() {
            "" => figure,
            description => format!("{figure}: {description}"),
        }
    }

    /// A figure of a column as the label of an option: `sum of salaries`, `highest salary`.
    fn figure_words(&self, function: Aggregate, column: ColumnId) -> String {
        let column = self.column_words(column);
        match function {
            Aggregate::Sum => format!("sum of {}", plural(&column)),
            _ => format!("{} {column}", function_words(function)),
        }
    }

    fn aggregate_column(&self, function: Aggregate, column: ColumnId, at: usize) -> Resolved {
        let name = self.column_words(column).replace(' ', "_");
        let summed = function == Aggregate::Sum && name.starts_with("total");
        let prefix = if summed { "" } else { prefix(function) };
        Resolved {
            expression: Expression::Aggregate {
                function,
                argument: Some(Box::new(self.column_expression(column))),
                distinct: false,
            },
            fact: column.table,
            alias: format!("{prefix}{name}"),
            at,
            date: None,
        }
    }

    fn own(&mut self, at: usize, head: Option<TableId>) -> Result<Resolved, Failure> {
        match self.target(at) {
            Some(Target::Metric(metric)) => self.metric(metric, None, at),
            Some(Target::Column(_)) if self.is_duration(at) => self.duration(at, head),
            Some(Target::Column(_)) => {
                let column = self.column(at, head)?;
                Ok(Resolved {
                    expression: self.column_expression(column),
                    fact: column.table,
                    alias: self.catalog.column_at(column).name.clone(),
                    at,
                    date: None,
                })
            }
            Some(Target::Table(table)) => Ok(self.count_rows(table, at)),
            _ if self.mentions.get(at).is_some_and(|mention| mention.concept.is_some()) => {
                self.concept(None, at, head)
            }
            _ => Err(self.fail(
                FailureCode::NothingToMeasure,
                format!("it is not clear what “{}” measures", self.phrase(at)),
                "name a column with numbers",
                Some(at),
            )),
        }
    }

    pub(super) fn metric(
        &self,
        metric: usize,
        function: Option<Aggregate>,
        at: usize,
    ) -> Result<Resolved, Failure> {
        let broken = |reason: String| {
            self.fail(
                FailureCode::BrokenMetric,
                reason,
                "correct the metric in the catalog pack",
                Some(at),
            )
        };
        let Some(metric) = self.catalog.metrics.get(metric) else {
            return Err(broken("the metric is not in the catalog any more".to_owned()));
        };
        let Some(table) = self.schema.table(&metric.table) else {
            return Err(broken(format!(
                "metric {} names the unknown table {}",
                metric.name, metric.table
            )));
        };
        let (own, distinct) = match metric.aggregate {
            MetricAggregate::Average => (Aggregate::Average, false),
            MetricAggregate::Count => (Aggregate::Count, false),
            MetricAggregate::CountDistinct => (Aggregate::Count, true),
            MetricAggregate::Maximum => (Aggregate::Maximum, false),
            MetricAggregate::Minimum => (Aggregate::Minimum, false),
            MetricAggregate::Sum => (Aggregate::Sum, false),
        };
        let argument = match metric.expression.trim() {
            "" => None,
            text => Some(Box::new(
                super::formula::parse(self.catalog, self.schema, table, text)
                    .map_err(|reason| broken(format!("metric {}: {reason}", metric.name)))?,
            )),
        };
        let function = match own {
            Aggregate::Sum => function.unwrap_or(own),
            _ => own,
        };
        let date = metric.date_column.as_ref().and_then(|name| {
            let (table, column) = name.rsplit_once('.')?;
            self.column_id(&ColumnRef::new(table, column))
        });
        let name = words_of_identifier(&metric.name).join("_");
        let alias = match function {
            Aggregate::Average if own != Aggregate::Average => format!("average_{name}"),
            Aggregate::Maximum if own != Aggregate::Maximum => format!("highest_{name}"),
            Aggregate::Minimum if own != Aggregate::Minimum => format!("lowest_{name}"),
            _ => name,
        };
        Ok(Resolved {
            expression: Expression::Aggregate { function, argument, distinct },
            fact: table,
            alias,
            at,
            date,
        })
    }
}

/// Name of an output column that counts what a table or column is named for: `number_of_orders`.
fn number_of(name: &str) -> String {
    let words = words_of_identifier(name).join(" ");
    format!("number_of_{}", plural(&words).replace(' ', "_"))
}

/// Start of the name of an output column that holds a figure.
pub(super) fn prefix(function: Aggregate) -> &'static str {
    match function {
        Aggregate::Average => "average_",
        Aggregate::Count => "number_of_",
        Aggregate::Maximum => "highest_",
        Aggregate::Median => "median_",
        Aggregate::Minimum => "lowest_",
        Aggregate::Sum => "total_",
    }
}
