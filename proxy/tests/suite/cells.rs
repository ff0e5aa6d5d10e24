//! Sizes of cells: numbers, truth values and times are never cut, long texts are, and each cut is reported.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_ipc::reader::StreamReader;
use http_body_util::BodyExt;
use serde_json::{Value, json};

use crate::support::client::execute_as;
use crate::support::{Client, Cluster, SqliteFile, config};

const ARROW: &str = "application/vnd.apache.arrow.stream";
const POSTGRES: &str = "CREATE DOMAIN picture AS bytea;
    CREATE TABLE scalars (flag boolean, small smallint, whole integer, big bigint, code oid, single real,
        double double precision, price money, day date, clock time, zoned_clock timetz, moment timestamp,
        zoned timestamptz, span interval, key uuid, bytes bytea, drawn picture, exact numeric, label text, doc jsonb);
    INSERT INTO scalars VALUES (true, 12345, 12345678, 9007199254740993, 4000000000, 1.5, 12.125, 12.34, '2024-02-29',
        '10:11:12', '10:11:12+02', '2024-02-29 10:11:12', '2024-02-29 10:11:12+00', '1 day 02:03:04',
        '6b1f0a5e-6a0e-4b0e-9d0a-000000000000', '\\x010203', '\\x010203', 12345.670, 'many', '{\"a\": 1}')";
const SQLITE: &str = "CREATE TABLE scalars (flag BOOLEAN, whole INTEGER, big BIGINT, double REAL, bytes BLOB, label TEXT);
    INSERT INTO scalars VALUES (1, 12345678, 9007199254740993, 12.125, x'010203', 'many')";
const ALL: &str = "SELECT * FROM scalars";

/// A database, with its columns whose texts can be cut: index, the cell cut to one byte, and its whole length.
struct Scalars {
    client: Client,
    cut: Vec<(usize, &'static str, usize)>,
    _file: SqliteFile,
    _cluster: Option<Cluster>,
}

impl Scalars {
    async fn all() -> Vec<Self> {
        let file = SqliteFile::new(SQLITE);
        let client = Client::start(&file.config(&[])).await;
        let mut all = vec![Self { client, cut: vec![(5, "m…", 4)], _file: file, _cluster: None }];
        if let Some(cluster) = Cluster::start() {
            cluster.run(POSTGRES);
            let file = SqliteFile::new("");
            let url = cluster.url("asker");
            let client = Client::start(&config(file.folder.path(), &["--database", &url])).await;
            let cut = vec![(17, "1…", 9), (18, "m…", 4), (19, "{…", 8)];
            all.insert(0, Self { client, cut, _file: file, _cluster: Some(cluster) });
        }
        all
    }

    /// A row as it is when its texts are cut to one byte.
    fn cut(&self, mut row: Vec<Value>) -> Vec<Value> {
        for (column, text, _) in &self.cut {
            row[*column] = json!(text);
        }
        row
    }

    fn reported(&self) -> Value {
        let one = |(column, _, length): &(usize, &str, usize)| json!({ "row": 0, "column": column, "length": length });
        self.cut.iter().map(one).collect()
    }

    async fn text(&self, form: &str, cell_bytes: usize) -> String {
        let body = json!({ "sql": ALL, "cell_bytes": cell_bytes });
        let answer = self.client.send(execute_as(form, &body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    }

    async fn columns(&self, cell_bytes: usize) -> (Vec<ArrayRef>, Vec<u8>) {
        let body = json!({ "sql": ALL, "cell_bytes": cell_bytes });
        let response = self.client.response(execute_as(ARROW, &body)).await;
        assert_eq!(response.status(), 200);
        let bytes = response.into_body().collect().await.unwrap().to_bytes().to_vec();
        let mut batches = StreamReader::try_new(&bytes[..], None).unwrap().map(Result::unwrap);
        let batch: RecordBatch = batches.find(|batch| batch.num_rows() > 0).unwrap();
        (batch.columns().to_vec(), bytes)
    }
}

fn rows(text: &str) -> Vec<Value> {
    let result: Value = serde_json::from_str(text).unwrap();
    result["rows"][0].as_array().unwrap().clone()
}

// Promise: http.cell-limit
#[tokio::test]
async fn a_small_cell_size_cuts_texts_only_in_json() {
    for scalars in Scalars::all().await {
        let whole = scalars.text("application/json", 1_000).await;
        assert!(!whole.contains("cut_"), "{whole}");
        let small = scalars.text("application/json", 1).await;
        assert_eq!(rows(&small), scalars.cut(rows(&whole)));
        let small: Value = serde_json::from_str(&small).unwrap();
        assert_eq!(small["cut_cells"], scalars.reported());
        assert_eq!(small["cut_count"], scalars.cut.len());
    }
}

#[tokio::test]
async fn a_small_cell_size_cuts_texts_only_in_ndjson() {
    for scalars in Scalars::all().await {
        let lines = async |cell_bytes| -> Vec<Value> {
            let text = scalars.text("application/x-ndjson", cell_bytes).await;
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let (whole, small) = (lines(1_000).await, lines(1).await);
        assert_eq!(small[1], json!(scalars.cut(whole[1].as_array().unwrap().clone())));
        assert_eq!(small[2]["cut_cells"], scalars.reported());
    }
}

#[tokio::test]
async fn a_small_cell_size_cuts_texts_only_in_csv() {
    for scalars in Scalars::all().await {
        let fields = async |cell_bytes| -> Vec<String> {
            let text = scalars.text("text/csv", cell_bytes).await;
            let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
            reader.records().next().unwrap().unwrap().iter().map(str::to_owned).collect()
        };
        let mut expected = fields(1_000).await;
        for (column, text, _) in &scalars.cut {
            expected[*column] = (*text).to_owned();
        }
        assert_eq!(fields(1).await, expected);
        let text = scalars.text("text/csv", 1).await;
        assert!(text.lines().last().unwrap().starts_with("\"[cut: "), "{text}");
    }
}

#[tokio::test]
async fn a_small_cell_size_cuts_texts_only_in_arrow() {
    for scalars in Scalars::all().await {
        let (whole, _) = scalars.columns(1_000).await;
        let (small, bytes) = scalars.columns(1).await;
        for (index, (whole, small)) in whole.iter().zip(&small).enumerate() {
            match scalars.cut.iter().find(|(column, ..)| *column == index) {
                Some((_, text, _)) => assert_eq!(small.as_string::<i32>().value(0), *text),
                None => assert!(whole.to_data() == small.to_data(), "column {index}"),
            }
        }
        let said = String::from_utf8_lossy(&bytes);
        assert!(said.contains(&scalars.reported().to_string()), "{said}");
    }
}
