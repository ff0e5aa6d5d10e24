//! Evidence in the stored rows for a finding: an alarm that the rows confirm is not a false positive.

use wherefore_engine::catalog::{Catalog, Table};
use wherefore_sql::lint::{Edit, Finding};

use crate::rows::{Agreement, Rows};
use crate::source::Source;

/// A statement with its rows.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    pub(super) source: &'a Source,
    pub(super) catalog: &'a Catalog,
    pub(super) query: &'a str,
    pub(super) rows: &'a Rows,
}

impl Evidence<'_> {
    /// Whether the rows confirm every finding.
    pub(super) fn bears_out(self, found: &[Finding]) -> bool {
        found.iter().all(|finding| match finding.rule.id {
            // Non-deterministic: a selected column has several values in a group.
            "A01" => self.source.is_unsettled(self.query),
            "J01" => self.joins_nothing(found),
            "P03" => self.holds_always(finding),
            "P05" => self.means_nothing(finding),
            "P08" => self.is_nowhere(finding),
            _ => false,
        })
    }

    /// Whether the join conditions are true for every pair of rows, and joining on the keys would return other rows.
    fn joins_nothing(self, found: &[Finding]) -> bool {
        let joins: Vec<&Edit> = found
            .iter()
            .filter(|finding| finding.rule.id == "J01")
            .filter_map(|finding| finding.fixes.first()?.edits.first())
            .filter(|edit| edit.span.start < edit.span.end)
            .collect();
        let rows_with = |condition: &dyn Fn(&Edit) -> String| {
            let mut text = self.query.to_owned();
            for edit in joins.iter().rev() {
                let range = edit.span.start as usize..edit.span.end as usize;
                text.replace_range(range, &condition(edit));
            }
            self.source.rows(&text)
        };
        !joins.is_empty()
            && rows_with(&|_| "1".to_owned()).is_some_and(|rows| same(&rows, self.rows))
            && rows_with(&|edit| edit.text.clone()).is_some_and(|rows| !same(&rows, self.rows))
    }

    /// Whether the rows stay the same without the condition.
    fn holds_always(self, finding: &Finding) -> bool {
        let mut text = self.query.to_owned();
        text.replace_range(finding.span.start as usize..finding.span.end as usize, "1");
        self.source.rows(&text).is_some_and(|rows| same(&rows, self.rows))
    }

    /// Whether the rows stay the same when a literal of the wrong type is replaced with another text.
    fn means_nothing(self, finding: &Finding) -> bool {
        let (start, end) = (finding.span.start as usize, finding.span.end as usize);
        let Some(part) = self.query.get(start..end) else { return false };
        let (Some(open), Some(close)) = (part.find('\''), part.rfind('\'')) else { return false };
        let mut text = self.query.to_owned();
        text.replace_range(start + open..=start + close, "'no value'");
        self.source.rows(&text).is_some_and(|rows| same(&rows, self.rows))
    }

    /// Whether no stored row has the value.
    fn is_nowhere(self, finding: &Finding) -> bool {
        let (start, end) = (finding.span.start as usize, finding.span.end as usize);
        let literal = self.query.get(start..end).unwrap_or_default();
        let column = finding.message.split(' ').nth(1).unwrap_or_default();
        let holds = |table: &Table| {
            let name = &table.name;
            let one = format!("SELECT 1 FROM \"{name}\" WHERE \"{column}\" = {literal} LIMIT 1");
            table.column(column).is_some()
                && self.source.rows(&one).is_none_or(|rows| !rows.rows.is_empty())
        };
        !self.catalog.tables.iter().any(holds)
    }
}

/// Whether two results have equal rows.
pub(super) fn same(one: &Rows, other: &Rows) -> bool {
    one.agreement(other) == Some(Agreement::Same)
}
