//! Tests of the store, which run on both backends.

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
        clarifications: "[]".into(),
        sql: None,
        outcome: "needs_clarification".into(),
        problem: None,
        rounds: 1,
        row_count: None,
        working_ms: 5,
        asked_at: milliseconds(),
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

#[tokio::test]
async fn a_session_is_answered_once() {
    on_both(async |address| {
        let (store, anyone) = (open(&address).await, Identity::default());
        let id = insert(&store, &anyone, MINUTE).await;
        let found = store.find(&anyone, &id).await.unwrap();
        assert!(matches!(found, Some(StoredSession::Open(_))), "{found:?}");
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
        store.sweep(90).await.unwrap();
        assert_eq!(store.find(&anyone, &id).await.unwrap(), expired);
    })
    .await;
}

#[tokio::test]
async fn an_answered_question_is_found_to_be_changed_by_its_id_and_by_what_it_waited_under() {
    on_both(async |address| {
        let store = open(&address).await;
        let (ann, bob) = (caller("north", Some("ann")), caller("north", Some("bob")));
        let record = asked(&ann, "clf_1", MINUTE);
        store.keep(record.clone()).await.unwrap();
        assert_eq!(store.find_completed(&ann, "clf_1").await.unwrap(), None);
        assert!(store.claim("clf_1").await.unwrap());
        store.keep(answered(&record)).await.unwrap();
        for id in ["clf_1", &record.id] {
            let found = store.find_completed(&ann, id).await.unwrap();
            let Some(StoredSession::Open(found)) = found else { panic!("{id}: {found:?}") };
            assert_eq!(found.question_id, record.id);
            assert_eq!(store.find_completed(&bob, id).await.unwrap(), None);
        }
        assert_eq!(store.find(&ann, &record.id).await.unwrap(), None, "it waits for nothing");
    })
    .await;
}

#[tokio::test]
async fn an_answer_whose_proxy_has_gone_can_be_given_again() {
    on_both(async |address| {
        let (store, anyone) = (open(&address).await, Identity::default());
        let record = asked(&anyone, "clf_1", MINUTE);
        store.keep(record.clone()).await.unwrap();
        let is_open = async || {
            let found = store.find(&anyone, "clf_1").await.unwrap();
            matches!(found, Some(StoredSession::Open(_)))
        };
        let gone = async || {
            let lapsed = Statement::new("UPDATE sessions SET held_until = 0", []);
            store.change_one(lapsed).await.unwrap();
        };
        assert!(store.claim("clf_1").await.unwrap());
        assert!(!is_open().await);
        gone().await;
        store.hold_claim("clf_1").await.unwrap();
        assert!(!is_open().await, "it is held");
        gone().await;
        assert!(is_open().await);
        assert!(store.claim("clf_1").await.unwrap());
        assert!(!store.claim("clf_1").await.unwrap());
        store.keep(answered(&record)).await.unwrap();
        gone().await;
        assert!(!is_open().await, "there is an outcome");
        assert!(!store.claim("clf_1").await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn an_answer_whose_proxy_has_gone_can_be_cancelled() {
    on_both(async |address| {
        let (store, anyone) = (open(&address).await, Identity::default());
        store.keep(asked(&anyone, "clf_1", MINUTE)).await.unwrap();
        assert!(store.claim("clf_1").await.unwrap());
        let running = store.close(&anyone, "clf_1").await.unwrap().unwrap();
        assert_eq!(running, Closed { abandoned: 0, running: vec!["clf_1".to_owned()] });
        let lapsed = Statement::new("UPDATE sessions SET held_until = 0", []);
        store.change_one(lapsed).await.unwrap();
        let closed = store.close(&anyone, "clf_1").await.unwrap().unwrap();
        assert_eq!(closed, Closed { abandoned: 1, running: Vec::new() });
        assert!(!store.claim("clf_1").await.unwrap(), "it waits no more");
        let found = store.find(&anyone, "clf_1").await.unwrap();
        assert!(matches!(found, Some(StoredSession::Expired { .. })), "{found:?}");
    })
    .await;
}

#[tokio::test]
async fn a_cancellation_does_not_outlive_the_attempt_that_it_was_for() {
    on_both(async |address| {
        let store = open(&address).await;
        let key = RequestKey::of_session(&Identity::default(), "clf_1".to_owned());
        store.mark_cancelled(&key).await.unwrap();
        store.begin_round(&key, b"a").await.unwrap();
        assert!(store.cancellations().await.unwrap().is_empty());
        store.mark_cancelled(&key).await.unwrap();
        assert_eq!(store.cancellations().await.unwrap().len(), 1);
        store.forget_request(&key).await.unwrap();
        assert!(store.cancellations().await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_response_of_a_question_that_waits_outlives_the_wait_by_two_days() {
    on_both(async |address| {
        let store = open(&address).await;
        let key = RequestKey::of_session(&Identity::default(), "request-0123456789".to_owned());
        let (week, day) = (Duration::from_hours(7 * 24), Duration::from_hours(24));
        for (status, most) in [(202, week + 2 * day), (200, day)] {
            store.begin_round(&key, b"a").await.unwrap();
            let body = KeptAnswer { status, content_type: "a/b".into(), body: "{}".into() };
            store.answer(&key, body, week).await.unwrap();
            let kept = Statement::new("SELECT expires_at FROM requests", []);
            let mut row = store.query_one(kept).await.unwrap().unwrap();
            let left = row.integer(0).unwrap() - now();
            let most = seconds(most);
            assert!((most - 60..=most).contains(&left), "{status}: {left} s");
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_runs_once_and_its_answer_is_repeated() {
    on_both(async |address| {
        let store = open(&address).await;
        let key = |owner: &str| RequestKey {
            tenant: "north".into(),
            owner: owner.into(),
            id: "request-0123456789".into(),
        };
        let ann = key("ann");
        assert_eq!(store.begin(&ann, b"a").await.unwrap(), Begun::Mine);
        assert_eq!(store.begin(&ann, b"a").await.unwrap(), Begun::Running);
        assert_eq!(store.begin(&ann, b"b").await.unwrap(), Begun::Other);
        assert_eq!(store.begin(&key("bob"), b"b").await.unwrap(), Begun::Mine);
        let answer =
            KeptAnswer { status: 202, content_type: "application/json".into(), body: "{}".into() };
        store.answer(&ann, answer.clone(), MINUTE).await.unwrap();
        assert_eq!(store.begin(&ann, b"a").await.unwrap(), Begun::Answered(answer));
        store.forget_request(&ann).await.unwrap();
        assert_eq!(store.begin(&ann, b"b").await.unwrap(), Begun::Mine);
        let gone = Statement::new("UPDATE requests SET held_until = 0", []);
        store.change_one(gone).await.unwrap();
        assert_eq!(store.begin(&ann, b"b").await.unwrap(), Begun::Mine, "its proxy has gone");
        let over = Statement::new("UPDATE requests SET expires_at = 0", []);
        store.change_one(over).await.unwrap();
        store.sweep(90).await.unwrap();
        assert_eq!(store.begin(&ann, b"c").await.unwrap(), Begun::Mine, "a day has passed");
    })
    .await;
}

#[tokio::test]
async fn history_is_the_owners_in_pages_and_can_be_forgotten() {
    on_both(async |address| {
        let store = open(&address).await;
        let ann = caller("north", Some("ann"));
        for turn in 0..5 {
            let asked_at = 1_000 + turn / 2;
            let record = Record { asked_at, ..asked(&ann, &format!("clf_{turn}"), MINUTE) };
            store.keep(record).await.unwrap();
        }
        let owner = Owner { tenant: "north", name: "ann" };
        let (mut seen, mut before) = (Vec::new(), None);
        loop {
            let page = store.history(owner, 2, before.take()).await.unwrap();
            let Some(last) = page.last() else { break };
            before = Some(Cursor { asked_at: last.asked_at, id: last.id.clone() });
            seen.extend(page);
        }
        assert_eq!(seen.len(), 5);
        assert!(seen.is_sorted_by(|a, b| (a.asked_at, &a.id) > (b.asked_at, &b.id)));
        assert_eq!(seen[0].status, "pending_clarification");
        for other in [("south", "ann"), ("north", "bob"), ("north", "")] {
            let other = Owner { tenant: other.0, name: other.1 };
            assert!(store.history(other, 10, None).await.unwrap().is_empty());
            assert!(store.past_question(other, &seen[0].id).await.unwrap().is_none());
            assert_eq!(store.forget_history(other, Some(&seen[0].id)).await.unwrap(), 0);
        }
        assert_eq!(store.forget_history(owner, Some(&seen[0].id)).await.unwrap(), 1);
        assert!(store.past_question(owner, &seen[0].id).await.unwrap().is_none());
        assert!(store.past_question(owner, &seen[1].id).await.unwrap().is_some());
        assert_eq!(store.forget_history(owner, None).await.unwrap(), 4);
        assert!(store.history(owner, 10, None).await.unwrap().is_empty());
        let left = "SELECT id FROM questions WHERE question <> '' OR owner <> '' UNION \
             SELECT question_id FROM ambiguities WHERE phrase <> '' UNION SELECT id FROM sessions";
        assert!(store.query(Statement::new(left, [])).await.unwrap().is_empty());
    })
    .await;
}

#[tokio::test]
async fn history_past_its_days_is_swept_and_no_days_empty_it() {
    on_both(async |address| {
        let (store, ann) = (open(&address).await, caller("north", Some("ann")));
        let day = 86_400_000;
        for (turn, age) in [0, 5, 20].into_iter().enumerate() {
            let asked_at = milliseconds() - age * day;
            let record = Record { asked_at, ..asked(&ann, &format!("clf_{turn}"), MINUTE) };
            store.keep(record).await.unwrap();
        }
        let owner = Owner { tenant: "north", name: "ann" };
        store.sweep(10).await.unwrap();
        assert_eq!(store.history(owner, 10, None).await.unwrap().len(), 2);
        store.sweep(0).await.unwrap();
        assert!(store.history(owner, 10, None).await.unwrap().is_empty());
        let period = Period { tenant: "north", from: 0, to: i64::MAX };
        assert_eq!(store.figures(period, None).await.unwrap().questions, 2);
    })
    .await;
}

#[tokio::test]
async fn figures_count_what_was_asked_answered_abandoned_repeated_and_marked() {
    on_both(async |address| {
        let (store, ann) = (open(&address).await, caller("north", Some("ann")));
        let start = milliseconds() - 10_000;
        // Two questions of one user with the same clarification, answered after 10 and 9 s; one abandoned; one without.
        for (turn, asked_at) in [start, start + 1_000].into_iter().enumerate() {
            let session = format!("clf_{turn}");
            let record = Record { asked_at, ..asked(&ann, &session, MINUTE) };
            store.keep(record.clone()).await.unwrap();
            tokio::time::sleep(Duration::from_millis(3)).await;
            store.keep(answered(&record)).await.unwrap();
            if turn == 0 {
                assert!(store.mark(&ann, &session, "c_1", Mark::Needless).await.unwrap());
                assert!(!store.mark(&ann, &session, "c_2", Mark::Helpful).await.unwrap());
                let bob = caller("north", Some("bob"));
                assert!(!store.mark(&bob, &session, "c_1", Mark::Helpful).await.unwrap());
            }
        }
        let nobody = caller("north", None);
        store.keep(asked(&nobody, "clf_late", Duration::ZERO)).await.unwrap();
        store.sweep(90).await.unwrap();
        let clear = Record {
            rounds: 0,
            variant: "few".into(),
            ambiguities: vec![Ambiguity {
                source: Some("memory".into()),
                ..place(false, Some("7_days"))
            }],
            session: None,
            ..answered(&asked(&nobody, "", MINUTE))
        };
        store.keep(clear).await.unwrap();
        let other = caller("south", Some("ann"));
        store.keep(asked(&other, "clf_south", MINUTE)).await.unwrap();
        let period = Period { tenant: "north", from: 0, to: i64::MAX };
        let figures = store.figures(period, None).await.unwrap();
        assert_eq!(figures.questions, 4);
        assert_eq!(figures.asked_back, Some(0.75));
        assert_eq!(figures.from_memory, Some(0.25));
        assert_eq!(figures.abandoned, Some(1.0 / 3.0));
        assert_eq!(figures.repeated, Some(0.5));
        assert_eq!(figures.rounds, Some(1.0));
        assert_eq!(figures.success_after_clarification, Some(1.0));
        let median = figures.median_ms.unwrap();
        assert!((9_000..60_000).contains(&median), "{median}");
        let [most] = figures.ambiguities.as_slice() else { panic!("{figures:?}") };
        assert_eq!((most.phrase.as_deref(), most.asked, most.needless), (Some("recent"), 3, 1));
        let [choice] = figures.choices.as_slice() else { panic!("{figures:?}") };
        assert_eq!((choice.choice.as_str(), choice.count), ("7_days", 2));
        assert_eq!(store.variants(period).await.unwrap(), ["few"]);
        let few = store.figures(period, Some("few")).await.unwrap();
        assert_eq!((few.questions, few.asked_back, few.abandoned), (1, Some(0.0), None));
        let none = store.figures(Period { to: start, ..period }, None).await.unwrap();
        assert_eq!(none, Figures::default());
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
        store.sweep(90).await.unwrap();
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
