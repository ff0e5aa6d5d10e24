//! Reads the catalog of a database: its structure, row counts, ranges and listed values.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mysql_async::prelude::FromRow;
use wherefore_engine::catalog::{
    Catalog, Column, Containment, Coverage, DataType, Table, ValueList,
};
use wherefore_sql::MysqlServer;

use super::pool::{Known, Mysql};
use super::quoting::{quoted, text};
use super::structure::{self, cells};
use super::types;
use crate::database::DatabaseError;
use crate::database::key_evidence::{Lookup, lookups};
use crate::database::listed_values::{
    COLUMN_BUDGET, LISTED_VALUES, PROSE_LENGTH, VALUES_BUDGET, has_listed_values, value_list,
};

/// Estimated number of rows above which a table is not counted; smaller estimates are often wrong.
const COUNTED_ROWS: u32 = 1_000_000;

/// Reads the catalog, and keeps the types of the columns for statements.
pub(super) async fn read(database: &Mysql) -> Result<Catalog, DatabaseError> {
    let Known { mut catalog, server } = structure::read(database).await?;
    let until = Instant::now() + VALUES_BUDGET;
    let mut sampler = Sampler { database, until };
    for table in &mut catalog.tables {
        sampler.fill(table).await?;
    }
    *database.known.write().await = Some(Arc::new(Known { catalog: catalog.clone(), server }));
    catalog.tables.sort_by_key(Table::key);
    catalog.containments = sampler.containments(&catalog).await?;
    Ok(catalog)
}

/// The catalog that was read last, or else the structure of the database.
pub(super) async fn known(database: &Mysql) -> Result<Arc<Known>, DatabaseError> {
    if let Some(known) = &*database.known.read().await {
        return Ok(Arc::clone(known));
    }
    let read = Arc::new(structure::read(database).await?);
    *database.known.write().await = Some(Arc::clone(&read));
    Ok(read)
}

/// Reads row counts, ranges and listed values. What exceeds its time budget is left out.
struct Sampler<'a> {
    database: &'a Mysql,
    until: Instant,
}

impl Sampler<'_> {
    async fn fill(&mut self, table: &mut Table) -> Result<(), DatabaseError> {
        let from = quoted(&table.name);
        if table.row_estimate.is_none_or(|rows| rows <= COUNTED_ROWS) {
            let counted = self.first(&format!("SELECT count(*) FROM {from}")).await?;
            table.row_estimate =
                counted.map(|(rows,)| rows).map(bounded_count).or(table.row_estimate);
        }
        for column in &mut table.columns {
            self.range(&from, column).await?;
            if has_listed_values(column.data_type) && !column.sensitive && column.values.is_none() {
                column.values = self.values(&from, &column.name).await?;
            }
        }
        Ok(())
    }

    /// Smallest and largest value; a `tinyint(1)` that holds only 0 and 1 is a boolean.
    async fn range(&mut self, from: &str, column: &mut Column) -> Result<(), DatabaseError> {
        let ranged = column.data_type.is_numeric() || column.data_type.is_temporal();
        if !ranged || column.sensitive {
            return Ok(());
        }
        let name = quoted(&column.name);
        let sql =
            format!("SELECT CAST(min({name}) AS CHAR), CAST(max({name}) AS CHAR) FROM {from}");
        let Some((minimum, maximum)) = self.first::<(Option<String>, Option<String>)>(&sql).await?
        else {
            return Ok(());
        };
        let is_bit = |end: &Option<String>| matches!(end.as_deref(), None | Some("0" | "1"));
        if types::may_be_boolean(&column.declared_type) && is_bit(&minimum) && is_bit(&maximum) {
            column.data_type = DataType::Boolean;
            return Ok(());
        }
        (column.minimum, column.maximum) = (minimum, maximum);
        Ok(())
    }

    async fn values(
        &mut self,
        from: &str,
        column: &str,
    ) -> Result<Option<ValueList>, DatabaseError> {
        let name = quoted(column);
        let average = format!(
            "SELECT CAST(avg(char_length(value)) AS DOUBLE) FROM (SELECT CAST({name} AS CHAR) AS value \
             FROM {from} WHERE {name} IS NOT NULL LIMIT 1000) AS sample"
        );
        let average = self.first::<(Option<f64>,)>(&average).await?.and_then(|(average,)| average);
        if average.is_none_or(|average| average > PROSE_LENGTH) {
            return Ok(None);
        }
        let list = |server: MysqlServer, source: &str| {
            let value = text(column, server.exact_collation());
            format!(
                "SELECT DISTINCT {value} AS value FROM {source} WHERE {name} IS NOT NULL \
                 ORDER BY value LIMIT {}",
                LISTED_VALUES + 1
            )
        };
        if let Some(values) = self.texts(|server| list(server, from)).await? {
            let complete = values.len() <= LISTED_VALUES;
            return Ok(value_list(values, complete));
        }
        let sample = format!("(SELECT {name} FROM {from} LIMIT 5000) AS sample");
        let values = self.texts(|server| list(server, &sample)).await?;
        Ok(values
            .and_then(|values| value_list(values, false))
            .map(|list| ValueList { coverage: Coverage::Partial, ..list }))
    }

    /// How many values of columns that may be undeclared keys are found in the other column.
    async fn containments(&mut self, catalog: &Catalog) -> Result<Vec<Containment>, DatabaseError> {
        let mut distinct: BTreeMap<String, Option<(u64, u64)>> = BTreeMap::new();
        let mut held = Vec::new();
        for Lookup { from, to, distinct: key, found } in lookups(catalog, quoted) {
            let rows = match distinct.get(&key) {
                Some(rows) => *rows,
                None => self.first(&key).await?,
            };
            distinct.insert(key, rows);
            let Some((rows, different)) = rows else { continue };
            let Some((values, found)) = self.first::<(u64, u64)>(&found).await? else { continue };
            let (values, found) = (bounded_count(values), bounded_count(found));
            held.push(Containment { from, to, values, found, unique: rows == different });
        }
        Ok(held)
    }

    async fn texts(
        &mut self,
        sql: impl FnOnce(MysqlServer) -> String,
    ) -> Result<Option<Vec<String>>, DatabaseError> {
        let rows = self.bounded::<(String,)>(sql).await?;
        Ok(rows.map(|rows| rows.into_iter().map(|(value,)| value).collect()))
    }

    async fn first<T: FromRow>(&mut self, sql: &str) -> Result<Option<T>, DatabaseError> {
        let rows = self.bounded(|_| sql.to_owned()).await?;
        Ok(rows.and_then(|rows| rows.into_iter().next()))
    }

    /// Rows of a query within the time budget of a column; `None` if the budget ran out or the query failed.
    async fn bounded<T: FromRow>(
        &mut self,
        sql: impl FnOnce(MysqlServer) -> String,
    ) -> Result<Option<Vec<T>>, DatabaseError> {
        let Some(left) = self.until.checked_duration_since(Instant::now()) else { return Ok(None) };
        let budget = COLUMN_BUDGET.min(left).max(Duration::from_millis(1));
        let mut lease = self.database.begin(budget).await?;
        let sql = sql(lease.server());
        match lease.query(&sql, ()).await {
            Ok(rows) => {
                lease.finish().await;
                rows.into_iter().map(cells).collect::<Result<_, _>>().map(Some)
            }
            Err(error @ DatabaseError::Unavailable(_)) => Err(error),
            Err(_) => {
                lease.finish().await;
                Ok(None)
            }
        }
    }
}

fn bounded_count(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
