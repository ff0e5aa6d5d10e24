//! Tenants and their data sources, from the configuration file.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::contradiction::Contradiction;
use crate::database::DatabaseAddress;

/// Maximum length of a tenant's name, in characters.
const NAME: usize = 64;

/// A tenant with its data source.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tenant {
    /// Name, of letters, digits, hyphens and underscores.
    pub name: String,
    /// Address of the database.
    #[serde(default)]
    pub database: Option<DatabaseAddress>,
    /// Environment variable that holds the address of the database.
    #[serde(default)]
    pub database_env: Option<String>,
    /// File that holds the address of the database.
    #[serde(default)]
    pub database_file: Option<PathBuf>,
    /// Catalog without a database.
    #[serde(default)]
    pub catalog: Option<PathBuf>,
    /// Pack with descriptions.
    #[serde(default)]
    pub pack: Option<PathBuf>,
    /// Lessons.
    #[serde(default)]
    pub lessons: Option<PathBuf>,
}

impl Tenant {
    /// Address of the database, from its option, variable or file; `None` for a catalog without a database.
    pub fn address(&self) -> Result<Option<DatabaseAddress>, Contradiction> {
        if let Some(address) = &self.database {
            return Ok(Some(address.clone()));
        }
        if let Some(variable) = &self.database_env {
            return match std::env::var(variable) {
                Ok(text) if !text.trim().is_empty() => Ok(Some(DatabaseAddress::new(text.trim()))),
                _ => Err(self.wrong(&format!("environment variable {variable} is not set"))),
            };
        }
        let read = |path| address_in(path).map_err(|reason| self.wrong(&reason));
        self.database_file.as_deref().map(read).transpose()
    }

    /// Name of the option that gives the address of the database.
    pub(crate) fn address_option(&self) -> &'static str {
        match (&self.database, &self.database_env) {
            (Some(_), _) => "database",
            (None, Some(_)) => "database_env",
            (None, None) => "database_file",
        }
    }

    /// Validates one tenant.
    pub(super) fn check(&self) -> Result<(), Contradiction> {
        let fits = (1..=NAME).contains(&self.name.len())
            && self.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
        if !fits {
            return Err(Contradiction::new(format!(
                "the name of a tenant must have 1 to {NAME} letters, digits, hyphens and underscores"
            )));
        }
        let sources = [
            self.database.is_some(),
            self.database_env.is_some(),
            self.database_file.is_some(),
            self.catalog.is_some(),
        ];
        match sources.into_iter().filter(|given| *given).count() {
            1 => match &self.database {
                Some(address) => address.check().map_err(|fault| self.wrong(&fault)),
                None => Ok(()),
            },
            0 => Err(self.wrong("set one of database, database_env, database_file and catalog")),
            _ => {
                Err(self.wrong("set only one of database, database_env, database_file and catalog"))
            }
        }
    }

    fn wrong(&self, reason: &str) -> Contradiction {
        Contradiction::new(format!("tenant {}: {reason}", self.name))
    }
}

/// Reads an address from a file.
pub(super) fn address_in(path: &Path) -> Result<DatabaseAddress, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("cannot read the address from file {shown}: {error}"))?;
    match text.trim() {
        "" => Err(format!("file {shown} is empty; expected an address")),
        text => Ok(DatabaseAddress::new(text)),
    }
}
