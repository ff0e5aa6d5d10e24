//! Checks of queries, common table expressions (CTEs) and set operations.

use crate::Dialect;
use crate::diagnostic::Code;
use crate::tree::{Body, Cte, Expr, Identifier, OrderItem, Query, SetOperator, SqlSpan};

use super::checked::OutputColumn;
use super::scope::{BoundSource, CommonTable, Scope, Shape};
use super::size::Size;
use super::{Guard, growth, recursion};
use crate::names::stored;

impl Guard<'_> {
    /// Checks a query and replaces its names with the stored ones; `outer` is the scope that a correlated query can
    /// use.
    pub(super) fn query(&mut self, query: &mut Query, outer: Option<&Scope<'_>>) -> Shape {
        let mark = self.common_tables.len();
        self.with(query, outer);
        query.body.take_meaning();
        let shape = match &mut query.body {
            Body::Foreign(foreign) => {
                self.diagnostics.push(foreign.fault.clone());
                Shape::default()
            }
            Body::Spelled(_) => {
                self.fault(Code::Unsupported, "words in words", SqlSpan::default());
                Shape::default()
            }
            Body::Select(select) => {
                let (shape, mut scope) = self.select(select, outer);
                self.order_of_select(&mut query.order_by, &mut scope, &shape.columns);
                shape
            }
            Body::SetOperation { operator, all: _, left, right } => {
                let shape = self.set_operation(*operator, left, right, outer);
                self.order_of_rows(&mut query.order_by, &shape);
                shape
            }
            Body::Values(rows) => {
                let shape = self.values(rows, outer);
                self.order_of_rows(&mut query.order_by, &shape);
                shape
            }
        };
        for bound in [&mut query.limit, &mut query.offset].into_iter().flatten() {
            self.expression(bound, &Scope::default());
        }
        self.common_tables.truncate(mark);
        shape
    }

    fn with(&mut self, query: &mut Query, outer: Option<&Scope<'_>>) {
        // On SQLite every CTE sees all others, with or without RECURSIVE.
        let sees_all = query.recursive || self.dialect == Dialect::Sqlite;
        let first = self.common_tables.len();
        if sees_all {
            for cte in &query.with {
                let name = stored(&cte.name, self.dialect);
                self.common_tables.push(CommonTable { name, shape: None });
            }
        }
        for (index, cte) in query.with.iter_mut().enumerate() {
            let shape = if sees_all && recursion::is_recursive(cte, self.dialect) {
                self.recursive_table(cte, first + index, outer)
            } else {
                self.plain_table(cte, outer)
            };
            let name = stored(&cte.name, self.dialect);
            let defined = CommonTable { name, shape: Some(shape) };
            if sees_all {
                self.common_tables[first + index] = defined;
            } else {
                self.common_tables.push(defined);
            }
        }
    }

    fn plain_table(&mut self, cte: &mut Cte, outer: Option<&Scope<'_>>) -> Shape {
        super::select::name_columns(&mut cte.query);
        let shape = self.query(&mut cte.query, outer);
        self.renamed(shape, &cte.columns, cte.name.span)
    }

    fn recursive_table(&mut self, cte: &mut Cte, place: usize, outer: Option<&Scope<'_>>) -> Shape {
        super::select::name_columns(&mut cte.query);
        if let Err(fault) = recursion::check_bound(cte, self.dialect) {
            self.diagnostics.push(fault);
        }
        let Query { body: Body::SetOperation { left, right, .. }, order_by, limit, offset, .. } =
            &mut *cte.query
        else {
            return Shape::default();
        };
        let shape = self.query(left, outer);
        let mut shape = self.renamed(shape, &cte.columns, cte.name.span);
        let seeds: Vec<Size> = shape
            .columns
            .iter_mut()
            .enumerate()
            .map(|(column, it)| {
                let own = Size::of_own((place, column), &it.size);
                std::mem::replace(&mut it.size, own)
            })
            .collect();
        self.common_tables[place].shape = Some(shape.clone());
        let recursive = self.query(right, outer);
        self.same_arity(&shape, &recursive);
        let steps: Vec<Size> = recursive.columns.into_iter().map(|column| column.size).collect();
        let most = self.limits.max_generated_text;
        let sizes = match growth::of_columns(place, &seeds, &steps, most) {
            Ok(sizes) => sizes,
            Err((column, fault)) => {
                let name = &shape.columns[column].name;
                let span = growth::place_of(right, column).unwrap_or(cte.name.span);
                self.diagnostics.push(fault.diagnostic(&cte.name.name, name, span));
                seeds
            }
        };
        self.check_searches(place, &sizes);
        if let Some((index, size)) = sizes.iter().enumerate().max_by_key(|(_, size)| size.length) {
            self.bounded(size.clone(), || growth::place_of(right, index));
        }
        for (column, size) in shape.columns.iter_mut().zip(sizes) {
            column.size = size;
        }
        self.order_of_rows(order_by, &shape);
        for bound in [limit, offset].into_iter().flatten() {
            self.expression(bound, &Scope::default());
        }
        Shape { width: shape.width.max(1), ..shape }
    }

    /// A shape renamed by a column list; columns beyond the list keep their names.
    pub(super) fn renamed(
        &mut self,
        mut shape: Shape,
        names: &[Identifier],
        place: SqlSpan,
    ) -> Shape {
        if names.len() > shape.columns.len() {
            let message = format!(
                "the column list has {} names, but the query returns {} columns",
                names.len(),
                shape.columns.len()
            );
            self.fault(Code::ColumnCount, message, place);
        }
        for (column, name) in shape.columns.iter_mut().zip(names) {
            column.name = stored(name, self.dialect).name;
        }
        shape
    }

    fn set_operation(
        &mut self,
        operator: SetOperator,
        left: &mut Query,
        right: &mut Query,
        outer: Option<&Scope<'_>>,
    ) -> Shape {
        let left = self.query(left, outer);
        let right = self.query(right, outer);
        self.same_arity(&left, &right);
        let columns = left
            .columns
            .into_iter()
            .zip(right.columns)
            .map(|(first, second)| OutputColumn {
                source: first.source.filter(|source| Some(source) == second.source.as_ref()),
                data_type: first.data_type.filter(|found| Some(*found) == second.data_type),
                size: first.size.either(second.size),
                name: first.name,
            })
            .collect();
        let least = usize::from(operator == SetOperator::Union);
        Shape { columns, width: left.width.max(right.width).max(least) }
    }

    fn same_arity(&mut self, left: &Shape, right: &Shape) {
        if left.columns.len() != right.columns.len() {
            let message = format!(
                "the set operation combines {} and {} columns; both sides need the same number",
                left.columns.len(),
                right.columns.len()
            );
            self.fault(Code::ColumnCount, message, SqlSpan::default());
        }
    }

    fn values(&mut self, rows: &mut [Vec<Expr>], outer: Option<&Scope<'_>>) -> Shape {
        let empty = Scope::default();
        let count = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != count) {
            self.fault(
                Code::ColumnCount,
                "the rows of VALUES differ in length",
                SqlSpan::default(),
            );
        }
        let mut columns: Vec<OutputColumn> = (1..=count)
            .map(|number| OutputColumn {
                name: format!("column{number}"),
                ..OutputColumn::default()
            })
            .collect();
        for row in rows {
            for (index, expr) in row.iter_mut().enumerate() {
                let size = self.expression(expr, outer.unwrap_or(&empty));
                if let Some(column) = columns.get_mut(index) {
                    column.size = std::mem::take(&mut column.size).either(size);
                }
            }
        }
        Shape { columns, width: 0 }
    }

    /// ORDER BY of a SELECT: a bare name refers to an output column first, then to a column of FROM.
    fn order_of_select(
        &mut self,
        items: &mut [OrderItem],
        scope: &mut Scope<'_>,
        columns: &[OutputColumn],
    ) {
        let names: Vec<(String, Size)> =
            columns.iter().map(|column| (column.name.clone(), column.size.clone())).collect();
        for item in items {
            let is_bare = matches!(item.expr, Expr::Column { qualifier: None, .. });
            let takes_alias = is_bare || self.dialect == Dialect::Sqlite;
            scope.aliases = if takes_alias { names.clone() } else { Vec::new() };
            scope.aliases_first = is_bare;
            self.expression(&mut item.expr, scope);
        }
    }

    /// ORDER BY of a set operation or VALUES: output columns only.
    fn order_of_rows(&mut self, items: &mut [OrderItem], shape: &Shape) {
        let source = BoundSource { name: None, shape: shape.clone(), is_open: false };
        let scope = Scope { sources: vec![source], ..Scope::default() };
        for item in items {
            self.expression(&mut item.expr, &scope);
        }
    }
}
