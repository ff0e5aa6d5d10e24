//! Checks on the source that compilers and linters do not make.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use wherefore_tests::workspace::root;

const LONGEST_FILE: usize = 1_000;

/// A text file of the repository.
struct Source {
    path: String,
    text: String,
}

#[test]
fn i1_engine_reads_no_clock_environment_file_network_or_random_source() {
    let forbidden = [
        "HashMap",
        "HashSet",
        "SystemTime",
        "Instant::now",
        "Timestamp::now",
        "Zoned::now",
        "std::env",
        "std::fs",
        "std::net",
        "std::process",
        "std::thread",
        "getrandom",
    ];
    let mut found = Vec::new();
    let is_deterministic = |source: &&Source| {
        ["catalog", "engine", "sql"].iter().any(|folder| is_source_of(folder, source))
    };
    for source in sources().iter().filter(is_deterministic) {
        for (line, text) in code_lines(&source.text) {
            let words = forbidden.iter().filter(|word| text.contains(**word));
            found.extend(words.map(|word| format!("{}:{line}: {word}", source.path)));
        }
    }
    assert!(found.is_empty(), "the engine is not deterministic here:\n{}", found.join("\n"));
}

#[test]
fn lower_stages_of_the_engine_import_no_higher_ones() {
    assert_layered("engine", "stages.txt");
}

#[test]
fn lower_rooms_of_the_proxy_import_no_higher_ones() {
    assert_layered("proxy", "stages_proxy.txt");
}

#[test]
fn crates_depend_on_lower_ones_only() {
    for (package, allowed) in [
        ("catalog", &[][..]),
        ("english", &[][..]),
        ("sql", &["wherefore-catalog", "wherefore-english"]),
        ("engine", &["wherefore-catalog", "wherefore-english", "wherefore-sql"]),
        ("pkg", &["wherefore-engine"]),
        ("pkg/sql", &["wherefore-catalog", "wherefore-sql"]),
        ("proxy", &["wherefore-engine", "wherefore-english", "wherefore-sql"]),
        ("sample", &[]),
        ("web", &["wherefore-engine", "wherefore-english"]),
    ] {
        let manifest = fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
        let own = dependencies(&manifest)
            .into_iter()
            .filter(|name| name == "wherefore" || name.starts_with("wherefore-"))
            .filter(|name| !allowed.contains(&name.as_str()))
            .collect::<Vec<_>>();
        assert!(own.is_empty(), "{package}/Cargo.toml depends on {own:?}");
    }
}

// Promise: structure.places
#[test]
fn the_parts_of_the_project_are_in_their_places() {
    for folder in ["engine", "web", "proxy", "pkg", "www", "tests"] {
        let is_tracked = sources().iter().any(|source| Path::new(&source.path).starts_with(folder));
        assert!(is_tracked, "{folder}/ has no files");
    }
    for file in ["Cargo.toml", "Trunk.toml"] {
        assert!(root().join(file).is_file(), "{file} is missing");
    }
}

// Promise: structure.foundations
#[test]
fn what_the_project_is_built_on_are_direct_dependencies() {
    for (package, expected) in [
        ("engine", &["serde", "serde_json", "tsify"][..]),
        ("pkg", &["serde-wasm-bindgen", "wasm-bindgen"]),
        ("proxy", &["axum", "tokio"]),
        ("sql", &["sqlparser"]),
        ("web", &["leptos"]),
    ] {
        let manifest = fs::read_to_string(root().join(package).join("Cargo.toml")).unwrap();
        let own = dependencies(&manifest);
        for name in expected {
            assert!(own.iter().any(|it| it == name), "{package}/Cargo.toml does not name {name}");
        }
    }
}

#[test]
fn one_crate_uses_the_parser_of_sql() {
    // The evaluations may use it too, to validate printed statements.
    let users: Vec<String> = sources()
        .iter()
        .filter(|source| source.path.ends_with("Cargo.toml"))
        .filter(|source| dependencies(&source.text).iter().any(|name| name == "sqlparser"))
        .map(|source| source.path.clone())
        .filter(|path| !path.starts_with("bench/") && !path.starts_with("eval/"))
        .collect();
    assert_eq!(users, ["sql/Cargo.toml"]);
}

#[test]
fn files_are_short_enough_to_read() {
    let kinds = [".rs", ".css", ".js", ".mjs", ".ts", ".tsx", ".html"];
    let long: Vec<String> = sources()
        .iter()
        .filter(|source| kinds.iter().any(|kind| source.path.ends_with(kind)))
        .filter(|source| source.path != "pkg/js/wire.d.ts")
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "more than {LONGEST_FILE} lines:\n{}", long.join("\n"));
}

#[test]
fn no_file_names_a_place_of_one_machine() {
    // Split, so that this file does not match itself.
    let places = [["/ro", "ot/"], ["/ho", "me/"], ["/Us", "ers/"], ["/wo", "rk/"], ["/tmp", "/wt"]]
        .map(|parts| parts.concat());
    let mut found = Vec::new();
    for source in sources() {
        for (line, text) in (1..).zip(source.text.lines()) {
            for place in &places {
                let starts_a_path = text.match_indices(place.as_str()).any(|(index, _)| {
                    let before = text[..index].chars().next_back();
                    before.is_none_or(|c| !(c.is_alphanumeric() || "./}_-".contains(c)))
                });
                if starts_a_path {
                    found.push(format!("{}:{line}: {}", source.path, text.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "paths of one machine:\n{}", found.join("\n"));
}

#[test]
fn locked_packages_come_from_no_named_host() {
    let cargo = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let elsewhere: Vec<&str> = cargo
        .lines()
        .filter(|line| line.starts_with("source = "))
        .filter(|line| !line.contains("registry+https://github.com/rust-lang/crates.io-index"))
        .collect();
    assert!(elsewhere.is_empty(), "Cargo.lock: {elsewhere:?}");
    for source in sources().iter().filter(|source| source.path.ends_with("package-lock.json")) {
        let resolved = source.text.lines().filter(|line| line.contains("\"resolved\""));
        let hosts: Vec<&str> = resolved.filter(|line| line.contains("://")).collect();
        assert!(hosts.is_empty(), "{}: {hosts:?}", source.path);
    }
    let config = fs::read_to_string(root().join(".cargo/config.toml")).unwrap();
    assert!(!config.contains("registry"), ".cargo/config.toml names a registry");
}

#[test]
fn page_writes_no_markup_from_text() {
    let found: Vec<String> = sources()
        .iter()
        .filter(|source| source.path.starts_with("web/") || source.path.starts_with("www/"))
        .flat_map(|source| {
            code_lines(&source.text)
                .filter(|(_, text)| {
                    ["inner_html", "innerHTML", "insertAdjacentHTML", "outerHTML"]
                        .iter()
                        .any(|word| text.contains(word))
                })
                .map(|(line, _)| format!("{}:{line}", source.path))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "markup made from text:\n{}", found.join("\n"));
}

#[test]
fn every_package_has_the_version_of_the_workspace() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = "))
        .map(|version| version.trim_matches('"').to_owned())
        .unwrap();
    for source in sources() {
        if source.path.ends_with("/Cargo.toml") {
            let inherits = source.text.contains("version.workspace = true");
            assert!(inherits, "{} has a version of its own", source.path);
        } else if source.path.ends_with("/package.json") {
            let package: serde_json::Value = serde_json::from_str(&source.text).unwrap();
            let own = package["version"].as_str().unwrap_or(&version);
            assert_eq!(own, version, "{}", source.path);
        }
    }
}

#[test]
fn no_comment_puts_work_off() {
    // Split, so that this file does not match itself.
    let words = [["TO", "DO"], ["FIX", "ME"], ["XX", "X:"]].map(|parts| parts.concat());
    let kinds = [".rs", ".css", ".js", ".mjs", ".ts", ".tsx", ".html", ".toml"];
    let mut found = Vec::new();
    for source in sources() {
        if kinds.iter().any(|kind| source.path.ends_with(kind)) {
            for (line, text) in (1..).zip(source.text.lines()) {
                if words.iter().any(|word| text.contains(word.as_str())) {
                    found.push(format!("{}:{line}", source.path));
                }
            }
        }
    }
    assert!(found.is_empty(), "work put off:\n{}", found.join("\n"));
}

/// Asserts that every module of a crate is in a list, lowest first, and imports modules above it in the list only.
#[track_caller]
fn assert_layered(folder: &str, list: &str) {
    let text = fs::read_to_string(root().join("tests/data").join(list)).unwrap();
    let modules: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let level = |module: &str| modules.iter().position(|it| *it == module);
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| is_source_of(folder, source)) {
        let module = module_of(folder, &source.path);
        if matches!(module, "lib" | "main") {
            continue;
        }
        let Some(own) = level(module) else {
            found.push(format!("{}: {module} is not in tests/data/{list}", source.path));
            continue;
        };
        for (line, text) in code_lines(&source.text) {
            for import in text.split("crate::").skip(1) {
                let name = import.split(|c: char| !(c.is_lowercase() || c == '_')).next();
                // The names in `crate::{…}` are not parsed here.
                let is_list = import.starts_with('{');
                if is_list || name.and_then(level).is_some_and(|other| other > own) {
                    found.push(format!("{}:{line}: {}", source.path, text.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "imports of a higher module:\n{}", found.join("\n"));
}

/// Text files that git tracks or would track.
fn sources() -> Vec<Source> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "git lists no files: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let list = String::from_utf8(output.stdout).unwrap();
    let read = |path: &str| {
        let text = fs::read_to_string(root().join(Path::new(path))).ok()?;
        Some(Source { path: path.to_owned(), text })
    };
    list.lines().filter_map(read).collect()
}

/// Whether a source is a Rust file of the crate in this folder.
fn is_source_of(folder: &str, source: &Source) -> bool {
    let path = Path::new(&source.path);
    path.starts_with(Path::new(folder).join("src"))
        && path.extension().is_some_and(|extension| extension == "rs")
}

/// Module at the root of a crate that a file belongs to: its folder, or its own name.
fn module_of<'a>(folder: &str, path: &'a str) -> &'a str {
    let path = path.trim_start_matches(folder).trim_start_matches("/src/");
    path.split(['/', '.']).next().unwrap_or(path)
}

/// Numbered lines before the unit tests, without comment lines.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Dependency names under `[dependencies]` and `[build-dependencies]`.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut within = false;
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = matches!(line.trim(), "[dependencies]" | "[build-dependencies]");
        } else if within && !line.starts_with('#') {
            let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
            if !name.is_empty() {
                names.push(name.to_owned());
            }
        }
    }
    names
}
