//! What the tests of dialogues share: catalogs, scenarios, and the play of a scenario.

pub(crate) mod catalogs;
pub(crate) mod model;
pub(crate) mod play;
pub(crate) mod scenario;
