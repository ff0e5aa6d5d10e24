//! The gold interpretations of a question, as rows and as facts.

use std::rc::Rc;

use super::facts::{Facts, of_statement, pointed_at};
use super::item::Item;
use super::rows::{Agreement, Rows, nearest};
use super::source::Source;

/// Gold interpretations, in the order of the data set.
pub(crate) struct Golds {
    /// Rows of each interpretation; `None` when the statement fails or returns no rows.
    pub(crate) rows: Vec<Option<Rc<Rows>>>,
    /// Facts of each interpretation; empty when the statement cannot be parsed.
    pub(crate) facts: Vec<Facts>,
}

impl Golds {
    /// Executes and parses the gold statements of a question.
    pub(crate) fn of(source: &Source, item: &Item) -> Self {
        let rows = item
            .golds
            .iter()
            .map(|sql| source.rows(sql).filter(|rows| !rows.rows.is_empty()))
            .collect();
        let facts: Option<Vec<Facts>> =
            item.golds.iter().map(|sql| of_statement(sql, source.engine.catalog())).collect();
        Self { rows, facts: facts.unwrap_or_default() }
    }

    /// Gold interpretations whose rows are closest to the rows of a statement.
    ///
    /// When several interpretations return equal rows, those that contradict the names in the statement are left out.
    pub(crate) fn met_by(&self, source: &Source, sql: &str) -> Vec<(usize, Agreement)> {
        let Some(rows) = source.run(sql) else { return Vec::new() };
        let mut met = nearest(&rows, &self.rows);
        if met.len() > 1
            && let Some(index) = self.named_by(source, sql)
        {
            met.retain(|(other, _)| *other == index);
        }
        met
    }

    /// Golds whose rows are closest to the rows of a statement, whatever it names.
    pub(crate) fn any_met_by(&self, source: &Source, sql: &str) -> Vec<(usize, Agreement)> {
        source.run(sql).map(|rows| nearest(&rows, &self.rows)).unwrap_or_default()
    }

    /// The only gold interpretation that the names in a statement identify.
    pub(crate) fn named_by(&self, source: &Source, sql: &str) -> Option<usize> {
        pointed_at(&of_statement(sql, source.engine.catalog())?, &self.facts)
    }
}
