//! Noun phrases for expressions.

use super::names::Teller;
use super::value::literal;
use crate::Dialect;
use crate::bind::Kind;
use crate::tree::{BinaryOperator, CastType, Expr, Literal};
use crate::walk::arguments;
use wherefore_english::and_list;

impl Teller<'_> {
    /// An expression as a noun phrase; without a phrase, its SQL.
    pub(super) fn noun(&self, expr: &Expr, block: usize) -> String {
        if !self.may_say() {
            return self.written(expr);
        }
        if let Some(moment) = self.counted_moment(expr) {
            return moment;
        }
        match expr {
            Expr::Column { .. } => self.column(expr, block),
            Expr::Literal(value, _) => literal(value),
            Expr::Parameter(name) => format!("the value given as `{name}`"),
            Expr::Unary { negative: false, operand } | Expr::Collate { operand, .. } => {
                self.noun(operand, block)
            }
            Expr::Unary { negative: true, operand } => match &**operand {
                Expr::Literal(Literal::Number(_), _) => format!("−{}", self.noun(operand, block)),
                _ => format!("minus {}", self.factor(operand, block)),
            },
            Expr::Binary { operator, left, right } => {
                self.operation(*operator, left, right, expr, block)
            }
            Expr::And(_)
            | Expr::Or(_)
            | Expr::Not(_)
            | Expr::IsNull { .. }
            | Expr::IsBoolean { .. }
            | Expr::Between { .. }
            | Expr::InList { .. }
            | Expr::InQuery { .. }
            | Expr::Exists { .. }
            | Expr::Like { .. } => format!("whether {}", self.condition(expr, block).clause),
            Expr::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref(), block)
            }
            Expr::Cast { operand, to } => self.cast(operand, to, block),
            Expr::Extract { field, operand } => {
                let of = self.noun(operand, block);
                self.part_of(field, &of).unwrap_or_else(|| self.written(expr))
            }
            Expr::Function(call) => self.call(call, expr, block),
            Expr::Subquery(query) => self.value_of(query),
            Expr::Tuple(items) => {
                and_list(&items.iter().map(|item| self.noun(item, block)).collect::<Vec<_>>())
            }
            Expr::AtTimeZone { operand, zone } => {
                format!("{} in the time zone {}", self.noun(operand, block), self.noun(zone, block))
            }
            _ => self.written(expr),
        }
    }

    /// A time relative to now, such as `30 days ago`.
    fn counted_moment(&self, expr: &Expr) -> Option<String> {
        if !matches!(expr, Expr::Function(_) | Expr::Binary { .. } | Expr::Cast { .. }) {
            return None;
        }
        self.known_moment(expr).map(|moment| super::range::exact(&moment))
    }

    /// An operand of an arithmetic operator, in parentheses if it is a compound expression.
    fn factor(&self, expr: &Expr, block: usize) -> String {
        let words = self.noun(expr, block);
        match expr {
            Expr::Binary { .. } | Expr::Case { .. } => format!("({words})"),
            Expr::Function(_) if words.contains(" where ") || words.contains(", ") => {
                format!("({words})")
            }
            _ => words,
        }
    }

    fn operation(
        &self,
        operator: BinaryOperator,
        left: &Expr,
        right: &Expr,
        expr: &Expr,
        block: usize,
    ) -> String {
        use BinaryOperator as Op;
        let sign = match operator {
            Op::Plus => "+",
            Op::Minus if self.is_time_between(left, right) => {
                let (from, is_days) = self.instant(right, block);
                let (to, _) = self.instant(left, block);
                let unit = if is_days { "number of days" } else { "time" };
                return format!("{unit} from {from} to {to}");
            }
            Op::Minus => "−",
            Op::Multiply => match self.percentage(left, right) {
                Some((part, whole)) => return self.percent(part, whole, block),
                None => "×",
            },
            Op::Divide => match share(left, right) {
                Some((part, whole)) => return self.percent(part, whole, block),
                None => return self.ratio(left, right, block),
            },
            Op::Modulo => {
                let (left, right) = (self.factor(left, block), self.factor(right, block));
                return format!("remainder of {left} divided by {right}");
            }
            Op::Concat => return self.together(expr, block),
            Op::JsonGet | Op::JsonGetText | Op::JsonPath | Op::JsonPathText => {
                return self.written(expr);
            }
            _ => return format!("whether {}", self.condition(expr, block).clause),
        };
        // A product needs no parentheses inside a sum.
        let is_sum = matches!(operator, Op::Plus | Op::Minus);
        let side = |side: &Expr, is_right: bool| match side {
            Expr::Binary { operator: Op::Multiply, .. } => self.noun(side, block),
            Expr::Binary { operator: Op::Plus | Op::Minus, .. } if is_sum && !is_right => {
                self.noun(side, block)
            }
            _ => self.factor(side, block),
        };
        format!("{} {sign} {}", side(left, false), side(right, true))
    }

    fn is_time_between(&self, left: &Expr, right: &Expr) -> bool {
        let is_moment = |expr: &Expr| {
            self.kind(expr).is_some_and(Kind::is_temporal)
                || matches!(expr, Expr::Function(call) if call.name == "julianday")
        };
        is_moment(left) && is_moment(right)
    }

    /// An operand of a date subtraction, and whether the difference is in days.
    fn instant(&self, expr: &Expr, block: usize) -> (String, bool) {
        match expr {
            Expr::Function(call) if call.name == "julianday" => {
                let words = match arguments(call).next() {
                    Some(Expr::Literal(Literal::String(text), _)) if text == "now" => {
                        "now".to_owned()
                    }
                    Some(of) => self.noun(of, block),
                    None => "now".to_owned(),
                };
                (words, true)
            }
            _ => (self.noun(expr, block), self.kind(expr) == Some(Kind::Date)),
        }
    }

    /// Recognizes `a / b * 100`; returns `a` and `b`.
    fn percentage<'e>(&self, left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
        let (ratio, _) = if is_number(right, 100.0) {
            (left, right)
        } else if is_number(left, 100.0) {
            (right, left)
        } else {
            return None;
        };
        match bare(ratio) {
            Expr::Binary { operator: BinaryOperator::Divide, left, right } => {
                let part = without_factor(left, 1.0).unwrap_or(left);
                // Integer division truncates before the multiplication.
                let loses = self.kind(left) == Some(Kind::Integer)
                    && self.kind(right) == Some(Kind::Integer);
                (!loses).then_some((part, whole(right)))
            }
            _ => None,
        }
    }

    fn percent(&self, part: &Expr, whole: &Expr, block: usize) -> String {
        format!("{} as a percentage of {}", self.factor(part, block), self.factor(whole, block))
    }

    fn ratio(&self, left: &Expr, right: &Expr, block: usize) -> String {
        let part = without_factor(left, 1.0).unwrap_or(left);
        let whole = whole(right);
        let (one, other) = (self.factor(part, block), self.factor(whole, block));
        let whole_numbers =
            self.kind(left) == Some(Kind::Integer) && self.kind(right) == Some(Kind::Integer);
        if whole_numbers {
            return format!("{one} divided by {other}, without decimals");
        }
        if self.is_part(part) && self.is_count(whole) {
            return format!("{one} as a share of {other}");
        }
        format!("{one} divided by {other}")
    }

    /// A conditional count or sum.
    fn is_part(&self, expr: &Expr) -> bool {
        matches!(bare(expr), Expr::Function(call)
            if ["count", "sum"].contains(&call.name.as_str())
                && (call.filter.is_some()
                    || arguments(call).any(|it| matches!(it, Expr::Case { .. }))))
    }

    fn is_count(&self, expr: &Expr) -> bool {
        matches!(bare(expr), Expr::Function(call) if call.name == "count" && !call.distinct)
    }

    fn together(&self, expr: &Expr, block: usize) -> String {
        let mut parts = Vec::new();
        chain(expr, &mut parts);
        let is_gap = |part: &&Expr| {
            matches!(part, Expr::Literal(Literal::String(text), _)
                if text.trim().is_empty() || matches!(text.trim(), "," | "-" | "/"))
        };
        let words: Vec<String> =
            parts.into_iter().filter(|part| !is_gap(part)).map(|it| self.noun(it, block)).collect();
        match words.len() {
            0 => self.written(expr),
            _ => format!("{} joined into one text", and_list(&words)),
        }
    }

    fn cast(&self, operand: &Expr, to: &CastType, block: usize) -> String {
        let of = self.noun(operand, block);
        let from = self.kind(operand);
        match to.name.as_str() {
            "date" if from != Some(Kind::Date) => format!("day of {of}"),
            "integer" | "bigint" | "smallint" if from == Some(Kind::Number) => {
                if self.dialect == Dialect::Sqlite {
                    format!("{of} without decimals")
                } else {
                    format!("{of} rounded to a whole number")
                }
            }
            "numeric" | "decimal" => match to.arguments.as_slice() {
                [_, digits] => format!("{of} rounded to {}", decimals(*digits)),
                _ => of,
            },
            "time" | "timetz" => format!("time of day of {of}"),
            _ => of,
        }
    }

    pub(super) fn case(
        &self,
        operand: Option<&Expr>,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
        block: usize,
    ) -> String {
        let subject = operand.map(|operand| self.noun(operand, block));
        let mut parts: Vec<String> = branches
            .iter()
            .map(|(when, then)| {
                let then = self.noun(then, block);
                match &subject {
                    Some(subject) => format!("{then} if {subject} is {}", self.noun(when, block)),
                    None => format!("{then} if {}", self.condition(when, block).clause),
                }
            })
            .collect();
        match otherwise {
            Some(Expr::Literal(Literal::Null, _)) | None => {}
            Some(other) => parts.push(format!("otherwise {}", self.noun(other, block))),
        }
        parts.join(", ")
    }
}

/// A number of decimal places in words.
pub(super) fn decimals(digits: u32) -> String {
    match digits {
        0 => "a whole number".to_owned(),
        1 => "1 decimal".to_owned(),
        _ => format!("{digits} decimals"),
    }
}

/// Recognizes `100 * a / b`; returns `a` and `b`.
fn share<'e>(left: &'e Expr, right: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
    Some((without_factor(left, 100.0)?, whole(right)))
}

/// The other operand of a multiplication by a number.
fn without_factor(expr: &Expr, number: f64) -> Option<&Expr> {
    match expr {
        Expr::Binary { operator: BinaryOperator::Multiply, left, right } => {
            if is_number(left, number) {
                Some(right)
            } else if is_number(right, number) {
                Some(left)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The divisor without `nullif(…, 0)` and numeric casts.
fn whole(expr: &Expr) -> &Expr {
    match expr {
        Expr::Function(call) if call.name == "nullif" => {
            let mut found = arguments(call);
            match (found.next(), found.next()) {
                (Some(first), Some(second)) if is_number(second, 0.0) => first,
                _ => expr,
            }
        }
        _ => bare(expr),
    }
}

/// An expression without numeric casts.
pub(super) fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Cast { operand, to }
            if to.arguments.is_empty()
                && matches!(
                    to.name.as_str(),
                    "numeric" | "decimal" | "real" | "double precision" | "float"
                ) =>
        {
            bare(operand)
        }
        _ => expr,
    }
}

/// Whether an expression is a literal of this number.
pub(super) fn is_number(expr: &Expr, number: f64) -> bool {
    matches!(expr, Expr::Literal(Literal::Number(text), _)
        if text.parse::<f64>().is_ok_and(|value| (value - number).abs() < f64::EPSILON))
}

pub(super) fn chain<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary { operator: BinaryOperator::Concat, left, right } => {
            chain(left, parts);
            chain(right, parts);
        }
        other => parts.push(other),
    }
}
