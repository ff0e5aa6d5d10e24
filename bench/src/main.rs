//! Compares the figures that `cargo xtask bench` measures with their budgets in `bench/budgets.toml`.

mod budgets;
mod catalogs;
mod engines;
mod package;
mod preview;
mod proxy;
mod size;
mod sql;
mod stream;
mod web;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::budgets::{Budgets, Figure};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    if let [command, milliseconds] = arguments
        && command == "upstream"
    {
        return proxy::serve_upstream(Duration::from_millis(milliseconds.parse()?));
    }
    let budgets = Budgets::read()?;
    let figures = match arguments {
        [command] if command == "attacks" => proxy::attack_figures(&budgets)?,
        [command] if command == "catalogs" => catalogs::figures(&budgets)?,
        [command, rows] if command == "engines" => engines::figures(rows.parse()?)?,
        [command, file] if command == "package" => package::figures(Path::new(file), &budgets)?,
        [command, file] if command == "preview" => preview::figures(Path::new(file), &budgets)?,
        [command, folder] if command == "size" => size::figures(Path::new(folder), &budgets)?,
        [command, database, pack] if command == "proxy" => {
            proxy::figures(Path::new(database), Path::new(pack), &budgets)?
        }
        [command, file] if command == "sql" => sql::figures(Path::new(file), &budgets)?,
        [command] if command == "stream" => stream::figures(&budgets)?,
        [command, file] if command == "web" => web::figures(Path::new(file), &budgets)?,
        _ => bail!(
            "usage: wherefore-bench attacks | catalogs | engines ROWS | package FIGURES.json | preview FIGURES.json | proxy DATABASE PACK | size FOLDER | sql FIGURES | stream | upstream MILLISECONDS | web FIGURES.json"
        ),
    };
    let mut output = std::io::stdout().lock();
    for figure in &figures {
        writeln!(output, "{figure}")?;
    }
    let beyond = figures.iter().filter(|figure| figure.is_beyond()).count();
    if beyond > 0 {
        bail!("{beyond} of {} figures are beyond their budget", figures.len());
    }
    Ok(())
}

/// The median of these values, of which there must be one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl std::fmt::Display for Figure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}: {:.3} {}", self.name, self.value, self.unit)?;
        match self.budget {
            Some(budget) if self.is_beyond() => write!(formatter, " (budget {budget}: BEYOND)"),
            Some(budget) => write!(formatter, " (budget {budget})"),
            None => Ok(()),
        }
    }
}
