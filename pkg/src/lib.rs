//! The package.
