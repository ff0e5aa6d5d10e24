//! N05 duplicate-alias: two sources of one FROM with the same name.
//!
//! why: a qualifier can then refer to either source; servers reject the statement.
//! wrong: `SELECT a.id FROM users a JOIN orders a ON a.id = a.user_id`
//! right: `SELECT a.id FROM users a JOIN orders b ON a.id = b.user_id`

use crate::bind::same_name;
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("N05", "duplicate-alias", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for (_, block) in statement.blocks() {
        for (at, source) in block.sources.iter().enumerate() {
            let Some(name) = source.name else { continue };
            let again = block.sources[..at]
                .iter()
                .filter_map(|earlier| earlier.name)
                .any(|earlier| same_name(name, earlier, statement.dialect));
            if again {
                let written = statement.text_of(name.span);
                let message = format!("two sources are named `{written}`");
                let other = format!("{}_{}", name.name.to_ascii_lowercase(), at + 1);
                let edit = if source.is_aliased {
                    Edit::replace(name.span, other.clone())
                } else {
                    Edit::insert(name.span.end, format!(" AS {other}"))
                };
                let fix = Fix::offer(format!("rename the second one to `{other}`"), vec![edit]);
                found.push(Finding::new(&RULE, message, name.span).fix(Some(fix)));
            }
        }
    }
}
