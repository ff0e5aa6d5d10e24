//! Divides the module of the web app's release: into what the first paint needs, and a part that is loaded behind it.
//!
//! The split points are functions of the crate (feature `split`). Trunk cannot divide a module, so this replaces what it built.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{process, tools, workspace};

/// Name of the crate's module without extension.
const MODULE: &str = "wherefore-web";
/// Profile of the release, which is also the name of its folder.
const PROFILE: &str = "wasm-release";
/// Script of the splitting tool that loads the part.
const LOADER: &str = "__wasm_split.js";

/// Replaces the module in the folder of a release, and names the part in the page's head.
pub(crate) fn divide(dist: &Path) -> Result<()> {
    let scratch = workspace::target().join("xtask/page-parts");
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    let bound = scratch.join("bound");
    fs::create_dir_all(&bound)?;
    let whole = workspace::target()
        .join("wasm32-unknown-unknown")
        .join(PROFILE)
        .join(format!("{MODULE}.wasm"));
    process::run(
        "divide the module",
        process::command(tools::wasm_split()?)
            .args(["--target", "web", "--out-name", MODULE])
            .args([&whole, &scratch]),
    )?;
    process::run(
        "bind the first part",
        tools::command("wasm-bindgen")?
            // The other part imports memory, table and functions of the first one.
            .args(["--target", "web", "--no-typescript", "--keep-lld-exports"])
            .args(["--out-name", MODULE, "--out-dir"])
            .args([&bound, &scratch.join(format!("{MODULE}.wasm"))]),
    )?;
    replace(dist, &scratch, &bound)
}

fn replace(dist: &Path, scratch: &Path, bound: &Path) -> Result<()> {
    let other = fs::read(part(scratch)?)?;
    let first = fs::read(bound.join(format!("{MODULE}_bg.wasm")))?;
    let script = fs::read_to_string(bound.join(format!("{MODULE}.js")))?;
    let loader = fs::read_to_string(scratch.join(LOADER))?;

    let hash = |content: &[u8]| format!("{:016x}", workspace::content_hash(content));
    let other_name = format!("part-{}.wasm", hash(&other));
    let name = format!("{MODULE}-{}", hash(&[&first, script.as_bytes(), &other].concat()));
    let file = part(scratch)?;
    let file = file.file_name().context("a part without a name")?.to_string_lossy();
    let loader = replaced(&loader, &file, &other_name)?;
    let loader = replaced(&loader, &format!("./{MODULE}.js"), &format!("./{name}.js"))?;
    let loader_name = format!("part-{}.js", hash(loader.as_bytes()));
    let import = |name: &str| format!("from \"./{name}\"");
    let script = replaced(&script, &import(LOADER), &import(&loader_name))?;

    let page = dist.join("index.html");
    let text = fs::read_to_string(&page)?;
    let mut old = None;
    for file in workspace::files_in(dist)? {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if stem.starts_with(MODULE) {
            fs::remove_file(&file)?;
            old = Some(stem.trim_end_matches("_bg").to_owned());
        }
    }
    let old = old.context("Trunk built no module")?;
    let at = text.find(&format!("{old}.js")).context("index.html names no module")?;
    let base = text[..at].rsplit('"').next().unwrap_or_default();
    // They come before the engine, which is fetched with the same priority.
    let links = format!(
        r#"<link rel="modulepreload" href="{base}{loader_name}"><link rel="preload" href="{base}{other_name}" as="fetch" crossorigin="anonymous" fetchpriority="low" type="application/wasm">
"#
    );
    let engine = "<meta name=\"wherefore-engine\"";
    let text = replaced(&text.replace(&old, &name), engine, &format!("{links}{engine}"))?;

    fs::write(dist.join(other_name), other)?;
    fs::write(dist.join(loader_name), loader)?;
    fs::write(dist.join(format!("{name}.js")), script)?;
    fs::write(dist.join(format!("{name}_bg.wasm")), first)?;
    fs::write(page, text)?;
    Ok(())
}

/// The file of the only part beside the first one.
fn part(scratch: &Path) -> Result<PathBuf> {
    let files = workspace::files_in(scratch)?;
    let is_part = |file: &&PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("split_") && name.ends_with(".wasm")
    };
    match files.iter().filter(is_part).collect::<Vec<_>>()[..] {
        [file] => Ok(file.clone()),
        ref others => bail!("one part is expected, not {}", others.len()),
    }
}

/// A text with something else in place of a word that it must have.
fn replaced(text: &str, from: &str, to: &str) -> Result<String> {
    if !text.contains(from) {
        bail!("{from} is expected in: {text}");
    }
    Ok(text.replace(from, to))
}
