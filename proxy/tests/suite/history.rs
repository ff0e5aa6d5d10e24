//! History, changes, repeated requests, shared memory and statistics over HTTP, with both backends of the store.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Request;
use clap::Parser;
use serde_json::{Value, json};
use wherefore_proxy::access::Access;
use wherefore_proxy::config::Config;
use wherefore_proxy::identity::Identity;
use wherefore_proxy::questions::Questions;
use wherefore_proxy::state::AppState;

use crate::support::client::Answer;
use crate::support::{Client, Cluster, SHOP, SqliteFile};

const PERSON: &str = "someone-0123456789";

/// Runs a check with a store in SQLite and with one in PostgreSQL.
async fn on_both(more: &[&str], check: impl AsyncFn(&Client)) {
    let file = SqliteFile::new(SHOP);
    check(&Client::start(&file.config(more)).await).await;
    let Some(cluster) = Cluster::start() else { return };
    cluster.run("CREATE ROLE keeper LOGIN");
    cluster.run("CREATE SCHEMA keeper AUTHORIZATION keeper");
    let (store, database) = (cluster.url("keeper"), file.path.to_str().unwrap());
    let options = ["wherefore-proxy", "--store", &store, "--database", database];
    check(&Client::start(&Config::try_parse_from([&options, more].concat()).unwrap()).await).await;
}

/// A request as the authentication middleware would pass it on.
async fn send_as(client: &Client, user: &str, method: &str, path: &str, body: Value) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(format!("/api/v1/{path}"))
        .header("content-type", "application/json")
        .extension(Identity { tenant: "default".into(), user: Some(user.into()) });
    client.send(request.body(Body::from(body.to_string())).unwrap()).await
}

async fn post(client: &Client, path: &str, body: Value) -> Answer {
    client.post(&format!("/api/v1/{path}"), body.to_string()).await
}

fn recent() -> Value {
    json!({ "question": "show me recent orders", "today": "2024-04-01" })
}

/// An answer with the option whose label contains this text.
fn choice(asked: &Value, label: &str) -> Value {
    let question = &asked["questions"][0];
    let options = question["options"].as_array().unwrap();
    let option = options.iter().find(|option| option["label"].as_str().unwrap().contains(label));
    json!({
        "clarification_id": question["id"],
        "answer": { "type": "option", "option_id": option.unwrap()["id"] },
    })
}

// Promise: history.first-round
#[tokio::test]
async fn a_question_is_in_the_history_from_its_first_round_on() {
    on_both(&[], async |client| {
        let asked = post(client, "query", recent()).await.ok(202);
        let path = format!("/api/v1/history/{}", asked["id"].as_str().unwrap());
        let waiting = client.get(&path).await.ok(200);
        assert_eq!(waiting["status"], "pending_clarification");
        assert_eq!(waiting["thread_id"], asked["thread_id"]);
        let answer = json!({
            "clarification_id": asked["clarification_id"], "answers": [choice(&asked, "90")],
        });
        let answered = post(client, "query/clarify", answer).await.ok(200);
        assert_eq!((&answered["id"], &answered["thread_id"]), (&asked["id"], &asked["thread_id"]));
        let past = client.get(&path).await.ok(200);
        assert_eq!(past["status"], "completed");
        assert_eq!(past["outcome"], "answered");
        assert_eq!(past["sql"], answered["view"]["sql"]);
        assert_eq!(past["rounds"], 1);
        assert_eq!(past["row_count"], 4);
        let decided = &past["clarifications"][0];
        assert_eq!((&decided["phrase"], &decided["source"]), (&json!("recent"), &json!("user")));
        let next = json!({
            "question": "how many customers are there", "thread_id": asked["thread_id"],
        });
        assert_eq!(post(client, "query", next).await.ok(200)["thread_id"], asked["thread_id"]);
        let page = client.get("/api/v1/history?limit=1").await.ok(200);
        assert_eq!(page["questions"][0]["question"], "how many customers are there");
        let next = page["next"].as_str().unwrap();
        let rest = client.get(&format!("/api/v1/history?before={next}")).await.ok(200);
        assert_eq!(rest["questions"], json!([past]));
        assert_eq!(rest["next"], Value::Null);
        assert_eq!(client.delete(&path).await.status, 204);
        client.get(&path).await.problem(404, "unknown_question");
        client.delete(&path).await.problem(404, "unknown_question");
        assert_eq!(client.delete("/api/v1/history").await.status, 204);
        assert_eq!(client.get("/api/v1/history").await.ok(200)["questions"], json!([]));
    })
    .await;
}

#[tokio::test]
async fn a_thread_alone_is_enough_to_go_on() {
    on_both(&[], async |client| {
        let counted = json!({ "question": "how many customers are in Brazil" });
        let counted = post(client, "query", counted).await.ok(200);
        let further = json!({ "question": "and in Norway?", "thread_id": counted["thread_id"] });
        let further = post(client, "query", further).await.ok(200);
        let sql = further["view"]["sql"].as_str().unwrap();
        assert!(sql.contains("count") && sql.contains("'Norway'"), "{sql}");
        let all = json!({ "question": "how many customers are there" });
        let all = post(client, "query", all).await.ok(200);
        let corrected = json!({ "question": "no, I meant orders", "thread_id": all["thread_id"] });
        let corrected = post(client, "query", corrected).await.ok(200);
        let sql = corrected["view"]["sql"].as_str().unwrap();
        assert!(sql.contains("orders"), "{sql}");
    })
    .await;
}

#[tokio::test]
async fn bad_pages_threads_and_days_are_refused() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    client.get("/api/v1/history?limit=201").await.problem(422, "invalid_limit");
    client.get("/api/v1/history?limit=0").await.problem(422, "invalid_limit");
    client.get("/api/v1/history?before=yesterday").await.problem(422, "invalid_cursor");
    client.get("/api/v1/history?other=1").await.problem(400, "invalid_request");
    client.get("/api/v1/figures?from=yesterday").await.problem(422, "invalid_date");
    let body = json!({ "question": "how many customers", "thread_id": "thr_0" });
    post(&client, "query", body).await.problem(404, "unknown_thread");
    let body = json!({ "answer": choice_of("c", "o") });
    post(&client, "query/change", body).await.problem(400, "invalid_request");
    let body = json!({ "id": "q_0", "answer": choice_of("c", "o") });
    post(&client, "query/change", body).await.problem(404, "unknown_question");
}

fn choice_of(clarification: &str, option: &str) -> Value {
    json!({
        "clarification_id": clarification, "answer": { "type": "option", "option_id": option },
    })
}

// Promise: history.own
#[tokio::test]
async fn nobody_meets_what_another_user_asked() {
    on_both(&[], async |client| {
        let asked = send_as(client, "ann", "POST", "query", recent()).await.ok(202);
        let answer = json!({
            "clarification_id": asked["clarification_id"], "answers": [choice(&asked, "90")],
        });
        let path = format!("history/{}", asked["id"].as_str().unwrap());
        let unknown = json!({
            "clarification_id": "clf_00000000000000000000000000000000",
            "answers": [choice(&asked, "90")],
        });
        let mut theirs = send_as(client, "bob", "POST", "query/clarify", answer.clone())
            .await
            .problem(404, "unknown_clarification");
        let mut none = send_as(client, "bob", "POST", "query/clarify", unknown)
            .await
            .problem(404, "unknown_clarification");
        theirs["request_id"].take();
        none["request_id"].take();
        assert_eq!(theirs, none, "an id of another user is answered as one that never was");
        send_as(client, "bob", "GET", &path, json!({})).await.problem(404, "unknown_question");
        send_as(client, "bob", "DELETE", &path, json!({})).await.problem(404, "unknown_question");
        client.get(&format!("/api/v1/{path}")).await.problem(404, "unknown_question");
        let thread = json!({ "question": "how many customers", "thread_id": asked["thread_id"] });
        send_as(client, "bob", "POST", "query", thread).await.problem(404, "unknown_thread");
        let answered = send_as(client, "ann", "POST", "query/clarify", answer).await.ok(200);
        let change = json!({ "id": asked["id"], "answer": choice(&asked, "7 ") });
        send_as(client, "bob", "POST", "query/change", change)
            .await
            .problem(404, "unknown_question");
        let mark = json!({
            "id": asked["id"], "about": asked["questions"][0]["id"], "mark": "helpful",
        });
        send_as(client, "bob", "POST", "query/mark", mark)
            .await
            .problem(404, "unknown_clarification");
        let own = send_as(client, "ann", "GET", &path, json!({})).await.ok(200);
        assert_eq!(own["sql"], answered["view"]["sql"]);
    })
    .await;
}

#[tokio::test]
async fn tenants_that_ask_at_once_meet_nothing_of_each_other() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&["--shared-memory"])).await;
    let source = client.state.sources.get("default").unwrap();
    let tenants = ["north", "south"];
    let sources = tenants.map(|tenant| (tenant.to_owned(), source.clone()));
    let mut questions = Questions::new(client.state.store.clone());
    questions.shared_memory = true;
    let sources: BTreeMap<_, _> = sources.into();
    let client = client.with_state(AppState::new(Access::default(), sources, questions));
    let send = async |tenant: &str, method: &str, path: &str, body: Value| {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1/{path}"))
            .header("content-type", "application/json")
            .extension(Identity { tenant: tenant.into(), user: Some("ann".into()) });
        client.send(request.body(Body::from(body.to_string())).unwrap()).await
    };
    let dialogues = tenants.map(|tenant| {
        let send = &send;
        async move {
            for number in 0..5 {
                let mut body = recent();
                body["question"] = json!(format!("show me recent orders {tenant}"));
                body["skip_clarification"] = json!(true);
                body["id"] = json!(format!("request-0123456789-{number}"));
                send(tenant, "POST", "query", body).await.ok(200);
                let asked = send(tenant, "POST", "query", recent()).await;
                if asked.status == 202 {
                    let asked = asked.json();
                    let answer = json!({
                        "clarification_id": asked["clarification_id"],
                        "answers": [choice(&asked, if tenant == "north" { "90" } else { "30" })],
                        "remember": [asked["questions"][0]["id"]],
                        "everyone": number % 2 == 0,
                    });
                    send(tenant, "POST", "query/clarify", answer).await.ok(200);
                }
            }
        }
    });
    futures_util::future::join_all(dialogues).await;
    for (tenant, other, days) in [("north", "south", "90 days"), ("south", "north", "30 days")] {
        let history = send(tenant, "GET", "history", json!({})).await;
        assert_eq!(history.json()["questions"].as_array().unwrap().len(), 10);
        assert!(history.text.contains(tenant) && !history.text.contains(other));
        let memory = send(tenant, "GET", "memory", json!({})).await.ok(200);
        let meanings = memory["patterns"].as_array().unwrap();
        assert!(!meanings.is_empty());
        let own = format!("the last {days}");
        assert!(meanings.iter().all(|pattern| pattern["meaning"] == own), "{memory}");
        let figures = send(tenant, "GET", "figures", json!({})).await.ok(200);
        assert_eq!(figures["all"]["questions"], 10);
    }
}

#[tokio::test]
async fn a_known_user_is_me_and_nobody_else() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let asked = send_as(&client, "ann", "POST", "query", recent()).await.ok(202);
    let answer = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [choice(&asked, "90")],
        "remember": [asked["questions"][0]["id"]],
    });
    send_as(&client, "ann", "POST", "query/clarify", answer).await.ok(200);
    let memory = send_as(&client, "ann", "GET", "memory/me", json!({})).await.ok(200);
    assert_eq!(memory["patterns"][0]["meaning"], "the last 90 days");
    let other = send_as(&client, "bob", "GET", "memory/me", json!({})).await.ok(200);
    assert_eq!(other["patterns"], json!([]));
    let path = format!("memory/{PERSON}");
    send_as(&client, "ann", "GET", &path, json!({})).await.problem(403, "other_person");
    let named = json!({ "question": "how many customers", "person": PERSON });
    send_as(&client, "ann", "POST", "query", named).await.problem(403, "other_person");
    client.get("/api/v1/memory/me").await.problem(403, "other_person");
}

#[tokio::test]
async fn deleting_a_question_deletes_its_latest_answer() {
    on_both(&[], async |client| {
        let [kept, gone] = [0, 1].map(|_| post(client, "query", recent()));
        let (kept, gone) = (kept.await.ok(202), gone.await.ok(202));
        let path = |asked: &Value| format!("/api/v1/query/{}", asked["id"].as_str().unwrap());
        assert_eq!(client.get(&path(&gone)).await.ok(202), gone);
        let past = format!("/api/v1/history/{}", gone["id"].as_str().unwrap());
        assert_eq!(client.delete(&past).await.status, 204);
        client.get(&path(&gone)).await.problem(404, "unknown_question");
        client.get(&path(&kept)).await.ok(202);
    })
    .await;
}

// Promise: memory.changed-answers
#[tokio::test]
async fn an_answer_is_changed_after_the_rows() {
    on_both(&[], async |client| {
        let asked = post(client, "query", recent()).await.ok(202);
        let answer = json!({
            "clarification_id": asked["clarification_id"], "answers": [choice(&asked, "90")],
        });
        let first = post(client, "query/clarify", answer).await.ok(200);
        let change = json!({
            "clarification_id": asked["clarification_id"], "answer": choice(&asked, "30"),
        });
        let changed = post(client, "query/change", change).await.ok(200);
        assert_eq!(changed["id"], first["id"]);
        assert_ne!(changed["view"]["sql"], first["view"]["sql"]);
        assert_ne!(changed["view"]["result"]["rows"], first["view"]["result"]["rows"]);
        let path = format!("/api/v1/history/{}", first["id"].as_str().unwrap());
        assert_eq!(client.get(&path).await.ok(200)["sql"], changed["view"]["sql"]);
        let change = json!({ "id": first["id"], "answer": choice(&asked, "90") });
        let back = post(client, "query/change", change).await.ok(200);
        assert_eq!(back["view"]["result"]["rows"], first["view"]["result"]["rows"]);
        let change = json!({ "id": first["id"], "answer": choice_of("nothing", "a") });
        post(client, "query/change", change).await.problem(422, "unknown_clarification");
    })
    .await;
}

#[tokio::test]
async fn a_repeated_request_gets_the_same_answer_and_runs_once() {
    on_both(&[], async |client| {
        let with_id = |id: &str| {
            let mut body = recent();
            body["id"] = json!(id);
            body
        };
        let id = "request-0123456789";
        let first = post(client, "query", with_id(id)).await.ok(202);
        for _ in 0..3 {
            assert_eq!(post(client, "query", with_id(id)).await.ok(202), first);
        }
        let history = client.get("/api/v1/history").await.ok(200);
        assert_eq!(history["questions"].as_array().unwrap().len(), 1);
        let mut other = with_id(id);
        other["question"] = json!("how many customers");
        post(client, "query", other).await.problem(422, "id_reused");
        post(client, "query", with_id("short")).await.problem(422, "invalid_id");
        let theirs = send_as(client, "ann", "POST", "query", with_id(id)).await.ok(202);
        assert_ne!(theirs["clarification_id"], first["clarification_id"]);
        let at_once = (0..8).map(|_| post(client, "query", with_id("request-at-once-1")));
        let mut answered = Vec::new();
        for answer in futures_util::future::join_all(at_once).await {
            if answer.status == 202 {
                answered.push(answer.json()["id"].clone());
            } else {
                assert!(answer.headers.contains_key("retry-after"));
                answer.problem(409, "in_progress");
            }
        }
        answered.dedup();
        assert_eq!(answered.len(), 1, "it ran once");
        let refused = json!({ "question": "?!", "id": "request-refused-1" });
        let problem = post(client, "query", refused.clone()).await.problem(422, "question_empty");
        let again = post(client, "query", refused).await.problem(422, "question_empty");
        assert_eq!(problem, again);
    })
    .await;
}

#[tokio::test]
async fn a_request_that_failed_for_now_is_run_again() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    let away = file.folder.path().join("away");
    std::fs::rename(&file.path, &away).unwrap();
    let body = json!({ "question": "how many customers", "id": "request-0123456789" });
    post(&client, "query", body.clone()).await.problem(503, "database_unavailable");
    std::fs::rename(&away, &file.path).unwrap();
    post(&client, "query", body).await.ok(200);
}

// Promise: memory.for-everyone
#[tokio::test]
async fn what_is_remembered_for_everyone_holds_for_others() {
    on_both(&["--shared-memory"], async |client| {
        let asked = send_as(client, "ann", "POST", "query", recent()).await.ok(202);
        let answer = json!({
            "clarification_id": asked["clarification_id"],
            "answers": [choice(&asked, "90")],
            "remember": [asked["questions"][0]["id"]],
            "everyone": true,
        });
        send_as(client, "ann", "POST", "query/clarify", answer).await.ok(200);
        let answered = send_as(client, "bob", "POST", "query", recent()).await.ok(200);
        assert_eq!(answered["view"]["assumptions"][0]["source"], "memory");
        let memory = client.get("/api/v1/memory").await.ok(200);
        assert_eq!(memory["patterns"][0]["scope"], "data_source");
        let own = send_as(client, "ann", "GET", "memory/me", json!({})).await.ok(200);
        assert_eq!(own["patterns"], json!([]));
        let id = memory["patterns"][0]["id"].as_str().unwrap();
        assert_eq!(client.delete(&format!("/api/v1/memory/everyone/{id}")).await.status, 204);
        send_as(client, "bob", "POST", "query", recent()).await.ok(202);
        let put = client.put("/api/v1/memory", memory.to_string()).await.ok(200);
        assert_eq!(put, memory);
        send_as(client, "bob", "POST", "query", recent()).await.ok(200);
        assert_eq!(client.delete("/api/v1/memory").await.status, 204);
        send_as(client, "bob", "POST", "query", recent()).await.ok(202);
    })
    .await;
}

// Promise: memory.for-everyone
#[tokio::test]
async fn nothing_is_remembered_for_everyone_unless_it_is_allowed() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&[])).await;
    client.get("/api/v1/memory").await.problem(403, "shared_memory_off");
    let asked = client.ask("show me recent orders").await.ok(202);
    let answer = json!({
        "clarification_id": asked["clarification_id"],
        "answers": [choice(&asked, "90")],
        "remember": [asked["questions"][0]["id"]],
        "everyone": true,
    });
    post(&client, "query/clarify", answer).await.problem(403, "shared_memory_off");
}

// Promise: history.figures
// Promise: http.marks
#[tokio::test]
async fn figures_follow_what_was_asked_and_marked() {
    on_both(&[], async |client| {
        let asked = post(client, "query", recent()).await.ok(202);
        let about = &asked["questions"][0]["id"];
        let answer = json!({
            "clarification_id": asked["clarification_id"], "answers": [choice(&asked, "90")],
        });
        post(client, "query/clarify", answer).await.ok(200);
        client.ask("how many customers are there").await.ok(200);
        let mark = json!({ "id": asked["id"], "about": about, "mark": "needless" });
        assert_eq!(post(client, "query/mark", mark).await.status, 204);
        let figures = client.get("/api/v1/figures").await.ok(200);
        let all = &figures["all"];
        assert_eq!((&all["questions"], &all["asked_back"]), (&json!(2), &json!(0.5)));
        assert_eq!(all["success_after_clarification"], 1.0);
        let most = json!({
            "ambiguity": "vague_term", "phrase": "recent", "asked": 1, "helpful": 0, "needless": 1,
        });
        assert_eq!(all["ambiguities"], json!([most]));
        assert_eq!(all["choices"][0]["choice"], "90_days");
        assert_eq!(figures["variants"], json!([]));
        let before = client.get("/api/v1/figures?from=2001-01-01&to=2001-12-31").await.ok(200);
        assert_eq!(before["all"]["questions"], 0);
    })
    .await;
}

// Promise: asking.off-for-a-variant
// Promise: history.by-variant
#[tokio::test]
async fn users_of_an_experiment_have_its_settings_and_their_figures_stand_apart() {
    let file = SqliteFile::new(SHOP);
    let experiment = "name = 'asking'\n[[variants]]\nname = 'never'\nshare = 1\n\
         settings = { enable_clarification = false }\n";
    let path = file.file("experiment.toml", experiment);
    let client = Client::start(&file.config(&["--experiments", path.to_str().unwrap()])).await;
    send_as(&client, "ann", "POST", "query", recent()).await.ok(200);
    post(&client, "query", recent()).await.ok(202);
    let figures = client.get("/api/v1/figures").await.ok(200);
    assert_eq!(figures["all"]["asked_back"], 0.5);
    let [never] = figures["variants"].as_array().unwrap().as_slice() else { panic!("{figures}") };
    assert_eq!(never["variant"], "never");
    let own = &never["figures"];
    assert_eq!((&own["questions"], &own["asked_back"]), (&json!(1), &json!(0.0)));
}

// Promise: history.not-kept
#[tokio::test]
async fn no_history_is_kept_where_none_is_wanted() {
    let file = SqliteFile::new(SHOP);
    let client = Client::start(&file.config(&["--history-days", "0"])).await;
    let asked = post(&client, "query", recent()).await.ok(202);
    let answer = json!({
        "clarification_id": asked["clarification_id"], "answers": [choice(&asked, "90")],
    });
    post(&client, "query/clarify", answer).await.ok(200);
    assert_eq!(client.get("/api/v1/history").await.ok(200)["questions"], json!([]));
    let figures = client.get("/api/v1/figures").await.ok(200);
    assert_eq!(figures["all"]["questions"], 1);
    assert_eq!(figures["all"]["ambiguities"][0]["phrase"], Value::Null);
}

/// Asks an earlier question again: its texts in a thread, then its corrections.
async fn ask_again(client: &Client, past: &Value) -> Value {
    let mut thread = Value::Null;
    let mut answer = Value::Null;
    for text in past["said"].as_array().unwrap() {
        let body = json!({ "question": text, "thread_id": thread, "today": "2024-04-01" });
        answer = post(client, "query", body).await.ok(200);
        thread = answer["thread_id"].clone();
    }
    for correction in past["corrections"].as_array().unwrap() {
        let body = json!({ "id": answer["id"], "correction": correction });
        answer = post(client, "query/correct", body).await.ok(200);
    }
    answer
}

// Promise: history.corrections
#[tokio::test]
async fn a_corrected_question_of_the_history_leads_to_the_corrected_statement_again() {
    on_both(&[], async |client| {
        for (question, corrections) in [
            ("how many customers are there", ["no, I meant orders", ""]),
            ("how many orders in 2023", ["no, I meant 2024", ""]),
            ("how many orders in 2023", ["no, I meant 2024", "no, I meant 2022"]),
        ] {
            let body = json!({ "question": question, "today": "2024-04-01" });
            let first = post(client, "query", body).await.ok(200);
            let mut corrected = first.clone();
            for text in corrections.iter().filter(|text| !text.is_empty()) {
                let correction = json!({ "type": "text", "text": text });
                let body = json!({ "id": first["id"], "correction": correction });
                corrected = post(client, "query/correct", body).await.ok(200);
            }
            assert_ne!(corrected["view"]["sql"], first["view"]["sql"], "{question}");
            let id = first["id"].as_str().unwrap();
            let past = client.get(&format!("/api/v1/history/{id}")).await.ok(200);
            assert_eq!(past["question"], question);
            assert_eq!(past["sql"], corrected["view"]["sql"]);
            let again = ask_again(client, &past).await;
            assert_eq!(again["view"]["sql"], corrected["view"]["sql"], "{past}");
        }
    })
    .await;
}
