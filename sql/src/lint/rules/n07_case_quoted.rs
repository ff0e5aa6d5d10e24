//! N07 case-quoted: a name that differs from a column only in case or quotes.
//!
//! PostgreSQL folds unquoted names to lower case; quoted names are case-sensitive.
//!
//! why: the data source does not find the column and rejects the statement.
//! wrong: `SELECT "Name" FROM users`
//! right: `SELECT name FROM users`

use super::support::{Unknown, why_unknown};
use crate::lint::{Finding, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("N07", "case-quoted", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        if why_unknown(statement, used) != Some(Unknown::Case) {
            continue;
        }
        let Some(block) = statement.bound.blocks.get(used.place.block) else { continue };
        let stored = block
            .sources
            .iter()
            .flat_map(|source| source.columns.names())
            .find(|name| name.eq_ignore_ascii_case(&used.name.name));
        let message = format!(
            "`{}` differs from the column name only in case or quotes",
            statement.text_of(used.name.span)
        );
        let finding = Finding::new(&RULE, message, used.name.span);
        let fix =
            stored.and_then(|name| statement.rename(used.name, &statement.written(name), true));
        found.push(finding.fix(fix));
    }
}
