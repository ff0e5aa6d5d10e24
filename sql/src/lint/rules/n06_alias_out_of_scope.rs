//! N06 alias-out-of-scope: the alias of an output column in a clause that is evaluated before it.
//!
//! The fix replaces the alias by its expression.
//!
//! why: the alias does not exist yet when the clause is evaluated, so the data source rejects it.
//! wrong: `SELECT city, count(*) AS n FROM users GROUP BY city HAVING n > 3`
//! right: `SELECT city, count(*) AS n FROM users GROUP BY city HAVING count(*) > 3`

use super::support::{Unknown, why_unknown};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};
use crate::tree::{Expr, SelectItem};

pub(super) static RULE: Rule = Rule::new("N06", "alias-out-of-scope", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        let Some(Unknown::Alias(item)) = why_unknown(statement, used) else { continue };
        let Some(block) = statement.bound.blocks.get(used.place.block) else { continue };
        let written = statement.text_of(used.name.span);
        let message = format!("the alias `{written}` cannot be used in this clause");
        let finding = Finding::new(&RULE, message, used.name.span);
        let fix = match block.select.items.get(item) {
            Some(SelectItem::Expr { expr, .. }) => {
                let text = statement.text_extent(expr);
                let is_simple =
                    matches!(expr, Expr::Column { .. } | Expr::Function(_) | Expr::Literal(..));
                let inlined = if is_simple { text.to_owned() } else { format!("({text})") };
                let edits = vec![Edit::replace(used.name.span, inlined)];
                (!text.is_empty())
                    .then(|| Fix::safe(format!("replace the alias with `{text}`"), edits))
            }
            _ => None,
        };
        found.push(finding.fix(fix));
    }
}
