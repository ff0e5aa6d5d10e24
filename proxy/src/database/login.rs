//! What a login may do beyond reading: found before anything is asked of the database.

use serde::Serialize;

/// Most names that a finding gives.
const SHOWN_NAMES: usize = 3;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// The proxy does not start with it, unless it is told to.
    Refuse,
    /// It is told, and the proxy starts.
    Warn,
}

/// Something that a login may do and need not.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct LoginFinding {
    /// Stable code.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// One sentence: what the login may do.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

impl LoginFinding {
    /// Finding of a code with the roles, tables, schemas or files that it is about; none where the code is unknown.
    pub(super) fn new(code: &str, login: &str, names: &[String]) -> Option<Self> {
        let shown = listed(names);
        let (code, severity, message, remedy) = match code {
            "login_is_superuser" => (
                "login_is_superuser",
                Severity::Refuse,
                format!("login {login} is a superuser: no right of the database holds it back"),
                "make a login of its own that may only SELECT".to_owned(),
            ),
            "login_bypasses_row_security" => (
                "login_bypasses_row_security",
                Severity::Refuse,
                format!("login {login} sees rows that row security hides from others"),
                format!("ALTER ROLE {login} NOBYPASSRLS"),
            ),
            "login_creates_roles" => (
                "login_creates_roles",
                Severity::Refuse,
                format!("login {login} may create and change roles"),
                format!("ALTER ROLE {login} NOCREATEROLE"),
            ),
            "login_creates_databases" => (
                "login_creates_databases",
                Severity::Refuse,
                format!("login {login} may create databases"),
                format!("ALTER ROLE {login} NOCREATEDB"),
            ),
            "login_replicates" => (
                "login_replicates",
                Severity::Refuse,
                format!("login {login} may copy the whole server by replication"),
                format!("ALTER ROLE {login} NOREPLICATION"),
            ),
            "login_holds_server_role" => (
                "login_holds_server_role",
                Severity::Refuse,
                format!("login {login} is a member of {shown}, which reaches beyond tables"),
                format!("REVOKE {shown} FROM {login}"),
            ),
            "login_reads_everything" => (
                "login_reads_everything",
                Severity::Warn,
                format!(
                    "login {login} is a member of {shown}, which reads more than chosen tables"
                ),
                format!("REVOKE {shown} FROM {login}, and GRANT SELECT on what may be asked about"),
            ),
            "login_may_write" => (
                "login_may_write",
                Severity::Refuse,
                format!("login {login} may change rows of {shown}"),
                format!("REVOKE INSERT, UPDATE, DELETE, TRUNCATE on them FROM {login} and PUBLIC"),
            ),
            "login_owns_tables" => (
                "login_owns_tables",
                Severity::Refuse,
                format!("login {login} owns {shown}, or is a member of the role that does"),
                "use a login that owns nothing, or give them another owner".to_owned(),
            ),
            "login_may_create" => (
                "login_may_create",
                Severity::Refuse,
                format!("login {login} may create tables in schema {shown}"),
                format!("REVOKE CREATE ON SCHEMA {shown} FROM {login} and PUBLIC"),
            ),
            "file_is_writable" => (
                "file_is_writable",
                Severity::Warn,
                format!("file {shown} can be written by this process, which opens it read-only"),
                "run the proxy as a user that may only read the file".to_owned(),
            ),
            _ => return None,
        };
        Some(Self { code, severity, message, remedy })
    }
}

fn listed(names: &[String]) -> String {
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
        let finding = LoginFinding::new("login_may_write", "ann", &names).unwrap();
        assert_eq!(finding.message, "login ann may change rows of a, b, c and 2 more");
        assert_eq!(LoginFinding::new("login_flies", "ann", &names), None);
    }
}
