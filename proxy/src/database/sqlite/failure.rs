//! Classification of SQLite's errors.

use std::time::Duration;

use rusqlite::ErrorCode;

use crate::database::DatabaseError;

/// Maps an error of SQLite to a [`DatabaseError`].
pub(super) fn failure(error: &rusqlite::Error, budget: Duration) -> DatabaseError {
    let message = match error {
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => {
            DatabaseError::Timeout { seconds: budget.as_secs().max(1) }
        }
        Some(ErrorCode::AuthorizationForStatementDenied) => DatabaseError::Refused(message),
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::NotADatabase
            | ErrorCode::PermissionDenied
            | ErrorCode::SystemIoFailure,
        ) => DatabaseError::Unavailable(message),
        _ if message.contains("not authorized") || message.contains("prohibited") => {
            DatabaseError::Refused(message)
        }
        _ => DatabaseError::Statement(message),
    }
}
