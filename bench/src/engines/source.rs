//! The engines with their workers, behind the proxy and without it.

use std::fs;

use anyhow::{Result, anyhow};
use wherefore_tests::adbc::Client;
use wherefore_tests::duckdb::library;
use wherefore_tests::proxy::Proxy;
use wherefore_tests::spark_sql::{self, SparkSql};

use super::rows::Rows;

/// An engine that is measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Engine {
    DuckDb,
    Sail,
    Spark,
}

impl Engine {
    pub(super) const ALL: [Self; 3] = [Self::DuckDb, Self::Sail, Self::Spark];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::DuckDb => "duckdb",
            Self::Sail => "sail",
            Self::Spark => "spark",
        }
    }
}

/// An engine with its workers on the rows.
pub(super) struct Source<'a> {
    rows: &'a Rows,
    workers: usize,
    /// The server; `None` for DuckDB, which runs in the proxy's own process of drivers.
    server: Option<SparkSql>,
}

impl<'a> Source<'a> {
    /// Starts an engine. On DuckDB, workers are threads.
    pub(super) fn start(engine: Engine, workers: usize, rows: &'a Rows) -> Result<Self> {
        let server = match engine {
            Engine::DuckDb => None,
            Engine::Sail => Some(spark_sql::Engine::Sail),
            Engine::Spark => Some(spark_sql::Engine::Spark),
        };
        let server = server.map(|engine| SparkSql::start_with(engine, workers));
        Ok(Self { rows, workers, server: server.transpose().map_err(failed)? })
    }

    /// Name of the table with this number of sales.
    pub(super) fn table(&self, size: u64) -> String {
        Rows::sales(size)
    }

    /// A proxy on the tables with this number of sales.
    pub(super) fn proxy(&self, size: u64) -> Result<Proxy> {
        let seconds = ["--statement-seconds", "600", "--cost-limit", "0"];
        let seconds = seconds.map(str::to_owned);
        if let Some(server) = &self.server {
            server.run(&self.external_tables(size)).map_err(failed)?;
            let mut options = server.options().map_err(failed)?;
            options.extend(seconds);
            return Proxy::start(&options).map_err(failed);
        }
        let folder = self.rows.folder().join(format!("duckdb_{size}"));
        if !folder.exists() {
            fs::create_dir(&folder)?;
            for table in Rows::tables(size) {
                fs::hard_link(self.rows.file(&table), folder.join(format!("{table}.parquet")))?;
            }
        }
        let driver = library().ok_or_else(|| anyhow!("DuckDB is not installed"))?;
        let paths = [&folder, &driver].map(|path| path.display().to_string());
        let [folder, driver] = paths;
        let mut options = vec!["--database".to_owned(), folder, "--driver".to_owned(), driver];
        options.extend(seconds);
        let proxy = match self.workers {
            1 => Proxy::start_on_one_processor(&options),
            _ => Proxy::start(&options),
        };
        proxy.map_err(failed)
    }

    /// A connection to the engine without the proxy.
    pub(super) fn client(&self, size: u64) -> Result<Client> {
        if let Some(server) = &self.server {
            return server.client().map_err(failed);
        }
        let mut client = Rows::client()?;
        let mut run = |sql: String| client.run(&sql).map_err(|error| anyhow!("{error}\n{sql}"));
        run(format!("SET threads = {}", self.workers))?;
        for table in Rows::tables(size) {
            let file = self.rows.file(&table).display().to_string();
            run(format!("CREATE VIEW {table} AS SELECT * FROM read_parquet('{file}')"))?;
        }
        Ok(client)
    }

    /// Statements that make tables of a server from the files, which stay where they are.
    fn external_tables(&self, size: u64) -> Vec<String> {
        let made = |table: &String| {
            let file = self.rows.file(table);
            let folder = file.parent().unwrap_or(&file).display();
            [
                format!("DROP TABLE IF EXISTS {table}"),
                format!(
                    "CREATE TABLE {table} ({}) USING parquet LOCATION '{folder}'",
                    columns(table)
                ),
            ]
        };
        Rows::tables(size).iter().flat_map(made).collect()
    }
}

/// Columns of a table, which Sail does not read from its files.
fn columns(table: &str) -> &'static str {
    match table {
        "stores" => "id INT, name STRING, country STRING",
        "products" => "id INT, name STRING, category STRING",
        _ => "id BIGINT, store_id INT, product_id INT, units INT, sold_on DATE",
    }
}

fn failed(error: wherefore_tests::Failure) -> anyhow::Error {
    anyhow!("{error}")
}
