//! Loads rows into PostgreSQL.

use bytes::Bytes;
use futures_util::SinkExt as _;
use jiff::civil::Date;
use tokio_postgres::{NoTls, Transaction};

use crate::dataset::Rows;
use crate::ddl::{self, Comments};
use crate::error::{Error, Result};
use crate::generate::generate;
use crate::load::{Progress, Summary, TableSummary};
use crate::schema::{TableSchema, schema};
use crate::value::Value;

/// Size of one COPY message, in bytes.
const CHUNK: usize = 64 * 1024;

pub(super) async fn load(url: &str, today: Date, progress: Progress<'_>) -> Result<Summary> {
    let schema = schema()?;
    let comments = Comments::read()?;
    let data = generate(today)?;
    let (mut client, connection) = tokio_postgres::connect(url, NoTls).await?;
    // The task ends when the client is dropped; the client's calls return its errors.
    let driver = tokio::spawn(connection);
    let transaction = client.transaction().await?;
    for area in schema.areas() {
        let taken = transaction
            .query_opt("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", &[&area])
            .await?;
        if taken.is_some() {
            return Err(Error::SchemaExists(area.to_owned()));
        }
        transaction.batch_execute(&format!("CREATE SCHEMA {}", ddl::quote(area))).await?;
    }
    let mut summary = Summary::default();
    for table in &schema.tables {
        transaction.batch_execute(&ddl::postgres_table(table)).await?;
        let mut count = 0;
        if let Some(rows) = data.rows(&table.name) {
            copy(&transaction, table, rows).await?;
            count = rows.rows.len();
        }
        let done =
            TableSummary { area: table.area.to_owned(), table: table.name.clone(), rows: count };
        progress(&done);
        summary.tables.push(done);
    }
    for table in &schema.tables {
        let mut statements = ddl::postgres_after_rows(&schema, table, &comments);
        statements.extend(ddl::indexes(table, &ddl::qualified(table)));
        statements.push(format!("ANALYZE {}", ddl::qualified(table)));
        transaction.batch_execute(&statements.join(";\n")).await?;
    }
    transaction.commit().await?;
    drop(client);
    if let Ok(ended) = driver.await {
        ended?;
    }
    Ok(summary)
}

async fn copy(transaction: &Transaction<'_>, table: &TableSchema, rows: &Rows) -> Result<()> {
    let columns: Vec<String> = rows.columns.iter().map(|name| ddl::quote(name)).collect();
    let statement = format!("COPY {} ({}) FROM STDIN", ddl::qualified(table), columns.join(", "));
    let sink = transaction.copy_in::<_, Bytes>(&statement).await?;
    let mut sink = std::pin::pin!(sink);
    let mut buffer = String::with_capacity(CHUNK + 4096);
    for row in &rows.rows {
        push_row(&mut buffer, row);
        if buffer.len() >= CHUNK {
            sink.send(Bytes::from(std::mem::take(&mut buffer))).await?;
        }
    }
    if !buffer.is_empty() {
        sink.send(Bytes::from(buffer)).await?;
    }
    sink.finish().await?;
    Ok(())
}

/// Appends a row in COPY text format.
fn push_row(buffer: &mut String, row: &[Value]) {
    for (place, value) in row.iter().enumerate() {
        if place > 0 {
            buffer.push('\t');
        }
        if *value == Value::Null {
            buffer.push_str("\\N");
            continue;
        }
        for letter in value.to_string().chars() {
            match letter {
                '\\' => buffer.push_str("\\\\"),
                '\t' => buffer.push_str("\\t"),
                '\n' => buffer.push_str("\\n"),
                '\r' => buffer.push_str("\\r"),
                other => buffer.push(other),
            }
        }
    }
    buffer.push('\n');
}

#[cfg(test)]
mod tests {
    use super::push_row;
    use crate::value::Value;

    #[test]
    fn tabs_line_ends_and_backslashes_are_told_from_the_format_own() {
        let mut buffer = String::new();
        push_row(&mut buffer, &[Value::from("a\tb\\\n"), Value::Null, Value::from(true)]);
        assert_eq!(buffer, "a\\tb\\\\\\n\t\\N\ttrue\n");
    }
}
