//! Growth of columns in the recursive part of a CTE.
//!
//! A column may grow by a bounded value in each step, as the path of a hierarchy does: `path || '/' || name`. What
//! doubles, or appends another column that grows, reaches the limits of a server within a few steps, before its
//! statement timeout can act.

use crate::diagnostic::{Code, Diagnostic};
use crate::tree::{Body, Expr, Query, SelectItem, SqlSpan};
use crate::walk::walk;

use super::size::{MANY, Size};

/// Why a column may not grow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// A step holds it more than once.
    Doubles,
    /// A step appends a column that grows itself.
    AppendsGrowing,
}

impl Fault {
    /// The diagnostic for a column of a CTE.
    pub(super) fn diagnostic(self, table: &str, column: &str, span: SqlSpan) -> Diagnostic {
        let message = match self {
            Self::Doubles => {
                format!("each step of the recursion in {table:?} can double {column:?}")
            }
            Self::AppendsGrowing => format!(
                "each step of the recursion in {table:?} appends a growing column to {column:?}"
            ),
        };
        let hint = "append a value that does not grow, such as path || '/' || name, or cut the result with left(…, 1000)";
        Diagnostic::new(Code::Limit, message, span).hint(hint)
    }
}

/// Sizes of the columns of a recursive CTE after the recursion, from those of its first part and of one step; or the
/// index of a column that may grow too fast.
pub(super) fn of_columns(
    place: usize,
    seeds: &[Size],
    steps: &[Size],
) -> Result<Vec<Size>, (usize, Fault)> {
    let width = seeds.len().min(steps.len());
    let times = |column: usize, part: usize| {
        let own = steps[column].own.iter().find(|(own, _)| *own == (place, part));
        own.map_or(0, |(_, times)| *times)
    };
    let reached: Vec<Vec<bool>> = (0..width).map(|start| reachable(start, width, &times)).collect();
    let in_cycle = |one: usize, other: usize| reached[one][other] && reached[other][one];
    // Whether a column becomes longer from step to step.
    let grows: Vec<bool> = (0..width)
        .map(|column| (0..width).any(|other| in_cycle(column, other) && steps[other].adds))
        .collect();
    for column in (0..width).filter(|column| grows[*column]) {
        let parts = || (0..width).filter(|part| times(column, *part) > 0);
        let own: u8 =
            parts().filter(|part| in_cycle(column, *part)).map(|part| times(column, part)).sum();
        if own >= MANY {
            return Err((column, Fault::Doubles));
        }
        let mut others = parts().filter(|part| !in_cycle(column, *part));
        if own > 0 && steps[column].adds && others.any(|part| is_grown(part, &reached, &grows)) {
            return Err((column, Fault::AppendsGrowing));
        }
    }
    let outer = steps.iter().any(|step| step.own.iter().any(|((table, _), _)| *table != place));
    let sizes = seeds.iter().enumerate().map(|(column, seed)| {
        let is_open = column < width && is_grown(column, &reached, &grows);
        let mut size =
            steps.iter().fold(seed.clone(), |size, step| size.either(step.without(place)));
        size.open = seed.open || is_open;
        if outer { size.many() } else { size }
    });
    Ok(sizes.collect())
}

/// Whether a column grows, or depends on one that does.
fn is_grown(column: usize, reached: &[Vec<bool>], grows: &[bool]) -> bool {
    grows[column] || grows.iter().zip(&reached[column]).any(|(grows, reached)| *grows && *reached)
}

/// The columns whose earlier values go into a column, directly or over several steps.
fn reachable(start: usize, width: usize, times: &impl Fn(usize, usize) -> u8) -> Vec<bool> {
    let mut reached = vec![false; width];
    let mut waiting = vec![start];
    while let Some(column) = waiting.pop() {
        for part in (0..width).filter(|part| times(column, *part) > 0) {
            if !std::mem::replace(&mut reached[part], true) {
                waiting.push(part);
            }
        }
    }
    reached
}

/// Position of an output column of a query in the SQL text.
pub(super) fn place_of(query: &Query, column: usize) -> Option<SqlSpan> {
    match &query.body {
        Body::Select(select) => match select.items.get(column)? {
            SelectItem::Expr { expr, .. } => span(expr),
            _ => None,
        },
        Body::SetOperation { left, .. } => place_of(left, column),
        _ => None,
    }
}

/// Position of an expression in the SQL text: from its first name to its last.
pub(super) fn span(expr: &Expr) -> Option<SqlSpan> {
    let mut found: Option<SqlSpan> = None;
    walk(expr, &mut |part| {
        let span = match part {
            Expr::Column { name, .. } => name.span,
            Expr::Function(call) => call.span,
            _ => return,
        };
        if span.end > 0 {
            found = Some(found.map_or(span, |known| SqlSpan {
                start: known.start.min(span.start),
                end: known.end.max(span.end),
            }));
        }
    });
    found
}
