//! Signals of the query tree.

use super::{Evidence, Signals, TreeParts};
use crate::catalog::Catalog;
use crate::intent::Aggregate;

pub(super) fn add(
    signals: &mut Signals,
    catalog: &Catalog,
    evidence: &Evidence<'_>,
    parts: &TreeParts<'_>,
) {
    let tree = evidence.tree;
    let has = |function| parts.aggregates.contains(&function);
    signals.count("joins", tree.joins.len(), 4);
    signals.count("exists", parts.exists, 3);
    signals.flag("exists without a condition", parts.empty_exists > 0);
    signals.flag("not exists", parts.not_exists > 0);
    signals.flag("null", parts.nulls > 0);
    signals.count("lists of values", parts.lists, 2);
    signals.count("alternatives", parts.alternatives, 2);
    signals.count("conditions", tree.filters.len(), 4);
    signals.count("comparisons", parts.comparisons, 3);
    signals.count("texts", parts.texts.len(), 3);
    signals.count("groups", tree.group_by.len(), 3);
    signals.count("outputs", tree.select.len(), 6);
    signals.count("aggregates", parts.aggregates.len(), 3);
    signals.flag("a count", has(Aggregate::Count));
    signals.flag("a sum", has(Aggregate::Sum));
    signals.flag(
        "conditions on groups",
        !tree.having.is_empty() || tree.against_mean.is_some() || parts.counts > 0,
    );
    signals.flag("compared with a figure", parts.figures > 0);
    signals.flag("a limit", tree.limit.is_some());
    signals.count("keys of the order", tree.order_by.len(), 3);
    signals.flag("distinct rows", tree.distinct);
    signals.flag("count of different", parts.distinct_counts > 0);
    signals.flag("computed", parts.computed > 0);
    let undeclared = catalog.foreign_keys.iter().all(|key| key.inferred);
    signals.flag("no declared key", undeclared && catalog.tables.len() > 1);
    let inferred = tree.joins.iter().filter(|step| {
        catalog.foreign_keys.iter().any(|key| {
            key.inferred
                && (key.from_table == step.from_table && key.to_table == step.to_table
                    || key.from_table == step.to_table && key.to_table == step.from_table)
        })
    });
    signals.count("joins by inferred keys", inferred.count(), 2);
}
