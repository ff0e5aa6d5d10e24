//! Reads what the tables of a PostgreSQL database hold: numbers of rows, ranges, listed values, evidence of keys.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tokio_postgres::Row;
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table, ValueList};

use super::pool::Postgres;
use super::structure::cell;
use crate::database::key_evidence::{Lookup, lookups_of};
use crate::database::listed_values::{
    COLUMN_BUDGET, LISTED_VALUES, PROSE_LENGTH, TOGETHER, value_list,
};
use crate::database::sampling::{Sampling, Spelling, has_range, is_listed, is_small};
use crate::database::{DatabaseError, quoted, quoted_table};

/// How a statement that reads several tables is written.
const SPELLING: Spelling = Spelling { quoted, text: "text", collation: " COLLATE \"C\"" };

/// Reads what tables hold: small ones by one statement, others, and those of a statement that fails, by several each.
pub(super) async fn read_contents(
    database: &Postgres,
    tables: &mut [Table],
    until: Instant,
) -> Result<(), DatabaseError> {
    if tables.iter().all(is_small) {
        let mut sampler = TableSampler { database, until, from: String::new() };
        let sampling = Sampling::of(tables, &SPELLING);
        if let Some(rows) = sampler.within(&sampling.sql, COLUMN_BUDGET * TOGETHER).await? {
            let rows = rows.iter().map(part).collect::<Result<Vec<_>, _>>()?;
            sampling.fill(tables, rows.into_iter());
            return Ok(());
        }
    }
    for table in tables {
        let from = quoted_table(table.schema.as_deref(), &table.name);
        let mut sampler = TableSampler { database, until, from };
        if table.row_estimate.is_none() {
            table.row_estimate = sampler.count().await?;
        }
        sampler.ranges(&mut table.columns).await?;
        for column in table.columns.iter_mut().filter(|column| is_listed(column)) {
            column.values = sampler.values(&column.name).await?;
        }
    }
    Ok(())
}

/// A row of a statement that reads several tables.
fn part(row: &Row) -> Result<(usize, [Option<String>; 2]), DatabaseError> {
    let part = usize::try_from(cell::<i32>(row, 0)?).unwrap_or(usize::MAX);
    Ok((part, [cell(row, 1)?, cell(row, 2)?]))
}

/// How many values of columns that may be undeclared keys are found in the other column.
pub(super) async fn read_containments(
    database: &Postgres,
    catalog: &Catalog,
    pairs: &[(ColumnRef, ColumnRef)],
    until: Instant,
) -> Result<Vec<Containment>, DatabaseError> {
    let mut reader = TableSampler { database, until, from: String::new() };
    let mut distinct: BTreeMap<String, Option<(u32, u32)>> = BTreeMap::new();
    let mut held = Vec::new();
    for Lookup { from, to, distinct: key, found } in lookups_of(catalog, pairs, quoted, true) {
        let rows = match distinct.get(&key) {
            Some(rows) => *rows,
            None => reader.counts(&key).await?,
        };
        distinct.insert(key, rows);
        let Some((rows, different)) = rows else { continue };
        let Some((values, found)) = reader.counts(&found).await? else { continue };
        held.push(Containment { from, to, values, found, unique: rows == different });
    }
    Ok(held)
}

/// Reads row count, ranges and listed values of one table. What exceeds its time budget is left out.
struct TableSampler<'a> {
    database: &'a Postgres,
    until: Instant,
    from: String,
}

impl TableSampler<'_> {
    async fn count(&mut self) -> Result<Option<u32>, DatabaseError> {
        let sql = format!("SELECT count(*) FROM {}", self.from);
        let rows = self.bounded(&sql).await?;
        let count =
            rows.as_deref().and_then(<[Row]>::first).map(|row| cell::<i64>(row, 0)).transpose()?;
        Ok(count.map(|count| u32::try_from(count).unwrap_or(u32::MAX)))
    }

    /// The two counts that a statement returns.
    async fn counts(&mut self, sql: &str) -> Result<Option<(u32, u32)>, DatabaseError> {
        let rows = self.bounded(sql).await?;
        let Some(row) = rows.as_deref().and_then(<[Row]>::first) else { return Ok(None) };
        let count =
            |index| cell::<i64>(row, index).map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Ok(Some((count(0)?, count(1)?)))
    }

    async fn ranges(&mut self, columns: &mut [Column]) -> Result<(), DatabaseError> {
        for column in columns.iter_mut() {
            if !has_range(column) {
                continue;
            }
            let name = quoted(&column.name);
            let sql = format!("SELECT min({name})::text, max({name})::text FROM {}", self.from);
            if let Some(row) = self.bounded(&sql).await?.as_deref().and_then(<[Row]>::first) {
                column.minimum = cell(row, 0)?;
                column.maximum = cell(row, 1)?;
            }
        }
        Ok(())
    }

    async fn values(&mut self, column: &str) -> Result<Option<ValueList>, DatabaseError> {
        let (name, from) = (quoted(column), self.from.clone());
        let average = format!(
            "SELECT avg(length(value))::float8 FROM (SELECT {name}::text AS value FROM {from} \
             WHERE {name} IS NOT NULL LIMIT 1000) AS sample"
        );
        let Some(rows) = self.bounded(&average).await? else { return Ok(None) };
        let average = rows.first().map(|row| cell::<Option<f64>>(row, 0)).transpose()?.flatten();
        if average.is_none_or(|average| average > PROSE_LENGTH) {
            return Ok(None);
        }
        let list = |source: &str| {
            format!(
                "SELECT value FROM (SELECT DISTINCT {name}::text AS value FROM {source} \
                 WHERE {name} IS NOT NULL) AS listed ORDER BY value COLLATE \"C\" LIMIT {}",
                LISTED_VALUES + 1
            )
        };
        let texts = |rows: Vec<Row>| {
            rows.iter().map(|row| cell::<String>(row, 0)).collect::<Result<Vec<_>, _>>()
        };
        if let Some(rows) = self.bounded(&list(&from)).await? {
            let complete = rows.len() <= LISTED_VALUES;
            return Ok(value_list(texts(rows)?, complete));
        }
        let sample = format!("(SELECT {name} FROM {from} LIMIT 5000) AS sample");
        Ok(match self.bounded(&list(&sample)).await? {
            Some(rows) => value_list(texts(rows)?, false),
            None => None,
        })
    }

    /// Rows of a query within the time budget of a column; `None` if the budget ran out or the query failed.
    async fn bounded(&mut self, sql: &str) -> Result<Option<Vec<Row>>, DatabaseError> {
        self.within(sql, COLUMN_BUDGET).await
    }

    /// The same with another budget.
    async fn within(
        &mut self,
        sql: &str,
        budget: Duration,
    ) -> Result<Option<Vec<Row>>, DatabaseError> {
        let Some(left) = self.until.checked_duration_since(Instant::now()) else { return Ok(None) };
        let lease = self.database.begin(budget.min(left).max(Duration::from_millis(1))).await?;
        match lease.query(sql, &[]).await {
            Ok(rows) => {
                lease.finish().await;
                Ok(Some(rows))
            }
            Err(error @ DatabaseError::Unavailable(_)) => Err(error),
            Err(_) => {
                lease.finish().await;
                Ok(None)
            }
        }
    }
}
