//! Where things are.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A public database, or none where it is not on this machine; then a line says so.
///
/// Looked for in `WHEREFORE_DEMO_DATA`, else in `shared/data/demo` beside the workspace.
pub fn public_database(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WHEREFORE_DEMO_DATA")
        .map_or_else(|| root().join("../shared/data/demo"), PathBuf::from);
    let path = folder.join(file);
    if path.exists() {
        return path.canonicalize().ok();
    }
    // Written past the test runner's capture, so that a skip is seen when all is well.
    let _ = writeln!(
        std::io::stderr(),
        "skipped: {file} is neither in ../shared/data/demo nor where WHEREFORE_DEMO_DATA says"
    );
    None
}
