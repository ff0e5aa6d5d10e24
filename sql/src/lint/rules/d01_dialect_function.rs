//! D01 dialect-function: a function that only another database has.
//!
//! why: the data source rejects the call, although it usually has the same function under another name.
//! wrong: `SELECT ifnull(email, '') FROM users`
//! right: `SELECT coalesce(email, '') FROM users`

use std::sync::LazyLock;

use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::words::entries;
use crate::{Dialect, guard};

pub(super) static RULE: Rule = Rule::new("D01", "dialect-function", Severity::Error, check);

/// Functions of other databases: name, equivalent on PostgreSQL, equivalent on SQLite; `-` for none.
static NAMES: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let lines = entries(include_str!("../../../data/function_equivalents.tsv"));
    let read = lines.filter_map(|line| {
        let mut fields = line.split('\t');
        Some([fields.next()?, fields.next()?, fields.next()?])
    });
    read.collect()
});

/// Whether a function is known from another database and missing in this dialect.
pub(super) fn is_foreign(name: &str, dialect: Dialect) -> bool {
    !guard::is_listed(name, dialect) && NAMES.iter().any(|[foreign, ..]| *foreign == name)
}

/// Name of the equivalent function in this dialect.
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
        let message = format!("the function `{name}` belongs to another database");
        let finding = Finding::new(&RULE, message, call.call.span);
        let fix = same_as(name, statement.dialect)
            .map(|own| Fix::safe(format!("use `{own}`"), vec![Edit::replace(call.call.span, own)]));
        found.push(finding.fix(fix));
    }
}
