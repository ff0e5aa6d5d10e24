//! Conversion of windows; a named window is copied to where it is used.

use sqlparser::ast;

use crate::foreign::Part;
use crate::tree::{Expr, Frame, FrameBound, SqlSpan, Window};

use super::{Converted, Reader, unsupported};

/// A definition of a WINDOW clause.
pub(super) struct NamedWindow {
    /// Name, in lower case unless it is quoted.
    name: String,
    window: Window,
    /// Whether a call or another definition refers to it.
    is_used: bool,
}

impl Reader<'_> {
    /// Reads the WINDOW clause of a SELECT, which must precede its columns, and returns the parts of each definition.
    pub(super) fn define_windows(
        &mut self,
        definitions: Vec<ast::NamedWindowDefinition>,
    ) -> Converted<Vec<Vec<Part>>> {
        let mut words = Vec::new();
        for ast::NamedWindowDefinition(name, definition) in definitions {
            let mut parts = vec![Part::Name(self.identifier(name.clone())?), Part::Text(" AS (")];
            let window = match definition {
                ast::NamedWindowExpr::NamedWindow(base) => {
                    parts.push(Part::Name(self.identifier(base.clone())?));
                    self.named_window(&base)?
                }
                ast::NamedWindowExpr::WindowSpec(specification) => {
                    if let Some(base) = &specification.window_name {
                        let base = self.identifier(base.clone())?;
                        parts.extend([Part::Name(base), Part::Text(" ")]);
                    }
                    let own = ast::WindowSpec { window_name: None, ..specification.clone() };
                    parts.push(Part::Window(self.window(own)?));
                    self.window(specification)?
                }
            };
            parts.push(Part::Text(")"));
            words.push(parts);
            self.windows.push(NamedWindow { name: folded(&name), window, is_used: false });
        }
        Ok(words)
    }

    pub(super) fn over(&mut self, over: ast::WindowType) -> Converted<Window> {
        match over {
            ast::WindowType::NamedWindow(name) => self.named_window(&name),
            ast::WindowType::WindowSpec(specification) => self.window(specification),
        }
    }

    /// Definitions of the WINDOW clause that nothing read so far refers to.
    pub(super) fn unused_windows(&self) -> Vec<Window> {
        let unused = self.windows.iter().filter(|defined| !defined.is_used);
        unused.map(|defined| defined.window.clone()).collect()
    }

    fn named_window(&mut self, name: &ast::Ident) -> Converted<Window> {
        let wanted = folded(name);
        match self.windows.iter_mut().find(|defined| defined.name == wanted) {
            Some(defined) => {
                defined.is_used = true;
                Ok(defined.window.clone())
            }
            None => Err(unsupported("an undefined window name", self.lines.span(name.span))),
        }
    }

    fn window(&mut self, specification: ast::WindowSpec) -> Converted<Window> {
        let ast::WindowSpec { window_name, partition_by, order_by, window_frame } = specification;
        let mut window = match window_name {
            Some(name) => self.named_window(&name)?,
            None => Window::default(),
        };
        if window.frame.is_some() {
            let what = "a window based on one that has a frame";
            return Err(unsupported(what, SqlSpan::default()));
        }
        if !partition_by.is_empty() {
            window.partition_by = self.exprs(partition_by)?;
        }
        if !order_by.is_empty() {
            window.order_by = self.order_items(order_by)?;
        }
        window.frame = window_frame.map(|frame| self.frame(frame)).transpose()?;
        Ok(window)
    }

    fn frame(&mut self, frame: ast::WindowFrame) -> Converted<Frame> {
        let ast::WindowFrame { units, start_bound, end_bound } = frame;
        let unit = match units {
            ast::WindowFrameUnits::Rows => "ROWS",
            ast::WindowFrameUnits::Range => "RANGE",
            ast::WindowFrameUnits::Groups => "GROUPS",
        };
        Ok(Frame {
            unit: unit.to_owned(),
            start: self.bound(start_bound)?,
            end: end_bound.map(|bound| self.bound(bound)).transpose()?,
        })
    }

    fn bound(&mut self, bound: ast::WindowFrameBound) -> Converted<FrameBound> {
        let mut count = |count: Option<Box<ast::Expr>>| {
            count.map(|count| self.frame_count(*count).map(Box::new)).transpose()
        };
        Ok(match bound {
            ast::WindowFrameBound::CurrentRow => FrameBound::CurrentRow,
            ast::WindowFrameBound::Following(n) => FrameBound::Following(count(n)?),
            ast::WindowFrameBound::Preceding(n) => FrameBound::Preceding(count(n)?),
        })
    }
}

impl Reader<'_> {
    /// The count of a frame bound; the parser reads a plain string as an interval.
    fn frame_count(&mut self, count: ast::Expr) -> Converted<Expr> {
        if let ast::Expr::Interval(ast::Interval { value, .. }) = &count
            && let ast::Expr::Value(text) = &**value
            && self.is_postgres()
            && !self.lines.follows(self.lines.span(text.span), "interval")
        {
            return self.value(text.clone());
        }
        self.expr(count)
    }
}

fn folded(name: &ast::Ident) -> String {
    if name.quote_style.is_some() { name.value.clone() } else { name.value.to_ascii_lowercase() }
}
