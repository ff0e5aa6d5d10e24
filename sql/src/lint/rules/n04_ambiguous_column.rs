//! N04 ambiguous-column: an unqualified column that several sources have.
//!
//! If a join condition equates the columns, any of them can be used.
//!
//! why: the data source rejects the statement, because it cannot tell which column is meant.
//! wrong: `SELECT id FROM users u JOIN orders o ON u.id = o.user_id`
//! right: `SELECT u.id FROM users u JOIN orders o ON u.id = o.user_id`

use crate::bind::{ColumnPlace, Meaning};
use crate::lint::{Edit, Finding, Fix, Rule, Severity, Statement};

pub(super) static RULE: Rule = Rule::new("N04", "ambiguous-column", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    for used in &statement.bound.uses {
        let Meaning::Ambiguous(sources) = &used.meaning else { continue };
        let block = used.place.block;
        let places: Vec<ColumnPlace> = sources
            .iter()
            .filter_map(|source| {
                let columns = &statement.bound.source(block, *source)?.columns;
                let column = columns.find(used.name, statement.dialect)?;
                Some(ColumnPlace { block, source: *source, column })
            })
            .collect();
        let written = statement.text_of(used.name.span);
        let message = format!("column `{written}` is ambiguous: {} sources have it", places.len());
        let mut finding = Finding::new(&RULE, message, used.name.span);
        let equal = all_equal(statement, block, &places);
        for place in places {
            let Some(qualified) = statement.qualified(place) else { continue };
            let title = format!("use `{qualified}`");
            let edits = vec![Edit::replace(used.name.span, qualified)];
            let fix = if equal { Fix::safe(title, edits) } else { Fix::offer(title, edits) };
            finding = finding.fix(Some(fix));
        }
        found.push(finding);
    }
}

/// Whether join conditions equate all of these columns.
fn all_equal(statement: &Statement<'_>, block: usize, places: &[ColumnPlace]) -> bool {
    let Some(block) = statement.bound.blocks.get(block) else { return false };
    places.windows(2).all(|pair| {
        block.equalities.iter().any(|equal| {
            (equal.left, equal.right) == (pair[0], pair[1])
                || (equal.right, equal.left) == (pair[0], pair[1])
        })
    })
}
