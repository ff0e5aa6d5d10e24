//! Default names of output columns without an alias.

use super::tree::{CastType, Expr};

/// The column name that PostgreSQL derives from this expression; `None` if it uses `?column?`.
pub(crate) fn default_name(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Column { name, .. } => Some(&name.name),
        Expr::Function(call) => Some(&call.name),
        Expr::Cast { operand, to: CastType { name, .. } } => {
            Some(default_name(operand).unwrap_or(name))
        }
        Expr::Extract { .. } => Some("extract"),
        Expr::Exists { .. } => Some("exists"),
        Expr::Case { otherwise, .. } => match otherwise.as_deref() {
            Some(Expr::Column { name, .. }) => Some(&name.name),
            _ => Some("case"),
        },
        Expr::Array(_) => Some("array"),
        Expr::AtTimeZone { .. } => Some("timezone"),
        Expr::Collate { operand, .. } => default_name(operand),
        Expr::Spelled(spelled) => default_name(&spelled.meaning),
        _ => None,
    }
}
