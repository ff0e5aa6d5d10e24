//! `docs/promises.md` is generated: each promise with the tests that show it.
//!
//! `tests/data/promises.toml` lists the promises. A line `// Promise: ID` right above a test in Rust or JavaScript, and
//! a line `Promise: ID` below the title of a dialogue, name the promise that the test shows.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use wherefore_tests::expect::generated_file;
use wherefore_tests::workspace::root;

/// Promises about the same part of the product.
struct Group {
    title: String,
    promises: Vec<Promise>,
}

/// What the product does, in one sentence.
struct Promise {
    id: String,
    sentence: String,
    /// Step of `cargo xtask test` that shows it with programs of others.
    step: Option<String>,
}

/// A test that names a promise.
#[derive(Debug, Eq, PartialEq)]
struct Mark {
    promise: String,
    /// Name of the test, or the reason why the mark belongs to none.
    test: Result<String, &'static str>,
}

/// Kinds of files with tests.
#[derive(Clone, Copy)]
enum Language {
    Rust,
    JavaScript,
    Dialogue,
}

#[test]
fn the_page_of_promises_is_up_to_date() {
    let command = "cargo test -p wherefore-tests --test promises";
    generated_file("docs/promises.md", command, &page(&groups(), &marks()));
}

#[test]
fn every_promise_is_shown_by_a_test() {
    let marks = marks();
    let is_shown = |promise: &&Promise| {
        promise.step.is_some() || marks.iter().any(|(_, mark)| mark.promise == promise.id)
    };
    let groups = groups();
    let bare: Vec<&str> = groups
        .iter()
        .flat_map(|group| &group.promises)
        .filter(|promise| !is_shown(promise))
        .map(|promise| promise.id.as_str())
        .collect();
    assert!(bare.is_empty(), "no test names these promises: {bare:?}");
}

#[test]
fn every_mark_names_a_promise_and_stands_above_a_test() {
    let groups = groups();
    let known: BTreeSet<&str> = groups
        .iter()
        .flat_map(|group| &group.promises)
        .map(|promise| promise.id.as_str())
        .collect();
    let mut faults = Vec::new();
    for (path, mark) in marks() {
        if !known.contains(mark.promise.as_str()) {
            faults.push(format!("{path}: {} is not in tests/data/promises.toml", mark.promise));
        }
        if let Err(reason) = mark.test {
            faults.push(format!("{path}: {}: {reason}", mark.promise));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn ids_are_unique_and_sentences_end() {
    let mut seen = BTreeSet::new();
    for group in groups() {
        let mut parts = BTreeSet::new();
        for Promise { id, sentence, .. } in group.promises {
            let plain = |c: char| c.is_ascii_lowercase() || c == '-' || c == '.';
            let (part, rest) = id.split_once('.').unwrap_or_default();
            assert!(id.chars().all(plain) && !part.is_empty() && !rest.is_empty(), "{id}");
            let starts = sentence.starts_with(char::is_uppercase);
            assert!(starts && sentence.ends_with('.'), "{id}: {sentence}");
            parts.insert(part.to_owned());
            assert!(seen.insert(id.clone()), "{id} is there twice");
        }
        assert_eq!(parts.len(), 1, "{}: ids of one group begin alike", group.title);
    }
}

#[test]
fn steps_that_show_a_promise_exist() {
    let steps = fs::read_to_string(root().join("xtask/src/test.rs")).unwrap();
    for promise in groups().iter().flat_map(|group| &group.promises) {
        let named = promise.step.as_ref().map(|step| format!("\"{step}\""));
        assert!(named.is_none_or(|named| steps.contains(&named)), "{}", promise.id);
    }
}

#[test]
fn a_mark_belongs_to_the_test_below_it_or_is_a_fault() {
    let of = |language, text: &str| {
        // Composed, so that this file contains no mark.
        let found = marks_of(language, &text.replace("MARK", "Promise: a.b"));
        found.into_iter().map(|mark| mark.test).collect::<Vec<_>>()
    };
    let named = |name: &str| vec![Ok(name.to_owned())];
    let rust = "// MARK\n// A comment.\n#[tokio::test]\nasync fn it_works() {\n";
    assert_eq!(of(Language::Rust, rust), named("it_works"));
    assert_eq!(of(Language::Rust, "    // MARK\n    #[test]\n    fn inner() {\n"), named("inner"));
    let ignored = "// MARK\n#[test]\n#[ignore = \"slow\"]\nfn it_works() {\n";
    assert_eq!(of(Language::Rust, ignored), [Err("the test is ignored")]);
    assert_eq!(of(Language::Rust, "// MARK\nfn helper() {\n"), [Err("no test is below")]);
    assert_eq!(of(Language::Rust, "// MARK\nlet x = 1;\n"), [Err("no test is below")]);
    assert_eq!(of(Language::Rust, "let text = \"MARK\";\n"), []);
    let script = "// MARK\ntest(\"it works\", async () => {\n";
    assert_eq!(of(Language::JavaScript, script), named("it works"));
    assert_eq!(
        of(Language::JavaScript, "// MARK\ntest.skip(\"x\", f)\n"),
        [Err("no test is below")]
    );
    assert_eq!(of(Language::Dialogue, "## It works\n\nMARK\n"), named("It works"));
    assert_eq!(of(Language::Dialogue, "# File\n\nMARK\n"), [Err("no dialogue is above")]);
    assert_eq!(of(Language::Dialogue, "## It works\n\n```user\nMARK\n```\n"), []);
}

/// All promises, in the order of the file.
fn groups() -> Vec<Group> {
    let text = fs::read_to_string(root().join("tests/data/promises.toml")).unwrap();
    let data: toml::Table = toml::from_str(&text).unwrap();
    let list = |table: &toml::Table, name: &str| table[name].as_array().unwrap().clone();
    let promise = |table: &toml::Table| Promise {
        id: text_of(table, "id"),
        sentence: text_of(table, "sentence"),
        step: table.contains_key("step").then(|| text_of(table, "step")),
    };
    let group = |table: &toml::Table| Group {
        title: text_of(table, "title"),
        promises: list(table, "promises")
            .iter()
            .map(|it| promise(it.as_table().unwrap()))
            .collect(),
    };
    list(&data, "groups").iter().map(|it| group(it.as_table().unwrap())).collect()
}

fn text_of(table: &toml::Table, name: &str) -> String {
    let text = table.get(name).and_then(toml::Value::as_str);
    text.unwrap_or_else(|| panic!("{name} is missing: {table:?}")).to_owned()
}

/// All marks with the paths of their files, sorted by path.
fn marks() -> Vec<(String, Mark)> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "git lists no files");
    let list = String::from_utf8(output.stdout).unwrap();
    let paths: BTreeSet<&str> = list.lines().collect();
    let mut found = Vec::new();
    for path in paths {
        let Some(language) = language_of(path) else { continue };
        let text = fs::read_to_string(root().join(path)).unwrap_or_default();
        found.extend(marks_of(language, &text).into_iter().map(|mark| (path.to_owned(), mark)));
    }
    found
}

/// Language of a file in which tests can stand.
fn language_of(path: &str) -> Option<Language> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension {
        "rs" => Some(Language::Rust),
        "ts" | "mjs" if path.starts_with("tests/") => Some(Language::JavaScript),
        "md" if path.starts_with("engine/tests/dialogues/") => Some(Language::Dialogue),
        _ => None,
    }
}

/// The marks of a text, each with its test.
fn marks_of(language: Language, text: &str) -> Vec<Mark> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut is_block = false;
    let mut title = Err("no dialogue is above");
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let test = match language {
            Language::Dialogue if line.starts_with("```") => {
                is_block = !is_block;
                continue;
            }
            Language::Dialogue if is_block => continue,
            Language::Dialogue => {
                title = line.strip_prefix("## ").map_or(title, |name| Ok(name.to_owned()));
                let Some(promise) = line.strip_prefix("Promise: ") else { continue };
                found.push(Mark { promise: promise.to_owned(), test: title.clone() });
                continue;
            }
            Language::Rust => rust_test(&lines[index + 1..]),
            Language::JavaScript => script_test(&lines[index + 1..]),
        };
        if let Some(promise) = line.strip_prefix("// Promise: ") {
            found.push(Mark { promise: promise.to_owned(), test });
        }
    }
    found
}

/// Name of the Rust test that begins with these lines, after comments and attributes.
fn rust_test(lines: &[&str]) -> Result<String, &'static str> {
    let mut attributes = Vec::new();
    for line in lines.iter().filter(|line| !line.starts_with("//")) {
        if line.starts_with("#[") {
            attributes.push(*line);
            continue;
        }
        let is_test =
            attributes.iter().any(|it| *it == "#[test]" || it.starts_with("#[tokio::test"));
        let name =
            line.split_once("fn ").and_then(|(_, rest)| rest.split_once('(')).filter(|_| is_test);
        let (name, _) = name.ok_or("no test is below")?;
        let is_ignored = attributes.iter().any(|it| it.starts_with("#[ignore"));
        return if is_ignored { Err("the test is ignored") } else { Ok(name.to_owned()) };
    }
    Err("no test is below")
}

/// Name of the test that begins with these lines of TypeScript or JavaScript, after comments.
fn script_test(lines: &[&str]) -> Result<String, &'static str> {
    let line = lines.iter().find(|line| !line.starts_with("//")).ok_or("no test is below")?;
    let rest = line.strip_prefix("test(\"").ok_or("no test is below")?;
    let (name, _) = rest.split_once('"').ok_or("no test is below")?;
    Ok(name.to_owned())
}

/// The page: one table per group.
fn page(groups: &[Group], marks: &[(String, Mark)]) -> String {
    let mut page = "# Promises\n\n\
        What the product does, and the tests that fail if it no longer does. A test of a dialogue is played by \
        `cargo test -p wherefore-engine --test dialogues`.\n\n\
        Generated from `tests/data/promises.toml` and the marks `Promise: ID` above tests: \
        `UPDATE_EXPECT=1 cargo test -p wherefore-tests --test promises`.\n"
        .to_owned();
    for group in groups {
        page.extend(["\n## ", &group.title, "\n\n"]);
        page.push_str("| promise | what the product does | shown by |\n| --- | --- | --- |\n");
        for promise in &group.promises {
            let mut shown: Vec<String> = marks
                .iter()
                .filter(|(_, mark)| mark.promise == promise.id)
                .map(|(path, mark)| {
                    let name = mark.test.as_ref().map_or("?", String::as_str);
                    let name = name.replace('|', "\\|");
                    format!("{name} ([{}](../{path}))", path.rsplit('/').next().unwrap_or(path))
                })
                .collect();
            shown.extend(
                promise.step.iter().map(|step| format!("`cargo xtask test --only {step}`")),
            );
            let shown = shown.join("<br>");
            let cells = ["| `", &promise.id, "` | ", &promise.sentence, " | ", &shown, " |\n"];
            page.extend(cells);
        }
    }
    page
}
