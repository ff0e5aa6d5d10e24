//! Binding of expressions: resolves every column name and records every call and subquery.

use super::binder::Binder;
use super::resolve::Reach;
use super::{Call, Clause, Context, Role, Subquery, Use};
use crate::tree::{Expr, FunctionCall};
use crate::walk::{arguments, children, inner_query, window_children};

impl<'a> Binder<'a> {
    /// Binds an expression; `is_bare` says whether it is a complete ORDER BY or GROUP BY item.
    pub(super) fn expression(
        &mut self,
        expr: &'a Expr,
        place: Context,
        reach: Reach,
        is_bare: bool,
    ) {
        match expr {
            Expr::Column { qualifier, name } => {
                let meaning = self.bound.resolve(qualifier.as_ref(), name, place, reach, is_bare);
                let at = self.bound.uses.len();
                self.bound.uses.push(Use { qualifier: qualifier.as_ref(), name, place, meaning });
                let start = name.span.start;
                let slot = self.bound.by_start.partition_point(|(other, _)| *other < start);
                if self.bound.by_start.get(slot).is_none_or(|(other, _)| *other != start) {
                    self.bound.by_start.insert(slot, (start, at));
                }
            }
            Expr::Function(call) => self.call(call, place, reach),
            _ => children(expr, &mut |child| self.expression(child, place, reach, false)),
        }
        if let Some(query) = inner_query(expr) {
            let role = match expr {
                Expr::Exists { .. } => Role::Exists,
                Expr::InQuery { .. } => Role::List,
                _ => Role::Scalar,
            };
            let block = self.bound.blocks.len();
            let parent = (place.block != usize::MAX).then_some(place.block);
            let shape = self.query(query, parent, role);
            let wanted = match expr {
                Expr::InQuery { operand, .. } => match &**operand {
                    Expr::Tuple(items) => items.len(),
                    _ => 1,
                },
                _ => 1,
            };
            if role != Role::Exists {
                let columns = shape.map_or(wanted, |shape| shape.len());
                let is_scalar = role == Role::Scalar;
                let found = Subquery { query, block, is_scalar, columns, wanted };
                self.bound.subqueries.push(found);
            }
        }
    }

    fn call(&mut self, call: &'a FunctionCall, place: Context, reach: Reach) {
        let is_aggregate =
            call.over.is_none() && crate::guard::is_aggregate(call, self.bound.dialect);
        self.bound.calls.push(Call { call, place, is_aggregate });
        let counts = matches!(place.clause, Clause::Select | Clause::Having | Clause::Order);
        if is_aggregate
            && counts
            && let Some(block) = self.bound.blocks.get_mut(place.block)
        {
            block.aggregates = true;
        }
        let inside = Context {
            in_aggregate: place.in_aggregate || is_aggregate,
            in_window: place.in_window || call.over.is_some(),
            ..place
        };
        arguments(call).for_each(|expr| self.expression(expr, inside, reach, false));
        for item in call.order_by.iter().chain(&call.within_group) {
            self.expression(&item.expr, inside, reach, false);
        }
        call.filter.iter().for_each(|filter| self.expression(filter, inside, reach, false));
        if let Some(window) = &call.over {
            window_children(window, &mut |expr| self.expression(expr, inside, reach, false));
        }
    }
}
