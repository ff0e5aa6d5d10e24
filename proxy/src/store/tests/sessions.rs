//! Sessions that wait, their answers and cancellations.

use super::*;

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
        assert_eq!(running, Closed { abandoned: Vec::new(), running: vec!["clf_1".to_owned()] });
        let lapsed = Statement::new("UPDATE sessions SET held_until = 0", []);
        store.change_one(lapsed).await.unwrap();
        let closed = store.close(&anyone, "clf_1").await.unwrap().unwrap();
        assert_eq!((closed.abandoned.len(), closed.running.len()), (1, 0));
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
