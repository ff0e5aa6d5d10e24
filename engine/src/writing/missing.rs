//! Parts of the question that a statement lacks: the amount, the share, the change, the groups, a period.

use super::Brief;
use super::facts::Facts;
use super::packet::plain;
use super::taken::{Role, Taken};
use crate::catalog::Catalog;
use crate::intent::Aggregate;
use wherefore_sql::CheckedSql;
use wherefore_sql::lint::Finding;

/// Linter rules about what the question says: its figure, its groups, its dates and values.
const RULES: [&str; 3] = ["S01", "S02", "S04"];
/// Functions that compute a part of a whole, a mean of conditions, or a change, without a division.
const SHARING: [&str; 6] =
    ["avg", "cume_dist", "ntile", "percent_rank", "ratio_to_report", "total"];
/// Functions that compare a row with another one.
const CHANGING: [&str; 2] = ["lag", "lead"];
/// Parts of names of columns that store a share.
const STORED: [&str; 7] = ["margin", "pct", "percent", "proportion", "rate", "ratio", "share"];

/// Whether a finding of the linter says that a part of the question is missing.
pub(super) fn is_missing(finding: &Finding) -> bool {
    RULES.contains(&finding.rule.id)
}

/// Parts of the question that the statement lacks and the linter does not know, as messages.
pub(super) fn missing(
    catalog: &Catalog,
    brief: &Brief,
    checked: &CheckedSql,
    facts: &Facts,
) -> Vec<String> {
    let shape = &brief.shape;
    let mut found = Vec::new();
    let mut lacks = |phrase: &str, what: &str| {
        found.push(format!(
            "the question asks for “{}”, but the statement {what}",
            plain(phrase, 100)
        ));
    };
    let divides = facts.operators.contains("divide");
    if let Some(phrase) = &shape.share {
        let computed = SHARING.iter().any(|name| facts.functions.contains(*name));
        let stored = facts.columns().any(|column| {
            let column = column.to_lowercase();
            STORED.iter().any(|part| column.contains(part))
        });
        if !divides && !computed && !stored {
            lacks(phrase, "divides nothing by a whole");
        }
    }
    if let Some(phrase) = &shape.change {
        let compares = CHANGING.iter().any(|name| facts.functions.contains(*name));
        if !divides && !compares && !facts.operators.contains("subtract") {
            lacks(phrase, "compares no two periods");
        }
    }
    if let Some(phrase) = &shape.amount
        && only_counts(catalog, checked.sql())
    {
        lacks(phrase, "only counts rows");
    }
    // Where the groups are known, the linter looks for them.
    if shape.groups && shape.per.is_empty() && one_number(facts, checked) {
        found.push("the question asks for groups, but the statement returns one number".to_owned());
    }
    for said in brief.said.iter().filter(|said| said.anywhere) {
        if !said.literals.iter().any(|literal| occurs(facts, literal, said.started)) {
            let phrase = plain(&said.phrase, 100);
            found.push(format!("“{phrase}” from the question is missing from the statement"));
        }
    }
    found
}

/// Whether all figures of a statement are numbers of rows.
fn only_counts(catalog: &Catalog, sql: &str) -> bool {
    let taken = Taken::of(catalog, sql);
    let mut figures = taken.things(Role::Figure).peekable();
    figures.peek().is_some() && figures.all(|thing| thing.figure == Some(Aggregate::Count))
}

/// Whether the statement returns one aggregate of all rows.
fn one_number(facts: &Facts, checked: &CheckedSql) -> bool {
    let figure = ["avg", "count", "max", "min", "sum", "total"];
    checked.output_columns().len() == 1
        && !facts.groups_within
        && figure.iter().any(|name| facts.functions.contains(*name))
}

/// Whether a literal of the statement is a text, or begins with it as a date does with its year; of a period that has
/// started, not an exclusive upper bound.
fn occurs(facts: &Facts, wanted: &str, started: bool) -> bool {
    let counted = facts.places.iter().filter(|(_, (all, ends))| !started || all > ends);
    counted.map(|(literal, _)| literal).any(|literal| {
        let rest = literal.trim_matches('%').strip_prefix(wanted);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
    })
}
