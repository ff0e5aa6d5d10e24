//! The documents name files, sections and tests that exist.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use wherefore_tests::workspace::root;

/// Maximum length of the architecture page, in words.
const ARCHITECTURE_WORDS: usize = 3_000;

#[test]
fn links_lead_to_files() {
    let mut broken = Vec::new();
    for path in tracked(".md") {
        let text = read(&path);
        let folder = Path::new(&path).parent().unwrap();
        for link in prose(&text).flat_map(links) {
            let (file, _) = link.split_once('#').unwrap_or((link, ""));
            let outside = link.contains("://") || link.starts_with("mailto:");
            if !outside && !file.is_empty() && !root().join(folder).join(file).exists() {
                broken.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn paths_in_the_documents_exist() {
    let mut documents = vec!["ARCHITECTURE.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    documents.extend(tracked(".md").into_iter().filter(|path| path.starts_with("docs/")));
    let files = tracked("");
    let folders: BTreeSet<&str> =
        files.iter().filter_map(|file| Some(file.split_once('/')?.0)).collect();
    let mut missing = Vec::new();
    for document in documents {
        let text = read(&document);
        for quoted in prose(&text).flat_map(|line| line.split('`').skip(1).step_by(2)) {
            let is_path = quoted.split_once('/').is_some_and(|(first, _)| folders.contains(first))
                && !quoted.contains([' ', '{', '…']);
            if is_path && !files.iter().any(|file| fits(file, quoted)) {
                missing.push(format!("{document}: {quoted}"));
            }
        }
    }
    assert!(missing.is_empty(), "paths that do not exist:\n{}", missing.join("\n"));
}

#[test]
fn sections_that_comments_cite_exist() {
    let specification = read("docs/spec.md");
    let sections: BTreeSet<&str> = specification
        .lines()
        .filter_map(|line| line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")))
        .filter_map(|title| Some(title.split_once(' ')?.0.trim_end_matches('.')))
        .collect();
    let mut missing = Vec::new();
    for path in tracked(".rs").into_iter().chain(tracked(".toml")).chain(tracked(".md")) {
        let text = read(&path);
        for cited in text.split("docs/spec.md").skip(1) {
            let cited = cited.trim_start_matches(['`', ' ', ')']);
            let Some(cited) = cited.strip_prefix('§') else { continue };
            let end =
                cited.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(cited.len());
            let section = cited[..end].trim_end_matches('.');
            if !section.is_empty() && !sections.contains(section) {
                missing.push(format!("{path}: §{section}"));
            }
        }
    }
    assert!(missing.is_empty(), "sections that do not exist:\n{}", missing.join("\n"));
}

#[test]
fn tests_that_the_architecture_names_exist() {
    let text = read("ARCHITECTURE.md");
    let sources: String = tracked(".rs").iter().map(|path| read(path)).collect();
    let is_test = |name: &&str| {
        let digits = name.strip_prefix('i').and_then(|rest| rest.split('_').next());
        digits
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()))
    };
    let named = text.split('`').skip(1).step_by(2).filter(is_test);
    let missing: Vec<&str> =
        named.filter(|name| !sources.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "no such tests: {missing:?}");
}

#[test]
fn the_architecture_page_is_short() {
    let words = read("ARCHITECTURE.md").split_whitespace().count();
    assert!(words <= ARCHITECTURE_WORDS, "ARCHITECTURE.md has {words} words");
}

#[test]
fn no_release_has_a_kind_of_change_twice() {
    let mut seen = BTreeSet::new();
    for line in read("CHANGELOG.md").lines() {
        if line.starts_with("## ") {
            seen.clear();
        } else if line.starts_with("### ") {
            assert!(seen.insert(line.to_owned()), "CHANGELOG.md has {line:?} twice");
        }
    }
}

/// Lines of a Markdown text outside code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Targets of the inline links of a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// Whether a tracked file has this path or is inside it; one `*` matches any characters within a name.
fn fits(file: &str, path: &str) -> bool {
    if let Some((before, after)) = path.split_once('*') {
        let rest = file.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        return rest.is_some_and(|rest| !rest.contains('/'));
    }
    file.strip_prefix(path.trim_end_matches('/'))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Paths with this ending of the files that git tracks or would track.
fn tracked(ending: &str) -> Vec<String> {
    let list = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let exists = |path: &&str| path.ends_with(ending) && root().join(path).is_file();
    list.lines().filter(exists).map(str::to_owned).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}
