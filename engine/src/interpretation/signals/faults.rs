//! Signals of what is probably wrong; none of them raises the chance.

use super::{Evidence, Signals, TreeParts};
use crate::intent::{Aggregate, Expression, Predicate, QueryTree};
use crate::linking::Lexical;
use crate::reading::Part;

pub(super) fn add(signals: &mut Signals, evidence: &Evidence<'_>, parts: &TreeParts<'_>) {
    let lower = evidence.question.to_lowercase();
    let tree = evidence.tree;
    let numbers = evidence.parts(|part| *part == Part::Number);
    let ranks = evidence.ranks();
    let has = |function| parts.aggregates.contains(&function);
    let extreme = has(Aggregate::Maximum) || has(Aggregate::Minimum);
    let sums = evidence.says(&[Lexical::Sum]);
    let unsaid = parts.texts.iter().filter(|text| !lower.contains(&text.to_lowercase())).count();
    let limits = parts.limit.is_some();
    let distinct = evidence.says(&[Lexical::Distinct]);
    let grouped = !tree.group_by.is_empty();
    signals.flag("distinct is lost", distinct && !parts.different);
    signals.flag("a number is lost", numbers > parts.numbers + usize::from(limits));
    signals.flag("and as a list", evidence.says(&[Lexical::And]) && parts.lists > 0);
    signals.flag("an extreme by group", extreme && !parts.groups.is_empty());
    signals.flag("an extreme beside other columns", extreme && !parts.shown.is_empty());
    signals.flag("a sum that nothing names", has(Aggregate::Sum) && !sums);
    let several = parts.limit.is_some_and(|limit| limit > 1);
    signals.flag("a limit that no number names", several && numbers == 0);
    signals.flag("an end without a limit", ranks && !limits && !extreme);
    signals.count("texts that the question lacks", unsaid, 2);
    signals.flag("a column only required", requires_unordered(tree));
    signals.flag("a word of groups without groups", evidence.says(&[Lexical::Group]) && !grouped);
    let each = evidence.says(&[Lexical::Distributive]);
    signals.flag("each without groups", each && !grouped);
    let counts = evidence.says(&[Lexical::Count]);
    signals.flag("a count is lost", counts && !has(Aggregate::Count));
    signals.count("doubts", evidence.doubts.len(), 4);
}

/// Whether a column that orders nothing must not be NULL: a column that was asked for may have become a condition.
fn requires_unordered(tree: &QueryTree) -> bool {
    tree.filters.iter().any(|condition| {
        match condition {
        Predicate::IsNull { column, negated: true } => !tree.order_by.iter().any(|ordering| {
            matches!(&ordering.expression, Expression::Column { column: key } if key == column)
        }),
        _ => false,
    }
    })
}
