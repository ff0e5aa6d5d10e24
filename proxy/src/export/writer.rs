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

    /// Bytes that report an error after rows were sent; with `None` the connection is aborted.
    fn broken(&mut self, _: &DatabaseError) -> Option<Vec<u8>> {
        None
    }
}
