//! Privileges of a login beyond reading, checked before the database is used.

use serde::Serialize;

/// Maximum number of names in a finding.
const SHOWN_NAMES: usize = 3;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The proxy does not start, unless `--allow-privileged-login` is set.
    Refuse,
    /// A warning is logged, and the proxy starts.
    Warn,
}

/// A privilege of a login that the proxy does not need.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LoginRisk {
    /// The login is a superuser.
    LoginIsSuperuser,
    /// The login bypasses row-level security.
    LoginBypassesRowSecurity,
    /// The login can create and change roles.
    LoginCreatesRoles,
    /// The login can create databases.
    LoginCreatesDatabases,
    /// The login can copy the whole server by replication.
    LoginReplicates,
    /// The login is a member of a role with privileges beyond tables.
    LoginHoldsServerRole,
    /// The login is a member of a role that can read all data.
    LoginReadsEverything,
    /// The login can change rows.
    LoginMayWrite,
    /// The login owns tables.
    LoginOwnsTables,
    /// The login can create tables.
    LoginMayCreate,
    /// The process can write to the database file.
    FileIsWritable,
    /// The server has no rights that could be looked at.
    LoginIsUnchecked,
}

impl LoginRisk {
    /// All risks, in order of declaration.
    const ALL: [Self; 12] = [
        Self::LoginIsSuperuser,
        Self::LoginBypassesRowSecurity,
        Self::LoginCreatesRoles,
        Self::LoginCreatesDatabases,
        Self::LoginReplicates,
        Self::LoginHoldsServerRole,
        Self::LoginReadsEverything,
        Self::LoginMayWrite,
        Self::LoginOwnsTables,
        Self::LoginMayCreate,
        Self::FileIsWritable,
        Self::LoginIsUnchecked,
    ];

    /// Stable code.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LoginIsSuperuser => "login_is_superuser",
            Self::LoginBypassesRowSecurity => "login_bypasses_row_security",
            Self::LoginCreatesRoles => "login_creates_roles",
            Self::LoginCreatesDatabases => "login_creates_databases",
            Self::LoginReplicates => "login_replicates",
            Self::LoginHoldsServerRole => "login_holds_server_role",
            Self::LoginReadsEverything => "login_reads_everything",
            Self::LoginMayWrite => "login_may_write",
            Self::LoginOwnsTables => "login_owns_tables",
            Self::LoginMayCreate => "login_may_create",
            Self::FileIsWritable => "file_is_writable",
            Self::LoginIsUnchecked => "login_is_unchecked",
        }
    }

    /// Risk with this code; `None` if the code is unknown.
    pub(super) fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.as_str() == code)
    }
}

/// A finding about a login: a privilege that the proxy does not need.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LoginFinding {
    /// Stable code.
    pub code: LoginRisk,
    /// Severity of the finding.
    pub severity: Severity,
    /// What the login can do, in one sentence.
    pub message: String,
    /// How to remove the privilege.
    pub remedy: String,
}

impl LoginFinding {
    /// Finding about a login, with the names of the roles, tables, schemas or files concerned.
    pub(super) fn new(code: LoginRisk, login: &str, names: &[String]) -> Self {
        let shown = listed(names);
        let (severity, message, remedy) = match code {
            LoginRisk::LoginIsSuperuser => (
                Severity::Refuse,
                format!("login {login} is a superuser, so no database privilege restricts it"),
                "make a login of its own that may only SELECT".to_owned(),
            ),
            LoginRisk::LoginBypassesRowSecurity => (
                Severity::Refuse,
                format!("login {login} bypasses row security"),
                format!("ALTER ROLE {login} NOBYPASSRLS"),
            ),
            LoginRisk::LoginCreatesRoles => (
                Severity::Refuse,
                format!("login {login} can create and change roles"),
                format!("ALTER ROLE {login} NOCREATEROLE"),
            ),
            LoginRisk::LoginCreatesDatabases => (
                Severity::Refuse,
                format!("login {login} can create databases"),
                format!("ALTER ROLE {login} NOCREATEDB"),
            ),
            LoginRisk::LoginReplicates => (
                Severity::Refuse,
                format!("login {login} can copy the whole server by replication"),
                format!("ALTER ROLE {login} NOREPLICATION"),
            ),
            LoginRisk::LoginHoldsServerRole => (
                Severity::Refuse,
                format!(
                    "login {login} is a member of {shown}, which grants more than access to tables"
                ),
                format!("REVOKE {shown} FROM {login}"),
            ),
            LoginRisk::LoginReadsEverything => (
                Severity::Warn,
                format!("login {login} is a member of {shown}, which can read every table"),
                format!("REVOKE {shown} FROM {login}, and GRANT SELECT on what may be asked about"),
            ),
            LoginRisk::LoginMayWrite => (
                Severity::Refuse,
                format!("login {login} can change rows of {shown}"),
                format!("REVOKE INSERT, UPDATE, DELETE, TRUNCATE on them FROM {login} and PUBLIC"),
            ),
            LoginRisk::LoginOwnsTables => (
                Severity::Refuse,
                format!("login {login} owns {shown}, or is a member of a role that does"),
                "use a login that owns nothing, or change the owner".to_owned(),
            ),
            LoginRisk::LoginMayCreate => (
                Severity::Refuse,
                format!("login {login} can create tables in schema {shown}"),
                format!("REVOKE CREATE ON SCHEMA {shown} FROM {login} and PUBLIC"),
            ),
            LoginRisk::FileIsWritable => (
                Severity::Warn,
                format!("this process can write file {shown}, although it opens it read-only"),
                "run the proxy as a user that can only read the file".to_owned(),
            ),
            LoginRisk::LoginIsUnchecked => (
                Severity::Warn,
                format!(
                    "what the login may do on {shown} cannot be looked at: nothing but the proxy's check of statements \
                     keeps them from writing"
                ),
                "let the server only read the files of its tables, and let only the proxy reach it"
                    .to_owned(),
            ),
        };
        Self { code, severity, message, remedy }
    }
}

/// The first names, and the number of the others.
pub(super) fn listed(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_a_few_and_counts_the_rest() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
        let finding = LoginFinding::new(LoginRisk::LoginMayWrite, "ann", &names);
        assert_eq!(finding.message, "login ann can change rows of a, b, c and 2 more");
        assert_eq!(LoginRisk::from_code("login_may_write"), Some(LoginRisk::LoginMayWrite));
        assert_eq!(LoginRisk::from_code("login_flies"), None);
    }
}
