//! Conditions on groups in words.

use super::describe::Describer;
use crate::intent::{Aggregate, Expression, Predicate, QueryTree};
use wherefore_english::{and_list, plural};

impl Describer<'_> {
    /// A condition on the groups of a tree in words.
    pub(crate) fn group_condition(&self, tree: &QueryTree, condition: &Predicate) -> String {
        match condition {
            Predicate::AmongGroups { aggregate, percent, highest } => {
                let shown = tree.select.iter().find(|item| item.expression == *aggregate);
                let figure = self.named(shown.and_then(|item| item.alias.as_deref()), aggregate);
                let groups = self.groups(tree).iter().map(|group| plural(group)).collect();
                among(&figure, *percent, *highest, groups)
            }
            Predicate::Compare {
                left: Expression::Aggregate { function: Aggregate::Count, argument: None, .. },
                ..
            } => {
                let counted = format!("number of {}", self.rows(&tree.from));
                self.predicate(condition).replacen("number of rows", &counted, 1)
            }
            _ => self.predicate(condition),
        }
    }

    /// The same where the groups are not known.
    pub(super) fn among_all(
        &self,
        aggregate: &Expression,
        percent: Option<u8>,
        highest: bool,
    ) -> String {
        among(&self.expression(aggregate), percent, highest, vec!["groups".to_owned()])
    }
}

fn among(figure: &str, percent: Option<u8>, highest: bool, groups: Vec<String>) -> String {
    let groups = and_list(&groups);
    match (percent, highest) {
        (Some(percent), true) => {
            format!("{figure} is among the highest {percent} % of all {groups}")
        }
        (Some(percent), false) => {
            format!("{figure} is among the lowest {percent} % of all {groups}")
        }
        (None, true) => format!("{figure} is above the average of all {groups}"),
        (None, false) => format!("{figure} is below the average of all {groups}"),
    }
}
