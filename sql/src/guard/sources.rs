//! Checks of FROM: the columns of each source, and the join conditions.

use crate::diagnostic::Code;
use crate::tree::{
    Expr, FromItem, FunctionCall, Identifier, Join, JoinCondition, JoinKind, Literal, Source,
};
use wherefore_catalog::{Column, ColumnRef, DataType, Table};

use super::checked::OutputColumn;
use super::scope::{BoundSource, Scope, Shape};
use super::size::{self, Form, Size};
use super::{Guard, functions, select};
use crate::names::{matches, stored};
use crate::suggest;

impl Guard<'_> {
    /// Adds every source of a FROM to the scope.
    pub(super) fn sources(&mut self, items: &mut [FromItem], scope: &mut Scope<'_>) {
        for item in items {
            let first = scope.sources.len();
            self.add_source(&mut item.source, scope);
            for join in &mut item.joins {
                self.add_source(&mut join.source, scope);
                self.join(join, first, scope);
            }
        }
    }

    fn add_source(&mut self, source: &mut Source, scope: &mut Scope<'_>) {
        let bound = match source {
            Source::Table { schema, name, alias } => self.table(schema, name, alias.as_ref()),
            Source::Derived { query, alias, columns, lateral } => {
                select::name_columns(query);
                let visible = if *lateral { Some(&*scope) } else { scope.outer };
                let shape = self.query(query, visible);
                let place = alias.as_ref().map(|alias| alias.span).unwrap_or_default();
                let shape = self.renamed(shape, columns, place);
                let name = alias.as_ref().map(|alias| stored(alias, self.dialect));
                BoundSource { name, shape, is_open: false }
            }
            Source::Function { call, alias, columns } => {
                self.table_function(call, alias.as_ref(), columns, scope)
            }
            Source::Foreign(foreign) => {
                self.diagnostics.push(foreign.fault.clone());
                BoundSource { name: None, shape: Shape::default(), is_open: true }
            }
        };
        if let Some(name) = &bound.name
            && scope.source_index(name, self.dialect).is_some()
        {
            let message = format!("two sources are named {:?}", name.name);
            let hint = Some("give one of them an alias".to_owned());
            self.fault_with_hint(Code::DuplicateAlias, message, hint, name.span);
        }
        scope.sources.push(bound);
    }

    fn table(
        &mut self,
        schema: &mut Option<Identifier>,
        name: &mut Identifier,
        alias: Option<&Identifier>,
    ) -> BoundSource {
        let own = stored(name, self.dialect);
        let shown = alias.map_or_else(|| own.clone(), |alias| stored(alias, self.dialect));
        let common = self
            .common_tables
            .iter()
            .rev()
            .find(|table| schema.is_none() && matches(name, &table.name.name, self.dialect));
        if let Some(common) = common {
            let shape = common.shape.clone();
            if shape.is_none() {
                let message = format!(
                    "the common table expression {:?} is used before it is defined",
                    own.name
                );
                self.fault(Code::UnknownTable, message, name.span);
            }
            let is_open = shape.is_none();
            return BoundSource { name: Some(shown), shape: shape.unwrap_or_default(), is_open };
        }
        match self.relations.table(schema.as_ref(), name) {
            Ok(table) => {
                if let Some(stored) = &table.schema {
                    *schema = Some(Identifier::stored(stored.clone()));
                }
                *name = Identifier { span: name.span, ..Identifier::stored(table.name.clone()) };
                let shown = if alias.is_some() { shown } else { name.clone() };
                BoundSource { name: Some(shown), shape: shape_of(table), is_open: false }
            }
            Err(fault) => {
                self.diagnostics.push(fault);
                BoundSource { name: Some(shown), shape: Shape::default(), is_open: true }
            }
        }
    }

    /// A function in FROM, whose arguments can use the sources before it.
    fn table_function(
        &mut self,
        call: &mut FunctionCall,
        alias: Option<&Identifier>,
        columns: &[Identifier],
        scope: &Scope<'_>,
    ) -> BoundSource {
        let own = Identifier::stored(call.name.clone());
        let name = alias.map_or(own, |alias| stored(alias, self.dialect));
        let listed = functions::function(&call.name, self.dialect).and_then(|it| it.table.as_ref());
        let Some(listed) = listed else {
            self.refused_function(&call.name, call.span);
            return BoundSource { name: Some(name), shape: Shape::default(), is_open: true };
        };
        let is_plain = !call.distinct
            && call.order_by.is_empty()
            && call.within_group.is_empty()
            && call.filter.is_none()
            && call.over.is_none();
        if !is_plain {
            self.fault(
                Code::Unsupported,
                "DISTINCT, ORDER BY, FILTER and OVER are not allowed on a function in FROM",
                call.span,
            );
        }
        let sizes = self.arguments(call, scope);
        self.check_needle(call, &sizes);
        let size = Size { form: Form::Plain, ..size::longest(sizes) };
        if call.name == "generate_series" {
            self.check_series(call);
        }
        let columns_listed = listed
            .iter()
            .map(|column| if column.is_empty() { name.name.clone() } else { (*column).to_owned() })
            .map(|name| OutputColumn { name, size: size.clone(), ..OutputColumn::default() })
            .collect();
        let shape = Shape { columns: columns_listed, width: 0 };
        let shape = self.renamed(shape, columns, call.span);
        BoundSource { name: Some(name), shape, is_open: false }
    }

    fn join(&mut self, join: &mut Join, first: usize, scope: &mut Scope<'_>) {
        if join.condition == JoinCondition::Natural {
            self.write_out_natural(join, first, scope);
        }
        match &mut join.condition {
            JoinCondition::On(condition) => {
                self.expression(condition, scope);
            }
            JoinCondition::Using(columns) => {
                for column in columns {
                    self.merge(column, first, scope);
                }
            }
            JoinCondition::Foreign(foreign) => self.diagnostics.push(foreign.fault.clone()),
            JoinCondition::None | JoinCondition::Natural => {}
        }
    }

    /// Rewrites NATURAL as USING of the columns that both sides have in the catalog.
    fn write_out_natural(&self, join: &mut Join, first: usize, scope: &Scope<'_>) {
        let Some((right, left)) = scope.sources[first..].split_last() else { return };
        let shared: Vec<Identifier> = right
            .shape
            .columns
            .iter()
            .map(|column| Identifier::stored(column.name.clone()))
            .filter(|name| left.iter().any(|source| source.column(name, self.dialect).is_some()))
            .collect();
        join.condition = match (shared.is_empty(), join.kind) {
            (false, _) => JoinCondition::Using(shared),
            (true, JoinKind::Inner | JoinKind::Cross) => {
                join.kind = JoinKind::Cross;
                JoinCondition::None
            }
            (true, _) => JoinCondition::On(Expr::literal(Literal::Boolean(true))),
        };
    }

    /// Merges a USING column, which both sides must have, into one.
    fn merge(&mut self, name: &mut Identifier, first: usize, scope: &mut Scope<'_>) {
        let Some((right, left)) = scope.sources[first..].split_last() else { return };
        let on_the_left = left.iter().find_map(|source| source.column(name, self.dialect)).cloned();
        let on_the_right = right.column(name, self.dialect);
        match (on_the_left, on_the_right) {
            (Some(mut column), Some(right)) => {
                column.size = column.size.either(right.size.clone());
                *name = Identifier { span: name.span, ..Identifier::stored(column.name.clone()) };
                if !scope.merged.iter().any(|merged| merged.name == column.name) {
                    scope.merged.push(column);
                }
            }
            _ if scope.sources[first..].iter().any(|source| source.is_open) => {}
            _ => {
                let message =
                    format!("the USING column {:?} is not on both sides of the join", name.name);
                let near = suggest::nearest(&name.name, scope.column_names());
                self.fault_with_hint(Code::UnknownColumn, message, suggest::hint(near), name.span);
            }
        }
    }
}

fn shape_of(table: &Table) -> Shape {
    let key = table.key();
    let columns = table
        .columns
        .iter()
        .map(|column| OutputColumn {
            name: column.name.clone(),
            source: Some(ColumnRef::new(key.clone(), column.name.clone())),
            data_type: Some(column.data_type),
            size: Size { form: form_of(column), ..Size::short() },
        })
        .collect();
    Shape { columns, width: 1 }
}

/// How the values of a stored column are written as text.
fn form_of(column: &Column) -> Form {
    match column.data_type {
        DataType::Json => Form::Json,
        _ if column.declared_type.trim_end().ends_with(']') => Form::List,
        _ => Form::Plain,
    }
}
