//! Whether the first row of a table holds the names of its columns.

use std::collections::BTreeSet;

use super::types::{Type, type_of};

/// Whether the first row is a header, by the types of the columns below it.
///
/// It is one if it has text above a column of another type. If all columns are text, it is one if its fields are all
/// different and none recurs below it.
pub(super) fn is_header(first: &[String], below: &[Type], recurs: bool) -> bool {
    let filled = || first.iter().filter(|field| !field.is_empty());
    let is_text = |field: &str| !field.is_empty() && type_of(field) == Type::Text;
    let differs = |(field, kind): (&String, &Type)| *kind != Type::Text && is_text(field);
    if first.iter().zip(below).any(differs) {
        return true;
    }
    let different: BTreeSet<String> = filled().map(|field| field.to_lowercase()).collect();
    !recurs
        && !different.is_empty()
        && different.len() == filled().count()
        && filled().all(|field| is_text(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::numbers::Decimals;

    #[test]
    fn a_header_differs_from_what_is_below_it() {
        let number = Type::Integer(Decimals::Point);
        for (first, below, recurs, expected) in [
            (&["id", "name"][..], &[number, Type::Text][..], false, true),
            (&["id", "name"], &[number, Type::Text], true, true),
            (&["name", "town"], &[Type::Text, Type::Text], false, true),
            (&["Ann", "Ulm"], &[Type::Text, Type::Text], true, false),
            (&["a", "A"], &[Type::Text, Type::Text], false, false),
            (&["1", "Ann"], &[number, Type::Text], false, false),
            (&["region", "2024"], &[Type::Text, number], false, false),
            (&["region", "sales", "2024"], &[Type::Text, number, number], false, true),
            (&["01/02/2024"], &[Type::Text], false, false),
            (&["", "total"], &[Type::Text, number], false, true),
            (&["", ""], &[number, number], false, false),
        ] {
            let first: Vec<String> = first.iter().map(|field| (*field).to_owned()).collect();
            assert_eq!(is_header(&first, below, recurs), expected, "{first:?}");
        }
    }
}
