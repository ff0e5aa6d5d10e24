//! Catalogs written as SQL: `CREATE TABLE`, `CREATE VIEW`, `ALTER TABLE … ADD`, `COMMENT ON`.

use wherefore_engine::catalog::{Catalog, Column, DataType, ForeignKey, Table, TableKind};
use wherefore_sql::Dialect;
use wherefore_sql::ddl::{self, ColumnDefinition, Definitions, Reference, TableDefinition};

/// Maximum size of a file, in bytes.
const LIMIT: usize = 10_000_000;

/// Tables, keys and comments that the statements define; other statements are skipped.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Catalog, String> {
    if text.len() > LIMIT {
        return Err(format!("the file is larger than {LIMIT} bytes"));
    }
    let Definitions { tables, references } = ddl::read(text, dialect)
        .map_err(|fault| format!("cannot parse the SQL: {}", fault.message))?;
    let mut catalog =
        Catalog { dialect, tables: tables.into_iter().map(table).collect(), ..Catalog::default() };
    for reference in references {
        let key = foreign_key(reference, &catalog)?;
        catalog.foreign_keys.push(key);
    }
    catalog.tables.sort_by_key(Table::key);
    catalog.foreign_keys.sort_by(|left, right| {
        (&left.from_table, &left.from_columns, &left.to_table).cmp(&(
            &right.from_table,
            &right.from_columns,
            &right.to_table,
        ))
    });
    Ok(catalog)
}

fn table(definition: TableDefinition) -> Table {
    let kind = if definition.is_view { TableKind::View } else { TableKind::Table };
    Table {
        schema: definition.schema,
        name: definition.name,
        kind,
        description: definition.comment,
        columns: definition.columns.into_iter().map(|it| column(it, kind)).collect(),
        primary_key: definition.primary_key,
        ..Table::default()
    }
}

fn column(definition: ColumnDefinition, kind: TableKind) -> Column {
    let data_type = DataType::from_declaration(&definition.declared_type);
    Column {
        sensitive: kind == TableKind::Table
            && crate::catalog::is_sensitive(&definition.name, data_type),
        data_type,
        name: definition.name,
        declared_type: definition.declared_type,
        nullable: definition.nullable,
        unique: definition.unique,
        description: definition.comment,
        ..Column::default()
    }
}

fn foreign_key(reference: Reference, catalog: &Catalog) -> Result<ForeignKey, String> {
    let Reference { from_table, from_columns, to_table, to_columns } = reference;
    let target = catalog
        .table(&to_table)
        .ok_or_else(|| format!("foreign key of table {from_table}: unknown table {to_table}"))?;
    // Without target columns, the foreign key refers to the primary key.
    let to_columns = if to_columns.is_empty() { target.primary_key.clone() } else { to_columns };
    Ok(ForeignKey { from_table, from_columns, to_table, to_columns })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQL: &str = r#"
        SET statement_timeout = 0;
        CREATE TABLE public.Customers (
            id integer PRIMARY KEY,
            email text UNIQUE,
            "Full Name" varchar(80) NOT NULL
        );
        CREATE TABLE orders (
            id bigint NOT NULL,
            customer_id integer REFERENCES customers,
            ordered_on date,
            PRIMARY KEY (id)
        );
        CREATE TABLE stock.levels (order_id bigint);
        ALTER TABLE ONLY stock.levels ADD CONSTRAINT levels_order FOREIGN KEY (order_id) REFERENCES orders(id);
        COMMENT ON TABLE orders IS 'One order';
        COMMENT ON COLUMN orders.ordered_on IS 'Day of the order';
    "#;

    #[test]
    fn tables_keys_and_comments_are_read() {
        let catalog = read(SQL, Dialect::Postgres).unwrap();
        let keys: Vec<_> = catalog.tables.iter().map(Table::key).collect();
        assert_eq!(keys, ["customers", "orders", "stock.levels"]);
        let customers = &catalog.tables[0];
        assert!(customers.columns[0].unique);
        assert!(customers.columns[1].sensitive);
        assert_eq!(customers.columns[2].name, "Full Name");
        assert!(!customers.columns[2].nullable);
        let orders = &catalog.tables[1];
        assert_eq!(orders.description, "One order");
        assert_eq!(orders.primary_key, ["id"]);
        assert_eq!(orders.columns[2].data_type, DataType::Date);
        assert_eq!(orders.columns[2].description, "Day of the order");
        assert_eq!(catalog.foreign_keys[0].to_columns, ["id"]);
        assert_eq!(catalog.foreign_keys[1].from_table, "stock.levels");
    }

    #[test]
    fn a_key_to_nowhere_is_refused_by_name() {
        let error = read("CREATE TABLE a (b integer REFERENCES missing (id))", Dialect::Sqlite)
            .unwrap_err();
        assert!(error.contains("missing"), "{error}");
    }
}
