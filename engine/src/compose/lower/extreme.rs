//! Lowering of what is among the highest or lowest values: a border from the ranks of all values.

use super::{Lowering, Scope};
use crate::catalog::ColumnRef;
use wherefore_sql::tree::{
    BinaryOperator, Body, Expr, FromItem, FunctionCall, Identifier, OrderItem, Query, Select,
    SelectItem, Source, Window,
};

impl Lowering<'_> {
    /// A number at least (at most) the smallest (largest) of the highest (lowest) so many percent.
    pub(super) fn extreme(
        &self,
        column: &ColumnRef,
        percent: u8,
        highest: bool,
        scope: &Scope,
    ) -> Expr {
        let plain = Scope { tables: self.scope(&[&column.table]).tables, qualified: false };
        let value = self.column(column, &plain);
        let bound = border(value, self.source(&column.table, &plain), percent, highest);
        let operator =
            if highest { BinaryOperator::GreaterOrEqual } else { BinaryOperator::LessOrEqual };
        Expr::binary(
            self.column(column, scope),
            operator,
            Expr::Subquery(Box::new(Query {
                body: Body::Select(Box::new(bound)),
                ..Query::default()
            })),
        )
    }
}

/// The smallest (largest) of the highest (lowest) so many percent of the values of a source.
pub(super) fn border(value: Expr, source: Source, percent: u8, highest: bool) -> Select {
    let named = |name: &str| Identifier { name: name.to_owned(), ..Identifier::default() };
    let rank = Expr::from(FunctionCall {
        over: Some(Window {
            order_by: vec![OrderItem {
                expr: value.clone(),
                descending: highest,
                nulls_first: None,
            }],
            ..Window::default()
        }),
        ..FunctionCall::new("percent_rank", Vec::new())
    });
    let ranked = Select {
        items: vec![
            SelectItem::Expr { expr: value.clone(), alias: Some(named("ranked_value")) },
            SelectItem::Expr { expr: rank, alias: Some(named("rank_share")) },
        ],
        from: vec![FromItem { source, joins: Vec::new() }],
        filter: Some(Expr::IsNull { operand: Box::new(value), negated: true }),
        ..Select::default()
    };
    let bare = |name: &str| Expr::Column { qualifier: None, name: named(name) };
    Select {
        items: vec![SelectItem::Expr {
            expr: Expr::call(if highest { "min" } else { "max" }, vec![bare("ranked_value")]),
            alias: None,
        }],
        from: vec![FromItem {
            source: Source::Derived {
                query: Box::new(Query { body: Body::Select(Box::new(ranked)), ..Query::default() }),
                alias: Some(named("ranked")),
                columns: Vec::new(),
                lateral: false,
            },
            joins: Vec::new(),
        }],
        filter: Some(Expr::binary(
            bare("rank_share"),
            BinaryOperator::Less,
            Expr::number(format!("{}.{:02}", percent / 100, percent % 100)),
        )),
        ..Select::default()
    }
}
