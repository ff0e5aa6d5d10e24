//! Compares committed generated files with freshly generated content.

use std::fs;

use crate::workspace;

/// Asserts that a committed file equals `generated`; with `UPDATE_EXPECT=1` it is overwritten instead.
pub fn generated_file(path: &str, command: &str, generated: &str) {
    let file = workspace::root().join(path);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, generated).expect("the file can be written");
        return;
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    if let Some((line, (old, new))) =
        (1..).zip(pairs(&committed, generated)).find(|(_, (old, new))| old != new)
    {
        panic!(
            "{path}:{line} is out of date: {old:?} is now {new:?}; run UPDATE_EXPECT=1 {command}"
        );
    }
}

/// Lines of both texts in pairs; the shorter text is padded.
fn pairs<'a>(
    left: &'a str,
    right: &'a str,
) -> impl Iterator<Item = (Option<&'a str>, Option<&'a str>)> {
    let mut left = left.lines();
    let mut right = right.lines();
    std::iter::from_fn(move || match (left.next(), right.next()) {
        (None, None) => None,
        pair => Some(pair),
    })
}
