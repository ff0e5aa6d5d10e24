//! What SQL Server says its own way.
use crate::sql::diagnostic::Diagnostic;
use crate::sql::tree::{Expr, Query};
pub(super) fn fitted(_: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(None)
}
pub(super) fn with_conditions(_: &mut Query) -> Result<(), Diagnostic> {
    Ok(())
}
