//! Facts about a statement: tables, columns, joins and functions, at any depth.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::catalog::{Catalog, ColumnRef};
use wherefore_sql::tree::{Body, Query};

/// Facts about a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Facts {
    /// Keys of tables, in order of occurrence.
    pub(super) tables: Vec<String>,
    /// Columns: optional qualifier and name.
    columns: BTreeSet<(Option<String>, String)>,
    /// Aliases of tables, with the keys of the tables.
    aliases: Vec<(String, String)>,
    /// Functions, in lower case.
    pub(super) functions: BTreeSet<String>,
    /// Arithmetic and comparison operators, by their names in the tree.
    pub(super) operators: BTreeSet<String>,
    /// Texts, numbers, dates and times, as written.
    pub(super) literals: BTreeSet<String>,
    /// How often each of them occurs, and how often as an exclusive upper bound.
    pub(super) places: BTreeMap<String, (usize, usize)>,
    /// Pairs of columns that are compared for equality.
    equal: Vec<[(Option<String>, String); 2]>,
    /// Names of common table expressions (CTEs).
    pub(super) common: Vec<String>,
    /// Whether the outermost query has GROUP BY.
    pub(super) groups: bool,
    /// Whether any query has GROUP BY.
    pub(super) groups_within: bool,
    /// Whether the outermost query has ORDER BY and a limit.
    pub(super) ranks: bool,
}

impl Facts {
    /// Collects the facts of a query.
    pub(super) fn of(query: &Query, catalog: &Catalog) -> Self {
        let mut facts = Self {
            common: query.with.iter().map(|cte| cte.name.name.clone()).collect(),
            ranks: !query.order_by.is_empty() && query.limit.is_some(),
            ..Self::default()
        };
        if let Body::Select(select) = &query.body {
            facts.groups = !select.group_by.is_empty();
        }
        // Traversing the JSON form needs no code for new kinds of nodes.
        facts.walk(&serde_json::to_value(query).unwrap_or_default(), catalog);
        facts
    }

    fn walk(&mut self, node: &Value, catalog: &Catalog) {
        match node {
            Value::Array(nodes) => nodes.iter().for_each(|node| self.walk(node, catalog)),
            Value::Object(members) => {
                for (name, inner) in members {
                    self.note(name, inner, catalog);
                    self.walk(inner, catalog);
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, kind: &str, node: &Value, catalog: &Catalog) {
        match kind {
            "table" => {
                let Some(name) = identifier(&node["name"]) else { return };
                let schema = identifier(&node["schema"]);
                let found = catalog.tables.iter().find(|table| {
                    table.name == name && (schema.is_none() || table.schema == schema)
                });
                let Some(key) = found.map(crate::catalog::Table::key) else { return };
                let alias = identifier(&node["alias"]).unwrap_or(name);
                self.aliases.push((alias, key.clone()));
                if !self.tables.contains(&key) {
                    self.tables.push(key);
                }
            }
            "column" => {
                if let Some(column) = column(node) {
                    self.columns.insert(column);
                }
            }
            "function" => {
                let call = if node["call"].is_object() { &node["call"] } else { node };
                if let Some(name) = call["name"].as_str() {
                    self.functions.insert(name.to_lowercase());
                }
            }
            "extract" => {
                self.functions
                    .extend(node["field"].as_str().map(|field| format!("extract {field}")));
            }
            "group_by" => self.groups_within |= node.as_array().is_some_and(|by| !by.is_empty()),
            "literal" => {
                for text in texts(node) {
                    self.literals.insert(text.to_owned());
                    self.places.entry(text.to_owned()).or_default().0 += 1;
                }
            }
            "binary" if node["operator"] != "equal" => {
                self.operators.extend(node["operator"].as_str().map(str::to_owned));
                let end = match node["operator"].as_str() {
                    Some("less") => "right",
                    Some("greater") => "left",
                    _ => return,
                };
                for text in texts(&node[end]["literal"]) {
                    self.places.entry(text.to_owned()).or_default().1 += 1;
                }
            }
            "binary" => {
                let side = |name: &str| column(node[name].get("column")?);
                if let (Some(left), Some(right)) = (side("left"), side("right")) {
                    self.equal.push([left, right]);
                }
            }
            _ => {}
        }
    }

    /// Names of the columns that the statement uses.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(_, name)| name.as_str())
    }

    /// Whether the statement reads a table.
    pub(super) fn reads(&self, table: &str) -> bool {
        self.tables.iter().any(|key| key == table)
    }

    fn is(&self, (qualifier, name): &(Option<String>, String), wanted: &ColumnRef) -> bool {
        *name == wanted.column
            && match qualifier {
                Some(qualifier) => self
                    .aliases
                    .iter()
                    .any(|(alias, key)| alias == qualifier && *key == wanted.table),
                None => self.reads(&wanted.table),
            }
    }

    /// Whether the statement compares two columns for equality.
    pub(super) fn joins(&self, one: &ColumnRef, other: &ColumnRef) -> bool {
        self.equal.iter().any(|[left, right]| {
            self.is(left, one) && self.is(right, other)
                || self.is(left, other) && self.is(right, one)
        })
    }
}

/// The texts of a literal.
fn texts(literal: &Value) -> impl Iterator<Item = &str> {
    ["date", "number", "string", "timestamp"].iter().filter_map(|kind| literal[kind].as_str())
}

fn identifier(node: &Value) -> Option<String> {
    node.get("name")?.as_str().map(str::to_owned)
}

fn column(node: &Value) -> Option<(Option<String>, String)> {
    Some((identifier(&node["qualifier"]), identifier(&node["name"])?))
}
