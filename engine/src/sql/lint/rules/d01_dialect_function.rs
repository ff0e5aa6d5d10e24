//! D01 dialect-function: a function of another database.
//!
//! wrong: `SELECT ifnull(email, '') FROM users`
//! right: `SELECT coalesce(email, '') FROM users`

use std::sync::LazyLock;

use crate::sql::words::entries;
use crate::sql::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::sql::{Dialect, guard};

pub(super) static RULE: Rule = Rule::new("D01", "dialect-function", Severity::Error, check);

/// Names of functions elsewhere: the name, the name of the same function on PostgreSQL and on SQLite, or `-`.
static NAMES: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let lines = entries(include_str!("../../../../data/sql/foreign_functions.tsv"));
    let read = lines.filter_map(|line| {
        let mut fields = line.split('\t');
        Some([fields.next()?, fields.next()?, fields.next()?])
    });
    read.collect()
});

/// Whether a function is known from another database, and not had by this one.
pub(super) fn is_foreign(name: &str, dialect: Dialect) -> bool {
    !guard::is_listed(name, dialect) && NAMES.iter().any(|[foreign, ..]| *foreign == name)
}

/// The same function of this database under its own name.
fn same_as(name: &str, dialect: Dialect) -> Option<&'static str> {
    let [_, postgres, sqlite] = *NAMES.iter().find(|[foreign, ..]| *foreign == name)?;
    let own = match dialect {
        Dialect::Postgres => postgres,
        Dialect::Sqlite => sqlite,
    };
    (own != "-").then_some(own)
}

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for call in &statement.bound.calls {
        let name = &call.call.name;
        if !is_foreign(name, statement.dialect) {
            continue;
        }
        let message = format!("{name} is a function of another database");
        let finding = Finding::new(&RULE, message, call.call.span);
        let fix = same_as(name, statement.dialect).map(|own| {
            Fix::safe(format!("call {own}"), vec![Edit::replace(call.call.span, own)])
        });
        found.push(finding.fix(fix));
    }
}
