//! The linter: problems of a statement, their severity, and fixes.
//!
//! It checks meaning, not layout. Each rule is one file of `rules/` and one line of its list.

mod asked;
mod finding;
mod rule;
mod rules;
mod statement;
mod unread;

pub use asked::{Asked, AskedAggregate, AskedTop, AskedValue};
pub use finding::{Edit, Finding, Fix, Severity};
pub use rule::Rule;
pub use rules::ALL;

use std::collections::BTreeMap;

use rule::Check;
use statement::Statement;
pub(crate) use unread::rewritten;

use super::bind::Bound;
use super::{Code, Diagnostic, GuardLimits, guard, read_with_tokens};
use wherefore_catalog::Catalog;

/// All findings in a statement of the data source's dialect, in source order.
///
/// No text makes it panic.
///
/// ```
/// use wherefore_catalog::{Catalog, Column, Table};
/// use wherefore_sql::lint::lint;
///
/// let name = Column { name: "name".to_owned(), ..Column::default() };
/// let users = Table { name: "users".to_owned(), columns: vec![name], ..Table::default() };
/// let catalog = Catalog { tables: vec![users], ..Catalog::default() };
/// let found = lint("SELECT nmae FROM users", &catalog, None);
/// assert_eq!(found[0].rule.id, "N02");
/// assert_eq!(found[0].fixes[0].apply("SELECT nmae FROM users").unwrap(), "SELECT name FROM users");
/// ```
pub fn lint(sql: &str, catalog: &Catalog, asked: Option<&Asked>) -> Vec<Finding> {
    let dialect = catalog.dialect;
    let read = match read_with_tokens(sql, dialect.into()) {
        Ok(read) => read,
        Err(fault) => return unread::findings(sql, catalog, fault),
    };
    let bound = Bound::of(&read.query, catalog, dialect);
    let tokens = &read.tokens;
    let statement = Statement { text: sql, tokens, bound: &bound, catalog, dialect, asked };
    let mut found = Vec::new();
    for rule in ALL {
        if let Check::Statement(check) = rule.check {
            check(&statement, &mut found);
        }
    }
    let refused = guard::faults(&read.query, catalog, dialect, &GuardLimits::default());
    found.extend(refused.into_iter().filter_map(of_guard));
    found.sort_by_key(|finding| (finding.span.start, std::cmp::Reverse(finding.severity)));
    found.dedup_by(|next, first| next.rule == first.rule && next.span == first.span);
    found
}

/// A diagnostic of the guard as a finding; `None` if a regular rule covers it.
fn of_guard(fault: Diagnostic) -> Option<Finding> {
    let rule = rule_of(fault.code)?;
    let message = match fault.hint {
        Some(hint) => format!("{}: {hint}", fault.message),
        None => fault.message,
    };
    Some(Finding::new(rule, message, fault.span))
}

/// The rule for a diagnostic code of the guard.
fn rule_of(code: Code) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| matches!(rule.check, Check::Guard(own) if own == code))
}

/// All rules by identifier, such as `N02`.
pub fn rules() -> BTreeMap<&'static str, &'static Rule> {
    ALL.iter().map(|rule| (rule.id, *rule)).collect()
}
