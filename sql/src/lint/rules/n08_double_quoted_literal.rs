//! N08 double-quoted-literal: a string in double quotes, which delimit names.
//!
//! SQLite silently reads it as a string if no column has the name.
//!
//! why: it is read as a column name; a string literal needs single quotes.
//! wrong: `SELECT name FROM users WHERE city = "Paris"`
//! right: `SELECT name FROM users WHERE city = 'Paris'`

use super::support::{Unknown, why_unknown};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("N08", "double-quoted-literal", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        if why_unknown(statement, used) != Some(Unknown::Literal) {
            continue;
        }
        let text = &used.name.name;
        let message = format!("{text:?} is not a column; string literals need single quotes");
        let literal = format!("'{}'", text.replace('\'', "''"));
        let title = format!("use {literal}");
        let fix = Fix::safe(title, vec![Edit::replace(used.name.span, literal)]);
        found.push(Finding::new(&RULE, message, used.name.span).fix(Some(fix)));
    }
}
