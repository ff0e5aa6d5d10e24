//! Output columns of SELECT, VALUES and set operations.

use std::borrow::Cow;
use std::rc::Rc;

use super::binder::{Binder, Shape};
use super::resolve::Reach;
use super::{Clause, Columns, Context, Origin, Output};
use crate::tree::{Expr, Identifier, Select, SelectItem};

impl<'a> Binder<'a> {
    pub(super) fn listed(&self, shape: Shape<'a>, names: &'a [Identifier]) -> Columns<'a> {
        match shape {
            None => Columns::Open,
            Some(columns) if names.is_empty() => Columns::Listed(columns),
            Some(columns) => {
                let mut columns = columns.to_vec();
                for (column, name) in columns.iter_mut().zip(names) {
                    column.name = self.stored(name);
                    column.is_named = true;
                }
                Columns::Listed(columns.into())
            }
        }
    }

    pub(super) fn values(&mut self, rows: &'a [Vec<Expr>], parent: Option<usize>) -> Shape<'a> {
        let place = Context {
            block: parent.unwrap_or(usize::MAX),
            clause: Clause::Select,
            in_aggregate: false,
            in_window: false,
        };
        let reach = Reach { first: 0, end: usize::MAX };
        for expr in rows.iter().flatten() {
            self.expression(expr, place, reach, false);
        }
        let first = rows.first()?;
        let columns = first.iter().enumerate().map(|(at, expr)| Output {
            name: Cow::Owned(format!("column{}", at + 1)),
            kind: self.bound.kind(expr),
            origin: None,
            is_nullable: true,
            is_named: true,
            expr: Some(expr),
        });
        Some(columns.collect())
    }

    pub(super) fn outputs(&self, select: &'a Select, block: usize) -> Shape<'a> {
        let mut outputs = Vec::with_capacity(select.items.len());
        for item in &select.items {
            match item {
                SelectItem::Expr { expr, alias } => {
                    outputs.push(self.output(expr, alias.as_ref()));
                }
                SelectItem::Wildcard { qualifier } => {
                    self.wildcard(qualifier.as_ref(), &[], block, &mut outputs)?;
                }
                SelectItem::WildcardExcept { qualifier, except } => {
                    self.wildcard(qualifier.as_ref(), except, block, &mut outputs)?;
                }
                SelectItem::Foreign(_) => return None,
            }
        }
        Some(outputs.into())
    }

    fn output(&self, expr: &'a Expr, alias: Option<&'a Identifier>) -> Output<'a> {
        let place = self.bound.column_of(expr);
        let default = crate::default_name::default_name(expr);
        let name = match (alias, place, expr) {
            (Some(alias), ..) => self.stored(alias),
            (None, Some(place), _) => {
                let source = self.bound.source(place.block, place.source);
                let name = source.and_then(|source| source.columns.name(place.column));
                Cow::Owned(name.unwrap_or_default().to_owned())
            }
            (None, None, Expr::Column { name, .. }) => self.stored(name),
            _ => Cow::Borrowed(default.unwrap_or("?column?")),
        };
        Output {
            name,
            kind: self.bound.kind(expr),
            origin: place.and_then(|place| self.bound.origin(place)),
            is_nullable: place.is_none_or(|place| self.bound.is_nullable(place)),
            is_named: alias.is_some() || matches!(expr, Expr::Column { .. }),
            expr: Some(expr),
        }
    }

    fn wildcard(
        &self,
        qualifier: Option<&Identifier>,
        except: &[Identifier],
        block: usize,
        outputs: &mut Vec<Output<'a>>,
    ) -> Option<()> {
        let here = self.bound.blocks.get(block)?;
        let only = match qualifier {
            Some(name) => Some(self.bound.source_called(block, name)?),
            None => None,
        };
        for (at, source) in here.sources.iter().enumerate() {
            if only.is_some_and(|only| only != at) {
                continue;
            }
            if matches!(source.columns, Columns::Open) {
                return None;
            }
            for place in 0..source.columns.count() {
                let Some(column) = source.columns.get(place) else { continue };
                let is_again = only.is_none()
                    && here
                        .merged
                        .iter()
                        .any(|(name, _, right)| *right == at && **name == *column.name);
                let is_left_out = except
                    .iter()
                    .any(|name| crate::names::matches(name, column.name, self.bound.dialect));
                if is_again || is_left_out {
                    continue;
                }
                outputs.push(Output {
                    name: Cow::Owned(column.name.to_owned()),
                    kind: column.kind,
                    origin: column.origin,
                    is_nullable: column.is_nullable || source.is_nullable,
                    is_named: true,
                    expr: None,
                });
            }
        }
        Some(())
    }
}

/// Output columns of a set operation, from those of its operands.
pub(super) fn combined<'a>(left: &Rc<[Output<'a>]>, right: &Rc<[Output<'a>]>) -> Rc<[Output<'a>]> {
    let same = |one: Option<Origin<'a>>, other: Option<Origin<'a>>| match (one, other) {
        (Some(one), Some(other)) => std::ptr::eq(one.column, other.column),
        _ => false,
    };
    let columns = left.iter().enumerate().map(|(at, first)| {
        let second = right.get(at);
        Output {
            kind: super::kind::common(first.kind, second.and_then(|it| it.kind)),
            origin: first.origin.filter(|it| same(Some(*it), second.and_then(|it| it.origin))),
            is_nullable: first.is_nullable || second.is_none_or(|it| it.is_nullable),
            ..first.clone()
        }
    });
    columns.collect()
}
