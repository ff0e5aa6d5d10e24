//! Memory in the store: one document a person.

use wherefore_engine::memory::Memory;

use super::value::Statement;
use super::{Store, StoreError};

/// Tries of a change: each is lost only to another change that was kept.
const TRIES: u32 = 50;

impl Store {
    /// What is remembered for a person; nothing where nothing was stored.
    pub async fn memory(&self, person: &str) -> Result<Memory, StoreError> {
        self.revision(person).await.map(|(memory, _)| memory)
    }

    /// Changes what is remembered for a person, and gives back what the change gives back.
    ///
    /// A change is made anew where another one, of this proxy or of one that shares the store, came first.
    pub async fn change_memory<T>(
        &self,
        person: &str,
        change: impl Fn(&mut Memory) -> T,
    ) -> Result<T, StoreError> {
        for _ in 0..TRIES {
            let (mut memory, revision) = self.revision(person).await?;
            let result = change(&mut memory);
            let text = serde_json::to_string(&memory).unwrap_or_default();
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
        Err(StoreError::Failed("memory changed too often to be changed".to_owned()))
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
