//! O03 star: `SELECT *` in the result.
//!
//! why: it returns columns that nobody asked for, and its result changes whenever the table does.
//! wrong: `SELECT * FROM users`
//! right: `SELECT id, name, email, city, created_at, manager_id FROM users`

use crate::bind::Role;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::SelectItem;

pub(super) static RULE: Rule = Rule::new("O03", "star", Severity::Note, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        let is_star =
            block.select.items.iter().any(|item| matches!(item, SelectItem::Wildcard { .. }));
        if block.role != Role::Statement || !is_star {
            continue;
        }
        let star = statement.tokens.iter().enumerate().find(|(at, _)| {
            let before = at.checked_sub(1).map_or("", |before| statement.token(before));
            statement.token(*at) == "*"
                && (before == "."
                    || before == ","
                    || ["select", "distinct"].iter().any(|word| before.eq_ignore_ascii_case(word)))
        });
        let span = star.map(|(_, span)| *span).unwrap_or_default();
        let only =
            matches!(block.select.items.as_slice(), [SelectItem::Wildcard { qualifier: None }]);
        let columns: Vec<String> = block
            .sources
            .iter()
            .flat_map(|source| source.columns.names().map(move |name| (source, name.to_owned())))
            .map(|(source, name)| match statement.called(source) {
                Some(called) if block.sources.len() > 1 => {
                    format!("{called}.{}", statement.written(&name))
                }
                _ => statement.written(&name),
            })
            .collect();
        let known = only && columns.len() == block.outputs.len() && !columns.is_empty();
        let fix = known
            .then(|| Fix::safe("list the columns", vec![Edit::replace(span, columns.join(", "))]));
        found.push(Finding::new(&RULE, "SELECT * returns every column", span).fix(fix));
    }
}
