//! Cache of lists of distinct values: concurrent reads are coalesced, and stale lists are served while they are
//! refreshed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use moka::future::Cache;
use serde::Serialize;
use wherefore_engine::catalog::{Column, ColumnRef, Coverage, Table, ValueList};

use super::flight::shared;
use super::reader::ValueReader;
use super::settings::ValueSettings;
use crate::database::{DatabaseError, has_listed_values};
use crate::knowledge::Knowledge;

/// Maximum length of a listed value, in characters.
const LISTED_LENGTH: usize = 256;

/// Cache key: a column in a version of the catalog.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub(super) struct Key {
    etag: String,
    column: ColumnRef,
}

impl Key {
    pub(super) fn new(knowledge: &Knowledge, column: &ColumnRef) -> Self {
        Self { etag: knowledge.etag.clone(), column: column.clone() }
    }
}

/// How much of a column a list covers.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ListCoverage {
    /// Every distinct value.
    Complete,
    /// Some values are missing: the list helps matching and never makes a value invalid.
    Partial,
    /// The list is stale: it is being refreshed, or refreshing failed.
    Stale,
}

/// Distinct values of a column.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Values in ascending order.
    pub values: Vec<String>,
    /// Whether the list is complete.
    pub complete: bool,
    read_at: Instant,
}

impl Listed {
    /// Age of the list.
    pub fn age(&self) -> Duration {
        self.read_at.elapsed()
    }
}

/// A cached list.
#[derive(Debug)]
struct Entry {
    now: Mutex<Now>,
    reading: AtomicBool,
}

#[derive(Clone, Debug)]
struct Now {
    list: Arc<Listed>,
    read_again_at: Instant,
}

/// Lists by column.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    settings: ValueSettings,
    entries: Cache<Key, Arc<Entry>>,
    failed: Cache<Key, DatabaseError>,
}

impl Lists {
    pub(super) fn new(settings: ValueSettings) -> Self {
        Self {
            settings,
            entries: Cache::builder().max_capacity(settings.kept_lists).build(),
            failed: Cache::builder()
                .max_capacity(settings.kept_lists)
                .time_to_live(settings.failed)
                .build(),
        }
    }

    /// List of a column, if it has one.
    pub(super) async fn get(
        &self,
        reader: &ValueReader,
        knowledge: &Knowledge,
        reference: &ColumnRef,
    ) -> Result<Option<Arc<Listed>>, DatabaseError> {
        let Some((table, column)) = listed_column(knowledge, reference) else { return Ok(None) };
        let key = Key::new(knowledge, reference);
        if let Some(error) = self.failed.get(&key).await {
            return Err(error);
        }
        let first = || async {
            let now = match self.read(reader, table, column).await {
                Ok(list) => Now {
                    list: Arc::new(list),
                    read_again_at: Instant::now() + self.settings.fresh,
                },
                // Falls back to the list in the catalog.
                Err(error) => Now {
                    list: Arc::new(
                        column
                            .values
                            .as_ref()
                            .map(|list| of_catalog(list, knowledge))
                            .ok_or(error)?,
                    ),
                    read_again_at: Instant::now() + self.settings.failed,
                },
            };
            Ok(Arc::new(Entry { now: Mutex::new(now), reading: AtomicBool::new(false) }))
        };
        let entry = match shared(&self.entries, &key, first).await {
            Ok(entry) => entry,
            Err(error) => {
                if !error.is_of_caller() {
                    self.failed.insert(key, error.clone()).await;
                }
                return Err(error);
            }
        };
        let now = entry.now();
        if Instant::now() >= now.read_again_at && !entry.reading.swap(true, Ordering::AcqRel) {
            let (lists, reader) = (self.clone(), reader.clone());
            let (table, column) = (table.clone(), column.clone());
            tokio::spawn(async move {
                let read = lists.read(&reader, &table, &column).await;
                entry.renew(read, lists.settings);
            });
        }
        Ok(Some(now.list))
    }

    /// Current coverage of a list.
    pub(super) fn coverage(&self, list: &Listed) -> ListCoverage {
        if list.age() > self.settings.fresh {
            ListCoverage::Stale
        } else if list.complete {
            ListCoverage::Complete
        } else {
            ListCoverage::Partial
        }
    }

    pub(super) fn clear(&self) {
        self.entries.invalidate_all();
        self.failed.invalidate_all();
    }

    async fn read(
        &self,
        reader: &ValueReader,
        table: &Table,
        column: &Column,
    ) -> Result<Listed, DatabaseError> {
        let most = self.settings.listed;
        let mut values = reader.list(table, column, most + 1, self.settings.budget).await?;
        let found = values.len();
        values.truncate(most as usize);
        values.retain(|value| value.chars().count() <= LISTED_LENGTH);
        let complete = values.len() == found;
        Ok(Listed { values, complete, read_at: Instant::now() })
    }
}

impl Entry {
    fn now(&self) -> Now {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores a refreshed list. If refreshing failed, the old list is kept and refreshing is retried soon.
    fn renew(&self, read: Result<Listed, DatabaseError>, settings: ValueSettings) {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        match read {
            Ok(list) => {
                now.list = Arc::new(list);
                now.read_again_at = Instant::now() + settings.fresh;
            }
            Err(error) => {
                tracing::warn!(%error, "cannot refresh a list of values; keeping the previous one");
                now.read_again_at = Instant::now() + settings.failed;
            }
        }
        drop(now);
        self.reading.store(false, Ordering::Release);
    }
}

/// Table and column whose values are listed; `None` if they are unknown, sensitive, prose or not text.
pub(super) fn listed_column<'a>(
    knowledge: &'a Knowledge,
    reference: &ColumnRef,
) -> Option<(&'a Table, &'a Column)> {
    let catalog = knowledge.engine.catalog();
    let (table, column) = (catalog.table(&reference.table)?, catalog.column(reference)?);
    let listed =
        !column.sensitive && column.values.is_some() && has_listed_values(column.data_type);
    listed.then_some((table, column))
}

fn of_catalog(list: &ValueList, knowledge: &Knowledge) -> Listed {
    Listed {
        values: list.values.clone(),
        complete: list.coverage == Coverage::Complete,
        read_at: knowledge.read_at,
    }
}
