//! N10 star-scope: a wildcard without FROM.
//!
//! why: there are no columns to expand it to, so the data source rejects the statement.
//! wrong: `SELECT *`
//! right: `SELECT id, name FROM users`

use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{SelectItem, SqlSpan};

pub(super) static RULE: Rule = Rule::new("N10", "star-scope", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        let has_star = block.select.items.iter().any(|item| {
            matches!(item, SelectItem::Wildcard { .. } | SelectItem::WildcardExcept { .. })
        });
        if has_star && block.sources.is_empty() {
            let star = (0..statement.tokens.len()).find(|at| statement.token(*at) == "*");
            let span =
                star.and_then(|at| statement.tokens.get(at)).copied().unwrap_or(SqlSpan::default());
            found.push(Finding::new(&RULE, "* needs a FROM clause", span));
        }
    }
}
