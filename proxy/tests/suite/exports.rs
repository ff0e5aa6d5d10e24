//! Exports as CSV, NDJSON and Arrow, from both databases.

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{DataType, TimeUnit};
use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::support::client::{Answer, execute_as};
use crate::support::{Both, Client, Cluster, SqliteFile, config};

const ARROW: &str = "application/vnd.apache.arrow.stream";
const THINGS: &str =
    "CREATE TABLE things (id BIGINT PRIMARY KEY, name VARCHAR(40), price NUMERIC(10,2), \
        weight DOUBLE PRECISION, sold DATE, seen TIMESTAMP, big BIGINT);
    INSERT INTO things VALUES
        (1, '=1+1', -5.20, 0.5, '2024-02-29', '2024-02-29 10:11:12', 9007199254740993),
        (2, '', 7.00, -1.5, '1969-12-31', '1969-12-31 23:59:59', -9007199254740993),
        (3, NULL, NULL, NULL, NULL, NULL, NULL);";

async fn export(client: &Client, form: &str, sql: &str) -> Answer {
    client.send(execute_as(form, &json!({ "sql": sql, "file_name": "../a\"b" }))).await
}

async fn batches(client: &Client, sql: &str) -> (Vec<RecordBatch>, Vec<u8>) {
    let response = client.response(execute_as(ARROW, &json!({ "sql": sql }))).await;
    assert_eq!(response.status(), 200);
    let collected = response.into_body().collect().await.unwrap();
    let trailers = collected.trailers().cloned().unwrap();
    assert_eq!(trailers["x-wherefore-truncated"], "false");
    let bytes = collected.to_bytes().to_vec();
    let batches = StreamReader::try_new(&bytes[..], None).unwrap().map(Result::unwrap);
    (batches.collect(), bytes)
}

// Promise: http.export
#[tokio::test]
async fn csv_keeps_null_apart_from_empty_and_defuses_formulas() {
    let both = Both::new(THINGS, &[]).await;
    for client in &both.clients {
        let sql = "SELECT id, name, price, big FROM things ORDER BY id";
        let answer = export(client, "text/csv", sql).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let lines: Vec<&str> = answer.text.split("\r\n").collect();
        assert_eq!(lines[0], "\"id\",\"name\",\"price\",\"big\"");
        assert!(lines[1].starts_with("1,\"'=1+1\",-5.2"), "{}", lines[1]);
        assert!(lines[1].ends_with(",9007199254740993"), "{}", lines[1]);
        assert!(lines[2].starts_with("2,\"\",7"), "{}", lines[2]);
        assert_eq!(lines[3], "3,,,");
        assert_eq!(lines[4..], [""], "nothing is missing, and nothing says so");
        assert_eq!(answer.headers["content-type"], "text/csv; charset=utf-8; header=present");
        assert_eq!(answer.headers["content-disposition"], "attachment; filename=\"a_b.csv\"");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["cache-control"], "private, no-store");
        let body = json!({ "sql": "SELECT name FROM things WHERE id = 1", "formula_guard": false });
        let answer = client.send(execute_as("text/csv", &body)).await;
        assert_eq!(answer.text, "\"name\"\r\n\"=1+1\"\r\n");
    }
}

// Promise: http.export
#[tokio::test]
async fn ndjson_tells_columns_rows_and_how_it_ended() {
    let both = Both::new(THINGS, &[]).await;
    for client in &both.clients {
        let answer =
            export(client, "application/x-ndjson", "SELECT id, name FROM things ORDER BY id").await;
        let lines: Vec<Value> =
            answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["columns"][0]["name"], "id");
        assert_eq!(lines[1..4], [json!([1, "=1+1"]), json!([2, ""]), json!([3, null])]);
        assert_eq!(lines[4]["rows"], 3);
        assert_eq!(lines[4]["truncated"], false);
        assert_eq!(lines.len(), 5);
    }
}

// Promise: http.export
#[tokio::test]
async fn arrow_keeps_the_types_of_the_database() {
    let both = Both::new(THINGS, &[]).await;
    for (index, client) in both.clients.iter().enumerate() {
        let (batches, bytes) = batches(client, "SELECT * FROM things ORDER BY id").await;
        assert!(
            bytes.windows(10).any(|window| window == b"elapsed_ms"),
            "the last batch has metadata"
        );
        assert_eq!(batches.last().unwrap().num_rows(), 0);
        let batch = batches.iter().find(|batch| batch.num_rows() > 0).unwrap();
        assert_eq!(batch.num_rows(), 3);
        let types: Vec<DataType> =
            batch.schema().fields().iter().map(|field| field.data_type().clone()).collect();
        let moment = DataType::Timestamp(TimeUnit::Microsecond, None);
        // Decimals of PostgreSQL stay exact; SQLite stores them as floating-point numbers.
        let price = if index == 0 { DataType::Float64 } else { DataType::Utf8 };
        assert_eq!(
            types,
            [
                DataType::Int64,
                DataType::Utf8,
                price,
                DataType::Float64,
                DataType::Date32,
                moment,
                DataType::Int64
            ]
        );
        assert!((0..7).all(|column| column == 0 || batch.column(column).is_null(2)));
        assert_eq!(batch.column(1).as_string::<i32>().value(1), "");
        assert!((batch.column(3).as_primitive::<Float64Type>().value(1) + 1.5).abs() < 1e-12);
        let dates = batch.column(4).as_primitive::<Date32Type>();
        assert_eq!([dates.value(0), dates.value(1)], [19_782, -1]);
        let moments = batch.column(5).as_primitive::<TimestampMicrosecondType>();
        assert_eq!([moments.value(0), moments.value(1)], [1_709_201_472_000_000, -1_000_000]);
        let big = batch.column(6).as_primitive::<Int64Type>();
        assert_eq!([big.value(0), big.value(1)], [9_007_199_254_740_993, -9_007_199_254_740_993]);
    }
    if let Some(postgres) = both.clients.get(1) {
        let sql = "SELECT price, seen AT TIME ZONE 'Europe/Vienna' AS zoned, id > 1 AS more FROM things WHERE id = 1";
        let (batches, _) = batches(postgres, sql).await;
        let batch = batches.iter().find(|batch| batch.num_rows() > 0).unwrap();
        assert_eq!(batch.column(0).as_string::<i32>().value(0), "-5.20");
        let zoned = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        assert_eq!(batch.schema().field(1).data_type(), &zoned);
        let moment = batch.column(1).as_primitive::<TimestampMicrosecondType>().value(0);
        assert_eq!(moment, 1_709_197_872_000_000);
        assert!(!batch.column(2).as_boolean().value(0));
    }
}

#[tokio::test]
async fn what_is_left_out_is_said_in_each_form() {
    let both = Both::new(THINGS, &["--export-row-limit", "2", "--row-limit", "1"]).await;
    for client in &both.clients {
        let sql = "SELECT id FROM things ORDER BY id";
        let csv = export(client, "text/csv", sql).await.text;
        assert_eq!(
            csv,
            "\"id\"\r\n1\r\n2\r\n\"[truncated: only the first 2 rows are included]\"\r\n"
        );
        let ndjson = export(client, "application/x-ndjson", sql).await.text;
        let last: Value = serde_json::from_str(ndjson.lines().last().unwrap()).unwrap();
        assert_eq!(last["rows"], 2);
        assert_eq!(last["truncated"], true);
        let response = client.response(execute_as(ARROW, &json!({ "sql": sql }))).await;
        let collected = response.into_body().collect().await.unwrap();
        let trailers = collected.trailers().cloned().unwrap();
        assert_eq!(trailers["x-wherefore-truncated"], "true");
        assert_eq!(trailers["x-wherefore-rows"], "2");
    }
}

// Promise: http.cut-cells
#[tokio::test]
async fn a_cell_that_is_cut_is_said_in_each_form_and_whole_on_request() {
    // 40,000 characters of two bytes each.
    let sql = "SELECT id, name, (SELECT max(long) FROM texts) AS long FROM things ORDER BY id";
    let file = SqliteFile::new(THINGS);
    let long = "é".repeat(40_000);
    let texts = format!("CREATE TABLE texts (long TEXT); INSERT INTO texts VALUES ('{long}')");
    crate::support::fill(&file.path, &texts);
    let mut clients = vec![Client::start(&file.config(&["--cell-bytes", "100000"])).await];
    let cluster = Cluster::start();
    if let Some(cluster) = &cluster {
        cluster.run(THINGS);
        cluster
            .run("CREATE TABLE texts (long TEXT); INSERT INTO texts VALUES (repeat('é', 40000))");
        let url = cluster.url("asker");
        let options = ["--database", url.as_str(), "--cell-bytes", "100000"];
        clients.push(Client::start(&config(file.folder.path(), &options)).await);
    }
    let kept = format!("{}…", "é".repeat(65_536 / 2));
    let cut = |row: u32| json!({ "row": row, "column": 2, "length": 80_000 });
    let cuts = json!([cut(0), cut(1), cut(2)]);
    for client in &clients {
        let result = client.execute(sql).await.ok(200);
        assert_eq!(result["rows"][0][2], kept);
        assert_eq!((&result["cut_cells"], &result["cut_count"]), (&cuts, &json!(3)));
        assert_eq!(result["truncated"], false, "no row is missing");

        let ndjson = export(client, "application/x-ndjson", sql).await.text;
        let last: Value = serde_json::from_str(ndjson.lines().last().unwrap()).unwrap();
        assert_eq!((&last["cut_cells"], &last["cut_count"]), (&cuts, &json!(3)));
        assert_eq!(last["truncated"], false);

        let csv = export(client, "text/csv", sql).await.text;
        let last = csv.lines().last().unwrap();
        let said = "\"[cut: 3 cells are too long and end in …; the first is in row 1, column 3]\"";
        assert_eq!(last, said);

        let response = client.response(execute_as(ARROW, &json!({ "sql": sql }))).await;
        let collected = response.into_body().collect().await.unwrap();
        assert_eq!(collected.trailers().unwrap()["x-wherefore-cut-cells"], "3");
        let bytes = collected.to_bytes();
        let batches: Vec<RecordBatch> =
            StreamReader::try_new(&bytes[..], None).unwrap().map(Result::unwrap).collect();
        let batch = batches.iter().find(|batch| batch.num_rows() > 0).unwrap();
        assert_eq!(batch.column(2).as_string::<i32>().value(0), kept);
        let said = String::from_utf8_lossy(&bytes);
        assert!(said.contains(&cuts.to_string()), "the metadata of the last batch lists them");

        // Whole on request, up to the operator's limit.
        for form in ["application/json", "application/x-ndjson"] {
            let body = json!({ "sql": sql, "cell_bytes": 80_000 });
            let whole = client.send(execute_as(form, &body)).await.text;
            assert!(whole.contains(&long), "{form}");
            assert!(!whole.contains("cut_"), "{form}");
        }
        let body =
            json!({ "sql": "SELECT long || long AS twice FROM texts", "cell_bytes": 900_000 });
        let result = client.post("/api/v1/sql/execute", body.to_string()).await.ok(200);
        assert_eq!(result["rows"][0][0], format!("{}…", "é".repeat(50_000)));
        assert_eq!(result["cut_cells"][0]["length"], 160_000);
        let body = json!({ "sql": sql, "cell_bytes": 0 });
        client.post("/api/v1/sql/execute", body.to_string()).await.problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_csv_that_breaks_off_says_so_and_aborts_its_connection() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(THINGS);
    let file = SqliteFile::new("");
    let url = cluster.url("asker");
    let client = Client::start(&config(file.folder.path(), &["--database", &url])).await;
    let sql = "SELECT 1 / (5000 - a) AS q FROM generate_series(1, 9000) AS a";
    let mut body =
        client.response(execute_as("text/csv", &json!({ "sql": sql }))).await.into_body();
    let mut text = String::new();
    let broken = loop {
        match body.frame().await {
            Some(Ok(frame)) => {
                text.push_str(&String::from_utf8_lossy(&frame.into_data().unwrap()));
            }
            end => break matches!(end, Some(Err(_))),
        }
    };
    assert!(broken, "a client of HTTP/1.1 notices the missing end");
    let last = text.lines().last().unwrap();
    let said =
        "\"[interrupted: rows are missing, because the statement failed: division by zero]\"";
    assert_eq!(last, said);
}

#[tokio::test]
async fn a_form_that_is_not_given_and_a_statement_that_fails_are_problems() {
    let both = Both::new(THINGS, &[]).await;
    for client in &both.clients {
        export(client, "text/html", "SELECT id FROM things").await.problem(406, "not_acceptable");
        let refused = "SELECT nothing FROM things";
        export(client, "text/csv", refused).await.problem(422, "statement_refused");
    }
    if let Some(postgres) = both.clients.get(1) {
        let failing = "SELECT 1 / (id - id) AS x FROM things";
        export(postgres, ARROW, failing).await.problem(422, "statement_failed");
    }
}
