//! `wherefore-sample`: loads the sample into a SQLite file or a PostgreSQL database.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgGroup, Parser};
use jiff::Zoned;
use jiff::civil::Date;
use wherefore_sample::{Error, Summary, TableSummary, load_postgres_with, load_sqlite_with};

/// Writes the sample data source: a wholesale distributor and a wound clinic.
#[derive(Parser)]
#[command(version, group = ArgGroup::new("target").required(true))]
struct Arguments {
    /// SQLite file to write; one that this program wrote earlier is replaced
    #[arg(long, value_name = "FILE", group = "target")]
    out: Option<PathBuf>,
    /// PostgreSQL database to fill, such as `postgres://name@127.0.0.1/sample`
    #[arg(long, value_name = "URL", group = "target")]
    postgres: Option<String>,
    /// Date of "today" in the sample, such as 2026-01-31; by default that of this machine
    #[arg(long, value_name = "DATE")]
    today: Option<Date>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let today = arguments.today.unwrap_or_else(|| Zoned::now().date());
    match load(&arguments, today) {
        Ok(summary) => {
            say(&format!(
                "{} rows in {} tables, dates up to {today}",
                summary.rows(),
                summary.tables.len()
            ));
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("error[{}]: {error}", error.code()));
            if let Some(hint) = hint(&error) {
                say(&format!("hint: {hint}"));
            }
            ExitCode::FAILURE
        }
    }
}

fn load(arguments: &Arguments, today: Date) -> Result<Summary, Error> {
    let mut progress =
        |table: &TableSummary| say(&format!("{:>7} {}.{}", table.rows, table.area, table.table));
    if let Some(path) = &arguments.out {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .map_err(|source| Error::File { path: folder.to_owned(), source })?;
        }
        return load_sqlite_with(path, today, &mut progress);
    }
    let url = arguments.postgres.as_deref().unwrap_or_default();
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|source| Error::File { path: PathBuf::from("runtime"), source })?
        .block_on(load_postgres_with(url, today, &mut progress))
}

/// Advice for an error, if there is any.
fn hint(error: &Error) -> Option<&'static str> {
    match error {
        Error::NotASample(_) => Some("another file name, or the file removed first"),
        Error::SchemaExists(_) => Some("CREATE DATABASE makes an empty one"),
        Error::Postgres(cause) if cause.as_db_error().is_none() => {
            Some("is the server running, and are host, port and name in the URL right?")
        }
        _ => None,
    }
}

/// Writes a line to standard error; a closed stream is ignored.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
