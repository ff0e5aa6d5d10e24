//! Exact comparison of texts on MySQL, whose collations ignore case, accents and trailing spaces by default.
//!
//! A stored table with columns of text is read through a subquery that gives them an exact collation. Everything that
//! compares, groups, sorts or searches them then uses it. The server merges such a subquery into the statement, so that
//! indexes of columns of other types are still used; for those of columns of text see [`super::indexed`].

use std::collections::BTreeSet;

use wherefore_catalog::{Column, DataType};

use crate::tree::{
    Body, Expr, FromItem, Identifier, JoinCondition, Query, Select, SelectItem, Source,
};

use super::dates::cast;
use super::indexed::repeat_equalities;
use super::mysql;
use super::stored::Tables;
use super::walk::{self, Done, Visitor};

/// Reads the texts of all stored tables with this collation.
pub(super) fn compare(tree: &mut Query, tables: &Tables<'_>, collation: &str) -> Done {
    let mut used = Used { names: BTreeSet::new() };
    walk::query(&mut used, tree)?;
    walk::query(&mut Exact { tables, collation, used: used.names }, tree)
}

/// Names of columns that a statement uses, in lower case.
struct Used {
    names: BTreeSet<String>,
}

impl Used {
    fn add(&mut self, name: &Identifier) {
        self.names.insert(name.name.to_lowercase());
    }
}

impl Visitor for Used {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Column { name, .. } = node {
            self.add(name);
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        let Body::Select(select) = &query.body else { return Ok(()) };
        for join in select.from.iter().flat_map(|item| &item.joins) {
            if let JoinCondition::Using(names) = &join.condition {
                for name in names {
                    self.add(name);
                }
            }
        }
        Ok(())
    }
}

struct Exact<'a> {
    tables: &'a Tables<'a>,
    collation: &'a str,
    used: BTreeSet<String>,
}

impl Visitor for Exact<'_> {
    /// Texts before LIKE get the collation of those in the pattern.
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Like { operand, .. } = node
            && let Expr::Collate { collation, .. } = &mut **operand
            && collation.name == mysql::EXACT
        {
            self.collation.clone_into(&mut collation.name);
        }
        Ok(())
    }

    fn query(&mut self, query: &mut Query) -> Done {
        if let Body::Select(select) = &mut query.body {
            repeat_equalities(select, self.tables, self.collation);
        }
        Ok(())
    }

    fn source(&mut self, source: &mut Source) -> Done {
        let Some(table) = self.tables.of_source(source) else { return Ok(()) };
        let Source::Table { schema, name, alias } = source else { return Ok(()) };
        // A table of the connected database has no schema; the statement can name the default one.
        if table.schema.is_none() {
            *schema = None;
        }
        let read: Vec<&Column> = table
            .columns
            .iter()
            .filter(|column| self.used.contains(&column.name.to_lowercase()))
            .collect();
        if !read.iter().any(|column| column.data_type == DataType::Text) {
            return Ok(());
        }
        let select = Select {
            items: read.into_iter().map(|column| self.item(column)).collect(),
            from: vec![FromItem {
                source: Source::Table { schema: schema.clone(), name: name.clone(), alias: None },
                joins: Vec::new(),
            }],
            ..Select::default()
        };
        let query = Query { body: Body::Select(Box::new(select)), ..Query::default() };
        let alias = Some(alias.take().unwrap_or_else(|| name.clone()));
        *source =
            Source::Derived { query: Box::new(query), alias, columns: Vec::new(), lateral: false };
        Ok(())
    }
}

impl Exact<'_> {
    fn item(&self, column: &Column) -> SelectItem {
        let name = Identifier::stored(&column.name);
        let value = Expr::Column { qualifier: None, name: name.clone() };
        if column.data_type != DataType::Text {
            return SelectItem::Expr { expr: value, alias: None };
        }
        let collation = Identifier { name: self.collation.to_owned(), ..Identifier::default() };
        // The cast converts texts of other character sets, which do not have the collation.
        let operand = Box::new(cast(value, "text"));
        SelectItem::Expr { expr: Expr::Collate { operand, collation }, alias: Some(name) }
    }
}
