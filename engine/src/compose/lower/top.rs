//! Lowering of the first rows of each group: a place is given to each row, and the first places are kept.
//!
//! Without groups, rows that are equal in the order share a place: all rows that a join makes of one are kept or none.

use super::{Lowering, Scope};
use crate::intent::{Expression, QueryTree, Selection, TopOfEach};
use wherefore_sql::tree::{
    BinaryOperator, Body, Expr, FromItem, FunctionCall, Identifier, OrderItem, Query, Select,
    SelectItem, Source, Window,
};

/// Name of the places.
const PLACE: &str = "place_in_group";
/// Name of the rows with their places.
const RANKED: &str = "ranked";

impl Lowering<'_> {
    /// The rows of a tree whose place in their group is one of the first.
    pub(super) fn top_of_each(
        &self,
        tree: &QueryTree,
        top: &TopOfEach,
        limit: Option<u32>,
        offset: u32,
    ) -> Query {
        let plain = QueryTree { top: None, order_by: Vec::new(), ..tree.clone() };
        let mut ranked = self.query(&plain, None, 0);
        let scope = self.scope_of(tree);
        let order_by = tree.order_by.iter().map(|order| OrderItem {
            expr: self.expression(&order.expression, &scope),
            descending: order.descending,
            nulls_first: None,
        });
        let function = if top.partition.is_empty() { "dense_rank" } else { "row_number" };
        let place = Expr::from(FunctionCall {
            over: Some(Window {
                partition_by: self.each_expression(&top.partition, &scope),
                order_by: order_by.collect(),
                frame: None,
            }),
            ..FunctionCall::new(function, Vec::new())
        });
        if let Body::Select(select) = &mut ranked.body {
            select.items.push(SelectItem::Expr { expr: place, alias: Some(named(PLACE)) });
        }
        let kept: Vec<Identifier> = tree
            .select
            .iter()
            .filter_map(|item| match (&item.alias, &item.expression) {
                (Some(alias), _) => Some(named(alias)),
                (None, Expression::Column { column }) => Some(Identifier::stored(&column.column)),
                _ => None,
            })
            .collect();
        let bare = |name: Identifier| Expr::Column { qualifier: None, name };
        let unordered = |(item, _): &(&Selection, &Identifier)| {
            !item.expression.is_aggregate()
                && !tree.order_by.iter().any(|order| order.expression == item.expression)
        };
        let shown = tree.select.iter().zip(&kept);
        // Where there are no groups, rows are in order of their places first.
        let order_by: Vec<Identifier> = if top.partition.is_empty() {
            let rest = shown.filter(unordered).map(|(_, name)| name.clone());
            std::iter::once(named(PLACE)).chain(rest).collect()
        } else {
            let groups = shown.take_while(unordered).map(|(_, name)| name.clone());
            groups.chain([named(PLACE)]).collect()
        };
        let order_by = order_by.into_iter().map(|name| OrderItem {
            expr: bare(name),
            descending: false,
            nulls_first: None,
        });
        let order_by = order_by.collect();
        let select = Select {
            items: kept
                .into_iter()
                .map(|name| SelectItem::Expr { expr: bare(name), alias: None })
                .collect(),
            from: vec![FromItem {
                source: Source::Derived {
                    query: Box::new(ranked),
                    alias: Some(named(RANKED)),
                    columns: Vec::new(),
                    lateral: false,
                },
                joins: Vec::new(),
            }],
            filter: Some(Expr::binary(
                bare(named(PLACE)),
                BinaryOperator::LessOrEqual,
                Expr::number(top.count.to_string()),
            )),
            ..Select::default()
        };
        Query {
            body: Body::Select(Box::new(select)),
            order_by,
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..Query::default()
        }
    }

    fn each_expression(&self, expressions: &[Expression], scope: &Scope) -> Vec<Expr> {
        expressions.iter().map(|expression| self.expression(expression, scope)).collect()
    }
}

fn named(name: &str) -> Identifier {
    Identifier { name: name.to_owned(), ..Identifier::default() }
}
