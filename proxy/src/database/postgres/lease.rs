//! A connection borrowed from the pool, and the classification of its errors.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::Object;
use tokio_postgres::error::{ErrorPosition, SqlState};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::overdue::{Backend, Overdue};
use crate::database::{DatabaseError, Turn};

/// Timeout of waiting for a free connection, and of opening one.
pub(super) const WAIT: Duration = Duration::from_secs(5);
/// Timeout of a search for stored values.
pub(super) const SEARCH: Duration = Duration::from_secs(2);
/// Time beyond the statement timeout in which the server can report it, before the client gives up.
pub(super) const GRACE: Duration = Duration::from_secs(2);

/// A borrowed connection inside a transaction. If it is dropped without [`Lease::finish`], its statement is cancelled
/// and the connection closed once its backend responds or is gone. Its turn ends when the connection is free.
pub(crate) struct Lease {
    pub(super) object: Option<Object>,
    pub(super) overdue: Arc<Overdue>,
    pub(super) turn: Option<Turn>,
    pub(super) backend: Backend,
    pub(super) timeout: Duration,
}

impl Lease {
    pub(super) fn client(&self) -> Result<&Client, DatabaseError> {
        self.object
            .as_ref()
            .map(|object| &***object)
            .ok_or_else(|| DatabaseError::Unavailable("the connection was closed".into()))
    }

    /// Rows of a constant statement with bound parameters, sent with the extended query protocol.
    pub(crate) async fn query(
        &self,
        sql: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, DatabaseError> {
        tokio::time::timeout(self.timeout + GRACE, self.client()?.query_typed(sql, parameters))
            .await
            .map_err(|_| DatabaseError::Timeout { seconds: self.timeout.as_secs().max(1) })?
            .map_err(|error| failure(&error, self.timeout, sql))
    }

    /// Rolls back the transaction, resets the connection and returns it to the pool.
    pub(crate) async fn finish(mut self) {
        let Some(object) = self.object.take() else { return };
        let restored = async {
            object.query_typed("ROLLBACK", &[]).await?;
            object.query_typed("DISCARD ALL", &[]).await
        };
        if matches!(tokio::time::timeout(WAIT, restored).await, Ok(Ok(_))) {
            object.clear_type_cache();
        } else {
            self.object = Some(object);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(object) = self.object.take() else { return };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                let overdue = Arc::clone(&self.overdue);
                let given_up = self.turn.as_ref().map(Turn::give_up);
                let backend = std::mem::take(&mut self.backend);
                runtime.spawn(overdue.end(object, backend, given_up));
            }
            Err(_) => drop(Object::take(object)),
        }
    }
}

/// Maps an error of PostgreSQL to a [`DatabaseError`]; `sent` is the text of the statement, for the position.
pub(crate) fn failure(
    error: &tokio_postgres::Error,
    timeout: Duration,
    sent: &str,
) -> DatabaseError {
    let Some(server) = error.as_db_error() else {
        let mut reason = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            reason = format!("{reason}: {inner}");
            source = inner.source();
        }
        return DatabaseError::Unavailable(reason);
    };
    let message = server.message().to_owned();
    let code = server.code();
    if is_of_the_statement(code, &message) {
        return DatabaseError::statement(message);
    }
    if *code == SqlState::QUERY_CANCELED {
        DatabaseError::Timeout { seconds: timeout.as_secs().max(1) }
    } else if *code == SqlState::INSUFFICIENT_PRIVILEGE || code.code().starts_with("28") {
        DatabaseError::PermissionDenied(message)
    } else if *code == SqlState::READ_ONLY_SQL_TRANSACTION {
        DatabaseError::Refused(message)
    } else if ["08", "3D", "53", "57", "58", "XX"]
        .iter()
        .any(|class| code.code().starts_with(class))
    {
        DatabaseError::Unavailable(message)
    } else {
        let position = match server.position() {
            Some(ErrorPosition::Original(character)) => byte_offset(sent, *character),
            _ => None,
        };
        DatabaseError::Statement { message, position }
    }
}

/// Whether the server reports that this statement needs more memory, disk or nesting than it allows one statement.
fn is_of_the_statement(code: &SqlState, message: &str) -> bool {
    [SqlState::OUT_OF_MEMORY, SqlState::DISK_FULL, SqlState::CONFIGURATION_LIMIT_EXCEEDED]
        .contains(code)
        || *code == SqlState::INTERNAL_ERROR && message.starts_with("invalid memory alloc request")
}

/// Byte offset of a character, which PostgreSQL counts from 1.
fn byte_offset(text: &str, character: u32) -> Option<usize> {
    let index = usize::try_from(character).ok()?.checked_sub(1)?;
    text.char_indices().map(|(offset, _)| offset).chain([text.len()]).nth(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_on_one_statement_is_no_outage() {
        for (code, message, expected) in [
            (SqlState::OUT_OF_MEMORY, "out of memory", true),
            (SqlState::DISK_FULL, "could not write to file \"base/pgsql_tmp/t0\"", true),
            (SqlState::CONFIGURATION_LIMIT_EXCEEDED, "temporary file size exceeds", true),
            (SqlState::INTERNAL_ERROR, "invalid memory alloc request size 1200000004", true),
            (SqlState::INTERNAL_ERROR, "cache lookup failed for type 1", false),
            (SqlState::TOO_MANY_CONNECTIONS, "sorry, too many clients already", false),
        ] {
            assert_eq!(is_of_the_statement(&code, message), expected, "{message}");
        }
    }

    #[test]
    fn positions_count_bytes_from_zero() {
        assert_eq!(byte_offset("é = 1", 1), Some(0));
        assert_eq!(byte_offset("é = 1", 3), Some(3));
        assert_eq!(byte_offset("é", 2), Some(2));
        assert_eq!(byte_offset("é", 3), None);
        assert_eq!(byte_offset("é", 0), None);
    }
}
