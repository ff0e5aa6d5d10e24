//! Searches for stored values: one load in flight a key, kept for a short while.

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use wherefore_engine::catalog::{Catalog, ColumnRef};

use crate::database::{Database, DatabaseError};

/// Most values that a search gives.
pub const FOUND_VALUES: u32 = 50;
/// Longest text searched for, in characters.
pub const SEARCH_LENGTH: usize = 100;
/// Time that found values are kept.
const KEPT: Duration = Duration::from_secs(60);
/// Most searches that are kept.
const CAPACITY: u64 = 2_000;

type Key = (ColumnRef, String);

/// Searches for stored values, with their results kept for a while.
#[derive(Clone, Debug)]
pub struct Values {
    found: Cache<Key, Arc<Vec<String>>>,
}

impl Default for Values {
    fn default() -> Self {
        Self { found: Cache::builder().max_capacity(CAPACITY).time_to_live(KEPT).build() }
    }
}

impl Values {
    /// Stored values of a column that contain a text; none where the column is unknown or sensitive.
    pub async fn search(
        &self,
        database: &dyn Database,
        catalog: &Catalog,
        reference: &ColumnRef,
        text: &str,
    ) -> Result<Arc<Vec<String>>, DatabaseError> {
        let text: String =
            text.trim().chars().take(SEARCH_LENGTH).collect::<String>().to_lowercase();
        let (Some(table), Some(column)) =
            (catalog.table(&reference.table), catalog.column(reference))
        else {
            return Ok(Arc::default());
        };
        if column.sensitive {
            return Ok(Arc::default());
        }
        self.found
            .try_get_with((reference.clone(), text.clone()), async {
                database.search_values(table, column, &text, FOUND_VALUES).await.map(Arc::new)
            })
            .await
            .map_err(|error| DatabaseError::clone(&error))
    }

    /// Forgets what was found, after the catalog was read anew.
    pub fn clear(&self) {
        self.found.invalidate_all();
    }
}

/// Values of a complete list that contain a text, ignoring case; those that start with it come first.
pub fn search_listed(values: &[String], text: &str) -> Vec<String> {
    let text = text.trim().to_lowercase();
    let mut found: Vec<(bool, &String)> = values
        .iter()
        .filter_map(|value| {
            let lower = value.to_lowercase();
            lower.contains(&text).then(|| (!lower.starts_with(&text), value))
        })
        .collect();
    found.sort();
    found.into_iter().take(FOUND_VALUES as usize).map(|(_, value)| value.clone()).collect()
}
