//! Printing of function calls, windows, casts and EXTRACT.

use crate::Dialect;
use crate::tree::{
    Argument, CastType, Expr, Frame, FrameBound, FunctionCall, GroupingKind, Window,
};
use crate::types::{CastSpelling, type_entry};

use super::{Printer, TRANSPILES, Target, Text, Unprintable};

impl Printer {
    /// A call of an aggregate, window, scalar or table function.
    pub(super) fn call(self, call: &FunctionCall, indent: usize) -> Text {
        if !is_simple_name(&call.name) {
            return self.refuse(format!("the function name {:?}", call.name));
        }
        if TRANSPILES
            && self.is_mysql()
            && let Some(text) = self.mysql_call(call, indent)?
        {
            return Ok(text);
        }
        if TRANSPILES
            && self.is_spark()
            && let Some(text) = self.spark_call(call, indent)?
        {
            return Ok(text);
        }
        if TRANSPILES && let Some(text) = self.internal(call)? {
            return Ok(text);
        }
        if is_bare(&call.name) && call.arguments.is_empty() {
            return Ok(call.name.to_ascii_uppercase());
        }
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Expr(expr) => self.inline(expr, indent),
                Argument::Star => Ok("*".to_owned()),
            })
            .collect::<Result<_, _>>()?;
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let order_by = match self.order_items(&call.order_by)?.join(", ") {
            items if items.is_empty() => items,
            items => format!(" ORDER BY {items}"),
        };
        let arguments = match (call.name.as_str(), self.target, arguments.as_slice()) {
            // The form with commas requires PostgreSQL 14.
            ("overlay", Target::Postgres, [text, new, start]) => {
                format!("{text} PLACING {new} FROM {start}")
            }
            ("overlay", Target::Postgres, [text, new, start, length]) => {
                format!("{text} PLACING {new} FROM {start} FOR {length}")
            }
            _ => arguments.join(", "),
        };
        let mut parts = vec![format!("{}({distinct}{arguments}{order_by})", call.name)];
        if !call.within_group.is_empty() {
            self.postgres_only("WITHIN GROUP")?;
            let items = self.order_items(&call.within_group)?.join(", ");
            parts.push(format!("WITHIN GROUP (ORDER BY {items})"));
        }
        if let Some(filter) = &call.filter {
            parts.push(format!("FILTER (WHERE {})", self.inline(filter, indent)?));
        }
        if let Some(window) = &call.over {
            parts.push(format!("OVER ({})", self.window(window, indent)?));
        }
        Ok(parts.join(" "))
    }

    /// CAST, or the function that replaces it on SQLite.
    pub(super) fn cast(self, operand: &Expr, to: &CastType, indent: usize) -> Text {
        let refused = || self.refuse(format!("a cast to {}", to.name));
        let Some(entry) = type_entry(&to.name) else { return refused() };
        if to.arguments.len() > entry.max_arguments {
            return refused();
        }
        let operand = self.inline(operand, indent)?;
        match entry.spelling(self.dialect) {
            None => refused(),
            Some(CastSpelling::Function(name)) => Ok(format!("{name}({operand})")),
            Some(CastSpelling::Type(name)) => {
                Ok(format!("CAST({operand} AS {})", self.type_with_arguments(name, &to.arguments)))
            }
        }
    }

    /// EXTRACT; `strftime` on SQLite.
    pub(super) fn extract(self, field: &str, operand: &Expr, indent: usize) -> Text {
        let operand = self.inline(operand, indent)?;
        match self.dialect {
            Dialect::Postgres if is_simple_name(field) => {
                Ok(format!("EXTRACT({field} FROM {operand})"))
            }
            Dialect::Sqlite if field == "quarter" => {
                Ok(format!("((CAST(strftime('%m', {operand}) AS INTEGER) + 2) / 3)"))
            }
            Dialect::Sqlite => match strftime_format(field) {
                Some(format) => Ok(format!("CAST(strftime('{format}', {operand}) AS INTEGER)")),
                None => self.refuse(format!("EXTRACT of {field:?}")),
            },
            Dialect::Postgres => self.refuse(format!("EXTRACT of {field:?}")),
        }
    }

    fn type_with_arguments(self, name: &str, arguments: &[u32]) -> String {
        if arguments.is_empty() || self.is_sqlite() {
            return name.to_owned();
        }
        let arguments: Vec<String> = arguments.iter().map(u32::to_string).collect();
        let list = arguments.join(", ");
        match name.split_once(' ') {
            Some((head, tail)) => format!("{head}({list}) {tail}"),
            None => format!("{name}({list})"),
        }
    }

    /// Contents of the parentheses after OVER.
    pub(super) fn window(self, window: &Window, indent: usize) -> Text {
        let mut parts = Vec::new();
        if !window.partition_by.is_empty() {
            parts.push(format!("PARTITION BY {}", self.expressions(&window.partition_by, indent)?));
        }
        if !window.order_by.is_empty() {
            parts.push(format!("ORDER BY {}", self.order_items(&window.order_by)?.join(", ")));
        }
        if let Some(frame) = &window.frame {
            parts.push(self.frame(frame, indent)?);
        }
        Ok(parts.join(" "))
    }

    fn frame(self, frame: &Frame, indent: usize) -> Text {
        if !matches!(frame.unit.as_str(), "ROWS" | "RANGE" | "GROUPS")
            || frame.unit == "GROUPS" && (self.is_spark() || self.target == Target::Snowflake)
        {
            return self.refuse("a window frame with this unit");
        }
        let start = self.bound(&frame.start, indent)?;
        Ok(match &frame.end {
            Some(end) => format!("{} BETWEEN {start} AND {}", frame.unit, self.bound(end, indent)?),
            None => format!("{} {start}", frame.unit),
        })
    }

    fn bound(self, bound: &FrameBound, indent: usize) -> Text {
        let (count, direction) = match bound {
            FrameBound::CurrentRow => return Ok("CURRENT ROW".to_owned()),
            FrameBound::Following(count) => (count, "FOLLOWING"),
            FrameBound::Preceding(count) => (count, "PRECEDING"),
        };
        match count {
            Some(count) => Ok(format!("{} {direction}", self.operand_of(count, 7, indent)?)),
            None => Ok(format!("UNBOUNDED {direction}")),
        }
    }

    /// Expressions joined by commas.
    pub(super) fn expressions(self, list: &[Expr], indent: usize) -> Result<String, Unprintable> {
        let items: Vec<String> =
            list.iter().map(|expr| self.inline(expr, indent)).collect::<Result<_, _>>()?;
        Ok(items.join(", "))
    }
}

/// Keyword of a grouping kind.
pub(super) fn grouping_keyword(kind: GroupingKind) -> &'static str {
    match kind {
        GroupingKind::Cube => "CUBE",
        GroupingKind::GroupingSets => "GROUPING SETS",
        GroupingKind::Rollup => "ROLLUP",
    }
}

/// Whether a name needs no quotes; function names are always printed unquoted.
fn is_simple_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Functions that are written without parentheses.
fn is_bare(name: &str) -> bool {
    matches!(
        name,
        "current_date" | "current_time" | "current_timestamp" | "localtime" | "localtimestamp"
    )
}

fn strftime_format(field: &str) -> Option<&'static str> {
    Some(match field {
        "day" => "%d",
        "dow" => "%w",
        "doy" => "%j",
        "epoch" => "%s",
        "hour" => "%H",
        "isodow" => "%u",
        "isoyear" => "%G",
        "minute" => "%M",
        "month" => "%m",
        "second" => "%S",
        "week" => "%V",
        "year" => "%Y",
        _ => return None,
    })
}
