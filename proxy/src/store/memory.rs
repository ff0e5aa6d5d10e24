//! Memory in the store: one document a person.

use rusqlite::{OptionalExtension, TransactionBehavior};
use wherefore_engine::memory::Memory;

use super::{Store, StoreError};

impl Store {
    /// What is remembered for a person; nothing where nothing was stored.
    pub async fn memory(&self, person: &str) -> Result<Memory, StoreError> {
        let person = person.to_owned();
        let text = self
            .with(move |connection| {
                connection
                    .query_row("SELECT patterns FROM memory WHERE person = ?1", [person], |row| {
                        row.get::<_, String>(0)
                    })
                    .optional()
            })
            .await?;
        read(text)
    }

    /// Changes what is remembered for a person, and gives back what the change gives back.
    ///
    /// Proxies that share the store change one after the other.
    pub async fn change_memory<T: Send + 'static>(
        &self,
        person: &str,
        change: impl FnOnce(&mut Memory) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let person = person.to_owned();
        self.with_mut(move |connection| {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let text = transaction
                .query_row("SELECT patterns FROM memory WHERE person = ?1", [&person], |row| {
                    row.get::<_, String>(0)
                })
                .optional()?;
            let mut memory = match read(text) {
                Ok(memory) => memory,
                Err(error) => return Ok(Err(error)),
            };
            let changed = change(&mut memory);
            let text = serde_json::to_string(&memory).unwrap_or_default();
            transaction.execute(
                "INSERT INTO memory (person, patterns) VALUES (?1, ?2)
                 ON CONFLICT (person) DO UPDATE SET patterns = excluded.patterns",
                (&person, text),
            )?;
            transaction.commit()?;
            Ok(Ok(changed))
        })
        .await?
    }
}

fn read(text: Option<String>) -> Result<Memory, StoreError> {
    match text {
        Some(text) => Memory::read(&text).map_err(|error| StoreError::Failed(error.to_string())),
        None => Ok(Memory::default()),
    }
}
