//! Limits for searches that servers do not interrupt: they take the product of the lengths of both texts.

use crate::Dialect;
use crate::diagnostic::Code;
use crate::tree::{BinaryOperator, Expr, FunctionCall, Literal, SqlSpan};

use super::scope::Scope;
use super::size::Size;
use super::{Guard, functions, growth};

/// A search within the recursive part of a CTE, judged once the recursion has been checked and its lengths are known.
pub(super) struct Search {
    /// What must be short, as a diagnostic names it.
    what: String,
    span: SqlSpan,
    text: Size,
    needle: Size,
    /// Whether the needle is a pattern, of which only what follows a wildcard is searched for.
    is_pattern: bool,
}

impl Guard<'_> {
    /// Checks the argument that a call searches for in its first one.
    pub(super) fn check_needle(&mut self, call: &FunctionCall, sizes: &[Size]) {
        let needle = functions::function(&call.name, self.dialect).and_then(|entry| entry.needle);
        let Some((place, needle)) = needle.and_then(|place| Some((place, sizes.get(place)?)))
        else {
            return;
        };
        let what = format!("argument {} of {:?}", place + 1, call.name);
        let text = sizes.first().cloned().unwrap_or_default();
        let needle = needle.clone();
        self.check_search(Search { what, span: call.span, text, needle, is_pattern: false });
    }

    /// Checks LIKE. What precedes the first wildcard is compared once, and SQLite limits its patterns.
    pub(super) fn like(&mut self, operand: &mut Expr, pattern: &mut Expr, scope: &Scope<'_>) {
        let text = self.expression(operand, scope);
        let span = growth::span(pattern).unwrap_or_default();
        let needle = match pattern {
            Expr::Binary { operator: BinaryOperator::Concat, left, right }
                if is_last_wildcard(right) =>
            {
                self.expression(left, scope)
            }
            pattern => self.expression(pattern, scope),
        };
        if self.dialect == Dialect::Postgres {
            let what = "the pattern of LIKE".to_owned();
            self.check_search(Search { what, span, text, needle, is_pattern: true });
        }
    }

    fn check_search(&mut self, search: Search) {
        if search.is_pattern && !search.needle.has_wildcard && search.needle.own.is_empty() {
            return;
        }
        let limits = self.limits;
        let is_long = search.text.open || search.text.length > limits.max_generated_text;
        let most = if is_long { limits.max_needle_in_aggregate } else { limits.max_needle };
        if search.needle.open || search.needle.length > most {
            let message = format!("{} must be at most {most} characters long", search.what);
            self.fault(Code::Limit, message, search.span);
        } else if !(search.text.own.is_empty() && search.needle.own.is_empty()) {
            self.searches.push(search);
        }
    }

    /// Checks the searches in the recursive part of a CTE, once the sizes of its columns are known.
    pub(super) fn check_searches(&mut self, table: usize, columns: &[Size]) {
        for mut search in std::mem::take(&mut self.searches) {
            search.text = search.text.after(table, columns);
            search.needle = search.needle.after(table, columns);
            self.check_search(search);
        }
    }
}

/// Whether a constant ends with the only wildcard in it.
fn is_last_wildcard(expr: &Expr) -> bool {
    let Expr::Literal(Literal::String(text), _) = expr else { return false };
    text.strip_suffix('%').is_some_and(|start| !start.contains(['%', '\\']))
}
