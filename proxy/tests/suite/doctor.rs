//! The command `check`: each mistake of a first configuration has a line that says what to do.

use crate::support::serving::{command, run};
use crate::support::{Cluster, Reply, SHOP, SqliteFile, Upstream};

/// Output of `check` with these options, and whether it succeeded.
#[track_caller]
fn check(shop: &SqliteFile, options: &[&str]) -> (bool, String) {
    let store = shop.folder.path().join("store.sqlite");
    let mut options = [&["check"], options].concat();
    for (option, value) in [("--listen", "127.0.0.1:0"), ("--store", store.to_str().unwrap())] {
        if !options.contains(&option) {
            options.extend([option, value]);
        }
    }
    let output = run(&options);
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.success(), text + &String::from_utf8(output.stderr).unwrap())
}

/// Asserts that one part failed, with these words in its line.
#[track_caller]
fn fails(shop: &SqliteFile, options: &[&str], part: &str, words: &[&str]) {
    let (is_fine, text) = check(shop, options);
    assert!(!is_fine, "{text}");
    let start = format!("failed   {part}");
    let line = text.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("nothing begins with {start:?} in:\n{text}"));
    for word in words {
        assert!(line.contains(word), "{word} is missing in: {line}");
    }
}

#[test]
fn a_machine_without_mistakes_is_told_part_by_part() {
    let shop = SqliteFile::new(SHOP);
    let (is_fine, text) = check(&shop, &["--database", shop.path.to_str().unwrap()]);
    assert!(is_fine, "{text}");
    for part in ["config", "database", "catalog", "store", "sign-in", "web", "address", "model"] {
        assert!(text.contains(&format!("ok       {part}")), "{part} is missing in:\n{text}");
    }
    assert!(text.contains("3 tables"), "{text}");
}

#[test]
fn mistakes_of_files_and_options_are_told_apart() {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    let named = |more: &[&'static str]| [&["--database", database], more].concat();
    fails(&shop, &[], "config", &["no data source: set", "--database"]);
    fails(
        &shop,
        &["--database", "/nowhere/x.sqlite"],
        "database",
        &[
            "/nowhere/x.sqlite: the database is unavailable: there is no such file; correct --database",
        ],
    );
    fails(
        &shop,
        &["--database", "postgre://ann:s3cr3t@localhost/shop"],
        "database",
        &[
            "postgre://ann@localhost/shop: ",
            "postgre: is no scheme of a database; URLs begin with postgres://",
            "correct --database",
        ],
    );
    fails(
        &shop,
        &["--database", "adbc:snowflake?uri=x&password=s3cr3t"],
        "database",
        &["adbc:snowflake: ", "adbc_unknown_profile", "correct --database"],
    );
    let empty = shop.folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let words = ["/empty: the folder has no .csv, ", "(folder_without_tables); correct --database"];
    fails(&shop, &["--database", empty.to_str().unwrap()], "database", &words);
    fails(
        &shop,
        &named(&["--store", "/nowhere/s.sqlite"]),
        "store",
        &["folder /nowhere does not exist", "--store"],
    );
    fails(&shop, &named(&["--store", "/proc/s.sqlite"]), "store", &["/proc/s.sqlite", "writable"]);
    fails(&shop, &named(&["--static", "/nowhere"]), "web", &["/nowhere", "index.html", "--static"]);
    for option in ["--pack", "--lessons", "--settings"] {
        let words = ["/nowhere/p.toml: ", "o such file", &format!("; correct {option}")];
        fails(&shop, &named(&[option, "/nowhere/p.toml"]), "catalog", &words);
    }
    fails(
        &shop,
        &["--catalog", "/nowhere/c.sql"],
        "catalog",
        &["/nowhere/c.sql", "; correct --catalog"],
    );
    let tokens =
        ["--auth", "jwt", "--jwks", "/nowhere/k.json", "--jwt-issuer", "i", "--jwt-audience", "a"];
    fails(&shop, &named(&tokens), "sign-in", &["/nowhere/k.json", "--jwks"]);
    fails(&shop, &named(&["--listen", "0.0.0.0:0"])[..], "address", &["0.0.0.0:0", "--auth keys"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let store = shop.folder.path().join("store.sqlite");
    let output = run(&[
        "check",
        "--database",
        database,
        "--store",
        store.to_str().unwrap(),
        "--listen",
        &address,
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        !output.status.success()
            && text.contains(&format!("failed   address      cannot listen on {address}")),
        "{text}"
    );
    let file = shop.file("w.toml", "row_limits = 5\n");
    let (is_fine, text) = check(&shop, &["--config", file.to_str().unwrap()]);
    assert!(!is_fine && text.starts_with("failed   config"), "{text}");
    assert!(text.contains("w.toml:1: unknown option: row_limits"), "{text}");
    let (is_fine, text) = check(&shop, &named(&["--auth", "keys"]));
    assert!(is_fine && text.contains("warning  sign-in      no active API key"), "{text}");
    let empty = SqliteFile::new("");
    fails(&empty, &["--database", empty.path.to_str().unwrap()], "catalog", &["no tables"]);
}

#[test]
fn a_missing_file_is_told_with_the_place_that_names_it() {
    let shop = SqliteFile::new(SHOP);
    let file = shop.file("w.toml", "\ndatabase = \"/nowhere/x.sqlite\"\n");
    let options = ["--config", file.to_str().unwrap()];
    fails(&shop, &options, "database", &["there is no such file; correct database (", "w.toml:2)"]);
    let database = shop.path.to_str().unwrap();
    let tenant = |more: &str| format!("[[tenants]]\nname = \"default\"\n{more}");
    let text = tenant(&format!("database = \"{database}\"\npack = \"/nowhere/p.toml\"\n"));
    let file = shop.file("w.toml", &text);
    let options = ["--config", file.to_str().unwrap()];
    let words =
        ["pack /nowhere/p.toml: there is no such file", "pack of the tenant at", "w.toml:1"];
    fails(&shop, &options, "catalog default", &words);
}

#[test]
fn a_missing_option_has_one_line() {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    for (options, words) in [
        (&["--database", database, "--auth", "jwt"][..], "--auth jwt also needs --jwks"),
        (&[], "no data source"),
    ] {
        let (_, text) = check(&shop, options);
        let failed: Vec<&str> = text.lines().filter(|line| line.starts_with("failed")).collect();
        assert!(matches!(failed[..], [line] if line.contains(words)), "{text}");
    }
}

#[test]
fn mistakes_of_a_server_are_told_apart() {
    let Some(cluster) = Cluster::start() else { return };
    cluster.run(SHOP);
    cluster.run(
        "CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader; \
         CREATE ROLE stranger LOGIN; CREATE ROLE locked LOGIN PASSWORD 'right'",
    );
    cluster.run("CREATE DATABASE bare");
    // The line for `locked` comes first, so that only this user has to give a password.
    cluster.run(
        "DO $$ BEGIN EXECUTE format('COPY (SELECT unnest(ARRAY[''host all locked 127.0.0.1/32 scram-sha-256'', ''host all all 127.0.0.1/32 trust''])) TO %L', current_setting('hba_file')); END $$",
    );
    cluster.run("SELECT pg_reload_conf()");
    let shop = SqliteFile::new("");
    let of = |user: &str| cluster.url(user);
    let (_, text) = check(&shop, &["--database", &of("reader")]);
    assert!(text.contains("ok       database") && text.contains("3 tables"), "{text}");
    let failing = |url: &str, part: &str, words: &[&str]| {
        fails(&shop, &["--database", url], part, words);
    };
    failing(&of("locked:wrong"), "database", &["wrong user or password", "PGPASSWORD"]);
    failing(&of("locked"), "database", &["requires a password"]);
    failing(&of("nobody"), "database", &["the user does not exist", "nobody"]);
    failing(&of("stranger"), "catalog", &["GRANT SELECT"]);
    let in_database = |name: &str| of("reader").replace("/postgres", name);
    failing(&in_database("/shop"), "database", &["the database does not exist"]);
    failing(&in_database("/bare"), "catalog", &["no tables"]);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    failing(
        &format!("postgres://reader@127.0.0.1:{free}/shop"),
        "database",
        &["nothing listens there"],
    );
    failing(
        "postgres://reader@no-such-host.invalid/shop",
        "database",
        &["host name cannot be resolved"],
    );
    failing("postgres://reader@127.0.0.1:port/shop", "database", &["invalid address"]);
    let output =
        command(&["check", "--database", &of("locked"), "--listen", "127.0.0.1:0", "--store"])
            .arg(shop.folder.path().join("store.sqlite"))
            .env("PGPASSWORD", "right")
            .output()
            .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("ok       database"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mistakes_with_a_model_are_told_apart() {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    let upstream = Upstream::start([Reply::Document("{\"relevant\": true}".into())]).await;
    let url = upstream.url();
    let root = url.trim_end_matches("/v1");
    let secure = url.replace("http://", "https://");
    let options = |url: &str, model: &str| -> Vec<String> {
        let first = ["--llm-first-byte-seconds", "1", "--llm-total-seconds", "3"];
        [&["--database", database, "--llm-url", url, "--llm-model", model][..], &first]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    let told = |options: &[String]| {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        check(&shop, &options).1
    };
    let good = told(&options(&url, "writer"));
    assert!(good.contains("ok       model        writer responds within"), "{good}");
    let two = [options(&url, "writer"), vec!["--llm-fast-model".into(), "judge".into()]].concat();
    assert!(told(&two).contains("; judge responds within"), "{}", told(&two));

    let failing = |url: &str, model: &str, words: &[&str]| {
        let options = options(url, model);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        fails(&shop, &options, "model", words);
    };
    failing(root, "writer", &["nothing responds at", "/chat/completions", "usually ends in /v1"]);
    failing(&secure, "writer", &["check that a server runs at 127.0.0.1:", "speaks https"]);
    upstream.say([Reply::Status(404, None)]);
    failing(&url, "other", &["no model other; it has writer, judge", "--llm-model"]);
    upstream.say([Reply::Status(401, None)]);
    failing(&url, "writer", &["the key is missing or wrong", "WHEREFORE_LLM_KEY"]);
    upstream.say([Reply::Hang]);
    failing(&url, "writer", &["did not respond within", "--llm-first-byte-seconds"]);
    upstream.say([Reply::NoSchema("{}".into())]);
    let plain = told(&options(&url, "writer"));
    assert!(plain.contains("JSON schemas are not supported"), "{plain}");
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let away = format!("http://127.0.0.1:{free}/v1");
    failing(&away, "writer", &["it cannot be reached", "check that a server runs at"]);
}
