//! Foreign function calls and arguments, and references to named windows.

use sqlparser::ast;

use crate::foreign::Part;
use crate::tree::{Argument, Expr, FunctionCall, Identifier, SqlSpan};

use super::super::{Converted, Reader, unsupported};
use super::token::VARIADIC;
use super::{Kept, dotted, listed};

/// How the window of a call was written.
pub(in super::super) enum Over {
    /// Without a window, or in syntax that the printer reproduces.
    Plain,
    /// By reference to a named window.
    Named(Vec<Part>),
    /// With a frame that the tree cannot represent.
    Foreign(Kept, Vec<Part>),
}

impl Kept {
    /// A call with a window that the tree cannot represent.
    pub(in super::super) fn over(self, call: Expr, words: Vec<Part>) -> Expr {
        let parts = [Part::Expr(call), Part::Text(" OVER ")];
        self.expr(parts.into_iter().chain(words).collect())
    }
}

impl Reader<'_> {
    /// A call of a quoted or schema-qualified function.
    pub(in super::super) fn foreign_call(
        kept: Kept,
        names: Vec<Identifier>,
        call: FunctionCall,
        over: Over,
    ) -> Expr {
        let mut parts = dotted(names);
        parts.push(Part::Text(if call.distinct { "(DISTINCT " } else { "(" }));
        parts.extend(listed(call.arguments, |argument| match argument {
            Argument::Expr(expr) => Part::Expr(expr),
            Argument::Star => Part::Text("*"),
        }));
        if !call.order_by.is_empty() {
            parts.push(Part::Text(" ORDER BY "));
            parts.extend(listed(call.order_by, Part::Order));
        }
        parts.push(Part::Text(")"));
        if !call.within_group.is_empty() {
            parts.push(Part::Text(" WITHIN GROUP (ORDER BY "));
            parts.extend(listed(call.within_group, Part::Order));
            parts.push(Part::Text(")"));
        }
        if let Some(filter) = call.filter {
            parts.extend([Part::Text(" FILTER (WHERE "), Part::Expr(*filter), Part::Text(")")]);
        }
        match (over, call.over) {
            (Over::Named(words) | Over::Foreign(_, words), _) => {
                parts.push(Part::Text(" OVER "));
                parts.extend(words);
            }
            (Over::Plain, Some(window)) => {
                parts.extend([Part::Text(" OVER ("), Part::Window(window), Part::Text(")")]);
            }
            (Over::Plain, None) => {}
        }
        kept.expr(parts)
    }

    /// Sets the window of a call, and returns how it was written.
    pub(in super::super) fn windowed_call(
        &mut self,
        call: &mut FunctionCall,
        over: Option<ast::WindowType>,
    ) -> Converted<Over> {
        let Some(over) = over else { return Ok(Over::Plain) };
        let words = match &over {
            ast::WindowType::NamedWindow(name) => {
                if let Some(aside) = self.aside(&name.value) {
                    let place = self.lines.span(name.span);
                    let kept = self.keep(unsupported("this kind of window frame", place))?;
                    return Ok(Over::Foreign(kept, aside));
                }
                Some(vec![Part::Name(self.identifier(name.clone())?)])
            }
            ast::WindowType::WindowSpec(window) => match &window.window_name {
                Some(name) if self.is_postgres() => {
                    let base = self.identifier(name.clone())?;
                    let rest = ast::WindowSpec { window_name: None, ..window.clone() };
                    let rest = self.over(ast::WindowType::WindowSpec(rest))?;
                    let base = [Part::Text("("), Part::Name(base), Part::Text(" ")];
                    let rest = [Part::Window(rest), Part::Text(")")];
                    Some(base.into_iter().chain(rest).collect())
                }
                _ => None,
            },
        };
        call.over = Some(self.over(over)?);
        Ok(match words {
            Some(words) if self.is_postgres() => Over::Named(words),
            _ => Over::Plain,
        })
    }

    /// `name => value`, or VARIADIC before a value.
    pub(in super::super) fn named_argument(
        &mut self,
        name: ast::Ident,
        value: ast::FunctionArgExpr,
        operator: &ast::FunctionArgOperator,
    ) -> Converted<Argument> {
        let fault = unsupported("a named argument", SqlSpan::default());
        let kept = self.keep(fault.clone())?;
        let ast::FunctionArgExpr::Expr(value) = value else { return Err(fault) };
        let mut parts = match operator {
            _ if name.value == VARIADIC => vec![Part::Text("VARIADIC ")],
            ast::FunctionArgOperator::RightArrow => {
                vec![Part::Name(self.identifier(name)?), Part::Text(" => ")]
            }
            ast::FunctionArgOperator::Assignment => {
                vec![Part::Name(self.identifier(name)?), Part::Text(" := ")]
            }
            _ => return Err(fault),
        };
        parts.push(Part::Expr(self.expr(value)?));
        Ok(Argument::Expr(kept.expr(parts)))
    }

    /// `source.*` as an argument.
    pub(in super::super) fn row_argument(
        &self,
        kept: Kept,
        name: ast::ObjectName,
    ) -> Converted<Argument> {
        let mut parts = dotted(self.parts(name)?);
        parts.push(Part::Text(".*"));
        Ok(Argument::Expr(kept.expr(parts)))
    }
}
