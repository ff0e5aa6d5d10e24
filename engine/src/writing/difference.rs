//! Compares how two statements interpret the same question.

use super::taken::{Role, Taken, Thing};

/// Difference between two interpretations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Difference {
    /// The single part that explains the whole difference, with the choice of each statement.
    pub(super) one: Option<(Role, Thing, Thing)>,
    /// All differing parts, if no single part explains the difference; a side may be empty.
    pub(super) several: Vec<(Role, Option<Thing>, Option<Thing>)>,
}

/// Compares two statements; anything that cannot change the requested rows is ignored.
///
/// A different column explains all differences in which that column occurs, and a different table those of its columns.
/// Additional output columns are ignored; additional conditions and groups are not.
pub(super) fn difference(one: &Taken, other: &Taken) -> Difference {
    let mut pairs: Vec<(Role, Thing, Thing)> = Vec::new();
    let mut several: Vec<(Role, Option<Thing>, Option<Thing>)> = Vec::new();
    for role in [Role::Figure, Role::Period, Role::Filter, Role::Group, Role::Shown] {
        let (mut left, mut right) = (only(one, other, role), only(other, one, role));
        if role == Role::Group {
            leave_out_names(&mut left, &mut right);
        }
        let both = !left.is_empty() && !right.is_empty();
        let counts = match role {
            Role::Figure => both,
            Role::Shown => left.len() == 1 && right.len() == 1,
            _ => both || !left.is_empty() || !right.is_empty(),
        };
        match (left.as_slice(), right.as_slice()) {
            _ if !counts => {}
            ([left], [right]) => pairs.push((role, left.clone(), right.clone())),
            _ => {
                let left = left.into_iter().map(|thing| (role, Some(thing), None));
                let right = right.into_iter().map(|thing| (role, None, Some(thing)));
                several.extend(left.chain(right));
            }
        }
    }
    for (outer, inner, kept) in
        [(&one.outer, &other.inner, true), (&other.outer, &one.inner, false)]
    {
        several.extend(outer.intersection(inner).map(|table| {
            let of = |kept| Some(Thing::without(table, kept));
            (Role::Join, of(kept), of(!kept))
        }));
    }
    let tables = single(one, other, Role::Table);
    if several.is_empty() {
        let found = match pairs.as_slice() {
            [] => single(one, other, Role::Join)
                .filter(|(left, right)| left.table == right.table)
                .map(|(left, right)| (Role::Join, left, right))
                .or_else(|| tables.map(|(left, right)| (Role::Table, left, right))),
            [(_, left, right), rest @ ..]
                if rest.iter().all(|(_, a, b)| a.is_of(left) && b.is_of(right)) =>
            {
                pairs.first().cloned()
            }
            all => tables
                .filter(|(left, right)| {
                    all.iter().all(|(_, a, b)| a.table == left.table && b.table == right.table)
                })
                .map(|(left, right)| (Role::Table, left, right)),
        };
        if found.is_some() {
            return Difference { one: found, several };
        }
    }
    several.extend(pairs.into_iter().map(|(role, left, right)| (role, Some(left), Some(right))));
    several.sort_by_key(|(role, ..)| *role);
    Difference { one: None, several }
}

/// Elements in a role of the first statement that the second lacks.
fn only(one: &Taken, other: &Taken, role: Role) -> Vec<Thing> {
    one.things(role).filter(|thing| !other.takes(role, thing)).cloned().collect()
}

/// The pair of elements, if the statements differ in exactly one element of a role.
fn single(one: &Taken, other: &Taken, role: Role) -> Option<(Thing, Thing)> {
    match (only(one, other, role).as_slice(), only(other, one, role).as_slice()) {
        ([left], [right]) => Some((left.clone(), right.clone())),
        _ => None,
    }
}

/// Removes a table on one side and its name column on the other, because both group by the same rows.
fn leave_out_names(left: &mut Vec<Thing>, right: &mut Vec<Thing>) {
    let same = |one: &Thing, other: &Thing| {
        one.rows.as_ref() == Some(&other.table) || other.rows.as_ref() == Some(&one.table)
    };
    let (all_left, all_right) = (left.clone(), right.clone());
    left.retain(|one| !all_right.iter().any(|other| same(one, other)));
    right.retain(|one| !all_left.iter().any(|other| same(one, other)));
}
