//! Classifies unresolved column names, so that exactly one rule reports each.

use crate::Dialect;
use crate::bind::{Clause, Columns, Meaning, Use};
use crate::lint::Statement;
use crate::tree::Expr;
use crate::walk::walk;

/// Why a column name does not resolve.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::lint::rules) enum Unknown {
    /// The name is the alias of an output column, by index, in a clause that cannot use aliases.
    Alias(usize),
    /// The name differs from a column only in case or quotes.
    Case,
    /// The name is a string in double quotes.
    Literal,
    /// The source of the column is a CTE or subquery that does not output it.
    Derived,
    /// None of these.
    Plain,
}

/// Why a name does not resolve; `None` if it does.
pub(in crate::lint::rules) fn why_unknown(
    statement: &Statement<'_>,
    used: &Use<'_>,
) -> Option<Unknown> {
    if !matches!(used.meaning, Meaning::UnknownColumn) {
        return None;
    }
    let block = statement.bound.blocks.get(used.place.block);
    if used.qualifier.is_none() {
        let row = statement.bound.source_called(used.place.block, used.name);
        if row.is_some() || crate::guard::is_hidden_column(&used.name.name) {
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

/// Whether a double-quoted name that resembles no column is compared with a column.
fn is_double_quoted(statement: &Statement<'_>, used: &Use<'_>) -> bool {
    let near = statement.bound.blocks.get(used.place.block).is_some_and(|block| {
        let names = block.sources.iter().flat_map(|source| source.columns.names());
        crate::suggest::nearest(&used.name.name, names).is_some()
    });
    statement.text_of(used.name.span).starts_with('"') && !near && is_compared(statement, used)
}

/// Whether a name is compared with a resolved column.
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
