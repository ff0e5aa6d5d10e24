//! Rights of each caller: row-level security decides by claims of the token, and nothing of other rows reaches a caller.

use axum::http::header;
use proptest::prelude::{Just, Strategy};
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use wherefore_proxy::config::Config;

use crate::support::client::{Answer, execute_as};
use crate::support::restricted::{Restricted, bearer, configured, of_region, refusal, rows};
use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

/// Each stored text starts with its region and a tilde, which no question contains.
const VISITS: &str = "
    CREATE TABLE visits (id int PRIMARY KEY, region text NOT NULL, place text NOT NULL, paid int NOT NULL);
    INSERT INTO visits
    SELECT n, r || '~region', r || '~place~' || n % 7, n
    FROM generate_series(1, 90) AS n, LATERAL (SELECT (ARRAY['alder', 'birch', 'cedar'])[n % 3 + 1] AS r) AS x;
    ALTER TABLE visits ENABLE ROW LEVEL SECURITY;
    CREATE POLICY by_region ON visits
    USING (region = current_setting('wherefore.region', true) || '~region');
    ANALYZE visits;";

const REGIONS: [&str; 3] = ["alder", "birch", "cedar"];

const CLAIMS: &str = r#"claims = { region = { claim = "region", type = "text" } }"#;

/// What a caller does in the property test.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Ask(&'static str),
    AskOnce,
    Execute(&'static str),
    Get(&'static str),
}

const DEEDS: [Deed; 16] = [
    Deed::Ask("how many visits by region"),
    Deed::Ask("visits in alder"),
    Deed::Ask("visits with place birch place 1"),
    Deed::Ask("total paid by place"),
    Deed::AskOnce,
    Deed::Execute("SELECT id, region, place, paid FROM visits"),
    Deed::Execute("SELECT region, count(*) FROM visits GROUP BY region"),
    Deed::Execute("SELECT CAST(region AS integer) FROM visits"),
    Deed::Execute("SELECT paid FROM visits WHERE CAST(place AS integer) > 1"),
    Deed::Get("values?table=visits&column=region"),
    Deed::Get("values?table=visits&column=place&search=place"),
    Deed::Get("values?table=visits&column=place&search=cedar"),
    Deed::Get("catalog"),
    Deed::Get("choices"),
    Deed::Get("figures"),
    Deed::Get("history"),
];

/// Panics if a reply to a caller of this region holds a value of another, or if it fails otherwise than expected.
fn check_reply(region: &str, deed: Deed, answer: &Answer) {
    for other in REGIONS.iter().filter(|other| **other != region) {
        let value = format!("{other}~");
        assert!(!answer.text.contains(&value), "{region}, {deed:?}: {}", answer.text);
    }
    let status = answer.status.as_u16();
    match deed {
        Deed::Execute(sql) if sql.contains("CAST") => {
            assert_eq!(status, 422, "{}", answer.text);
        }
        Deed::Execute(_) => {
            assert!(answer.text.contains(&format!("{region}~region")), "{}", answer.text);
        }
        Deed::Get(path) if path.ends_with("search=cedar") && region != "cedar" => {
            assert_eq!(answer.ok(200)["values"], json!([]));
        }
        Deed::Get(path) if path.starts_with("values") => {
            assert!(answer.text.contains(&format!("{region}~")), "{}", answer.text);
        }
        Deed::Ask(_) | Deed::AskOnce | Deed::Get(_) => {
            // 202 asks for a clarification; a repeated id can meet the request that still runs.
            assert!(matches!(status, 200 | 202 | 409), "{region}, {deed:?}: {}", answer.text);
        }
    }
}

async fn act(proxy: &Restricted, bearer: &str, deed: Deed) -> Answer {
    match deed {
        Deed::Ask(question) => proxy.ask(bearer, question).await,
        Deed::AskOnce => {
            // The same user asks with the same id under all rights.
            let body = json!({
                "id": "0123456789abcdef", "question": "show all visits", "today": "2024-04-01",
            });
            proxy.send(bearer, "POST", "query", &body).await
        }
        Deed::Execute(sql) => proxy.execute(bearer, sql).await,
        Deed::Get(path) => proxy.get(bearer, path).await,
    }
}

// Promise: security.rights
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_value_that_a_caller_may_not_see_is_in_any_reply() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(VISITS);
    let limits = ["--connections", "2", "--running-queries", "64", "--questions-per-minute", "0"];
    let proxy = std::sync::Arc::new(Restricted::start(&cluster, CLAIMS, &limits).await);
    let mut orders = TestRunner::deterministic();
    let mut callers = tokio::task::JoinSet::new();
    for round in 0..4 {
        for region in REGIONS {
            let order = Just(DEEDS.to_vec()).prop_shuffle().new_tree(&mut orders).unwrap();
            let (proxy, deeds) = (std::sync::Arc::clone(&proxy), order.current());
            callers.spawn(async move {
                let bearer = of_region(region);
                for deed in deeds {
                    let answer = act(&proxy, &bearer, deed).await;
                    check_reply(region, deed, &answer);
                }
                round
            });
        }
    }
    let mut done = 0;
    while let Some(joined) = callers.join_next().await {
        joined.unwrap();
        done += 1;
    }
    assert_eq!(done, 12);
    let all = rows(&proxy.execute(&of_region("birch"), "SELECT id FROM visits").await);
    assert_eq!(all.len(), 30);
}

#[tokio::test]
async fn a_token_without_a_claim_that_rights_need_is_refused_everywhere() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(VISITS);
    let proxy = Restricted::start(&cluster, CLAIMS, &[]).await;
    for claims in
        [json!({}), json!({ "region": 7 }), json!({ "region": "" }), json!({ "region": ["alder"] })]
    {
        let bearer = bearer(&claims);
        for path in ["catalog", "values?table=visits&column=region", "history", "choices", "memory"]
        {
            let problem = proxy.get(&bearer, path).await.problem(403, "missing_claim");
            assert!(problem["detail"].as_str().unwrap().contains("claim region"), "{problem}");
        }
        proxy.ask(&bearer, "how many visits").await.problem(403, "missing_claim");
        proxy.execute(&bearer, "SELECT id FROM visits").await.problem(403, "missing_claim");
    }
    proxy.client.get("/api/v1/catalog").await.problem(401, "not_signed_in");
}

#[tokio::test]
async fn a_statement_cannot_change_what_its_caller_may_see() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(VISITS);
    let proxy = Restricted::start(&cluster, CLAIMS, &[]).await;
    let bearer = of_region("alder");
    for sql in [
        "SELECT set_config('wherefore.region', 'birch', true)",
        "SELECT pg_catalog.set_config('wherefore.region', 'birch', false)",
        "SELECT id FROM visits WHERE set_config('wherefore.region', 'birch', true) <> ''",
        "SELECT id FROM visits ORDER BY set_config('wherefore.region', 'birch', true)",
        "WITH s AS (SELECT set_config('wherefore.region', 'birch', true)) SELECT * FROM s, visits",
        "SELECT * FROM set_config('wherefore.region', 'birch', true), visits",
        "SET wherefore.region = 'birch'",
        "SET LOCAL wherefore.region = 'birch'",
        "RESET wherefore.region",
        "RESET ROLE",
        "SET ROLE owner",
        "SET SESSION AUTHORIZATION owner",
        "ROLLBACK",
        "SELECT id FROM visits; SET wherefore.region = 'birch'",
    ] {
        proxy.execute(&bearer, sql).await.problem(422, "statement_refused");
    }
    assert_eq!(rows(&proxy.execute(&bearer, "SELECT id FROM visits").await).len(), 30);
}

#[tokio::test]
async fn what_was_read_before_there_were_rights_is_not_shown_with_them() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run("CREATE TABLE visits (id int PRIMARY KEY, region text)");
    cluster.run("INSERT INTO visits SELECT n, 'birch~region' FROM generate_series(1, 9) AS n");
    let folder = tempfile::tempdir().unwrap();
    let with_rights = configured(&folder, &cluster.url("asker"), CLAIMS, &[]);
    let before = Config { rights: None, ..with_rights.clone() };
    let open = Client::start(&before).await;
    let source = open.state.sources.get("default").unwrap();
    assert!(String::from_utf8_lossy(&source.knowledge().json).contains("birch~region"));
    drop((open, source));
    cluster.stop();
    let proxy = Restricted::new(Client::start(&with_rights).await, folder);
    let catalog = proxy.get(&of_region("alder"), "catalog").await;
    catalog.ok(200);
    assert!(!catalog.text.contains("birch~region"), "{}", catalog.text);
}

#[tokio::test]
async fn an_export_has_only_rows_that_the_caller_may_see() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(VISITS);
    let proxy = Restricted::start(&cluster, CLAIMS, &[]).await;
    let forms = [
        ("text/csv", false),
        ("application/x-ndjson", false),
        ("application/vnd.apache.arrow.stream", false),
        ("application/vnd.apache.parquet", true),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", true),
    ];
    for (form, is_file) in forms {
        let body = json!({ "sql": "SELECT id, place FROM visits" });
        let mut request = execute_as(form, &body);
        let bearer = format!("Bearer {}", of_region("birch"));
        request.headers_mut().insert(header::AUTHORIZATION, bearer.parse().unwrap());
        let answer = proxy.client.send(request).await;
        assert_eq!(answer.status, 200, "{form}");
        if is_file {
            // Files are compressed; a third of the rows is of the region.
            assert_eq!(answer.headers["x-wherefore-rows"], "30", "{form}");
        } else {
            assert!(answer.text.contains("birch~place"), "{form}");
            assert!(!answer.text.contains("alder~") && !answer.text.contains("cedar~"), "{form}");
        }
    }
}

#[tokio::test]
async fn an_empty_result_says_that_rows_may_be_hidden() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(VISITS);
    let proxy = Restricted::start(&cluster, CLAIMS, &[]).await;
    let last_step =
        |result: &Value| result["explained"].as_array().unwrap().last().unwrap().clone();
    let none = "there are no rows that you may see";
    let nobody = of_region("elm");
    let empty = proxy.execute(&nobody, "SELECT id FROM visits").await.ok(200);
    assert_eq!(last_step(&empty)["text"], none);
    let asked = proxy.ask(&nobody, "show all visits").await.ok(200);
    assert_eq!(last_step(&asked["view"]["result"])["text"], none);
    let full = proxy.execute(&of_region("alder"), "SELECT id FROM visits").await;
    assert!(!rows(&full).is_empty() && !full.text.contains(none), "{}", full.text);
}

#[tokio::test]
async fn rights_that_cannot_be_given_stop_the_start() {
    let shop = SqliteFile::new(SHOP);
    let folder = tempfile::tempdir().unwrap();
    let path = shop.path.to_str().unwrap();
    for database in [path, "mysql://asker@127.0.0.1/shop", "sales.duckdb"] {
        let error = refusal(&configured(&folder, database, CLAIMS, &[])).await;
        assert!(error.contains("needs a PostgreSQL database"), "{database}: {error}");
    }
    let url = "postgres://asker@127.0.0.1/shop";
    for (rights, part) in [
        ("", "set `claims`, `role` or both"),
        (r#"role = { claim = "job", map = {} }"#, "1 to 32 values"),
        (r#"role = { claim = "job", map = { a = "None" } }"#, "None: not the name of a role"),
        (r#"claims = { role = { claim = "", type = "text" } }"#, "name of a claim"),
        (r#"claims = { "a.b" = { claim = "a", type = "text" } }"#, "a.b: the name of a setting"),
        (r#"claims = { Region = { claim = "a", type = "text" } }"#, "Region: the name"),
    ] {
        let error = refusal(&configured(&folder, url, rights, &[])).await;
        assert!(error.contains(part), "{rights}: {error}");
    }
    let privileged = configured(&folder, url, CLAIMS, &["--allow-privileged-login"]);
    assert!(refusal(&privileged).await.contains("cannot be combined with [rights]"));
    let mut without = config(folder.path(), &["--database", url]);
    without.rights = privileged.rights;
    assert!(refusal(&without).await.contains("[rights] needs --auth jwt"));
}

#[test]
fn rights_in_a_file_are_refused_by_file_and_line() {
    let shop = SqliteFile::new(SHOP);
    for (text, part) in [
        ("rights = 1\n", ":1: rights: "),
        ("[rights]\nclaim = {}\n", ":2: rights: "),
        ("[rights]\nclaims = { region = { claim = \"region\" } }\n", ":2: rights: "),
        (
            "[rights]\nclaims = { region = { claim = \"region\", type = \"date\" } }\n",
            ":2: rights: ",
        ),
    ] {
        let path = shop.file("wherefore.toml", text);
        let read = wherefore_proxy::config::read(["w", "--config", path.to_str().unwrap()]);
        let error = read.unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let path = shop.file(
        "wherefore.toml",
        "database = \"a.db\"\n\n[rights]\nclaims = { region = { claim = \"region\", type = \"text\" } }\n",
    );
    let cli = wherefore_proxy::config::read(["w", "--config", path.to_str().unwrap()]).unwrap();
    let error = cli.config.check().unwrap_err().to_string();
    assert!(
        error.ends_with(
            "wherefore.toml:3: rights: claims come from tokens: [rights] needs --auth jwt"
        ),
        "{error}"
    );
}
