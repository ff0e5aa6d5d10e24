//! Lowering of medians. PostgreSQL has a function; SQLite gives each value its place in its group, and takes the mean of
//! the one or two in the middle.

use super::Lowering;
use super::average::{name_of, named};
use crate::intent::{Aggregate, Expression, QueryTree, Selection};
use wherefore_sql::Dialect;
use wherefore_sql::tree::{
    Argument, BinaryOperator, Body, Expr, FromItem, FunctionCall, Identifier, OrderItem, Query,
    Select, SelectItem, Source, Window,
};

/// Name of the derived table.
const VALUES: &str = "each_value";
/// Name of the column with the values.
const VALUE: &str = "single_value";
/// Name of the places.
const PLACE: &str = "place_in_group";
/// Name of the numbers of values.
const NUMBER: &str = "values_in_group";
/// Start of the names of keys that are grouped by and not shown.
const KEY: &str = "group_key";

/// A median that is computed from places.
pub(super) struct Ranked {
    /// Values, as rows of a tree.
    rows: QueryTree,
    /// What one value is.
    value: Expression,
    /// Name of the values.
    name: Identifier,
    /// What tells the groups apart.
    groups: Vec<Expression>,
    /// Name of the output column.
    alias: String,
}

impl Lowering<'_> {
    /// A figure of values.
    pub(super) fn figure_of(&self, function: Aggregate, values: Expr) -> Expr {
        if function != Aggregate::Median || self.dialect == Dialect::Sqlite {
            return Expr::call(function.function(), vec![values]);
        }
        let order = OrderItem { expr: values, descending: false, nulls_first: None };
        Expr::from(FunctionCall {
            within_group: vec![order],
            ..FunctionCall::new("percentile_cont", vec![Argument::Expr(Expr::number("0.5"))])
        })
    }

    /// The median of a tree, where the dialect has no function for it.
    pub(super) fn ranked_median(&self, tree: &QueryTree) -> Option<Ranked> {
        if self.dialect != Dialect::Sqlite {
            return None;
        }
        let plain = QueryTree { over_groups: None, order_by: Vec::new(), ..tree.clone() };
        if let Some(over) = &tree.over_groups {
            let measured = tree.select.iter().find(|item| item.expression.is_aggregate())?;
            return (over.function == Aggregate::Median).then(|| Ranked {
                value: measured.expression.clone(),
                name: name_of(measured),
                groups: over.by.clone(),
                alias: over.alias.clone(),
                rows: plain,
            });
        }
        let position = tree.select.iter().position(|item| {
            matches!(item.expression, Expression::Aggregate { function: Aggregate::Median, .. })
        })?;
        let Selection { expression, alias } = tree.select.get(position)?.clone();
        let Expression::Aggregate { argument: Some(value), .. } = expression else { return None };
        let mut rows = QueryTree { group_by: Vec::new(), ..plain };
        let value = *value;
        rows.select[position] =
            Selection { expression: value.clone(), alias: Some(VALUE.to_owned()) };
        Some(Ranked {
            rows,
            value,
            name: named(VALUE),
            groups: tree.group_by.clone(),
            alias: alias.unwrap_or_else(|| Aggregate::Median.function().to_owned()),
        })
    }

    /// The mean of the values in the middle of each group.
    pub(super) fn median(
        &self,
        tree: &QueryTree,
        median: &Ranked,
        limit: Option<u32>,
        offset: u32,
    ) -> Query {
        let bare = |name: Identifier| Expr::Column { qualifier: None, name };
        let mut rows = median.rows.clone();
        let hidden: Vec<Selection> = median
            .groups
            .iter()
            .filter(|key| !rows.select.iter().any(|item| item.expression == **key))
            .enumerate()
            .map(|(number, key)| Selection {
                expression: key.clone(),
                alias: Some(format!("{KEY}_{}", number + 1)),
            })
            .collect();
        rows.select.splice(0..0, hidden);
        let keys: Vec<Identifier> =
            rows.select.iter().map(name_of).filter(|name| *name != median.name).collect();
        let labels: Vec<Identifier> =
            tree.select.iter().map(name_of).filter(|name| keys.contains(name)).collect();
        let mut ranked = self.query(&rows, None, 0);
        if let Body::Select(select) = &mut ranked.body {
            select.items.extend(self.places(&rows, median));
        }
        let figure = SelectItem::Expr {
            expr: Expr::call(Aggregate::Average.function(), vec![bare(median.name.clone())]),
            alias: Some(named(&median.alias)),
        };
        let shown =
            labels.iter().map(|name| SelectItem::Expr { expr: bare(name.clone()), alias: None });
        let select = Select {
            items: shown.chain([figure]).collect(),
            from: vec![FromItem {
                source: Source::Derived {
                    query: Box::new(ranked),
                    alias: Some(named(VALUES)),
                    columns: Vec::new(),
                    lateral: false,
                },
                joins: Vec::new(),
            }],
            filter: Some(in_the_middle()),
            group_by: keys.into_iter().map(bare).collect(),
            ..Select::default()
        };
        Query {
            body: Body::Select(Box::new(select)),
            order_by: order_of(tree, median, &labels),
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..Query::default()
        }
    }

    /// The place of each value in its group, and the number of values of the group.
    fn places(&self, rows: &QueryTree, median: &Ranked) -> [SelectItem; 2] {
        let scope = self.scope_of(rows);
        let value = self.expression(&median.value, &scope);
        let partition_by: Vec<Expr> =
            median.groups.iter().map(|key| self.expression(key, &scope)).collect();
        let order = OrderItem { expr: value.clone(), descending: false, nulls_first: Some(false) };
        let over = |call: FunctionCall, order_by: Vec<OrderItem>| {
            let partition_by = partition_by.clone();
            let window = Window { partition_by, order_by, frame: None };
            Expr::from(FunctionCall { over: Some(window), ..call })
        };
        let place = over(FunctionCall::new("row_number", Vec::new()), vec![order]);
        let count = FunctionCall::new("count", vec![Argument::Expr(value)]);
        [
            SelectItem::Expr { expr: place, alias: Some(named(PLACE)) },
            SelectItem::Expr { expr: over(count, Vec::new()), alias: Some(named(NUMBER)) },
        ]
    }
}

/// Whether a place is the middle one, or one of the two there.
fn in_the_middle() -> Expr {
    let bare = |name: &str| Expr::Column { qualifier: None, name: named(name) };
    let twice = Expr::binary(Expr::number("2"), BinaryOperator::Multiply, bare(PLACE));
    Expr::Between {
        operand: Box::new(twice),
        low: Box::new(bare(NUMBER)),
        high: Box::new(Expr::binary(bare(NUMBER), BinaryOperator::Plus, Expr::number("2"))),
        negated: false,
    }
}

/// The order of the tree by the names of output columns; that of the labels where it names none.
fn order_of(tree: &QueryTree, median: &Ranked, labels: &[Identifier]) -> Vec<OrderItem> {
    let named_item = |expression: &Expression| {
        tree.select.iter().find(|item| item.expression == *expression).map(|item| {
            if item.expression.is_aggregate() { named(&median.alias) } else { name_of(item) }
        })
    };
    let item = |name: Identifier, descending: bool| OrderItem {
        expr: Expr::Column { qualifier: None, name },
        descending,
        nulls_first: None,
    };
    let orders: Vec<OrderItem> = tree
        .order_by
        .iter()
        .filter_map(|order| Some(item(named_item(&order.expression)?, order.descending)))
        .collect();
    if orders.is_empty() {
        labels.iter().map(|name| item(name.clone(), false)).collect()
    } else {
        orders
    }
}
