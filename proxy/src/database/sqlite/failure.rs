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
        _ => DatabaseError::Statement { message, position: position(error) },
    }
}

/// Byte offset of an error in the statement, if SQLite gives one.
fn position(error: &rusqlite::Error) -> Option<usize> {
    match error {
        rusqlite::Error::SqlInputError { offset, .. } => usize::try_from(*offset).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn what_one_statement_needs_too_much_of_is_its_own_failure() {
        for code in [ffi::SQLITE_TOOBIG, ffi::SQLITE_NOMEM, ffi::SQLITE_FULL, ffi::SQLITE_ERROR] {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            let found = failure(&error, Duration::ZERO);
            assert!(matches!(found, DatabaseError::Statement { .. }), "{code}: {found}");
        }
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_IOERR), None);
        assert!(matches!(failure(&error, Duration::ZERO), DatabaseError::Unavailable(_)));
    }
}
