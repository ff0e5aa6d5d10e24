//! Builds the engine's Wasm module: the core of the npm package, which the chat page loads too.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{process, tools, web, workspace};

/// A crate that becomes a Wasm module.
pub(crate) struct Module {
    /// Crate.
    pub(crate) package: &'static str,
    /// File name of the crate's module, without extension.
    pub(crate) file: &'static str,
    /// Name of the files that are made from it, without extension.
    pub(crate) name: &'static str,
}

/// The engine.
pub(crate) const CORE: Module = Module { package: "wherefore", file: "wherefore", name: "core" };

/// A cargo profile, with the name of its output folder.
#[derive(Clone, Copy)]
pub(crate) struct Profile {
    /// Name.
    pub(crate) name: &'static str,
    folder: &'static str,
}

/// Profile of tests and of the demo.
pub(crate) const DEV: Profile = Profile { name: "dev", folder: "debug" };

/// Profile of releases.
pub(crate) const RELEASE: Profile = Profile { name: "package-release", folder: "package-release" };

impl Profile {
    fn output(self) -> PathBuf {
        workspace::target().join("wasm32-unknown-unknown").join(self.folder)
    }
}

impl Module {
    /// Compiles the module.
    pub(crate) fn compile(&self, profile: Profile) -> Result<()> {
        process::run(
            &format!("compile {} ({})", self.package, profile.name),
            // Which declarations the linker keeps depends on how the compiler divides a crate.
            web::flags(&mut process::cargo())
                .env("CARGO_INCREMENTAL", "0")
                .args(["build", "--package", self.package, "--profile", profile.name])
                .args(["--target", "wasm32-unknown-unknown"]),
        )?;
        Ok(())
    }

    /// Writes the compiled module into a folder, with its JavaScript and its TypeScript declarations.
    pub(crate) fn bind(&self, profile: Profile, folder: &Path) -> Result<()> {
        process::run(
            &format!("bind {}", self.package),
            tools::command("wasm-bindgen")?
                .args(["--target", "web", "--out-name", self.name, "--out-dir"])
                .arg(folder)
                .arg(profile.output().join(format!("{}.wasm", self.file))),
        )?;
        Ok(())
    }
}

/// The word file that the build script of the engine wrote for a module.
///
/// Builds with other features leave files of their own; the module names the version that it needs.
pub(crate) fn words(profile: Profile, module: &Path) -> Result<Vec<u8>> {
    let builds = profile.output().join("build");
    let module = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    for build in fs::read_dir(&builds)? {
        let path = build?.path().join("out/words.txt");
        let Ok(words) = fs::read(&path) else { continue };
        let header = words.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = header.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
        if contains(&module, version) {
            return Ok(words);
        }
    }
    bail!("{} has no word file of the module", builds.display())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && bytes.windows(part.len()).any(|window| window == part)
}
