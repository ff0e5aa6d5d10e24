//! Backend of the store in PostgreSQL, which proxies on several machines can share.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use tokio_postgres::Row as PostgresRow;
use tokio_postgres::types::Type;

use super::value::{Row, Statement, Value};
use super::{StoreError, migrations};
use crate::database::DatabaseAddress;
use crate::database::postgres::tls_connector;

/// Maximum number of connections per proxy.
const CONNECTIONS: usize = 8;
/// Timeout of getting a connection, and of a statement.
const WAIT: Duration = Duration::from_secs(5);
/// Timeout of waiting for the migrations of another proxy.
const MIGRATING: Duration = Duration::from_mins(1);
/// Advisory lock held during migrations: "wherefor" in ASCII.
const LOCK: i64 = 0x7768_6572_6566_6f72;

/// The database.
#[derive(Clone)]
pub(super) struct Postgres {
    pool: Pool,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Postgres")
    }
}

impl Postgres {
    /// Connects to the database and runs migrations.
    pub(super) async fn open(address: &DatabaseAddress) -> Result<Self, String> {
        let mut config = address.login().map_err(|error| error.to_string())?;
        config.application_name("wherefore store").connect_timeout(WAIT);
        let recycling_method = RecyclingMethod::Verified;
        let manager =
            Manager::from_config(config, tls_connector(), ManagerConfig { recycling_method });
        let pool = Pool::builder(manager)
            .max_size(CONNECTIONS)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(WAIT))
            .create_timeout(Some(WAIT))
            .recycle_timeout(Some(WAIT))
            .build()
            .map_err(|error| error.to_string())?;
        let store = Self { pool };
        store.migrate().await?;
        Ok(store)
    }

    /// Rows of a statement.
    pub(super) async fn query(&self, statement: Statement) -> Result<Vec<Row>, StoreError> {
        self.with(async |object| {
            let values: Vec<_> = statement.values.iter().map(Value::typed).collect();
            let rows = object.query_typed(statement.sql, &values).await?;
            rows.iter().map(row).collect()
        })
        .await
    }

    /// Runs statements in one transaction, and returns the number of changed rows of each.
    pub(super) async fn change(&self, statements: Vec<Statement>) -> Result<Vec<u64>, StoreError> {
        self.with(async |object| {
            if let [statement] = statements.as_slice() {
                let values: Vec<_> = statement.values.iter().map(Value::typed).collect();
                return Ok(vec![object.execute_typed(statement.sql, &values).await?]);
            }
            let transaction = object.transaction().await?;
            let mut changed = Vec::with_capacity(statements.len());
            for statement in &statements {
                let values: Vec<_> = statement.values.iter().map(Value::typed).collect();
                changed.push(transaction.execute_typed(statement.sql, &values).await?);
            }
            transaction.commit().await?;
            Ok(changed)
        })
        .await
    }

    /// Runs a closure with a connection, which is closed if the closure fails or times out.
    async fn with<T>(
        &self,
        work: impl AsyncFnOnce(&mut Object) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, StoreError> {
        let failed = |error: &dyn std::error::Error| StoreError::Failed(told(error));
        let mut object = self.pool.get().await.map_err(|error| failed(&error))?;
        let worked = tokio::time::timeout(WAIT, work(&mut object)).await;
        let Ok(Ok(result)) = worked else {
            drop(Object::take(object));
            return Err(match worked {
                Ok(Err(error)) => failed(&error),
                _ => StoreError::Failed("it did not respond in time".to_owned()),
            });
        };
        Ok(result)
    }

    async fn migrate(&self) -> Result<(), String> {
        let runner = migrations::postgres().map_err(|error| error.to_string())?;
        let object = self.pool.get().await.map_err(|error| told(&error))?;
        // The connection is closed at the end, which releases the lock.
        let mut client = Object::take(object);
        let migrated = async {
            let lock: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 1] =
                [(&LOCK, Type::INT8)];
            client
                .query_typed("SELECT pg_advisory_lock($1)", &lock)
                .await
                .map_err(|error| told(&error))?;
            runner.run_async(&mut *client).await.map_err(|error| told(&error))
        };
        tokio::time::timeout(MIGRATING, migrated)
            .await
            .map_err(|_| "timed out waiting for another proxy to migrate the tables".to_owned())?
            .map(drop)
    }
}

fn row(row: &PostgresRow) -> Result<Row, tokio_postgres::Error> {
    let cells = row.columns().iter().enumerate().map(|(index, column)| {
        Ok(match *column.type_() {
            Type::BOOL => Value::Integer(row.try_get::<_, Option<bool>>(index)?.map(i64::from)),
            Type::BYTEA => Value::Bytes(row.try_get(index)?),
            Type::INT4 => Value::Integer(row.try_get::<_, Option<i32>>(index)?.map(i64::from)),
            Type::INT8 => Value::Integer(row.try_get(index)?),
            _ => Value::Text(row.try_get(index)?),
        })
    });
    cells.collect::<Result<_, _>>().map(Row)
}

/// An error with its causes.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let reason = inner.to_string();
        if !text.contains(&reason) {
            text = format!("{text}: {reason}");
        }
        source = inner.source();
    }
    text
}
