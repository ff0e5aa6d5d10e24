//! Binding of FROM: the columns of each source, and the join conditions.

use std::borrow::Cow;
use std::rc::Rc;

use super::binder::Binder;
use super::resolve::{Reach, same_name};
use super::{Clause, Columns, Context, Joined, Output, Role, Source, UnknownTable};
use crate::Dialect;
use crate::names::matches;
use crate::tree::{self, Body, FromItem, Identifier, Join, JoinCondition, JoinKind};
use wherefore_catalog::Table;

impl<'a> Binder<'a> {
    /// Binds every source of a FROM.
    pub(super) fn sources(&mut self, items: &'a [FromItem], block: usize) {
        for (at, item) in items.iter().enumerate() {
            let first = self.bound.blocks[block].sources.len();
            let joined = if at == 0 { Joined::First } else { Joined::Comma };
            self.source(&item.source, joined, block);
            for join in &item.joins {
                self.join(join, first, block);
            }
        }
    }

    fn join(&mut self, join: &'a Join, first: usize, block: usize) {
        let on = match &join.condition {
            JoinCondition::On(condition) => Some(condition),
            _ => None,
        };
        self.source(&join.source, Joined::Join(join.kind, on), block);
        let sources = &mut self.bound.blocks[block].sources;
        let last = sources.len() - 1;
        if matches!(join.kind, JoinKind::Left | JoinKind::Full) {
            sources[last].is_nullable = true;
        }
        if matches!(join.kind, JoinKind::Right | JoinKind::Full) {
            for source in &mut sources[first..last] {
                source.is_nullable = true;
            }
        }
        match &join.condition {
            JoinCondition::On(condition) => {
                let place =
                    Context { block, clause: Clause::On, in_aggregate: false, in_window: false };
                // In ON, SQLite sees every source before the join; PostgreSQL only those of the same FROM item.
                let first = if self.bound.dialect == Dialect::Sqlite { 0 } else { first };
                self.expression(condition, place, Reach { first, end: last + 1 }, false);
            }
            JoinCondition::Using(names) => {
                for name in names {
                    self.merge(name, first, last, block);
                }
            }
            JoinCondition::Natural => self.natural(first, last, block),
            JoinCondition::None | JoinCondition::Foreign(_) => {}
        }
    }

    fn merge(&mut self, name: &'a Identifier, first: usize, last: usize, block: usize) {
        let dialect = self.bound.dialect;
        let sources = &self.bound.blocks[block].sources;
        let left = (first..last).find(|at| sources[*at].columns.find(name, dialect).is_some());
        let right = sources[last].columns.find(name, dialect);
        let open = sources[first..=last].iter().any(|it| matches!(it.columns, Columns::Open));
        match (left, right) {
            (Some(left), Some(right)) => {
                let stored = sources[last].columns.name(right).unwrap_or_default().to_owned();
                self.bound.blocks[block].merged.push((Cow::Owned(stored), left, last));
            }
            _ if open => {}
            _ => self.bound.unknown_merged.push((block, name)),
        }
    }

    fn natural(&mut self, first: usize, last: usize, block: usize) {
        let sources = &self.bound.blocks[block].sources;
        let mut shared = Vec::new();
        for name in sources[last].columns.names() {
            let left = (first..last).find(|at| sources[*at].columns.names().any(|it| it == name));
            if let Some(left) = left {
                shared.push((Cow::Owned(name.to_owned()), left, last));
            }
        }
        self.bound.blocks[block].merged.extend(shared);
    }

    fn source(&mut self, source: &'a tree::Source, join: Joined<'a>, block: usize) {
        let parent = self.bound.blocks[block].parent;
        let bound = match source {
            tree::Source::Table { schema, name, alias } => {
                self.table(schema.as_ref(), name, alias.as_ref(), join, block)
            }
            tree::Source::Derived { query, alias, columns, lateral } => {
                let inner = self.bound.blocks.len();
                let visible = if *lateral { Some(block) } else { parent };
                let shape = self.query(query, visible, Role::Derived);
                let place = alias.as_ref().map(|alias| alias.span).unwrap_or_default();
                let columns = self.renamed(shape, columns, place);
                let is_select = matches!(query.body, Body::Select(_));
                Source {
                    name: alias.as_ref(),
                    is_aliased: true,
                    table: None,
                    columns,
                    is_nullable: false,
                    join,
                    block: is_select.then_some(inner),
                    is_lateral: *lateral,
                    span: place,
                }
            }
            tree::Source::Function { call, alias, columns } => {
                let place =
                    Context { block, clause: Clause::On, in_aggregate: false, in_window: false };
                let reach = Reach { first: 0, end: usize::MAX };
                for expr in crate::walk::arguments(call) {
                    self.expression(expr, place, reach, false);
                }
                let name = alias.as_ref();
                let shape = self.function_columns(call, name);
                let shape = self.renamed(shape, columns, call.span);
                Source {
                    name,
                    is_aliased: true,
                    table: None,
                    columns: shape,
                    is_nullable: false,
                    join,
                    block: None,
                    is_lateral: true,
                    span: call.span,
                }
            }
            tree::Source::Foreign(foreign) => {
                let place = foreign.fault.span;
                Source {
                    name: None,
                    is_aliased: true,
                    table: None,
                    columns: self.renamed(None, &[], place),
                    is_nullable: false,
                    join,
                    block: None,
                    is_lateral: true,
                    span: place,
                }
            }
        };
        self.bound.blocks[block].sources.push(bound);
    }

    fn table(
        &mut self,
        schema: Option<&'a Identifier>,
        name: &'a Identifier,
        alias: Option<&'a Identifier>,
        join: Joined<'a>,
        block: usize,
    ) -> Source<'a> {
        let bound = Source {
            name: Some(alias.unwrap_or(name)),
            is_aliased: alias.is_some(),
            table: None,
            columns: Columns::Open,
            is_nullable: false,
            join,
            block: None,
            is_lateral: false,
            span: name.span,
        };
        let dialect = self.bound.dialect;
        let common = self
            .scope
            .iter()
            .rev()
            .find(|it| schema.is_none() && same_name(name, it.name, dialect));
        if let Some(common) = common {
            let columns = common.columns.clone().unwrap_or(Columns::Open);
            self.bound.common_tables[common.place].is_used = true;
            return Source { columns, block: common.block, ..bound };
        }
        let found = self.bound.catalog.tables.iter().find(|table| {
            is_in_schema(table, schema, dialect) && matches(name, &table.name, dialect)
        });
        if let Some(table) = found {
            return Source { table: Some(table), columns: Columns::Stored(table), ..bound };
        }
        self.bound.unknown_tables.push(UnknownTable { schema, name, block });
        bound
    }

    fn function_columns(
        &self,
        call: &'a tree::FunctionCall,
        name: Option<&'a Identifier>,
    ) -> Option<Rc<[Output<'a>]>> {
        let names = crate::guard::table_function(&call.name, self.bound.dialect)?;
        let own = name.map_or(Cow::Borrowed(call.name.as_str()), |name| self.stored(name));
        let columns = names.iter().map(|column| Output {
            name: if column.is_empty() { own.clone() } else { Cow::Borrowed(*column) },
            kind: None,
            origin: None,
            is_nullable: true,
            is_named: true,
            expr: None,
        });
        Some(columns.collect())
    }
}

/// Whether a table is in the schema that a statement names; without a name, in the default schema.
pub fn is_in_schema(table: &Table, schema: Option<&Identifier>, dialect: Dialect) -> bool {
    let default = crate::guard::default_schema(dialect);
    let stored = table.schema.as_deref().unwrap_or(default);
    match schema {
        Some(schema) => matches(schema, stored, dialect),
        None => stored == default,
    }
}
