//! Requirements that follow from the question, as input of the linter rules that compare a statement with its question.

use super::Brief;
use super::taken::{Role, Taken};
use crate::catalog::{Catalog, ColumnRef};
use crate::intent::Aggregate;
use wherefore_sql::lint::{Asked, AskedAggregate, AskedTop, AskedValue};

/// What a statement has to show, group, order and filter; requirements that SQL can express in several ways are left
/// out.
pub(super) fn asked(catalog: &Catalog, brief: &Brief, sql: &str) -> Asked {
    let shape = &brief.shape;
    let figures = Taken::of(catalog, sql);
    let is_found =
        |wanted: Aggregate| figures.things(Role::Figure).any(|thing| thing.figure == Some(wanted));
    let aggregate =
        shape.works_out.filter(|wanted| !is_found(*wanted)).and_then(|wanted| match wanted {
            Aggregate::Average => Some(AskedAggregate::Average),
            Aggregate::Count => Some(AskedAggregate::Count),
            Aggregate::Maximum => Some(AskedAggregate::Maximum),
            Aggregate::Median => None,
            Aggregate::Minimum => Some(AskedAggregate::Minimum),
            Aggregate::Sum => Some(AskedAggregate::Sum),
        });
    // With several ORDER BY clauses, the first may not be the one that ranks the rows.
    let orders = sql.to_ascii_lowercase().matches("order by").count();
    let top = (shape.top.is_some() || shape.descending.is_some())
        .then(|| AskedTop { count: shape.top, largest: shape.descending.filter(|_| orders == 1) });
    let columns = |names: &[String]| -> Vec<ColumnRef> {
        let columns = names.iter().filter_map(|name| name.rsplit_once('.'));
        columns.map(|(table, column)| ColumnRef::new(table, column)).collect()
    };
    Asked {
        aggregate,
        lists_rows: shape.lists.is_some(),
        per: columns(&shape.per),
        top,
        values: said(brief, sql),
        columns: columns(&shape.shows),
        distinct: shape.distinct,
        entity: shape.lists.clone(),
    }
}

/// Values, periods and numbers in the question that a statement has to contain.
fn said(brief: &Brief, sql: &str) -> Vec<AskedValue> {
    let lower = sql.to_ascii_lowercase();
    let counts_from_today = ["now", "current_date", "current_timestamp", "localtime"]
        .iter()
        .any(|word| lower.contains(word));
    let certain = brief.said.iter().filter(|said| !said.anywhere);
    let times = certain.filter(|said| !(said.relative && counts_from_today));
    let times = times.map(|said| AskedValue {
        phrase: said.phrase.clone(),
        literals: said.literals.clone(),
        started: said.started,
        ..AskedValue::default()
    });
    // Words that match only one value, and whose meaning no decision changed.
    let sure = brief.ties.iter().filter(|tie| {
        tie.value.is_some()
            && tie.sure
            && !brief.decided.iter().any(|words| words.phrase == tie.phrase)
    });
    let values = sure.map(|tie| AskedValue {
        phrase: tie.phrase.clone(),
        literals: tie.value.iter().cloned().collect(),
        ..AskedValue::default()
    });
    times.chain(values).collect()
}
