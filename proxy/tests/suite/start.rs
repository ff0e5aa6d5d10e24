//! Errors that prevent the start name their cause.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use wherefore_proxy::config::Config;
use wherefore_proxy::startup::start;

use crate::support::{Client, Cluster, SHOP, SqliteFile, config};

async fn refusal(config: &Config) -> String {
    match start(config).await {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn holds(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
}

#[tokio::test]
async fn a_missing_sqlite_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = refusal(&config(folder.path(), &["--database", "/nowhere/shop.sqlite"])).await;
    holds(&error, &["/nowhere/shop.sqlite", "unavailable"]);
}

#[tokio::test]
async fn a_file_that_is_no_database_and_one_without_tables_are_told_apart() {
    let shop = SqliteFile::new("");
    let text = shop.file("notes.txt", &"not a database at all\n".repeat(100));
    let error = refusal(&config(shop.folder.path(), &["--database", text.to_str().unwrap()])).await;
    holds(&error, &["notes.txt", "not a database"]);
    let error = refusal(&shop.config(&[])).await;
    holds(&error, &["shop.sqlite", "no tables"]);
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_named_without_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://ann:s3cr3t@127.0.0.1:{free}/shop");
    let error = refusal(&config(folder.path(), &["--database", &url])).await;
    holds(&error, &[&format!("ann@127.0.0.1:{free}/shop"), "unavailable"]);
    assert!(!error.contains("s3cr3t"), "{error}");
}

#[tokio::test]
async fn a_login_without_rights_and_a_database_without_tables_are_told_apart() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let of = |user: &str| config(folder.path(), &["--database", &cluster.url(user)]);
    holds(&refusal(&of("owner")).await, &["no tables"]);
    cluster.run(SHOP);
    cluster.run(
        "CREATE ROLE stranger LOGIN; CREATE ROLE reader LOGIN; GRANT SELECT ON orders TO reader",
    );
    holds(
        &refusal(&of("stranger")).await,
        &["stranger@", "permission denied", "any of the 3 tables"],
    );
    holds(&refusal(&of("nobody")).await, &["nobody@", "permission denied"]);
    let client = Client::start(&of("reader")).await;
    let catalog = client.get("/api/v1/catalog").await.ok(200);
    assert_eq!(
        catalog["catalog"]["tables"].as_array().unwrap().len(),
        1,
        "only what may be read is listed"
    );
}

// Promise: asking.pack-errors
#[tokio::test]
async fn a_pack_that_names_what_is_not_there_is_refused_by_line() {
    let shop = SqliteFile::new(SHOP);
    let pack = shop.file("pack.toml", "name = \"Shop\"\n[[tables]]\nname = \"oders\"\n");
    let error = refusal(&shop.config(&["--pack", pack.to_str().unwrap()])).await;
    holds(&error, &["pack.toml:3: ", "unknown table: oders"]);
    let pack = shop.file("pack.toml", "name = \n");
    holds(&refusal(&shop.config(&["--pack", pack.to_str().unwrap()])).await, &["pack.toml:1: "]);
    holds(&refusal(&shop.config(&["--pack", "/nowhere/pack.toml"])).await, &["/nowhere/pack.toml"]);
}

#[tokio::test]
async fn other_machines_are_served_only_where_everyone_says_who_they_are() {
    let shop = SqliteFile::new(SHOP);
    for address in ["0.0.0.0:0", "192.0.2.1:80", "[::]:0"] {
        let error = refusal(&shop.config(&["--listen", address])).await;
        holds(&error, &[address, "loopback", "--auth keys", "key add"]);
        start(&shop.config(&["--listen", address, "--auth", "keys"])).await.unwrap();
    }
}

#[tokio::test]
async fn a_folder_without_a_page_is_refused() {
    let shop = SqliteFile::new(SHOP);
    holds(&refusal(&shop.config(&["--static", "/nowhere"])).await, &["/nowhere", "index.html"]);
}

#[tokio::test]
async fn catalogs_come_from_files_of_every_kind() {
    let shop = SqliteFile::new(SHOP);
    let client = Client::start(&shop.config(&[])).await;
    let json = client.get("/api/v1/catalog").await.ok(200)["catalog"].to_string();
    let csv = "table,column,type,references\ncustomers,id,integer,\norders,customer_id,integer,customers.id\n";
    for (name, text) in [("shop.json", json.as_str()), ("shop.sql", SHOP), ("shop.csv", csv)] {
        let path = shop.file(name, text);
        let client =
            Client::start(&config(shop.folder.path(), &["--catalog", path.to_str().unwrap()]))
                .await;
        let catalog = client.get("/api/v1/catalog").await.ok(200);
        assert_eq!(catalog["catalog"]["can_execute"], false, "{name}");
        assert_eq!(catalog["catalog"]["foreign_keys"][0]["to_table"], "customers", "{name}");
        client.execute("SELECT 1").await.problem(409, "no_database");
        client.get("/api/v1/ready").await.ok(200);
    }
    let workbook = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/data/shop.xlsx");
    let client = Client::start(&config(shop.folder.path(), &["--catalog", workbook])).await;
    let catalog = client.get("/api/v1/catalog").await.ok(200)["catalog"].clone();
    assert_eq!(catalog["name"], "shop");
    assert_eq!(
        catalog["tables"][0]["columns"][1]["synonyms"],
        serde_json::json!(["client", "buyer"])
    );
    assert_eq!(catalog["foreign_keys"][0]["to_table"], "customers");
    for (name, text, part) in [
        ("a.json", "{\"tables\": [{}]}", "line 1"),
        ("a.json", "{\"name\": \"x\", \"tables\": []}", "no tables"),
        ("a.sql", "CREATE TABLE (", "cannot read the SQL: line 1: expected"),
        ("a.csv", "a,b\n1,2\n", "headers `table` and `column`"),
        ("a.xlsx", "no spreadsheet", "cannot read the spreadsheet"),
        ("a.txt", "x", ".json, .sql, .xlsx"),
    ] {
        let path = shop.file(name, text);
        let error =
            refusal(&config(shop.folder.path(), &["--catalog", path.to_str().unwrap()])).await;
        holds(&error, &[name, part]);
    }
}

#[test]
fn the_program_prints_its_address_and_stops_when_told() {
    let shop = SqliteFile::new(SHOP);
    let mut program = Command::new(env!("CARGO_BIN_EXE_wherefore-proxy"))
        .args(["--listen", "127.0.0.1:0", "--store"])
        .arg(shop.folder.path().join("store.sqlite"))
        .arg("--database")
        .arg(&shop.path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address =
        line.trim().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}"));
    std::net::TcpStream::connect(address).unwrap();
    assert!(
        Command::new("kill").args(["-TERM", &program.id().to_string()]).status().unwrap().success()
    );
    assert!(program.wait().unwrap().success());
}

#[test]
fn the_program_fails_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_wherefore-proxy"))
        .args(["--database", "/nowhere/shop.sqlite", "--store"])
        .arg(folder.path().join("store.sqlite"))
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("error: database /nowhere/shop.sqlite")
    );
}

// Promise: http.closed-output
#[test]
fn output_that_nobody_reads_to_its_end_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.sqlite");
    for action in [&["key", "add", "--user", "ann"][..], &["key", "list"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = crate::support::serving::command(action);
        let output = command.arg("--store").arg(&store).stdout(writer).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{action:?}: {told}");
        assert!(!told.contains("panicked"), "{action:?}: {told}");
    }
    let listed = crate::support::serving::run(&["key", "list", "--store", store.to_str().unwrap()]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("ann"), "{listed:?}");
}
