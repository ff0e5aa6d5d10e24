//! D05 reserved-word: an unquoted table or column name that is a reserved word of SQL.
//!
//! why: the parser reads it as a keyword, so the statement fails with a misleading syntax error.
//! wrong: `SELECT o.id FROM order o` on a table called `order`
//! right: `SELECT o.id FROM "order" o` on a table called `order`

use crate::bind::Meaning;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{FromItem, Identifier, Source};
use crate::words::is_reserved;

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
        let fix =
            Fix::safe(format!("quote the name: {quoted}"), vec![Edit::replace(name.span, quoted)]);
        let message = format!("`{written}` is a reserved word; as a name it needs quotes");
        found.push(Finding::new(&RULE, message, name.span).fix(Some(fix)));
    }
}
