//! Order, limits and HAVING of queries for MySQL and MariaDB.

use crate::tree::{
    Body, Expr, FromItem, FunctionCall, Identifier, Literal, OrderItem, Place, Query, Select,
    SelectItem, Source, Window,
};

use super::walk::{self, Done, Visitor};

/// More rows than any table has.
const ALL_ROWS: &str = "18446744073709551615";

/// Sorts NULLs by keys of their own, and names output columns in HAVING.
pub(super) fn fit(query: &mut Query) -> Done {
    let outputs = match &mut query.body {
        Body::Select(select) => {
            name_outputs(select)?;
            outputs(select)
        }
        _ => Vec::new(),
    };
    let mut sorted = Vec::with_capacity(query.order_by.len());
    for mut item in std::mem::take(&mut query.order_by) {
        if let Some(first) = item.nulls_first.take() {
            let value = value_of(&item.expr, &outputs);
            if !is_never_null(value) {
                let key = Expr::IsNull { operand: Box::new(value.clone()), negated: first };
                sorted.push(OrderItem { expr: key, descending: false, nulls_first: None });
            }
        }
        sorted.push(item);
    }
    query.order_by = sorted;
    Ok(())
}

/// Gives a query in FROM that has an order a limit, without which its order is ignored.
pub(super) fn keep_order(source: &mut Source) {
    if let Source::Derived { query, .. } = source
        && !query.order_by.is_empty()
        && query.limit.is_none()
    {
        query.limit = Some(Expr::number(ALL_ROWS));
    }
}

/// A query with a limit for IN, which takes one only inside another query; `None` if it has none.
pub(super) fn limited(query: &Query) -> Option<Query> {
    if query.limit.is_none() && query.offset.is_none() {
        return None;
    }
    let alias = Identifier { name: "_in".to_owned(), ..Identifier::default() };
    let source = Source::Derived {
        query: Box::new(query.clone()),
        alias: Some(alias),
        columns: Vec::new(),
        lateral: false,
    };
    let select = Select {
        items: vec![SelectItem::Wildcard { qualifier: None }],
        from: vec![FromItem { source, joins: Vec::new() }],
        ..Select::default()
    };
    Some(Query { body: Body::Select(Box::new(select)), ..Query::default() })
}

/// A call over a window without an order, which MariaDB requires for this function: all rows are equal in it; `None` for
/// other calls.
pub(super) fn ordered(call: &FunctionCall) -> Option<Expr> {
    let window = call.over.as_ref().filter(|window| window.order_by.is_empty())?;
    if !matches!(
        call.name.as_str(),
        "cume_dist" | "dense_rank" | "lag" | "lead" | "percent_rank" | "rank"
    ) {
        return None;
    }
    let expr = Expr::Literal(Literal::Null, Place::default());
    let order_by = vec![OrderItem { expr, descending: false, nulls_first: None }];
    let over = Some(Window { order_by, ..window.clone() });
    Some(FunctionCall { over, ..call.clone() }.into())
}

/// Output columns with their names, if they have one.
type Outputs = Vec<(Option<String>, Expr)>;

fn outputs(select: &Select) -> Outputs {
    let items = select.items.iter().map(|item| match item {
        SelectItem::Expr { expr, alias } => {
            Some((alias.as_ref().map(|alias| alias.name.to_lowercase()), expr.clone()))
        }
        // Positions behind `*` are unknown.
        _ => None,
    });
    items.map_while(|item| item).collect()
}

/// The expression that an ORDER BY item names or counts. A sort key over the name of an aggregate is an error.
fn value_of<'a>(expr: &'a Expr, outputs: &'a Outputs) -> &'a Expr {
    let found = match expr {
        Expr::Column { qualifier: None, name } => {
            let name = name.name.to_lowercase();
            outputs.iter().find(|(alias, _)| alias.as_ref() == Some(&name))
        }
        Expr::Literal(Literal::Number(position), _) => {
            let position = position.parse::<usize>().ok();
            position.and_then(|position| outputs.get(position.checked_sub(1)?))
        }
        _ => None,
    };
    found.map_or(expr, |(_, value)| value)
}

fn is_never_null(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(literal, _) => *literal != Literal::Null,
        Expr::Function(call) => {
            matches!(call.name.as_str(), "count" | "dense_rank" | "ntile" | "rank" | "row_number")
        }
        _ => false,
    }
}

/// Names output columns in HAVING, where columns that are not grouped by are unknown.
fn name_outputs(select: &mut Select) -> Done {
    let named = select.items.iter().filter_map(|item| match item {
        SelectItem::Expr { expr, alias: Some(alias) } if !matches!(expr, Expr::Column { .. }) => {
            select.group_by.iter().any(|key| is_key(key, expr, alias)).then_some(())?;
            Some((expr.clone(), alias.clone()))
        }
        _ => None,
    });
    let named: Vec<(Expr, Identifier)> = named.collect();
    match &mut select.having {
        Some(having) => walk::expr(&mut Naming { named: &named }, having),
        None => Ok(()),
    }
}

fn is_key(key: &Expr, expr: &Expr, alias: &Identifier) -> bool {
    key == expr || matches!(key, Expr::Column { qualifier: None, name } if name.name == alias.name)
}

struct Naming<'a> {
    named: &'a [(Expr, Identifier)],
}

impl Visitor for Naming<'_> {
    fn enters_query(&self) -> bool {
        false
    }

    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Some((_, name)) = self.named.iter().find(|(expr, _)| expr == node) {
            *node = Expr::Column { qualifier: None, name: name.clone() };
        }
        Ok(())
    }
}
