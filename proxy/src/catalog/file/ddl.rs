//! Catalogs written as SQL: `CREATE TABLE`, `CREATE VIEW`, `ALTER TABLE … ADD`, `COMMENT ON`.

use sqlparser::ast::{
    AlterTableOperation, ColumnDef, ColumnOption, CommentObject, CreateTable, Ident, ObjectName,
    Statement, TableConstraint,
};
use sqlparser::dialect::{Dialect as SqlDialect, GenericDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;
use wherefore_engine::catalog::{Catalog, Column, DataType, ForeignKey, Table, TableKind};
use wherefore_engine::sql::Dialect;

/// Largest file, in bytes.
const LIMIT: usize = 10_000_000;

/// Tables, keys and comments of the statements; statements about anything else are passed over.
pub(super) fn read(text: &str, dialect: Dialect) -> Result<Catalog, String> {
    if text.len() > LIMIT {
        return Err(format!("file is larger than {LIMIT} bytes"));
    }
    let own: &dyn SqlDialect = match dialect {
        Dialect::Postgres => &PostgreSqlDialect {},
        Dialect::Sqlite => &SQLiteDialect {},
    };
    let statements = Parser::parse_sql(own, text)
        .or_else(|error| Parser::parse_sql(&GenericDialect {}, text).map_err(|_| error))
        .map_err(|error| format!("SQL cannot be read: {error}"))?;
    let mut reader =
        Reader { dialect, catalog: Catalog { dialect, ..Catalog::default() }, keys: Vec::new() };
    for statement in statements {
        reader.statement(statement);
    }
    reader.finish()
}

/// A foreign key as written: target columns may be left out.
struct WrittenKey {
    from: String,
    from_columns: Vec<String>,
    to: String,
    to_columns: Vec<String>,
}

struct Reader {
    dialect: Dialect,
    catalog: Catalog,
    keys: Vec<WrittenKey>,
}

impl Reader {
    fn statement(&mut self, statement: Statement) {
        match statement {
            Statement::CreateTable(create) => self.create_table(create),
            Statement::CreateView(view) => {
                let (schema, name) = self.name(&view.name);
                let columns = view
                    .columns
                    .iter()
                    .map(|column| Column {
                        name: self.fold(&column.name),
                        data_type: DataType::Other,
                        nullable: true,
                        ..Column::default()
                    })
                    .collect::<Vec<_>>();
                if !columns.is_empty() {
                    let kind = TableKind::View;
                    self.catalog.tables.push(Table {
                        schema,
                        name,
                        kind,
                        columns,
                        ..Table::default()
                    });
                }
            }
            Statement::AlterTable(alter) => {
                let key = self.key(&alter.name);
                for operation in alter.operations {
                    if let AlterTableOperation::AddConstraint { constraint, .. } = operation {
                        self.constraint(&key, &constraint);
                    }
                }
            }
            Statement::Comment { object_type, object_name, comment, .. } => {
                self.comment(&object_type, &object_name, comment.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn create_table(&mut self, create: CreateTable) {
        let (schema, name) = self.name(&create.name);
        let mut table = Table { schema, name, ..Table::default() };
        for definition in &create.columns {
            let column = self.column(definition, &mut table.primary_key);
            table.columns.push(column);
        }
        let key = table.key();
        self.catalog.tables.push(table);
        for definition in &create.columns {
            for option in &definition.options {
                if let ColumnOption::ForeignKey(reference) = &option.option {
                    let written = WrittenKey {
                        from: key.clone(),
                        from_columns: vec![self.fold(&definition.name)],
                        to: self.key(&reference.foreign_table),
                        to_columns: self.idents(&reference.referred_columns),
                    };
                    self.keys.push(written);
                }
            }
        }
        for constraint in &create.constraints {
            self.constraint(&key, constraint);
        }
    }

    fn column(&self, definition: &ColumnDef, primary_key: &mut Vec<String>) -> Column {
        let declared = definition.data_type.to_string();
        let name = self.fold(&definition.name);
        let data_type = DataType::from_declaration(&declared);
        let mut column = Column {
            sensitive: crate::catalog::is_sensitive(&name, data_type),
            data_type,
            declared_type: declared,
            nullable: true,
            name,
            ..Column::default()
        };
        for option in &definition.options {
            match &option.option {
                ColumnOption::NotNull => column.nullable = false,
                ColumnOption::PrimaryKey(_) => {
                    column.nullable = false;
                    column.unique = true;
                    primary_key.push(column.name.clone());
                }
                ColumnOption::Unique(_) => column.unique = true,
                ColumnOption::Comment(comment) => column.description.clone_from(comment),
                _ => {}
            }
        }
        column
    }

    fn constraint(&mut self, key: &str, constraint: &TableConstraint) {
        match constraint {
            TableConstraint::PrimaryKey(primary) => {
                let columns = self.index_columns(&primary.columns);
                self.unique(key, &columns);
                if let Some(table) = self.table(key) {
                    for column in &mut table.columns {
                        column.nullable &= !columns.contains(&column.name);
                    }
                    table.primary_key = columns;
                }
            }
            TableConstraint::Unique(unique) => {
                let columns = self.index_columns(&unique.columns);
                self.unique(key, &columns);
            }
            TableConstraint::ForeignKey(foreign) => {
                let written = WrittenKey {
                    from: key.to_owned(),
                    from_columns: self.idents(&foreign.columns),
                    to: self.key(&foreign.foreign_table),
                    to_columns: self.idents(&foreign.referred_columns),
                };
                self.keys.push(written);
            }
            _ => {}
        }
    }

    fn unique(&mut self, key: &str, columns: &[String]) {
        if let ([only], Some(table)) = (columns, self.table(key))
            && let Some(column) = table.columns.iter_mut().find(|column| column.name == *only)
        {
            column.unique = true;
        }
    }

    fn comment(&mut self, kind: &CommentObject, name: &ObjectName, comment: String) {
        let parts: Vec<Ident> = name.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
        match kind {
            CommentObject::Table | CommentObject::View => {
                let key = self.key(name);
                if let Some(table) = self.table(&key) {
                    table.description = comment;
                }
            }
            CommentObject::Column => {
                let Some((column, table)) = parts.split_last() else { return };
                let column = self.fold(column);
                let key = self.key(&ObjectName::from(table.to_vec()));
                if let Some(table) = self.table(&key)
                    && let Some(found) = table.columns.iter_mut().find(|found| found.name == column)
                {
                    found.description = comment;
                }
            }
            _ => {}
        }
    }

    fn finish(mut self) -> Result<Catalog, String> {
        for written in std::mem::take(&mut self.keys) {
            let target = self.catalog.table(&written.to).ok_or_else(|| {
                format!("foreign key of {} names an unknown table: {}", written.from, written.to)
            })?;
            // Without target columns the primary key is meant.
            let to_columns = if written.to_columns.is_empty() {
                target.primary_key.clone()
            } else {
                written.to_columns
            };
            self.catalog.foreign_keys.push(ForeignKey {
                from_table: written.from,
                from_columns: written.from_columns,
                to_table: written.to,
                to_columns,
            });
        }
        self.catalog.tables.sort_by_key(Table::key);
        self.catalog.foreign_keys.sort_by(|left, right| {
            (&left.from_table, &left.from_columns, &left.to_table).cmp(&(
                &right.from_table,
                &right.from_columns,
                &right.to_table,
            ))
        });
        Ok(self.catalog)
    }

    fn table(&mut self, key: &str) -> Option<&mut Table> {
        self.catalog.tables.iter_mut().find(|table| table.has_key(key))
    }

    /// Name as the database stores it: PostgreSQL folds what is not quoted to lower case.
    fn fold(&self, ident: &Ident) -> String {
        if self.dialect == Dialect::Postgres && ident.quote_style.is_none() {
            ident.value.to_lowercase()
        } else {
            ident.value.clone()
        }
    }

    fn idents(&self, idents: &[Ident]) -> Vec<String> {
        idents.iter().map(|ident| self.fold(ident)).collect()
    }

    fn index_columns(&self, columns: &[sqlparser::ast::IndexColumn]) -> Vec<String> {
        columns
            .iter()
            .filter_map(|column| match &column.column.expr {
                sqlparser::ast::Expr::Identifier(ident) => Some(self.fold(ident)),
                _ => None,
            })
            .collect()
    }

    /// Schema, where it is not the default one, and name.
    fn name(&self, name: &ObjectName) -> (Option<String>, String) {
        let mut parts: Vec<String> = name
            .0
            .iter()
            .filter_map(|part| part.as_ident())
            .map(|ident| self.fold(ident))
            .collect();
        let table = parts.pop().unwrap_or_default();
        let schema = parts.pop().filter(|schema| schema != "public" && schema != "main");
        (schema, table)
    }

    fn key(&self, name: &ObjectName) -> String {
        match self.name(name) {
            (Some(schema), name) => format!("{schema}.{name}"),
            (None, name) => name,
        }
    }
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
