//! History and figures.

use super::*;

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

// Promise: history.effort
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
                let marked =
                    store.mark(&ann, (&session, ""), "c_1", Mark::Needless).await.unwrap().unwrap();
                assert_eq!((marked.changed, marked.phrase.as_str()), (true, "recent"));
                let again = store.mark(&ann, (&session, ""), "c_1", Mark::Needless).await.unwrap();
                assert!(!again.unwrap().changed);
                let unknown = store.mark(&ann, (&session, ""), "c_2", Mark::Helpful).await.unwrap();
                assert_eq!(unknown, None);
                let bob = caller("north", Some("bob"));
                let of_bob = store.mark(&bob, (&session, ""), "c_1", Mark::Helpful).await.unwrap();
                assert_eq!(of_bob, None);
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
        let effort = &figures.effort;
        assert_eq!(
            effort.tokens_with_clarification,
            Some(50.0),
            "two rounds of 30 and one, for three"
        );
        assert_eq!(effort.tokens_without_clarification, Some(30.0));
        assert_eq!(effort.median_answer_ms, Some(5));
        assert_eq!((effort.patterns.learned, effort.patterns.reused), (1, 1));
        assert_eq!(effort.patterns.success, Some(1.0));
        let all = effort.days.iter().fold((0, 0, 0, 0), |sum, day| {
            let (questions, asked, memory, answered) = sum;
            let more = (day.questions, day.asked_back, day.from_memory, day.answered);
            (questions + more.0, asked + more.1, memory + more.2, answered + more.3)
        });
        assert_eq!(all, (4, 3, 1, 3));
        assert!(effort.days.is_sorted_by(|earlier, later| earlier.day < later.day));
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
