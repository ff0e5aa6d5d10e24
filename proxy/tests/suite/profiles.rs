//! A database that is named by a profile, a driver and a URI, on the command line and as a table of a file.

use std::path::Path;

use serde_json::json;

use crate::support::serving::{Serving, run};
use crate::support::{DuckDb, SHOP};

/// Output of `check` for a configuration file, and whether it succeeded.
fn check(folder: &Path, text: &str, more: &[&str]) -> (bool, String) {
    let (config, store) = (folder.join("wherefore.toml"), folder.join("store.sqlite"));
    std::fs::write(&config, text).unwrap();
    let options = ["check", "--config", config.to_str().unwrap(), "--listen", "127.0.0.1:0"];
    let store = ["--store", store.to_str().unwrap()];
    let output = run(&[&options, &store[..], more].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text + &String::from_utf8(output.stderr).unwrap())
}

#[track_caller]
fn fails(folder: &Path, text: &str, more: &[&str], words: &[&str]) {
    let (is_fine, told) = check(folder, text, more);
    assert!(!is_fine, "{told}");
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("failed ")).collect();
    let is_told = lines.iter().any(|line| words.iter().all(|word| line.contains(word)));
    assert!(is_told, "{words:?} are in no line of:\n{told}");
    assert!(!told.contains("s3cr3t"), "{told}");
}

/// A file with this table `[database]`.
fn table(lines: &str) -> String {
    format!("# A comment.\n[database]\n{lines}\n")
}

// Promise: sources.profile-faults
#[test]
fn check_tells_what_is_wrong_with_each_table() {
    let folder = tempfile::tempdir().unwrap();
    for (lines, words) in [
        ("driver = \"duckdb\"\nuri = \"a\"", &["toml:2: database: ", "adbc_missing_profile"][..]),
        (
            "profile = \"snowflake\"\ndriver = \"a\"\nuri = \"b\"",
            &["toml:2: database: ", "duckdb, sail, spark", "adbc_unknown_profile"],
        ),
        ("profile = \"duckdb\"\nuri = \"a\"", &["toml:2: ", "adbc_missing_driver"]),
        (
            "profile = \"duckdb\"\ndriver = \"lib/libduckdb.so\"\nuri = \"a\"",
            &["toml:2: ", "an absolute path", "adbc_relative_driver"],
        ),
        ("profile = \"duckdb\"\ndriver = \"duckdb\"", &["toml:2: ", "adbc_missing_uri"]),
        (
            "profile = \"duckdb\"\ndriver = \"duckdb\"\nuri = \"\"",
            &["toml:2: ", "adbc_missing_uri"],
        ),
        (
            "profile = \"sail\"\ndriver = \"flightsql\"\nuri = \"sail://ann:s3cr3t@host\"",
            &["toml:2: ", "sail://HOST:PORT", "adbc_wrong_uri"],
        ),
        (
            "profile = \"duckdb\"\ndriver = \"duckdb\"\nuri = \"a\"\noptions = { access_mode = \"s3cr3t\" }",
            &["toml:6: database: options: access_mode", "memory_limit", "adbc_unknown_option"],
        ),
        (
            "profile = \"sail\"\ndriver = \"a\"\nuri = \"b\"\noptions = \"password=s3cr3t\"",
            &["toml:6: database: options: expected a table", "adbc_wrong_value"],
        ),
        (
            "profile = \"duckdb\"\ndriver = 5\nuri = \"a\"",
            &["toml:4: database: driver: expected a quoted string", "adbc_wrong_value"],
        ),
        (
            "profile = \"duckdb\"\nrow_limit = 5",
            &["toml:4: database: row_limit is no key", "above the first", "adbc_unknown_key"],
        ),
        (
            "profile = \"duckdb\"\ndriver = \"duckdb\"\nuri = \"/nowhere/a.duckdb\"",
            &["database", "/nowhere/a.duckdb", "toml:2", "adbc_missing_file"],
        ),
    ] {
        fails(folder.path(), &table(lines), &[], words);
    }
    let right = "profile = \"duckdb\"\ndriver = \"/nowhere/lib.so\"\nuri = \"wherefore.toml\"";
    let both = format!("database = \"a.db\"\n{}", table(right));
    fails(folder.path(), &both, &[], &["wherefore.toml:3: ", "duplicate key"]);
    let both = format!("catalog = \"a.json\"\n{}", table(right));
    fails(folder.path(), &both, &[], &["toml:1: catalog: ", "database (", "toml:3)"]);
    let driver = format!("driver = \"/nowhere/other.so\"\n{}", table(right));
    fails(folder.path(), &driver, &[], &["toml:1: driver: ", "adbc_repeated_driver"]);
    let address = folder.path().join("address");
    std::fs::write(&address, "adbc:duckdb?driver=/nowhere/lib.so&uri=a").unwrap();
    let of_file = format!("database_file = {address:?}\ndriver = \"/nowhere/other.so\"\n");
    fails(folder.path(), &of_file, &[], &["adbc_repeated_driver"]);
    let file = folder.path().join("wherefore.toml");
    let right = right.replace("wherefore.toml", file.to_str().unwrap());
    let words =
        ["/nowhere/lib.so cannot be used: there is no such file", "correct driver of database"];
    fails(folder.path(), &table(&right), &[], &words);
    let tenant = "auth = \"keys\"\n[[tenants]]\nname = \"a\"\n";
    let of_tenant = format!("{tenant}database = {{ profile = \"duckdb\", file = \"s3cr3t\" }}\n");
    fails(folder.path(), &of_tenant, &[], &["toml:4: tenants: database: file", "adbc_unknown_key"]);
    let of_tenant = format!("{tenant}database = {{ profile = \"duckdb\", driver = \"duckdb\" }}\n");
    fails(folder.path(), &of_tenant, &[], &["toml:2: tenants: tenant a: ", "adbc_missing_uri"]);
}

// Promise: sources.profile-faults
#[test]
fn check_tells_what_is_wrong_with_each_address() {
    let folder = tempfile::tempdir().unwrap();
    for (address, words) in [
        ("adbc:", &["--database: ", "adbc_unknown_profile"][..]),
        ("adbc:snowflake?driver=a&uri=s3cr3t", &["--database: ", "adbc_unknown_profile"]),
        ("adbc:sail?driver=flightsql&uri=sail://u:a?s3cr3t@h:1", &["%3F", "adbc_unescaped_value"]),
        ("adbc:sail?driver=flightsql&uri=sail://u:a&s3cr3t@h:1", &["%26", "adbc_missing_value"]),
        ("adbc:sail?driver=flightsql&pasword=s3cr3t", &["password", "adbc_unknown_option"]),
        ("adbc:duckdb?driver=duckdb&uri=a&uri=b", &["key 3", "adbc_repeated_key"]),
        ("adbc:duckdb?driver=duckdb&uri=/nowhere/a", &["correct --database", "adbc_missing_file"]),
    ] {
        fails(folder.path(), "", &["--database", address], words);
    }
}

// Promise: sources.profiles
#[test]
fn a_profile_opens_duckdb_with_its_options_and_a_request_cannot_name_one() {
    let Some(file) = DuckDb::new(SHOP) else { return };
    let (path, driver) = (file.path.to_str().unwrap(), file.driver.to_str().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let lines = format!(
        "profile = \"duckdb\"\ndriver = \"{driver}\"\nuri = \"{path}\"\noptions = {{ threads = 1, memory_limit = \"500MB\" }}"
    );
    let (is_fine, told) = check(folder.path(), &table(&lines), &[]);
    assert!(is_fine && told.contains(&format!("adbc:duckdb?uri={path} responds")), "{told}");
    let config = folder.path().join("wherefore.toml");
    let of_file = ["--config", config.to_str().unwrap()];
    let address = format!("adbc:duckdb?driver={driver}&uri={path}&threads=1");
    for options in [of_file, ["--database", &address]] {
        let proxy = Serving::start(folder.path(), &options);
        let sql = "SELECT count(*) AS n FROM orders";
        let asked = |body: serde_json::Value| {
            let json = ["Content-Type: application/json"];
            proxy.call("POST", "/api/v1/sql/execute", &json, &body.to_string())
        };
        let rows = asked(json!({ "sql": sql }));
        assert_eq!(rows.status, 200, "{}", rows.text);
        for key in ["driver", "database", "uri", "profile"] {
            let refused = asked(json!({ "sql": sql, key: "/tmp/evil.so" }));
            assert_eq!(refused.status, 400, "{key}: {}", refused.text);
        }
    }
    let wrong = format!("adbc:duckdb?driver={driver}&uri={path}&threads=many");
    fails(
        folder.path(),
        "",
        &["--database", &wrong],
        &["refuses the value of an option, threads (adbc_refused_option)"],
    );
}
