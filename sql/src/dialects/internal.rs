//! Expansion of internal calls (names with a leading `_`) that come from the function table.

use crate::diagnostic::Diagnostic;
use crate::read::ReadDialect;
use crate::tree::{BinaryOperator, CastType, Expr, FunctionCall, Literal};

use super::formats::Family;
use super::kinds::{is_date, is_text, whole_number};
use super::template::plain_arguments;
use super::walk::{Done, Visitor};
use super::{dates, formats, json, refused, sqlite_dates, strings, styles};

/// Expands internal calls; those that depend on the target are left for it.
pub(super) struct Internal {
    pub(super) from: ReadDialect,
}

impl Visitor for Internal {
    fn expr(&mut self, node: &mut Expr) -> Done {
        if let Expr::Cast { operand, to } = node
            && to.name == "date"
            && is_date(operand)
        {
            // The operand is a date already.
            *node = std::mem::replace(&mut **operand, Expr::Tuple(Vec::new()));
        }
        let Expr::Function(call) = node else { return Ok(()) };
        if !call.name.starts_with('_') {
            return Ok(());
        }
        if let Some(expr) = self.worked_out(call)? {
            *node = expr;
        }
        Ok(())
    }
}

impl Internal {
    fn worked_out(&self, call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
        let Some(mut arguments) = plain_arguments(call) else { return Ok(None) };
        let from = self.from;
        if from == ReadDialect::Mssql {
            dates::numbers_as_dates(&call.name, &mut arguments)?;
        }
        Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
            ("_add", [value, count, unit]) => dates::add(value, count, unit, from)?,
            ("_plus", [value, interval]) => dates::plus(value, interval, false)?,
            ("_less", [value, interval]) => dates::plus(value, interval, true)?,
            ("_interval", [count, Expr::Literal(Literal::String(unit), _)]) => {
                super::flattened_interval(count.clone(), unit)
            }
            ("_diff", [unit, start, end]) => dates::difference(unit, start, end, from, "_diff")?,
            ("_full", [unit, start, end]) => dates::difference(unit, start, end, from, "_full")?,
            ("_part", [unit, value]) => dates::part(unit, value, from)?,
            ("_calendar", [unit, value]) => dates::calendar(unit, value)?,
            ("_clock", [unit, value]) => dates::clock(unit, value)?,
            ("_trunc", [unit, value]) => dates::truncated(unit, value, from)?,
            ("_as_time", [value]) => dates::as_time(value),
            ("_literal_time", [value @ Expr::Literal(Literal::String(_), _)]) => {
                dates::as_time(value)
            }
            ("_literal_time", _) => return Err(refused("to_timestamp of a number or text")),
            ("_format", [value, format, Expr::Literal(Literal::String(family), _)]) => {
                self.formatted(value, format, family)?
            }
            ("_format_either", [first, second]) => match first {
                Expr::Literal(Literal::String(_), _) => formatted(second, first, "posix")?,
                _ => formatted(first, second, "posix")?,
            },
            ("_format_sqlite", [value, format]) => sqlite_dates::formatted(value, format)?,
            ("_parse", [value, format, Expr::Literal(Literal::String(family), _)]) => {
                parsed(value, &self.own_format(format), family)?
            }
            ("_sqlite_date", arguments) => sqlite_dates::moved(arguments, "date")?,
            ("_sqlite_datetime", arguments) => sqlite_dates::moved(arguments, "timestamp")?,
            ("_json_at", [value, path]) => json_at("_json", value, path)?,
            ("_json_value_at", [value, path]) => json_at("_json_text", value, path)?,
            ("_arrow", [value, key]) => arrow(BinaryOperator::JsonGet, "_json", value, key)?,
            ("_arrow_text", [value, key]) => {
                arrow(BinaryOperator::JsonGetText, "_json_text", value, key)?
            }
            ("_json_unquote", [Expr::Function(inner)]) if inner.name == "_json" => {
                FunctionCall { name: "_json_text".to_owned(), ..(**inner).clone() }.into()
            }
            ("_int_div", [left, right]) if self.makes_null_of_zero(right) => {
                let right = Expr::call("nullif", vec![right.clone(), Expr::number("0")]);
                Expr::call("_int_div", vec![left.clone(), right])
            }
            ("_xor", [left, right]) => {
                let not = |expr: &Expr| Expr::Not(Box::new(expr.clone()));
                Expr::Or(vec![
                    Expr::And(vec![left.clone(), not(right)]),
                    Expr::And(vec![not(left), right.clone()]),
                ])
            }
            ("_text", [value]) if is_text(value) => value.clone(),
            ("_text", [value]) => dates::cast(value.clone(), "text"),
            ("_ratio", _) => return Ok(strings::ratio(call)),
            ("_field", _) => return Ok(strings::field(call)),
            ("_insert" | "_stuff", _) => return Ok(strings::inserted(call)),
            ("_substring_index", [text, delimiter, count]) => {
                strings::substring_index(text, delimiter, count)
                    .ok_or_else(|| refused("substring_index with a count other than 1 or -1"))?
            }
            ("_locate", [text, part, start]) => strings::located(text, part, start, from),
            ("_position_from", [text, part, start]) => strings::position_from(text, part, start)
                .ok_or_else(|| refused("a search that does not start at a constant position"))?,
            ("_trunc_either", [value]) => dates::truncated_either(value, None, from)?,
            ("_trunc_either", [value, to]) => dates::truncated_either(value, Some(to), from)?,
            ("_date_name", [unit, value]) => dates::name(unit, value, from)?,
            ("_last_day", [value]) => return Ok(dates::last_day(value)),
            ("_next_day", [value, day]) => dates::next_day(value, day, false, from)?,
            ("_previous_day", [value, day]) => dates::next_day(value, day, true, from)?,
            ("_convert_text", [value, style, length]) => styles::to_text(value, style, length)?,
            ("_convert_date", [value, style]) => styles::to_date(value, style)?,
            ("_decode", _) => return Ok(strings::decode(call)),
            ("_choose", _) => return Ok(strings::choose(call)),
            ("_concat_or_null", _) => return Ok(strings::joined(arguments)),
            ("_sha2", [value, Expr::Literal(Literal::Number(bits), _)]) if bits == "256" => {
                let bytes = Expr::call("convert_to", vec![value.clone(), Expr::string("UTF8")]);
                let digest = Expr::call("sha256", vec![bytes]);
                Expr::call("encode", vec![digest, Expr::string("hex")])
            }
            ("_to_hex", [Expr::Function(inner)]) if inner.name == "_md5_bytes" => {
                FunctionCall { name: "md5".to_owned(), ..(**inner).clone() }.into()
            }
            _ => return Ok(None),
        }))
    }
}

impl Internal {
    /// A date as text, or a number if the format has digits.
    fn formatted(&self, value: &Expr, format: &Expr, family: &str) -> Result<Expr, Diagnostic> {
        match format {
            Expr::Literal(Literal::String(text), _)
                if family == "to_char" && formats::is_of_number(text) =>
            {
                Ok(Expr::call("to_char", vec![value.clone(), format.clone()]))
            }
            format => formatted(value, &self.own_format(format), family),
        }
    }

    /// A format of the dialect's `to_char` in the notation of PostgreSQL.
    fn own_format(&self, format: &Expr) -> Expr {
        let Expr::Literal(Literal::String(text), place) = format else { return format.clone() };
        let text = match self.from {
            ReadDialect::Oracle => formats::without_toggle(text),
            ReadDialect::Snowflake => formats::of_snowflake(text),
            _ => return format.clone(),
        };
        Expr::Literal(Literal::String(text), *place)
    }

    /// Whether the divisor can be 0 in a dialect where division by zero gives NULL.
    fn makes_null_of_zero(&self, divisor: &Expr) -> bool {
        let settled = matches!(divisor, Expr::Function(call) if call.name == "nullif")
            || whole_number(divisor).is_some_and(|number| number != 0);
        matches!(self.from, ReadDialect::Duckdb | ReadDialect::Mysql) && !settled
    }
}

fn json_at(name: &str, value: &Expr, path: &Expr) -> Result<Expr, Diagnostic> {
    json::at(name, value.clone(), path)
        .ok_or_else(|| refused("a JSON path that is computed or has wildcards"))
}

/// `value -> key`; a key that starts with `$` is a JSON path.
fn arrow(
    operator: BinaryOperator,
    name: &str,
    value: &Expr,
    key: &Expr,
) -> Result<Expr, Diagnostic> {
    match key {
        Expr::Literal(Literal::String(path), _) if path.starts_with('$') => {
            json_at(name, value, key)
        }
        Expr::Literal(..) => Ok(Expr::binary(value.clone(), operator, key.clone())),
        _ => Err(refused("a computed JSON path")),
    }
}

fn translated(format: &Expr, family: &str) -> Result<String, Diagnostic> {
    let Expr::Literal(Literal::String(format), _) = format else {
        return Err(refused("a computed date format"));
    };
    let Some(family) = Family::named(family) else {
        return Err(refused("this kind of date format"));
    };
    formats::translated(format, family, Family::ToChar).map_err(refused)
}

fn formatted(value: &Expr, format: &Expr, family: &str) -> Result<Expr, Diagnostic> {
    let format = translated(format, family)?;
    Ok(Expr::call("to_char", vec![dates::as_time(value), Expr::string(format)]))
}

/// `to_date` if the format has no time parts, else `to_timestamp`.
fn parsed(value: &Expr, format: &Expr, family: &str) -> Result<Expr, Diagnostic> {
    let format = translated(format, family)?;
    if !formats::has_time(&format) {
        return Ok(Expr::call("to_date", vec![value.clone(), Expr::string(format)]));
    }
    let time = Expr::call("to_timestamp", vec![value.clone(), Expr::string(format)]);
    let to = CastType { name: "timestamp".to_owned(), arguments: Vec::new() };
    Ok(Expr::Cast { operand: Box::new(time), to })
}
