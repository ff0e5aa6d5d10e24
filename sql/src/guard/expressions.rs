//! Checks of expressions: every name resolves; every function, cast and collation is on an allow-list.

use crate::diagnostic::Code;
use crate::tree::{Argument, Expr, FunctionCall, Identifier, Literal, Query, SqlSpan, Window};
use crate::tree::{CastType, FrameBound, OrderItem};
use crate::types::type_entry;

use super::scope::{Resolved, Scope};
use super::size::{self, Form, Size};
use super::{Guard, calls, constants, functions, growth};
use crate::suggest;

impl Guard<'_> {
    /// Checks an expression, replaces its names with the stored ones, and returns the size of its value.
    pub(super) fn expression(&mut self, expr: &mut Expr, scope: &Scope<'_>) -> Size {
        self.bind_placeholders(expr, scope);
        match expr {
            Expr::Column { qualifier, name } => return self.column(qualifier, name, scope),
            Expr::Literal(literal, _) => return self.literal(literal),
            Expr::Unary { negative: false, operand } => return self.expression(operand, scope),
            Expr::Tuple(list) | Expr::Array(list) => {
                let sizes: Vec<Size> =
                    list.iter_mut().map(|item| self.expression(item, scope)).collect();
                return Size { form: Form::List, ..size::all(sizes).many() };
            }
            Expr::Binary { operator, left, right } => {
                let sizes = (self.expression(left, scope), self.expression(right, scope));
                let size = size::of_binary(*operator, sizes.0, sizes.1);
                return self.bounded(size, || growth::span(expr));
            }
            Expr::Subquery(query) => return self.subquery(query, 1, scope),
            Expr::Case { operand, branches, otherwise } => {
                return self.case(
                    operand.as_deref_mut(),
                    branches,
                    otherwise.as_deref_mut(),
                    scope,
                );
            }
            Expr::Cast { operand, to } => return self.cast(operand, to, scope),
            Expr::Function(call) => return self.call(call, scope),
            Expr::Collate { operand, collation } => {
                let size = self.expression(operand, scope);
                let stored = crate::names::stored(collation, self.dialect);
                if !functions::is_collation(&stored.name, self.dialect) {
                    let message = format!("the collation {:?} is not allowed", collation.name);
                    self.fault(Code::Type, message, collation.span);
                }
                return size;
            }
            Expr::Spelled(spelled) => {
                *expr = std::mem::replace(&mut spelled.meaning, Expr::Tuple(Vec::new()));
                return self.expression(expr, scope);
            }
            _ => self.short_expression(expr, scope),
        }
        Size::short()
    }

    /// Checks an expression whose value is never long, such as a condition.
    fn short_expression(&mut self, expr: &mut Expr, scope: &Scope<'_>) {
        match expr {
            Expr::Parameter(name) => {
                let message = format!("the parameter {name:?} has no value");
                self.fault(Code::Parameter, message, SqlSpan::default());
            }
            Expr::And(list) | Expr::Or(list) => self.expressions(list, scope),
            Expr::Not(operand)
            | Expr::Unary { operand, .. }
            | Expr::IsNull { operand, .. }
            | Expr::IsBoolean { operand, .. }
            | Expr::Extract { operand, .. } => {
                self.expression(operand, scope);
            }
            Expr::Between { operand, low, high, .. } => {
                self.expression(operand, scope);
                self.expression(low, scope);
                self.expression(high, scope);
            }
            Expr::InList { operand, list, .. } => {
                self.expression(operand, scope);
                self.expressions(list, scope);
            }
            Expr::InQuery { operand, query, .. } => {
                self.expression(operand, scope);
                let columns = match &**operand {
                    Expr::Tuple(items) => items.len(),
                    _ => 1,
                };
                self.subquery(query, columns, scope);
            }
            Expr::Exists { query, .. } => {
                self.query(query, Some(scope));
            }
            Expr::Like { operand, pattern, .. } => {
                self.like(operand, pattern, scope);
            }
            Expr::AtTimeZone { operand, zone } => {
                self.expression(operand, scope);
                self.expression(zone, scope);
            }
            Expr::Grouping { .. } => {
                let message = "ROLLUP, CUBE and GROUPING SETS are only allowed in GROUP BY";
                self.fault(Code::Unsupported, message, SqlSpan::default());
            }
            Expr::Foreign(foreign) => self.diagnostics.push(foreign.fault.clone()),
            // The caller handles all others.
            _ => {}
        }
    }

    fn case(
        &mut self,
        operand: Option<&mut Expr>,
        branches: &mut [(Expr, Expr)],
        otherwise: Option<&mut Expr>,
        scope: &Scope<'_>,
    ) -> Size {
        if let Some(operand) = operand {
            self.expression(operand, scope);
        }
        let mut sizes: Vec<Size> =
            otherwise.into_iter().map(|expr| self.expression(expr, scope)).collect();
        for (when, then) in branches {
            self.expression(when, scope);
            sizes.push(self.expression(then, scope));
        }
        size::longest(sizes)
    }

    fn cast(&mut self, operand: &mut Expr, to: &CastType, scope: &Scope<'_>) -> Size {
        let size = self.expression(operand, scope);
        let known = type_entry(&to.name).and_then(|entry| entry.spelling(self.dialect));
        if known.is_none() {
            let message = format!("a cast to {:?} is not allowed", to.name);
            self.fault(Code::Type, message, SqlSpan::default());
        }
        let most = self.limits.max_generated_text;
        if constants::padding(to).is_some_and(|length| length > most) {
            let message = format!("a cast pads texts to at most {most} characters");
            self.fault(Code::Limit, message, growth::span(operand).unwrap_or_default());
            return Size::default();
        }
        let size = constants::of_cast(size, operand, to, self.dialect, most);
        self.bounded(size, || growth::span(operand))
    }

    fn expressions(&mut self, list: &mut [Expr], scope: &Scope<'_>) {
        for expr in list {
            self.expression(expr, scope);
        }
    }

    fn subquery(&mut self, query: &mut Query, columns: usize, scope: &Scope<'_>) -> Size {
        let shape = self.query(query, Some(scope));
        let found = shape.columns.len();
        if found != columns {
            let message = format!("the subquery returns {found} columns; expected {columns}");
            self.fault(Code::ColumnCount, message, SqlSpan::default());
        }
        shape.columns.into_iter().next().map(|column| column.size).unwrap_or_default()
    }

    fn literal(&mut self, literal: &Literal) -> Size {
        if let Literal::String(text) = literal
            && text.contains('\0')
        {
            self.fault(Code::Lexical, "a string literal contains a zero byte", SqlSpan::default());
        }
        constants::of_literal(literal, self.dialect)
    }

    fn column(
        &mut self,
        qualifier: &mut Option<Identifier>,
        name: &mut Identifier,
        scope: &Scope<'_>,
    ) -> Size {
        match scope.resolve(qualifier.as_ref(), name, self.dialect) {
            Resolved::Column { name: stored, column } => {
                *name = Identifier { span: name.span, ..Identifier::stored(stored) };
                return column.size;
            }
            Resolved::Outer { source, name: stored, column } => {
                *name = Identifier { span: name.span, ..Identifier::stored(stored) };
                self.qualify_outer(qualifier, source, name, scope);
                return column.size;
            }
            Resolved::Alias(size) => return size,
            Resolved::Unknowable => {}
            Resolved::Ambiguous => {
                let message =
                    format!("column {:?} is ambiguous: more than one source has it", name.name);
                let hint = Some("qualify it with the name or alias of its source".to_owned());
                self.fault_with_hint(Code::AmbiguousColumn, message, hint, name.span);
            }
            Resolved::UnknownColumn => self.unknown_column(qualifier.as_ref(), name, scope),
            Resolved::UnknownSource => {
                if let Some(source) = qualifier {
                    self.unknown_source(source, scope);
                }
            }
        }
        Size::default()
    }

    /// Qualifies an outer column, because an inner table could have a hidden column of the same name.
    fn qualify_outer(
        &mut self,
        qualifier: &mut Option<Identifier>,
        source: Option<Identifier>,
        name: &Identifier,
        scope: &Scope<'_>,
    ) {
        if qualifier.is_some() {
            return;
        }
        match source {
            Some(source) if scope.source_index(&source, self.dialect).is_none() => {
                *qualifier = Some(source);
            }
            _ => {
                let message =
                    format!("column {:?} of the outer query must be qualified", name.name);
                let hint =
                    Some("give the outer table an alias and qualify the column with it".to_owned());
                self.fault_with_hint(Code::AmbiguousColumn, message, hint, name.span);
            }
        }
    }

    fn unknown_column(
        &mut self,
        qualifier: Option<&Identifier>,
        name: &Identifier,
        scope: &Scope<'_>,
    ) {
        if qualifier.is_none() && scope.source_index(name, self.dialect).is_some() {
            let message = format!("{:?} refers to a whole row, which is not allowed", name.name);
            let hint = Some("list its columns by name".to_owned());
            return self.fault_with_hint(Code::WholeRow, message, hint, name.span);
        }
        if functions::is_hidden_column(&name.name) {
            let message = format!("{:?} is a system column, which is not allowed", name.name);
            return self.fault(Code::WholeRow, message, name.span);
        }
        let index = qualifier.and_then(|source| scope.source_index(source, self.dialect));
        let source = index.and_then(|index| scope.sources.get(index));
        let (message, near) = if let Some(source) = source {
            let called = source.name.as_ref().map_or("", |name| &name.name);
            let columns = source.shape.columns.iter().map(|column| column.name.as_str());
            let near = suggest::nearest(&name.name, columns);
            (format!("{called:?} has no column {:?}", name.name), near)
        } else {
            let near = suggest::nearest(&name.name, scope.column_names());
            (format!("unknown column {:?}", name.name), near)
        };
        self.fault_with_hint(Code::UnknownColumn, message, suggest::hint(near), name.span);
    }

    /// Diagnostic for a qualifier that names no source in FROM.
    pub(super) fn unknown_source(&mut self, source: &Identifier, scope: &Scope<'_>) {
        let near = suggest::nearest(&source.name, scope.source_names()).map(str::to_owned);
        let message = format!("no table or alias {:?} in FROM", source.name);
        let hint = suggest::hint(near.as_deref());
        self.fault_with_hint(Code::UnknownAlias, message, hint, source.span);
    }

    fn call(&mut self, call: &mut FunctionCall, scope: &Scope<'_>) -> Size {
        match functions::function(&call.name, self.dialect) {
            None => self.refused_function(&call.name, call.span),
            Some(entry) if !(entry.scalar || entry.aggregate || entry.window) => {
                let message = format!(
                    "the function {:?} returns rows and is only allowed in FROM",
                    call.name
                );
                self.fault(Code::Function, message, call.span);
            }
            Some(entry) => {
                if entry.window && !entry.scalar && !entry.aggregate && call.over.is_none() {
                    let message =
                        format!("the window function {:?} needs an OVER clause", call.name);
                    self.fault(Code::Function, message, call.span);
                }
                if let Some(place) = entry.sized {
                    self.check_size(call, place);
                }
                if entry.pattern {
                    self.check_pattern(call);
                }
            }
        }
        let mut sizes = self.arguments(call, scope);
        self.check_needle(call, &sizes);
        self.order_items(&mut call.order_by, scope);
        sizes.extend(self.order_items(&mut call.within_group, scope));
        if let Some(filter) = &mut call.filter {
            self.expression(filter, scope);
        }
        if let Some(window) = &mut call.over {
            self.window(window, scope);
        }
        let most = self.limits.max_generated_text;
        self.bounded(calls::of_call(call, self.dialect, sizes, most), || Some(call.span))
    }

    /// Checks the arguments of a call and returns their sizes.
    pub(super) fn arguments(&mut self, call: &mut FunctionCall, scope: &Scope<'_>) -> Vec<Size> {
        let mut sizes = Vec::with_capacity(call.arguments.len());
        for argument in &mut call.arguments {
            match argument {
                Argument::Expr(expr) => sizes.push(self.expression(expr, scope)),
                Argument::Star if call.name == "count" => {}
                Argument::Star => self.fault(
                    Code::WholeRow,
                    "* as an argument is only allowed in count(*)",
                    call.span,
                ),
            }
        }
        sizes
    }

    fn order_items(&mut self, items: &mut [OrderItem], scope: &Scope<'_>) -> Vec<Size> {
        items.iter_mut().map(|item| self.expression(&mut item.expr, scope)).collect()
    }

    pub(super) fn window(&mut self, window: &mut Window, scope: &Scope<'_>) {
        self.expressions(&mut window.partition_by, scope);
        self.order_items(&mut window.order_by, scope);
        let Some(frame) = &mut window.frame else { return };
        for bound in std::iter::once(&mut frame.start).chain(&mut frame.end) {
            if let FrameBound::Following(Some(count)) | FrameBound::Preceding(Some(count)) = bound {
                self.expression(count, scope);
            }
        }
    }

    /// Diagnostic for a function that is not on the allow-list.
    pub(super) fn refused_function(&mut self, name: &str, place: SqlSpan) {
        let near = suggest::nearest(name, functions::names(self.dialect));
        let message = format!("the function {name:?} is not allowed");
        self.fault_with_hint(Code::Function, message, suggest::hint(near), place);
    }
}
