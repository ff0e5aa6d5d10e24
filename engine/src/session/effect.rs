//! Effects: requests of a session to its host.

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;
use crate::writing::Brief;
use wherefore_sql::Dialect;

/// A request to the host, which returns the result as an event with the same id.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Id within the session.
    pub id: u32,
    /// What to do.
    pub request: EffectRequest,
}

/// What the host should do.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EffectRequest {
    /// Check a statement with the guard, run it read-only, and return its rows.
    Execute {
        /// The statement.
        sql: String,
        /// Its dialect.
        dialect: Dialect,
        /// Maximum number of rows to return.
        row_limit: u32,
    },
    /// Search stored values in columns whose values are not all listed in the catalog.
    LookUpValues {
        /// Searches; results are returned in the same order.
        searches: Vec<ValueSearch>,
    },
    /// Let a model write a statement, check it with the guard, and return the result.
    Write {
        /// What is known about the question.
        brief: Box<Brief>,
    },
}

/// A search for a stored value.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ValueSearch {
    /// Column to search.
    pub column: ColumnRef,
    /// Text to find anywhere in the value, ignoring case.
    pub text: String,
}
