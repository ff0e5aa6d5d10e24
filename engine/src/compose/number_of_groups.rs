//! The number of groups that meet a condition on an aggregate: "how many customers spent more than 10,000".

use super::build::compose;
use super::context::{Composer, Failure};
use crate::failure::FailureCode;
use crate::intent::{Aggregate, Expression, OverGroups, QueryTree};
use crate::narration::rows;
use crate::reading::{Condition, CountTarget, Frame, MeasureTarget};

impl Composer<'_> {
    /// The frame of the groups that are counted: the rows of a table are counted by an amount that is compared.
    pub(super) fn counts_groups(&self, frame: &Frame) -> Option<Frame> {
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

    /// Query tree of the number of groups of a frame.
    pub(super) fn number_of_groups(&mut self, groups: &Frame) -> Result<QueryTree, Failure> {
        let mut tree = compose(self, groups)?;
        let key = tree.group_by.iter().find_map(|key| match key {
            Expression::Column { column } => Some(column.table.clone()),
            _ => None,
        });
        let plain = tree.also.is_empty() && tree.top.is_none() && tree.over_groups.is_none();
        let head = groups.head.map(|(head, _)| self.schema.profile(head).key.clone());
        let Some(table) = key.filter(|key| plain && head.as_ref() == Some(key)) else {
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
        let alias = format!("number_of_{}", rows(self.catalog, &table).replace(' ', "_"));
        let (function, by) = (Aggregate::Count, Vec::new());
        tree.over_groups = Some(OverGroups { function, by, alias });
        Ok(tree)
    }
}
