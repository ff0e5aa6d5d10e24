//! String functions, and calls that become CASE.

use crate::diagnostic::Diagnostic;
use crate::read::ReadDialect;
use crate::tree::{Argument, BinaryOperator, Expr, FunctionCall, Literal};

use super::kinds::{is_constant, is_text, whole_number};
use super::refused;
use super::template::plain_arguments;

/// `a || b || …`, which is NULL if any operand is.
pub(super) fn joined(parts: Vec<Expr>) -> Option<Expr> {
    parts.into_iter().reduce(|left, right| Expr::binary(left, BinaryOperator::Concat, right))
}

/// Rewrites `+` between texts as concatenation; returns whether an operand is text.
pub(super) fn plus_of_texts(left: &mut Expr, right: &mut Expr) -> bool {
    if !is_text(left) && !is_text(right) {
        return false;
    }
    for side in [left, right] {
        make_concatenation(side);
    }
    true
}

fn make_concatenation(expr: &mut Expr) {
    if let Expr::Binary { operator: operator @ BinaryOperator::Plus, left, right } = expr {
        *operator = BinaryOperator::Concat;
        make_concatenation(left);
        make_concatenation(right);
    }
}

/// Rewrites `_decode(x, a, 1, b, 2, 3)` as CASE, with NULL equal to NULL.
pub(super) fn decode(call: &FunctionCall) -> Option<Expr> {
    let arguments = plain_arguments(call)?;
    let (value, cases) = arguments.split_first()?;
    let pairs = cases.chunks_exact(2);
    let otherwise = pairs.remainder().first().cloned().map(Box::new);
    let branches = pairs
        .filter_map(|pair| {
            let [when, then] = pair else { return None };
            let condition = match when {
                Expr::Literal(Literal::Null, _) => {
                    Expr::IsNull { operand: Box::new(value.clone()), negated: false }
                }
                when if is_constant(when) => {
                    Expr::binary(value.clone(), BinaryOperator::Equal, when.clone())
                }
                when => {
                    Expr::binary(value.clone(), BinaryOperator::IsNotDistinctFrom, when.clone())
                }
            };
            Some((condition, then.clone()))
        })
        .collect();
    Some(Expr::Case { operand: None, branches, otherwise })
}

/// Rewrites `_choose(n, a, b)` as CASE: the n-th value, counted from 1.
pub(super) fn choose(call: &FunctionCall) -> Option<Expr> {
    let arguments = plain_arguments(call)?;
    let (place, values) = arguments.split_first()?;
    let branches = values
        .iter()
        .enumerate()
        .map(|(index, value)| (Expr::number((index + 1).to_string()), value.clone()))
        .collect();
    Some(Expr::Case { operand: Some(Box::new(place.clone())), branches, otherwise: None })
}

/// Moves the order of `string_agg` from WITHIN GROUP into its arguments.
pub(super) fn ordered_inside(call: &mut FunctionCall) {
    if call.name == "string_agg" && call.order_by.is_empty() {
        call.order_by = std::mem::take(&mut call.within_group);
    }
}

/// Casts the first argument of `string_agg` to text. With DISTINCT the order must be that of the argument, so it stays,
/// and the call becomes `_string_agg_any`.
pub(super) fn first_as_text(call: &mut FunctionCall) {
    if let Some(Argument::Expr(value)) = call.arguments.first_mut()
        && !is_text(value)
    {
        if call.distinct {
            "_string_agg_any".clone_into(&mut call.name);
            return;
        }
        let operand = std::mem::replace(value, Expr::Tuple(Vec::new()));
        *value = super::dates::cast(operand, "text");
    }
}

/// `_string_agg_any(DISTINCT value, separator)` on PostgreSQL, whose `string_agg` takes texts only.
pub(super) fn aggregated_as_array(call: &FunctionCall) -> Option<Expr> {
    let [value, separator] = plain_arguments(call)?.try_into().ok()?;
    let present = Expr::IsNull { operand: Box::new(value.clone()), negated: true };
    let filter = match &call.filter {
        Some(filter) => Expr::And(vec![(**filter).clone(), present]),
        None => present,
    };
    let array = FunctionCall {
        name: "array_agg".to_owned(),
        arguments: vec![Argument::Expr(value)],
        filter: Some(Box::new(filter)),
        ..call.clone()
    };
    Some(Expr::call("array_to_string", vec![array.into(), separator]))
}

/// Rejects a substring with a start below 1 where dialects differ on its meaning.
pub(super) fn check_start(call: &FunctionCall, from: ReadDialect) -> Result<(), Diagnostic> {
    let is_part = matches!(call.name.as_str(), "substr" | "substring" | "mid");
    let same = matches!(
        from,
        ReadDialect::Postgres | ReadDialect::Redshift | ReadDialect::Mssql | ReadDialect::Duckdb
    );
    let start = match call.arguments.get(1) {
        Some(Argument::Expr(start)) => whole_number(start),
        _ => None,
    };
    match start {
        Some(start) if is_part && start < 0 && from != ReadDialect::Mssql => {
            Err(refused("a substring counted from the end of the text"))
        }
        Some(0) if is_part && !same && from != ReadDialect::Sqlite => {
            Err(refused("a substring that starts at position 0"))
        }
        _ => Ok(()),
    }
}

/// `_greatest_or_null` and `_least_or_null` for targets whose function ignores NULLs.
pub(super) fn null_if_any(name: &str, arguments: Vec<Expr>) -> Expr {
    let tests: Vec<Expr> = arguments
        .iter()
        .filter(|argument| !is_constant(argument))
        .map(|argument| Expr::IsNull { operand: Box::new(argument.clone()), negated: false })
        .collect();
    let chosen = Expr::call(name, arguments);
    if tests.is_empty() {
        return chosen;
    }
    let condition = Expr::Not(Box::new(Expr::Or(tests)));
    Expr::Case { operand: None, branches: vec![(condition, chosen)], otherwise: None }
}

/// A substring with a constant negative start, which counts from the end of the text. Dialects differ on a start before
/// the text: the result is empty, NULL or the whole text.
pub(super) fn from_end(call: &FunctionCall, from: ReadDialect) -> Option<Expr> {
    if !matches!(call.name.as_str(), "substr" | "substring" | "mid") {
        return None;
    }
    let arguments = plain_arguments(call)?;
    let (text, start, length) = match arguments.as_slice() {
        [text, start] => (text, start, None),
        [text, start, length] => (text, start, Some(length)),
        _ => return None,
    };
    let count = whole_number(start).filter(|start| *start < 0)?.checked_neg()?;
    let count = Expr::number(count.to_string());
    let within = || {
        let length = Expr::call("length", vec![text.clone()]);
        let is_within = Expr::binary(length, BinaryOperator::GreaterOrEqual, count.clone());
        let count = Expr::Case {
            operand: None,
            branches: vec![(is_within, count.clone())],
            otherwise: Some(Box::new(Expr::number("0"))),
        };
        Expr::call("right", vec![text.clone(), count])
    };
    let end = match from {
        ReadDialect::Mysql | ReadDialect::Snowflake => within(),
        ReadDialect::Oracle => Expr::call("nullif", vec![within(), Expr::string("")]),
        ReadDialect::Bigquery => Expr::call("right", vec![text.clone(), count]),
        ReadDialect::Duckdb if length.is_none() => Expr::call("right", vec![text.clone(), count]),
        _ => return None,
    };
    Some(match length {
        Some(length) => Expr::call("substr", vec![end, Expr::number("1"), length.clone()]),
        None => end,
    })
}

/// Rewrites `_field(x, a, b)` as CASE: the position of the first equal value, or 0.
pub(super) fn field(call: &FunctionCall) -> Option<Expr> {
    let arguments = plain_arguments(call)?;
    let (value, values) = arguments.split_first()?;
    let branches = values
        .iter()
        .enumerate()
        .map(|(index, other)| (other.clone(), Expr::number((index + 1).to_string())))
        .collect();
    let otherwise = Some(Box::new(Expr::number("0")));
    Some(Expr::Case { operand: Some(Box::new(value.clone())), branches, otherwise })
}

/// The text before the first or after the last delimiter, for a count of 1 or -1.
pub(super) fn substring_index(text: &Expr, delimiter: &Expr, count: &Expr) -> Option<Expr> {
    let reversed = |value: &Expr| Expr::call("reverse", vec![value.clone()]);
    let first = |text: Expr, delimiter: Expr| {
        Expr::call("split_part", vec![text, delimiter, Expr::number("1")])
    };
    match whole_number(count)? {
        1 => Some(first(text.clone(), delimiter.clone())),
        -1 => Some(reversed(&first(reversed(text), reversed(delimiter)))),
        _ => None,
    }
}

/// `x / sum(x) OVER (…)`.
pub(super) fn ratio(call: &FunctionCall) -> Option<Expr> {
    let [value] = plain_arguments(call)?.try_into().ok()?;
    let total = FunctionCall { name: "sum".to_owned(), ..call.clone() };
    call.over.as_ref()?;
    let value = super::dates::cast(value, "double precision");
    let zero = Expr::number("0");
    let total = Expr::call("nullif", vec![total.into(), zero]);
    Some(Expr::binary(value, BinaryOperator::Divide, total))
}

/// The position of a text from a start, counted from the beginning. A start below 1 finds nothing in MySQL and is 1 in
/// SQL Server and Snowflake.
pub(super) fn located(text: &Expr, part: &Expr, start: &Expr, from: ReadDialect) -> Expr {
    let one = Expr::number("1");
    let nothing_before = from == ReadDialect::Mysql;
    let found = |start: &Expr| {
        let rest = Expr::call("substr", vec![text.clone(), start.clone()]);
        Expr::call("strpos", vec![rest, part.clone()])
    };
    match whole_number(start) {
        Some(start) if start < 1 && nothing_before => {
            // NULL if an argument is.
            let whole = Expr::call("strpos", vec![text.clone(), part.clone()]);
            return Expr::binary(whole, BinaryOperator::Multiply, Expr::number("0"));
        }
        Some(start) if start <= 1 => {
            return Expr::call("strpos", vec![text.clone(), part.clone()]);
        }
        _ => {}
    }
    let below = || Expr::binary(start.clone(), BinaryOperator::Less, one.clone());
    let first = match whole_number(start) {
        Some(_) => start.clone(),
        None if nothing_before => start.clone(),
        None => Expr::Case {
            operand: None,
            branches: vec![(below(), one.clone())],
            otherwise: Some(Box::new(start.clone())),
        },
    };
    let zero = Expr::number("0");
    let before = Expr::binary(first.clone(), BinaryOperator::Minus, one.clone());
    let position = Expr::binary(found(&first), BinaryOperator::Plus, before);
    let mut branches = Vec::new();
    if nothing_before && whole_number(start).is_none() {
        branches.push((below(), zero.clone()));
    }
    branches.push((Expr::binary(found(&first), BinaryOperator::Equal, zero.clone()), zero));
    Expr::Case { operand: None, branches, otherwise: Some(Box::new(position)) }
}

/// The position of a text from a constant positive start, counted from the beginning.
pub(super) fn position_from(text: &Expr, part: &Expr, start: &Expr) -> Option<Expr> {
    whole_number(start).filter(|start| *start > 0)?;
    let rest = Expr::call("substr", vec![text.clone(), start.clone()]);
    let found = Expr::call("strpos", vec![rest, part.clone()]);
    let zero = Expr::number("0");
    let before = Expr::binary(start.clone(), BinaryOperator::Minus, Expr::number("1"));
    let position = Expr::binary(found.clone(), BinaryOperator::Plus, before);
    Some(Expr::Case {
        operand: None,
        branches: vec![(Expr::binary(found, BinaryOperator::Equal, zero.clone()), zero)],
        otherwise: Some(Box::new(position)),
    })
}

/// `_insert(text, start, count, new)` of MySQL, and `_stuff` of SQL Server: a text with some characters replaced. A start
/// outside the text leaves it unchanged in MySQL and yields NULL in SQL Server, where a new text of NULL is empty.
pub(super) fn inserted(call: &FunctionCall) -> Option<Expr> {
    let [text, start, count, new] = plain_arguments(call)?.try_into().ok()?;
    let stuffs = call.name == "_stuff";
    let (first, one) = (whole_number(&start), Expr::number("1"));
    let taken = whole_number(&count);
    let binary =
        |left: &Expr, operator, right: &Expr| Expr::binary(left.clone(), operator, right.clone());
    let unchanged = if stuffs { Expr::literal(Literal::Null) } else { text.clone() };
    if first.is_some_and(|first| first < 1) || stuffs && taken.is_some_and(|taken| taken < 0) {
        return Some(unchanged);
    }
    let length = Expr::call("length", vec![text.clone()]);
    let before = match first {
        Some(first) => Expr::number((first - 1).to_string()),
        None => binary(&start, BinaryOperator::Minus, &one),
    };
    let after = match (first, taken) {
        (Some(first), Some(taken)) => Expr::number(first.checked_add(taken.max(0))?.to_string()),
        _ => binary(&start, BinaryOperator::Plus, &count),
    };
    let empty = Expr::string("");
    let may_be_null = stuffs && !is_constant(&new);
    let mut parts = vec![Expr::call("left", vec![text.clone(), before])];
    parts.push(if may_be_null {
        Expr::call("coalesce", vec![new.clone(), empty.clone()])
    } else {
        new.clone()
    });
    // MySQL replaces the rest of the text if the count is negative.
    let rest = Expr::call("substr", vec![text.clone(), after]);
    parts.push(match taken {
        Some(taken) if taken < 0 => empty,
        Some(_) => rest,
        None if stuffs => rest,
        None => Expr::Case {
            operand: None,
            branches: vec![(
                binary(&count, BinaryOperator::GreaterOrEqual, &Expr::number("0")),
                rest,
            )],
            otherwise: Some(Box::new(empty)),
        },
    });
    let mut within = Vec::new();
    if first.is_none() {
        within.push(binary(&start, BinaryOperator::GreaterOrEqual, &one));
    }
    within.push(binary(&length, BinaryOperator::GreaterOrEqual, &start));
    if stuffs && taken.is_none() {
        within.push(binary(&count, BinaryOperator::GreaterOrEqual, &Expr::number("0")));
    }
    let within = if within.len() > 1 { Expr::And(within) } else { within.pop()? };
    let mut branches = vec![(within, joined(parts)?)];
    if !stuffs {
        let nulls: Vec<Expr> = [&start, &count, &new]
            .into_iter()
            .filter(|argument| !is_constant(argument))
            .map(|argument| Expr::IsNull { operand: Box::new(argument.clone()), negated: false })
            .collect();
        let any = if nulls.len() > 1 { Some(Expr::Or(nulls)) } else { nulls.into_iter().next() };
        branches.extend(any.map(|any| (any, Expr::literal(Literal::Null))));
    }
    let otherwise = (!stuffs).then(|| Box::new(unchanged));
    Some(Expr::Case { operand: None, branches, otherwise })
}
