//! Function calls and their windows.

use serde::{Deserialize, Serialize};

use super::{Expr, OrderItem, SqlSpan};

/// A function call: aggregate, window or scalar.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct FunctionCall {
    /// Name, lower case, without a schema.
    pub name: String,
    /// Arguments; `count(*)` has the one argument [`Argument::Star`].
    pub arguments: Vec<Argument>,
    /// DISTINCT inside an aggregate.
    pub distinct: bool,
    /// ORDER BY inside an aggregate.
    pub order_by: Vec<OrderItem>,
    /// WITHIN GROUP (ORDER BY …).
    pub within_group: Vec<OrderItem>,
    /// FILTER (WHERE …).
    pub filter: Option<Box<Expr>>,
    /// OVER (…).
    pub over: Option<Window>,
    /// Position of the name in the SQL text.
    #[serde(skip)]
    pub span: SqlSpan,
}

impl PartialEq for FunctionCall {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, arguments, distinct, order_by, within_group, filter, over, span: _ } =
            self;
        *name == other.name
            && *arguments == other.arguments
            && *distinct == other.distinct
            && *order_by == other.order_by
            && *within_group == other.within_group
            && *filter == other.filter
            && *over == other.over
    }
}

/// A function's argument.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// An expression.
    Expr(Expr),
    /// `*`.
    Star,
}

/// An OVER clause.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Window {
    /// PARTITION BY.
    pub partition_by: Vec<Expr>,
    /// ORDER BY.
    pub order_by: Vec<OrderItem>,
    /// Frame.
    pub frame: Option<Frame>,
}

/// A window frame.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Frame {
    /// ROWS, RANGE or GROUPS, upper case.
    pub unit: String,
    /// Start.
    pub start: FrameBound,
    /// End; `None` if the frame has no BETWEEN.
    pub end: Option<FrameBound>,
}

/// A bound of a window frame.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FrameBound {
    /// CURRENT ROW.
    CurrentRow,
    /// `n FOLLOWING`; UNBOUNDED if `None`.
    Following(Option<Box<Expr>>),
    /// `n PRECEDING`; UNBOUNDED if `None`.
    Preceding(Option<Box<Expr>>),
}

impl FunctionCall {
    /// A call without DISTINCT, ordering, filter or window.
    pub fn new(name: &str, arguments: Vec<Argument>) -> Self {
        Self {
            name: name.to_owned(),
            arguments,
            distinct: false,
            order_by: Vec::new(),
            within_group: Vec::new(),
            filter: None,
            over: None,
            span: SqlSpan::default(),
        }
    }
}
