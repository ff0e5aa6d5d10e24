//! Shared parts of the dialogue tests: catalogs, scenarios, and playing a scenario.

pub(crate) mod catalogs;
pub(crate) mod model;
pub(crate) mod play;
pub(crate) mod scenario;
