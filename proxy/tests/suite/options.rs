//! Options of a file, the environment and flags, and errors before the start.

use crate::support::serving::{command, run};
use crate::support::{SHOP, Serving, SqliteFile, fill};

/// Standard error of the program that fails to start.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "it started");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

/// Output of the program for a configuration file.
#[track_caller]
fn refusal_of(shop: &SqliteFile, text: &str, more: &[&str]) -> String {
    let path = shop.file("wherefore.toml", text);
    refusal(&[&["--config", path.to_str().unwrap()], more].concat())
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
}

#[test]
fn keys_and_values_that_no_option_takes_are_refused_by_file_and_line() {
    let shop = SqliteFile::new(SHOP);
    for (text, parts) in [
        (
            "database = \"a.db\"\nrow_limits = 5\n",
            &["wherefore.toml:2: ", "unknown option: row_limits", "did you mean row_limit?"][..],
        ),
        ("\n\nrow-limit = 5\n", &[":3: ", "row-limit", "did you mean row_limit?"]),
        ("zebra = 1\n", &[":1: ", "unknown option: zebra\n"]),
        ("config = \"other.toml\"\n", &[":1: ", "unknown option: config"]),
        ("row_limit = \"5\"\n", &[":1: row_limit: expected an integer"]),
        ("row_limit = 0\n", &[":1: row_limit: ", "1..=100000"]),
        ("row_limit = [5]\n", &[":1: row_limit: expected a single value"]),
        ("database = 5\n", &[":1: database: expected a quoted string"]),
        (
            "[database]\naddress = \"a.db\"\n",
            &[":2: database: address is no key of this table", "(adbc_unknown_key)"],
        ),
        ("allow_host = [1]\n", &[":1: allow_host: expected a quoted string"]),
        ("auth = \"password\"\n", &[":1: auth: expected one of keys, jwt, none"]),
        ("listen = \"nowhere\"\n", &[":1: listen: ", "invalid socket address"]),
        ("allow_origin = [\"*\"]\n", &[":1: allow_origin: ", "https://chat.example"]),
        ("row_limit = \n", &["wherefore.toml:1: "]),
        ("database = \"a.db\"\ndatabase = \"b.db\"\n", &[":2: ", "duplicate key"]),
        ("[limits]\nrow_limit = 5\n", &[":1: ", "unknown option: limits"]),
        (
            "auth = \"keys\"\n[[tenants]]\nname = \"a\"\ndatabse = \"a.db\"\n",
            &[":4: tenants: ", "databse"],
        ),
        ("auth = \"keys\"\n[[tenants]]\ndatabase = \"a.db\"\n", &[":2: tenants: ", "name"]),
        ("tenants = 1\n", &[":1: tenants: ", "[[tenants]]"]),
    ] {
        holds(&refusal_of(&shop, text, &[]), parts);
    }
    holds(
        &refusal(&["--config", "/nowhere/w.toml"]),
        &["/nowhere/w.toml", "cannot read the configuration file"],
    );
}

#[test]
fn options_that_do_not_go_together_are_named() {
    let shop = SqliteFile::new(SHOP);
    let two = "database = \"a.db\"\ncatalog = \"b.json\"\n";
    let tenants = "[[tenants]]\nname = \"a\"\ndatabase = \"a.db\"\n";
    let jwt = "auth = \"jwt\"\njwks = \"k.json\"\njwt_issuer = \"i\"\n";
    for (text, parts) in [
        ("row_limit = 5\n", &["no data source: set"][..]),
        (two, &["toml:2: catalog: ", "database (", "toml:1)"]),
        (tenants, &["toml:1: tenants: ", "--auth keys"]),
        (&format!("auth = \"keys\"\ndatabase = \"x.db\"\n{tenants}"), &["tenants: ", "toml:2"]),
        (&format!("auth = \"keys\"\n{tenants}{tenants}"), &["toml:5: ", "a is defined twice"]),
        (&format!("auth = \"keys\"\npack = \"p.toml\"\n{tenants}"), &["toml:2: pack: "]),
        (
            "auth = \"keys\"\n[[tenants]]\nname = \"a b\"\ndatabase = \"a.db\"\n",
            &["toml:2: ", "must have 1 to"],
        ),
        ("auth = \"keys\"\n[[tenants]]\nname = \"a\"\n", &["toml:2: ", "tenant a", "set one of"]),
        (
            "auth = \"keys\"\n[[tenants]]\nname = \"a\"\ndatabase = \"a.db\"\ncatalog = \"b.json\"\n",
            &["tenant a", "set only one"],
        ),
        (
            "auth = \"keys\"\n[[tenants]]\nname = \"a\"\ndatabase_env = \"NO_SUCH_VARIABLE\"\n",
            &["tenant a", "NO_SUCH_VARIABLE", "not set"],
        ),
        (&format!("database = \"a.db\"\n{jwt}"), &["toml:2: auth: ", "--jwt-audience"]),
        ("database = \"a.db\"\njwks = \"k.json\"\n", &["toml:2: jwks: only used with --auth jwt"]),
        (
            "database = \"a.db\"\nlisten = \"0.0.0.0:0\"\n",
            &["toml:2: listen: ", "0.0.0.0:0", "--auth keys"],
        ),
        (
            "database = \"a.db\"\nconfirm_estimated_rows = 50\nmax_estimated_rows = 50\n",
            &["toml:2: confirm_estimated_rows: 50 must be below the 50 of ", "toml:3"],
        ),
        (
            "database_file = \"/nowhere/address\"\n",
            &["/nowhere/address", "cannot read the address"],
        ),
    ] {
        holds(&refusal_of(&shop, text, &[]), parts);
    }
    let jwt = format!("database = \"a.db\"\n{jwt}jwt_audience = \"a\"\n");
    holds(
        &refusal_of(&shop, &jwt.replace("k.json", "/nowhere/k.json"), &[]),
        &["key set /nowhere/k.json"],
    );
}

#[test]
fn no_refusal_shows_a_password() {
    let shop = SqliteFile::new(SHOP);
    let url = "postgres://ann:s3cr3t@127.0.0.1:1/shop";
    for text in [
        format!("database = \"{url}\n"),
        format!("database = [\"{url}\"]\n"),
        format!("databse = \"{url}\"\n"),
        format!("database = \"{url}\"\ncatalog = \"a.json\"\n"),
        format!("database = \"{url}\"\n"),
        format!("auth = \"keys\"\n[[tenants]]\nname = \"a\"\ndatabase = \"{url}\"\n"),
        format!("auth = \"keys\"\n[[tenants]]\nname = \"a\"\ndatabase = \"{url}\"\nx = 1\n"),
    ] {
        let refused = refusal_of(&shop, &text, &[]);
        assert!(!refused.contains("s3cr3t"), "{refused}");
    }
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    let shop = SqliteFile::new(SHOP);
    let path = shop.file("wherefore.toml", "row_limit = 70000000\n");
    let path = path.to_str().unwrap();
    let said = |variable: &str, flags: &[&str]| {
        let mut command = command(&[&["--config", path], flags].concat());
        command.env("WHEREFORE_ROW_LIMIT", variable);
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    holds(&refusal(&["--config", path]), &["toml:1: row_limit: 70000000"]);
    shop.file("wherefore.toml", "auth = \"keys\"\nlisten = \"0.0.0.0:0\"\nallow_host = [\"a\"]\n");
    holds(&said("80000000", &[]), &["80000000"]);
    holds(&said("5", &["--row-limit", "90000000"]), &["90000000"]);
    // The variable overrides the file, and the flag overrides the variable.
    let address = |variable: &str, flags: &[&str]| {
        let mut command =
            command(&[&["check", "--config", path, "--database", "x.db"], flags].concat());
        command.env("WHEREFORE_AUTH", variable);
        let output = command.arg("--store").arg(shop.folder.path().join("s")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    holds(&address("none", &[]), &["failed   config", "wherefore.toml:2: listen: "]);
    holds(&address("none", &["--auth", "keys"]), &["ok       config"]);
}

#[test]
fn a_file_can_hold_everything_that_serving_needs() {
    let shop = SqliteFile::new(SHOP);
    let sky = shop.folder.path().join("sky.sqlite");
    fill(&sky, "CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT)");
    let address = shop.file("address", &format!("{}\n", sky.display()));
    let text = format!(
        "auth = \"keys\"\nlog_format = \"json\"\nallow_host = [\"chat.example\"]\nquestions_per_minute = 5\n\
         [[tenants]]\nname = \"shop\"\ndatabase = {:?}\n\
         [[tenants]]\nname = \"sky\"\ndatabase_file = {address:?}\n",
        shop.path
    );
    let path = shop.file("wherefore.toml", &text);
    let mut program = Serving::start(shop.folder.path(), &["--config", path.to_str().unwrap()]);
    let health = program.call("GET", "/api/v1/health", &["Host: chat.example"], "");
    assert_eq!(health.status, 200);
    assert_eq!(program.call("GET", "/api/v1/catalog", &[], "").status, 401);
    let store = shop.folder.path().join("store.sqlite");
    let options = ["--config", path.to_str().unwrap(), "--store", store.to_str().unwrap()];
    let added = run(&[&["key", "add", "--tenant", "sky", "--user", "ann"], &options[..]].concat());
    assert!(added.status.success(), "{added:?}");
    let shown = String::from_utf8(added.stdout).unwrap();
    let (key, id) = (shown.lines().next().unwrap(), shown.split_whitespace().nth(2).unwrap());
    let bearer = format!("Authorization: Bearer {key}");
    let catalog = program.call("GET", "/api/v1/catalog", &[&bearer], "");
    assert!(catalog.text.contains("planets") && !catalog.text.contains("customers"), "{catalog:?}");
    let listed = run(&[&["key", "list"], &options[..]].concat());
    let listed = String::from_utf8(listed.stdout).unwrap();
    holds(&listed, &[id.trim_end_matches(';'), "active", "sky", "ann"]);
    assert!(!listed.contains(key));
    let id = id.trim_end_matches(';');
    assert!(run(&[&["key", "revoke", id], &options[..]].concat()).status.success());
    assert_eq!(program.call("GET", "/api/v1/catalog", &[&bearer], "").status, 401);
    holds(&refusal(&[&["key", "revoke", id], &options[..]].concat()), &["no active key"]);
    holds(
        &refusal(&[&["key", "add", "--tenant", "sea", "--user", "ann"], &options[..]].concat()),
        &["unknown tenant: sea"],
    );
    let log = program.log();
    assert!(log.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{log}");
    assert!(program.stop().0.success());
}

/// Addresses that may be used with each authentication mode.
#[test]
fn other_machines_are_served_only_with_authentication() {
    let shop = SqliteFile::new(SHOP);
    let database = shop.path.to_str().unwrap();
    let folder = shop.folder.path();
    let jwks = shop.file("keys.json", include_str!("data/keys.json"));
    let keys: &[&str] = &["--auth", "keys"];
    let jwt: &[&str] = &[
        "--auth",
        "jwt",
        "--jwks",
        jwks.to_str().unwrap(),
        "--jwt-issuer",
        "i",
        "--jwt-audience",
        "a",
    ];
    for (address, auth, starts) in [
        ("127.0.0.1:0", &[][..], true),
        ("127.0.0.1:0", keys, true),
        ("127.0.0.1:0", jwt, true),
        ("[::1]:0", &[], true),
        ("0.0.0.0:0", &[], false),
        ("[::]:0", &[], false),
        ("192.0.2.1:8080", &[], false),
        ("0.0.0.0:0", keys, true),
        ("0.0.0.0:0", jwt, true),
    ] {
        let store = folder.join("matrix.sqlite");
        let common =
            ["--database", database, "--store", store.to_str().unwrap(), "--listen", address];
        let checked = run(&[&["check"], &common[..], auth].concat());
        let text = String::from_utf8(checked.stdout).unwrap();
        // On a machine without the address another error is reported; only the rule is checked.
        let refused = text.contains("failed   config");
        assert_eq!(!refused, starts, "{address} {auth:?}: {text}");
        if !starts {
            let refused = refusal(&[&common[..], auth].concat());
            holds(&refused, &[address, "--auth keys", "--auth jwt", "loopback"]);
        }
    }
}
