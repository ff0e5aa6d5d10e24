//! D03 function-arity / types: a known function with too few, too many or mistyped arguments.
//!
//! why: the data source rejects the call, or SQLite coerces the arguments into an unintended result.
//! wrong: `SELECT round(amount, 2, 3) FROM orders`
//! right: `SELECT round(amount, 2) FROM orders`

use crate::Dialect;
use crate::bind::signature;
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{Argument, Expr, Literal};

pub(super) static RULE: Rule = Rule::new("D03", "function-arity", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let name = &call.call.name;
        let Some(known) = signature(name, statement.dialect) else { continue };
        // With WITHIN GROUP, the arguments are hypothetical values of the sort keys rather than those of the signature.
        if !call.call.within_group.is_empty() {
            continue;
        }
        let given = call.call.arguments.len();
        let fits = given >= known.least && known.most.is_none_or(|most| given <= most);
        if !fits {
            let wanted = match known.most {
                Some(most) if most == known.least => most.to_string(),
                Some(most) => format!("{} to {most}", known.least),
                None => format!("{} or more", known.least),
            };
            let message =
                format!("wrong number of arguments for `{name}`: expected {wanted}, got {given}");
            found.push(Finding::new(&RULE, message, call.call.span));
            continue;
        }
        for (at, argument) in call.call.arguments.iter().enumerate() {
            let Argument::Expr(argument) = argument else { continue };
            let Some(wants) = known.wants.get(at).or_else(|| known.wants.last()) else { continue };
            let kind = statement.bound.kind(argument);
            let unfit = kind.is_some_and(|kind| !wants.takes(kind));
            let is_text = matches!(argument, Expr::Literal(Literal::String(text), _)
                if *wants == crate::bind::Wants::Number && text.trim().parse::<f64>().is_err());
            if unfit || is_text {
                let words =
                    if is_text { "text" } else { kind.map_or("", crate::bind::Kind::words) };
                let message = format!("`{name}` expects {}; got {words}", wants.words());
                let finding = Finding::new(&RULE, message, statement.extent(argument));
                let lenient = statement.dialect == Dialect::Sqlite;
                found.push(if lenient { finding.at(Severity::Warning) } else { finding });
            }
        }
    }
}
