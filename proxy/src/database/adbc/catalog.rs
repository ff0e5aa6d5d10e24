//! Reads the catalog of a database: its structure, row counts, ranges and listed values.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wherefore_engine::catalog::{Catalog, ColumnRef, Containment, Table, ValueList};

use super::Adbc;
use super::profile::Syntax;
use super::read::Texts;
use super::structure;
use crate::database::DatabaseError;
use crate::database::key_evidence::{Lookup, lookups_of};
use crate::database::listed_values::{LISTED_VALUES, PROSE_LENGTH, TOGETHER, value_list};
use crate::database::sampling::{Sampling, Spelling, has_range, is_listed, is_small};

/// Reads the structure, and keeps the types of the columns for statements.
pub(super) async fn read_structure(database: &Adbc) -> Result<Catalog, DatabaseError> {
    let mut catalog = structure::read(database).await?;
    catalog.tables.sort_by_key(Table::key);
    *database.known.write().await = Some(Arc::new(catalog.clone()));
    Ok(catalog)
}

/// Reads what tables hold: small ones by one statement, others, and those of a statement that fails, by several each.
pub(super) async fn read_contents(
    database: &Adbc,
    tables: &mut [Table],
    until: Instant,
) -> Result<(), DatabaseError> {
    let mut sampler = Sampler { database, until };
    if tables.iter().all(is_small) {
        let Syntax { name: quoted, text, .. } = database.profile.syntax;
        let sampling = Sampling::of(tables, &Spelling { quoted, text, collation: "" });
        let budget = database.profile.column_budget * TOGETHER;
        if let Some(rows) = sampler.within(&sampling.sql, budget).await? {
            sampling.fill(tables, rows.into_iter().filter_map(part));
            return Ok(());
        }
    }
    for table in tables {
        sampler.fill(table).await?;
    }
    Ok(())
}

/// Lists values of the first rows of a table. A sample that fails lists none.
pub(super) async fn read_sample(database: &Adbc, table: &mut Table) -> Result<(), DatabaseError> {
    let Syntax { name: quoted, text, .. } = database.profile.syntax;
    let sampling = Sampling::of_sample(table, &Spelling { quoted, text, collation: "" });
    if let Some(sampling) = sampling {
        let until = Instant::now() + database.profile.small;
        let mut sampler = Sampler { database, until };
        if let Some(rows) = sampler.within(&sampling.sql, database.profile.small).await? {
            sampling.fill(std::slice::from_mut(table), rows.into_iter().filter_map(part));
        }
    }
    Ok(())
}

/// How many values of columns that may be undeclared keys are found in the other column.
pub(super) async fn read_containments(
    database: &Adbc,
    catalog: &Catalog,
    pairs: &[(ColumnRef, ColumnRef)],
    until: Instant,
) -> Result<Vec<Containment>, DatabaseError> {
    Sampler { database, until }.containments(catalog, pairs).await
}

/// A row of a statement that reads several tables.
fn part(row: Texts) -> Option<(usize, [Option<String>; 2])> {
    let [part, first, second] = <[_; 3]>::try_from(row).ok()?;
    Some((part?.parse().ok()?, [first, second]))
}

/// The catalog that was read last, or else the structure of the database.
pub(super) async fn known(database: &Adbc) -> Result<Arc<Catalog>, DatabaseError> {
    if let Some(known) = &*database.known.read().await {
        return Ok(Arc::clone(known));
    }
    let read = Arc::new(structure::read(database).await?);
    *database.known.write().await = Some(Arc::clone(&read));
    Ok(read)
}

/// Reads row counts, ranges and listed values. What exceeds its time budget is left out.
struct Sampler<'a> {
    database: &'a Adbc,
    until: Instant,
}

impl Sampler<'_> {
    async fn fill(&mut self, table: &mut Table) -> Result<(), DatabaseError> {
        let from = self.database.table_name(table);
        self.ranges(&from, table).await?;
        for column in &mut table.columns {
            if is_listed(column) {
                column.values = self.values(&from, &column.name).await?;
            }
        }
        Ok(())
    }

    /// Number of rows and range of each column, in one statement; if it fails, the number of rows alone.
    async fn ranges(&mut self, from: &str, table: &mut Table) -> Result<(), DatabaseError> {
        let Syntax { name: quoted, text, .. } = self.database.profile.syntax;
        let mut items = vec!["count(*)".to_owned()];
        for column in table.columns.iter().filter(|column| has_range(column)) {
            let name = quoted(&column.name);
            items.push(format!("CAST(min({name}) AS {text})"));
            items.push(format!("CAST(max({name}) AS {text})"));
        }
        let mut found = self.first(&format!("SELECT {} FROM {from}", items.join(", "))).await?;
        if found.is_none() && items.len() > 1 {
            found = self.first(&format!("SELECT count(*) FROM {from}")).await?;
        }
        let Some(row) = found else { return Ok(()) };
        table.row_estimate = count(&row, 0).or(table.row_estimate);
        let mut ends = row.into_iter().skip(1);
        for column in table.columns.iter_mut().filter(|column| has_range(column)) {
            column.minimum = ends.next().flatten();
            column.maximum = ends.next().flatten();
        }
        Ok(())
    }

    async fn values(
        &mut self,
        from: &str,
        column: &str,
    ) -> Result<Option<ValueList>, DatabaseError> {
        let Syntax { name: quoted, text, .. } = self.database.profile.syntax;
        let name = quoted(column);
        let average = format!(
            "SELECT avg(length(value)) FROM (SELECT CAST({name} AS {text}) AS value FROM {from} \
             WHERE {name} IS NOT NULL LIMIT 1000) AS sampled"
        );
        let average = self.first(&average).await?.and_then(|row| row.first().cloned().flatten());
        let average = average.and_then(|average| average.parse::<f64>().ok());
        if average.is_none_or(|average| average > PROSE_LENGTH) {
            return Ok(None);
        }
        let list = |source: &str| {
            format!(
                "SELECT DISTINCT CAST({name} AS {text}) AS value FROM {source} WHERE {name} IS NOT NULL \
                 ORDER BY value LIMIT {}",
                LISTED_VALUES + 1
            )
        };
        if let Some(rows) = self.bounded(&list(from)).await? {
            let complete = rows.len() <= LISTED_VALUES;
            return Ok(value_list(firsts(rows), complete));
        }
        let sampled = format!("(SELECT {name} FROM {from} LIMIT 5000) AS sampled");
        let rows = self.bounded(&list(&sampled)).await?;
        Ok(rows.and_then(|rows| value_list(firsts(rows), false)))
    }

    async fn containments(
        &mut self,
        catalog: &Catalog,
        pairs: &[(ColumnRef, ColumnRef)],
    ) -> Result<Vec<Containment>, DatabaseError> {
        let syntax = &self.database.profile.syntax;
        let mut distinct: BTreeMap<String, Option<(u32, u32)>> = BTreeMap::new();
        let mut held = Vec::new();
        for Lookup { from, to, distinct: key, found } in
            lookups_of(catalog, pairs, syntax.name, syntax.has_in_query)
        {
            let rows = match distinct.get(&key) {
                Some(rows) => *rows,
                None => self.counts(&key).await?,
            };
            distinct.insert(key, rows);
            let Some((rows, different)) = rows else { continue };
            let Some((values, found)) = self.counts(&found).await? else { continue };
            held.push(Containment { from, to, values, found, unique: rows == different });
        }
        Ok(held)
    }

    async fn counts(&mut self, sql: &str) -> Result<Option<(u32, u32)>, DatabaseError> {
        let row = self.first(sql).await?;
        Ok(row.and_then(|row| Some((count(&row, 0)?, count(&row, 1)?))))
    }

    async fn first(&mut self, sql: &str) -> Result<Option<Texts>, DatabaseError> {
        Ok(self.bounded(sql).await?.and_then(|rows| rows.into_iter().next()))
    }

    /// Rows of a query within the time budget of a column; `None` if the budget ran out or the query failed.
    async fn bounded(&mut self, sql: &str) -> Result<Option<Vec<Texts>>, DatabaseError> {
        self.within(sql, self.database.profile.column_budget).await
    }

    /// The same with another budget.
    async fn within(
        &mut self,
        sql: &str,
        budget: Duration,
    ) -> Result<Option<Vec<Texts>>, DatabaseError> {
        let Some(left) = self.until.checked_duration_since(Instant::now()) else { return Ok(None) };
        let budget = budget.min(left).max(Duration::from_millis(1));
        match self.database.texts(sql, Vec::new(), budget, None).await {
            Ok(rows) => Ok(Some(rows)),
            Err(error @ (DatabaseError::Busy | DatabaseError::Unavailable(_))) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// Values of the first column.
pub(super) fn firsts(rows: Vec<Texts>) -> Vec<String> {
    rows.into_iter().filter_map(|row| row.into_iter().next().flatten()).collect()
}

fn count(row: &Texts, column: usize) -> Option<u32> {
    let count: u64 = row.get(column)?.as_ref()?.parse().ok()?;
    Some(u32::try_from(count).unwrap_or(u32::MAX))
}
