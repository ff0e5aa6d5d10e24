//! `page-engine`: adds the engine's module and its words to the web app. Trunk calls it at the end of each build.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::engine_module::{CORE, DEV, RELEASE};
use crate::{engine_module, tools, workspace};

/// Adds the files to the folder in which Trunk assembles the app, and names them in its page.
pub(crate) fn run() -> Result<()> {
    let staging = PathBuf::from(trunk("STAGING_DIR")?);
    let profile = if trunk("PROFILE")? == "release" { RELEASE } else { DEV };
    tools::wasm_bindgen()?;
    CORE.compile(profile)?;
    let bound = workspace::target().join("xtask/page-engine");
    CORE.bind(profile, &bound)?;
    let module = bound.join("core_bg.wasm");
    let words = engine_module::words(profile, &module)?;
    let base = trunk("PUBLIC_URL")?;
    let place = |stem: &str, ending: &str, content: &[u8]| -> Result<String> {
        let name = format!("{stem}-{:016x}{ending}", workspace::content_hash(content));
        fs::write(staging.join(&name), content)?;
        Ok(base.clone() + &name)
    };
    let head = head(
        &place("core", ".js", &read(&bound.join("core.js"))?)?,
        &place("core", "_bg.wasm", &read(&module)?)?,
        &place("words", ".txt", &words)?,
    );
    let page = staging.join("index.html");
    let text = String::from_utf8(read(&page)?)?;
    let (before, after) = text.split_once("</head>").context("index.html has no </head>")?;
    fs::write(&page, format!("{before}\n{head}</head>{after}"))?;
    Ok(())
}

/// What the page's head says about the engine: the addresses of its files, which are fetched after those of the page.
fn head(script: &str, wasm: &str, words: &str) -> String {
    let fetch = r#"as="fetch" crossorigin="anonymous" fetchpriority="low""#;
    format!(
        r#"<meta name="wherefore-engine" content="{script}">
<meta name="wherefore-engine-wasm" content="{wasm}">
<meta name="wherefore-words" content="{words}">
<link rel="modulepreload" href="{script}" fetchpriority="low">
<link rel="preload" href="{wasm}" {fetch} type="application/wasm">
<link rel="preload" href="{words}" {fetch}>
"#
    )
}

/// A variable that Trunk sets for its hooks.
fn trunk(name: &str) -> Result<String> {
    let name = format!("TRUNK_{name}");
    env::var(&name).with_context(|| format!("{name} is not set: Trunk calls this command"))
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}
