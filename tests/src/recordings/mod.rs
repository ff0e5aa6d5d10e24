//! Recordings of replies of the engine, the package and the proxy to fixed input, committed and compared.
//!
//! A recording is a list of named records of one area, in `tests/recordings/AREA.jsonl.gz`. Values that vary between
//! runs (ids, times, random names) are masked.

mod changes;
pub mod client;
pub mod conversation;
mod diff;
mod file;
pub mod inputs;
pub mod mask;
pub mod mcp;
pub mod model;
mod pool;
pub mod routes;
mod routes_sql;
pub mod sample;
pub mod statements;

use std::collections::BTreeSet;
use std::fmt::Write;

use serde_json::Value;

use diff::{Difference, differences};
use pool::Pool;

use crate::Failure;

/// Maximum number of differences in a failure message.
const SHOWN: usize = 20;
/// Maximum number of characters of a value in a failure message.
const SHOWN_LENGTH: usize = 300;
/// Number of characters shown before the first difference.
const SHOWN_BEFORE: usize = 60;

/// The records of an area, in order.
#[derive(Debug)]
pub struct Recording {
    area: &'static str,
    pool: Pool,
    records: Vec<(String, Value)>,
    names: BTreeSet<String>,
}

impl Recording {
    /// An empty recording; the area determines its file name.
    pub fn new(area: &'static str) -> Self {
        Self { area, pool: Pool::default(), records: Vec::new(), names: BTreeSet::new() }
    }

    /// Adds a record; a repeated name gets a number appended.
    pub fn add(&mut self, name: &str, value: &Value) {
        let mut own = name.to_owned();
        for number in 2.. {
            if self.names.insert(own.clone()) {
                break;
            }
            own = format!("{name} ({number})");
        }
        let packed = self.pool.pack(value);
        self.records.push((own, packed));
    }

    /// Number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Compares the recording with the committed one, and lists every changed text in `target/recordings`.
    ///
    /// Panics on a difference; with `UPDATE_RECORDINGS=1`, the committed file is overwritten instead.
    pub fn check(mut self) {
        self.compare().unwrap_or_else(|error| panic!("recording {}: {error}", self.area));
    }

    fn compare(&mut self) -> Result<(), Failure> {
        let update = std::env::var_os("UPDATE_RECORDINGS").is_some();
        let text = file::text(&self.pool, &self.records);
        let committed = file::read(self.area)?;
        let found = match &committed {
            Some(committed) if *committed == text => Vec::new(),
            Some(committed) => self.differences_to(committed)?,
            None if update => Vec::new(),
            None => return Err("nothing is committed; UPDATE_RECORDINGS=1 writes it".into()),
        };
        changes::list(self.area, &found)?;
        if update {
            return if committed.as_ref() == Some(&text) {
                Ok(())
            } else {
                file::write(self.area, &text)
            };
        }
        if found.is_empty() { Ok(()) } else { Err(self.failure(&found).into()) }
    }

    fn differences_to(&mut self, committed: &str) -> Result<Vec<Difference>, Failure> {
        let old = file::adopt(committed, &mut self.pool)?;
        let mut found = Vec::new();
        let find = |records: &[(String, Value)], name: &str| {
            records.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
        };
        for (name, value) in &self.records {
            let before = find(&old, name);
            differences(&self.pool, name, before.as_ref(), Some(value), &mut found);
        }
        for (name, value) in old.iter().filter(|(name, _)| !self.names.contains(name)) {
            differences(&self.pool, name, Some(value), None, &mut found);
        }
        Ok(found)
    }

    fn failure(&self, found: &[Difference]) -> String {
        let mut told = format!("{} values differ from what is committed\n", found.len());
        for difference in found.iter().take(SHOWN) {
            let (old, new) = difference.told();
            let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
            let (old, new) = (shown(&old, same), shown(&new, same));
            let _ = writeln!(told, "\n{}\n  was {old}\n  is  {new}", difference.path);
        }
        if found.len() > SHOWN {
            let _ = writeln!(told, "\n… and {} more", found.len() - SHOWN);
        }
        let _ = write!(
            told,
            "\nAll changed texts: target/recordings/changed_texts.md\n\
             Where every change is meant: UPDATE_RECORDINGS=1 cargo test -p wherefore-tests --test recordings"
        );
        told
    }
}

/// An excerpt of a text, from shortly before its first difference.
fn shown(text: &str, same: usize) -> String {
    let start = same.saturating_sub(SHOWN_BEFORE);
    let part: String = text.chars().skip(start).take(SHOWN_LENGTH).collect();
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    let is_cut = text.chars().nth(start + SHOWN_LENGTH).is_some();
    format!("{}{part:?}{}", mark(start > 0), mark(is_cut))
}
