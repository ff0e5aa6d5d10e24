//! Stores that are opened concurrently, replaced, full or unavailable.

use super::*;

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
    let large = Record { question: "x".repeat(100_000), ..asked(&anyone, "clf_2", MINUTE) };
    let full = store.keep(large).await;
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
