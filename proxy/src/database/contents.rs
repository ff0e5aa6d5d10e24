//! Reads what the tables of a catalog hold, in steps, the tables first that are most likely asked about.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wherefore_engine::catalog::{Catalog, ColumnRef, Table, TableKind};
use wherefore_engine::possible_keys;

use super::listed_values::VALUES_BUDGET;
use super::sampling::{is_small, weight};
use super::{Database, DatabaseError};

/// Most parts of a statement that reads several small tables.
const PARTS: usize = 150;
/// Pairs of columns that are looked up in one step.
const PAIRS: usize = 20;
/// Longest time of one step.
const STEP: Duration = Duration::from_secs(20);

/// What is left to read of a catalog. A step that fails can be repeated.
pub(crate) struct Contents {
    /// Positions of the tables that one step reads.
    tables: VecDeque<Vec<usize>>,
    /// Pairs of columns that are looked up last; `None` until they are known.
    pairs: Option<VecDeque<Vec<(ColumnRef, ColumnRef)>>>,
}

impl Contents {
    /// What is left to read of a structure that was just read; nothing if the database read it at once.
    pub(crate) fn of<D: Database + ?Sized>(database: &D, catalog: &mut Catalog) -> Self {
        if !database.reads_contents_apart() {
            return Self { tables: VecDeque::new(), pairs: Some(VecDeque::new()) };
        }
        let tables = batches(catalog);
        catalog.unread_tables = number(catalog.tables.len());
        Self { tables, pairs: None }
    }

    /// Reads the next tables, or looks up the next columns, before a time. Returns whether anything is left.
    pub(crate) async fn step<D: Database + ?Sized>(
        &mut self,
        database: &D,
        catalog: &Mutex<Catalog>,
        until: Instant,
    ) -> Result<bool, DatabaseError> {
        let until = until.min(Instant::now() + STEP);
        if let Some(places) = self.tables.front() {
            let read = |place: &usize| locked(catalog).tables[*place].clone();
            let mut tables: Vec<Table> = places.iter().map(read).collect();
            database.read_contents(&mut tables, until).await?;
            for (place, table) in places.iter().zip(tables) {
                locked(catalog).tables[*place] = table;
            }
            self.skip(catalog);
            return Ok(true);
        }
        if self.pairs.is_none() {
            let found = possible_keys(&locked(catalog));
            self.pairs = Some(found.chunks(PAIRS).map(<[_]>::to_vec).collect());
        }
        let Some(pairs) = self.pairs.as_ref().and_then(VecDeque::front) else { return Ok(false) };
        let known = locked(catalog).clone();
        let found = database.read_containments(&known, pairs, until).await?;
        locked(catalog).containments.extend(found);
        self.skip(catalog);
        Ok(true)
    }

    /// Leaves out what the next step would read.
    pub(super) fn skip(&mut self, catalog: &Mutex<Catalog>) {
        match self.tables.pop_front() {
            Some(places) => {
                let mut catalog = locked(catalog);
                let read = number(places.len());
                catalog.unread_tables = catalog.unread_tables.saturating_sub(read);
            }
            None => drop(self.pairs.as_mut().and_then(VecDeque::pop_front)),
        }
    }
}

/// The structure, and what the tables hold as far as it can be read within a minute.
pub(super) async fn read_catalog<D: Database + ?Sized>(
    database: &D,
) -> Result<Catalog, DatabaseError> {
    let mut catalog = database.read_structure().await?;
    let mut contents = Contents::of(database, &mut catalog);
    let (catalog, until) = (Mutex::new(catalog), Instant::now() + VALUES_BUDGET);
    while Instant::now() < until && contents.step(database, &catalog, until).await? {}
    let mut catalog = catalog.into_inner().unwrap_or_else(PoisonError::into_inner);
    catalog.unread_tables = 0;
    Ok(catalog)
}

fn locked(catalog: &Mutex<Catalog>) -> MutexGuard<'_, Catalog> {
    catalog.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Positions of all tables: those with rows and the most foreign keys first, views last, small ones together.
fn batches(catalog: &Catalog) -> VecDeque<Vec<usize>> {
    let mut keys: BTreeMap<&str, usize> = BTreeMap::new();
    for key in &catalog.foreign_keys {
        *keys.entry(&key.from_table).or_default() += 1;
        *keys.entry(&key.to_table).or_default() += 1;
    }
    let mut order: Vec<usize> = (0..catalog.tables.len()).collect();
    order.sort_by_cached_key(|place| {
        let table = &catalog.tables[*place];
        let keys = keys.get(table.key().as_str()).copied().unwrap_or_default();
        let (is_view, is_empty) = (table.kind == TableKind::View, table.row_estimate == Some(0));
        (is_view, is_empty, std::cmp::Reverse(keys))
    });
    let mut batches: VecDeque<Vec<usize>> = VecDeque::new();
    let mut room = 0;
    for place in order {
        let table = &catalog.tables[place];
        let parts = if is_small(table) { weight(table) } else { PARTS };
        match batches.back_mut() {
            Some(batch) if parts <= room => batch.push(place),
            _ => {
                batches.push_back(vec![place]);
                room = PARTS;
            }
        }
        room = room.saturating_sub(parts);
    }
    batches
}

#[cfg(test)]
mod tests {
    use wherefore_engine::catalog::ForeignKey;

    use super::*;

    fn table(name: &str, kind: TableKind, rows: Option<u32>) -> Table {
        Table { name: name.to_owned(), kind, row_estimate: rows, ..Table::default() }
    }

    #[test]
    fn tables_with_rows_and_keys_come_first_and_small_ones_together() {
        let key = ForeignKey {
            from_table: "lines".to_owned(),
            to_table: "orders".to_owned(),
            ..ForeignKey::default()
        };
        let catalog = Catalog {
            tables: vec![
                table("a_view", TableKind::View, None),
                table("empty", TableKind::Table, Some(0)),
                table("large", TableKind::Table, Some(1_000_000)),
                table("lines", TableKind::Table, Some(7)),
                table("orders", TableKind::Table, Some(3)),
                table("other", TableKind::Table, Some(5)),
            ],
            foreign_keys: vec![key],
            ..Catalog::default()
        };
        let names = |batch: &Vec<usize>| -> Vec<&str> {
            batch.iter().map(|place| catalog.tables[*place].name.as_str()).collect()
        };
        let read: Vec<Vec<&str>> = batches(&catalog).iter().map(names).collect();
        let expected =
            [vec!["lines", "orders"], vec!["large"], vec!["other", "empty"], vec!["a_view"]];
        assert_eq!(read, expected);
    }
}
