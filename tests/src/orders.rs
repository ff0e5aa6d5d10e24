//! The catalog of the table `orders` on which statements are run.

use wherefore_engine::catalog::{Catalog, Column, DataType, Dialect, Table};

/// A catalog with one table of these columns, of which `id` is the primary key and never NULL.
pub fn catalog(dialect: Dialect, columns: &[(&str, DataType)]) -> Catalog {
    let column = |(name, data_type): &(&str, DataType)| Column {
        name: (*name).to_owned(),
        data_type: *data_type,
        nullable: *name != "id",
        ..Column::default()
    };
    let orders = Table {
        name: "orders".to_owned(),
        schema: (dialect == Dialect::Postgres).then(|| "public".to_owned()),
        columns: columns.iter().map(column).collect(),
        primary_key: vec!["id".to_owned()],
        ..Table::default()
    };
    Catalog { dialect, tables: vec![orders], ..Catalog::default() }
}
