//! Engines for the hand-written catalogs of the tests.

use std::path::PathBuf;

use wherefore_engine::catalog::Catalog;
use wherefore_engine::settings::Settings;
use wherefore_engine::{Engine, Knowledge};
use wherefore_sql::Dialect;

use super::scenario::Front;

/// Folder of the engine's tests.
pub(crate) fn tests_folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests"))
}

/// The catalog of `data/catalogs/NAME.json`.
pub(crate) fn catalog(name: &str) -> Catalog {
    let path = tests_folder().join(format!("data/catalogs/{name}.json"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The engine for the front lines of a file, in one dialect.
pub(crate) fn engine(front: &Front, dialect: Dialect) -> Engine {
    let mut catalog = catalog(&front.catalog);
    catalog.dialect = dialect;
    catalog.can_execute = front.database;
    let settings: Settings = serde_json::from_value(front.settings.clone().into())
        .unwrap_or_else(|error| panic!("settings of {}: {error}", front.catalog));
    Engine::new(Knowledge { catalog, settings, ..Knowledge::default() })
}
