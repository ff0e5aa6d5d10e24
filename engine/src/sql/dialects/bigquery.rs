//! What BigQuery says its own way.
use crate::sql::diagnostic::Diagnostic;
use crate::sql::tree::Expr;
pub(super) fn fitted(_: &Expr) -> Result<Option<Expr>, Diagnostic> {
    Ok(None)
}
