//! Lowering: a query tree becomes a SQL tree for one dialect.

mod average;
mod expression;
mod extreme;
mod mean;
mod median;
mod predicate;
mod top;

use predicate::is_nested;

use crate::catalog::{Catalog, ColumnRef, DataType};
use crate::intent::{Expression, JoinStep, Predicate, QueryTree};
use wherefore_sql::Dialect;
use wherefore_sql::tree::{
    BinaryOperator, Body, Expr, FromItem, Identifier, Join, JoinCondition, JoinKind,
    Literal as SqlLiteral, OrderItem, Query, Select, SelectItem, SetOperator, Source,
};

/// SQL tree of a query tree; rows beyond `offset` are left out, and at most `limit` come back.
pub(crate) fn lower(catalog: &Catalog, tree: &QueryTree, limit: Option<u32>, offset: u32) -> Query {
    let lowering = Lowering { catalog, dialect: catalog.dialect, outer: Vec::new() };
    lowering.query(tree, limit, offset)
}

/// Lowering of one query level.
#[derive(Debug)]
struct Lowering<'a> {
    catalog: &'a Catalog,
    dialect: Dialect,
    /// Table names used by the levels around this one.
    outer: Vec<String>,
}

/// Tables of one level with the names they go by.
#[derive(Clone, Debug, Default)]
struct Scope {
    tables: Vec<(String, String)>,
    qualified: bool,
}

impl Scope {
    fn name_of(&self, key: &str) -> Option<&str> {
        self.tables.iter().find(|(table, _)| table == key).map(|(_, name)| name.as_str())
    }
}

impl Lowering<'_> {
    fn query(&self, tree: &QueryTree, limit: Option<u32>, offset: u32) -> Query {
        if !tree.also.is_empty() {
            return self.union(tree, limit, offset);
        }
        if let Some(top) = &tree.top {
            return self.top_of_each(tree, top, limit, offset);
        }
        if let Some(median) = self.ranked_median(tree) {
            return self.median(tree, &median, limit, offset);
        }
        if let Some(over) = &tree.over_groups {
            return self.over_groups(tree, over, limit, offset);
        }
        let scope = self.scope_of(tree);
        let items = tree
            .select
            .iter()
            .map(|item| SelectItem::Expr {
                expr: self.expression(&item.expression, &scope),
                alias: item
                    .alias
                    .as_ref()
                    .map(|alias| Identifier { name: alias.clone(), ..Identifier::default() }),
            })
            .collect();
        let filters: Vec<Expr> =
            tree.filters.iter().map(|filter| self.predicate(filter, &scope)).collect();
        let of_group = |filter: &Predicate| {
            self.among_groups(tree, filter, &scope)
                .unwrap_or_else(|| self.predicate(filter, &scope))
        };
        let mut having: Vec<Expr> = tree.having.iter().map(of_group).collect();
        having.extend(tree.against_mean.iter().map(|mean| self.against_mean(tree, mean, &scope)));
        let select = Select {
            distinct: tree.distinct,
            items,
            from: vec![FromItem {
                source: self.source(&tree.from, &scope),
                joins: self.joins(&tree.joins, &scope),
            }],
            filter: all(filters),
            group_by: tree.group_by.iter().map(|group| self.expression(group, &scope)).collect(),
            having: all(having),
            ..Select::default()
        };
        let order_by = tree
            .order_by
            .iter()
            .map(|order| OrderItem {
                expr: self.ordered(tree, &order.expression, &scope),
                descending: order.descending,
                nulls_first: None,
            })
            .collect();
        Query {
            body: Body::Select(Box::new(select)),
            order_by,
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..Query::default()
        }
    }

    /// Rows of several trees as one, in the order of the output columns.
    fn union(&self, tree: &QueryTree, limit: Option<u32>, offset: u32) -> Query {
        let alone =
            |tree: &QueryTree| QueryTree { also: Vec::new(), order_by: Vec::new(), ..tree.clone() };
        let first = self.query(&alone(tree), None, 0);
        let whole = tree.also.iter().fold(first, |left, right| Query {
            body: Body::SetOperation {
                operator: SetOperator::Union,
                all: false,
                left: Box::new(left),
                right: Box::new(self.query(&alone(right), None, 0)),
            },
            ..Query::default()
        });
        let named = tree.select.iter().filter_map(|item| match (&item.alias, &item.expression) {
            (Some(alias), _) => Some(Identifier { name: alias.clone(), ..Identifier::default() }),
            (None, Expression::Column { column }) => Some(Identifier::stored(&column.column)),
            _ => None,
        });
        let order_by = named
            .map(|name| OrderItem {
                expr: Expr::Column { qualifier: None, name },
                descending: false,
                nulls_first: None,
            })
            .collect();
        Query {
            order_by,
            limit: limit.map(|limit| Expr::number(limit.to_string())),
            offset: (offset > 0).then(|| Expr::number(offset.to_string())),
            ..whole
        }
    }

    /// An ordering names the output column where the expression is one with an alias.
    fn ordered(&self, tree: &QueryTree, expression: &Expression, scope: &Scope) -> Expr {
        let alias = tree
            .select
            .iter()
            .find(|item| {
                item.expression == *expression && !matches!(expression, Expression::Column { .. })
            })
            .and_then(|item| item.alias.clone());
        match alias {
            Some(alias) => Expr::Column {
                qualifier: None,
                name: Identifier { name: alias, ..Identifier::default() },
            },
            None => self.expression(expression, scope),
        }
    }

    /// Tables of a tree with the names they go by.
    fn scope_of(&self, tree: &QueryTree) -> Scope {
        let keys: Vec<&str> = std::iter::once(tree.from.as_str())
            .chain(tree.joins.iter().map(|step| step.to_table.as_str()))
            .collect();
        let mut scope = self.scope(&keys);
        scope.qualified = keys.len() > 1
            || tree.row_conditions().any(is_nested)
            || tree.select.iter().any(|item| item.expression.is_nested());
        scope
    }

    fn scope(&self, keys: &[&str]) -> Scope {
        let mut scope = Scope { tables: Vec::new(), qualified: true };
        for key in keys {
            let bare = self.catalog.table(key).map_or(*key, |table| table.name.as_str());
            let mut name = bare.to_owned();
            let mut number = 2;
            while self.outer.contains(&name) || scope.tables.iter().any(|(_, used)| *used == name) {
                name = format!("{bare}_{number}");
                number += 1;
            }
            scope.tables.push(((*key).to_owned(), name));
        }
        scope
    }

    fn source(&self, key: &str, scope: &Scope) -> Source {
        let (schema, name) = match self.catalog.table(key) {
            Some(table) => (table.schema.clone(), table.name.clone()),
            None => (None, key.to_owned()),
        };
        let used = scope.name_of(key).unwrap_or(&name);
        let alias =
            (used != name || schema.is_some() && scope.qualified).then(|| Identifier::stored(used));
        Source::Table {
            schema: schema.map(Identifier::stored),
            name: Identifier::stored(name),
            alias,
        }
    }

    fn joins(&self, steps: &[JoinStep], scope: &Scope) -> Vec<Join> {
        steps
            .iter()
            .map(|step| Join {
                kind: if step.outer { JoinKind::Left } else { JoinKind::Inner },
                source: self.source(&step.to_table, scope),
                condition: JoinCondition::On(self.link(step, scope, scope)),
            })
            .collect()
    }

    fn link(&self, step: &JoinStep, from: &Scope, to: &Scope) -> Expr {
        let left = from.name_of(&step.from_table).unwrap_or(&step.from_table);
        let right = to.name_of(&step.to_table).unwrap_or(&step.to_table);
        let pairs: Vec<Expr> = step
            .from_columns
            .iter()
            .zip(&step.to_columns)
            .map(|(from, to)| {
                Expr::binary(
                    Expr::column(right, to),
                    BinaryOperator::Equal,
                    Expr::column(left, from),
                )
            })
            .collect();
        all(pairs).unwrap_or(Expr::literal(SqlLiteral::Boolean(true)))
    }

    fn column(&self, column: &ColumnRef, scope: &Scope) -> Expr {
        let name = Identifier::stored(&column.column);
        let qualifier =
            scope.qualified.then(|| scope.name_of(&column.table)).flatten().map(Identifier::stored);
        Expr::Column { qualifier, name }
    }

    fn data_type(&self, column: &ColumnRef) -> DataType {
        self.catalog.column(column).map_or(DataType::Other, |column| column.data_type)
    }
}

fn all(conditions: Vec<Expr>) -> Option<Expr> {
    let mut conditions: Vec<Expr> = conditions
        .into_iter()
        .flat_map(|condition| match condition {
            Expr::And(inner) => inner,
            other => vec![other],
        })
        .collect();
    match conditions.len() {
        0 => None,
        1 => conditions.pop(),
        _ => Some(Expr::And(conditions)),
    }
}
