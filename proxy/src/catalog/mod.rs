//! Catalogs from files, and packs that are merged into any catalog.

pub mod file;
pub mod pack;
