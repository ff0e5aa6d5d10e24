//! What a session asks its host to do.

use serde::{Deserialize, Serialize};

use crate::catalog::ColumnRef;
use crate::sql::Dialect;
use crate::writing::Brief;

/// A request to the host; its result comes back as an event with the same id.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Effect {
    /// Id within the session.
    pub id: u32,
    /// What to do.
    pub request: EffectRequest,
}

/// What the host is to do.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EffectRequest {
    /// Run a statement read-only, through the guard, and give back its rows.
    Execute {
        /// The statement.
        sql: String,
        /// Its dialect.
        dialect: Dialect,
        /// Largest number of rows wanted.
        row_limit: u32,
    },
    /// Search stored values; columns that are not listed completely are meant.
    LookUpValues {
        /// Searches, each answered in order.
        searches: Vec<ValueSearch>,
    },
    /// Have a model write a statement, through the guard, and give back what came of it.
    Write {
        /// What is known of the question.
        brief: Box<Brief>,
    },
}

/// A search for a stored value.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct ValueSearch {
    /// Column searched.
    pub column: ColumnRef,
    /// Text looked for, ignoring case, anywhere in the value.
    pub text: String,
}
