//! Post-order traversal of a tree.

use crate::diagnostic::Diagnostic;
use crate::foreign::{Foreign, Part};
use crate::tree::{
    Argument, Body, Expr, FrameBound, FromItem, FunctionCall, JoinCondition, OrderItem, Query,
    SelectItem, Source, Window,
};

pub(super) type Done = Result<(), Diagnostic>;

/// The context of an ORDER BY item.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Ordering {
    /// The rows of a query or window, or the input of an aggregate.
    Rows,
    /// WITHIN GROUP, which ignores NULLs.
    WithinGroup,
}

/// Callbacks for each node, called after its children.
pub(super) trait Visitor {
    /// Whether to visit an expression and its parts.
    fn enters(&self, _: &Expr) -> bool {
        true
    }

    /// Whether to visit a query inside an expression.
    fn enters_query(&self) -> bool {
        true
    }

    /// An expression.
    fn expr(&mut self, _: &mut Expr) -> Done {
        Ok(())
    }

    /// A query.
    fn query(&mut self, _: &mut Query) -> Done {
        Ok(())
    }

    /// An ORDER BY item.
    fn order_item(&mut self, _: &mut OrderItem, _: Ordering) -> Done {
        Ok(())
    }

    /// A source.
    fn source(&mut self, _: &mut Source) -> Done {
        Ok(())
    }

    /// A foreign node.
    fn foreign(&mut self, _: &mut Foreign) -> Done {
        Ok(())
    }
}

/// Visits a query and everything inside it.
pub(super) fn query(visitor: &mut impl Visitor, node: &mut Query) -> Done {
    for table in &mut node.with {
        query(visitor, &mut table.query)?;
    }
    match &mut node.body {
        Body::Select(select) => {
            for from in &mut select.from {
                from_item(visitor, from)?;
            }
            for item in &mut select.items {
                match item {
                    SelectItem::Expr { expr: value, .. } => expr(visitor, value)?,
                    SelectItem::Foreign(parts) => foreign(visitor, parts)?,
                    SelectItem::Wildcard { .. } | SelectItem::WildcardExcept { .. } => {}
                }
            }
            exprs(visitor, &mut select.distinct_on)?;
            exprs(visitor, &mut select.filter)?;
            exprs(visitor, &mut select.group_by)?;
            exprs(visitor, &mut select.having)?;
        }
        Body::SetOperation { left, right, .. } => {
            query(visitor, left)?;
            query(visitor, right)?;
        }
        Body::Values(rows) => {
            for row in rows {
                exprs(visitor, row)?;
            }
        }
        Body::Foreign(parts) => foreign(visitor, parts)?,
        Body::Spelled(spelled) => {
            node.body = std::mem::take(&mut spelled.meaning);
            return query(visitor, node);
        }
    }
    order_items(visitor, &mut node.order_by, Ordering::Rows)?;
    exprs(visitor, &mut node.limit)?;
    exprs(visitor, &mut node.offset)?;
    visitor.query(node)
}

fn from_item(visitor: &mut impl Visitor, item: &mut FromItem) -> Done {
    source(visitor, &mut item.source)?;
    for join in &mut item.joins {
        source(visitor, &mut join.source)?;
        match &mut join.condition {
            JoinCondition::On(condition) => expr(visitor, condition)?,
            JoinCondition::Foreign(parts) => foreign(visitor, parts)?,
            JoinCondition::Natural | JoinCondition::None | JoinCondition::Using(_) => {}
        }
    }
    Ok(())
}

fn source(visitor: &mut impl Visitor, node: &mut Source) -> Done {
    match node {
        Source::Derived { query: inner, .. } => query(visitor, inner)?,
        Source::Function { call, .. } => call_parts(visitor, call)?,
        Source::Table { .. } => {}
        Source::Foreign(parts) => foreign(visitor, parts)?,
    }
    visitor.source(node)
}

fn foreign(visitor: &mut impl Visitor, node: &mut Foreign) -> Done {
    for part in &mut node.parts {
        match part {
            Part::Expr(value) | Part::Operand(value) => expr(visitor, value)?,
            Part::Order(item) => order_items(visitor, std::slice::from_mut(item), Ordering::Rows)?,
            Part::Window(over) => window(visitor, over)?,
            Part::Query(inner) => query(visitor, inner)?,
            Part::From(item) => from_item(visitor, item)?,
            Part::Text(_)
            | Part::Word(_)
            | Part::Quoted(_)
            | Part::Symbol(_)
            | Part::Number(_)
            | Part::String(_)
            | Part::Name(_) => {}
        }
    }
    visitor.foreign(node)
}

fn exprs<'a>(visitor: &mut impl Visitor, list: impl IntoIterator<Item = &'a mut Expr>) -> Done {
    list.into_iter().try_for_each(|item| expr(visitor, item))
}

fn order_items(visitor: &mut impl Visitor, items: &mut [OrderItem], place: Ordering) -> Done {
    for item in items {
        expr(visitor, &mut item.expr)?;
        visitor.order_item(item, place)?;
    }
    Ok(())
}

fn call_parts(visitor: &mut impl Visitor, call: &mut FunctionCall) -> Done {
    for argument in &mut call.arguments {
        if let Argument::Expr(value) = argument {
            expr(visitor, value)?;
        }
    }
    order_items(visitor, &mut call.order_by, Ordering::Rows)?;
    order_items(visitor, &mut call.within_group, Ordering::WithinGroup)?;
    if let Some(filter) = &mut call.filter {
        expr(visitor, filter)?;
    }
    if let Some(over) = &mut call.over {
        window(visitor, over)?;
    }
    Ok(())
}

fn window(visitor: &mut impl Visitor, window: &mut Window) -> Done {
    exprs(visitor, &mut window.partition_by)?;
    order_items(visitor, &mut window.order_by, Ordering::Rows)?;
    let Some(frame) = &mut window.frame else { return Ok(()) };
    for bound in std::iter::once(&mut frame.start).chain(&mut frame.end) {
        if let FrameBound::Following(Some(count)) | FrameBound::Preceding(Some(count)) = bound {
            expr(visitor, count)?;
        }
    }
    Ok(())
}

/// Visits an expression and everything inside it.
pub(super) fn expr(visitor: &mut impl Visitor, node: &mut Expr) -> Done {
    if !visitor.enters(node) {
        return Ok(());
    }
    match node {
        Expr::Column { .. } | Expr::Literal(..) | Expr::Parameter(_) => {}
        Expr::Foreign(parts) => foreign(visitor, parts)?,
        Expr::Spelled(spelled) => {
            *node = std::mem::replace(&mut spelled.meaning, Expr::Tuple(Vec::new()));
            return expr(visitor, node);
        }
        Expr::AtTimeZone { operand, zone: other }
        | Expr::Binary { left: operand, right: other, .. }
        | Expr::Like { operand, pattern: other, .. } => {
            expr(visitor, operand)?;
            expr(visitor, other)?;
        }
        Expr::Collate { operand, .. }
        | Expr::Unary { operand, .. }
        | Expr::IsNull { operand, .. }
        | Expr::IsBoolean { operand, .. }
        | Expr::Cast { operand, .. }
        | Expr::Extract { operand, .. }
        | Expr::Not(operand) => expr(visitor, operand)?,
        Expr::Grouping { sets, .. } => {
            for set in sets {
                exprs(visitor, set)?;
            }
        }
        Expr::And(parts) | Expr::Or(parts) | Expr::Tuple(parts) | Expr::Array(parts) => {
            exprs(visitor, parts)?;
        }
        Expr::Between { operand, low, high, .. } => {
            expr(visitor, operand)?;
            expr(visitor, low)?;
            expr(visitor, high)?;
        }
        Expr::InList { operand, list, .. } => {
            expr(visitor, operand)?;
            exprs(visitor, list)?;
        }
        Expr::InQuery { operand, query: inner, .. } => {
            expr(visitor, operand)?;
            if visitor.enters_query() {
                query(visitor, inner)?;
            }
        }
        Expr::Exists { query: inner, .. } | Expr::Subquery(inner) => {
            if visitor.enters_query() {
                query(visitor, inner)?;
            }
        }
        Expr::Case { operand, branches, otherwise } => {
            if let Some(operand) = operand {
                expr(visitor, operand)?;
            }
            for (when, then) in branches {
                expr(visitor, when)?;
                expr(visitor, then)?;
            }
            if let Some(otherwise) = otherwise {
                expr(visitor, otherwise)?;
            }
        }
        Expr::Function(call) => call_parts(visitor, call)?,
    }
    visitor.expr(node)
}

/// Maximum number of nodes in an expression; templates can duplicate their arguments.
const MAX_NODES: usize = 20_000;

/// Rejects an expression that rewriting has made too large.
pub(super) fn check_size(node: &mut Expr) -> Done {
    let mut count = Count { nodes: 0 };
    expr(&mut count, node)
}

struct Count {
    nodes: usize,
}

impl Visitor for Count {
    fn expr(&mut self, _: &mut Expr) -> Done {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(super::refused("an expression whose translation is this large"));
        }
        Ok(())
    }
}
