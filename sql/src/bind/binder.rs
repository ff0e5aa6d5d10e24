//! State of the binding pass.

use std::rc::Rc;

use super::{Bound, Columns, Output};
use crate::tree::Identifier;

/// The result so far, and the common table expressions (CTEs) in scope.
pub(super) struct Binder<'a> {
    pub(super) bound: Bound<'a>,
    pub(super) scope: Vec<InScope<'a>>,
}

/// A CTE in scope.
pub(super) struct InScope<'a> {
    pub(super) name: &'a Identifier,
    /// Output columns of the CTE; `None` until it is bound.
    pub(super) columns: Option<Columns<'a>>,
    pub(super) block: Option<usize>,
    /// Index into `common_tables`.
    pub(super) place: usize,
}

/// Output columns of a query; `None` if they are unknown.
pub(super) type Shape<'a> = Option<Rc<[Output<'a>]>>;
