//! Rights of a caller in a transaction, whose end takes them away.

use tokio_postgres::types::{ToSql, Type};

use super::lease::Lease;
use crate::database::DatabaseError;
use crate::rights::Rights;

/// Gives the rights to the transaction of a lease, before it reads anything.
pub(super) async fn take(lease: &Lease, rights: &Rights) -> Result<(), DatabaseError> {
    let settings = rights.settings().iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let texts: Vec<&str> = settings
        .chain(rights.role().map(|role| ("role", role)))
        .flat_map(|(name, value)| [name, value])
        .collect();
    if texts.is_empty() {
        return Ok(());
    }
    let calls: Vec<String> = (1..=texts.len())
        .step_by(2)
        .map(|place| format!("set_config(${place}, ${}, true)", place + 1))
        .collect();
    let sql = format!("SELECT {}", calls.join(", "));
    let parameters: Vec<(&(dyn ToSql + Sync), Type)> =
        texts.iter().map(|text| (text as &(dyn ToSql + Sync), Type::TEXT)).collect();
    lease.query(&sql, &parameters).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Postgres;
    use super::super::cluster::Cluster;
    use super::*;
    use crate::database::{Database, DatabaseAddress};

    const MINUTE: Duration = Duration::from_mins(1);
    const SEEN: &str =
        "SELECT coalesce(current_setting('wherefore.region', true), '') || '/' || current_user";

    fn rights(region: &str) -> Rights {
        Rights::new(vec![("wherefore.region".to_owned(), region.to_owned())], None)
    }

    async fn seen(database: &Postgres) -> String {
        let lease = database.begin(MINUTE).await.unwrap();
        let rows = lease.query(SEEN, &[]).await.unwrap();
        lease.finish().await;
        rows[0].get(0)
    }

    /// Runs a statement with rights, in a time that may be too short for it.
    async fn tried(database: &Postgres, sql: &str, timeout: Duration) -> Result<(), DatabaseError> {
        let lease = database.begin(timeout).await?;
        let result = lease.query(sql, &[]).await;
        lease.finish().await;
        result.map(drop)
    }

    #[tokio::test]
    async fn a_connection_keeps_nothing_of_the_rights_of_its_last_borrower() {
        let Some(cluster) = Cluster::start() else { return };
        // With a single connection, anything left behind would be seen by the next borrower.
        let plain = Postgres::new(&DatabaseAddress::new(cluster.url("asker")), 1).unwrap();
        let north = plain.restricted(rights("north'; --"));
        assert_eq!(seen(&north).await, "north'; --/asker", "a value is bound, not written");
        assert_eq!(seen(&plain).await, "/asker");
        tried(&north, "SELECT 1 / 0", MINUTE).await.unwrap_err();
        assert_eq!(seen(&plain).await, "/asker", "after an error");
        let short = Duration::from_millis(100);
        let late = tried(&north, "SELECT pg_sleep(9)", short).await.unwrap_err();
        assert!(matches!(late, DatabaseError::Timeout { .. }), "{late}");
        assert_eq!(seen(&plain).await, "/asker", "after a timeout");
        tried(&north, "SELECT set_config('wherefore.region', 'west', false)", MINUTE)
            .await
            .unwrap();
        assert_eq!(seen(&plain).await, "/asker", "after a setting of the session");
        let lease = north.begin(MINUTE).await.unwrap();
        let sleeping = lease.query("SELECT pg_sleep(9)", &[]);
        tokio::time::timeout(short, sleeping).await.unwrap_err();
        drop(lease);
        assert_eq!(seen(&plain).await, "/asker", "after a cancellation");
        tried(&north, "COMMIT", MINUTE).await.unwrap();
        assert_eq!(seen(&plain).await, "/asker", "after a commit from inside");
        assert_eq!(seen(&north).await, "north'; --/asker");
    }

    #[tokio::test]
    async fn a_restricted_catalog_holds_nothing_of_rows() {
        let Some(cluster) = Cluster::start() else { return };
        cluster.run(
            "CREATE TYPE kind AS ENUM ('near', 'far');
             CREATE TABLE visits (id int PRIMARY KEY, region text, kind kind, paid int);
             INSERT INTO visits SELECT n, 'north', 'near', n FROM generate_series(1, 9) AS n; ANALYZE",
        );
        let plain = Postgres::new(&DatabaseAddress::new(cluster.url("asker")), 1).unwrap();
        let catalog = plain.restricted(Rights::default()).read_catalog().await.unwrap();
        let table = &catalog.tables[0];
        assert_eq!((table.columns.len(), table.row_estimate), (4, None));
        for column in &table.columns {
            assert!(column.values.is_none() && column.minimum.is_none(), "{}", column.name);
        }
        assert!(plain.read_catalog().await.unwrap().tables[0].columns[1].values.is_some());
    }
}
