//! Compressed size of a release folder, which contains a `.br` file next to each file.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::budgets::{Budgets, Figure};

/// Size of each compressed file, and their sum.
pub(crate) fn figures(folder: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    collect(folder, &mut figures)?;
    if figures.is_empty() {
        bail!("no compressed file in {}", folder.display());
    }
    figures.sort_by(|one, other| one.name.cmp(&other.name));
    let sum = figures.iter().map(|figure| figure.value).sum();
    figures.push(Figure {
        name: "page, brotli".to_owned(),
        value: sum,
        unit: "kB",
        budget: Some(budgets.web.brotli_kb),
    });
    Ok(figures)
}

fn collect(folder: &Path, figures: &mut Vec<Figure>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, figures)?;
        } else if path.extension().is_some_and(|extension| extension == "br") {
            figures.push(Figure {
                name: path.with_extension("").file_name().unwrap_or_default().display().to_string(),
                value: path.metadata()?.len() as f64 / 1_000.0,
                unit: "kB",
                budget: None,
            });
        }
    }
    Ok(())
}
