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
    /// A step appends more characters than this.
    AppendsLong(u64),
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
            Self::AppendsLong(most) => format!(
                "each step of the recursion in {table:?} appends more than {most} characters to {column:?}"
            ),
        };
        let hint = "append a value that does not grow, such as path || '/' || name, or cut the result with substr(…, 1, 1000)";
        Diagnostic::new(Code::Limit, message, span).hint(hint)
    }
}

/// Sizes of the columns of a recursive CTE after the recursion, from those of its first part and of one step; or the
/// index of a column that may grow too fast. A step may append `max_appended` characters.
pub(super) fn of_columns(
    place: usize,
    seeds: &[Size],
    steps: &[Size],
    max_appended: u64,
) -> Result<Vec<Size>, (usize, Fault)> {
    let dependences = Dependences::new(place, seeds.len(), steps);
    dependences.check()?;
    let lengths = dependences.lengths(seeds, steps);
    let has_wildcard = seeds.iter().chain(steps).any(|size| size.has_wildcard);
    let has_outer = |size: &Size| size.own.iter().any(|((table, _), _)| *table != place);
    let outer = seeds.iter().chain(steps).any(has_outer);
    let sizes = seeds.iter().enumerate().map(|(column, seed)| {
        let step = steps.get(column).map(|step| step.without(place)).unwrap_or_default();
        let appended = lengths[column].step.saturating_sub(seed.length());
        if dependences.is_appended_to(column) && appended > max_appended {
            return Err((column, Fault::AppendsLong(max_appended)));
        }
        let mut size = seed.clone().either(step);
        size.length = lengths[column].most;
        size.open |= dependences.is_grown(column);
        size.has_wildcard |= has_wildcard;
        Ok(if outer { size.many() } else { size })
    });
    sizes.collect()
}

/// Which columns of a recursive CTE go into which in a step.
struct Dependences {
    /// How often the value of a step can contain the earlier value of a column: column, then the one that it contains.
    times: Vec<Vec<u8>>,
    /// Whether the value of a step can be longer than each that it contains.
    adds: Vec<bool>,
    /// Whether earlier values of a column go into another, directly or over several steps.
    reached: Vec<Vec<bool>>,
    /// Whether a column becomes longer from step to step.
    grows: Vec<bool>,
}

/// Estimated lengths of a column.
#[derive(Clone, Copy)]
struct Lengths {
    /// After one step.
    step: u64,
    /// After the recursion.
    most: u64,
}

impl Dependences {
    fn new(place: usize, width: usize, steps: &[Size]) -> Self {
        let times = |column: usize, part: usize| {
            let step = steps.get(column)?;
            step.own.iter().find(|(own, _)| *own == (place, part)).map(|(_, times)| *times)
        };
        let row = |column| (0..width).map(|part| times(column, part).unwrap_or(0)).collect();
        let times: Vec<Vec<u8>> = (0..width).map(row).collect();
        let reached = (0..width).map(|start| reachable(start, &times)).collect();
        let adds = (0..width).map(|column| steps.get(column).is_some_and(|it| it.adds)).collect();
        let mut it = Self { times, adds, reached, grows: Vec::new() };
        it.grows = (0..width)
            .map(|column| (0..width).any(|other| it.in_cycle(column, other) && it.adds[other]))
            .collect();
        it
    }

    fn in_cycle(&self, one: usize, other: usize) -> bool {
        self.reached[one][other] && self.reached[other][one]
    }

    /// The columns that go into a column.
    fn parts(&self, column: usize) -> impl Iterator<Item = usize> {
        (0..self.times.len()).filter(move |part| self.times[column][*part] > 0)
    }

    fn check(&self) -> Result<(), (usize, Fault)> {
        for column in (0..self.times.len()).filter(|column| self.grows[*column]) {
            let (own, others): (Vec<usize>, Vec<usize>) =
                self.parts(column).partition(|part| self.in_cycle(column, *part));
            if own.iter().map(|part| self.times[column][*part]).sum::<u8>() >= MANY {
                return Err((column, Fault::Doubles));
            }
            if self.is_appended_to(column) && others.iter().any(|part| self.is_grown(*part)) {
                return Err((column, Fault::AppendsGrowing));
            }
        }
        Ok(())
    }

    /// Whether a step makes a column longer.
    fn is_appended_to(&self, column: usize) -> bool {
        self.grows[column] && self.adds[column]
    }

    /// Whether a column grows, or depends on one that does.
    fn is_grown(&self, column: usize) -> bool {
        let reached = self.reached[column].iter().zip(&self.grows);
        self.grows[column] || reached.into_iter().any(|(reached, grows)| *reached && *grows)
    }

    /// Estimated lengths of the columns. A step counts the columns that it contains with their lengths in the first
    /// part, and becomes longer by the factor by which one of them does.
    fn lengths(&self, seeds: &[Size], steps: &[Size]) -> Vec<Lengths> {
        let first = |column: usize| seeds[column].length();
        let mut most: Vec<u64> = (0..seeds.len())
            .map(|column| {
                if self.grows[column] {
                    Size::assembled_length(first(column))
                } else {
                    first(column)
                }
            })
            .collect();
        let mut step = vec![0; seeds.len()];
        // No chain of columns outside a cycle is longer than their number.
        for _ in 0..seeds.len() {
            for column in 0..seeds.len() {
                let factor = self
                    .parts(column)
                    .filter(|part| !self.in_cycle(column, *part))
                    .map(|part| most[part].div_ceil(first(part)))
                    .max();
                let length = steps.get(column).map_or(0, |step| step.length);
                step[column] = length.saturating_mul(factor.unwrap_or(1));
                let cycle = self.parts(column).filter(|part| self.in_cycle(column, *part));
                let longest = cycle.map(|part| most[part]).max().unwrap_or(0);
                most[column] = most[column].max(step[column]).max(longest);
            }
        }
        step.into_iter().zip(most).map(|(step, most)| Lengths { step, most }).collect()
    }
}

/// The columns whose earlier values go into a column, directly or over several steps.
fn reachable(start: usize, times: &[Vec<u8>]) -> Vec<bool> {
    let mut reached = vec![false; times.len()];
    let mut waiting = vec![start];
    while let Some(column) = waiting.pop() {
        for part in (0..times.len()).filter(|part| times[column][*part] > 0) {
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
