//! Files of the linter's rules, whose documentation is tested and generates a page.

use std::fs;
use std::path::Path;

use wherefore_sql::lint::ALL;

/// File name without extension and content of each rule, in list order.
///
/// Panics if the list and the folder differ: a file is named after the id and name of its rule.
#[allow(clippy::disallowed_methods, reason = "a test reads files; the library does not")]
pub(crate) fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sql/src/lint/rules");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder of the rules")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .filter(|name| name != "mod")
        .collect();
    names.sort_unstable();
    let found = |id: &str| {
        let start = format!("{}_", id.to_lowercase());
        names.iter().filter(|name| name.starts_with(&start)).cloned().collect::<Vec<_>>()
    };
    let listed: Vec<String> = ALL.iter().flat_map(|rule| found(rule.id)).collect();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, names, "the list of the rules and their folder differ");
    listed
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(folder.join(format!("{name}.rs"))).expect("a rule");
            (name, text)
        })
        .collect()
}
