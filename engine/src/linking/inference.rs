//! Infers what a catalog does not state: roles, label columns, date columns and measure columns.

use std::sync::LazyLock;

use super::names::{Name, TableNames};
use crate::catalog::{Column, Coverage, DataType, Table};
pub(super) use crate::data::RoleRules;
use crate::data::{Role, Words};
use crate::text::stem;

impl RoleRules {
    /// The rules of the data file, with stems in place of words.
    pub(super) fn stemmed(words: &Words) -> Self {
        let mut rules = words.role_rules();
        for rule in &mut rules.roles {
            for word in &mut rule.words {
                *word = stem(word);
            }
            for word in &mut rule.asked_as {
                *word = stem(word);
            }
        }
        rules
    }

    /// Stems of the words that people use to ask for a role.
    pub(super) fn asked_as(&self, role: Role) -> &[String] {
        self.roles
            .iter()
            .find(|rule| rule.name == role)
            .map_or(&[], |rule| rule.asked_as.as_slice())
    }

    /// Roles of a column: the declared ones, otherwise those inferred from its name and type.
    pub(super) fn roles_of(&self, column: &Column, name: &Name) -> Vec<Role> {
        if !column.roles.is_empty() {
            return column.roles.iter().filter_map(|text| Role::from_text(text)).collect();
        }
        let mut roles: Vec<Role> = self
            .roles
            .iter()
            .filter(|rule| rule.types.contains(&column.data_type))
            .filter(|rule| rule.words.iter().any(|word| name.stems.contains(word)))
            .map(|rule| rule.name)
            .collect();
        let dated = roles.iter().any(|role| role.is_date());
        if column.data_type.is_temporal() && !dated {
            roles.push(Role::EventDate);
        }
        if roles.iter().any(|role| matches!(role, Role::Price | Role::Cost | Role::Amount)) {
            roles.retain(|role| *role != Role::Quantity);
        }
        if roles.contains(&Role::Identifier) {
            roles.retain(|role| *role == Role::Identifier);
        }
        roles
    }
}

/// Words of the names of columns that hold numbers to call.
const CALLED: [&str; 6] = ["cell", "fax", "mobile", "phone", "tel", "telephone"];

/// Most letters of the name of a table before "name" in that of its label.
const INITIALS: usize = 3;

/// Words of the first and the last part of a person's name in the names of columns.
const NAME_PARTS: [[&str; 2]; 5] =
    [["first", "last"], ["given", "family"], ["f", "l"], ["fore", "sur"], ["personal", "family"]];

/// Stems of [`CALLED`].
static CALLED_STEMS: LazyLock<[String; 6]> = LazyLock::new(|| CALLED.map(stem));

/// Stems of [`NAME_PARTS`], and of the same followed by "name" without a space.
static NAME_PART_STEMS: LazyLock<[[PartStems; 2]; 5]> = LazyLock::new(|| {
    NAME_PARTS.map(|parts| {
        parts.map(|part| PartStems { apart: stem(part), together: stem(&format!("{part}name")) })
    })
});

/// Stems of a word for a part of a name.
struct PartStems {
    apart: String,
    together: String,
}

/// Columns that identify a row to a person, best first; empty if there are none.
pub(super) fn label_columns(table: &Table, names: &TableNames) -> Vec<String> {
    if !table.label_columns.is_empty() {
        return table.label_columns.clone();
    }
    let find = |wanted: &dyn Fn(&[String]) -> bool| {
        let texts = table.columns.iter().zip(&names.columns);
        texts
            .filter(|(column, _)| column.data_type == DataType::Text)
            .find(|(_, name)| wanted(&name.stems))
            .map(|(column, _)| column)
    };
    let full_name = || {
        let (apart, together) = ([stem("full"), stem("name")], [stem("fullname")]);
        find(&|words| words == apart || words == together)
    };
    let own = |noun: &str| {
        let noun = stem(noun);
        find(&|words| {
            words.split_last().is_some_and(|(last, rest)| {
                *last == noun && rest.iter().all(|word| names.own.stems.contains(word))
            })
        })
    };
    if let Some(column) = own("name") {
        return vec![column.name.clone()];
    }
    if let Some(parts) = name_parts(table, names) {
        return parts;
    }
    if let Some(column) = full_name() {
        return vec![column.name.clone()];
    }
    // "bname" of a bank.
    let initialled = |words: &[String]| match words {
        [word] => word.strip_suffix("name").is_some_and(|start| {
            (1..=INITIALS).contains(&start.len())
                && names.own.words.iter().any(|own| own.starts_with(start))
        }),
        _ => false,
    };
    if let Some(column) = find(&initialled) {
        return vec![column.name.clone()];
    }
    if let Some(column) = own("title") {
        return vec![column.name.clone()];
    }
    // The ship name, ship address and ship city of an order say where it goes, and not what it is called.
    let of_another = |words: &[String]| {
        let own = |first: &&String| names.own.words.iter().any(|own| is_short_for(first, own));
        let Some(first) = words.first().filter(|first| !own(first)) else { return false };
        let places = ["address", "street", "city"].map(stem);
        names.columns.iter().any(|name| match name.stems.as_slice() {
            [start, place] => start == first && places.contains(place),
            _ => false,
        })
    };
    // A code that several rows have says of what kind they are, and not what they are called.
    let repeats = |column: &Column| {
        let listed = column.values.as_ref().filter(|list| list.coverage == Coverage::Complete);
        listed.zip(table.row_estimate).is_some_and(|(list, rows)| list.values.len() < rows as usize)
    };
    for called_by in ["name", "title", "label", "caption", "number", "code"] {
        let noun = stem(called_by);
        // A number to call is no name.
        let called = |words: &[String]| words.iter().any(|word| CALLED_STEMS.contains(word));
        let named =
            |words: &[String]| words.last() == Some(&noun) && !of_another(words) && !called(words);
        if let Some(column) = find(&named).filter(|column| called_by != "code" || !repeats(column))
        {
            return vec![column.name.clone()];
        }
    }
    // The company of a row of companies is what it is called.
    let itself = |words: &[String]| words == names.own.stems;
    if let Some(column) = find(&itself).filter(|column| !repeats(column)) {
        return vec![column.name.clone()];
    }
    own("description").map(|column| vec![column.name.clone()]).unwrap_or_default()
}

/// The two columns of a name in parts, in the order in which they are written: `emp_first_name` and `emp_last_name`.
fn name_parts(table: &Table, names: &TableNames) -> Option<Vec<String>> {
    // What stands before the part of the name has to be the same in both columns.
    let texts = || {
        table
            .columns
            .iter()
            .zip(&names.columns)
            .filter(|(column, _)| column.data_type == DataType::Text)
    };
    let noun = stem("name");
    let before = |name: &Name, part: &PartStems| -> Option<usize> {
        match name.stems.as_slice() {
            [before @ .., last] if *last == part.together => Some(before.len()),
            [before @ .., own, last] if *own == part.apart && *last == noun => Some(before.len()),
            _ => None,
        }
    };
    NAME_PART_STEMS.iter().find_map(|[first, last]| {
        texts().find_map(|(column, name)| {
            let start = before(name, first)?;
            let (other, _) = texts().find(|(_, other)| {
                before(other, last) == Some(start) && other.stems[..start] == name.stems[..start]
            })?;
            Some(vec![column.name.clone(), other.name.clone()])
        })
    })
}

/// Whether a word has only letters of another in their order, from its first: "dept" for "department".
fn is_short_for(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    short.chars().next() == word.chars().next()
        && short.chars().all(|letter| letters.any(|other| other == letter))
}

/// Column that a time expression refers to by default; `None` if several are equally likely.
pub(super) fn date_column(
    table: &Table,
    roles: &[Vec<Role>],
    names: &TableNames,
) -> Option<String> {
    if let Some(column) = &table.date_column {
        return Some(column.clone());
    }
    let dates: Vec<usize> = (0..table.columns.len())
        .filter(|&index| table.columns[index].data_type.is_temporal())
        .filter(|&index| roles.get(index).is_none_or(|roles| !roles.contains(&Role::BirthDate)))
        .collect();
    let of_role = |role: Role| -> Vec<usize> {
        dates
            .iter()
            .copied()
            .filter(|&index| roles.get(index).is_some_and(|roles| roles.contains(&role)))
            .collect()
    };
    let events = of_role(Role::EventDate);
    let own: Vec<usize> = events
        .iter()
        .copied()
        .filter(|&index| {
            names.columns[index].stems.iter().any(|word| names.own.stems.contains(word))
        })
        .collect();
    let created = of_role(Role::CreatedDate);
    // Some rows lack an optional event such as `first_response_at`; each row has the date on which it was created.
    let optional = |index: &usize| table.columns[*index].nullable;
    if let ([], [event], [made]) = (own.as_slice(), events.as_slice(), created.as_slice())
        && optional(event)
        && !optional(made)
    {
        return Some(table.columns[*made].name.clone());
    }
    let pick = match (own.as_slice(), events.as_slice(), dates.as_slice(), created.as_slice()) {
        ([one], ..) | ([], [one], ..) | ([], [], [one], _) | ([], [], _, [one]) => Some(*one),
        _ => None,
    };
    pick.map(|index| table.columns[index].name.clone())
}

/// Columns whose sum is a meaningful quantity, by descending confidence; totals rank above parts.
pub(super) fn measure_columns(
    table: &Table,
    roles: &[Vec<Role>],
    names: &TableNames,
) -> Vec<String> {
    if let Some(column) = &table.measure_column {
        return vec![column.clone()];
    }
    let with_role = |role: Role, word: Option<&str>| -> Vec<String> {
        (0..table.columns.len())
            .filter(|&at| roles[at].contains(&role))
            .filter(|&at| {
                word.is_none_or(|word| names.columns[at].words.iter().any(|own| own == word))
            })
            .map(|at| table.columns[at].name.clone())
            .collect()
    };
    [(Role::Amount, Some("total")), (Role::Amount, None), (Role::Quantity, None)]
        .into_iter()
        .map(|(role, word)| with_role(role, word))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Stems;

    fn table(name: &str, columns: &[(&str, DataType)]) -> Table {
        Table {
            name: name.to_owned(),
            columns: columns
                .iter()
                .map(|(name, data_type)| Column {
                    name: (*name).to_owned(),
                    data_type: *data_type,
                    ..Column::default()
                })
                .collect(),
            ..Table::default()
        }
    }

    #[test]
    fn a_name_may_begin_with_letters_of_the_table_and_is_no_number_to_call() {
        let label = |own: &str, columns: &[&str]| {
            let columns: Vec<_> = columns.iter().map(|name| (*name, DataType::Text)).collect();
            let table = table(own, &columns);
            label_columns(&table, &TableNames::new(&table, &mut Stems::default()))
        };
        assert_eq!(label("bank", &["city", "bname"]), ["bname"]);
        assert_eq!(label("bank", &["city", "username"]).len(), 0);
        assert_eq!(label("customers", &["town", "phone_number"]).len(), 0);
        assert_eq!(label("tickets", &["town", "ticket_number"]), ["ticket_number"]);
    }

    #[test]
    fn people_are_named_by_first_and_last_name() {
        let people = table(
            "Customer",
            &[
                ("CustomerId", DataType::Integer),
                ("LastName", DataType::Text),
                ("FirstName", DataType::Text),
                ("Company", DataType::Text),
            ],
        );
        let names = TableNames::new(&people, &mut Stems::default());
        assert_eq!(label_columns(&people, &names), ["FirstName", "LastName"]);
        let label = |name: &str, columns: [&str; 2]| {
            let table = table(name, &columns.map(|column| (column, DataType::Text)));
            label_columns(&table, &TableNames::new(&table, &mut Stems::default()))
        };
        for [last, first] in [
            ["LName", "Fname"],
            ["emp_lname", "emp_fname"],
            ["customer_last_name", "customer_first_name"],
        ] {
            assert_eq!(label("Member", [last, first]), [first, last]);
        }
        assert_eq!(label("Match", ["winner_last_name", "loser_first_name"]).len(), 1);
    }

    #[test]
    fn a_table_with_several_event_dates_has_no_date_of_its_own() {
        let rules = RoleRules::stemmed(&Words::BUILT_IN);
        let date = |table: &Table| {
            let names = TableNames::new(table, &mut Stems::default());
            let named = table.columns.iter().zip(&names.columns);
            let roles: Vec<_> = named.map(|(column, name)| rules.roles_of(column, name)).collect();
            date_column(table, &roles, &names)
        };
        let trips = table("trips", &[("departure", DataType::Date), ("arrival", DataType::Date)]);
        assert_eq!(date(&trips), None);
        let orders =
            table("orders", &[("order_date", DataType::Date), ("shipped_date", DataType::Date)]);
        assert_eq!(date(&orders).as_deref(), Some("order_date"));
        let mut tickets = table(
            "tickets",
            &[("created_at", DataType::Timestamp), ("first_response_at", DataType::Timestamp)],
        );
        tickets.columns[0].nullable = false;
        tickets.columns[1].nullable = true;
        assert_eq!(date(&tickets).as_deref(), Some("created_at"));
        tickets.columns[1].nullable = false;
        assert_eq!(date(&tickets).as_deref(), Some("first_response_at"));
    }
}
