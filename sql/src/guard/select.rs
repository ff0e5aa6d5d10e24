//! Checks of SELECT: output columns with expanded wildcards, and the clauses that use its sources.

use crate::Dialect;
use crate::diagnostic::Code;
use crate::tree::{Body, Expr, Identifier, Query, Select, SelectItem, SqlSpan};

use super::checked::OutputColumn;
use super::scope::{Resolved, Scope, Shape};
use super::size::Size;
use super::{Guard, connectivity};
use crate::default_name::default_name;
use crate::names::{matches, stored};
use crate::suggest;

impl Guard<'_> {
    /// Checks a SELECT; also returns its scope, for ORDER BY.
    pub(super) fn select<'s>(
        &mut self,
        select: &mut Select,
        outer: Option<&'s Scope<'s>>,
    ) -> (Shape, Scope<'s>) {
        let mut scope = Scope { outer, ..Scope::default() };
        self.sources(&mut select.from, &mut scope);
        self.write_out_wildcards(&mut select.items, &scope);
        let mut columns = Vec::with_capacity(select.items.len());
        for item in &mut select.items {
            if let SelectItem::Expr { expr, alias } = item {
                let size = self.expression(expr, &scope);
                let column = self.output_column(expr, alias.as_ref(), &scope);
                columns.push(OutputColumn { size, ..column });
            }
        }
        if select.items.is_empty() {
            self.fault(Code::Unsupported, "the select list is empty", SqlSpan::default());
        }
        for expr in &mut select.distinct_on {
            self.expression(expr, &scope);
        }
        let aliases = aliases(&select.items, &columns, self.dialect);
        if self.dialect == Dialect::Sqlite {
            scope.aliases.clone_from(&aliases);
        }
        if let Some(filter) = &mut select.filter {
            self.expression(filter, &scope);
        }
        scope.aliases = aliases;
        for expr in &mut select.group_by {
            self.grouping(expr, &scope);
        }
        if self.dialect == Dialect::Postgres {
            scope.aliases.clear();
        }
        if let Some(having) = &mut select.having {
            self.expression(having, &scope);
        }
        for mut window in std::mem::take(&mut select.unused_windows) {
            self.window(&mut window, &scope);
        }
        scope.aliases.clear();
        let width = self.width(select, &scope);
        (Shape { columns, width }, scope)
    }

    fn grouping(&mut self, expr: &mut Expr, scope: &Scope<'_>) {
        match expr {
            Expr::Grouping { sets, .. } => {
                for expr in sets.iter_mut().flatten() {
                    self.expression(expr, scope);
                }
            }
            other => {
                self.expression(other, scope);
            }
        }
    }

    /// Number of factors of the Cartesian product; reports too many.
    fn width(&mut self, select: &Select, scope: &Scope<'_>) -> usize {
        let width = connectivity::width(select, scope, self.dialect);
        if width > self.limits.max_unconnected_sources {
            let message = format!("{width} tables are combined without a join condition");
            let hint = Some("add join conditions between the tables in FROM".to_owned());
            self.fault_with_hint(Code::Limit, message, hint, SqlSpan::default());
        }
        if scope.sources.len() > self.limits.max_sources {
            let message =
                format!("one FROM clause has more than {} sources", self.limits.max_sources);
            self.fault(Code::Limit, message, SqlSpan::default());
        }
        let one_row = select.group_by.is_empty() && select.items.iter().any(is_plain_aggregate);
        if one_row {
            0
        } else if select.group_by.is_empty() {
            width
        } else {
            width.min(1)
        }
    }

    fn write_out_wildcards(&mut self, items: &mut Vec<SelectItem>, scope: &Scope<'_>) {
        let written = std::mem::take(items);
        for item in written {
            match item {
                SelectItem::Wildcard { qualifier } => {
                    let columns = self.wildcard(qualifier.as_ref(), &[], scope);
                    items.extend(columns);
                }
                SelectItem::WildcardExcept { qualifier, except } => {
                    let columns = self.wildcard(qualifier.as_ref(), &except, scope);
                    items.extend(columns);
                }
                SelectItem::Foreign(foreign) => {
                    self.diagnostics.push(foreign.fault.clone());
                    items.push(SelectItem::Foreign(foreign));
                }
                item @ SelectItem::Expr { .. } => items.push(item),
            }
        }
    }

    fn wildcard(
        &mut self,
        qualifier: Option<&Identifier>,
        except: &[Identifier],
        scope: &Scope<'_>,
    ) -> Vec<SelectItem> {
        let place = qualifier.map(|source| source.span).unwrap_or_default();
        let only = qualifier.and_then(|source| scope.source_index(source, self.dialect));
        if let (Some(source), None) = (qualifier, only) {
            self.unknown_source(source, scope);
            return Vec::new();
        }
        if scope.sources.is_empty() {
            self.fault(Code::UnknownTable, "* needs a FROM clause", place);
        }
        let mut found: Vec<(Option<Identifier>, &OutputColumn)> = Vec::new();
        if only.is_none() {
            found.extend(scope.merged.iter().map(|column| (None, column)));
        }
        let is_merged = |column: &OutputColumn| {
            only.is_none() && scope.merged.iter().any(|merged| merged.name == column.name)
        };
        for (index, source) in scope.sources.iter().enumerate() {
            if only.is_some_and(|only| only != index) {
                continue;
            }
            let qualify = only.is_some() || scope.sources.len() > 1;
            let name = source.name.clone().filter(|_| qualify);
            let columns = source.shape.columns.iter().filter(|column| !is_merged(column));
            found.extend(columns.map(|column| (name.clone(), column)));
        }
        for name in except {
            if !found.iter().any(|(_, column)| matches(name, &column.name, self.dialect)) {
                let names = found.iter().map(|(_, column)| column.name.as_str());
                let hint = suggest::hint(suggest::nearest(&name.name, names));
                let message = format!("cannot exclude unknown column {:?}", name.name);
                self.fault_with_hint(Code::UnknownColumn, message, hint, name.span);
            }
        }
        let is_left_out = |column: &OutputColumn| {
            except.iter().any(|name| matches(name, &column.name, self.dialect))
        };
        let items: Vec<SelectItem> = found
            .into_iter()
            .filter(|(_, column)| !is_left_out(column))
            .map(|(qualifier, column)| {
                let name = Identifier::stored(column.name.clone());
                SelectItem::Expr { expr: Expr::Column { qualifier, name }, alias: None }
            })
            .collect();
        if items.is_empty() && scope.sources.iter().any(|source| source.is_open) {
            // The error is already reported; the placeholder keeps the list from being empty.
            let expr = Expr::literal(crate::tree::Literal::Null);
            return vec![SelectItem::Expr { expr, alias: None }];
        }
        items
    }

    fn output_column(
        &self,
        expr: &Expr,
        alias: Option<&Identifier>,
        scope: &Scope<'_>,
    ) -> OutputColumn {
        let shown = match expr {
            Expr::Column { qualifier, name } => {
                match scope.resolve(qualifier.as_ref(), name, self.dialect) {
                    Resolved::Column { column, .. } | Resolved::Outer { column, .. } => column,
                    _ => OutputColumn::default(),
                }
            }
            _ => OutputColumn::default(),
        };
        let name = match (alias, expr) {
            (Some(alias), _) => stored(alias, self.dialect).name,
            (None, Expr::Column { name, .. }) => name.name.clone(),
            (None, _) if self.dialect == Dialect::Postgres => {
                default_name(expr).unwrap_or("?column?").to_owned()
            }
            (None, _) => String::new(),
        };
        OutputColumn { name, ..shown }
    }
}

/// Gives unnamed columns of a CTE or derived table the names that PostgreSQL would generate, so that both dialects
/// agree.
pub(super) fn name_columns(query: &mut Query) {
    query.body.take_meaning();
    let select = match &mut query.body {
        Body::Select(select) => select,
        Body::SetOperation { left, .. } => return name_columns(left),
        Body::Values(_) | Body::Foreign(_) | Body::Spelled(_) => return,
    };
    let mut taken: Vec<String> = select.items.iter().filter_map(item_name).collect();
    for item in &mut select.items {
        let SelectItem::Expr { expr, alias: alias @ None } = item else { continue };
        if matches!(expr, Expr::Column { .. }) {
            continue;
        }
        let base = default_name(expr).unwrap_or("column");
        let mut name = base.to_owned();
        let mut number = 1;
        while taken.contains(&name) {
            number += 1;
            name = format!("{base}_{number}");
        }
        taken.push(name.clone());
        *alias = Some(Identifier::stored(name));
    }
}

fn item_name(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::Expr { alias: Some(alias), .. } => Some(alias.name.clone()),
        SelectItem::Expr { expr: Expr::Column { name, .. }, .. } => Some(name.name.clone()),
        _ => None,
    }
}

fn aliases(
    items: &[SelectItem],
    columns: &[OutputColumn],
    dialect: Dialect,
) -> Vec<(String, Size)> {
    items
        .iter()
        .zip(columns)
        .filter_map(|(item, column)| match item {
            SelectItem::Expr { alias: Some(alias), .. } => {
                Some((stored(alias, dialect).name, column.size.clone()))
            }
            _ => None,
        })
        .collect()
}

/// Whether an output column is an aggregate call, which without GROUP BY yields a single row.
fn is_plain_aggregate(item: &SelectItem) -> bool {
    let SelectItem::Expr { expr: Expr::Function(call), .. } = item else { return false };
    let scalar_call = matches!(call.name.as_str(), "max" | "min") && call.arguments.len() > 1;
    call.over.is_none()
        && !scalar_call
        && matches!(call.name.as_str(), "avg" | "count" | "max" | "min" | "sum" | "total")
}
