//! `pictures`: takes the pictures of the README, of the page on the sample data.

use anyhow::Result;

use crate::{demo, test, workspace};

/// Folder of the pictures.
const FOLDER: &str = "docs/pictures";

/// Takes all pictures anew.
pub(crate) fn run() -> Result<()> {
    let folder = workspace::root().join(FOLDER);
    std::fs::create_dir_all(&folder)?;
    demo::build_servers()?;
    let arguments = ["--project=page", "specs/pictures.spec.ts"];
    test::in_browser("pictures", &arguments, &[("WHEREFORE_PICTURES", &folder)])?;
    Ok(())
}
