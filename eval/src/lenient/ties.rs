//! Rows that a limit divides although they have the same sort key.

use wherefore_sql::tree::{Body, Expr, Literal, Query, Select, SelectItem};
use wherefore_sql::{Dialect, print};

use super::{Cell, Rows, Source, equal_rows, same_rows};

/// The rows of a statement with a limit and an order.
pub(super) struct Ranked {
    /// The limit.
    limit: usize,
    /// Rows that come before the last one admitted.
    better: Rows,
    /// Rows whose sort key equals that of the last one admitted.
    tied: Rows,
}

impl Ranked {
    /// The same with other cells.
    pub(super) fn map(&self, change: impl Fn(&Rows) -> Rows) -> Self {
        Self { limit: self.limit, better: change(&self.better), tied: change(&self.tied) }
    }

    /// All rows that the limit admits, and those tied with the last one.
    pub(super) fn all(&self) -> Rows {
        let rows = self.better.rows.iter().chain(&self.tied.rows);
        Rows { width: self.better.width, rows: rows.cloned().collect() }
    }

    /// Whether these are rows that the limit may return, or all rows that it may return.
    pub(super) fn admits(&self, rows: &Rows) -> bool {
        let among =
            |row: &Vec<Cell>, list: &Rows| list.rows.iter().any(|other| equal_rows(row, other));
        if rows.rows.len() > self.limit {
            return same_rows(rows, &self.all());
        }
        let count = self.limit.min(self.better.rows.len() + self.tied.rows.len());
        rows.rows.len() == count
            && self.better.rows.iter().all(|row| among(row, rows))
            && rows.rows.iter().all(|row| among(row, &self.better) || among(row, &self.tied))
    }
}

/// Whether a statement returns the first row of an order.
pub(super) fn is_first_only(query: &Query) -> bool {
    !query.order_by.is_empty() && limit(query) == Some(1)
}

/// The rows of a statement around its limit; `None` when it has no limit, no order, or a form that is not followed.
pub(super) fn of(source: &Source, query: &Query) -> Option<Ranked> {
    let limit = limit(query).filter(|limit| *limit > 0)?;
    if query.order_by.is_empty() || query.offset.is_some() {
        return None;
    }
    let mut query = query.clone();
    query.limit = None;
    let Body::Select(select) = &mut query.body else { return None };
    let keys: Vec<Expr> =
        query.order_by.iter().map(|item| meant(&item.expr, select)).collect::<Option<_>>()?;
    let width = keys.len();
    select.items.extend(keys.into_iter().map(|expr| SelectItem::Expr { expr, alias: None }));
    let rows = source.rows(&print(&query, Dialect::Sqlite).ok()?)?;
    let outputs = rows.width.checked_sub(width)?;
    let key = |row: &Vec<Cell>| row.get(outputs..).map(<[Cell]>::to_vec).unwrap_or_default();
    let last = key(rows.rows.get(limit.min(rows.rows.len()).checked_sub(1)?)?);
    let part = |tied: bool, before: usize| {
        let kept = rows.rows.iter().enumerate().filter(|(index, row)| {
            equal_rows(&key(row), &last) == tied && (tied || *index < before)
        });
        let cells = kept.map(|(_, row)| row.iter().take(outputs).cloned().collect());
        Rows { width: outputs, rows: cells.collect() }
    };
    Some(Ranked { limit, better: part(false, limit), tied: part(true, limit) })
}

fn limit(query: &Query) -> Option<usize> {
    match query.limit.as_ref()? {
        Expr::Literal(Literal::Number(text), _) => text.parse().ok(),
        _ => None,
    }
}

/// A sort key as an output column can state it: without aliases and positions.
fn meant(key: &Expr, select: &Select) -> Option<Expr> {
    let output = |item: &SelectItem| match item {
        SelectItem::Expr { expr, .. } => Some(expr.clone()),
        _ => None,
    };
    match key {
        Expr::Column { qualifier: None, name } => {
            let aliased = select.items.iter().find(|item| {
                matches!(item, SelectItem::Expr { alias: Some(alias), .. }
                    if alias.name.eq_ignore_ascii_case(&name.name))
            });
            aliased.map_or_else(|| Some(key.clone()), output)
        }
        Expr::Literal(Literal::Number(text), _) => {
            output(select.items.get(text.parse::<usize>().ok()?.checked_sub(1)?)?)
        }
        _ => Some(key.clone()),
    }
}
