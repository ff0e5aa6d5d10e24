//! O02 duplicate-output-name / unnamed expression: output columns with the same name or without one.
//!
//! why: readers and programs cannot tell such columns apart.
//! wrong: `SELECT u.name, m.name FROM users u JOIN users m ON m.id = u.manager_id`
//! right: `SELECT u.name, m.name AS manager FROM users u JOIN users m ON m.id = u.manager_id`

use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Expr, SelectItem};

pub(super) static RULE: Rule = Rule::new("O02", "output-names", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        let mut seen: Vec<&str> = Vec::new();
        if block.outputs.len() != block.select.items.len() {
            continue;
        }
        for (item, output) in block.select.items.iter().zip(block.outputs.iter()) {
            let SelectItem::Expr { expr, alias } = item else { continue };
            if seen.contains(&&*output.name) {
                let span = statement.extent(expr);
                let message = format!("two output columns are named `{}`", output.name);
                let fix = alias_for(statement, expr).filter(|_| alias.is_none()).map(|name| {
                    Fix::offer(
                        format!("name it `{name}`"),
                        vec![Edit::insert(span.end, format!(" AS {name}"))],
                    )
                });
                found.push(Finding::new(&RULE, message, span).fix(fix));
            } else if &*output.name == "?column?" {
                let message = "the computed column has no name; add an alias";
                found.push(Finding::new(&RULE, message, statement.extent(expr)));
            }
            seen.push(&output.name);
        }
    }
}

/// Alias made of the source's and the column's name.
fn alias_for(statement: &Statement<'_>, expr: &Expr) -> Option<String> {
    let place = statement.bound.column_of(expr)?;
    let source = statement.bound.source(place.block, place.source)?;
    let called = statement.called(source)?;
    Some(format!("{called}_{}", source.columns.name(place.column)?))
}
