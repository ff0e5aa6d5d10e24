//! Runs a function on all items in parallel. Items of one data source share a worker; results keep the order of the
//! file.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Result, anyhow};
use wherefore_engine::catalog::Catalog;

use super::edit::Edit;
use super::item::{Item, Place};
use super::options::Options;
use super::source::{Source, path_of, read_catalog};

/// Questions between two progress messages.
const PROGRESS: usize = 100;

/// Calls `judge` for every item; returns the results in the order of the items.
pub(crate) fn each<T: Send>(
    items: &[Item],
    options: &Options,
    judge: impl Fn(&Source, &Item) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let batches = batches(items);
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    let results: Mutex<BTreeMap<usize, Result<T>>> = Mutex::default();
    let keep = |index: usize, result: Result<T>| {
        let result = result.map_err(|error| error.context(items[index].id.clone()));
        results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(index, result);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of(PROGRESS) || done == items.len() {
            let _ = writeln!(std::io::stderr(), "{done} of {} questions", items.len());
        }
    };
    let work = || {
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = run(items, batch, options, &judge, &keep) {
                keep(batch[0], Err(error));
            }
        }
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let judged: Vec<T> = results.into_values().collect::<Result<_>>()?;
    if judged.len() == items.len() { Ok(judged) } else { Err(anyhow!("a question was lost")) }
}

/// Indexes of items, grouped by data source.
fn batches(items: &[Item]) -> Vec<Vec<usize>> {
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        let batch = match &item.place {
            Place::Database { id, .. } => *known.entry(id).or_insert(batches.len()),
            Place::Schema(_) => batches.len(),
        };
        if batch == batches.len() {
            batches.push(Vec::new());
        }
        batches[batch].push(index);
    }
    batches
}

/// Judges the items of one data source; one engine is built for each schema edit.
fn run<T>(
    items: &[Item],
    batch: &[usize],
    options: &Options,
    judge: &impl Fn(&Source, &Item) -> Result<T>,
    keep: &impl Fn(usize, Result<T>),
) -> Result<()> {
    let id = match &items[batch[0]].place {
        Place::Schema(catalog) => {
            let source = Source::of_schema(catalog.as_ref().clone());
            for &index in batch {
                keep(index, judge(&source, &items[index]));
            }
            return Ok(());
        }
        Place::Database { id, .. } => id,
    };
    let folder = options.databases.as_deref().ok_or_else(|| anyhow!("no folder of databases"))?;
    let path = path_of(folder, id)?;
    let mut catalog = read_catalog(&path)?;
    if options.without_keys {
        forget_keys(&mut catalog);
    }
    let mut groups: Vec<(Option<&Edit>, Vec<usize>)> = Vec::new();
    for &index in batch {
        let Place::Database { edit, .. } = &items[index].place else { continue };
        match groups.iter_mut().find(|(known, _)| *known == edit.as_ref()) {
            Some((_, group)) => group.push(index),
            None => groups.push((edit.as_ref(), vec![index])),
        }
    }
    for (edit, group) in groups {
        let source = Source::open(&path, &catalog, edit)?.asking_below(options.ask_below);
        for index in group {
            keep(index, judge(&source, &items[index]));
        }
    }
    Ok(())
}

/// Removes the declared keys of a catalog.
fn forget_keys(catalog: &mut Catalog) {
    catalog.foreign_keys.clear();
    for table in &mut catalog.tables {
        table.primary_key.clear();
    }
}
