//! Sets of questions, each read from its own form.

mod ambiqt;
mod ambrosia;
mod spider;
mod triage;

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;

use super::item::Item;
use super::options::{Options, Set};

/// Questions that the options name.
pub(crate) fn load(options: &Options) -> Result<Vec<Item>> {
    let file = options.file.as_path();
    let mut items = match options.set {
        Set::Ambrosia => ambrosia::items(read(file)?),
        Set::AmbiqtColumn | Set::AmbiqtPrecomputed | Set::AmbiqtTable => {
            ambiqt::items(read(file)?, options)?
        }
        Set::Spider => spider::items(read(file)?),
        Set::Triage => triage::items(read(file)?),
    };
    if let Some(kind) = &options.only_type {
        items.retain(|item| item.kind == *kind);
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
