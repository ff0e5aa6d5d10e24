//! D05 reserved-word: a table or a column whose name is a word of SQL, written without quotes.
//!
//! wrong: `SELECT o.id FROM order o` on a table called `order`
//! right: `SELECT o.id FROM "order" o` on a table called `order`

use crate::sql::bind::Meaning;
use crate::sql::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::sql::tree::{FromItem, Identifier, Source};
use crate::sql::words::is_reserved;

pub(super) static RULE: Rule = Rule::new("D05", "reserved-word", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        for FromItem { source, joins } in &block.select.from {
            for source in std::iter::once(source).chain(joins.iter().map(|join| &join.source)) {
                if let Source::Table { schema: None, name, .. } = source {
                    one(statement, name, found);
                }
            }
        }
    }
    for used in &statement.bound.uses {
        if used.qualifier.is_none() && matches!(used.meaning, Meaning::Column(_)) {
            one(statement, used.name, found);
        }
    }
}

fn one(statement: &Statement<'_>, name: &Identifier, found: &mut Vec<Finding>) {
    let written = statement.text_of(name.span);
    let bare = written.starts_with(|first: char| first.is_ascii_alphabetic());
    if bare && is_reserved(&written.to_ascii_lowercase(), statement.dialect) {
        let quoted = statement.written(&name.name);
        let fix = Fix::safe(format!("write {quoted}"), vec![Edit::replace(name.span, quoted)]);
        let message = format!("{written} is a word of SQL here");
        found.push(Finding::new(&RULE, message, name.span).fix(Some(fix)));
    }
}
