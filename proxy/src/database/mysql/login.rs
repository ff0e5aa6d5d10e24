//! Privileges of a login beyond reading, from what the server says of its grants.

use std::collections::{BTreeMap, BTreeSet};

use mysql_async::Row;
use wherefore_sql::MysqlServer;

use super::grants::{Grant, Scope, parsed, roles};
use super::lease::{Lease, SEARCH};
use super::pool::Mysql;
use super::structure::cells;
use crate::database::login::listed;
use crate::database::{DatabaseError, LoginFinding, LoginRisk, Severity};

/// Privileges that change rows.
const WRITES: [&str; 4] = ["DELETE", "DROP", "INSERT", "UPDATE"];
/// Privileges that change tables and other objects of a database.
const CREATES: [&str; 12] = [
    "ALTER",
    "ALTER ROUTINE",
    "CREATE",
    "CREATE ROUTINE",
    "CREATE TEMPORARY TABLES",
    "CREATE VIEW",
    "DELETE HISTORY",
    "DROP",
    "EVENT",
    "INDEX",
    "REFERENCES",
    "TRIGGER",
];
/// Privileges that change users and roles.
const USERS: [&str; 7] = [
    "CREATE ROLE",
    "CREATE USER",
    "DROP ROLE",
    "GRANT OPTION",
    "ROLE_ADMIN",
    "SET USER",
    "SYSTEM_USER",
];
/// Privileges that only read, or that every login has.
const HARMLESS: [&str; 8] = [
    "EXECUTE",
    "LOCK TABLES",
    "PROXY",
    "SELECT",
    "SHOW CREATE ROUTINE",
    "SHOW DATABASES",
    "SHOW VIEW",
    "USAGE",
];

/// Findings about the current user, the most severe first.
pub(super) async fn check(database: &Mysql) -> Result<Vec<LoginFinding>, DatabaseError> {
    let mut lease = database.begin(SEARCH).await?;
    let user = lease.query("SELECT CAST(CURRENT_USER() AS CHAR)", ()).await?;
    let grants = all_grants(&mut lease).await?;
    // The session may have another role now.
    lease.close();
    let user = user.into_iter().next().map(cells::<(String,)>).transpose()?;
    let login = user.map(|(user,)| user).unwrap_or_default();
    Ok(findings(&grants, &login))
}

/// The grants of the current user and of all roles that are granted to it.
async fn all_grants(lease: &mut Lease) -> Result<Vec<Grant>, DatabaseError> {
    let own = lines(lease.show("SHOW GRANTS").await?)?;
    let mut grants: Vec<Grant> = own.iter().filter_map(|line| parsed(line)).collect();
    let mut waiting = roles(&own);
    let mut seen = BTreeSet::new();
    while let Some(role) = waiting.pop() {
        if !seen.insert(role.clone()) {
            continue;
        }
        let sql = match lease.server() {
            MysqlServer::Mariadb => {
                // The grants of a role are shown only while it is the current one.
                lease.set(&format!("SET ROLE {role}")).await?;
                "SHOW GRANTS".to_owned()
            }
            MysqlServer::Mysql => format!("SHOW GRANTS FOR CURRENT_USER() USING {role}"),
        };
        let found = lines(lease.show(&sql).await?)?;
        grants.extend(found.iter().filter_map(|line| parsed(line)));
        waiting.extend(roles(&found));
    }
    Ok(grants)
}

fn lines(rows: Vec<Row>) -> Result<Vec<String>, DatabaseError> {
    rows.into_iter().map(|row| cells::<(String,)>(row).map(|(line,)| line)).collect()
}

/// What the privileges amount to, by risk: what they apply to.
fn risks(grants: &[Grant]) -> BTreeMap<&'static str, (LoginRisk, BTreeSet<String>)> {
    let mut risks: BTreeMap<&'static str, (LoginRisk, BTreeSet<String>)> = BTreeMap::new();
    let mut add = |risk: LoginRisk, subject: &str| {
        let found = risks.entry(risk.as_str()).or_insert_with(|| (risk, BTreeSet::new()));
        found.1.insert(subject.to_owned());
    };
    for Grant { privileges, scope } in grants {
        for privilege in privileges.iter().map(String::as_str) {
            let on = scope.text();
            let is_all = privilege == "ALL PRIVILEGES" || privilege == "ALL";
            if USERS.contains(&privilege) {
                add(LoginRisk::LoginCreatesRoles, privilege);
            } else if *scope == Scope::Server {
                match privilege {
                    "ALL PRIVILEGES" | "ALL" | "SUPER" => {
                        add(LoginRisk::LoginIsSuperuser, privilege);
                    }
                    "CREATE" => {
                        add(LoginRisk::LoginCreatesDatabases, on);
                        add(LoginRisk::LoginMayCreate, on);
                    }
                    "SELECT" => add(LoginRisk::LoginReadsEverything, on),
                    "REPLICATION SLAVE"
                    | "REPLICATION REPLICA"
                    | "BINLOG REPLAY"
                    | "REPLICATION SLAVE ADMIN"
                    | "REPLICATION MASTER ADMIN" => {
                        add(LoginRisk::LoginReplicates, privilege);
                    }
                    other if !of_tables(other) && !HARMLESS.contains(&other) => {
                        add(LoginRisk::LoginHoldsServerRole, other);
                    }
                    _ => {}
                }
            } else if *scope == Scope::User && privilege != "USAGE" {
                add(LoginRisk::LoginHoldsServerRole, privilege);
            }
            if *scope != Scope::User && WRITES.contains(&privilege)
                || is_all && *scope != Scope::Server
            {
                add(LoginRisk::LoginMayWrite, on);
            }
            if *scope != Scope::User
                && CREATES.contains(&privilege)
                && (*scope != Scope::Server || privilege != "CREATE")
                || is_all && *scope != Scope::Server
            {
                add(LoginRisk::LoginMayCreate, on);
            }
        }
    }
    risks
}

fn of_tables(privilege: &str) -> bool {
    WRITES.contains(&privilege) || CREATES.contains(&privilege)
}

fn findings(grants: &[Grant], login: &str) -> Vec<LoginFinding> {
    let mut found: Vec<LoginFinding> = risks(grants)
        .into_values()
        .map(|(risk, subjects)| {
            let subjects: Vec<String> = subjects.into_iter().collect();
            told(risk, login, &listed(&subjects))
        })
        .collect();
    found.sort_by_key(|finding| finding.severity);
    // Nothing else matters to a login that may do everything.
    if let Some(at) = found.iter().position(|it| it.code == LoginRisk::LoginIsSuperuser) {
        return vec![found.swap_remove(at)];
    }
    found
}

fn told(code: LoginRisk, login: &str, subjects: &str) -> LoginFinding {
    let revoke = |what: &str| format!("REVOKE {what} FROM {login}, or from the role that has it");
    let (severity, message, remedy) = match code {
        LoginRisk::LoginIsSuperuser => (
            Severity::Refuse,
            format!("login {login} has {subjects} on the whole server"),
            "make a login of its own that may only SELECT".to_owned(),
        ),
        LoginRisk::LoginReadsEverything => (
            Severity::Warn,
            format!("login {login} can read every table of the server"),
            revoke("SELECT ON *.*") + ", and GRANT SELECT on the database",
        ),
        LoginRisk::LoginMayWrite => (
            Severity::Refuse,
            format!("login {login} can change rows of {subjects}"),
            revoke("INSERT, UPDATE, DELETE, DROP"),
        ),
        LoginRisk::LoginMayCreate => (
            Severity::Refuse,
            format!("login {login} can create or change tables of {subjects}"),
            revoke("everything but SELECT"),
        ),
        LoginRisk::LoginCreatesDatabases => (
            Severity::Refuse,
            format!("login {login} can create databases"),
            revoke("CREATE ON *.*"),
        ),
        LoginRisk::LoginCreatesRoles => (
            Severity::Refuse,
            format!("login {login} can change users, roles or their privileges ({subjects})"),
            revoke(subjects),
        ),
        LoginRisk::LoginReplicates => (
            Severity::Refuse,
            format!("login {login} can copy the whole server by replication"),
            revoke(subjects),
        ),
        _ => (
            Severity::Refuse,
            format!("login {login} has {subjects}, which grants more than access to tables"),
            revoke(subjects),
        ),
    };
    LoginFinding { code, severity, message, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(lines: &[&str]) -> Vec<&'static str> {
        let grants: Vec<Grant> = lines.iter().filter_map(|line| parsed(line)).collect();
        findings(&grants, "ann@%").into_iter().map(|finding| finding.code.as_str()).collect()
    }

    #[test]
    fn privileges_beyond_reading_are_found() {
        let read =
            ["GRANT USAGE ON *.* TO `ann`@`%`", "GRANT SELECT, SHOW VIEW ON `shop`.* TO `ann`@`%`"];
        assert_eq!(codes(&read), [""; 0]);
        for (line, expected) in [
            (
                "GRANT ALL PRIVILEGES ON *.* TO `ann`@`%` WITH GRANT OPTION",
                &["login_is_superuser"][..],
            ),
            ("GRANT SELECT ON *.* TO `ann`@`%`", &["login_reads_everything"]),
            (
                "GRANT SELECT, FILE ON *.* TO `ann`@`%`",
                &["login_holds_server_role", "login_reads_everything"],
            ),
            (
                "GRANT SELECT (`id`), UPDATE (`id`, `note`) ON `shop`.`t` TO `ann`@`%`",
                &["login_may_write"],
            ),
            (
                "GRANT ALL PRIVILEGES ON `shop`.* TO `ann`@`%`",
                &["login_may_create", "login_may_write"],
            ),
            ("GRANT SELECT ON `shop`.* TO `ann`@`%` WITH GRANT OPTION", &["login_creates_roles"]),
            ("GRANT CREATE ON *.* TO `ann`@`%`", &["login_creates_databases", "login_may_create"]),
            ("GRANT REPLICATION SLAVE ON *.* TO `ann`@`%`", &["login_replicates"]),
            ("GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO `ann`@`%`", &["login_holds_server_role"]),
        ] {
            assert_eq!(codes(&[line]), expected, "{line}");
        }
    }
}
