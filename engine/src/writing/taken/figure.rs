//! Aggregates of a statement, normalised so that equivalent expressions are equal.

use super::source::is_null;
use super::{Role, Taken, Thing, columns_in, expressions, rows_of};
use crate::catalog::ColumnRef;
use crate::intent::Aggregate;
use wherefore_sql::bind::{Block, Bound, Call};
use wherefore_sql::tree::{Argument, BinaryOperator, Expr, FunctionCall};
use wherefore_sql::walk::walk;

impl Taken {
    /// Collects the aggregates; a count that is only the divisor of an average is left out.
    pub(super) fn figures(&mut self, bound: &Bound<'_>) {
        let averaged = averages(bound);
        for call in bound.calls.iter().filter(|call| call.is_aggregate && call.call.over.is_none())
        {
            if averaged.iter().any(|(_, count)| std::ptr::eq(*count, call.call)) {
                continue;
            }
            let mean = averaged.iter().any(|(sum, _)| std::ptr::eq(*sum, call.call));
            let figure = if mean { Some(Aggregate::Average) } else { named(&call.call.name) };
            if let Some(thing) = thing(bound, call, figure) {
                self.add(Role::Figure, thing);
            }
        }
    }
}

/// Whether a function call is an aggregate.
pub(super) fn is_figure(bound: &Bound<'_>, call: &FunctionCall) -> bool {
    bound.calls.iter().any(|it| it.is_aggregate && std::ptr::eq(it.call, call))
}

fn named(function: &str) -> Option<Aggregate> {
    match function {
        "avg" => Some(Aggregate::Average),
        "count" => Some(Aggregate::Count),
        "max" => Some(Aggregate::Maximum),
        "min" => Some(Aggregate::Minimum),
        "sum" | "total" => Some(Aggregate::Sum),
        _ => None,
    }
}

fn thing(bound: &Bound<'_>, call: &Call<'_>, figure: Option<Aggregate>) -> Option<Thing> {
    let block = bound.blocks.get(call.place.block)?;
    let argument = match call.call.arguments.as_slice() {
        [Argument::Expr(expr), ..] => Some(unconditional(expr)),
        _ => None,
    };
    let columns = argument.map(|expr| columns_in(bound, expr)).unwrap_or_default();
    let counts = figure == Some(Aggregate::Count);
    let (Some(first), Some(argument)) = (columns.first(), argument) else {
        // `count(*)`, `sum(1)` and the like count rows.
        let is_fixed = argument.is_none_or(|expr| matches!(expr, Expr::Literal(..)));
        return is_fixed.then(|| rows(bound, block)).flatten();
    };
    if let (true, false, Some(column)) = (counts, call.call.distinct, bound.column_of(argument)) {
        if !bound.is_nullable(column) {
            return rows(bound, block);
        }
        // The column is NULL only because of an outer join, so the rows of its own table are counted.
        let is_always = bound.catalog.column(first).is_some_and(|stored| !stored.nullable);
        if is_always {
            return Some(counted(&first.table));
        }
    }
    if let ([only], true) = (columns.as_slice(), counts && call.call.distinct) {
        let stands_for = rows_of(bound.catalog, only);
        let thing = if stands_for.as_ref() == Some(&only.table) {
            Thing::table(&only.table)
        } else {
            Thing::column(only).of_rows(stands_for)
        };
        return Some(thing.figure(figure).with("count"));
    }
    let mut names: Vec<String> = columns.iter().map(ColumnRef::to_string).collect();
    names.sort();
    let distinct = if call.call.distinct { " distinct" } else { "" };
    let key =
        format!("{}{distinct}", figure.map_or(call.call.name.clone(), |it| format!("{it:?}")));
    if let [only] = columns.as_slice() {
        return Some(Thing::column(only).figure(figure).with(&key));
    }
    // An option cannot name several columns, so it names the table of the first one.
    let words: Vec<String> =
        columns.iter().map(|it| Thing::column(it).words(bound.catalog, false)).collect();
    let mut multiplies = true;
    walk(argument, &mut |part| {
        multiplies &=
            !matches!(part, Expr::Binary { operator, .. } if *operator != BinaryOperator::Multiply);
    });
    let words = words.join(if multiplies { " × " } else { " and " });
    let thing = Thing::table(&first.table).figure(figure).with(&names.join(" ")).with(&key);
    Some(thing.called(words))
}

/// The count of the rows of the source that no join repeats; `None` if joins repeat every source.
fn rows(bound: &Bound<'_>, block: &Block<'_>) -> Option<Thing> {
    let of = (0..block.sources.len()).find(|at| is_once(bound, block, *at))?;
    let table = block.sources.get(of)?.table?;
    Some(counted(&table.key()))
}

fn counted(table: &str) -> Thing {
    Thing::table(table).figure(Some(Aggregate::Count)).with("count")
}

/// Whether the joins keep each row of a source unique: every other source is joined by its primary key.
fn is_once(bound: &Bound<'_>, block: &Block<'_>, of: usize) -> bool {
    let mut reached = vec![of];
    loop {
        let next = (0..block.sources.len()).find(|at| {
            !reached.contains(at) && {
                let source = &block.sources[*at];
                let key =
                    source.table.map(|table| table.primary_key.as_slice()).unwrap_or_default();
                let is_equal = |column: &String| {
                    block.equalities.iter().any(|equal| {
                        [(equal.left, equal.right), (equal.right, equal.left)].into_iter().any(
                            |(here, there)| {
                                here.source == *at
                                    && here.block == there.block
                                    && reached.contains(&there.source)
                                    && bound
                                        .origin(here)
                                        .is_some_and(|it| it.column.name == *column)
                            },
                        )
                    })
                };
                !key.is_empty() && key.iter().all(is_equal)
            }
        });
        match next {
            Some(at) => reached.push(at),
            None => return reached.len() == block.sources.len(),
        }
    }
}

/// The THEN value of a CASE with one branch and no other value than NULL or 0; otherwise the expression itself.
fn unconditional(expr: &Expr) -> &Expr {
    let Expr::Case { operand: None, branches, otherwise } = expr else { return expr };
    let nothing = |expr: &Expr| {
        is_null(expr)
            || matches!(expr, Expr::Literal(wherefore_sql::tree::Literal::Number(zero), _) if zero.parse() == Ok(0.0))
    };
    match (branches.as_slice(), otherwise.as_deref()) {
        ([(_, then)], otherwise) if otherwise.is_none_or(nothing) => then,
        _ => expr,
    }
}

/// Sums that are divided by a count, each with that count: they are averages.
fn averages<'a>(bound: &Bound<'a>) -> Vec<(&'a FunctionCall, &'a FunctionCall)> {
    let mut found = Vec::new();
    for expr in expressions(bound) {
        walk(expr, &mut |part| {
            let Expr::Binary { operator: BinaryOperator::Divide, left, right } = part else {
                return;
            };
            // A sum divided by `count(DISTINCT …)` is not an average of rows.
            let count = call_in(right, "count").filter(|count| !count.distinct);
            found.extend(call_in(left, "sum").zip(count));
        });
    }
    found
}

/// The first call of the function `name` in an expression.
fn call_in<'e>(expr: &'e Expr, name: &str) -> Option<&'e FunctionCall> {
    let mut found = None;
    walk(expr, &mut |part| {
        if let Expr::Function(call) = part
            && call.name == name
            && found.is_none()
        {
            found = Some(&**call);
        }
    });
    found
}
