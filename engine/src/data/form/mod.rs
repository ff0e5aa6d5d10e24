//! The form of the data files.

mod role;

pub(crate) use role::Role;
