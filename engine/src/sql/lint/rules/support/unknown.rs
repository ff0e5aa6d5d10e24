//! Why a column name is not found, so that each case is named by one rule.

use crate::sql::Dialect;
use crate::sql::bind::{Clause, Columns, Meaning, Use};
use crate::sql::lint::Statement;
use crate::sql::tree::Expr;
use crate::sql::walk::walk;

/// Why no source has a column of a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::sql::lint::rules) enum Unknown {
    /// It is an output column's alias, by place, in a clause that cannot use it.
    Alias(usize),
    /// Only its case, or its quotes, keep it from a column.
    Case,
    /// It is a text in double quotes.
    Literal,
    /// A common table or a subquery that does not give it out.
    Derived,
    /// Nothing of these.
    Plain,
}

/// Why a name is not found; none where it is found.
pub(in crate::sql::lint::rules) fn why_unknown(
    statement: &Statement<'_>,
    used: &Use<'_>,
) -> Option<Unknown> {
    if !matches!(used.meaning, Meaning::UnknownColumn) {
        return None;
    }
    let block = statement.bound.blocks.get(used.place.block);
    if used.qualifier.is_none() {
        let row = statement.bound.source_called(used.place.block, used.name);
        if row.is_some() || crate::sql::guard::is_hidden_column(&used.name.name) {
            return None;
        }
        let alias = statement.bound.alias(used.name, used.place.block);
        if let (Some(alias), true) = (alias, used.place.clause != Clause::Select) {
            return Some(Unknown::Alias(alias));
        }
    }
    let sources = || block.into_iter().flat_map(|block| &block.sources);
    let reached = |at: usize| match used.qualifier {
        Some(source) => statement.bound.source_called(used.place.block, source) == Some(at),
        None => true,
    };
    let other_case = sources().enumerate().filter(|(at, _)| reached(*at)).any(|(_, source)| {
        source.columns.names().any(|name| name.eq_ignore_ascii_case(&used.name.name))
    });
    if other_case && statement.dialect == Dialect::Postgres {
        return Some(Unknown::Case);
    }
    if used.name.quoted && used.qualifier.is_none() && is_double_quoted(statement, used) {
        return Some(Unknown::Literal);
    }
    let derived = sources()
        .enumerate()
        .any(|(at, source)| reached(at) && matches!(source.columns, Columns::Listed(_)));
    let only = used.qualifier.is_some() || sources().count() == 1;
    Some(if derived && only { Unknown::Derived } else { Unknown::Plain })
}

/// Whether a name in double quotes, that no column is spelt like, stands where a value is compared with a column.
fn is_double_quoted(statement: &Statement<'_>, used: &Use<'_>) -> bool {
    let near = statement.bound.blocks.get(used.place.block).is_some_and(|block| {
        let names = block.sources.iter().flat_map(|source| source.columns.names());
        crate::sql::suggest::nearest(&used.name.name, names).is_some()
    });
    statement.text_of(used.name.span).starts_with('"') && !near && is_compared(statement, used)
}

/// Whether a name is one side of a comparison whose other side is a column that is found.
fn is_compared(statement: &Statement<'_>, used: &Use<'_>) -> bool {
    let is_it = |expr: &Expr| matches!(expr, Expr::Column { qualifier: None, name } if name.span == used.name.span);
    let is_column = |expr: &Expr| statement.bound.column_of(expr).is_some();
    let mut found = false;
    statement.each_condition(&mut |_, condition| {
        walk(condition, &mut |expr| {
            found |= match expr {
                Expr::Binary { left, right, .. } => {
                    is_it(right) && is_column(left) || is_it(left) && is_column(right)
                }
                Expr::InList { operand, list, .. } => is_column(operand) && list.iter().any(is_it),
                Expr::Like { operand, pattern, .. } => is_column(operand) && is_it(pattern),
                Expr::Between { operand, low, high, .. } => {
                    is_column(operand) && (is_it(low) || is_it(high))
                }
                _ => false,
            };
        });
    });
    found
}
