//! CSV, TSV and XLSX files as data sources: questions about them, and files that cannot be read.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use wherefore_proxy::database::{Database, DatabaseError};
use wherefore_proxy::files::Files;

use crate::support::serving::run;
use crate::support::{Client, Serving, config};

const CUSTOMERS: &str = "id;name;country;active\r\n\
    1;Müller & Söhne;Germany;yes\r\n2;Dupont;France;no\r\n3;Silva;Brazil;yes\r\n";
const ORDERS: &str = "order_id,customer_id,order_date,revenue\n\
    1,1,2024-01-15,\"1,200.50\"\n2,1,2024-02-03,300\n3,3,2024-02-20,99.5\n4,2,2024-03-01,400\n";

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn shop() -> TempDir {
    // In Windows-1252, as spreadsheet programs save it.
    let customers = CUSTOMERS.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
    let customers: Vec<u8> = customers.collect();
    folder(&[("customers.csv", &customers), ("orders.csv", ORDERS.as_bytes())])
}

async fn client(path: &Path, store: &TempDir) -> Client {
    Client::start(&config(store.path(), &["--database", path.to_str().unwrap()])).await
}

fn rows(answered: &Value) -> &Value {
    &answered["view"]["result"]["rows"]
}

#[tokio::test]
async fn a_header_that_occurs_twice_is_told_in_the_catalog() {
    let store = tempfile::tempdir().unwrap();
    let files = folder(&[("sales.csv", b"id,total,total\n1,2,3\n2,4,5\n")]);
    let client = client(files.path(), &store).await;
    let catalog = client.get("/api/v1/catalog").await.ok(200)["catalog"].clone();
    let told = "column total occurs twice; the later one is total_2";
    assert_eq!(catalog["tables"][0]["description"], told);
}

// Promise: files.questions
#[tokio::test]
async fn a_folder_of_files_answers_questions_and_joins_them() {
    let (shop, store) = (shop(), tempfile::tempdir().unwrap());
    let client = client(shop.path(), &store).await;
    let catalog = client.get("/api/v1/catalog").await.ok(200)["catalog"].clone();
    let tables = catalog["tables"].as_array().unwrap();
    let shown = |table: &Value| {
        let columns = table["columns"].as_array().unwrap().iter();
        let columns =
            columns.map(|c| format!("{}:{}", c["name"], c["data_type"])).collect::<Vec<_>>();
        format!("{} {} key {}", table["name"], columns.join(" "), table["primary_key"])
            .replace('"', "")
    };
    assert_eq!(
        tables.iter().map(shown).collect::<Vec<_>>(),
        [
            "customers id:integer name:text country:text active:boolean key [id]",
            "orders order_id:integer customer_id:integer order_date:date revenue:number key [order_id]",
        ]
    );
    let answered = client.ask("revenue by month").await.ok(200);
    assert_eq!(
        *rows(&answered),
        json!([["2024-01", 1200.5], ["2024-02", 399.5], ["2024-03", 400.0]]),
        "{answered}"
    );
    let answered = client.ask("revenue by country").await.ok(200);
    assert_eq!(
        *rows(&answered),
        json!([["Germany", 1500.5], ["France", 400.0], ["Brazil", 99.5]]),
        "{answered}"
    );
    let answered = client.ask("how many orders has Müller & Söhne").await.ok(200);
    assert_eq!(*rows(&answered), json!([[2]]), "{answered}");
    let answered = client.ask("number of active customers").await.ok(200);
    assert_eq!(*rows(&answered), json!([[2]]), "{answered}");

    let asked = client.ask("show me recent orders").await.ok(202);
    let options = asked["questions"][0]["options"].as_array().unwrap();
    let days = options.iter().find(|option| option["label"].as_str().unwrap().contains("90"));
    let body = json!({ "clarification_id": asked["clarification_id"], "answers": [{
        "clarification_id": asked["questions"][0]["id"],
        "answer": { "type": "option", "option_id": days.unwrap()["id"] },
    }] });
    let answered = client.post("/api/v1/query/clarify", body.to_string()).await.ok(200);
    assert_eq!(rows(&answered).as_array().unwrap().len(), 4, "{answered}");
}

#[tokio::test]
async fn files_are_only_read() {
    let (shop, store) = (shop(), tempfile::tempdir().unwrap());
    let client = client(shop.path(), &store).await;
    for sql in [
        "DELETE FROM orders",
        "SELECT * FROM sqlite_schema",
        "ATTACH 'x' AS y",
        "DROP TABLE orders",
    ] {
        client.execute(sql).await.problem(422, "statement_refused");
    }
    assert_eq!(client.execute("SELECT count(*) FROM orders").await.ok(200)["rows"], json!([[4]]));
    assert_eq!(std::fs::read(shop.path().join("orders.csv")).unwrap(), ORDERS.as_bytes());
}

#[tokio::test]
async fn one_file_of_any_format_is_a_table() {
    let store = tempfile::tempdir().unwrap();
    let wide = "name\ttotal\nAnn\t1,5\nBob\t2,25\n";
    let bytes: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, content, expected) in [
        ("sales.2024.CSV", b"\xef\xbb\xbfname,total\nAnn,1.5\nBob,2.25\n".to_vec(), "sales_2024"),
        ("sales.tsv", b"name\ttotal\nAnn\t1.5\nBob\t2.25\n".to_vec(), "sales"),
        ("sales.tsv", bytes, "sales"),
        ("sales.csv", b"name|total\nAnn|1.5\nBob|2.25".to_vec(), "sales"),
        ("sqlite_x.csv", b"name;total\nAnn;1,5\nBob;2,25\n".to_vec(), "table_sqlite_x"),
        ("a \"b\".csv", b"name,total\nAnn,1.5\nBob,2.25\n".to_vec(), "a \"b\""),
    ] {
        let folder = folder(&[(name, &content)]);
        let client = client(&folder.path().join(name), &store).await;
        let sql = format!("SELECT sum(total) FROM \"{}\"", expected.replace('"', "\"\""));
        assert_eq!(client.execute(&sql).await.ok(200)["rows"], json!([[3.75]]), "{name}");
    }
}

// Promise: files.workbooks
#[tokio::test]
async fn a_workbook_has_a_table_for_each_sheet() {
    let (store, folder) = (tempfile::tempdir().unwrap(), folder(&[]));
    let path = folder.path().join("shop.xlsx");
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/data/tables.xlsx"), &path)
        .unwrap();
    let client = client(&path, &store).await;
    let answered = client.ask("revenue by month").await.ok(200);
    assert_eq!(*rows(&answered), json!([["2024-01", 1200.5], ["2024-02", 300.0]]), "{answered}");
    let answered = client.ask("revenue by country").await.ok(200);
    assert_eq!(*rows(&answered), json!([["Germany", 1200.5], ["France", 300.0]]), "{answered}");
}

/// Asserts that a file is refused with a code and these words, by the start and by `check`.
#[track_caller]
fn refused(path: &Path, code: &str, words: &str) {
    let store = tempfile::tempdir().unwrap();
    let (path, store) = (path.to_str().unwrap(), store.path().join("store.sqlite"));
    for action in [&["check", "--listen", "127.0.0.1:0"][..], &["--listen", "127.0.0.1:0"]] {
        let options = [action, &["--database", path, "--store", store.to_str().unwrap()]].concat();
        let output = run(&options);
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert!(!output.status.success(), "{text}");
        assert!(text.contains(&format!("({code})")) && text.contains(words), "{text}");
        assert!(!text.contains("panicked"), "{text}");
    }
}

// Promise: files.faults
#[test]
fn files_that_are_no_tables_are_refused_with_their_place() {
    let wide = format!("{}\n{}\n", vec!["c"; 10_000].join(","), vec!["1"; 10_000].join(","));
    let bomb = format!("a,b\n1,\"{}", "x,\n".repeat(400_000));
    let broken = "name\nZoë\nKöln\nMünch".bytes().chain(*b"\xffen\n").collect::<Vec<u8>>();
    for (name, content, code, words) in [
        ("a.csv", &b"a,b\n1,2\n3\n"[..], "file_row_uneven", "a.csv:3: the row has 1 field,"),
        ("a.csv", b"a,b\n1,2\n\n3,4,5\n", "file_row_uneven", "a.csv:4: the row has 3 fields,"),
        ("a.csv", b"a,b\n1,\"2\n3,4\n", "file_quote_unclosed", "a.csv:2:"),
        ("a.csv", bomb.as_bytes(), "file_row_too_long", "a.csv:2:"),
        ("a.csv", wide.as_bytes(), "file_too_many_columns", "a.csv:1:"),
        ("a.csv", b"", "file_empty", "a.csv:"),
        ("a.csv", b"\n,,\n", "file_empty", "a.csv:"),
        ("a.csv", b"a,b\n", "file_without_rows", "a.csv:1:"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0", "file_content_differs", "PNG"),
        ("a.csv", b"a\n1\0\n", "file_content_differs", "binary"),
        ("a.csv", b"a\n\x81\x8d\n", "file_encoding_unknown", "a.csv:"),
        ("a.csv", &broken, "file_encoding_broken", "a.csv:4:"),
        ("a.xlsx", b"a,b\n1,2\n", "file_content_differs", "a.xlsx:"),
        ("a.xlsx", b"PK\x03\x04", "file_workbook_unreadable", "a.xlsx:"),
        ("missing.csv", b"", "file_missing", "missing.csv:"),
    ] {
        let folder = folder(&[("a.csv", b"x\n1\n")]);
        let path = folder.path().join(name);
        if code != "file_missing" {
            std::fs::write(&path, content).unwrap();
        }
        refused(&path, code, words);
    }
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = folder(&[]);
    let sparse = |name: &str, size: u64| {
        std::fs::File::create(folder.path().join(name)).unwrap().set_len(size).unwrap();
    };
    sparse("a.csv", 200_000_001);
    refused(&folder.path().join("a.csv"), "files_too_large", "200 MB");
    sparse("a.csv", 150_000_000);
    sparse("b.csv", 150_000_000);
    refused(folder.path(), "files_too_large", "200 MB");
}

// Promise: files.own-folder
#[cfg(unix)]
#[test]
fn a_folder_gives_only_its_own_files() {
    let outside = folder(&[("secret.csv", b"secret\n1\n")]);
    let shop = shop();
    std::fs::create_dir(shop.path().join("deep.csv")).unwrap();
    refused(shop.path(), "file_not_regular", "deep.csv");
    std::fs::remove_dir(shop.path().join("deep.csv")).unwrap();
    let link = shop.path().join("link.csv");
    std::os::unix::fs::symlink(outside.path().join("secret.csv"), &link).unwrap();
    refused(shop.path(), "file_is_link", "link.csv");
    std::fs::remove_file(&link).unwrap();
    std::fs::write(shop.path().join("~$shop.xlsx"), "").unwrap();
    std::fs::write(shop.path().join("notes.txt"), "").unwrap();
    let output = run(&["explain", "number of orders", "--database", shop.path().to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    refused(folder(&[("notes.txt", b"")]).path(), "folder_without_tables", "");
}

#[tokio::test]
async fn files_that_change_are_read_again() {
    let folder = folder(&[("orders.csv", ORDERS.as_bytes())]);
    let files = Files::new(folder.path(), 1).unwrap();
    let rows = async |files: &Files| files.read_catalog().await.unwrap().tables[0].row_estimate;
    assert_eq!(rows(&files).await, Some(4));
    let path = folder.path().join("orders.csv");
    let replace = |text: &str| -> PathBuf {
        let next = folder.path().join("next");
        std::fs::write(&next, text).unwrap();
        std::fs::rename(&next, &path).unwrap();
        path.clone()
    };
    replace(&format!("{ORDERS}5,2,2024-03-02,1\n"));
    assert_eq!(rows(&files).await, Some(5));
    replace("order_id,total\n1\n");
    let error = files.read_catalog().await.unwrap_err();
    assert!(
        matches!(&error, DatabaseError::UnreadableFile(text) if text.contains("orders.csv:2")),
        "{error}"
    );
    files.ping().await.unwrap();
}

// Promise: files.private-copy
#[cfg(unix)]
#[test]
fn the_copy_is_private_and_ends_with_the_process() {
    use std::os::unix::fs::PermissionsExt;
    let (shop, temporary) = (shop(), tempfile::tempdir().unwrap());
    let database = shop.path().to_str().unwrap();
    let mut serving = Serving::start_with(
        ("TMPDIR", temporary.path().to_str().unwrap()),
        temporary.path(),
        &["--database", database],
    );
    let copies = || {
        let entries = std::fs::read_dir(temporary.path()).unwrap().flatten();
        let is_copy = |entry: &std::fs::DirEntry| {
            entry.file_name().to_string_lossy().starts_with("wherefore-tables-")
        };
        entries.filter(is_copy).map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let folders = copies();
    assert_eq!(folders.len(), 1, "{folders:?}");
    for file in std::fs::read_dir(&folders[0]).unwrap().flatten() {
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", file.path());
    }
    let asked = json!({ "question": "how many orders" });
    assert_eq!(serving.http().post("query", &asked).expect(200)["outcome"], "answered");
    assert!(serving.stop().0.success());
    assert_eq!(copies(), Vec::<PathBuf>::new());
}
