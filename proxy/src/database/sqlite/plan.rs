//! Lower bound of the rows that a statement of SQLite visits, from its query plan and the row counts of tables.

use std::collections::BTreeMap;

use rusqlite::Connection;
use wherefore_sql::CheckedSql;
use wherefore_sql::tree::{Body, FromItem, Query, Source};

use crate::database::{LargestStep, Plan};

/// Row count of each table, by its name in lower case.
pub(super) type Sizes = BTreeMap<String, f64>;

/// Plans a checked statement, with a row limit if there is one.
///
/// The cost is the number of rows that nested scans visit; an index search counts as one row.
pub(super) fn read(
    connection: &Connection,
    statement: &CheckedSql,
    rows: Option<u32>,
    sizes: &Sizes,
) -> rusqlite::Result<Plan> {
    let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sql()))?;
    let steps = explained
        .query_map((), |row| Ok((row.get::<_, i64>(1)?, row.get::<_, String>(3)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let sorted = steps.iter().any(|(_, step)| step.contains("TEMP B-TREE"));
    let stored = statement.output_columns().iter().all(|column| column.source.is_some());
    if rows.is_some() && stored && !sorted {
        // Rows are returned as they are found, so the statement stops at the limit.
        return Ok(Plan::default());
    }
    let mut names = Sizes::new();
    collect(statement.query(), sizes, &mut names);
    let mut nests: BTreeMap<i64, (f64, Vec<&str>)> = BTreeMap::new();
    for (parent, step) in &steps {
        let Some(name) = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next()) else {
            continue;
        };
        if let Some(size) = names.get(&name.to_lowercase()) {
            let (visited, scanned) = nests.entry(*parent).or_insert((1.0, Vec::new()));
            *visited *= size.max(1.0);
            scanned.push(name);
        }
    }
    let cost = nests.values().map(|(visited, _)| visited).sum();
    let largest = nests.values().fold(None, |largest, (visited, scanned)| {
        Some(LargestStep::or_larger(largest, *visited, || format!("SCAN {}", scanned.join(", "))))
    });
    Ok(Plan { cost: Some(cost), rows: None, largest })
}

/// Row counts by the names (aliases) that the plan uses.
fn collect(query: &Query, sizes: &Sizes, names: &mut Sizes) {
    for cte in &query.with {
        collect(&cte.query, sizes, names);
    }
    match &query.body {
        Body::Select(select) => {
            for FromItem { source, joins } in &select.from {
                for source in std::iter::once(source).chain(joins.iter().map(|join| &join.source)) {
                    match source {
                        Source::Table { name, alias, .. } => {
                            let shown = alias.as_ref().unwrap_or(name);
                            if let Some(size) = sizes.get(&name.name.to_lowercase()) {
                                names.insert(shown.name.to_lowercase(), *size);
                            }
                        }
                        Source::Derived { query, .. } => collect(query, sizes, names),
                        Source::Function { .. } | Source::Foreign(_) => {}
                    }
                }
            }
        }
        Body::SetOperation { left, right, .. } => {
            collect(left, sizes, names);
            collect(right, sizes, names);
        }
        Body::Values(_) | Body::Foreign(_) | Body::Spelled(_) => {}
    }
}
