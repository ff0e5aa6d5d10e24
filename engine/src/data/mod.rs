//! The data files.

mod form;

pub(crate) use form::Role;
