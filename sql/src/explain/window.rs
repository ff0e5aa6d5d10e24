//! Phrases for window functions.

use super::names::Teller;
use crate::tree::{Expr, Frame, FrameBound, FunctionCall, Literal, Window};
use crate::walk::arguments;
use wherefore_english::and_list;

impl Teller<'_> {
    /// A window function call as a noun phrase.
    pub(super) fn window(&self, call: &FunctionCall, expr: &Expr, block: usize) -> String {
        let Some(window) = &call.over else { return self.written(expr) };
        let within = self.within(window, block);
        let order = match window.order_by.as_slice() {
            [] => String::new(),
            items => format!(", by {}", self.order(items, block)),
        };
        let around = format!("{within}{order}");
        let list: Vec<&Expr> = arguments(call).collect();
        let first = || list.first().map_or_else(|| "row".to_owned(), |it| self.noun(it, block));
        let steps = match list.get(1) {
            None => Some("1"),
            Some(Expr::Literal(Literal::Number(count), _)) => Some(count.as_str()),
            Some(_) => None,
        };
        match (call.name.as_str(), steps) {
            ("row_number", _) => format!("row number{around}"),
            ("rank", _) => format!("rank{around}, ties share a rank"),
            ("dense_rank", _) => format!("rank without gaps{around}, ties share a rank"),
            ("percent_rank" | "cume_dist", _) => format!("rank as a share{around}"),
            ("ntile", _) => {
                format!("number of the bucket out of {} equal buckets{around}", first())
            }
            ("lag", Some("1")) => format!("{} of the row before{around}", first()),
            ("lead", Some("1")) => format!("{} of the next row{around}", first()),
            ("lag", Some(count)) => format!("{} of {count} rows before{around}", first()),
            ("lead", Some(count)) => format!("{} of {count} rows later{around}", first()),
            ("first_value", _) => format!("first {}{around}", first()),
            ("last_value", _) => match self.frame(window) {
                Some(Spread::All) => format!("last {}{around}", first()),
                _ => self.written(expr),
            },
            _ if crate::guard::is_aggregate(
                &FunctionCall { over: None, ..call.clone() },
                self.dialect,
            ) =>
            {
                self.over_rows(call, expr, window, &within, block)
            }
            _ => self.written(expr),
        }
    }

    fn within(&self, window: &Window, block: usize) -> String {
        if window.partition_by.is_empty() {
            return String::new();
        }
        let keys: Vec<String> =
            window.partition_by.iter().map(|key| self.each(key, block)).collect();
        format!(" within each {}", and_list(&keys))
    }

    fn over_rows(
        &self,
        call: &FunctionCall,
        expr: &Expr,
        window: &Window,
        within: &str,
        block: usize,
    ) -> String {
        let figure = {
            let plain = FunctionCall { over: None, ..call.clone() };
            self.call(&plain, expr, block)
        };
        let order = || self.order(&window.order_by, block);
        match self.frame(window) {
            Some(Spread::All) if window.partition_by.is_empty() => {
                format!("{figure} over all rows")
            }
            Some(Spread::All) => format!("{figure}{within}"),
            Some(Spread::SoFar) => format!("running {figure}{within}, by {}", order()),
            Some(Spread::Last(count)) => {
                format!("{figure} over each row and the {count} before it{within}, by {}", order())
            }
            None => self.written(expr),
        }
    }

    fn frame(&self, window: &Window) -> Option<Spread> {
        let Some(Frame { start, end, unit }) = &window.frame else {
            return Some(if window.order_by.is_empty() { Spread::All } else { Spread::SoFar });
        };
        let whole = |bound: Option<&FrameBound>| matches!(bound, Some(FrameBound::Following(None)));
        match (start, end) {
            (FrameBound::Preceding(None), end) if whole(end.as_ref()) => Some(Spread::All),
            (FrameBound::Preceding(None), None | Some(FrameBound::CurrentRow)) => {
                Some(if window.order_by.is_empty() { Spread::All } else { Spread::SoFar })
            }
            (FrameBound::Preceding(Some(count)), None | Some(FrameBound::CurrentRow))
                if unit == "ROWS" =>
            {
                match &**count {
                    Expr::Literal(Literal::Number(count), _) => Some(Spread::Last(count.clone())),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The rows of a window frame.
enum Spread {
    All,
    /// The current row and this many rows before it.
    Last(String),
    /// All rows up to the current one.
    SoFar,
}
