//! Middleware: host and origin checks, security headers, request ids, bodies and concurrency limits.

mod admission;
mod body;
mod count;
mod cross_site;
mod encoding;
mod held;
mod plain;
mod surround;

pub(crate) use admission::{Admission, admit};
pub(crate) use count::count;
pub(crate) use cross_site::cross_origin;
pub(crate) use surround::{Surroundings, surround};
