//! Data sets, each with a file format of its own.

mod ambiqt;
mod ambrosia;
mod defog;
mod everyday;
mod geoquery;
mod spider;
mod triage;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

use super::item::{Item, Place};
use super::options::{Options, Set};
use super::parts::Divided;
use super::source::path_of;

/// Loads the questions that the options select.
pub(crate) fn load(options: &Options) -> Result<Vec<Item>> {
    let file = options.file.as_path();
    let mut items = match options.set {
        Set::Ambrosia => ambrosia::items(read(file)?),
        Set::AmbiqtColumn | Set::AmbiqtPrecomputed | Set::AmbiqtTable => {
            ambiqt::items(read(file)?, options)?
        }
        Set::Defog => defog::items(read(file)?),
        Set::Everyday => everyday::items(read(file)?),
        Set::Geoquery => geoquery::items(read(file)?),
        Set::Spider => spider::items(read(file)?),
        Set::Triage => triage::items(read(file)?),
    };
    if let Some(kind) = &options.only_type {
        items.retain(|item| item.kind == *kind);
    }
    if let (Some(part), Some(splits)) = (options.part, &options.splits) {
        let divided = Divided::read(splits, options.set)?;
        items.retain(|item| divided.holds(part, &item.division));
    }
    if let Some(folder) = &options.databases {
        let all = items.len();
        items.retain(|item| match &item.place {
            Place::Database { id, .. } => path_of(folder, id).is_ok(),
            Place::Schema(_) => true,
        });
        if items.len() < all {
            let lost = all - items.len();
            let _ = writeln!(std::io::stderr(), "{lost} questions left out: no database");
        }
    }
    items.truncate(options.limit);
    if items.is_empty() {
        bail!("no question in {}", file.display());
    }
    Ok(items)
}

fn read<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("cannot read {}", file.display()))
}
