//! Collects the definitions of a text.

use std::collections::BTreeMap;

use sqlparser::ast::{
    self, ColumnDef, ColumnOption, ForeignKeyConstraint, Ident, ObjectName, TableConstraint,
};
use sqlparser::dialect::{Dialect as Syntax, GenericDialect, PostgreSqlDialect, SQLiteDialect};

use super::definition::{self, Definition};
use super::statements::{Statements, split};
use super::{ColumnDefinition, Definitions, Reference, TableDefinition, key};
use crate::read::LineIndex;
use crate::{Diagnostic, Dialect};

/// Tables, keys and comments that a text of statements defines; other statements are skipped.
///
/// Names of SQLite match in any case; those of definitions are spelled as in the definition of their table.
///
/// # Errors
/// The first error in a definition, if it parses neither in the dialect nor in the parser's generic one.
pub fn read(text: &str, dialect: Dialect) -> Result<Definitions, Diagnostic> {
    let own: &dyn Syntax = match dialect {
        Dialect::Postgres => &PostgreSqlDialect {},
        Dialect::Sqlite => &SQLiteDialect {},
    };
    let lines = LineIndex::new(text);
    let Statements { statements, is_foreign } = split(text, own, &lines)?;
    let generic: &dyn Syntax = &GenericDialect {};
    let dialects = if is_foreign { &[generic][..] } else { &[own, generic] };
    let mut reader = Collector {
        dialect,
        lines: &lines,
        found: Definitions::default(),
        places: BTreeMap::new(),
    };
    for statement in &statements {
        if let Some(definition) = definition::read(statement, dialects, &lines)? {
            reader.add(definition);
        }
    }
    Ok(reader.found)
}

struct Collector<'a> {
    dialect: Dialect,
    lines: &'a LineIndex<'a>,
    found: Definitions,
    /// Index of each table in `found`, by key in the case in which keys are compared.
    places: BTreeMap<String, usize>,
}

impl Collector<'_> {
    fn add(&mut self, definition: Definition) {
        match definition {
            Definition::Table { name, columns, constraints } => {
                let (schema, name) = self.name(&name);
                let table = TableDefinition { schema, name, ..TableDefinition::default() };
                let key = self.table_named(table);
                self.add_to(&key, &columns, &constraints);
            }
            Definition::View { name, columns } => {
                if columns.is_empty() {
                    return;
                }
                let (schema, name) = self.name(&name);
                let column = |name| ColumnDefinition { name, nullable: true, ..Default::default() };
                let columns = self.idents(&columns).into_iter().map(column).collect();
                let view =
                    TableDefinition { schema, name, is_view: true, columns, ..Default::default() };
                self.table_named(view);
            }
            Definition::Addition { table, columns, constraints } => {
                let key = self.key(&table);
                self.add_to(&key, &columns, &constraints);
            }
            Definition::TableComment { table, comment } => {
                let key = self.key(&table);
                if let Some(table) = self.table(&key) {
                    table.comment = comment;
                }
            }
            Definition::ColumnComment { column, comment } => self.comment(&column, comment),
        }
    }

    /// Adds a table and returns its key. Of several with the same key, statements refer to the first.
    fn table_named(&mut self, table: TableDefinition) -> String {
        let key = table.key();
        self.places.entry(compared(&key, self.dialect)).or_insert(self.found.tables.len());
        self.found.tables.push(table);
        key
    }

    fn add_to(&mut self, key: &str, columns: &[ColumnDef], constraints: &[TableConstraint]) {
        for definition in columns {
            let mut primary_key = Vec::new();
            let column = self.column(definition, &mut primary_key);
            if let Some(table) = self.table(key) {
                table.columns.push(column);
                table.primary_key.extend(primary_key);
            }
        }
        for definition in columns {
            for option in &definition.options {
                if let ColumnOption::ForeignKey(reference) = &option.option {
                    let column = self.fold(&definition.name);
                    self.refer(key, vec![column], reference);
                }
            }
        }
        for constraint in constraints {
            self.constraint(key, constraint);
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
                let columns = self.spelled(key, self.index_columns(&primary.columns));
                self.unique(key, &columns);
                if let Some(table) = self.table(key) {
                    for column in &mut table.columns {
                        column.nullable &= !columns.contains(&column.name);
                    }
                    table.primary_key = columns;
                }
            }
            TableConstraint::Unique(unique) => {
                let columns = self.spelled(key, self.index_columns(&unique.columns));
                self.unique(key, &columns);
            }
            TableConstraint::ForeignKey(foreign) => {
                let columns = self.spelled(key, self.idents(&foreign.columns));
                self.refer(key, columns, foreign);
            }
            _ => {}
        }
    }

    fn refer(&mut self, key: &str, from_columns: Vec<String>, to: &ForeignKeyConstraint) {
        let first = to.foreign_table.0.first().and_then(|part| part.as_ident());
        let reference = Reference {
            from_table: self.table(key).map_or_else(|| key.to_owned(), |table| table.key()),
            from_columns,
            to_table: self.key(&to.foreign_table),
            to_columns: self.idents(&to.referred_columns),
            span: first.map(|ident| self.lines.span(ident.span)).unwrap_or_default(),
        };
        self.found.references.push(reference);
    }

    fn unique(&mut self, key: &str, columns: &[String]) {
        if let ([only], Some(table)) = (columns, self.table(key))
            && let Some(column) = table.columns.iter_mut().find(|column| column.name == *only)
        {
            column.unique = true;
        }
    }

    fn comment(&mut self, name: &ObjectName, comment: String) {
        let parts: Vec<Ident> = name.0.iter().filter_map(|part| part.as_ident().cloned()).collect();
        let Some((column, table)) = parts.split_last() else { return };
        let key = self.key(&ObjectName::from(table.to_vec()));
        let names = self.spelled(&key, vec![self.fold(column)]);
        if let Some(table) = self.table(&key)
            && let Some(found) = table.columns.iter_mut().find(|found| names.contains(&found.name))
        {
            found.comment = comment;
        }
    }

    fn table(&mut self, key: &str) -> Option<&mut TableDefinition> {
        let place = *self.places.get(&compared(key, self.dialect))?;
        self.found.tables.get_mut(place)
    }

    /// Column names as spelled in the definition of their table.
    fn spelled(&mut self, key: &str, names: Vec<String>) -> Vec<String> {
        let dialect = self.dialect;
        let Some(table) = self.table(key) else { return names };
        let spelled = |name: String| {
            let same = |column: &&ColumnDefinition| is_same(&column.name, &name, dialect);
            table.columns.iter().find(same).map_or(name.clone(), |column| column.name.clone())
        };
        names.into_iter().map(spelled).collect()
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

/// A name in the case in which a dialect compares names.
pub(super) fn compared(name: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Postgres => name.to_owned(),
        Dialect::Sqlite => name.to_ascii_lowercase(),
    }
}

pub(super) fn is_same(left: &str, right: &str, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Postgres => left == right,
        Dialect::Sqlite => left.eq_ignore_ascii_case(right),
    }
}
