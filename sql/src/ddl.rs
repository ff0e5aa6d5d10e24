//! Definitions of tables: `CREATE TABLE`, `CREATE VIEW`, `ALTER TABLE … ADD` and `COMMENT ON`, as plain data.
//!
//! ```
//! use wherefore_sql::{Dialect, ddl};
//!
//! let text = "CREATE TABLE orders (id bigint PRIMARY KEY, user_id bigint REFERENCES users (id));";
//! let found = ddl::read(text, Dialect::Postgres).unwrap();
//! assert_eq!(found.tables[0].primary_key, ["id"]);
//! assert_eq!(found.references[0].to_table, "users");
//! ```

use sqlparser::ast::{
    self, AlterTableOperation, ColumnDef, ColumnOption, CommentObject, CreateTable, Ident,
    ObjectName, Statement, TableConstraint,
};
use sqlparser::dialect::{self, GenericDialect, PostgreSqlDialect, SQLiteDialect};
use sqlparser::parser::Parser;

use crate::tree::SqlSpan;
use crate::{Code, Diagnostic, Dialect};

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
}

/// Tables, keys and comments that a text of statements defines; other statements are skipped.
///
/// # Errors
/// The first syntax error, if the text parses neither in the dialect nor in the parser's generic one.
pub fn read(text: &str, dialect: Dialect) -> Result<Definitions, Diagnostic> {
    let own: &dyn dialect::Dialect = match dialect {
        Dialect::Postgres => &PostgreSqlDialect {},
        Dialect::Sqlite => &SQLiteDialect {},
    };
    let statements = Parser::parse_sql(own, text)
        .or_else(|error| Parser::parse_sql(&GenericDialect {}, text).map_err(|_| error))
        .map_err(|error| Diagnostic::new(Code::Syntax, error.to_string(), SqlSpan::default()))?;
    let mut reader = DefinitionReader { dialect, found: Definitions::default() };
    for statement in statements {
        reader.statement(statement);
    }
    Ok(reader.found)
}

/// Collects definitions, one statement at a time.
struct DefinitionReader {
    dialect: Dialect,
    found: Definitions,
}

impl DefinitionReader {
    fn statement(&mut self, statement: Statement) {
        match statement {
            Statement::CreateTable(create) => self.create_table(create),
            Statement::CreateView(view) => self.create_view(&view),
            Statement::AlterTable(alter) => {
                let key = self.key(&alter.name);
                for operation in alter.operations {
                    if let AlterTableOperation::AddConstraint { constraint, .. } = operation {
                        self.constraint(&key, &constraint);
                    }
                }
            }
            Statement::Comment { object_type, object_name, comment, .. } => {
                self.comment(object_type, &object_name, comment.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn create_view(&mut self, view: &ast::CreateView) {
        let (schema, name) = self.name(&view.name);
        let columns: Vec<_> = view
            .columns
            .iter()
            .map(|column| ColumnDefinition {
                name: self.fold(&column.name),
                nullable: true,
                ..ColumnDefinition::default()
            })
            .collect();
        if !columns.is_empty() {
            let view =
                TableDefinition { schema, name, is_view: true, columns, ..Default::default() };
            self.found.tables.push(view);
        }
    }

    fn create_table(&mut self, create: CreateTable) {
        let (schema, name) = self.name(&create.name);
        let mut table = TableDefinition { schema, name, ..TableDefinition::default() };
        for definition in &create.columns {
            let column = self.column(definition, &mut table.primary_key);
            table.columns.push(column);
        }
        let key = table.key();
        self.found.tables.push(table);
        for definition in &create.columns {
            for option in &definition.options {
                if let ColumnOption::ForeignKey(reference) = &option.option {
                    let reference = Reference {
                        from_table: key.clone(),
                        from_columns: vec![self.fold(&definition.name)],
                        to_table: self.key(&reference.foreign_table),
                        to_columns: self.idents(&reference.referred_columns),
                    };
                    self.found.references.push(reference);
                }
            }
        }
        for constraint in &create.constraints {
            self.constraint(&key, constraint);
        }
    }

    fn column(&self, definition: &ColumnDef, primary_key: &mut Vec<String>) -> ColumnDefinition {
        let mut column = ColumnDefinition {
            name: self.fold(&definition.name),
            declared_type: definition.data_type.to_string(),
            nullable: true,
            ..ColumnDefinition::default()
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
                ColumnOption::Comment(comment) => column.comment.clone_from(comment),
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
                let reference = Reference {
                    from_table: key.to_owned(),
                    from_columns: self.idents(&foreign.columns),
                    to_table: self.key(&foreign.foreign_table),
                    to_columns: self.idents(&foreign.referred_columns),
                };
                self.found.references.push(reference);
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

    fn comment(&mut self, kind: CommentObject, name: &ObjectName, comment: String) {
        let parts: Vec<Ident> = name.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
        match kind {
            CommentObject::Table | CommentObject::View => {
                let key = self.key(name);
                if let Some(table) = self.table(&key) {
                    table.comment = comment;
                }
            }
            CommentObject::Column => {
                let Some((column, table)) = parts.split_last() else { return };
                let column = self.fold(column);
                let key = self.key(&ObjectName::from(table.to_vec()));
                if let Some(table) = self.table(&key)
                    && let Some(found) = table.columns.iter_mut().find(|found| found.name == column)
                {
                    found.comment = comment;
                }
            }
            _ => {}
        }
    }

    fn table(&mut self, key: &str) -> Option<&mut TableDefinition> {
        self.found.tables.iter_mut().find(|table| table.has_key(key))
    }

    /// Name as the server stores it: PostgreSQL folds unquoted names to lower case.
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

    fn index_columns(&self, columns: &[ast::IndexColumn]) -> Vec<String> {
        columns
            .iter()
            .filter_map(|column| match &column.column.expr {
                ast::Expr::Identifier(ident) => Some(self.fold(ident)),
                _ => None,
            })
            .collect()
    }

    /// Name, with its schema unless that is the default one.
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
        let (schema, name) = self.name(name);
        key(schema.as_deref(), &name)
    }
}

impl TableDefinition {
    /// `schema.name`, or `name` in the default schema.
    pub fn key(&self) -> String {
        key(self.schema.as_deref(), &self.name)
    }

    fn has_key(&self, key: &str) -> bool {
        let name = match &self.schema {
            Some(schema) => key.strip_prefix(schema.as_str()).and_then(|it| it.strip_prefix('.')),
            None => Some(key),
        };
        name == Some(&self.name)
    }
}

fn key(schema: Option<&str>, name: &str) -> String {
    match schema {
        Some(schema) => format!("{schema}.{name}"),
        None => name.to_owned(),
    }
}
