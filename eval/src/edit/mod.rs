//! Schema edits that make a clear question ambiguous, applied to the catalog and to the stored rows.

mod stored;

use wherefore_engine::catalog::{Catalog, Column, DataType, ForeignKey, Table};

/// An edit of a schema.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Edit {
    /// Replaces a column with two columns with other names.
    Column {
        /// Table of the column.
        table: String,
        /// Name of the column.
        column: String,
        /// Names of the two new columns.
        names: [String; 2],
    },
    /// Adds a table with precomputed aggregates of a column.
    Precomputed {
        /// Table that is aggregated.
        table: String,
        /// The column that is aggregated.
        column: String,
        /// Names of the columns that hold the aggregates.
        aggregates: Vec<String>,
    },
    /// Replaces a table with two tables with other names.
    Table {
        /// Name of the table.
        table: String,
        /// The new names.
        names: [String; 2],
    },
}

impl Edit {
    /// Applies the edit to a catalog and returns false when the catalog lacks the table or column.
    pub(crate) fn apply(&self, catalog: &mut Catalog) -> bool {
        match self {
            Self::Column { table, column, names } => edit_column(catalog, table, column, names),
            Self::Precomputed { table, column, aggregates } => {
                add_precomputed(catalog, table, column, aggregates)
            }
            Self::Table { table, names } => edit_table(catalog, table, names),
        }
    }
}

fn find<'a>(catalog: &'a Catalog, name: &str) -> Option<&'a Table> {
    catalog.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))
}

fn precomputed_name(table: &Table, column: &str) -> String {
    format!("{}_{column}", table.name.to_lowercase())
}

fn edit_column(catalog: &mut Catalog, table: &str, column: &str, names: &[String; 2]) -> bool {
    let Some(table) =
        catalog.tables.iter_mut().find(|other| other.name.eq_ignore_ascii_case(table))
    else {
        return false;
    };
    let Some(at) = table.columns.iter().position(|other| other.name.eq_ignore_ascii_case(column))
    else {
        return false;
    };
    let stored = table.columns.remove(at);
    for name in names.iter().rev() {
        table.columns.insert(at, Column { name: name.clone(), ..stored.clone() });
    }
    let key = table.name.clone();
    // Two columns in the primary key would change its meaning: only the first new column stays in it.
    for name in &mut table.primary_key {
        if *name == stored.name {
            name.clone_from(&names[0]);
        }
    }
    if table.primary_key.len() == 1 {
        table.columns[at + 1].unique = table.columns[at].unique;
    }
    let renamed = |columns: &[String], name: &String| -> Vec<String> {
        columns
            .iter()
            .map(|column| if *column == stored.name { name.clone() } else { column.clone() })
            .collect()
    };
    let keys = std::mem::take(&mut catalog.foreign_keys);
    for foreign in keys {
        let from = foreign.from_table == key && foreign.from_columns.contains(&stored.name);
        let to = foreign.to_table == key && foreign.to_columns.contains(&stored.name);
        if !(from || to) {
            catalog.foreign_keys.push(foreign);
            continue;
        }
        for name in names {
            catalog.foreign_keys.push(ForeignKey {
                from_columns: if from {
                    renamed(&foreign.from_columns, name)
                } else {
                    foreign.from_columns.clone()
                },
                to_columns: if to {
                    renamed(&foreign.to_columns, name)
                } else {
                    foreign.to_columns.clone()
                },
                ..foreign.clone()
            });
        }
    }
    sort(catalog);
    true
}

fn edit_table(catalog: &mut Catalog, table: &str, names: &[String; 2]) -> bool {
    let Some(at) = catalog.tables.iter().position(|other| other.name.eq_ignore_ascii_case(table))
    else {
        return false;
    };
    let stored = catalog.tables.remove(at);
    for name in names {
        catalog.tables.push(Table { name: name.clone(), ..stored.clone() });
    }
    let keys = std::mem::take(&mut catalog.foreign_keys);
    for foreign in keys {
        let (from, to) = (foreign.from_table == stored.name, foreign.to_table == stored.name);
        if !(from || to) {
            catalog.foreign_keys.push(foreign);
            continue;
        }
        for name in names {
            let table = |edited: bool, kept: &String| {
                if edited { name.clone() } else { kept.clone() }
            };
            catalog.foreign_keys.push(ForeignKey {
                from_table: table(from, &foreign.from_table),
                to_table: table(to, &foreign.to_table),
                ..foreign.clone()
            });
        }
    }
    sort(catalog);
    true
}

fn add_precomputed(
    catalog: &mut Catalog,
    table: &str,
    column: &str,
    aggregates: &[String],
) -> bool {
    let Some(stored) = find(catalog, table) else { return false };
    let Some(measured) =
        stored.columns.iter().find(|other| other.name.eq_ignore_ascii_case(column))
    else {
        return false;
    };
    let mut added = Table { name: precomputed_name(stored, column), ..stored.clone() };
    added.columns.retain(|other| other.name != measured.name);
    added.columns.extend(aggregates.iter().map(|name| Column {
        name: name.clone(),
        data_type: if name.starts_with("avg_") { DataType::Number } else { measured.data_type },
        unique: false,
        ..measured.clone()
    }));
    catalog.tables.push(added);
    sort(catalog);
    true
}

fn sort(catalog: &mut Catalog) {
    catalog.tables.sort_by(|one, other| one.name.cmp(&other.name));
    catalog.foreign_keys.sort_by(|one, other| {
        (&one.from_table, &one.from_columns, &one.to_table).cmp(&(
            &other.from_table,
            &other.from_columns,
            &other.to_table,
        ))
    });
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn catalog() -> Catalog {
        let column = |name: &str| Column { name: name.into(), ..Column::default() };
        let table = |name: &str, columns: &[&str]| Table {
            name: name.into(),
            columns: columns.iter().map(|name| column(name)).collect(),
            primary_key: vec!["id".into()],
            ..Table::default()
        };
        Catalog {
            tables: vec![
                table("orders", &["id", "shop_id", "total"]),
                table("shop", &["id", "name"]),
            ],
            foreign_keys: vec![ForeignKey {
                from_table: "orders".into(),
                from_columns: vec!["shop_id".into()],
                to_table: "shop".into(),
                to_columns: vec!["id".into()],
                inferred: false,
            }],
            ..Catalog::default()
        }
    }

    pub(crate) fn pair(one: &str, other: &str) -> [String; 2] {
        [one.into(), other.into()]
    }

    #[test]
    fn a_column_becomes_two_and_keeps_its_place() {
        let mut catalog = catalog();
        let edit = Edit::Column {
            table: "Orders".into(),
            column: "Total".into(),
            names: pair("sum", "amount"),
        };
        assert!(edit.apply(&mut catalog));
        let names: Vec<&str> =
            catalog.tables[0].columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["id", "shop_id", "sum", "amount"]);
    }

    #[test]
    fn a_table_becomes_two_with_its_keys() {
        let mut catalog = catalog();
        let edit = Edit::Table { table: "shop".into(), names: pair("store", "outlet") };
        assert!(edit.apply(&mut catalog));
        let to: Vec<&str> = catalog.foreign_keys.iter().map(|key| key.to_table.as_str()).collect();
        assert_eq!(to, ["outlet", "store"]);
        assert!(!edit.apply(&mut catalog));
    }

    #[test]
    fn a_precomputed_table_stands_beside_the_plain_one() {
        let mut catalog = catalog();
        let edit = Edit::Precomputed {
            table: "orders".into(),
            column: "total".into(),
            aggregates: vec!["max_total".into(), "avg_total".into()],
        };
        assert!(edit.apply(&mut catalog));
        let names: Vec<String> = catalog.tables.iter().map(Table::key).collect();
        assert_eq!(names, ["orders", "orders_total", "shop"]);
        assert!(catalog.tables[1].column("total").is_none());
        assert!(catalog.tables[1].column("avg_total").is_some());
    }
}
