//! Rights of each caller, from the configuration file: `[rights]` maps claims of tokens to what PostgreSQL lets them see.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::contradiction::Contradiction;
use super::{AuthMode, Config, Tenant};

/// Prefix of all settings, so that none of PostgreSQL's own can be set.
pub const SETTING_PREFIX: &str = "wherefore.";
/// Maximum length of the name of a setting, in characters.
const NAME: usize = 48;
/// Maximum length of the name of a claim, in bytes.
const CLAIM: usize = 256;
/// Maximum number of values that are mapped to roles.
const ROLES: usize = 32;
/// Maximum length of the name of a role, in bytes; PostgreSQL cuts longer ones.
const ROLE: usize = 63;
/// Maximum number of settings.
const SETTINGS: usize = 32;

/// Claims that decide what a caller may see.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RightsOptions {
    /// Settings of the transaction, by their name without `wherefore.`, each with the claim of its value.
    #[serde(default)]
    pub claims: BTreeMap<String, ClaimOption>,
    /// Role of the transaction.
    #[serde(default)]
    pub role: Option<RoleOption>,
}

/// A claim whose values are mapped to roles.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleOption {
    /// Name of the claim, whose value must be a text.
    pub claim: String,
    /// Role of each value.
    pub map: BTreeMap<String, String>,
}

/// A claim, and the type that its value must have.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClaimOption {
    /// Name of the claim.
    pub claim: String,
    /// Required type of its value.
    #[serde(rename = "type")]
    pub kind: ClaimType,
}

/// Types of claims.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum ClaimType {
    /// A boolean, set as `true` or `false`.
    Boolean,
    /// An integer of 64 bits, set in decimal digits.
    Integer,
    /// A text that is not empty.
    Text,
}

impl Config {
    /// Checks that rights can be given, and to names that are theirs.
    pub(super) fn check_rights(&self) -> Result<(), Contradiction> {
        let Some(rights) = &self.rights else { return Ok(()) };
        rights.check().map_err(|reason| self.wrong("rights", &reason))?;
        if self.access.auth != AuthMode::Jwt {
            return Err(self.wrong("rights", "claims come from tokens: [rights] needs --auth jwt"));
        }
        let is_packed =
            self.pack.is_some() || self.tenants.iter().any(|tenant| tenant.pack.is_some());
        if rights.role.is_some() && is_packed {
            let reason =
                "`role` cannot be combined with a pack, which names tables that a role may not see";
            return Err(self.wrong("rights", reason));
        }
        if self.allow_privileged_login {
            let reason = "cannot be combined with [rights]: row-level security does not hold for a privileged login";
            return Err(self.wrong("allow_privileged_login", reason));
        }
        Ok(())
    }

    /// Checks that a tenant has a data source that knows rights, if they are configured.
    pub(crate) fn check_rights_of(&self, tenant: &Tenant) -> Result<(), Contradiction> {
        if self.rights.is_none() || tenant.address()?.is_some_and(|found| found.is_postgres()) {
            return Ok(());
        }
        let reason = format!(
            "[rights] needs a PostgreSQL database, which the data source of tenant {} is not",
            tenant.name
        );
        Err(self.wrong("rights", &reason))
    }

    /// Whether claims are mapped to roles.
    pub(crate) fn has_roles(&self) -> bool {
        self.rights.as_ref().is_some_and(|rights| rights.role.is_some())
    }

    /// Checks that the options allow a caller without a token, such as the user who started the program.
    pub(crate) fn check_local(&self) -> Result<(), Contradiction> {
        if self.rights.is_none() {
            return Ok(());
        }
        Err(self.wrong("rights", "`mcp` has no token: [rights] allows MCP only over HTTP"))
    }
}

impl RightsOptions {
    /// Checks names and that there is something to give.
    fn check(&self) -> Result<(), String> {
        if let Some(role) = &self.role {
            role.check().map_err(|reason| format!("role: {reason}"))?;
        } else if self.claims.is_empty() {
            return Err("set `claims`, `role` or both".to_owned());
        }
        if self.claims.len() > SETTINGS {
            return Err(format!("at most {SETTINGS} claims are allowed"));
        }
        for (name, option) in &self.claims {
            if !is_setting(name) {
                return Err(format!(
                    "{}: the name of a setting must be a lower-case letter and at most {} letters, digits and \
                     underscores; it is set with the prefix {SETTING_PREFIX}",
                    shown(name),
                    NAME - 1
                ));
            }
            check_claim(&option.claim).map_err(|reason| format!("{name}: {reason}"))?;
        }
        Ok(())
    }
}

impl RightsOptions {
    /// All roles that claims are mapped to.
    pub(crate) fn roles(&self) -> BTreeSet<&str> {
        self.role.iter().flat_map(|role| role.map.values()).map(String::as_str).collect()
    }
}

impl RoleOption {
    /// Checks names, and that there is a role.
    fn check(&self) -> Result<(), String> {
        check_claim(&self.claim)?;
        if self.map.is_empty() || self.map.len() > ROLES {
            return Err(format!("`map` must have 1 to {ROLES} values with their roles"));
        }
        self.map.values().try_for_each(|role| {
            if is_role(role) {
                Ok(())
            } else {
                Err(format!("{}: not the name of a role", shown(role)))
            }
        })
    }
}

/// Whether a role may have this name; `none` would return to the login.
fn is_role(name: &str) -> bool {
    (1..=ROLE).contains(&name.len())
        && !name.eq_ignore_ascii_case("none")
        && !name.chars().any(char::is_control)
}

/// Whether a setting may have this name after its prefix.
fn is_setting(name: &str) -> bool {
    (1..=NAME).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn check_claim(claim: &str) -> Result<(), String> {
    if (1..=CLAIM).contains(&claim.len()) && !claim.chars().any(char::is_control) {
        return Ok(());
    }
    Err(format!("the name of a claim must have 1 to {CLAIM} bytes, and no control characters"))
}

/// A name without what would break a line.
fn shown(name: &str) -> String {
    name.chars().filter(|character| !character.is_control()).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_setting_of_the_server_has_an_allowed_name() {
        for name in ["region", "tenant_region", "r2"] {
            assert!(is_setting(name), "{name}");
        }
        let long = "a".repeat(NAME + 1);
        for name in ["", "Region", "2r", "_r", "a.b", "search path", "a;b", "a'b", "é", &long] {
            assert!(!is_setting(name), "{name}");
        }
        assert!(SETTING_PREFIX.contains('.'), "PostgreSQL's own settings have no prefix");
    }

    #[test]
    fn no_role_has_a_name_that_returns_to_the_login() {
        assert!(is_role("app_nurse") && is_role("App \"Nurse\""));
        let long = "a".repeat(ROLE + 1);
        for name in ["", "none", "NONE", "a\0", &long] {
            assert!(!is_role(name), "{name}");
        }
    }
}
