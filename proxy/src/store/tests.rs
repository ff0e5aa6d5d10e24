//! Every store test runs on both kinds of store.

use super::*;
use crate::caller::Identity;
use crate::database::postgres::cluster::Cluster;
use wherefore_engine::memory::Memory;

const MINUTE: Duration = Duration::from_mins(1);

fn file(folder: &tempfile::TempDir) -> DatabaseAddress {
    DatabaseAddress::new(folder.path().join("store.sqlite").to_str().unwrap())
}

/// A cluster with a login for the store, whose tables are in a schema of its own.
fn cluster() -> Option<(Cluster, DatabaseAddress)> {
    let cluster = Cluster::start()?;
    cluster.run("CREATE ROLE keeper LOGIN");
    cluster.run("CREATE SCHEMA keeper AUTHORIZATION keeper");
    let address = DatabaseAddress::new(cluster.url("keeper"));
    Some((cluster, address))
}

/// Checks the same on an SQLite file and on PostgreSQL.
async fn on_both(check: impl AsyncFn(DatabaseAddress)) {
    let folder = tempfile::tempdir().unwrap();
    check(file(&folder)).await;
    let Some((_cluster, address)) = cluster() else { return };
    check(address).await;
}

fn caller(tenant: &str, user: Option<&str>) -> Identity {
    Identity { tenant: tenant.to_owned(), user: user.map(str::to_owned) }
}

async fn open(address: &DatabaseAddress) -> Store {
    Store::open(address).await.unwrap_or_else(|error| panic!("{error}"))
}

async fn insert(store: &Store, caller: &Identity, lifetime: Duration) -> String {
    store.insert(caller, "q".into(), "{}".into(), lifetime).await.unwrap()
}

#[tokio::test]
async fn a_session_is_answered_once() {
    on_both(async |address| {
        let (store, anyone) = (open(&address).await, Identity::default());
        let id = insert(&store, &anyone, MINUTE).await;
        let found = store.find(&anyone, &id).await.unwrap();
        assert!(matches!(found, Some(StoredSession::Open { .. })), "{found:?}");
        assert!(store.claim(&id).await.unwrap());
        assert!(!store.claim(&id).await.unwrap());
        let answered = Some(StoredSession::Answered { question: "q".into() });
        assert_eq!(store.find(&anyone, &id).await.unwrap(), answered);
        assert!(store.release(&id).await.unwrap());
        assert!(store.claim(&id).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_session_is_unknown_to_other_tenants_and_users() {
    on_both(async |address| {
        let store = open(&address).await;
        let ann = caller("north", Some("ann"));
        let id = insert(&store, &ann, MINUTE).await;
        for other in
            [caller("south", Some("ann")), caller("north", Some("bob")), caller("north", None)]
        {
            assert_eq!(store.find(&other, &id).await.unwrap(), None, "{other:?}");
        }
        assert!(store.find(&ann, &id).await.unwrap().is_some());
    })
    .await;
}

#[tokio::test]
async fn an_expired_session_keeps_its_question_after_the_sweep() {
    on_both(async |address| {
        let (store, anyone) = (open(&address).await, Identity::default());
        let id = insert(&store, &anyone, Duration::ZERO).await;
        let expired = Some(StoredSession::Expired { question: "q".into() });
        assert_eq!(store.find(&anyone, &id).await.unwrap(), expired);
        assert_eq!(store.sweep().await.unwrap(), 0);
        assert_eq!(store.find(&anyone, &id).await.unwrap(), expired);
    })
    .await;
}

#[tokio::test]
async fn proxies_that_start_at_once_share_a_store() {
    on_both(async |address| {
        let opened: Vec<_> = (0..4)
            .map(|_| {
                let address = address.clone();
                tokio::spawn(async move { open(&address).await })
            })
            .collect();
        let mut stores = Vec::new();
        for store in opened {
            stores.push(store.await.unwrap());
        }
        let id = insert(&stores[0], &Identity::default(), MINUTE).await;
        assert!(stores[3].claim(&id).await.unwrap());
        assert!(!stores[1].claim(&id).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn a_newer_store_is_refused() {
    on_both(async |address| {
        let store = open(&address).await;
        let later = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
             SELECT 99, 'later', applied_on, checksum FROM refinery_schema_history WHERE version = 1";
        store.change_one(Statement::new(later, [])).await.unwrap();
        drop(store);
        let error = Store::open(&address).await.unwrap_err().to_string();
        assert!(error.contains("later"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn changes_of_memory_at_once_are_all_kept() {
    on_both(async |address| {
        let (one, other) = (open(&address).await, open(&address).await);
        let counted = Memory::read(
            r#"[{"ambiguity": "vague_term", "phrase": "recent", "meaning": "last 7 days", "frequency": 1,
                "answer": {"type": "option", "option_id": "7_days"}}]"#,
        )
        .unwrap();
        let one_more = |memory: &mut Memory| memory.patterns.extend(counted.patterns.clone());
        let changes = (0..10).map(|turn| {
            let store = if turn % 2 == 0 { &one } else { &other };
            store.change_memory("someone", one_more)
        });
        for changed in futures_util::future::join_all(changes).await {
            changed.unwrap();
        }
        assert_eq!(one.memory("someone").await.unwrap().patterns.len(), 10);
    })
    .await;
}

#[tokio::test]
async fn a_key_opens_until_it_ends_or_is_revoked() {
    on_both(async |address| {
        let store = open(&address).await;
        let key = |hash: &[u8], expires_at| NewKey {
            hash: hash.to_vec(),
            tenant: "north".into(),
            user: Some("ann".into()),
            name: "report".into(),
            expires_at,
        };
        let id = store.add_key(key(b"\0one", None)).await.unwrap();
        store.add_key(key(b"two", Some(now() - 1))).await.unwrap();
        assert!(store.add_key(key(b"two", None)).await.is_err(), "a hash is kept once");
        let found = store.find_key(b"\0one").await.unwrap().unwrap();
        assert_eq!((found.id.as_str(), found.user.as_deref()), (id.as_str(), Some("ann")));
        assert_eq!(store.find_key(b"two").await.unwrap(), None, "it has ended");
        assert_eq!(store.find_key(b"\0").await.unwrap(), None);
        store.touch_key(&id).await.unwrap();
        assert!(store.find_key(b"\0one").await.unwrap().unwrap().last_used_at.is_some());
        assert!(store.revoke_key(&id).await.unwrap());
        assert!(!store.revoke_key(&id).await.unwrap());
        assert_eq!(store.find_key(b"\0one").await.unwrap(), None);
        let listed = store.list_keys().await.unwrap();
        assert_eq!(listed.iter().filter(|key| key.revoked_at.is_some()).count(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_ends_when_idle_too_old_signed_out_or_revoked() {
    on_both(async |address| {
        let store = open(&address).await;
        let add = async |hash: &[u8], key: Option<&str>, lifetime| {
            store.add_sign_in(hash, key, "north", Some("ann"), lifetime).await.unwrap();
        };
        let lives =
            async |hash: &[u8], idle| store.use_sign_in(hash, idle).await.unwrap().is_some();
        let key = NewKey {
            hash: b"key".to_vec(),
            tenant: "north".into(),
            user: None,
            name: "page".into(),
            expires_at: None,
        };
        let key = store.add_key(key).await.unwrap();
        add(b"used", None, MINUTE).await;
        add(b"old", None, Duration::ZERO).await;
        add(b"by key", Some(&key), MINUTE).await;
        let used = store.use_sign_in(b"used", MINUTE).await.unwrap().unwrap();
        assert_eq!((used.tenant.as_str(), used.user.as_deref()), ("north", Some("ann")));
        assert!(!lives(b"used", Duration::ZERO).await, "it was idle");
        assert!(!lives(b"old", MINUTE).await);
        assert!(lives(b"by key", MINUTE).await);
        store.revoke_key(&key).await.unwrap();
        assert!(!lives(b"by key", MINUTE).await);
        assert!(store.delete_sign_in(b"used").await.unwrap());
        assert!(!lives(b"used", MINUTE).await);
        store.sweep().await.unwrap();
        assert!(!store.delete_sign_in(b"old").await.unwrap(), "the sweep took it");
    })
    .await;
}

#[tokio::test]
async fn postgres_that_was_restarted_is_used_again() {
    let Some((cluster, address)) = cluster() else { return };
    let (store, anyone) = (open(&address).await, Identity::default());
    let id = insert(&store, &anyone, MINUTE).await;
    cluster.stop();
    assert!(store.find(&anyone, &id).await.is_err());
    assert!(store.ping().await.is_err());
    cluster.resume();
    assert!(store.find(&anyone, &id).await.unwrap().is_some());
}

#[tokio::test]
async fn a_full_disk_is_an_error_and_costs_nothing_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (store, anyone) = (open(&file(&folder)).await, Identity::default());
    let id = insert(&store, &anyone, MINUTE).await;
    store.query(Statement::new("PRAGMA max_page_count = 1", [])).await.unwrap();
    let full = store.insert(&anyone, "q".into(), "x".repeat(100_000), MINUTE).await;
    assert!(full.unwrap_err().to_string().contains("full"));
    assert!(store.find(&anyone, &id).await.unwrap().is_some());
}

#[tokio::test]
async fn a_file_that_is_no_store_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "not a database, but long enough to be read as one".repeat(40)).unwrap();
    let address = DatabaseAddress::new(path.to_str().unwrap());
    let error = Store::open(&address).await.unwrap_err().to_string();
    assert!(error.contains("notes.txt"), "{error}");
}

#[tokio::test]
async fn an_unreachable_server_is_named_without_its_password() {
    let address = DatabaseAddress::new("postgres://keeper:s3cr3t@127.0.0.1:1/store");
    let error = Store::open(&address).await.unwrap_err().to_string();
    assert!(error.contains("keeper@127.0.0.1:1") && !error.contains("s3cr3t"), "{error}");
}
