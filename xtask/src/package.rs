//! Builds the npm package: two Wasm modules with wasm-bindgen, and the TypeScript of `pkg/js` around them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{process, system, tools, web, workspace};

/// Folder of the sources.
const SOURCES: &str = "pkg";

/// A Wasm module of the package.
struct Module {
    /// Crate.
    package: &'static str,
    /// File name of the crate's module, without extension.
    file: &'static str,
    /// File name in the package, without extension.
    name: &'static str,
    /// Generated declarations of the objects that it takes and returns.
    wire: &'static str,
}

const MODULES: [Module; 2] = [
    Module { package: "wherefore", file: "wherefore", name: "core", wire: "wire.d.ts" },
    Module {
        package: "wherefore-sql-js",
        file: "wherefore_sql_js",
        name: "sql",
        wire: "sql-wire.d.ts",
    },
];

/// Builds the dev package and returns its folder, from which `npm pack` makes a tarball.
pub(crate) fn build_dev() -> Result<PathBuf> {
    let folder = workspace::target().join("pkg");
    build(&folder, "dev", "debug")?;
    Ok(folder)
}

/// Builds the package with the `package-release` profile into `folder`.
pub(crate) fn build_release(folder: &Path) -> Result<()> {
    build(folder, "package-release", "package-release")
}

/// Packs a built package and installs the tarball into an app with the files of `tests/package`; returns its folder.
pub(crate) fn install(package: &Path) -> Result<PathBuf> {
    let app = workspace::target().join("package-app");
    if app.exists() {
        fs::remove_dir_all(&app)?;
    }
    fs::create_dir_all(&app)?;
    for file in workspace::files_in(&workspace::root().join("tests/package"))? {
        fs::copy(&file, app.join(file.file_name().unwrap_or_default()))?;
    }
    fs::write(app.join("package.json"), r#"{ "private": true, "type": "module" }"#)?;
    let tarball = pack(package, &app)?;
    process::run(
        "install the tarball",
        process::command("npm")
            .current_dir(&app)
            .args(["install", "--offline", "--no-save", "--no-package-lock"])
            .arg(tarball),
    )?;
    Ok(app)
}

/// Packs a built package into `folder`, and returns the tarball.
pub(crate) fn pack(package: &Path, folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let packed = process::run(
        "pack",
        process::command("npm")
            .current_dir(package)
            .args(["pack", "--silent", "--pack-destination"])
            .arg(folder),
    )?;
    let tarball = packed.lines().last().context("npm pack names no tarball")?;
    Ok(folder.join(tarball.trim()))
}

fn build(folder: &Path, profile: &str, output: &str) -> Result<()> {
    tools::wasm_bindgen()?;
    system::npm_packages(SOURCES)?;
    for module in &MODULES {
        // One call each: together, the core would be compiled with the features of the reader.
        process::run(
            &format!("compile {} ({profile})", module.package),
            // Which declarations the linker keeps depends on how the compiler divides a crate.
            web::flags(&mut process::cargo())
                .env("CARGO_INCREMENTAL", "0")
                .args(["build", "--package", module.package, "--profile", profile])
                .args(["--target", "wasm32-unknown-unknown"]),
        )?;
    }
    // Files of an earlier build would be published too.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    copy_sources(folder)?;
    for module in &MODULES {
        bind(module, output, folder)?;
    }
    copy_words(output, folder)?;
    let packages = workspace::root().join(SOURCES).join("node_modules");
    process::run(
        "compile TypeScript of the package",
        process::command(packages.join(".bin/tsc"))
            .arg("--project")
            .arg(folder)
            .args(["--types", "node", "--typeRoots"])
            .arg(packages.join("@types")),
    )?;
    for module in &MODULES {
        fs::copy(folder.join("js").join(module.wire), folder.join("dist").join(module.wire))?;
    }
    process::run(
        "schemas of the package",
        process::command(packages.join(".bin/ts-json-schema-generator"))
            .args(["--type", "*", "--no-type-check", "--path"])
            .arg(folder.join("dist/wire.d.ts"))
            .arg("--out")
            .arg(folder.join("dist/schema.json")),
    )?;
    Ok(())
}

/// Copies what is published or compiled.
fn copy_sources(folder: &Path) -> Result<()> {
    let sources = workspace::root().join(SOURCES);
    let scripts = folder.join("js");
    fs::create_dir_all(&scripts)?;
    for path in workspace::files_in(&sources.join("js"))? {
        fs::copy(&path, scripts.join(path.file_name().unwrap_or_default()))?;
    }
    for file in ["package.json", "tsconfig.json", "README.md", "llms.txt"] {
        fs::copy(sources.join(file), folder.join(file))
            .with_context(|| format!("cannot copy pkg/{file}"))?;
    }
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "engine/data/thesaurus/LICENSE-WordNet"] {
        let path = workspace::root().join(file);
        fs::copy(&path, folder.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Writes a module, its glue code and the declarations of its objects.
fn bind(module: &Module, output: &str, folder: &Path) -> Result<()> {
    let wasm = folder.join("dist/wasm");
    process::run(
        &format!("bind {}", module.package),
        tools::command("wasm-bindgen")?
            .args(["--target", "web", "--out-name", module.name, "--out-dir"])
            .arg(&wasm)
            .arg(
                workspace::target()
                    .join("wasm32-unknown-unknown")
                    .join(output)
                    .join(format!("{}.wasm", module.file)),
            ),
    )?;
    let declarations = fs::read_to_string(wasm.join(format!("{}.d.ts", module.name)))?;
    fs::write(folder.join("js").join(module.wire), objects(&declarations))?;
    Ok(())
}

/// Copies the word file that the build script of the engine wrote for the core.
///
/// Builds with other features leave files of their own; the module names the version that it needs.
fn copy_words(output: &str, folder: &Path) -> Result<()> {
    let builds = workspace::target().join("wasm32-unknown-unknown").join(output).join("build");
    let module = fs::read(folder.join("dist/wasm/core_bg.wasm"))?;
    for build in fs::read_dir(&builds)? {
        let path = build?.path().join("out/words.txt");
        let Ok(words) = fs::read(&path) else { continue };
        let header = words.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = header.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
        if contains(&module, version) {
            let data = folder.join("dist/data");
            fs::create_dir_all(&data)?;
            fs::write(data.join("words.txt"), words)?;
            let thesaurus = workspace::root().join("engine/data/thesaurus/wordnet.txt");
            fs::copy(thesaurus, data.join("thesaurus.txt"))?;
            return Ok(());
        }
    }
    bail!("{} has no word file of the module", builds.display())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && bytes.windows(part.len()).any(|window| window == part)
}

/// The declarations of plain objects, which precede those of classes and functions.
fn objects(declarations: &str) -> String {
    let class = declarations.find("export class ").unwrap_or(declarations.len());
    let end = declarations[..class].rfind("/**").unwrap_or(class);
    format!("{}\n", declarations[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::objects;

    #[test]
    fn classes_are_left_out_with_their_comment() {
        let all = "/** A. */\nexport type A = 1;\n\n\n/**\n * B.\n */\nexport class B {\n}\n";
        assert_eq!(objects(all), "/** A. */\nexport type A = 1;\n");
    }
}
