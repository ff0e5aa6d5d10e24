//! Facts: the names in a statement or an option, in a comparable form.
//!
//! All in lower case: `table:T`, `column:T.C`, `value:V`, `aggregate:F`, `every` (relational division), `restricted:T`
//! (a table in one branch of a set operation whose condition holds a value), and the connective of two conditions:
//! `and:A|B`, `or:A|B`.

mod binding;
mod logic;
mod statement;

use std::collections::BTreeSet;

pub(crate) use binding::of_binding;
pub(crate) use statement::of_statement;

/// A sorted set of facts.
pub(crate) type Facts = BTreeSet<String>;

/// Fact that names a table.
fn table(name: &str) -> String {
    format!("table:{}", name.to_lowercase())
}

/// Fact that names a table whose rows are restricted in one branch of a set operation.
fn restricted(name: &str) -> String {
    format!("restricted:{}", name.to_lowercase())
}

/// Fact that names a column.
fn column(table: &str, name: &str) -> String {
    format!("column:{}.{}", table.to_lowercase(), name.to_lowercase())
}

/// A value normalised for comparison: numbers in their shortest form, texts without wildcards at their ends.
fn plain(value: &str) -> String {
    let value = value.trim_matches(['%', ' ']);
    value.parse::<f64>().map_or_else(|_| value.to_lowercase(), |number| number.to_string())
}

/// Fact that states a value.
fn value(text: &str) -> String {
    format!("value:{}", plain(text))
}

/// Indexes of the gold interpretations that `facts` identify: those that contain all named facts that differ between
/// interpretations, with the fewest other facts. `None` when no differing fact is named, or on a tie.
pub(crate) fn pointed_at(facts: &Facts, golds: &[Facts]) -> Option<usize> {
    let common = golds.iter().skip(1).fold(golds.first()?.clone(), |common, gold| &common & gold);
    let all = golds.iter().fold(Facts::new(), |all, gold| &all | gold);
    let differing = &all - &common;
    let named = facts & &differing;
    if named.is_empty() {
        return None;
    }
    let mut near: Vec<(usize, usize)> = golds
        .iter()
        .enumerate()
        .filter(|(_, gold)| named.is_subset(gold))
        .map(|(index, gold)| ((gold - &common).len() - named.len(), index))
        .collect();
    near.sort_unstable();
    match near.as_slice() {
        [(_, index)] => Some(*index),
        [(first, index), (second, _), ..] if first < second => Some(*index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Facts {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn facts_point_to_the_gold_that_holds_them_with_the_least_beside() {
        let golds = [facts("t a"), facts("t b"), facts("t a b")];
        for (named, expected) in [
            ("a", Some(0)),
            ("t b", Some(1)),
            ("a b", Some(2)),
            ("t", None),
            ("c", None),
            ("a c", Some(0)),
        ] {
            assert_eq!(pointed_at(&facts(named), &golds), expected, "{named}");
        }
        assert_eq!(pointed_at(&facts("a"), &[facts("a x"), facts("a y"), facts("z")]), None);
        assert_eq!(pointed_at(&facts("a"), &[]), None);
    }

    #[test]
    fn values_are_compared_in_their_shortest_form() {
        for (one, other) in [("200.0", "200"), ("Alex %", "alex"), ("Banquet Hall", "banquet hall")]
        {
            assert_eq!(value(one), value(other));
        }
    }
}
