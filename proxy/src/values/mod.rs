//! Stored values of columns: lists that are kept and read anew behind the asker's back, and searches in the database
//! where a list is partial.

mod lists;
mod similar;

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use wherefore_engine::catalog::ColumnRef;

use crate::database::{Database, DatabaseError};
use crate::source::Knowledge;
use lists::{Key, Lists, listed_column};
pub use lists::{ListCoverage, Listed};

/// Most values that a search gives.
pub const FOUND_VALUES: u32 = 50;
/// Longest text searched for, in characters.
pub const SEARCH_LENGTH: usize = 100;
/// Most values that are compared letter by letter with a text that nothing contains.
const CANDIDATES: u32 = 500;
/// Most searches that are kept.
const CAPACITY: u64 = 2_000;

/// How lists and searches are kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ValueSettings {
    /// Most values of a column that are listed.
    pub listed: u32,
    /// Longest time that reading the list of a column may take.
    pub budget: Duration,
    /// Time after which a list is read again; it is served meanwhile.
    pub fresh: Duration,
    /// Time that found values are kept.
    pub found: Duration,
    /// Time for which a failure is not tried again.
    pub failed: Duration,
}

impl Default for ValueSettings {
    fn default() -> Self {
        Self {
            listed: 500,
            budget: Duration::from_millis(500),
            fresh: Duration::from_mins(10),
            found: Duration::from_mins(1),
            failed: Duration::from_secs(3),
        }
    }
}

/// Lists of values and searches for them, of one data source read with one role.
///
/// Its keys hold the entity tag of the catalog, so that nothing of an older schema is served.
#[derive(Clone, Debug)]
pub struct Values {
    lists: Lists,
    found: Cache<(Key, String), Arc<Vec<String>>>,
    failed: Cache<(Key, String), DatabaseError>,
}

/// Values that answer a search, and how much of the column was looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundInColumn {
    /// Values, the nearest first.
    pub values: Vec<String>,
    /// How much of the column the list covers.
    pub coverage: ListCoverage,
    /// Values that are listed; none where the column has no list.
    pub listed: Option<usize>,
    /// Age of the list, or zero where the database was searched.
    pub age: Duration,
}

impl Default for Values {
    fn default() -> Self {
        Self::new(ValueSettings::default())
    }
}

impl Values {
    /// Nothing read yet.
    pub fn new(settings: ValueSettings) -> Self {
        let found = Cache::builder().max_capacity(CAPACITY).time_to_live(settings.found).build();
        let failed = Cache::builder().max_capacity(CAPACITY).time_to_live(settings.failed).build();
        Self { lists: Lists::new(settings), found, failed }
    }

    /// Stored values of a column that contain a text, or else are nearly it; none where the column is unknown or
    /// sensitive.
    pub async fn find(
        &self,
        database: &Arc<dyn Database>,
        knowledge: &Knowledge,
        reference: &ColumnRef,
        text: &str,
    ) -> Result<FoundInColumn, DatabaseError> {
        let list = match listed_column(knowledge, reference) {
            Some(_) => self.lists.get(database, knowledge, reference).await?,
            None => None,
        };
        let text = text.trim();
        match list {
            Some(list) if list.complete || text.is_empty() => Ok(FoundInColumn {
                values: search_listed(&list.values, text),
                coverage: self.lists.coverage(&list),
                listed: Some(list.values.len()),
                age: list.age(),
            }),
            list => {
                let values = self.search(&**database, knowledge, reference, text).await?;
                let coverage =
                    list.as_ref().map_or(ListCoverage::Partial, |list| self.lists.coverage(list));
                let listed = list.as_ref().map(|list| list.values.len());
                Ok(FoundInColumn { values: values.to_vec(), coverage, listed, age: Duration::ZERO })
            }
        }
    }

    /// Stored values of a column that contain a text, or else are nearly it, as the database holds them now; none
    /// where the column is unknown or sensitive.
    pub async fn search(
        &self,
        database: &dyn Database,
        knowledge: &Knowledge,
        reference: &ColumnRef,
        text: &str,
    ) -> Result<Arc<Vec<String>>, DatabaseError> {
        let text: String =
            text.trim().chars().take(SEARCH_LENGTH).collect::<String>().to_lowercase();
        let catalog = knowledge.engine.catalog();
        let (Some(table), Some(column)) =
            (catalog.table(&reference.table), catalog.column(reference))
        else {
            return Ok(Arc::default());
        };
        if column.sensitive {
            return Ok(Arc::default());
        }
        let key = (Key::new(knowledge, reference), text.clone());
        if let Some(error) = self.failed.get(&key).await {
            return Err(error);
        }
        let searched = self.found.try_get_with(key.clone(), async {
            let exact = database.search_values(table, column, &text, FOUND_VALUES).await?;
            if !exact.is_empty() {
                return Ok(Arc::new(exact));
            }
            let mut candidates = Vec::new();
            for piece in similar::pieces(&text) {
                candidates.extend(database.search_values(table, column, &piece, CANDIDATES).await?);
            }
            Ok(Arc::new(similar::nearest(&candidates, &text)))
        });
        match searched.await {
            Ok(found) => Ok(found),
            Err(error) => {
                let error = DatabaseError::clone(&error);
                self.failed.insert(key, error.clone()).await;
                Err(error)
            }
        }
    }

    /// Forgets what was read, after the catalog was read anew.
    pub fn clear(&self) {
        self.lists.clear();
        self.found.invalidate_all();
        self.failed.invalidate_all();
    }
}

/// Values of a list that contain a text, ignoring case, those that start with it first; else those that are nearly it.
pub fn search_listed(values: &[String], text: &str) -> Vec<String> {
    let text = text.trim().to_lowercase();
    let mut found: Vec<(bool, &String)> = values
        .iter()
        .filter_map(|value| {
            let lower = value.to_lowercase();
            lower.contains(&text).then(|| (!lower.starts_with(&text), value))
        })
        .collect();
    if found.is_empty() {
        return similar::nearest(values, &text);
    }
    found.sort();
    found.into_iter().take(FOUND_VALUES as usize).map(|(_, value)| value.clone()).collect()
}
