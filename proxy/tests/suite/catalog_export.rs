//! `catalog export`: what it writes is the catalog that the proxy serves, and can be served without the database.

use serde_json::Value;

use crate::support::serving::{Serving, run};
use crate::support::{Cluster, SHOP, SqliteFile};

const PACK: &str = "
    [[tables]]
    name = \"customers\"
    synonyms = [\"buyers\"]
    [[tables.columns]]
    name = \"name\"
    sensitive = true
";

fn export(arguments: &[&str]) -> Value {
    let output = run(&[&["catalog", "export"], arguments].concat());
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn column<'a>(catalog: &'a Value, table: &str, name: &str) -> &'a Value {
    let named = |list: &'a Value, name: &str| {
        list.as_array().unwrap().iter().find(|it| it["name"] == name).unwrap()
    };
    named(&named(&catalog["tables"], table)["columns"], name)
}

fn check_shop(database: &str, pack: &str) {
    let with = export(&["--database", database, "--pack", pack]);
    assert_eq!(with["can_execute"], false);
    assert_eq!(column(&with, "customers", "country")["values"]["values"][0], "Brazil");
    for name in ["email", "name"] {
        assert_eq!(column(&with, "customers", name)["values"], Value::Null, "{name} is sensitive");
    }
    assert!(with.to_string().contains("buyers"), "the pack is merged");
    let without = export(&["--database", database, "--without-values"]);
    assert_eq!(column(&without, "customers", "country")["values"], Value::Null);
    assert_eq!(column(&without, "orders", "ordered_on")["minimum"], Value::Null);
    assert!(!without.to_string().contains("Brazil"), "{without}");
}

#[test]
fn a_catalog_is_written_from_both_databases() {
    let shop = SqliteFile::new(SHOP);
    let pack = shop.file("pack.toml", PACK);
    check_shop(shop.path.to_str().unwrap(), pack.to_str().unwrap());
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    check_shop(&cluster.url("owner"), pack.to_str().unwrap());
}

#[test]
fn the_file_is_a_data_source_of_its_own() {
    let shop = SqliteFile::new(SHOP);
    let folder = shop.folder.path();
    let file = folder.join("shop.json");
    let (database, path) = (shop.path.to_str().unwrap(), file.to_str().unwrap());
    let output = run(&["catalog", "export", "--database", database, "--output", path]);
    let told = String::from_utf8(output.stdout).unwrap();
    assert_eq!(told, format!("3 tables written to {path}\n"));
    let served = |options: &[&str]| -> Value {
        let serving = Serving::start(folder, options);
        let heard = serving.call("GET", "/api/v1/catalog", &[], "");
        let body = heard.text.split("\r\n\r\n").nth(1).unwrap();
        let mut catalog: Value = serde_json::from_str(body).unwrap();
        // What the source itself tells: its name, and whether statements can be run.
        for member in ["name", "can_execute"] {
            catalog["catalog"][member] = Value::Null;
        }
        catalog["catalog"].clone()
    };
    assert_eq!(served(&["--catalog", path]), served(&["--database", database]));
}

#[test]
fn what_is_missing_is_named() {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    for (arguments, said) in [
        (&[][..], "no data source"),
        (&["--database", "/nowhere/shop.db"], "/nowhere/shop.db"),
        (&["--database", database, "--tenant", "sky"], "unknown tenant: sky"),
        (&["--database", database, "--output", "/nowhere/c.json"], "cannot write /nowhere/c.json"),
    ] {
        let output = run(&[&["catalog", "export"], arguments].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && told.contains(said), "{arguments:?}: {told}");
    }
}
