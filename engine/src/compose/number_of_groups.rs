//! The number of groups that meet a condition on an aggregate: "how many customers spent more than 10,000".

use wherefore_english::{name_words, plural};

use super::build::compose;
use super::context::{Composer, Failure};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, OverGroups, QueryTree};
use crate::narration::rows;
use crate::reading::{Condition, CountTarget, Frame, MeasureTarget};

impl Composer<'_> {
    /// The frame of the groups that are counted: the rows of a table are counted by an amount that is compared.
    pub(super) fn counts_groups(&self, frame: &Frame) -> Option<Frame> {
        if let Some(kinds) = self.counts_kinds(frame) {
            return Some(kinds);
        }
        let [count, amount] = frame.measures.as_slice() else { return None };
        let (head, _) = frame.head?;
        let counts_head = matches!(count.target, MeasureTarget::Count(CountTarget::Head))
            || count.target == MeasureTarget::Count(CountTarget::Rows(head));
        let compared = frame.against.is_some_and(|against| against.measure == amount.at)
            || frame
                .conditions
                .iter()
                .any(|known| matches!(known, Condition::Measure { at, .. } if *at == amount.at));
        let plain = frame.groups.is_empty()
            && frame.superlative.is_none()
            && frame.outputs.is_empty()
            && frame.order.is_empty();
        (counts_head && compared && plain)
            .then(|| Frame { measures: vec![amount.clone()], ..frame.clone() })
    }

    /// The frame of the kinds that are counted: "how many cities have more than 3 airports", where cities are a column.
    fn counts_kinds(&self, frame: &Frame) -> Option<Frame> {
        let [count] = frame.measures.as_slice() else { return None };
        let kinds = matches!(count.target, MeasureTarget::Count(CountTarget::Values { .. }));
        let of = self.target(count.at).and_then(|target| target.table());
        let counted = frame
            .conditions
            .iter()
            .any(|known| matches!(known, Condition::CountOf { table, .. } if Some(*table) == of));
        let plain = frame.groups.is_empty()
            && frame.superlative.is_none()
            && frame.outputs.is_empty()
            && frame.order.is_empty()
            && frame.head.is_none();
        (kinds && counted && plain).then(|| Frame {
            measures: Vec::new(),
            outputs: vec![count.at],
            ..frame.clone()
        })
    }

    /// Query tree of the number of groups of a frame.
    pub(super) fn number_of_groups(&mut self, groups: &Frame) -> Result<QueryTree, Failure> {
        let mut tree = compose(self, groups)?;
        let key = tree.group_by.iter().find_map(|key| match key {
            Expression::Column { column } => Some(column.clone()),
            _ => None,
        });
        let plain = tree.also.is_empty() && tree.top.is_none() && tree.over_groups.is_none();
        let head = groups.head.map(|(head, _)| self.schema.profile(head).key.clone());
        let kinds = head.is_none() && tree.group_by.len() == 1;
        let whole = |table: &String| plain && (kinds || head.as_ref() == Some(table));
        let Some(key) = key.filter(|key| whole(&key.table)) else {
            return Err(self.fail(
                FailureCode::NotComposable,
                "it is not clear what is counted".to_owned(),
                "ask for the list instead of its number",
                None,
            ));
        };
        tree.select.retain(|item| item.expression.is_aggregate());
        tree.select.truncate(1);
        tree.order_by.clear();
        tree.limit = None;
        let counted =
            if kinds { plural(&name_words(&key.column)) } else { rows(self.catalog, &key.table) };
        let alias = format!("number_of_{}", counted.replace(' ', "_"));
        let (function, by) = (Aggregate::Count, Vec::new());
        tree.over_groups = Some(OverGroups { function, by, alias });
        Ok(tree)
    }
}
