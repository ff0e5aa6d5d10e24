//! Conversion of function calls and casts.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::foreign::{Part, Spelling};
use crate::tree::BinaryOperator::{Concat, Minus, Plus};
use crate::tree::{Argument, CastType, Expr, FunctionCall, Identifier, SqlSpan};

use super::dialect::ReadDialect;
use super::foreign::Over;
use super::{Converted, Reader, absent, unsupported};

impl Reader<'_> {
    pub(super) fn function(&mut self, call: ast::Function) -> Converted<Expr> {
        let ast::Function {
            name,
            uses_odbc_syntax,
            parameters,
            args,
            within_group,
            filter,
            null_treatment,
            over,
        } = call;
        absent(!uses_odbc_syntax, "a call in ODBC syntax")?;
        absent(matches!(parameters, ast::FunctionArguments::None), "a parametric aggregate")?;
        let respects = self.habits && null_treatment == Some(ast::NullTreatment::RespectNulls);
        absent(null_treatment.is_none() || respects, "IGNORE NULLS or RESPECT NULLS")?;
        let mut foreign = None;
        let (name, span) = match self.unquoted_function(name.clone()) {
            Ok(named) => named,
            Err(fault) => {
                let span = fault.span;
                let names = self.parts(name)?;
                foreign = Some((self.keep_function(fault, &names)?, names));
                (String::new(), span)
            }
        };
        let mut call = FunctionCall { span, ..FunctionCall::new(&name, Vec::new()) };
        match args {
            ast::FunctionArguments::None if is_bare_call(&call.name) && self.is_postgres() => {
                let message = format!("the function {:?} is not allowed", call.name);
                let kept = self.keep(function_fault(&message, call.span))?;
                return Ok(kept.expr(vec![Part::Word(call.name)]));
            }
            ast::FunctionArguments::None => {}
            ast::FunctionArguments::Subquery(query) => {
                let query = Expr::Subquery(Box::new(self.query(*query)?));
                call.arguments = vec![Argument::Expr(query)];
            }
            ast::FunctionArguments::List(list) => self.argument_list(list, &mut call)?,
        }
        call.within_group = self.order_items(within_group)?;
        call.filter = filter.map(|filter| self.expr(*filter).map(Box::new)).transpose()?;
        let over = self.windowed_call(&mut call, over)?;
        if let Some((kept, names)) = foreign {
            return Ok(Self::foreign_call(kept, names, call, over));
        }
        if self.habits && matches!(over, Over::Plain) {
            return self.habit_call(call);
        }
        match over {
            Over::Plain => Ok(self.lowered(call)),
            Over::Named(words) => Ok(self.spelled(call.into(), Spelling::Over(words))),
            Over::Foreign(kept, words) => Ok(kept.over(call.into(), words)),
        }
    }

    /// `DATE(x)` is a cast, except on SQLite, where it takes modifiers.
    pub(super) fn lowered(&self, mut call: FunctionCall) -> Expr {
        let is_date = call.name == "date" && self.dialect != ReadDialect::Sqlite;
        match call.arguments.as_mut_slice() {
            [Argument::Expr(operand)] if is_date => {
                let operand = Box::new(std::mem::replace(operand, Expr::Tuple(Vec::new())));
                let to = CastType { name: "date".to_owned(), arguments: vec![] };
                self.spelled(Expr::Cast { operand, to }, Spelling::DateCall)
            }
            _ => call.into(),
        }
    }

    fn argument_list(
        &mut self,
        list: ast::FunctionArgumentList,
        call: &mut FunctionCall,
    ) -> Converted<()> {
        let ast::FunctionArgumentList { duplicate_treatment, args, clauses } = list;
        call.distinct = duplicate_treatment == Some(ast::DuplicateTreatment::Distinct);
        call.arguments = self.arguments(args)?;
        for clause in clauses {
            match clause {
                ast::FunctionArgumentClause::OrderBy(items) => {
                    call.order_by = self.order_items(items)?;
                }
                other if self.habits => self.habit_clause(other, call)?,
                _ => return Err(unsupported("this clause inside a function call", call.span)),
            }
        }
        Ok(())
    }

    pub(super) fn arguments(&mut self, args: Vec<ast::FunctionArg>) -> Converted<Vec<Argument>> {
        args.into_iter()
            .map(|argument| match argument {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(ast::Expr::BinaryOp {
                    left,
                    op: ast::BinaryOperator::Assignment,
                    right,
                })) => match *left {
                    ast::Expr::Identifier(name) => {
                        let value = ast::FunctionArgExpr::Expr(*right);
                        self.named_argument(name, value, &ast::FunctionArgOperator::Assignment)
                    }
                    _ => Err(unsupported("a named argument", SqlSpan::default())),
                },
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => {
                    Ok(Argument::Expr(self.expr(expr)?))
                }
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Wildcard) => Ok(Argument::Star),
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::QualifiedWildcard(name)) => {
                    let message = "a whole row as an argument is not allowed";
                    let fault = Diagnostic::new(Code::WholeRow, message, SqlSpan::default());
                    self.row_argument(self.keep(fault)?, name)
                }
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::WildcardWithOptions(_)) => {
                    Err(unsupported("* with options as an argument", SqlSpan::default()))
                }
                ast::FunctionArg::Named { name, arg, operator } => {
                    self.named_argument(name, arg, &operator)
                }
                ast::FunctionArg::ExprNamed {
                    name: ast::Expr::Identifier(name),
                    arg,
                    operator,
                } => self.named_argument(name, arg, &operator),
                ast::FunctionArg::ExprNamed { .. } => {
                    Err(unsupported("a named argument", SqlSpan::default()))
                }
            })
            .collect()
    }

    /// Name of a call; a quoted or schema-qualified one is an error.
    fn unquoted_function(&self, name: ast::ObjectName) -> Converted<(String, SqlSpan)> {
        if let Some(ast::ObjectNamePart::Identifier(ident)) = name.0.first()
            && ident.quote_style.is_some()
        {
            return Err(function_fault(
                "quoted function names are not allowed",
                self.lines.span(ident.span),
            ));
        }
        let parts = self.parts(name)?;
        self.function_name(parts)
    }

    pub(super) fn function_name(&self, mut parts: Vec<Identifier>) -> Converted<(String, SqlSpan)> {
        let place = parts.first().map(|part| part.span).unwrap_or_default();
        match (parts.pop(), parts.is_empty()) {
            (Some(name), true) if name.quoted => {
                Err(function_fault("quoted function names are not allowed", place))
            }
            (Some(name), true) => {
                Ok((self.dialect.function_name(name.name.to_ascii_lowercase()), place))
            }
            _ => Err(function_fault("schema-qualified functions are not allowed", place)),
        }
    }

    pub(super) fn cast(
        &mut self,
        kind: ast::CastKind,
        operand: ast::Expr,
        data_type: ast::DataType,
        format: Option<ast::CastFormat>,
    ) -> Converted<Expr> {
        let exact = matches!(kind, ast::CastKind::Cast | ast::CastKind::DoubleColon);
        absent(exact, "TRY_CAST or SAFE_CAST")?;
        absent(format.is_none(), "a cast with a format")?;
        let operand = self.expr(operand)?;
        match self.cast_type(data_type.clone()) {
            Ok(to) => Ok(Expr::Cast { operand: Box::new(operand), to }),
            Err(fault) => self.foreign_cast(operand, &data_type, fault),
        }
    }
}

/// Whether a name is a function that is called without parentheses and that the guard does not allow.
fn is_bare_call(name: &str) -> bool {
    matches!(
        name,
        "current_catalog"
            | "current_role"
            | "current_schema"
            | "current_user"
            | "session_user"
            | "user"
    )
}

fn function_fault(message: &str, place: SqlSpan) -> Diagnostic {
    Diagnostic::new(Code::Function, message, place)
}

/// A text with a part replaced: `overlay(text, new, start, length)`, where the length defaults to that of the new part;
/// on SQLite, which has no such function, a concatenation.
pub(super) fn overlay(arguments: Vec<Expr>, dialect: ReadDialect) -> Expr {
    let [text, new, start, rest @ ..] = arguments.as_slice() else {
        return Expr::call("overlay", arguments);
    };
    if dialect != ReadDialect::Sqlite {
        return Expr::call("overlay", arguments);
    }
    let length = rest.first().cloned().unwrap_or_else(|| Expr::call("length", vec![new.clone()]));
    let before = Expr::binary(start.clone(), Minus, Expr::number("1"));
    let head = Expr::call("substr", vec![text.clone(), Expr::number("1"), before]);
    let after = Expr::binary(start.clone(), Plus, length);
    let tail = Expr::call("substr", vec![text.clone(), after]);
    Expr::binary(Expr::binary(head, Concat, new.clone()), Concat, tail)
}
