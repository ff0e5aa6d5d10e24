//! Validates the data files and converts them from TOML to JSON. The engine parses only JSON, which its messages need
//! anyway, and it reads each file with the type that was validated here.

use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::{env, fs};

#[path = "src/data/bundle.rs"]
#[allow(dead_code, reason = "the engine uses the rest")]
mod bundle;
#[path = "src/data/check.rs"]
mod check;
#[path = "src/data/form/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the engine uses the rest")]
mod form;

use form::{
    Abbreviations, AgeWords, Classifiers, Codes, Completions, CorrectionPhrases, CueWords,
    Derivations, Directions, Pack, Phrases, Place, RoleRules, Superlatives, TemplateWords, Turns,
    Units, VerbClasses, Verbs,
};

type Check = fn(&str) -> Result<(), String>;

/// Defines the list of data files, each with its path in `data` and its check.
macro_rules! list {
    ($($name:ident: $type:ident = $path:literal;)*) => {
        const FILES: &[(&str, Check)] = &[$(($path, check::check::<$type>)),*];
    };
}

form::data_files!(list);

#[expect(clippy::disallowed_methods, reason = "a build script is a host")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data");
    let mut files: Vec<(&str, Place, Vec<u8>)> = Vec::new();
    for (name, check) in FILES {
        let path = Path::new("data").join(name).with_extension("toml");
        let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| fault(&error))?;
        let data: toml::Table = toml::from_str(&text).map_err(|error| fault(&error))?;
        let json = serde_json::to_string(&data)?;
        check(&json).map_err(|error| fault(&error))?;
        files.push((name, Place::Both("words"), json.into_bytes()));
    }
    for (name, place) in form::PLAIN_FILES {
        let path = Path::new("data").join(name);
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        files.push((name, *place, bytes));
    }
    write_words(&files)?;
    let schemas = fs::read_to_string("data/prompts/schemas.json")?;
    serde_json::from_str::<serde_json::Value>(&schemas)
        .map_err(|error| format!("data/prompts/schemas.json: {error}"))?;
    refuse_others(Path::new("data"))
}

/// Writes the word file that is published, and the one that the features of this build ask for.
#[expect(clippy::disallowed_methods, reason = "a build script is a host")]
fn write_words(files: &[(&str, Place, Vec<u8>)]) -> Result<(), Box<dyn Error>> {
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let write = |is_part: &dyn Fn(Place) -> bool| {
        let part = files.iter().filter(|(_, place, _)| is_part(*place));
        bundle::write(part.map(|(name, _, bytes)| (*name, bytes.as_slice())))
    };
    let has =
        |feature: &str| env::var_os(format!("CARGO_FEATURE_{}", feature.to_uppercase())).is_some();
    let words = write(&|place| matches!(place, Place::Both(_) | Place::Published));
    let built_in = write(&|place| match place {
        Place::Both(feature) | Place::BuiltIn(feature) => has(feature),
        Place::Published => false,
    });
    let (version, _) = bundle::parts(&words).ok_or("a word file has a version")?;
    println!("cargo::rustc-env=WHEREFORE_WORDS={version}");
    fs::write(Path::new(&out).join("words.txt"), &words)?;
    fs::write(Path::new(&out).join("built_in.txt"), built_in)?;
    Ok(())
}

/// Rejects files that are not in the list, since nothing would read them.
fn refuse_others(folder: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            refuse_others(&path)?;
        } else if path.extension() == Some(OsStr::new("toml")) {
            let name = path.strip_prefix("data")?.with_extension("");
            if !FILES.iter().any(|(listed, _)| Path::new(listed) == name) {
                return Err(format!("{}: no data file of the engine", path.display()).into());
            }
        }
    }
    Ok(())
}
