//! Lowering of a figure over groups: the groups become a derived table, of which the figure is computed.

use super::Lowering;
use crate::intent::{Expression, OverGroups, QueryTree, Selection};
use wherefore_sql::tree::{
    Body, Expr, FromItem, Identifier, OrderItem, Query, Select, SelectItem, Source,
};

/// Name of the derived table.
const GROUPS: &str = "each_group";
/// Start of the names of keys that are grouped by and not shown.
const KEY: &str = "group_key";

impl Lowering<'_> {
    /// A figure of the one aggregate of a tree, over its groups.
    pub(super) fn over_groups(
        &self,
        tree: &QueryTree,
        over: &OverGroups,
        limit: Option<u32>,
        offset: u32,
    ) -> Query {
        let mut inner = QueryTree { over_groups: None, order_by: Vec::new(), ..tree.clone() };
        let hidden =
            over.by.iter().filter(|key| !inner.select.iter().any(|item| item.expression == **key));
        let hidden: Vec<Selection> = hidden
            .enumerate()
            .map(|(number, key)| Selection {
                expression: key.clone(),
                alias: Some(format!("{KEY}_{}", number + 1)),
            })
            .collect();
        inner.select.splice(0..0, hidden);
        let bare = |item: &Selection| Expr::Column { qualifier: None, name: name_of(item) };
        let measured = inner.select.iter().find(|item| item.expression.is_aggregate());
        let figure = measured.map(|item| SelectItem::Expr {
            expr: self.figure_of(over.function, bare(item)),
            alias: Some(named(&over.alias)),
        });
        let labels: Vec<Expr> =
            tree.select.iter().filter(|item| !item.expression.is_aggregate()).map(bare).collect();
        let grouped = inner.select.iter().filter(|item| !item.expression.is_aggregate()).map(bare);
        let shown =
            labels.iter().map(|label| SelectItem::Expr { expr: label.clone(), alias: None });
        let select = Select {
            items: shown.chain(figure).collect(),
            group_by: grouped.collect(),
            from: vec![FromItem {
                source: Source::Derived {
                    query: Box::new(self.query(&inner, None, 0)),
                    alias: Some(named(GROUPS)),
                    columns: Vec::new(),
                    lateral: false,
                },
                joins: Vec::new(),
            }],
            ..Select::default()
        };
        let order_by =
            labels.into_iter().map(|expr| OrderItem { expr, descending: false, nulls_first: None });
        Query {
            body: Body::Select(Box::new(select)),
            order_by: order_by.collect(),
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..Query::default()
        }
    }
}

/// Name of an output column.
pub(super) fn name_of(item: &Selection) -> Identifier {
    match (&item.alias, &item.expression) {
        (Some(alias), _) => named(alias),
        (None, Expression::Column { column }) => Identifier::stored(&column.column),
        (None, _) => named(KEY),
    }
}

pub(super) fn named(name: &str) -> Identifier {
    Identifier { name: name.to_owned(), ..Identifier::default() }
}
