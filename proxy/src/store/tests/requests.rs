//! Responses of requests with an id, and memory.

use super::*;

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
async fn the_latest_reply_is_that_of_the_request_it_refers_to_until_that_expires() {
    on_both(async |address| {
        let (store, anyone) = (open(&address).await, Identity::default());
        assert_eq!(store.latest(&anyone, "q_1").await.unwrap(), None);
        let round = RequestKey::of_session(&anyone, "clf_1".to_owned());
        let latest = RequestKey::of_question(&anyone, "q_1");
        let reference = KeptAnswer::reference(&round);
        store.put_latest(&latest, reference, MINUTE, Placing::Anew).await.unwrap();
        store.begin_round(&round, b"a").await.unwrap();
        assert_eq!(store.latest(&anyone, "q_1").await.unwrap(), Some(Asked::Running));
        let answer =
            KeptAnswer { status: 200, content_type: "application/json".into(), body: "{}".into() };
        store.answer(&round, answer.clone(), MINUTE).await.unwrap();
        assert_eq!(store.latest(&anyone, "q_1").await.unwrap(), Some(Asked::Answered(answer)));
        store.forget_request(&round).await.unwrap();
        assert_eq!(store.latest(&anyone, "q_1").await.unwrap(), Some(Asked::Lost));
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
