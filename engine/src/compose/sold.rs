//! What sells: things ranked by the rows that record sales of them.

use super::context::Composer;
use super::measure::Resolved;
use crate::clarification::{ClarificationOption, OptionBinding};
use crate::data::Role;
use crate::intent::{Aggregate, Expression};
use crate::linking::{TableId, Target, words_of_identifier};
use crate::reading::Superlative;

/// Joins from the rows that record sales to what is ranked by them, where the words say that sales are meant.
const FAR: usize = 3;

impl Composer<'_> {
    /// Whether rows of a table may be large by what is recorded of them, and not only by their own number.
    pub(super) fn is_large_by_records(&mut self, head: TableId, superlative: &Superlative) -> bool {
        let sized = self.superlative_column(head, &[Role::AreaSize]).is_some();
        let named = self
            .schema
            .profile(head)
            .label
            .iter()
            .any(|column| self.schema.has_role(*column, Role::Name));
        named && !sized && !self.recorded(Some(head), superlative, 1).is_empty()
    }

    /// What the rows of a table are ranked by: metrics, sums and numbers of rows that record the concepts of a
    /// superlative, surest first.
    pub(super) fn sold_options(
        &mut self,
        head: TableId,
        superlative: &Superlative,
    ) -> Vec<(ClarificationOption, Resolved)> {
        let reach = if superlative.roles.is_empty() { FAR } else { 1 };
        self.recorded(Some(head), superlative, reach)
    }

    /// Metrics, sums and numbers of the rows that record the concepts of a superlative, of each row of a table if
    /// there is one.
    pub(super) fn recorded(
        &mut self,
        head: Option<TableId>,
        superlative: &Superlative,
        reach: usize,
    ) -> Vec<(ClarificationOption, Resolved)> {
        let at = superlative.at;
        let near = |composer: &Self, fact: TableId| {
            head.is_none_or(|head| {
                let ways = composer.schema.distance(fact, head);
                fact != head && ways.is_some_and(|(joins, to_many)| !to_many && joins <= reach)
            })
        };
        let mut options: Vec<(ClarificationOption, Resolved)> = Vec::new();
        let mut facts: Vec<TableId> = Vec::new();
        for terms in &superlative.concepts {
            let concept = self.dictionary.concepts.iter().find(|concept| concept.term == *terms);
            let recordings = concept
                .map(|concept| self.schema.recording(self.catalog, concept))
                .unwrap_or_default();
            for recording in recordings {
                if !near(self, recording.table) {
                    continue;
                }
                if !facts.contains(&recording.table) {
                    facts.push(recording.table);
                }
                let summed = match recording.column {
                    Some(column) => {
                        Some((self.column_expression(column), self.column_words(column)))
                    }
                    None => self.line_amount(recording.table),
                };
                options.extend(
                    summed.map(|(amount, words)| {
                        self.sum_option(amount, &words, recording.table, at)
                    }),
                );
            }
        }
        // "Spent the most" asks for money, never for a number of rows.
        let spent =
            superlative.roles.is_empty() && !superlative.figure && superlative.concepts.len() == 1;
        let metrics = (0..self.catalog.metrics.len()).filter_map(|position| {
            let resolved = self.metric(position, None, at).ok()?;
            let sum = matches!(
                resolved.expression,
                Expression::Aggregate { function: Aggregate::Sum, .. }
            );
            let fits = sum && facts.contains(&resolved.fact);
            (fits && (!spent || self.holds_money(&resolved.expression)))
                .then_some((position, resolved))
        });
        let metrics: Vec<(usize, Resolved)> = metrics.collect();
        for (position, resolved) in metrics.into_iter().rev() {
            options.retain(|(_, known)| known.expression != resolved.expression);
            let metric = &self.catalog.metrics[position];
            let option = ClarificationOption {
                id: metric.name.clone(),
                label: words_of_identifier(&metric.name).join(" "),
                description: metric.description.clone(),
                binding: columns_of(&resolved.expression),
                confidence: None,
            };
            options.insert(0, (option, resolved));
        }
        self.schema.leave_purchases(&mut facts);
        options.retain(|(_, resolved)| facts.contains(&resolved.fact));
        if spent {
            self.leave_lines(&mut options);
        }
        if self.sells_pieces(superlative) {
            let pieces = |resolved: &Resolved| self.counts_pieces_of(&resolved.expression);
            if options.iter().any(|(_, resolved)| pieces(resolved)) {
                options.retain(|(_, resolved)| pieces(resolved));
                return options;
            }
        }
        let counts = options.is_empty() || !spent;
        for fact in facts.into_iter().filter(|_| counts) {
            options.extend(self.count_option(fact, at));
        }
        let mut known: Vec<OptionBinding> = Vec::new();
        options.retain(|(option, _)| {
            let new = !known.contains(&option.binding);
            known.push(option.binding.clone());
            new
        });
        options
    }

    /// "which artist sold the most tracks": goods are named behind the superlative, of which pieces are counted.
    fn sells_pieces(&self, superlative: &Superlative) -> bool {
        let named = self.mentions.get(superlative.at).is_some_and(|mention| {
            let phrase = mention.phrase.to_lowercase();
            phrase.starts_with("sold") || phrase.starts_with("sell")
        });
        let goods = matches!(self.target(superlative.at + 1), Some(Target::Table(_)));
        named && goods && self.phrase(superlative.at + 1).ends_with('s')
    }

    /// Whether a figure adds up a stored number of pieces.
    fn counts_pieces_of(&self, expression: &Expression) -> bool {
        let OptionBinding::Column { column } = columns_of(expression) else { return false };
        self.column_id(&column).is_some_and(|column| self.schema.has_role(column, Role::Quantity))
    }

    /// Drops amounts computed from line items where the rows that the lines reference store a total: the stored total is
    /// the figure that people mean by what was spent.
    fn leave_lines(&self, options: &mut Vec<(ClarificationOption, Resolved)>) {
        let stored = |resolved: &Resolved| match &resolved.expression {
            Expression::Aggregate { argument: Some(argument), .. } => {
                matches!(**argument, Expression::Column { .. })
            }
            _ => false,
        };
        let totals: Vec<TableId> = options
            .iter()
            .filter(|(_, resolved)| stored(resolved))
            .map(|(_, resolved)| resolved.fact)
            .collect();
        options.retain(|(_, resolved)| {
            let of_total = self
                .schema
                .edges(resolved.fact)
                .iter()
                .any(|edge| edge.forward && edge.to_one && totals.contains(&edge.to));
            stored(resolved) || !of_total
        });
    }

    /// Whether a figure is computed of an amount, a price or a cost.
    fn holds_money(&self, expression: &Expression) -> bool {
        let columns = match columns_of(expression) {
            OptionBinding::Column { column } => vec![column],
            OptionBinding::Columns { columns } => columns,
            _ => Vec::new(),
        };
        let money = [Role::Amount, Role::Price, Role::Cost];
        columns
            .iter()
            .filter_map(|column| self.column_id(column))
            .any(|column| money.iter().any(|role| self.schema.has_role(column, *role)))
    }

    pub(super) fn sum_option(
        &self,
        amount: Expression,
        words: &str,
        fact: TableId,
        at: usize,
    ) -> (ClarificationOption, Resolved) {
        let rows = self.table_rows(fact);
        let plain = format!("{words} of {rows}");
        let total =
            if words.starts_with("total") { plain.clone() } else { format!("total {plain}") };
        let named = match &amount {
            Expression::Column { column } => words_of_identifier(&column.column).join("_"),
            _ => "amount".to_owned(),
        };
        let alias = if named.starts_with("total") { named } else { format!("total_{named}") };
        let expression = Expression::Aggregate {
            function: Aggregate::Sum,
            argument: Some(Box::new(amount)),
            distinct: false,
        };
        let option = ClarificationOption {
            id: total.replace(' ', "_"),
            label: if words.contains('×') { plain } else { total },
            description: format!("added up over {rows}"),
            binding: columns_of(&expression),
            confidence: None,
        };
        (option, Resolved { expression, fact, alias, at, date: None })
    }
}

/// Columns that an expression is computed of.
fn columns_of(expression: &Expression) -> OptionBinding {
    fn collect(expression: &Expression, columns: &mut Vec<crate::catalog::ColumnRef>) {
        match expression {
            Expression::Aggregate { argument: Some(argument), .. } => collect(argument, columns),
            Expression::Arithmetic { left, right, .. } => {
                collect(left, columns);
                collect(right, columns);
            }
            Expression::Column { column } => columns.push(column.clone()),
            _ => {}
        }
    }
    let mut columns = Vec::new();
    collect(expression, &mut columns);
    match columns.as_slice() {
        [column] => OptionBinding::Column { column: column.clone() },
        _ => OptionBinding::Columns { columns },
    }
}
