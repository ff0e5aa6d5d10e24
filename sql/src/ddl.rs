//! Definitions of tables: `CREATE TABLE`, `CREATE VIEW`, `ALTER TABLE … ADD` and `COMMENT ON`, as plain data or as a
//! catalog.
//!
//! ```
//! use wherefore_sql::{Dialect, ddl};
//!
//! let text = "CREATE TABLE users (id bigint PRIMARY KEY);
//!     CREATE TABLE orders (id bigint PRIMARY KEY, user_id bigint REFERENCES users);";
//! let found = ddl::read(text, Dialect::Postgres).unwrap();
//! assert_eq!(found.tables[1].primary_key, ["id"]);
//! assert_eq!(found.references[0].to_table, "users");
//! let catalog = ddl::catalog(text, Dialect::Postgres).unwrap();
//! assert_eq!(catalog.foreign_keys[0].to_columns, ["id"]);
//! ```

mod catalog;
mod definition;
mod definitions;
mod statements;

pub use catalog::{MAX_BYTES, catalog};
pub use definitions::read;

use crate::tree::SqlSpan;

/// Tables and foreign keys of a text, in order of definition.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Definitions {
    /// Tables, and views that name their columns.
    pub tables: Vec<TableDefinition>,
    /// Foreign keys; the tables that they reference may be undefined.
    pub references: Vec<Reference>,
}

/// Definition of a table or view.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TableDefinition {
    /// Schema, unless it is the dialect's default (`public`, `main`).
    pub schema: Option<String>,
    /// Name as the server stores it.
    pub name: String,
    /// Whether this is a view, whose columns have only names.
    pub is_view: bool,
    /// Columns, in order.
    pub columns: Vec<ColumnDefinition>,
    /// Columns of the primary key, in order; empty if there is none.
    pub primary_key: Vec<String>,
    /// Comment on the table; empty if there is none.
    pub comment: String,
}

/// Definition of a column.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ColumnDefinition {
    /// Name as the server stores it.
    pub name: String,
    /// Type as written; empty for a column of a view.
    pub declared_type: String,
    /// Whether NULL is allowed.
    pub nullable: bool,
    /// Whether the column alone is the primary key or has a unique constraint.
    pub unique: bool,
    /// Comment on the column; empty if there is none.
    pub comment: String,
}

/// Definition of a foreign key; tables are named `schema.name`, or `name` in the default schema.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Reference {
    /// Referencing table.
    pub from_table: String,
    /// Referencing columns, in order.
    pub from_columns: Vec<String>,
    /// Referenced table.
    pub to_table: String,
    /// Referenced columns, in order; empty if they are omitted, which means the primary key.
    pub to_columns: Vec<String>,
    /// Position of the name of the referenced table in the text.
    pub span: SqlSpan,
}

impl TableDefinition {
    /// `schema.name`, or `name` in the default schema.
    pub fn key(&self) -> String {
        key(self.schema.as_deref(), &self.name)
    }
}

fn key(schema: Option<&str>, name: &str) -> String {
    match schema {
        Some(schema) => format!("{schema}.{name}"),
        None => name.to_owned(),
    }
}
