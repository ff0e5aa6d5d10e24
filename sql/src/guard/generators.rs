//! Limits for calls whose result size is given by an argument: it must be a small constant.

use crate::diagnostic::Code;
use crate::tree::{Argument, Expr, FunctionCall, Literal, SqlSpan};
use wherefore_catalog::day::{self, Date};

use super::size::Size;
use super::{Guard, formats};

const DAY: u64 = 24 * 60 * 60;

impl Guard<'_> {
    /// Checks that the argument at index `place` is a constant length within the limit.
    pub(super) fn check_size(&mut self, call: &FunctionCall, place: usize) {
        let size = argument(call, place).and_then(integer);
        if size.is_none_or(|size| size.unsigned_abs() > self.limits.max_generated_text) {
            let message = format!(
                "{:?} needs a constant length of at most {} characters",
                call.name, self.limits.max_generated_text
            );
            self.fault(Code::Limit, message, call.span);
        }
    }

    /// Checks that the statement does not assemble a text that is too long; returns its size.
    pub(super) fn bounded(&mut self, size: Size, span: impl FnOnce() -> Option<SqlSpan>) -> Size {
        let most = self.limits.max_joined_text;
        if size.length <= most {
            return size;
        }
        let message = format!("the statement assembles a text of more than {most} characters");
        self.fault(Code::Limit, message, span().unwrap_or_default());
        // Reported once, not by every expression that uses the value.
        Size { length: 0, ..size }
    }

    /// Checks that a format takes no width from an argument and has no width above three digits.
    pub(super) fn check_pattern(&mut self, call: &FunctionCall) {
        let is_bounded = match argument(call, 0) {
            Some(Expr::Literal(Literal::String(pattern), _)) => formats::conversions(pattern)
                .iter()
                .all(|it| !it.is_variable && it.width < 1_000 && it.precision < 1_000),
            _ => false,
        };
        if !is_bounded {
            let message = format!(
                "{:?} needs a constant format with widths of at most three digits",
                call.name
            );
            self.fault(Code::Limit, message, call.span);
        }
    }

    /// Checks that `generate_series` has constant bounds and a row count within the limit.
    pub(super) fn check_series(&mut self, call: &FunctionCall) {
        let rows = match (argument(call, 0), argument(call, 1), argument(call, 2)) {
            (Some(start), Some(stop), step) => series_rows(start, stop, step),
            _ => None,
        };
        if rows.is_none_or(|rows| rows > self.limits.max_generated_rows) {
            let message = format!(
                "generate_series needs constant arguments that yield at most {} rows, or a step of at least one day",
                self.limits.max_generated_rows
            );
            self.fault(Code::Limit, message, call.span);
        }
    }
}

fn argument(call: &FunctionCall, place: usize) -> Option<&Expr> {
    match call.arguments.get(place) {
        Some(Argument::Expr(expr)) => Some(expr),
        _ => None,
    }
}

/// Number of rows of a series; `None` if it cannot be bounded.
fn series_rows(start: &Expr, stop: &Expr, step: Option<&Expr>) -> Option<u64> {
    if let (Some(start), Some(stop)) = (integer(start), integer(stop)) {
        let step = step.map_or(Some(1), integer)?.unsigned_abs();
        return Some(start.abs_diff(stop).checked_div(step)? + 1);
    }
    let step = interval_seconds(step?)?;
    match (date(start), date(stop)) {
        (Some(start), Some(stop)) => Some(day::between(start, stop) * DAY / step + 1),
        _ if step >= DAY => Some(1),
        _ => None,
    }
}

fn integer(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Literal(Literal::Number(text), _) => text.parse().ok(),
        Expr::Unary { negative, operand } => {
            let value = integer(operand)?;
            if *negative { value.checked_neg() } else { Some(value) }
        }
        _ => None,
    }
}

fn constant_text(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Literal(literal, _) => literal.text(),
        Expr::Cast { operand, .. } => constant_text(operand),
        _ => None,
    }
}

fn date(expr: &Expr) -> Option<Date> {
    day::parse(constant_text(expr)?.get(..10)?)
}

/// Length of an interval of one unit such as `1 month` in seconds; a lower bound for months and years.
fn interval_seconds(expr: &Expr) -> Option<u64> {
    let (count, unit) = constant_text(expr)?.trim().split_once(' ')?;
    let count = count.parse::<i64>().ok()?.unsigned_abs();
    let unit = unit.trim().to_ascii_lowercase();
    let seconds = match unit.strip_suffix('s').unwrap_or(&unit) {
        "second" | "sec" => 1,
        "minute" | "min" => 60,
        "hour" => 60 * 60,
        "day" => DAY,
        "week" => 7 * DAY,
        "month" | "mon" => 28 * DAY,
        "year" => 365 * DAY,
        _ => return None,
    };
    Some(count.checked_mul(seconds)?).filter(|seconds| *seconds > 0)
}
