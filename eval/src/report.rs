//! Output of an evaluation: tables, then one JSON object as the last line.

use std::io::Write;

use anyhow::Result;
use serde_json::Value;

/// A table of text cells.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these headings.
    pub(crate) fn new(headings: &[&str]) -> Self {
        Self { rows: vec![headings.iter().map(|heading| (*heading).to_owned()).collect()] }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// Lines with aligned columns; the first column is left-aligned, all others right-aligned.
    pub(crate) fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        self.rows
            .iter()
            .map(|row| {
                let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                    if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                });
                cells.collect::<Vec<_>>().join("  ")
            })
            .collect()
    }
}

/// A share (0 to 1) as a percentage with one digit; a dash for `None`.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// Prints details, tables and figures, in this order.
pub(crate) fn print(details: &[String], tables: &[Table], figures: &Value) -> Result<()> {
    let mut output = std::io::stdout().lock();
    for detail in details {
        writeln!(output, "{detail}")?;
    }
    for table in tables {
        for line in table.lines() {
            writeln!(output, "{line}")?;
        }
        writeln!(output)?;
    }
    writeln!(output, "{figures}")?;
    Ok(())
}

/// A text on one line, with single spaces.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["type", "n"]);
        table.row(vec!["a".into(), "100".into()]);
        assert_eq!(table.lines(), ["type    n", "a     100"]);
    }

    #[test]
    fn absent_shares_are_dashes() {
        assert_eq!(percent(Some(0.125)), "12.5 %");
        assert_eq!(percent(None), "–");
    }
}
