//! A database that was unavailable when the proxy started: its login is checked before anything is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use wherefore_engine::catalog::{Catalog, Column, ColumnRef, Containment, Table};
use wherefore_sql::{CheckedSql, Dialect, ReadDialect};

use super::{
    ArrowStream, CellStream, Database, DatabaseError, LoginFinding, Plan, RunLimits, Severity, Turn,
};
use crate::rights::Rights;

/// A database whose login is checked on its first successful use.
pub struct Unproven {
    database: Arc<dyn Database>,
    proven: Arc<AtomicBool>,
}

impl Unproven {
    /// Wraps a database that has not been reached yet.
    pub fn new(database: Arc<dyn Database>) -> Self {
        Self { database, proven: Arc::default() }
    }

    /// The database, after its login was checked to be read-only.
    async fn proven(&self) -> Result<&dyn Database, DatabaseError> {
        if !self.proven.load(Ordering::Acquire) {
            let findings = self.database.check_login().await?;
            let refused = |finding: &&LoginFinding| finding.severity == Severity::Refuse;
            if let Some(finding) = findings.iter().find(refused) {
                tracing::error!(
                    address = self.address(),
                    code = finding.code.as_str(),
                    "{}",
                    finding.message
                );
                return Err(DatabaseError::PermissionDenied(format!(
                    "{} ({})",
                    finding.message, finding.remedy
                )));
            }
            self.proven.store(true, Ordering::Release);
        }
        Ok(&*self.database)
    }
}

#[async_trait]
impl Database for Unproven {
    fn dialect(&self) -> Dialect {
        self.database.dialect()
    }

    fn address(&self) -> String {
        self.database.address()
    }

    async fn read_structure(&self) -> Result<Catalog, DatabaseError> {
        self.proven().await?.read_structure().await
    }

    fn reads_contents_apart(&self) -> bool {
        self.database.reads_contents_apart()
    }

    fn reads_contents_late(&self) -> bool {
        self.database.reads_contents_late()
    }

    async fn read_contents(
        &self,
        tables: &mut [Table],
        until: Instant,
    ) -> Result<(), DatabaseError> {
        self.proven().await?.read_contents(tables, until).await
    }

    async fn read_containments(
        &self,
        catalog: &Catalog,
        pairs: &[(ColumnRef, ColumnRef)],
        until: Instant,
    ) -> Result<Vec<Containment>, DatabaseError> {
        self.proven().await?.read_containments(catalog, pairs, until).await
    }

    async fn check_login(&self) -> Result<Vec<LoginFinding>, DatabaseError> {
        self.database.check_login().await
    }

    fn server_dialect(&self) -> ReadDialect {
        self.database.server_dialect()
    }

    async fn native_sql(&self, statement: &CheckedSql) -> Result<Option<String>, DatabaseError> {
        self.proven().await?.native_sql(statement).await
    }

    async fn plan(
        &self,
        statement: &CheckedSql,
        run: Option<RunLimits>,
        turn: Option<&Turn>,
    ) -> Result<Plan, DatabaseError> {
        self.proven().await?.plan(statement, run, turn).await
    }

    async fn open_cells(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<CellStream, DatabaseError> {
        self.proven().await?.open_cells(statement, limits, turn).await
    }

    async fn open_record_batches(
        &self,
        statement: &CheckedSql,
        limits: RunLimits,
        turn: Option<&Turn>,
    ) -> Result<ArrowStream, DatabaseError> {
        self.proven().await?.open_record_batches(statement, limits, turn).await
    }

    async fn list_values(
        &self,
        table: &Table,
        column: &Column,
        limit: u32,
        budget: Duration,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        self.proven().await?.list_values(table, column, limit, budget, turn).await
    }

    async fn search_values(
        &self,
        table: &Table,
        column: &Column,
        text: &str,
        limit: u32,
        turn: Option<&Turn>,
    ) -> Result<Vec<String>, DatabaseError> {
        self.proven().await?.search_values(table, column, text, limit, turn).await
    }

    fn with_rights(&self, rights: &Rights) -> Option<Arc<dyn Database>> {
        let (database, proven) = (self.database.with_rights(rights)?, Arc::clone(&self.proven));
        Some(Arc::new(Self { database, proven }))
    }

    async fn ping(&self) -> Result<(), DatabaseError> {
        self.database.ping().await
    }

    fn connections_in_use(&self) -> u32 {
        self.database.connections_in_use()
    }
}
