//! Conditions that let MySQL use the indexes of columns of text, which it cannot with the exact collation.
//!
//! Texts that are the same are also equal by any collation. So an equality of a column with literals, or along a declared
//! foreign key, whose columns have one collation, can be repeated with the columns as they are stored.

use wherefore_catalog::{DataType, Table};

use crate::Dialect;
use crate::names::matches;
use crate::tree::{
    BinaryOperator, Body, Expr, FromItem, Identifier, JoinCondition, Literal, Select, SelectItem,
    Source,
};

use super::stored::Tables;

/// Begins the names of columns as they are stored.
const STORED: &str = "_stored_";

/// Repeats the equalities of a SELECT whose sources were replaced with subqueries of exact collation.
pub(super) fn repeat_equalities(select: &mut Select, tables: &Tables<'_>, collation: &str) {
    let read: Vec<Read<'_>> =
        sources(select).filter_map(|source| Read::of(source, tables, collation)).collect();
    let is_single = sources(select).count() == 1;
    let mut repeating = Repeating { read, is_single, tables, used: Vec::new() };
    for item in &mut select.from {
        for join in &mut item.joins {
            if let JoinCondition::On(condition) = &mut join.condition {
                repeating.add(condition);
            }
        }
    }
    if let Some(filter) = &mut select.filter {
        repeating.add(filter);
    }
    let used = repeating.used;
    for item in &mut select.from {
        let FromItem { source, joins } = item;
        for source in std::iter::once(source).chain(joins.iter_mut().map(|join| &mut join.source)) {
            let Source::Derived { query, alias: Some(alias), .. } = source else { continue };
            let Body::Select(inner) = &mut query.body else { continue };
            for (_, column) in used.iter().filter(|(source, _)| *source == alias.name) {
                let value = Expr::Column { qualifier: None, name: Identifier::stored(column) };
                inner.items.push(SelectItem::Expr { expr: value, alias: Some(stored(column)) });
            }
        }
    }
}

fn sources(select: &Select) -> impl Iterator<Item = &Source> {
    select.from.iter().flat_map(|item| {
        std::iter::once(&item.source).chain(item.joins.iter().map(|join| &join.source))
    })
}

fn stored(column: &str) -> Identifier {
    Identifier::stored(format!("{STORED}{column}"))
}

/// A source that reads a stored table with an exact collation.
struct Read<'a> {
    name: String,
    table: &'a Table,
}

impl<'a> Read<'a> {
    fn of(source: &Source, tables: &Tables<'a>, collation: &str) -> Option<Self> {
        let Source::Derived { query, alias: Some(alias), .. } = source else { return None };
        let Body::Select(select) = &query.body else { return None };
        let [FromItem { source: inner, joins }] = select.from.as_slice() else { return None };
        let is_exact = select.items.iter().any(|item| {
            matches!(item, SelectItem::Expr { expr: Expr::Collate { collation: own, .. }, .. }
                if own.name == collation)
        });
        let table = tables.of_source(inner).filter(|_| joins.is_empty() && is_exact)?;
        Some(Self { name: alias.name.clone(), table })
    }
}

struct Repeating<'t, 'a> {
    read: Vec<Read<'a>>,
    is_single: bool,
    tables: &'t Tables<'a>,
    /// Names of sources and columns that are needed as they are stored.
    used: Vec<(String, String)>,
}

impl<'a> Repeating<'_, 'a> {
    fn add(&mut self, condition: &mut Expr) {
        let parts = match &*condition {
            Expr::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let more: Vec<Expr> = parts.iter().filter_map(|part| self.repeated(part)).collect();
        if more.is_empty() {
            return;
        }
        let mut all = match std::mem::replace(condition, Expr::And(Vec::new())) {
            Expr::And(parts) => parts,
            other => vec![other],
        };
        all.extend(more);
        *condition = Expr::And(all);
    }

    /// An equality with the columns as they are stored; `None` for other conditions.
    fn repeated(&mut self, condition: &Expr) -> Option<Expr> {
        let is_text = |expr: &Expr| matches!(expr, Expr::Literal(Literal::String(_), _));
        match condition {
            Expr::Binary { operator: BinaryOperator::Equal, left, right } if is_text(right) => {
                let column = self.column(left)?;
                Some(Expr::binary(self.stored(column), BinaryOperator::Equal, (**right).clone()))
            }
            Expr::Binary { operator: BinaryOperator::Equal, left, right } => {
                let (one, other) = (self.column(left)?, self.column(right)?);
                if !self.is_key(one, other) && !self.is_key(other, one) {
                    return None;
                }
                let (one, other) = (self.stored(one), self.stored(other));
                Some(Expr::binary(one, BinaryOperator::Equal, other))
            }
            Expr::InList { operand, list, negated: false } if list.iter().all(is_text) => {
                let column = self.column(operand)?;
                let operand = Box::new(self.stored(column));
                Some(Expr::InList { operand, list: list.clone(), negated: false })
            }
            _ => None,
        }
    }

    /// The source and column of text that an expression names.
    fn column(&self, expr: &Expr) -> Option<(usize, &'a str)> {
        let Expr::Column { qualifier, name } = expr else { return None };
        let place = self.read.iter().position(|read| match qualifier {
            Some(qualifier) => qualifier.name == read.name,
            None => self.is_single,
        })?;
        let table: &'a Table = self.read[place].table;
        let column = table.columns.iter().find(|column| {
            column.data_type == DataType::Text && matches(name, &column.name, Dialect::Postgres)
        })?;
        Some((place, &column.name))
    }

    /// Whether a declared foreign key leads from one column to the other.
    fn is_key(&self, from: (usize, &str), to: (usize, &str)) -> bool {
        let (source, target) = (self.read[from.0].table.key(), self.read[to.0].table.key());
        self.tables.catalog().foreign_keys.iter().any(|key| {
            !key.inferred
                && key.from_table == source
                && key.to_table == target
                && key
                    .from_columns
                    .iter()
                    .zip(&key.to_columns)
                    .any(|(one, other)| one == from.1 && other == to.1)
        })
    }

    fn stored(&mut self, (place, column): (usize, &str)) -> Expr {
        let source = self.read[place].name.clone();
        let used = (source.clone(), column.to_owned());
        if !self.used.contains(&used) {
            self.used.push(used);
        }
        Expr::Column { qualifier: Some(Identifier::stored(&source)), name: stored(column) }
    }
}
