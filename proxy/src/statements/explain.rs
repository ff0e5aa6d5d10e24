//! Explanation of a statement, step by step.

use wherefore_engine::catalog::Catalog;
use wherefore_engine::session::{ExplainedStep, ResultSet};
use wherefore_engine::text::Span;
use wherefore_sql::explain::{Step, explain};

/// Maximum number of steps.
const MOST_STEPS: usize = 100;

/// Last step of a statement without rows, where rows may be hidden from the caller.
const NO_ROWS: &str = "there are no rows that you may see";

/// Adds to an empty result that rows may be hidden from the caller.
pub(crate) fn tell_hidden(result: &mut ResultSet) {
    if result.rows.is_empty() {
        let step = ExplainedStep { text: NO_ROWS.to_owned(), span: Span::default(), depth: 0 };
        result.explained.push(step);
    }
}

/// Whether a result is empty where rows may be hidden from the caller.
pub(crate) fn may_hide(result: &ResultSet) -> bool {
    result.rows.is_empty() && result.explained.last().is_some_and(|step| step.text == NO_ROWS)
}

/// Steps of a statement in the dialect of the data source, in depth-first order; empty if it cannot be parsed.
pub(crate) fn explained(sql: &str, catalog: &Catalog) -> Vec<ExplainedStep> {
    let mut told = Vec::new();
    if let Ok(steps) = explain(sql, catalog) {
        tell(&steps, 0, &mut told);
    } else {
        tracing::debug!("cannot explain a statement");
    }
    told
}

fn tell(steps: &[Step], depth: u8, told: &mut Vec<ExplainedStep>) {
    for step in steps {
        if told.len() == MOST_STEPS {
            return;
        }
        let span = Span { start: step.span.start, end: step.span.end };
        told.push(ExplainedStep { text: step.text.clone(), span, depth });
        tell(&step.inner, depth.saturating_add(1), told);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_engine::catalog::{Column, Table};

    #[test]
    fn inner_steps_stand_behind_theirs_and_no_more_than_the_most_are_told() {
        let column = Column { name: "city".to_owned(), ..Column::default() };
        let table = Table { name: "users".to_owned(), columns: vec![column], ..Table::default() };
        let catalog = Catalog { tables: vec![table], ..Catalog::default() };
        let sql = "WITH some AS (SELECT city FROM users) SELECT city FROM some";
        let depths: Vec<u8> = explained(sql, &catalog).iter().map(|step| step.depth).collect();
        assert_eq!(depths.first(), Some(&0));
        assert_eq!(depths.get(1), Some(&1));
        assert_eq!(depths.last(), Some(&0));
        let many = vec!["SELECT city FROM users"; 150].join(" UNION ALL ");
        assert!(explained(&many, &catalog).len() <= MOST_STEPS);
        assert!(explained("SELECT", &catalog).is_empty());
    }
}
