//! Why a driver cannot be used, and what to do about it.

use std::path::Path;

use super::library;
use super::wire::{Opening, Step};

/// Why the driver of an opening was not found (`Step::Find`) or cannot be loaded, from the message of the loader.
///
/// Each text contains `cannot be used` or `is not installed`.
pub(super) fn unusable(opening: &Opening, at: Step, message: &str) -> String {
    let Opening { driver, install, entry, .. } = opening;
    let path = Path::new(driver);
    let is_name = !driver.contains('/');
    let is_manifest = path.extension().is_some_and(|extension| extension == "toml");
    if at == Step::Find && is_name {
        return format!(
            "the driver {driver} is not installed: neither ~/.config/adbc/drivers nor /etc/adbc/drivers nor a folder of \
             ADBC_DRIVER_PATH has a manifest {driver}.toml whose library can be loaded; {install}"
        );
    }
    let reason = if is_name {
        message.to_owned()
    } else if !path.is_absolute() {
        "it is a relative path; expected an absolute path, or the name of a driver without slashes"
            .to_owned()
    } else if path.is_dir() {
        format!("it is a folder; expected a library or a manifest; {install}")
    } else if !path.exists() {
        format!("there is no such file; {install}")
    } else if is_manifest && message.contains("dynamic library") {
        format!("the library that the manifest names cannot be loaded ({message})")
    } else if is_manifest {
        format!("the manifest is not one of an ADBC driver ({message})")
    } else if message.contains("undefined symbol") || message.contains("symbol not found") {
        let function = if entry.is_empty() { "AdbcDriverInit" } else { entry };
        format!(
            "the library has no function {function}, so it is that of something else; {install}"
        )
    } else if let Some(fault) = library::fault(path) {
        format!("{fault}; {install}")
    } else {
        format!("the library cannot be loaded ({message})")
    };
    format!("the driver {driver} cannot be used: {reason}")
}

/// Why a driver that was loaded could not open the database, if it is that of another engine.
pub(super) fn of_another_engine(opening: &Opening, message: &str) -> Option<String> {
    let Opening { driver, install, entry, .. } = opening;
    // The manager of drivers takes the usual function if there is none of this name. Each message of DuckDB has this word.
    let is_foreign = !entry.is_empty() && !message.contains("Error");
    is_foreign.then(|| {
        format!("the driver {driver} cannot be used: it is that of another engine ({message}); {install}")
    })
}

/// Why the process of a driver ended while it opened the database.
pub(super) fn ended(opening: &Opening, reason: &str) -> String {
    let Opening { driver, install, .. } = opening;
    let ended = format!("its process ended while it opened the database ({reason})");
    let path = Path::new(driver);
    let fault = if path.is_absolute() { library::fault(path) } else { None };
    let fault = fault.map(|fault| format!("{fault}: ")).unwrap_or_default();
    format!("the driver {driver} cannot be used: {fault}{ended}; {install}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reason(driver: &str, at: Step, message: &str) -> String {
        let (driver, install) = (driver.to_owned(), "INSTALL".to_owned());
        unusable(&Opening { driver, install, ..Opening::default() }, at, message)
    }

    #[test]
    fn each_way_to_name_a_driver_wrongly_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        for name in ["driver.so", "driver.toml"] {
            std::fs::write(path(name), "nothing").unwrap();
        }
        let symbol = "Error with dynamic library: x: undefined symbol: AdbcDriverInit";
        for (driver, at, message, words) in [
            ("spark".to_owned(), Step::Find, "Driver not found", "a manifest spark.toml"),
            ("spark".to_owned(), Step::Load, symbol, symbol),
            ("./lib/spark.so".to_owned(), Step::Find, "Relative paths", "a relative path"),
            (path(""), Step::Load, "Is a directory", "it is a folder"),
            (path("nothing.so"), Step::Load, "No such file", "there is no such file; INSTALL"),
            (path("nothing.toml"), Step::Load, "No such file", "there is no such file; INSTALL"),
            (path("driver.toml"), Step::Load, "TOML parse error", "is not one of an ADBC driver"),
            (path("driver.toml"), Step::Load, symbol, "the manifest names cannot be loaded"),
            (path("driver.so"), Step::Load, symbol, "has no function AdbcDriverInit"),
            (path("driver.so"), Step::Load, "file too short", "it is no library; INSTALL"),
        ] {
            let text = reason(&driver, at, message);
            assert!(text.contains(words), "{words} is missing in: {text}");
        }
    }
}
