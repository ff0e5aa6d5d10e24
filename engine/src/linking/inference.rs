//! What a catalog leaves unsaid: roles of columns, and the columns that name, date and measure a row.

use serde::Deserialize;

use super::identifier::words_of_identifier;
use crate::catalog::{Column, DataType, Table};
use crate::text::stem;

/// Roles with the words and types they are inferred from.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RoleRules {
    roles: Vec<RoleRule>,
}

#[derive(Clone, Debug, Deserialize)]
struct RoleRule {
    name: String,
    types: Vec<DataType>,
    words: Vec<String>,
    #[serde(default)]
    asked_as: Vec<String>,
}

impl RoleRules {
    /// Built-in rules; empty only if their data file were broken, which a test rules out.
    pub(super) fn built_in() -> Self {
        let mut rules: Self =
            serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/roles.json")))
                .unwrap_or_default();
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

    /// Words (stems) that people ask for a role with.
    pub(super) fn asked_as(&self, role: &str) -> &[String] {
        self.roles
            .iter()
            .find(|rule| rule.name == role)
            .map_or(&[], |rule| rule.asked_as.as_slice())
    }

    /// Roles of a column: its own where given, else those its name and type suggest.
    pub(super) fn roles_of(&self, column: &Column) -> Vec<String> {
        if !column.roles.is_empty() {
            return column.roles.clone();
        }
        let words: Vec<String> =
            words_of_identifier(&column.name).iter().map(|word| stem(word)).collect();
        let mut roles: Vec<String> = self
            .roles
            .iter()
            .filter(|rule| rule.types.contains(&column.data_type))
            .filter(|rule| rule.words.iter().any(|word| words.contains(word)))
            .map(|rule| rule.name.clone())
            .collect();
        let dated = roles.iter().any(|role| role.ends_with("_date"));
        if column.data_type.is_temporal() && !dated {
            roles.push("event_date".to_owned());
        }
        if roles.iter().any(|role| ["price", "cost", "amount"].contains(&role.as_str())) {
            roles.retain(|role| role != "quantity");
        }
        if roles.iter().any(|role| role == "identifier") {
            roles.retain(|role| role == "identifier");
        }
        roles
    }
}

/// Columns that name a row to a person, best first; empty where none does.
pub(super) fn label_columns(table: &Table) -> Vec<String> {
    if !table.label_columns.is_empty() {
        return table.label_columns.clone();
    }
    let table_words: Vec<String> =
        words_of_identifier(&table.name).iter().map(|word| stem(word)).collect();
    let text = |column: &&Column| column.data_type == DataType::Text;
    let stems = |column: &Column| -> Vec<String> {
        words_of_identifier(&column.name).iter().map(|word| stem(word)).collect()
    };
    let find = |wanted: &dyn Fn(&[String]) -> bool| {
        table.columns.iter().filter(text).find(|column| wanted(&stems(column)))
    };
    let is = |words: &[String], name: &[&str]| {
        words.len() == name.len() && words.iter().zip(name).all(|(word, name)| *word == stem(name))
    };
    let own = |words: &[String], noun: &str| {
        words.last().is_some_and(|last| *last == stem(noun))
            && words[..words.len() - 1].iter().all(|word| table_words.contains(word))
    };
    if let Some(column) = find(&|words| own(words, "name")) {
        return vec![column.name.clone()];
    }
    for pair in [["first", "last"], ["given", "family"]] {
        let first = find(&|words| {
            is(words, &[pair[0], "name"]) || is(words, &[&format!("{}name", pair[0])])
        });
        let last = find(&|words| {
            is(words, &[pair[1], "name"]) || is(words, &[&format!("{}name", pair[1])])
        });
        if let (Some(first), Some(last)) = (first, last) {
            return vec![first.name.clone(), last.name.clone()];
        }
    }
    if let Some(column) = find(&|words| own(words, "title")) {
        return vec![column.name.clone()];
    }
    for noun in ["name", "title", "label", "caption", "number", "code"] {
        let ends = |words: &[String]| words.last().is_some_and(|last| *last == stem(noun));
        if let Some(column) = find(&ends) {
            return vec![column.name.clone()];
        }
    }
    table
        .columns
        .iter()
        .filter(text)
        .find(|column| own(&stems(column), "description"))
        .map(|column| vec![column.name.clone()])
        .unwrap_or_default()
}

/// Column that a time expression without a column means; none where several would do equally.
pub(super) fn date_column(table: &Table, roles: &[Vec<String>]) -> Option<String> {
    if let Some(column) = &table.date_column {
        return Some(column.clone());
    }
    let dates: Vec<usize> = (0..table.columns.len())
        .filter(|&index| table.columns[index].data_type.is_temporal())
        .collect();
    let of_role = |role: &str| -> Vec<usize> {
        dates
            .iter()
            .copied()
            .filter(|&index| roles.get(index).is_some_and(|roles| roles.iter().any(|r| r == role)))
            .collect()
    };
    let table_words: Vec<String> =
        words_of_identifier(&table.name).iter().map(|word| stem(word)).collect();
    let events = of_role("event_date");
    let own: Vec<usize> = events
        .iter()
        .copied()
        .filter(|&index| {
            let words = words_of_identifier(&table.columns[index].name);
            words.iter().any(|word| table_words.contains(&stem(word)))
        })
        .collect();
    let created = of_role("created_date");
    let pick = match (own.as_slice(), events.as_slice(), dates.as_slice(), created.as_slice()) {
        ([one], ..) | ([], [one], ..) | ([], [], [one], _) | ([], [], _, [one]) => Some(*one),
        _ => None,
    };
    pick.map(|index| table.columns[index].name.clone())
}

/// Columns whose sum says how much, surest first: amounts, totals before parts.
pub(super) fn measure_columns(table: &Table, roles: &[Vec<String>]) -> Vec<String> {
    if let Some(column) = &table.measure_column {
        return vec![column.clone()];
    }
    let with_role = |role: &str| -> Vec<String> {
        table
            .columns
            .iter()
            .zip(roles)
            .filter(|(_, roles)| roles.iter().any(|r| r == role))
            .map(|(column, _)| column.name.clone())
            .collect()
    };
    let amounts = with_role("amount");
    let totals: Vec<String> = amounts
        .iter()
        .filter(|name| words_of_identifier(name).iter().any(|word| word == "total"))
        .cloned()
        .collect();
    match (totals.is_empty(), amounts.is_empty()) {
        (false, _) => totals,
        (true, false) => amounts,
        (true, true) => with_role("quantity"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_data_file_is_read_whole() {
        assert!(RoleRules::built_in().roles.len() > 20);
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
        assert_eq!(label_columns(&people), ["FirstName", "LastName"]);
    }

    #[test]
    fn a_table_with_several_event_dates_has_no_date_of_its_own() {
        let rules = RoleRules::built_in();
        let trips = table("trips", &[("departure", DataType::Date), ("arrival", DataType::Date)]);
        let roles: Vec<_> = trips.columns.iter().map(|column| rules.roles_of(column)).collect();
        assert_eq!(date_column(&trips, &roles), None);
        let orders =
            table("orders", &[("order_date", DataType::Date), ("shipped_date", DataType::Date)]);
        let roles: Vec<_> = orders.columns.iter().map(|column| rules.roles_of(column)).collect();
        assert_eq!(date_column(&orders, &roles).as_deref(), Some("order_date"));
    }
}
