//! Memory in the store: one JSON document per person.

use wherefore_engine::memory::Memory;

use super::value::Statement;
use super::{Store, StoreError};

/// Maximum number of attempts of a change; one fails only if another change was stored meanwhile.
const TRIES: u32 = 50;

impl Store {
    /// Memory of a person; empty if nothing is stored.
    pub async fn memory(&self, person: &str) -> Result<Memory, StoreError> {
        self.revision(person).await.map(|(memory, _)| memory)
    }

    /// Updates the memory of a person, and returns the result of the closure.
    ///
    /// The closure is called again if another update, of this or another proxy, was stored first (optimistic locking).
    pub async fn change_memory<T>(
        &self,
        person: &str,
        change: impl Fn(&mut Memory) -> T,
    ) -> Result<T, StoreError> {
        for _ in 0..TRIES {
            let (mut memory, revision) = self.revision(person).await?;
            let result = change(&mut memory);
            let text = serde_json::to_string(&memory)
                .map_err(|error| StoreError::Failed(error.to_string()))?;
            let statement = match revision {
                None => Statement::new(
                    "INSERT INTO memory (person, patterns) VALUES ($1, $2) \
                     ON CONFLICT (person) DO NOTHING",
                    [person.into(), text.into()],
                ),
                Some(revision) => Statement::new(
                    "UPDATE memory SET patterns = $2, revision = revision + 1 \
                     WHERE person = $1 AND revision = $3",
                    [person.into(), text.into(), revision.into()],
                ),
            };
            if self.change_one(statement).await? == 1 {
                return Ok(result);
            }
        }
        Err(StoreError::Failed("too many concurrent changes of the memory".to_owned()))
    }

    async fn revision(&self, person: &str) -> Result<(Memory, Option<i64>), StoreError> {
        let found = self
            .query_one(Statement::new(
                "SELECT patterns, revision FROM memory WHERE person = $1",
                [person.into()],
            ))
            .await?;
        let Some(mut row) = found else { return Ok((Memory::default(), None)) };
        let memory =
            Memory::read(&row.text(0)?).map_err(|error| StoreError::Failed(error.to_string()))?;
        Ok((memory, Some(row.integer(1)?)))
    }
}
