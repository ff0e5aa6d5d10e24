//! Results of the proxy's own statements as texts.

use std::time::Duration;

use wherefore_engine::session::Cell;

use super::Adbc;
use super::rows::{Rows, shapes};
use crate::database::{DatabaseError, Turn};

/// A row of texts.
pub(super) type Texts = Vec<Option<String>>;

impl Adbc {
    /// All rows of a statement of this crate, as texts.
    pub(super) async fn texts(
        &self,
        sql: &str,
        values: Vec<String>,
        timeout: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<Texts>, DatabaseError> {
        let mut statement = self.begin(sql, values, timeout, turn).await?;
        let shapes = shapes(statement.columns().await?.as_ref(), &[]);
        let mut found = Vec::new();
        while let Some(batch) = statement.rows().await? {
            let rows = Rows::of(&batch, &shapes).map_err(DatabaseError::statement)?;
            found.extend(
                (0..batch.num_rows())
                    .map(|row| rows.row(row).into_iter().map(text).collect::<Texts>()),
            );
        }
        Ok(found)
    }
}

fn text(cell: Cell) -> Option<String> {
    match cell {
        Cell::Null => None,
        Cell::Boolean(value) => Some(value.to_string()),
        Cell::Integer(value) => Some(value.to_string()),
        Cell::Number(value) => Some(value.to_string()),
        Cell::Text(text) => Some(text),
    }
}
