//! Converts the TOML data files to JSON, so that the engine needs only the JSON parser that its messages use anyway.

use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data");
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    convert(Path::new("data"), Path::new(&out))
}

#[expect(clippy::disallowed_methods, reason = "a build script is a host")]
fn convert(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        let target = to.join(name);
        if path.is_dir() {
            convert(&path, &target)?;
        } else if path.extension() == Some(OsStr::new("toml")) {
            let text = fs::read_to_string(&path)?;
            let data: toml::Table =
                toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            fs::write(target.with_extension("json"), serde_json::to_string(&data)?)?;
        }
    }
    Ok(())
}
