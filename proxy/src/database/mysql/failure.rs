//! Classification of the errors of MySQL and MariaDB.

use std::time::Duration;

use mysql_async::{DriverError, Error};

use crate::database::DatabaseError;

/// Maps an error to a [`DatabaseError`].
pub(super) fn failure(error: &Error, timeout: Duration) -> DatabaseError {
    let server = match error {
        Error::Server(server) => server,
        Error::Driver(DriverError::PacketTooLarge) => {
            return DatabaseError::statement("a row of the result is too large to be read");
        }
        Error::Driver(DriverError::NoClientSslFlagFromServer) => {
            return DatabaseError::Unavailable(
                "the server does not offer TLS, which ssl-mode requires".to_owned(),
            );
        }
        other => return DatabaseError::Unavailable(told(other)),
    };
    let message = server.message.clone();
    match server.code {
        // A denied database, login, table, column or procedure, a privilege that is missing, an expired password.
        1044 | 1045 | 1142 | 1143 | 1227 | 1370 | 1698 | 1820 | 1862 | 3118 | 3955 | 4151 => {
            DatabaseError::PermissionDenied(message)
        }
        // Interrupted, or a time limit of a statement or of a lock.
        1205 | 1317 | 1969 | 3024 => DatabaseError::Timeout { seconds: timeout.as_secs().max(1) },
        // A write in a read-only transaction, on a read-only server, or without a privilege of the server.
        1290 | 1792 | 1836 => DatabaseError::Refused(message),
        // Too many connections, an unknown database, shutdown, a killed connection, a lost or refused one.
        1040
        | 1049
        | 1053
        | 1129
        | 1130
        | 1152..=1161
        | 1184
        | 1203
        | 1226
        | 1927
        | 3032
        | 4031 => DatabaseError::Unavailable(message),
        _ => DatabaseError::statement(message),
    }
}

/// Whether the error says that a connection with this id does not exist.
pub(super) fn is_unknown_thread(error: &Error) -> bool {
    matches!(error, Error::Server(server) if server.code == 1094)
}

/// The message of an error with those of its causes that it does not contain.
fn told(error: &Error) -> String {
    let mut reason = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !reason.contains(&inner_text) {
            reason = format!("{reason}: {inner_text}");
        }
        source = inner.source();
    }
    reason
}
