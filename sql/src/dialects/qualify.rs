//! QUALIFY: rewrites a condition on window functions into a WHERE around a subquery.

use crate::diagnostic::Diagnostic;
use crate::tree::{
    Body, Expr, FromItem, FunctionCall, Identifier, Query, Select, SelectItem, Source,
};

use super::refused;
use super::walk::{self, Done, Visitor};

/// Removes the `_qualify` mark from HAVING and wraps the SELECT in a query with that condition.
pub(super) fn rewrite(query: &mut Query) -> Result<(), Diagnostic> {
    let Body::Select(select) = &mut query.body else { return Ok(()) };
    let Some(condition) = taken(select) else { return Ok(()) };
    if !select.distinct_on.is_empty() {
        return Err(refused("QUALIFY with DISTINCT ON"));
    }
    let mut inner = std::mem::take(&mut **select);
    let mut names = Names::default();
    let outputs = outputs(&mut inner, &mut names)?;
    let mut windows = Windows { found: Vec::new() };
    let mut condition = condition;
    walk::expr(&mut windows, &mut condition)?;
    let found = windows.found;
    check_names(&inner, &condition)?;
    let mut columns = Columns { outputs: &outputs, windows: found.len(), found: Vec::new() };
    walk::expr(&mut columns, &mut condition)?;
    let columns =
        columns.found.into_iter().enumerate().map(|(index, column)| (other_name(index), column));
    let windows =
        found.into_iter().enumerate().map(|(index, call)| (window_name(index), call.into()));
    for (alias, expr) in windows.chain(columns) {
        inner.items.push(SelectItem::Expr { expr, alias: Some(alias) });
    }
    order_by_names(query, &outputs)?;
    let items = outputs
        .into_iter()
        .map(|name| SelectItem::Expr { expr: plain(name), alias: None })
        .collect();
    let distinct = std::mem::take(&mut inner.distinct);
    let source = Source::Derived {
        query: Box::new(Query { body: Body::Select(Box::new(inner)), ..Query::default() }),
        alias: Some(identifier("_t")),
        columns: Vec::new(),
        lateral: false,
    };
    query.body = Body::Select(Box::new(Select {
        distinct,
        items,
        from: vec![FromItem { source, joins: Vec::new() }],
        filter: Some(condition),
        ..Select::default()
    }));
    Ok(())
}

/// Removes the condition of `_qualify` from HAVING and returns it.
fn taken(select: &mut Select) -> Option<Expr> {
    let is_mark = |expr: &Expr| matches!(expr, Expr::Function(call) if call.name == "_qualify");
    let mut parts = match select.having.take() {
        Some(Expr::And(parts)) if parts.iter().any(is_mark) => parts,
        Some(expr) if is_mark(&expr) => vec![expr],
        other => {
            select.having = other;
            return None;
        }
    };
    let mark = parts.iter().position(is_mark).map(|place| parts.remove(place));
    select.having = if parts.len() > 1 { Some(Expr::And(parts)) } else { parts.pop() };
    let Some(Expr::Function(call)) = mark else { return None };
    super::template::plain_arguments(&call)?.pop()
}

/// Rejects a name in the condition that is an output computed from a column of the same name.
fn check_names(select: &Select, condition: &Expr) -> Result<(), Diagnostic> {
    let uses = |expr: &Expr, wanted: &str| {
        let mut found = false;
        crate::walk::walk(expr, &mut |part| {
            found |= matches!(part, Expr::Column { qualifier: None, name }
                if name.name.eq_ignore_ascii_case(wanted));
        });
        found
    };
    for item in &select.items {
        let SelectItem::Expr { expr, alias: Some(alias) } = item else { continue };
        let is_computed = !matches!(expr, Expr::Column { .. });
        if is_computed && uses(expr, &alias.name) && uses(condition, &alias.name) {
            let name = &alias.name;
            return Err(refused(format!("QUALIFY with `{name}`, a column and an output,")));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Names {
    made: usize,
}

/// Names of the output columns; expressions without a name get a generated alias.
fn outputs(select: &mut Select, names: &mut Names) -> Result<Vec<Identifier>, Diagnostic> {
    let mut outputs: Vec<Identifier> = Vec::new();
    for item in &mut select.items {
        let SelectItem::Expr { expr, alias } = item else {
            return Err(refused("QUALIFY with *"));
        };
        let name = match (&alias, &expr) {
            (Some(alias), _) => alias.clone(),
            (None, Expr::Column { name, .. }) => name.clone(),
            (None, _) => {
                let made = identifier(&format!("_column_{}", names.made));
                names.made += 1;
                *alias = Some(made.clone());
                made
            }
        };
        if outputs.iter().any(|known| known.name.eq_ignore_ascii_case(&name.name)) {
            return Err(refused("QUALIFY with two columns of the same name"));
        }
        outputs.push(name);
    }
    Ok(outputs)
}

/// Replaces the window calls of the condition with columns of the subquery.
struct Windows {
    found: Vec<FunctionCall>,
}

impl Visitor for Windows {
    fn enters_query(&self) -> bool {
        false
    }

    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Function(call) = node else { return Ok(()) };
        if call.over.is_some() {
            *node = plain(window_name(place_of(&mut self.found, (**call).clone())));
        }
        Ok(())
    }
}

/// Adds each column of the condition that is not an output column to the subquery, and refers to the added column.
struct Columns<'a> {
    outputs: &'a [Identifier],
    windows: usize,
    found: Vec<Expr>,
}

impl Visitor for Columns<'_> {
    fn enters_query(&self) -> bool {
        false
    }

    fn expr(&mut self, node: &mut Expr) -> Done {
        let Expr::Column { qualifier, name } = node else { return Ok(()) };
        let is_window = (0..self.windows).any(|index| window_name(index) == *name);
        let is_output =
            self.outputs.iter().any(|known| known.name.eq_ignore_ascii_case(&name.name));
        if qualifier.is_some() || !is_window && !is_output {
            *node = plain(other_name(place_of(&mut self.found, node.clone())));
        }
        Ok(())
    }
}

/// Index of an element in a list; appends it if absent.
fn place_of<T: PartialEq>(list: &mut Vec<T>, part: T) -> usize {
    list.iter().position(|known| *known == part).unwrap_or_else(|| {
        list.push(part);
        list.len() - 1
    })
}

/// Checks that ORDER BY uses output columns only, and removes their qualifiers.
fn order_by_names(query: &mut Query, outputs: &[Identifier]) -> Result<(), Diagnostic> {
    for item in &mut query.order_by {
        match &mut item.expr {
            Expr::Literal(..) => {}
            Expr::Column { qualifier, name }
                if outputs.iter().any(|known| known.name.eq_ignore_ascii_case(&name.name)) =>
            {
                *qualifier = None;
            }
            _ => return Err(refused("QUALIFY in a query ordered by something it does not select")),
        }
    }
    Ok(())
}

fn window_name(index: usize) -> Identifier {
    match index {
        0 => identifier("_w"),
        index => identifier(&format!("_w_{index}")),
    }
}

fn other_name(index: usize) -> Identifier {
    identifier(&format!("_c_{index}"))
}

fn plain(name: Identifier) -> Expr {
    Expr::Column { qualifier: None, name }
}

fn identifier(name: &str) -> Identifier {
    Identifier { name: name.to_owned(), ..Identifier::default() }
}
