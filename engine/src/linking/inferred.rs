//! Infers undeclared foreign keys: a column named like the key of a table that is not connected otherwise.

use std::collections::BTreeMap;

use super::names::TableNames;
use crate::catalog::{Catalog, Column, ForeignKey, Table, TableKind};

/// Last words of the name of a key column.
const KEYS: [&str; 5] = ["id", "code", "key", "no", "number"];

/// Foreign keys inferred from names, between tables that declared keys do not connect.
pub(super) fn inferred_keys(catalog: &Catalog, names: &[TableNames]) -> Vec<ForeignKey> {
    let part = parts(catalog);
    let mut by_name: BTreeMap<String, Vec<(usize, &Column)>> = BTreeMap::new();
    for (position, table) in catalog.tables.iter().enumerate() {
        if let Some(key) = own_key(table) {
            for name in names_of_key(table, key, &names[position]) {
                by_name.entry(name).or_default().push((position, key));
            }
        }
    }
    let mut found = Vec::new();
    for (position, table) in catalog.tables.iter().enumerate() {
        if table.kind == TableKind::View {
            continue;
        }
        for (column, name) in table.columns.iter().zip(&names[position].columns) {
            let words = &name.stems;
            let fitting = (0..words.len())
                .find_map(|start| by_name.get(&words[start..].join(" ")))
                .into_iter()
                .flatten();
            let mut targets = fitting.filter(|(other, key)| {
                *other != position
                    && part[*other] != part[position]
                    && key.data_type == column.data_type
                    && (!table.primary_key.contains(&column.name)
                        || table.primary_key.len() > 1
                        || words.starts_with(&names[*other].own.stems))
            });
            if let (Some((other, key)), None) = (targets.next(), targets.next()) {
                found.push(ForeignKey {
                    from_table: table.key(),
                    from_columns: vec![column.name.clone()],
                    to_table: catalog.tables[*other].key(),
                    to_columns: vec![key.name.clone()],
                });
            }
        }
    }
    found
}

/// The primary key of a table, if it is a single column.
fn own_key(table: &Table) -> Option<&Column> {
    match table.primary_key.as_slice() {
        [name] => table.column(name),
        _ => None,
    }
}

/// Names (stems joined by spaces) that a column referencing this key would have.
fn names_of_key(table: &Table, key: &Column, names: &TableNames) -> Vec<String> {
    let at = table.columns.iter().position(|column| column.name == key.name);
    let Some(words) = at.map(|at| &names.columns[at].stems) else { return Vec::new() };
    let last = words.last().map(String::as_str).unwrap_or_default();
    let mut found = Vec::new();
    let whole = words.len() == 1 && last.len() > 3 && last.ends_with("id");
    if words.len() > 1 && KEYS.contains(&last) || whole {
        found.push(words.join(" "));
    }
    if words.len() == 1 && KEYS.contains(&last) {
        let long: Vec<&str> = names.own.stems.iter().chain(words).map(String::as_str).collect();
        found.push(long.join(" "));
    }
    found
}

/// Connected component of each table in the graph of declared keys, represented by its lowest index.
fn parts(catalog: &Catalog) -> Vec<usize> {
    let positions: BTreeMap<String, usize> =
        catalog.tables.iter().enumerate().map(|(at, table)| (table.key(), at)).collect();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); catalog.tables.len()];
    for key in &catalog.foreign_keys {
        if let (Some(one), Some(other)) =
            (positions.get(&key.from_table), positions.get(&key.to_table))
        {
            neighbours[*one].push(*other);
            neighbours[*other].push(*one);
        }
    }
    let mut part = vec![usize::MAX; catalog.tables.len()];
    for start in 0..part.len() {
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if part[at] == usize::MAX {
                part[at] = start;
                open.extend(&neighbours[at]);
            }
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::DataType;
    use crate::text::Stems;

    fn table(name: &str, key: &str, columns: &[&str]) -> Table {
        let column = |name: &&str| Column {
            name: (*name).to_owned(),
            data_type: DataType::Integer,
            ..Column::default()
        };
        Table {
            name: name.to_owned(),
            primary_key: vec![key.to_owned()],
            columns: std::iter::once(&key).chain(columns).map(column).collect(),
            ..Table::default()
        }
    }

    fn inferred(tables: Vec<Table>, keys: Vec<ForeignKey>) -> Vec<String> {
        let catalog = Catalog { tables, foreign_keys: keys, ..Catalog::default() };
        inferred_keys(&catalog, &TableNames::all(&catalog, &mut Stems::default()))
            .iter()
            .map(|key| format!("{}.{}", key.from_table, key.from_columns.join(",")))
            .collect()
    }

    #[test]
    fn a_column_named_like_a_key_refers_to_it() {
        let tables = vec![
            table("station", "id", &["docks"]),
            table("trips", "id", &["start_station_id", "duration"]),
            table("customers", "customer_id", &["age"]),
            table("accounts", "account_id", &["customer_id"]),
        ];
        assert_eq!(
            inferred(tables, Vec::new()),
            ["trips.start_station_id", "accounts.customer_id"]
        );
    }

    #[test]
    fn declared_keys_are_enough() {
        let tables = vec![
            table("customers", "customer_id", &[]),
            table("accounts", "account_id", &["customer_id", "payer_customer_id"]),
        ];
        let key = ForeignKey {
            from_table: "accounts".to_owned(),
            from_columns: vec!["customer_id".to_owned()],
            to_table: "customers".to_owned(),
            to_columns: vec!["customer_id".to_owned()],
        };
        assert_eq!(inferred(tables, vec![key]), Vec::<String>::new());
    }

    #[test]
    fn common_names_are_no_keys() {
        let tables =
            vec![table("a", "id", &["year"]), table("b", "id", &["year"]), table("c", "year", &[])];
        assert_eq!(inferred(tables, Vec::new()), Vec::<String>::new());
    }

    #[test]
    fn two_tables_with_the_same_key_are_not_guessed_between() {
        let tables = vec![
            table("people", "person_id", &[]),
            table("staff", "person_id", &[]),
            table("visits", "visit_id", &["person_id"]),
        ];
        assert_eq!(inferred(tables, Vec::new()), ["staff.person_id"]);
    }
}
