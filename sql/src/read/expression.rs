//! Conversion of expressions.

use sqlparser::ast;

use crate::foreign::Spelling;
use crate::tree::{BinaryOperator, Expr, SqlSpan};

use super::dialect::ReadDialect;
use super::foreign::{DOCUMENT, is_word};
use super::habits::Habit;
use super::{Converted, Reader, unsupported};

impl Reader<'_> {
    pub(super) fn expr(&mut self, expr: ast::Expr) -> Converted<Expr> {
        self.nested(|reader| reader.expr_here(expr))
    }

    pub(super) fn exprs(&mut self, list: Vec<ast::Expr>) -> Converted<Vec<Expr>> {
        list.into_iter().map(|expr| self.expr(expr)).collect()
    }

    pub(super) fn boxed(&mut self, expr: ast::Expr) -> Converted<Box<Expr>> {
        self.expr(expr).map(Box::new)
    }

    fn expr_here(&mut self, expr: ast::Expr) -> Converted<Expr> {
        super::precedence::check(&expr, self.dialect)?;
        if self.habits {
            return match self.habit_expr(expr)? {
                Habit::Read(expr) => Ok(expr),
                Habit::Common(expr) => self.common_expr(*expr),
            };
        }
        self.common_expr(expr)
    }

    fn common_expr(&mut self, expr: ast::Expr) -> Converted<Expr> {
        match expr {
            ast::Expr::BinaryOp { op: ast::BinaryOperator::StringConcat, .. }
                if self.dialect == ReadDialect::Mysql =>
            {
                Err(unsupported("|| in MySQL, where it means OR,", SqlSpan::default()))
            }
            ast::Expr::Identifier(name) if self.aside(&name.value).is_some() => {
                self.set_aside(&name)
            }
            ast::Expr::Identifier(name) => {
                Ok(Expr::Column { qualifier: None, name: self.identifier(name)? })
            }
            ast::Expr::CompoundIdentifier(names) => self.column(names),
            ast::Expr::Value(value) => self.value(value),
            ast::Expr::TypedString(typed) => self.typed_string(typed),
            ast::Expr::Interval(interval) => self.interval(interval),
            ast::Expr::Nested(inner) => self.expr(*inner),
            ast::Expr::BinaryOp { left, op, right } => self.chain(*left, op, *right),
            ast::Expr::UnaryOp { op, expr } => self.unary(op, *expr),
            ast::Expr::Function(call) => self.function(call),
            ast::Expr::Cast { kind, expr, data_type, format } => {
                self.cast(kind, *expr, data_type, format)
            }
            ast::Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                self.case(operand, conditions, else_result)
            }
            ast::Expr::Subquery(query) => Ok(Expr::Subquery(Box::new(self.query(*query)?))),
            ast::Expr::Exists { subquery, negated } => {
                Ok(Expr::Exists { query: Box::new(self.query(*subquery)?), negated })
            }
            ast::Expr::Tuple(items) => Ok(Expr::Tuple(self.exprs(items)?)),
            ast::Expr::CompoundFieldAccess { root, access_chain } => {
                self.access(*root, access_chain)
            }
            ast::Expr::Array(array) => Ok(Expr::Array(self.exprs(array.elem)?)),
            other => self.predicate(other),
        }
    }

    fn predicate(&mut self, expr: ast::Expr) -> Converted<Expr> {
        match expr {
            ast::Expr::IsNull(operand) => self.is_null(*operand, false),
            ast::Expr::IsNotNull(operand) => self.is_null(*operand, true),
            ast::Expr::IsUnknown(operand) => {
                let meaning = self.is_null(*operand, false)?;
                Ok(self.spelled(meaning, Spelling::Unknown))
            }
            ast::Expr::IsNotUnknown(operand) => {
                let meaning = self.is_null(*operand, true)?;
                Ok(self.spelled(meaning, Spelling::Unknown))
            }
            ast::Expr::IsTrue(operand) => self.is_boolean(*operand, true, false),
            ast::Expr::IsNotTrue(operand) => self.is_boolean(*operand, true, true),
            ast::Expr::IsFalse(operand) => self.is_boolean(*operand, false, false),
            ast::Expr::IsNotFalse(operand) => self.is_boolean(*operand, false, true),
            ast::Expr::IsDistinctFrom(left, right) if is_word(&right, DOCUMENT) => {
                self.is_predicate(*left, false, "DOCUMENT".to_owned())
            }
            ast::Expr::IsNotDistinctFrom(left, right) if is_word(&right, DOCUMENT) => {
                self.is_predicate(*left, true, "DOCUMENT".to_owned())
            }
            ast::Expr::IsDistinctFrom(left, right) => {
                self.binary(*left, BinaryOperator::IsDistinctFrom, *right)
            }
            ast::Expr::IsNotDistinctFrom(left, right) => {
                self.binary(*left, BinaryOperator::IsNotDistinctFrom, *right)
            }
            ast::Expr::Between { expr, negated, low, high } => Ok(Expr::Between {
                operand: self.boxed(*expr)?,
                low: self.boxed(*low)?,
                high: self.boxed(*high)?,
                negated,
            }),
            ast::Expr::InList { expr, list, negated } => self.in_list(*expr, list, negated),
            ast::Expr::InSubquery { expr, subquery, negated } => Ok(Expr::InQuery {
                operand: self.boxed(*expr)?,
                query: Box::new(self.query(*subquery)?),
                negated,
            }),
            ast::Expr::AnyOp { left, compare_op: ast::BinaryOperator::Eq, right, is_some: _ } => {
                self.in_any(*left, *right, false)
            }
            ast::Expr::AllOp { left, compare_op: ast::BinaryOperator::NotEq, right } => {
                self.in_any(*left, *right, true)
            }
            ast::Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                let ignores_case = self.dialect.like_ignores_case();
                self.like(*expr, *pattern, escape_char, ignores_case, negated)
            }
            ast::Expr::Like { negated, any: true, expr, pattern, escape_char }
                if self.habits && self.dialect != ReadDialect::Postgres =>
            {
                let ignores_case = self.dialect.like_ignores_case();
                self.like_any(*expr, *pattern, escape_char, ignores_case, negated)
            }
            ast::Expr::ILike { negated, any: true, expr, pattern, escape_char }
                if self.habits && self.dialect != ReadDialect::Postgres =>
            {
                self.like_any(*expr, *pattern, escape_char, true, negated)
            }
            ast::Expr::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like(*expr, *pattern, escape_char, true, negated)
            }
            ast::Expr::AtTimeZone { timestamp, time_zone } => Ok(Expr::AtTimeZone {
                operand: self.boxed(*timestamp)?,
                zone: self.boxed(*time_zone)?,
            }),
            ast::Expr::Collate { expr, collation } => {
                let mut parts = self.parts(collation)?;
                match (parts.pop(), parts.is_empty()) {
                    (Some(collation), true) => {
                        Ok(Expr::Collate { operand: self.boxed(*expr)?, collation })
                    }
                    (Some(last), false) => {
                        parts.push(last);
                        let operand = self.expr(*expr)?;
                        self.foreign_collation(operand, parts)
                    }
                    _ => Err(unsupported("a schema-qualified collation", SqlSpan::default())),
                }
            }
            other => self.special_call(other),
        }
    }

    fn column(&self, names: Vec<ast::Ident>) -> Converted<Expr> {
        let mut parts = self.identifiers(names)?;
        if parts.len() > 2 {
            return self.long_column(parts);
        }
        let place = parts.first().map(|part| part.span).unwrap_or_default();
        match (parts.pop(), parts.pop()) {
            (Some(name), qualifier) => Ok(Expr::Column { qualifier, name }),
            _ => Err(unsupported("a column without a name", place)),
        }
    }

    /// Calls with special syntax.
    fn special_call(&mut self, expr: ast::Expr) -> Converted<Expr> {
        match expr {
            ast::Expr::Extract { field, syntax: _, expr } => {
                let field = self.extracted_field(&field)?;
                Ok(Expr::Extract { field, operand: self.boxed(*expr)? })
            }
            ast::Expr::Ceil {
                expr,
                field: ast::CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime),
            } => Ok(Expr::call("ceil", vec![self.expr(*expr)?])),
            ast::Expr::Floor {
                expr,
                field: ast::CeilFloorKind::DateTimeField(ast::DateTimeField::NoDateTime),
            } => Ok(Expr::call("floor", vec![self.expr(*expr)?])),
            ast::Expr::Position { expr, r#in } => {
                let (needle, text) = (self.expr(*expr)?, self.expr(*r#in)?);
                let name = if self.dialect == ReadDialect::Sqlite { "instr" } else { "strpos" };
                Ok(self.spelled(Expr::call(name, vec![text, needle]), Spelling::Position))
            }
            ast::Expr::Overlay { expr, overlay_what, overlay_from, overlay_for } => {
                let parts = [*expr, *overlay_what, *overlay_from];
                let mut arguments = self.exprs(parts.into_iter().collect())?;
                if let Some(length) = overlay_for {
                    arguments.push(self.expr(*length)?);
                }
                Ok(super::function::overlay(arguments, self.dialect))
            }
            ast::Expr::Substring { expr, substring_from, substring_for, special, shorthand: _ } => {
                let mut arguments = vec![self.expr(*expr)?];
                let (from, length) = (substring_from.is_some(), substring_for.is_some());
                match (substring_from, substring_for) {
                    (Some(start), length) => {
                        arguments.push(self.expr(*start)?);
                        if let Some(length) = length {
                            arguments.push(self.expr(*length)?);
                        }
                    }
                    (None, Some(length)) => {
                        arguments.push(Expr::number("1"));
                        arguments.push(self.expr(*length)?);
                    }
                    (None, None) => {}
                }
                let call = Expr::call("substring", arguments);
                // `special` means that the arguments are separated by commas.
                let in_words = !special && (from || length);
                let spelling = Spelling::Substring { from, length };
                Ok(if in_words { self.spelled(call, spelling) } else { call })
            }
            ast::Expr::Trim { trim_where, trim_what, expr, trim_characters } => {
                let (name, side) = match trim_where {
                    None | Some(ast::TrimWhereField::Both) => ("trim", None),
                    Some(ast::TrimWhereField::Leading) => ("ltrim", Some("LEADING")),
                    Some(ast::TrimWhereField::Trailing) => ("rtrim", Some("TRAILING")),
                };
                let mut arguments = vec![self.expr(*expr)?];
                if let Some(characters) = trim_what {
                    arguments.push(self.expr(*characters)?);
                }
                arguments.extend(self.exprs(trim_characters.unwrap_or_default())?);
                let call = Expr::call(name, arguments);
                Ok(match side {
                    Some(side) => self.spelled(call, Spelling::Trim(side)),
                    None => call,
                })
            }
            other => self.foreign_predicate(other),
        }
    }
}
