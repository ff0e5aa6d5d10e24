//! The list of changed texts, for review by a person.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::diff::Difference;
use crate::{Failure, workspace};

/// Lock on the list, since areas are compared concurrently.
static LISTING: Mutex<()> = Mutex::new(());

/// Lists the changes in an area: each pair of old and new text once, with its count and first path.
pub(super) fn list(area: &str, found: &[Difference]) -> Result<(), Failure> {
    let _one_at_a_time = LISTING.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = workspace::root().join("target/recordings");
    fs::create_dir_all(&folder)?;
    let own = folder.join(format!("{area}.changes"));
    if found.is_empty() {
        let _ = fs::remove_file(&own);
    } else {
        fs::write(&own, told(area, found))?;
    }
    join(&folder)
}

fn told(area: &str, found: &[Difference]) -> String {
    let mut pairs: BTreeMap<(String, String), (usize, &str)> = BTreeMap::new();
    for difference in found {
        pairs.entry(difference.told()).or_insert((0, &difference.path)).0 += 1;
    }
    let mut told = format!("## {area}: {} values, {} pairs\n", found.len(), pairs.len());
    for ((old, new), (count, path)) in &pairs {
        let [old, new] = [old, new].map(|text| text.replace('\n', "\n  "));
        let _ = write!(told, "\n{count} × {path}\n- {old}\n+ {new}\n");
    }
    told
}

/// Joins the lists of all areas into one file.
fn join(folder: &Path) -> Result<(), Failure> {
    let mut lists: Vec<_> = fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "changes"))
        .collect();
    lists.sort();
    let mut all =
        "# Changed texts\n\nCount, first place, `-` what is committed, `+` what there is now.\n"
            .to_owned();
    for list in lists {
        all.push('\n');
        all.push_str(&fs::read_to_string(list)?);
    }
    fs::write(folder.join("changed_texts.md"), all)?;
    Ok(())
}
