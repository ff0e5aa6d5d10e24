//! Startup: from options to the state of the process.

mod catalog;
mod database;
mod error;
mod knowledge;
mod model;
mod open;
mod roles;

pub(crate) use catalog::{
    keep_catalog, read_catalog, read_catalog_soon, read_tables_soon, with_pack,
};
pub use database::check_login;
pub(crate) use database::open_database;
pub use error::StartError;
pub(crate) use knowledge::knowledge;
pub(crate) use model::open_model;
pub use open::start;
pub(crate) use roles::{read_roles, role_knowledge};
