//! Paths of the workspace and of test data.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Root folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Path of a public database; if it is missing, prints that the test is skipped and returns `None`.
///
/// The folder is `WHEREFORE_DEMO_DATA`, or else `shared/data/demo` next to the workspace.
pub fn public_database(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WHEREFORE_DEMO_DATA")
        .map_or_else(|| root().join("../shared/data/demo"), PathBuf::from);
    let path = folder.join(file);
    if path.exists() {
        return path.canonicalize().ok();
    }
    // Bypasses the output capture of the test runner, so that skips are visible in successful runs.
    let _ = writeln!(
        std::io::stderr(),
        "skipped: {file} is neither in ../shared/data/demo nor where WHEREFORE_DEMO_DATA says"
    );
    None
}
