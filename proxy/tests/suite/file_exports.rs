//! Exports as Excel workbooks and Parquet files, read back from both databases.

use std::io::Cursor;
use std::time::Duration;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Float64Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use axum::body::Bytes;
use axum::http::HeaderMap;
use calamine::{Data, Range, Reader, Xlsx};
use http_body_util::BodyExt;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::json;

use crate::support::client::execute_as;
use crate::support::{Both, Client, Cluster, Serving, SqliteFile, config};

const EXCEL: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const PARQUET: &str = "application/vnd.apache.parquet";
const FORMS: [&str; 2] = [EXCEL, PARQUET];
const THINGS: &str =
    "CREATE TABLE things (id BIGINT PRIMARY KEY, name VARCHAR(40), price NUMERIC(10,2), \
        weight DOUBLE PRECISION, sold DATE, seen TIMESTAMP, big BIGINT, more BOOLEAN);
    INSERT INTO things VALUES
        (1, '=1+1', -5.20, 0.5, '2024-02-29', '2024-02-29 12:00:00', 9007199254740993, TRUE),
        (2, '', 7.00, -1.5, '1969-12-31', '1969-12-31 18:00:00', -9007199254740993, FALSE),
        (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (4, 'Grüße 🎉', 0.25, 1e300, '1815-12-10', '2024-02-29 12:00:00', 12, TRUE);";

/// Headers and bytes of a file.
async fn file(client: &Client, form: &str, sql: &str) -> (HeaderMap, Bytes) {
    let request = execute_as(form, &json!({ "sql": sql, "file_name": "../a\"b" }));
    let (parts, body) = client.response(request).await.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    assert_eq!(parts.status, 200, "{}", String::from_utf8_lossy(&bytes));
    (parts.headers, bytes)
}

fn workbook(bytes: &[u8]) -> Xlsx<Cursor<&[u8]>> {
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

fn sheet(bytes: &[u8], name: &str) -> Range<Data> {
    workbook(bytes).worksheet_range(name).unwrap()
}

fn text(text: &str) -> Data {
    Data::String(text.to_owned())
}

/// Values of a sheet's row; `None` for empty cells, days for dates.
fn row(range: &Range<Data>, row: u32, columns: u32) -> Vec<Data> {
    let cell = |column| range.get_value((row, column)).cloned().unwrap_or_default();
    (0..columns).map(cell).collect()
}

fn day(data: &Data) -> f64 {
    let Data::DateTime(moment) = data else { panic!("{data:?} is no date") };
    moment.as_f64()
}

/// Schema, metadata and batches of a Parquet file.
fn batches(bytes: &Bytes) -> (ParquetRecordBatchReaderBuilder<Bytes>, Vec<RecordBatch>) {
    let open = || ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).unwrap();
    let batches = open().with_batch_size(200_000).build().unwrap().map(Result::unwrap);
    (open(), batches.collect())
}

/// A value of the metadata in the footer of a Parquet file.
fn noted(bytes: &Bytes, key: &str) -> String {
    let (file, _) = batches(bytes);
    let entries = file.metadata().file_metadata().key_value_metadata().unwrap();
    let entry = entries.iter().find(|entry| entry.key == key).unwrap();
    entry.value.clone().unwrap()
}

// Promise: http.export-files
#[tokio::test]
async fn excel_has_values_of_their_types_and_no_formulas() {
    let both = Both::new(THINGS, &[]).await;
    for client in &both.clients {
        let (headers, bytes) = file(client, EXCEL, "SELECT * FROM things ORDER BY id").await;
        assert_eq!(headers["content-type"], EXCEL);
        assert_eq!(headers["content-disposition"], "attachment; filename=\"a_b.xlsx\"");
        assert_eq!(headers["content-length"], bytes.len().to_string());
        assert_eq!(headers["cache-control"], "private, no-store");
        assert_eq!(workbook(&bytes).sheet_names(), ["Rows"], "nothing is missing");
        assert!(workbook(&bytes).worksheet_formula("Rows").unwrap().is_empty());
        let range = sheet(&bytes, "Rows");
        let names = ["id", "name", "price", "weight", "sold", "seen", "big", "more"];
        assert_eq!(row(&range, 0, 8), names.map(text));
        let first = row(&range, 1, 8);
        let numbers = [Data::Float(1.0), text("=1+1"), Data::Float(-5.2), Data::Float(0.5)];
        assert_eq!(first[..4], numbers);
        assert_eq!(
            [day(&first[4]), day(&first[5])].map(f64::to_bits),
            [45_351.0, 45_351.5].map(f64::to_bits)
        );
        assert_eq!(first[6..], [text("9007199254740993"), Data::Bool(true)]);
        let second = row(&range, 2, 8);
        assert_eq!(second[1], Data::Empty, "a sheet has no empty texts");
        assert!((day(&second[5]) - 25_568.75).abs() < 1e-9);
        assert_eq!(second[6..], [text("-9007199254740993"), Data::Bool(false)]);
        assert_eq!(row(&range, 3, 8)[1..], vec![Data::Empty; 7]);
        let last = row(&range, 4, 8);
        assert_eq!(last[1], text("Grüße 🎉"));
        assert_eq!(last[3], Data::Float(1e300));
        assert_eq!(last[4], text("1815-12-10"), "Excel has no such date");
    }
    if let Some(postgres) = both.clients.get(1) {
        let sql = "SELECT seen AT TIME ZONE 'UTC' AS zoned, price * 10000000000000.001 AS exact \
            FROM things WHERE id = 1";
        let (_, bytes) = file(postgres, EXCEL, sql).await;
        let cells = row(&sheet(&bytes, "Rows"), 1, 2);
        assert!((day(&cells[0]) - 45_351.5).abs() < 1e-9);
        assert_eq!(cells[1], text("-52000000000000.00520"));
    }
}

// Promise: http.export-files
#[tokio::test]
async fn parquet_keeps_the_types_of_the_database() {
    let both = Both::new(THINGS, &[]).await;
    for (index, client) in both.clients.iter().enumerate() {
        let (headers, bytes) = file(client, PARQUET, "SELECT * FROM things ORDER BY id").await;
        assert_eq!(headers["content-type"], PARQUET);
        assert_eq!(headers["content-disposition"], "attachment; filename=\"a_b.parquet\"");
        assert_eq!(headers["content-length"], bytes.len().to_string());
        let (_, batches) = batches(&bytes);
        let [batch] = &batches[..] else { panic!("{} batches", batches.len()) };
        // Decimals of PostgreSQL stay exact; SQLite stores them as floating-point numbers.
        let price = if index == 0 { DataType::Float64 } else { DataType::Utf8 };
        let expected = [
            DataType::Int64,
            DataType::Utf8,
            price,
            DataType::Float64,
            DataType::Date32,
            DataType::Timestamp(TimeUnit::Microsecond, None),
            DataType::Int64,
            DataType::Boolean,
        ];
        let schema = batch.schema();
        let types: Vec<_> = schema.fields().iter().map(|field| field.data_type().clone()).collect();
        assert_eq!(types, expected);
        assert_eq!(schema.field(2).metadata()["wherefore.data_type"], "number");
        assert!((1..8).all(|column| batch.column(column).is_null(2)));
        let names = batch.column(1).as_string::<i32>();
        assert_eq!([names.value(0), names.value(1), names.value(3)], ["=1+1", "", "Grüße 🎉"]);
        assert!(!names.is_null(1), "empty text is not NULL");
        assert!((batch.column(3).as_primitive::<Float64Type>().value(1) + 1.5).abs() < 1e-12);
        let dates = batch.column(4).as_primitive::<Date32Type>();
        assert_eq!([dates.value(0), dates.value(1)], [19_782, -1]);
        let moments = batch.column(5).as_primitive::<TimestampMicrosecondType>();
        assert_eq!([moments.value(0), moments.value(1)], [1_709_208_000_000_000, -21_600_000_000]);
        let big = batch.column(6).as_primitive::<Int64Type>();
        assert_eq!([big.value(0), big.value(1)], [9_007_199_254_740_993, -9_007_199_254_740_993]);
        assert!(!batch.column(7).as_boolean().value(1));
        assert_eq!(
            (noted(&bytes, "rows"), noted(&bytes, "truncated")),
            ("4".into(), "false".into())
        );
    }
}

#[tokio::test]
async fn rows_that_a_limit_leaves_out_are_said_in_headers_and_in_the_file() {
    let both = Both::new(THINGS, &["--export-row-limit", "2"]).await;
    for client in &both.clients {
        for form in FORMS {
            let (headers, bytes) = file(client, form, "SELECT id FROM things ORDER BY id").await;
            assert_eq!(headers["x-wherefore-truncated"], "true");
            assert_eq!(headers["x-wherefore-rows"], "2");
            assert_eq!(headers["x-wherefore-cut-cells"], "0");
            if form == EXCEL {
                assert_eq!(sheet(&bytes, "Rows").height(), 3);
                let note = sheet(&bytes, "Missing").get_value((0, 0)).cloned();
                assert_eq!(note, Some(text("truncated: only the first 2 rows are included")));
            } else {
                assert_eq!(noted(&bytes, "truncated"), "true");
            }
        }
    }
}

#[tokio::test]
async fn a_text_longer_than_a_cell_of_excel_is_cut_and_said() {
    let sql = "SELECT id, (SELECT max(long) FROM texts) AS long FROM things ORDER BY id";
    let source = SqliteFile::new(THINGS);
    let long = "é".repeat(20_000);
    crate::support::fill(
        &source.path,
        &format!("CREATE TABLE texts (long TEXT); INSERT INTO texts VALUES ('{long}')"),
    );
    let client = Client::start(&source.config(&[])).await;
    let (headers, bytes) = file(&client, EXCEL, sql).await;
    assert_eq!(headers["x-wherefore-cut-cells"], "4");
    let cut = format!("{}…", "é".repeat(16_383));
    assert_eq!(row(&sheet(&bytes, "Rows"), 4, 2)[1], text(&cut));
    let said = "cut: 4 cells are too long and end in …; the first is in row 1, column 2";
    assert_eq!(sheet(&bytes, "Missing").get_value((0, 0)), Some(&text(said)));
    let (headers, bytes) = file(&client, PARQUET, sql).await;
    assert_eq!(headers["x-wherefore-cut-cells"], "0");
    assert_eq!(batches(&bytes).1[0].column(1).as_string::<i32>().value(3), long);
}

#[test]
fn a_hundred_thousand_rows_arrive_in_order_over_http() {
    let source = SqliteFile::new(
        "CREATE VIEW many AS WITH RECURSIVE n(i) AS \
            (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) \
         SELECT i AS id, 'row ' || i AS name FROM n",
    );
    let program =
        Serving::start(source.folder.path(), &["--database", source.path.to_str().unwrap()]);
    let sql = "SELECT id, name FROM many ORDER BY id";
    let bytes = program.http().export(sql, EXCEL);
    let range = sheet(&bytes, "Rows");
    assert_eq!(range.height(), 100_001);
    for id in [1_u32, 1_024, 1_025, 100_000] {
        assert_eq!(row(&range, id, 2), [Data::Float(id.into()), text(&format!("row {id}"))]);
    }
    let bytes = Bytes::from(program.http().export(sql, PARQUET));
    let (_, batches) = batches(&bytes);
    let ids = batches[0].column(0).as_primitive::<Int64Type>();
    assert!(ids.values().iter().copied().eq(1..=100_000));
    assert_eq!(batches[0].column(1).as_string::<i32>().value(99_999), "row 100000");
}

#[tokio::test]
async fn a_statement_that_fails_after_its_first_rows_gives_no_file() {
    let both = Both::new(THINGS, &[]).await;
    let Some(postgres) = both.clients.get(1) else { return };
    let sql = "SELECT 1 / (5000 - a) AS q FROM generate_series(1, 9000) AS a";
    for form in FORMS {
        let answer = postgres.send(execute_as(form, &json!({ "sql": sql }))).await;
        answer.problem(422, "statement_failed");
    }
}

#[tokio::test]
async fn values_that_parquet_has_no_type_for_are_refused_and_written_to_excel() {
    let source = SqliteFile::new(
        "CREATE TABLE mixed (n INTEGER); INSERT INTO mixed \
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000) \
            SELECT CASE WHEN i < 3000 THEN i ELSE 'several' END FROM n",
    );
    let client = Client::start(&source.config(&[])).await;
    let sql = "SELECT n FROM mixed";
    let answer = client.send(execute_as(PARQUET, &json!({ "sql": sql }))).await;
    answer.problem(422, "statement_failed");
    let (_, bytes) = file(&client, EXCEL, sql).await;
    let range = sheet(&bytes, "Rows");
    let cells = [1, 3_000].map(|line| row(&range, line, 1).remove(0));
    assert_eq!(cells, [Data::Float(1.0), text("several")]);
}

#[tokio::test]
async fn a_file_that_nobody_waits_for_is_cancelled() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(THINGS);
    let folder = tempfile::tempdir().unwrap();
    let url = cluster.url("asker");
    let options = ["--database", &url, "--export-seconds", "600", "--cost-limit", "0"];
    let client = Client::start(&config(folder.path(), &options)).await;
    // Rows after the first batches take seconds each.
    let sql = "SELECT a, CASE WHEN a < 5000 THEN 0 ELSE \
            (SELECT sum(b * c) FROM generate_series(1, 100000) AS b, generate_series(1, 100000) AS c \
                WHERE b > a) END AS slow \
        FROM generate_series(1, 9000) AS a";
    let running = |count: &str| {
        let (cluster, count) = (&cluster, count.to_owned());
        async move {
            let active = "SELECT count(*) FROM pg_stat_activity \
                WHERE application_name = 'wherefore' AND state = 'active'";
            while cluster.run(active) != count {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    };
    for form in FORMS {
        let asking: tokio::task::JoinHandle<()> = tokio::spawn({
            let client = client.clone();
            async move {
                let answer = client.send(execute_as(form, &json!({ "sql": sql }))).await;
                panic!("it is not cancelled: {}", answer.text)
            }
        });
        running("1").await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!asking.is_finished());
        asking.abort();
        running("0").await;
    }
}

#[tokio::test]
async fn a_file_that_takes_too_long_is_a_timeout() {
    let source = SqliteFile::new(THINGS);
    let options = ["--export-seconds", "1", "--cost-limit", "0"];
    let client = Client::start(&source.config(&options)).await;
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000000) \
        SELECT count(*) AS c FROM n";
    for form in FORMS {
        let answer = client.send(execute_as(form, &json!({ "sql": sql }))).await;
        answer.problem(504, "statement_timeout");
    }
}
