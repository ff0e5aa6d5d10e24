//! Tests of the program `wherefore-sample`.

use std::path::Path;
use std::process::{Command, Output};

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wherefore-sample")).args(arguments).output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn it_writes_a_file_into_a_new_folder_and_tells_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("demo/sample.sqlite");
    let output = program(&["--out", path.to_str().unwrap(), "--today", "2026-03-17"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(path.exists());
    assert!(errors(&output).contains("sales.orders"));
    assert!(errors(&output).contains("rows in 35 tables, dates up to 2026-03-17"));
}

#[test]
fn it_takes_a_bare_file_name_in_the_current_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_wherefore-sample"))
        .args(["--out", "sample.sqlite"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert!(folder.path().join("sample.sqlite").exists());
}

#[test]
fn a_file_of_someone_else_is_refused_with_a_code_and_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letters.txt");
    std::fs::write(&path, "dear reader").unwrap();
    let output = program(&["--out", path.to_str().unwrap()]);
    assert!(!output.status.success());
    assert!(errors(&output).contains("error[sample_not_a_sample]"), "{}", errors(&output));
    assert!(errors(&output).contains("hint: "));
}

#[test]
fn one_target_and_a_date_are_needed() {
    for (arguments, expected) in [
        (vec![], "--out <FILE>"),
        (vec!["--out", "a", "--postgres", "b"], "cannot be used with"),
        (vec!["--out", "a", "--today", "tomorrow"], "invalid value 'tomorrow'"),
    ] {
        let output = program(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors(&output).contains(expected), "{}", errors(&output));
    }
    assert!(!Path::new("a").exists());
}
