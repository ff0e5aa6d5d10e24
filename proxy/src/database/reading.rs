//! A catalog that is being read: its structure is known at once, and what the tables hold is read by a task.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;
use wherefore_engine::catalog::Catalog;

use super::{Contents, Database, DatabaseError};

/// Longest time for which the contents of a database are read.
const BUDGET: Duration = Duration::from_mins(10);
/// Number of tables from which a catalog is served at once, since reading what they hold takes longer than a short wait.
const MANY: u32 = 300;
/// Pause before the contents of so many tables are read, so that the catalog can be made ready meanwhile.
const START: Duration = Duration::from_secs(3);
/// Pause before a step is repeated that failed because the database was busy or unavailable.
const PAUSE: Duration = Duration::from_secs(2);

/// A catalog whose values are read in the background; dropping it stops that.
pub struct Reading {
    catalog: Arc<Mutex<Catalog>>,
    is_complete: watch::Receiver<bool>,
    /// Whether nobody waits until it is complete.
    is_late: bool,
    _task: AbortOnDropHandle<()>,
}

impl Reading {
    /// Reads the structure, and starts to read what the tables hold.
    pub async fn start(database: &Arc<dyn Database>) -> Result<Self, DatabaseError> {
        let mut structure = database.read_structure().await?;
        let contents = Contents::of(&**database, &mut structure);
        let has_many = structure.unread_tables >= MANY;
        let is_late = has_many || database.reads_contents_late();
        let catalog = Arc::new(Mutex::new(structure));
        let (ended, is_complete) = watch::channel(false);
        let task = tokio::spawn({
            let (database, catalog) = (Arc::clone(database), Arc::clone(&catalog));
            async move {
                if has_many {
                    tokio::time::sleep(START).await;
                }
                read(&*database, contents, &catalog).await;
                // Whoever waited may be gone.
                let _ = ended.send(true);
            }
        });
        Ok(Self { catalog, is_complete, is_late, _task: AbortOnDropHandle::new(task) })
    }

    /// Waits until everything is read, at most for a time, and not at all where that takes long. Returns whether it is.
    pub async fn completed_soon(&mut self, time: Duration) -> bool {
        !self.is_late && self.completed_within(time).await
    }

    /// Waits until everything is read, at most for a time. Returns whether it is.
    pub async fn completed_within(&mut self, time: Duration) -> bool {
        tokio::time::timeout(time, self.completed()).await.is_ok()
    }

    /// Waits until everything is read.
    pub async fn completed(&mut self) {
        // A task that has ended early reads nothing more.
        let _ = self.is_complete.wait_for(|is_complete| *is_complete).await;
    }

    /// The catalog as far as it is read.
    pub fn catalog(&self) -> Catalog {
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

async fn read(database: &dyn Database, mut contents: Contents, catalog: &Mutex<Catalog>) {
    let until = Instant::now() + BUDGET;
    while Instant::now() < until {
        match contents.step(database, catalog, until).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if error.is_retryable() => {
                tracing::debug!(%error, "reading the contents of tables is repeated");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => {
                tracing::warn!(%error, "the contents of some tables cannot be read");
                contents.skip(catalog);
            }
        }
    }
    let mut catalog = catalog.lock().unwrap_or_else(PoisonError::into_inner);
    let unread = std::mem::take(&mut catalog.unread_tables);
    if unread > 0 {
        tracing::warn!(unread, "the values of some tables are not listed: reading took too long");
    }
}
