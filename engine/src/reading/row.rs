//! Comparisons with a row that is named: "products more expensive than Chai", "who earns more than Ada Lovelace",
//! "employees older than their manager".
//!
//! Invalid, so that it is refused: a word of comparison that says of no column what is compared, beside no column.

use super::frame::Condition;
use super::parse::Parser;
use super::part::Part;
use crate::intent::Comparison;
use crate::linking::{ColumnId, Lexical, Named, Target};
use crate::text::fold;

impl Parser<'_> {
    /// Reads the row behind the operator at `at`, and gives back where to go on; none where no row is named there.
    pub(super) fn against_row(&mut self, at: usize, operator: Comparison) -> Option<usize> {
        let said = self.before(at).filter(|before| self.subject == Some(*before));
        let column = said.filter(|said| self.is_measured(*said));
        let roles = self.lexicon.compared_roles(&fold(&self.mentions[at].phrase)).to_vec();
        let computed = |at: usize| self.frame.measures.iter().any(|measure| measure.at == at);
        let open = column.is_none() && roles.is_empty();
        let grouped = self.grouping || self.ordering || !self.aggregates.is_empty();
        let equal = matches!(operator, Comparison::Equal | Comparison::NotEqual);
        if open || grouped || equal || column.is_some_and(computed) {
            return None;
        }
        let first = self.behind(at + 1, &[Lexical::Filler, Lexical::Of]);
        let parent = self.own_key(first).filter(|_| column.is_none()).map(|key| (key, first));
        let (values, next) = match parent {
            Some(_) => (Vec::new(), first + 1),
            None => self.named_row(first)?,
        };
        if self.names_several_rows(&values, next) {
            self.block(first, "a comparison with several rows has several readings");
        }
        let operator = self.after_negation(operator);
        self.frame.outputs.retain(|output| Some(*output) != column);
        self.frame.conditions.push(Condition::Row { column, operator, values, parent, at, roles });
        (self.subject, self.last_value) = (None, None);
        Some(next)
    }

    /// Stored values that name a row of the table asked about, and the place behind them.
    fn named_row(&mut self, first: usize) -> Option<(Vec<usize>, usize)> {
        let people = self.tables_of_values(&[first]).find(|table| {
            self.frame.measures.is_empty() && self.index.profile(*table).label.len() > 1
        });
        let table = self.frame.head.map(|(head, _)| head).or(people)?;
        let names = self.index.profile(table).label.clone();
        let named = |at: usize| {
            self.is_value_in(at, table)
                && self.mentions[at].readings.iter().any(|reading| {
                    matches!(&reading.target, Target::Value(column, _) if names.contains(column))
                })
        };
        let values: Vec<usize> =
            (first..self.mentions.len()).take_while(|next| named(*next)).collect();
        let last = *values.last()?;
        self.head_if_none(table, first);
        Some((values, last + 1))
    }

    /// "than Chai and Chang": more than one row is named.
    fn names_several_rows(&self, values: &[usize], next: usize) -> bool {
        let column = |at: usize| match self.target(at) {
            Some(Target::Value(column, _)) if self.part(at) == Part::Schema => Some(*column),
            _ => None,
        };
        let own: Vec<ColumnId> = values.iter().filter_map(|at| column(*at)).collect();
        let joins = [Lexical::And, Lexical::List, Lexical::Or];
        let further = self.behind(next, &joins);
        let joined = further > next && column(further).is_some_and(|column| own.contains(&column));
        joined || own.iter().enumerate().any(|(at, column)| own[..at].contains(column))
    }

    /// Whether a mention is a column of numbers or dates.
    fn is_measured(&self, at: usize) -> bool {
        let column: Option<ColumnId> = match self.target(at) {
            Some(Target::Column(column)) if self.part(at) == Part::Schema => Some(*column),
            _ => None,
        };
        column.is_some_and(|column| {
            let data_type = self.catalog.column_at(column).data_type;
            data_type.is_numeric() || data_type.is_temporal()
        })
    }
}
