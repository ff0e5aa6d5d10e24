//! Rewrites for Snowflake and Trino: division, patterns, casts, aggregates, JSON.

use crate::bind::Kind;
use crate::diagnostic::Diagnostic;
use crate::print::Target;
use crate::tree::{Argument, BinaryOperator, CastType, Expr, FunctionCall, Literal, OrderItem};

use super::dates::cast;
use super::kinds::{is_fractional, is_text, kind, whole_number};
use super::marked::is_mark;
use super::shared::{lower_like, without_filter};
use super::template::plain_arguments;
use super::{duckdb, json, mysql, unprintable, warehouse_dates as dates};

/// Most digits of a decimal.
const DIGITS: u32 = 38;

/// Snowflake's or Trino's form of a node; `None` if the function table or the printer handles it.
pub(super) fn fitted(node: &Expr, target: Target) -> Result<Option<Expr>, Diagnostic> {
    let own = Warehouse { target };
    Ok(match node {
        Expr::Binary { operator, left, right } => own.binary(*operator, left, right)?,
        Expr::Between { operand, low, high, negated } => {
            let typed = |bound: &Expr| Box::new(own.typed_as(bound, operand));
            let (low, high) = (typed(low), typed(high));
            Some(Expr::Between { operand: operand.clone(), low, high, negated: *negated })
        }
        Expr::InList { operand, list, negated } => {
            let list = list.iter().map(|item| own.typed_as(item, operand)).collect();
            Some(Expr::InList { operand: operand.clone(), list, negated: *negated })
        }
        Expr::Extract { field, operand } => Some(own.part(field, operand)?),
        Expr::IsBoolean { operand, value, negated } => Some(tested(operand, *value, *negated)),
        Expr::Cast { operand, to } if !is_mark(to) => own.converted(operand, to)?,
        Expr::Like { case_insensitive: true, .. } if own.is_trino() => lower_like(node),
        Expr::Function(call) => own.function(call)?,
        _ => None,
    })
}

/// `operand IS [NOT] TRUE` or FALSE, for which NULL is neither.
fn tested(operand: &Expr, value: bool, negated: bool) -> Expr {
    let boolean = Expr::literal(Literal::Boolean(!value));
    let known = Expr::call("coalesce", vec![operand.clone(), boolean]);
    if value == negated { Expr::Not(Box::new(known)) } else { known }
}

/// What to write instead of marks of words.
const WORD_MARKS: &str = "use a pattern without \\m, \\M, \\y and \\Y";

/// Whether a pattern has PostgreSQL's marks of the beginning and end of words, which others read as letters.
fn has_word_marks(pattern: &str) -> bool {
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        if letter == '\\' && letters.next().is_some_and(|next| "mMyY".contains(next)) {
            return true;
        }
    }
    false
}

/// One of the two targets.
#[derive(Clone, Copy)]
pub(super) struct Warehouse {
    pub(super) target: Target,
}

impl Warehouse {
    pub(super) fn is_trino(self) -> bool {
        self.target == Target::Trino
    }

    pub(super) fn refuse(self, what: impl std::fmt::Display) -> Diagnostic {
        unprintable(self.target, what)
    }

    fn binary(
        self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>, Diagnostic> {
        use BinaryOperator as Op;
        if let Some(moved) = dates::sum(self, operator, left, right)? {
            return Ok(Some(moved));
        }
        Ok(Some(match operator {
            Op::Divide => self.quotient(left, right)?,
            Op::Regex => self.matched(left, right, false)?,
            Op::RegexInsensitive => self.matched(left, right, true)?,
            Op::NotRegex => Expr::Not(Box::new(self.matched(left, right, false)?)),
            Op::NotRegexInsensitive => Expr::Not(Box::new(self.matched(left, right, true)?)),
            Op::JsonGet | Op::JsonGetText => {
                let arguments = vec![Argument::Expr(left.clone()), Argument::Expr(right.clone())];
                self.json(&FunctionCall::new("_json", arguments), operator == Op::JsonGetText)?
            }
            Op::Concat if self.is_trino() => {
                Expr::binary(self.text(left)?, operator, self.text(right)?)
            }
            _ if self.is_trino() => {
                Expr::binary(self.typed_as(left, right), operator, self.typed_as(right, left))
            }
            _ => return Ok(None),
        }))
    }

    /// A quotient: that of integers is cut, any other is a floating-point number, because that of decimals would be rounded
    /// to a scale of its own.
    fn quotient(self, left: &Expr, right: &Expr) -> Result<Expr, Diagnostic> {
        match (kind(left), kind(right)) {
            _ if is_fractional(left) || is_fractional(right) => {}
            (Some(Kind::Integer), Some(Kind::Integer)) => return Ok(self.whole(left, right)),
            (Some(Kind::Number), _) | (_, Some(Kind::Number)) => {}
            _ => {
                let fault = self.refuse("a division that may be an integer division");
                return Err(fault.hint("cast one operand to a decimal type"));
            }
        }
        // Trino's division of floating-point numbers by zero yields infinity.
        let right = if self.is_trino() { duckdb::never_zero(right) } else { right.clone() };
        Ok(Expr::binary(mysql::double(left), BinaryOperator::Divide, right))
    }

    /// A quotient of integers, cut toward zero. Snowflake's has six decimals and is rounded, so the remainder is
    /// subtracted first.
    fn whole(self, left: &Expr, right: &Expr) -> Expr {
        if self.is_trino() {
            return Expr::binary(left.clone(), BinaryOperator::Divide, right.clone());
        }
        let rest = Expr::binary(left.clone(), BinaryOperator::Modulo, right.clone());
        let multiple = Expr::binary(left.clone(), BinaryOperator::Minus, rest);
        cast(Expr::binary(multiple, BinaryOperator::Divide, right.clone()), "bigint")
    }

    /// Whether a text contains a match of a pattern. Snowflake's `regexp_like` would match whole texts only.
    fn matched(self, text: &Expr, pattern: &Expr, ignores_case: bool) -> Result<Expr, Diagnostic> {
        if let Expr::Literal(Literal::String(text), _) = pattern
            && has_word_marks(text)
        {
            return Err(self.refuse("PostgreSQL's marks of words in a pattern").hint(WORD_MARKS));
        }
        if self.is_trino() {
            let flags = Expr::string(if ignores_case { "(?is)" } else { "(?s)" });
            let pattern = match (&flags, pattern) {
                (
                    Expr::Literal(Literal::String(flags), _),
                    Expr::Literal(Literal::String(text), _),
                ) => Expr::string(format!("{flags}{text}")),
                _ => Expr::binary(flags, BinaryOperator::Concat, pattern.clone()),
            };
            return Ok(Expr::call("regexp_like", vec![text.clone(), pattern]));
        }
        let one = || Expr::number("1");
        let flags = Expr::string(if ignores_case { "is" } else { "cs" });
        let arguments = vec![text.clone(), pattern.clone(), one(), one(), Expr::number("0"), flags];
        let place = Expr::call("regexp_instr", arguments);
        Ok(Expr::binary(place, BinaryOperator::Greater, Expr::number("0")))
    }

    /// A text literal with the type of what it is compared with, which Trino does not give it.
    fn typed_as(self, value: &Expr, other: &Expr) -> Expr {
        let Expr::Literal(Literal::String(_), _) = value else { return value.clone() };
        if !self.is_trino() {
            return value.clone();
        }
        let to = match kind(other) {
            Some(Kind::Date) => "date",
            Some(Kind::Timestamp) => "timestamp",
            Some(Kind::Integer) => "bigint",
            Some(Kind::Number) => "double precision",
            _ => return value.clone(),
        };
        cast(value.clone(), to)
    }

    /// A value as text. Trino writes floating-point numbers with an exponent, and Snowflake times in a format of the
    /// session.
    fn text(self, value: &Expr) -> Result<Expr, Diagnostic> {
        match kind(value) {
            _ if is_text(value) => Ok(value.clone()),
            Some(Kind::Timestamp) => {
                Err(self.refuse("a time as text").hint("use to_char with a format"))
            }
            Some(Kind::Number) if self.is_trino() => {
                Err(self.refuse("a number as text").hint("use to_char with a format"))
            }
            Some(Kind::Text | Kind::Untyped) => Ok(value.clone()),
            None if self.is_trino() => Ok(value.clone()),
            _ => Ok(cast(value.clone(), "text")),
        }
    }

    fn converted(self, operand: &Expr, to: &CastType) -> Result<Option<Expr>, Diagnostic> {
        let typed = |name: &str, arguments: Vec<u32>| Expr::Cast {
            operand: Box::new(operand.clone()),
            to: CastType { name: name.to_owned(), arguments },
        };
        Ok(match (to.name.as_str(), to.arguments.as_slice()) {
            // A decimal without a scale would have no digits after the point.
            ("decimal" | "dec" | "numeric", []) => Some(match kind(operand) {
                Some(Kind::Integer) => typed("decimal", vec![DIGITS, 0]),
                _ => typed("double precision", Vec::new()),
            }),
            ("decimal" | "dec" | "numeric", [digits, ..]) if *digits > DIGITS => {
                return Err(self.refuse(format!("a decimal of {digits} digits")));
            }
            ("varchar" | "character varying" | "nvarchar", [length]) if !self.is_trino() => {
                self.text(operand)?;
                let text = cast(operand.clone(), "text");
                Some(Expr::call("left", vec![text, Expr::number(length.to_string())]))
            }
            ("text" | "string" | "varchar" | "character varying" | "nvarchar", _) => {
                self.text(operand)?;
                None
            }
            _ => None,
        })
    }

    fn function(self, call: &FunctionCall) -> Result<Option<Expr>, Diagnostic> {
        if call.filter.is_some() && !self.is_trino() {
            let call = without_filter(call, self.target)?;
            return Ok(self.function(&call)?.or(Some(call.into())));
        }
        match call.name.as_str() {
            "string_agg" => return self.joined(call).map(Some),
            "percentile_cont" if !self.is_trino() => {
                return Ok(Some(duckdb::interpolated(call)));
            }
            "percentile_disc" if !self.is_trino() => return Ok(None),
            name if !call.within_group.is_empty() => {
                return Err(self.refuse(format!("{name} WITHIN GROUP")));
            }
            _ if !call.order_by.is_empty() => {
                return Err(self.refuse("ORDER BY in this aggregate"));
            }
            _ => {}
        }
        let Some(arguments) = plain_arguments(call) else { return Ok(None) };
        Ok(Some(match (call.name.as_str(), arguments.as_slice()) {
            ("_json" | "_json_text", _) => self.json(call, call.name == "_json_text")?,
            ("concat", parts) => self.concatenated(parts)?,
            (name, [value]) if name == "avg" || mysql::is_deviation(name) => {
                let name = match name {
                    "stddev" => "stddev_samp",
                    "variance" => "var_samp",
                    name => name,
                };
                let arguments = vec![Argument::Expr(mysql::double(value))];
                FunctionCall { name: name.to_owned(), arguments, ..call.clone() }.into()
            }
            ("div" | "_int_div", [left, right]) => match (kind(left), kind(right)) {
                (Some(Kind::Integer), Some(Kind::Integer)) => self.whole(left, right),
                _ if self.is_trino() => {
                    return Err(self.refuse("an integer division of values of unknown type"));
                }
                _ => self.whole(left, right),
            },
            (side @ ("left" | "right"), [text, count]) => self.side(side, text, count)?,
            ("substr" | "substring", [_, Expr::Literal(Literal::String(_), _), ..]) => {
                return Err(self.refuse("substring with a pattern"));
            }
            ("substr" | "substring", [text, start, rest @ ..]) => {
                if whole_number(start).is_none() {
                    return Err(self.refuse("substring from a computed place"));
                }
                mysql::substring(text, start, rest.first())
            }
            ("regexp_like", [text, pattern]) => self.matched(text, pattern, false)?,
            _ => return dates::function(self, call.name.as_str(), &arguments),
        }))
    }

    /// `concat`, for which PostgreSQL takes NULL for an empty text.
    fn concatenated(self, parts: &[Expr]) -> Result<Expr, Diagnostic> {
        let mut filled = Vec::with_capacity(parts.len());
        for part in parts {
            filled.push(match part {
                Expr::Literal(Literal::String(_), _) => part.clone(),
                part => {
                    let text = self.text(part)?;
                    Expr::call("coalesce", vec![text, Expr::string("")])
                }
            });
        }
        match <[Expr; 1]>::try_from(filled) {
            Ok([only]) => Ok(only),
            Err(filled) => Ok(Expr::call("concat", filled)),
        }
    }

    /// The first or last characters of a text.
    fn side(self, side: &str, text: &Expr, count: &Expr) -> Result<Expr, Diagnostic> {
        let Some(count) = whole_number(count).filter(|count| *count >= 0) else {
            return Err(self.refuse(format!("{side} with a negative or computed count")));
        };
        let number = |count: i64| Expr::number(count.to_string());
        if !self.is_trino() {
            return Ok(Expr::call(side, vec![text.clone(), number(count)]));
        }
        if side == "left" {
            return Ok(Expr::call("substr", vec![text.clone(), number(1), number(count)]));
        }
        let length = Expr::call("length", vec![text.clone()]);
        let start = Expr::binary(length, BinaryOperator::Minus, number(count - 1));
        let start = Expr::call("greatest", vec![start, number(1)]);
        Ok(Expr::call("substr", vec![text.clone(), start]))
    }

    /// An aggregated text. Snowflake's is empty instead of NULL if there is nothing to join.
    fn joined(self, call: &FunctionCall) -> Result<Expr, Diagnostic> {
        if call.over.is_some() {
            return Err(self.refuse("string_agg over a window"));
        }
        let Some([value, separator]) = plain_pair(call) else {
            return Err(self.refuse("this form of string_agg"));
        };
        let mut call = FunctionCall { name: "listagg".to_owned(), ..call.clone() };
        if call.within_group.is_empty() {
            call.within_group = std::mem::take(&mut call.order_by);
        }
        if call.distinct && call.within_group.iter().any(|item| item.expr != value) {
            return Err(self.refuse("DISTINCT in string_agg with another order"));
        }
        if self.is_trino() {
            if call.within_group.is_empty() {
                let expr = value.clone();
                let item = OrderItem { expr, descending: false, nulls_first: None };
                call.within_group.push(item);
            }
            call.arguments = vec![Argument::Expr(self.text(&value)?), Argument::Expr(separator)];
            return Ok(call.into());
        }
        let count = Expr::call("count", vec![value]);
        let any = Expr::binary(count, BinaryOperator::Greater, Expr::number("0"));
        Ok(Expr::Case { operand: None, branches: vec![(any, call.into())], otherwise: None })
    }

    /// A part of a JSON value.
    fn json(self, call: &FunctionCall, as_text: bool) -> Result<Expr, Diagnostic> {
        let (value, path) = json::path(call).ok_or_else(|| self.refuse("this JSON path"))?;
        if self.is_trino() {
            let name = if as_text { "json_extract_scalar" } else { "json_extract" };
            return Ok(Expr::call(name, vec![value, Expr::string(path)]));
        }
        let path = path.trim_start_matches('$');
        let path = path.strip_prefix('.').unwrap_or(path);
        let found = Expr::call("get_path", vec![value, Expr::string(path)]);
        Ok(if as_text { cast(found, "text") } else { found })
    }
}

/// The two arguments of an aggregate.
fn plain_pair(call: &FunctionCall) -> Option<[Expr; 2]> {
    match call.arguments.as_slice() {
        [Argument::Expr(first), Argument::Expr(second)] => Some([first.clone(), second.clone()]),
        _ => None,
    }
}
