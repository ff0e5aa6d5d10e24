//! Interface of export formats.

use crate::database::{DatabaseError, RunEnd};

/// Writer of one export format.
pub(super) trait Writer<H, B>: Sized + Send + 'static {
    /// Bytes before the rows.
    fn start(&mut self, header: &H) -> Result<Vec<u8>, DatabaseError>;

    /// Rows.
    fn rows(&mut self, batch: B) -> Result<Vec<u8>, DatabaseError>;

    /// Bytes after the rows, which say whether rows were left out and cells were cut.
    fn end(&mut self, end: &RunEnd) -> Result<Vec<u8>, DatabaseError>;

    /// What reports an error after rows were sent.
    fn broken(&mut self, _: &DatabaseError) -> Broken {
        Broken::Aborted(Vec::new())
    }
}

/// End of an export that failed.
pub(super) enum Broken {
    /// These bytes, after which the connection is aborted. Over HTTP/1.0, an aborted connection looks like a complete
    /// response.
    Aborted(Vec<u8>),
    /// These bytes, which no reader mistakes for a row.
    Reported(Vec<u8>),
}
