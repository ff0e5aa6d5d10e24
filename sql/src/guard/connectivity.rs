//! Finds the sources of a FROM that no condition connects, whose rows form a Cartesian product.

use crate::Dialect;
use crate::tree::{Argument, Expr, FromItem, JoinCondition, Select, Source};

use super::scope::Scope;

/// Number of factors of the Cartesian product: the sum, over connected groups of sources, of the largest width in each.
pub(super) fn width(select: &Select, scope: &Scope<'_>, dialect: Dialect) -> usize {
    let mut groups = Groups { group: (0..scope.sources.len()).collect() };
    let mut place = 0;
    for item in &select.from {
        place = connect_item(item, place, scope, dialect, &mut groups);
    }
    if let Some(filter) = &select.filter {
        connect_condition(filter, scope, dialect, &mut groups);
    }
    (0..scope.sources.len())
        .filter(|source| groups.group[*source] == *source)
        .map(|root| {
            let members = (0..scope.sources.len()).filter(|at| groups.root(*at) == root);
            members.map(|at| scope.sources[at].shape.width).max().unwrap_or(0)
        })
        .sum()
}

/// Connected components of the sources; each is represented by its lowest index.
struct Groups {
    group: Vec<usize>,
}

impl Groups {
    fn root(&self, at: usize) -> usize {
        self.group[at]
    }

    fn connect(&mut self, one: usize, other: usize) {
        let (low, high) =
            (self.root(one).min(self.root(other)), self.root(one).max(self.root(other)));
        for group in &mut self.group {
            if *group == high {
                *group = low;
            }
        }
    }
}

fn connect_item(
    item: &FromItem,
    first: usize,
    scope: &Scope<'_>,
    dialect: Dialect,
    groups: &mut Groups,
) -> usize {
    let mut place = first;
    for join in &item.joins {
        place += 1;
        match &join.condition {
            JoinCondition::On(condition) => connect_condition(condition, scope, dialect, groups),
            JoinCondition::Natural => groups.connect(first, place),
            JoinCondition::Using(columns) => {
                for name in columns {
                    let left = (first..place)
                        .find(|at| scope.sources[*at].column(name, dialect).is_some());
                    groups.connect(left.unwrap_or(first), place);
                }
            }
            JoinCondition::Foreign(_) | JoinCondition::None => {}
        }
        // A lateral source is evaluated per row of the sources before it, so it counts as connected.
        if matches!(join.source, Source::Derived { lateral: true, .. }) {
            groups.connect(first, place);
        }
    }
    place + 1
}

fn connect_condition(condition: &Expr, scope: &Scope<'_>, dialect: Dialect, groups: &mut Groups) {
    if let Expr::And(parts) = condition {
        for part in parts {
            connect_condition(part, scope, dialect, groups);
        }
        return;
    }
    let mut sources = Vec::new();
    collect(condition, scope, dialect, &mut sources);
    for pair in sources.windows(2) {
        groups.connect(pair[0], pair[1]);
    }
}

/// Adds the sources whose columns an expression uses, ignoring subqueries.
fn collect(expr: &Expr, scope: &Scope<'_>, dialect: Dialect, found: &mut Vec<usize>) {
    let mut all = |parts: &[&Expr]| {
        for part in parts {
            collect(part, scope, dialect, found);
        }
    };
    match expr {
        Expr::Column { qualifier, name } => found.extend(match qualifier {
            Some(source) => scope.source_index(source, dialect),
            None => scope.source_of_column(name, dialect),
        }),
        Expr::And(list) | Expr::Or(list) | Expr::Tuple(list) | Expr::Array(list) => {
            all(&list.iter().collect::<Vec<_>>());
        }
        Expr::Not(operand)
        | Expr::Unary { operand, .. }
        | Expr::IsNull { operand, .. }
        | Expr::IsBoolean { operand, .. }
        | Expr::Extract { operand, .. }
        | Expr::Cast { operand, .. }
        | Expr::Collate { operand, .. }
        | Expr::InQuery { operand, .. } => all(&[operand]),
        Expr::Binary { left, right, .. } => all(&[left, right]),
        Expr::AtTimeZone { operand, zone } => all(&[operand, zone]),
        Expr::Between { operand, low, high, .. } => all(&[operand, low, high]),
        Expr::Like { operand, pattern, .. } => all(&[operand, pattern]),
        Expr::InList { operand, list, .. } => {
            all(&[operand]);
            all(&list.iter().collect::<Vec<_>>());
        }
        Expr::Case { operand, branches, otherwise } => {
            all(&operand.iter().chain(otherwise).map(AsRef::as_ref).collect::<Vec<_>>());
            for (when, then) in branches {
                all(&[when, then]);
            }
        }
        Expr::Function(call) => {
            for argument in &call.arguments {
                if let Argument::Expr(expr) = argument {
                    all(&[expr]);
                }
            }
        }
        Expr::Literal(..)
        | Expr::Exists { .. }
        | Expr::Subquery(_)
        | Expr::Parameter(_)
        | Expr::Grouping { .. }
        | Expr::Foreign(_)
        | Expr::Spelled(_) => {}
    }
}
