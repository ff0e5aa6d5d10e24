//! API keys and sign-ins.

use super::*;

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
        store.sweep(90).await.unwrap();
        assert!(!store.delete_sign_in(b"old").await.unwrap(), "the sweep took it");
    })
    .await;
}
