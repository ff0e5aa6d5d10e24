//! Tests of the store, which run on both backends.

mod access;
mod history;
mod outages;
mod requests;
mod sessions;

use std::sync::{Arc, Mutex, Weak};

use super::*;
use crate::database::postgres::cluster::Cluster;
use crate::identity::Identity;
use wherefore_engine::memory::Memory;

const MINUTE: Duration = Duration::from_mins(1);

fn file(folder: &tempfile::TempDir) -> DatabaseAddress {
    DatabaseAddress::new(folder.path().join("store.sqlite").to_str().unwrap())
}

/// A separate cluster with a login for the store, whose tables are in a schema of its own.
fn cluster() -> Option<(Cluster, DatabaseAddress)> {
    let cluster = Cluster::start()?;
    let address = login(&cluster, "keeper");
    Some((cluster, address))
}

fn login(cluster: &Cluster, name: &str) -> DatabaseAddress {
    cluster.run(&format!("CREATE ROLE {name} LOGIN"));
    cluster.run(&format!("CREATE SCHEMA {name} AUTHORIZATION {name}"));
    DatabaseAddress::new(cluster.url(name))
}

/// A cluster that concurrent tests share, each with its own login; the last one stops it.
fn shared_cluster() -> Option<(Arc<Cluster>, DatabaseAddress)> {
    static RUNNING: Mutex<(Weak<Cluster>, u32)> = Mutex::new((Weak::new(), 0));
    let mut running = RUNNING.lock().unwrap();
    let cluster = match running.0.upgrade() {
        Some(cluster) => cluster,
        None => Arc::new(Cluster::start()?),
    };
    *running = (Arc::downgrade(&cluster), running.1 + 1);
    let address = login(&cluster, &format!("keeper_{}", running.1));
    Some((cluster, address))
}

/// Runs a check on SQLite and on PostgreSQL.
async fn on_both(check: impl AsyncFn(DatabaseAddress)) {
    let folder = tempfile::tempdir().unwrap();
    check(file(&folder)).await;
    let Some((_cluster, address)) = shared_cluster() else { return };
    check(address).await;
}

fn caller(tenant: &str, user: Option<&str>) -> Identity {
    Identity { tenant: tenant.to_owned(), user: user.map(str::to_owned) }
}

async fn open(address: &DatabaseAddress) -> Store {
    Store::open(address).await.unwrap_or_else(|error| panic!("{error}"))
}

/// A question of a caller that waits for clarification, with this session id.
fn asked(caller: &Identity, session: &str, lifetime: Duration) -> Record {
    Record {
        id: new_id("q").unwrap(),
        tenant: caller.tenant.clone(),
        user: caller.user.clone(),
        owner: caller.owner().to_owned(),
        thread_id: "thr_1".into(),
        kept: true,
        variant: String::new(),
        status: Status::Pending,
        question: "q".into(),
        said: r#"["q"]"#.into(),
        corrections: "[]".into(),
        clarifications: "[]".into(),
        sql: None,
        outcome: "needs_clarification".into(),
        problem: None,
        rounds: 1,
        row_count: None,
        working_ms: 5,
        tokens: 30,
        asked_at: milliseconds(),
        ended_at: milliseconds(),
        waits: lifetime,
        ambiguities: vec![place(true, None)],
        session: Some(NewSession {
            id: session.to_owned(),
            snapshot: "{}".into(),
            completed: false,
            lifetime,
        }),
    }
}

/// The ambiguity of "recent".
fn place(asked: bool, choice: Option<&str>) -> Ambiguity {
    Ambiguity {
        clarification_id: "c_1".into(),
        kind: "vague_term".into(),
        phrase: "recent".into(),
        asked,
        source: choice.map(|_| "user".to_owned()),
        choice: choice.map(str::to_owned),
    }
}

/// The same question after it was answered.
fn answered(record: &Record) -> Record {
    Record {
        status: Status::Completed,
        outcome: "answered".into(),
        sql: Some("SELECT 1".into()),
        row_count: Some(1),
        ended_at: record.ended_at + 5,
        ambiguities: vec![place(false, Some("7_days"))],
        session: Some(NewSession {
            id: record.id.clone(),
            snapshot: "{}".into(),
            completed: true,
            lifetime: MINUTE,
        }),
        ..record.clone()
    }
}

async fn insert(store: &Store, caller: &Identity, lifetime: Duration) -> String {
    let id = new_id("clf").unwrap();
    store.keep(asked(caller, &id, lifetime)).await.unwrap();
    id
}
