//! What the database lets one caller see: settings that row-level security reads, and a role.

mod digest;
mod hidden;

use std::fmt;
use std::sync::Arc;

pub(crate) use hidden::{without_rows, without_values};

/// What a caller may see, from the claims of its token. Cloning is cheap.
///
/// Equal rights show the same rows, so whatever is cached of rows is keyed by them.
#[derive(Clone, Default, Eq, Hash, PartialEq)]
pub struct Rights(Arc<Granted>);

#[derive(Default, Eq, Hash, PartialEq)]
struct Granted {
    settings: Vec<(String, String)>,
    role: Option<String>,
    key: String,
}

impl Rights {
    /// Rights by settings of a transaction, with their values, and a role.
    pub(crate) fn new(settings: Vec<(String, String)>, role: Option<String>) -> Self {
        let key = digest::of(&settings, role.as_deref());
        Self(Arc::new(Granted { settings, role, key }))
    }

    /// The rights of a role alone, with which its catalog is read.
    pub(crate) fn of_role(role: &str) -> Self {
        Self::new(Vec::new(), Some(role.to_owned()))
    }

    /// Names and values of the settings.
    pub(crate) fn settings(&self) -> &[(String, String)] {
        &self.0.settings
    }

    /// The role.
    pub(crate) fn role(&self) -> Option<&str> {
        self.0.role.as_deref()
    }

    /// Digest of the rights in hexadecimal digits, for keys in the store.
    pub(crate) fn key(&self) -> &str {
        &self.0.key
    }
}

impl fmt::Debug for Rights {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Values of claims can be personal data.
        formatter.debug_tuple("Rights").field(&self.0.key).finish()
    }
}
