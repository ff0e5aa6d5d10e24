//! Compressed size of the web app's release, whose folder contains a `.br` file next to each file: what the first paint
//! needs, the part of the page that is loaded behind it, and the engine.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};

use crate::budgets::{Budgets, Figure};

/// File names of the engine's module and its words begin with these.
const ENGINE: [&str; 2] = ["core-", "words-"];
/// File names of the part of the page that is loaded behind the first paint begin with this.
const PART: &str = "part-";

/// Size of each compressed file, and the sums of these parts.
pub(crate) fn figures(folder: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    collect(folder, &mut figures)?;
    if figures.is_empty() {
        bail!("no compressed file in {}", folder.display());
    }
    figures.sort_by(|one, other| one.name.cmp(&other.name));
    let (engine, shell): (Vec<_>, Vec<_>) =
        figures.iter().partition(|figure| ENGINE.iter().any(|name| figure.name.starts_with(name)));
    let (part, shell): (Vec<_>, Vec<_>) =
        shell.into_iter().partition(|figure| figure.name.starts_with(PART));
    let sum = |part: &[&Figure]| part.iter().map(|figure| figure.value).sum();
    let sums = [
        Figure::new("first paint, brotli", sum(&shell), "kB", Some(budgets.web.shell_brotli_kb)),
        Figure::new("page behind the first paint, brotli", sum(&part), "kB", None),
        Figure::new(
            "engine and words, brotli",
            sum(&engine),
            "kB",
            Some(budgets.web.engine_brotli_kb),
        ),
    ];
    figures.extend(sums);
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
