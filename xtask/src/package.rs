//! Builds the npm package: two Wasm modules with wasm-bindgen, and the TypeScript of `pkg/js` around them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::engine_module::{CORE, DEV, Module, Profile, RELEASE};
use crate::{engine_module, process, system, tools, workspace};

/// Folder of the sources.
const SOURCES: &str = "pkg";

/// Modules of the package, each with the file of generated declarations of the objects that it takes and returns.
const MODULES: [(Module, &str); 2] = [
    (CORE, "wire.d.ts"),
    (
        Module { package: "wherefore-sql-js", file: "wherefore_sql_js", name: "sql" },
        "sql-wire.d.ts",
    ),
];

/// Builds the dev package and returns its folder, from which `npm pack` makes a tarball.
pub(crate) fn build_dev() -> Result<PathBuf> {
    let folder = workspace::target().join("pkg");
    build(&folder, DEV)?;
    Ok(folder)
}

/// Builds the package with the profile of releases into `folder`.
pub(crate) fn build_release(folder: &Path) -> Result<()> {
    build(folder, RELEASE)
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

fn build(folder: &Path, profile: Profile) -> Result<()> {
    tools::wasm_bindgen()?;
    system::npm_packages(SOURCES)?;
    for (module, _) in &MODULES {
        // One call each: together, the core would be compiled with the features of the reader.
        module.compile(profile)?;
    }
    // Files of an earlier build would be published too.
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    copy_sources(folder)?;
    for (module, wire) in &MODULES {
        bind(module, wire, profile, folder)?;
    }
    write_words(profile, folder)?;
    let packages = workspace::root().join(SOURCES).join("node_modules");
    process::run(
        "compile TypeScript of the package",
        process::command(packages.join(".bin/tsc"))
            .arg("--project")
            .arg(folder)
            .args(["--types", "node", "--typeRoots"])
            .arg(packages.join("@types")),
    )?;
    for (_, wire) in &MODULES {
        fs::copy(folder.join("js").join(wire), folder.join("dist").join(wire))?;
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
fn bind(module: &Module, wire: &str, profile: Profile, folder: &Path) -> Result<()> {
    let wasm = folder.join("dist/wasm");
    module.bind(profile, &wasm)?;
    let declarations = fs::read_to_string(wasm.join(format!("{}.d.ts", module.name)))?;
    fs::write(folder.join("js").join(wire), objects(&declarations))?;
    Ok(())
}

/// Writes the words of the core, and the whole thesaurus.
fn write_words(profile: Profile, folder: &Path) -> Result<()> {
    let data = folder.join("dist/data");
    fs::create_dir_all(&data)?;
    let words = engine_module::words(profile, &folder.join("dist/wasm/core_bg.wasm"))?;
    fs::write(data.join("words.txt"), words)?;
    let thesaurus = workspace::root().join("engine/data/thesaurus/wordnet.txt");
    fs::copy(thesaurus, data.join("thesaurus.txt"))?;
    Ok(())
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
