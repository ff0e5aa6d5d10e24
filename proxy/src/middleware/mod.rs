//! Middleware: host and origin checks, security headers, request ids and concurrency limits.

mod admission;
mod cross_site;
mod surround;

pub(crate) use admission::count;
pub(crate) use cross_site::cross_origin;
pub(crate) use surround::{Surroundings, surround};
