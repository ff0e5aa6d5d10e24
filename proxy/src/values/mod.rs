//! Stored values of columns: cached lists that are refreshed in the background, and searches in the database if a list
//! is partial.

mod flight;
mod lists;
mod reader;
mod settings;
mod similar;

use std::sync::Arc;
use std::time::Duration;

use moka::future::Cache;
use wherefore_engine::catalog::ColumnRef;

use crate::database::DatabaseError;
use crate::knowledge::Knowledge;
use flight::shared;
use lists::{Key, Lists, listed_column};
pub use lists::{ListCoverage, Listed};
pub use reader::ValueReader;
pub use settings::{FOUND_VALUES, ValueSettings};

/// Maximum length of a search text, in characters.
pub const SEARCH_LENGTH: usize = 100;
/// Maximum number of candidates for fuzzy matching.
const CANDIDATES: u32 = 500;

/// Caches of value lists and searches, of one data source read with one role.
///
/// Cache keys contain the ETag of the catalog, so that no results of an older catalog are served.
#[derive(Clone, Debug)]
pub struct Values {
    lists: Lists,
    found: Cache<(Key, String, u32), Arc<Vec<String>>>,
    failed: Cache<(Key, String, u32), DatabaseError>,
}

/// Values that match, of which a page is returned.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Page {
    /// Number of values before the page.
    pub after: usize,
    /// Maximum number of values on the page.
    pub limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self { after: 0, limit: FOUND_VALUES as usize }
    }
}

/// Result of a search for values.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundInColumn {
    /// A page of the values, best match first.
    pub values: Vec<String>,
    /// Number of values before the next page; `None` on the last one.
    pub next: Option<usize>,
    /// Number of values that match, of those listed if there is a list; `None` if more match in the database than are
    /// counted.
    pub total: Option<usize>,
    /// How much of the column the list covers.
    pub coverage: ListCoverage,
    /// Number of listed values; `None` if the column has no list.
    pub listed: Option<usize>,
    /// Age of the list; zero if the database was searched.
    pub age: Duration,
}

impl Default for Values {
    fn default() -> Self {
        Self::new(ValueSettings::default())
    }
}

impl Values {
    /// Empty caches.
    pub fn new(settings: ValueSettings) -> Self {
        let kept = settings.kept_searches;
        let found = Cache::builder().max_capacity(kept).time_to_live(settings.found).build();
        let failed = Cache::builder().max_capacity(kept).time_to_live(settings.failed).build();
        Self { lists: Lists::new(settings), found, failed }
    }

    /// Stored values of a column that contain a text, else fuzzy matches, from the cached list if it is complete. Empty
    /// if the column is unknown or sensitive.
    pub async fn find(
        &self,
        reader: &ValueReader,
        knowledge: &Knowledge,
        reference: &ColumnRef,
        text: &str,
        page: Page,
    ) -> Result<FoundInColumn, DatabaseError> {
        let list = match listed_column(knowledge, reference) {
            Some(_) => self.lists.get(reader, knowledge, reference).await?,
            None => None,
        };
        let text = text.trim();
        match list {
            Some(list) if list.complete || text.is_empty() => Ok(FoundInColumn {
                coverage: self.lists.coverage(&list),
                listed: Some(list.values.len()),
                age: list.age(),
                ..page_of_list(&list.values, text, page)
            }),
            list => {
                // One more than the page tells whether there is a next one.
                let wanted = page.after.saturating_add(page.limit).saturating_add(1);
                let wanted = u32::try_from(wanted).unwrap_or(CANDIDATES).min(CANDIDATES);
                let values = self.search_up_to(reader, knowledge, reference, text, wanted).await?;
                let counted = values.len() < wanted as usize;
                Ok(FoundInColumn {
                    coverage: list
                        .as_ref()
                        .map_or(ListCoverage::Partial, |list| self.lists.coverage(list)),
                    listed: list.as_ref().map(|list| list.values.len()),
                    ..page.of(values.to_vec(), counted.then_some(values.len()))
                })
            }
        }
    }

    /// Stored values of a column that contain a text, else fuzzy matches, from the database. Empty if the column is
    /// unknown or sensitive.
    pub async fn search(
        &self,
        reader: &ValueReader,
        knowledge: &Knowledge,
        reference: &ColumnRef,
        text: &str,
    ) -> Result<Arc<Vec<String>>, DatabaseError> {
        self.search_up_to(reader, knowledge, reference, text, FOUND_VALUES).await
    }

    /// The same, with a maximum number of values.
    async fn search_up_to(
        &self,
        reader: &ValueReader,
        knowledge: &Knowledge,
        reference: &ColumnRef,
        text: &str,
        wanted: u32,
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
        let key = (Key::new(knowledge, reference), text.clone(), wanted);
        if let Some(error) = self.failed.get(&key).await {
            return Err(error);
        }
        let search = || async {
            let search = reader.search(table, column).await?;
            let exact = search.containing(&text, wanted).await?;
            if !exact.is_empty() {
                return Ok(Arc::new(exact));
            }
            let mut candidates = Vec::new();
            for piece in similar::pieces(&text) {
                candidates.extend(search.containing(&piece, CANDIDATES).await?);
            }
            Ok(Arc::new(similar::nearest(&candidates, &text)))
        };
        let found = shared(&self.found, &key, search).await;
        if let Err(error) = &found
            && !error.is_of_caller()
        {
            self.failed.insert(key, error.clone()).await;
        }
        found
    }

    /// Clears the caches, after the catalog was refreshed.
    pub fn clear(&self) {
        self.lists.clear();
        self.found.invalidate_all();
        self.failed.invalidate_all();
    }
}

impl Page {
    /// A page of values. `total` is their number if all that match are among them.
    fn of(self, values: Vec<String>, total: Option<usize>) -> FoundInColumn {
        let end = self.after.saturating_add(self.limit);
        FoundInColumn {
            next: (values.len() > end).then_some(end),
            values: values.into_iter().skip(self.after).take(self.limit).collect(),
            total,
            coverage: ListCoverage::Partial,
            listed: None,
            age: Duration::ZERO,
        }
    }
}

/// A page of the values of a list in a catalog without a database.
pub fn page_of_list(values: &[String], text: &str, page: Page) -> FoundInColumn {
    let found = search_listed(values, text);
    let total = Some(found.len());
    page.of(found, total)
}

/// Values of a list that contain a text, ignoring case, those that start with it first; else fuzzy matches.
fn search_listed(values: &[String], text: &str) -> Vec<String> {
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
    found.into_iter().map(|(_, value)| value.clone()).collect()
}
