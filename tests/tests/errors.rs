//! The page of all error codes is generated, and names the same codes as the code and `openapi.json`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use wherefore_engine::FailureCode;
use wherefore_proxy::problem::ProblemCode;
use wherefore_tests::expect::generated_file;
use wherefore_tests::workspace::root;

/// A group of related codes.
struct Group {
    title: String,
    note: String,
    codes: Vec<Entry>,
}

/// An error code.
struct Entry {
    code: String,
    /// HTTP statuses of responses with this code; empty if it only occurs within responses with status 200.
    statuses: Vec<u16>,
    /// Whether `openapi.json` does not list the code.
    unlisted: bool,
    meaning: String,
    advice: String,
}

#[test]
fn the_page_of_error_codes_is_up_to_date() {
    let command = "cargo test -p wherefore-tests --test errors";
    generated_file("docs/errors.md", command, &page(&groups()));
}

#[test]
fn no_code_is_explained_twice() {
    let groups = groups();
    let mut seen = BTreeSet::new();
    for entry in groups.iter().flat_map(|group| &group.codes) {
        assert!(seen.insert(&entry.code), "{} is explained twice", entry.code);
    }
}

#[test]
fn the_page_and_the_openapi_document_name_the_same_codes() {
    let text = fs::read_to_string(root().join("proxy/src/openapi/routes.toml")).unwrap();
    let described: BTreeSet<(u16, String)> = text
        .split('"')
        .filter_map(|quoted| {
            let (status, code) = quoted.split_once(' ')?;
            Some((status.parse::<u16>().ok().filter(|status| *status >= 400)?, code.to_owned()))
        })
        .collect();
    let groups = groups();
    let entries = || groups.iter().flat_map(|group| &group.codes);
    let explained: BTreeSet<(u16, String)> = entries()
        .filter(|entry| !entry.unlisted)
        .flat_map(|entry| entry.statuses.iter().map(|status| (*status, entry.code.clone())))
        .collect();
    let unexplained: Vec<_> = described.difference(&explained).collect();
    assert!(unexplained.is_empty(), "routes.toml only: {unexplained:?}");
    let undescribed: Vec<_> = explained.difference(&described).collect();
    assert!(undescribed.is_empty(), "tests/data/errors.toml only: {undescribed:?}");
    let document = fs::read_to_string(root().join("proxy/openapi.json")).unwrap();
    for (_, code) in &described {
        assert!(document.contains(code.as_str()), "openapi.json lacks {code}");
    }
    let listed = |entry: &&Entry| {
        let pair = |status: &u16| described.contains(&(*status, entry.code.clone()));
        entry.unlisted && entry.statuses.iter().any(pair)
    };
    let listed: Vec<&str> = entries().filter(listed).map(|entry| entry.code.as_str()).collect();
    assert!(listed.is_empty(), "marked as unlisted, and yet in routes.toml: {listed:?}");
}

#[test]
fn every_code_of_the_engine_and_the_proxy_is_explained() {
    let groups = groups();
    let explained: BTreeSet<&str> =
        groups.iter().flat_map(|group| &group.codes).map(|entry| entry.code.as_str()).collect();
    let of_proxy = ProblemCode::ALL.iter().map(|code| code.as_str());
    let missing: Vec<&str> = FailureCode::ALL
        .iter()
        .map(|code| code.as_str())
        .chain(of_proxy)
        .filter(|code| !explained.contains(code))
        .collect();
    assert!(missing.is_empty(), "tests/data/errors.toml lacks {missing:?}");
}

#[test]
fn every_code_that_is_explained_stands_in_the_source() {
    let mut sources = String::new();
    for folder in [
        "catalog/src",
        "engine/src",
        "pkg/js",
        "pkg/sql/src",
        "pkg/src",
        "proxy/src",
        "sql/src",
        "web/src",
    ] {
        read_sources(&root().join(folder), &mut sources);
    }
    let groups = groups();
    let missing: Vec<&str> = groups
        .iter()
        .flat_map(|group| &group.codes)
        .map(|entry| entry.code.as_str())
        .filter(|code| !sources.contains(&format!("\"{code}\"")))
        .collect();
    assert!(missing.is_empty(), "no source gives these codes: {missing:?}");
}

#[test]
fn every_code_that_the_scripts_of_the_package_give_is_explained() {
    let groups = groups();
    let explained: BTreeSet<&str> =
        groups.iter().flat_map(|group| &group.codes).map(|entry| entry.code.as_str()).collect();
    let mut sources = String::new();
    read_sources(&root().join("pkg/js"), &mut sources);
    let calls = ["Error(", "failed(", "code: "];
    let given: BTreeSet<&str> = sources
        .lines()
        .filter(|line| calls.iter().any(|call| line.contains(call)))
        .flat_map(|line| line.split('"').skip(1).step_by(2))
        .filter(|text| text.contains('_'))
        .filter(|text| text.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        .collect();
    assert!(given.contains("not_initialized"), "no codes are found: {given:?}");
    let missing: Vec<_> = given.difference(&explained).collect();
    assert!(missing.is_empty(), "tests/data/errors.toml lacks {missing:?}");
}

/// All codes, in the order of the file.
fn groups() -> Vec<Group> {
    let text = fs::read_to_string(root().join("tests/data/errors.toml")).unwrap();
    let data: toml::Table = toml::from_str(&text).unwrap();
    let tables = |value: &toml::Value| -> Vec<toml::Table> {
        value.as_array().unwrap().iter().map(|item| item.as_table().unwrap().clone()).collect()
    };
    tables(&data["groups"])
        .iter()
        .map(|group| Group {
            title: text_of(group, "title"),
            note: text_of(group, "note"),
            codes: tables(&group["codes"]).iter().map(entry).collect(),
        })
        .collect()
}

/// A code of the file, with its properties in `ProblemCode` or `FailureCode`.
fn entry(table: &toml::Table) -> Entry {
    let code = text_of(table, "code");
    let of_proxy = ProblemCode::from_text(&code);
    let mut statuses: Vec<u16> = table.get("status").map_or_else(Vec::new, |statuses| {
        let statuses = statuses.as_array().unwrap().iter();
        statuses.map(|status| u16::try_from(status.as_integer().unwrap()).unwrap()).collect()
    });
    statuses.extend(of_proxy.map(|code| code.status().as_u16()));
    statuses.sort_unstable();
    let of_engine = FailureCode::ALL.iter().find(|known| known.as_str() == code);
    let known = of_proxy.map(ProblemCode::meaning).or(of_engine.map(|known| known.meaning()));
    let meaning = match known {
        Some(meaning) => {
            assert!(!table.contains_key("meaning"), "{code}: its meaning is in the code");
            meaning.to_owned()
        }
        None => text_of(table, "meaning"),
    };
    Entry {
        statuses,
        unlisted: table.get("unlisted").is_some_and(|unlisted| unlisted.as_bool().unwrap()),
        meaning,
        advice: text_of(table, "advice"),
        code,
    }
}

fn text_of(table: &toml::Table, name: &str) -> String {
    let text = table.get(name).and_then(toml::Value::as_str);
    text.unwrap_or_else(|| panic!("{name} is missing: {table:?}")).to_owned()
}

/// The page: one table per group.
fn page(groups: &[Group]) -> String {
    let mut page = "# Error codes\n\n\
        Codes are stable; messages are not. Statuses are those of problem documents. A code without a status is part of \
        a reply with status 200, or of an error that does not travel over HTTP. Codes of statements (`G01`, `N02`, …) \
        are the [rules of the linter](../sql/RULES.md).\n\n\
        Generated from `ProblemCode`, `FailureCode` and `tests/data/errors.toml`: `UPDATE_EXPECT=1 cargo test -p wherefore-tests --test errors`.\n"
        .to_owned();
    for group in groups {
        page.extend(["\n## ", &group.title, "\n\n", &group.note, "\n\n"]);
        page.push_str("| code | status | meaning | what to do |\n| --- | --- | --- | --- |\n");
        for entry in &group.codes {
            let statuses: Vec<String> = entry.statuses.iter().map(u16::to_string).collect();
            let statuses = statuses.join(", ");
            let cells = [&format!("`{}`", entry.code), &statuses, &entry.meaning, &entry.advice];
            for cell in cells {
                page.extend(["| ", cell, if cell.is_empty() { "" } else { " " }]);
            }
            page.push_str("|\n");
        }
    }
    page
}

/// Appends the Rust files of a folder.
fn read_sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_sources(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "ts") {
            all.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}
