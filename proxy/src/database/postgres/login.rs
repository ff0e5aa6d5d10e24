//! Privileges of a PostgreSQL role beyond reading.

use std::collections::BTreeMap;

use super::lease::SEARCH;
use super::pool::Postgres;
use crate::database::{DatabaseError, LoginFinding, LoginRisk};

/// Query that returns findings as code and subject (a role, table or schema).
const LOGIN: &str = include_str!("../../../data/postgres_login.sql");

/// Findings about the current role, the most severe first.
pub(super) async fn check(database: &Postgres) -> Result<Vec<LoginFinding>, DatabaseError> {
    let lease = database.begin(SEARCH).await?;
    let rows = lease.query(LOGIN, &[]).await?;
    let login = lease.query("SELECT current_user::text", &[]).await?;
    lease.finish().await;
    let unread = |error: tokio_postgres::Error| {
        DatabaseError::Unavailable(format!("cannot read the privileges of the login: {error}"))
    };
    let login: String = match login.first() {
        Some(row) => row.try_get(0).map_err(unread)?,
        None => String::new(),
    };
    let mut subjects: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in &rows {
        let (code, subject) = (row.try_get(0).map_err(unread)?, row.try_get(1).map_err(unread)?);
        subjects.entry(code).or_default().push(subject);
    }
    let mut findings: Vec<LoginFinding> = subjects
        .iter()
        .filter_map(|(code, names)| {
            LoginRisk::from_code(code).map(|risk| LoginFinding::new(risk, &login, names))
        })
        .collect();
    findings.sort_by_key(|finding| finding.severity);
    Ok(findings)
}
