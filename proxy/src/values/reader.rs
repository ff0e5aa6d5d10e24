//! Reads of stored values on behalf of a caller.

use std::sync::Arc;
use std::time::Duration;

use wherefore_engine::catalog::{Column, Table};

use crate::database::{Database, DatabaseError, Turn, Turns};
use crate::holder::Holder;

/// A database, and the caller on whose behalf values are read. What is cached, or read by another, takes no turn.
#[derive(Clone)]
pub struct ValueReader {
    /// The database.
    pub database: Arc<dyn Database>,
    /// Turns on its connections.
    pub turns: Arc<Turns>,
    /// The caller.
    pub who: Holder,
}

/// A search in a column, in one turn of its caller.
pub(super) struct Search<'a> {
    database: &'a dyn Database,
    table: &'a Table,
    column: &'a Column,
    turn: Turn,
}

impl ValueReader {
    /// Distinct values of a column, in one turn of the caller.
    pub(super) async fn list(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
    ) -> Result<Vec<String>, DatabaseError> {
        let turn = self.turns.query(&self.who).await?;
        self.database.list_values(table, column, limit, budget, Some(&turn)).await
    }

    /// A search in a column, once the caller has a turn.
    pub(super) async fn search<'a>(
        &'a self,
        table: &'a Table,
        column: &'a Column,
    ) -> Result<Search<'a>, DatabaseError> {
        let turn = self.turns.query(&self.who).await?;
        Ok(Search { database: &*self.database, table, column, turn })
    }
}

impl Search<'_> {
    /// Values that contain a text.
    pub(super) async fn containing(
        &self,
        text: &str,
        limit: u32,
    ) -> Result<Vec<String>, DatabaseError> {
        let Self { database, table, column, turn } = self;
        database.search_values(table, column, text, limit, Some(turn)).await
    }
}
