//! P05 type-mismatch: operands of incompatible types, or a literal that is not a value of the column's type.
//!
//! SQLite compares them anyway and finds no rows, so there it is a warning.
//!
//! why: the data source rejects the comparison, or it never matches.
//! wrong: `SELECT id FROM users WHERE created_at = 2024`
//! right: `SELECT id FROM users WHERE created_at >= '2024-01-01'`

use crate::Dialect;
use crate::bind::{Clause, Kind, comparable};
use crate::lint::{Finding, Rule, Severity, Statement};
use crate::tree::{BinaryOperator, Expr, Literal};
use crate::walk::{inner_query, walk};

use super::support::{number, text_literal};

pub(super) static RULE: Rule = Rule::new("P05", "type-mismatch", Severity::Error, check);

fn check(statement: &Statement<'_>, found: &mut Vec<Finding>) {
    let strict = statement.dialect == Dialect::Postgres;
    statement.each_expression(&mut |clause, root| {
        walk(root, &mut |expr| {
            for message in faults(statement, expr) {
                let finding = Finding::new(&RULE, message, statement.extent(expr));
                found.push(if strict { finding } else { finding.at(Severity::Warning) });
            }
        });
        if strict && clause == Clause::Limit && number(root).is_some_and(|rows| rows < 0.0) {
            found.push(Finding::new(
                &RULE,
                "the number of rows must not be negative",
                statement.extent(root),
            ));
        }
        if clause == Clause::Limit
            && text_literal(root).is_some_and(|text| text.parse::<u64>().is_err())
        {
            found.push(Finding::new(&RULE, "expected a number of rows", statement.extent(root)));
        }
    });
    if strict {
        statement.each_condition(&mut |_, condition| {
            for part in crate::walk::conjuncts(condition) {
                if let Some(message) = not_boolean(statement, part) {
                    found.push(Finding::new(&RULE, message, statement.extent(part)));
                }
            }
        });
    }
}

fn not_boolean(statement: &Statement<'_>, part: &Expr) -> Option<String> {
    let kind = statement.bound.kind(part)?;
    (!matches!(kind, Kind::Boolean | Kind::Untyped | Kind::Other))
        .then(|| format!("expected a condition; got {}", kind.words()))
}

fn faults(statement: &Statement<'_>, expr: &Expr) -> Vec<String> {
    let compare = |one: &Expr, other: &Expr| comparison(statement, one, other);
    match expr {
        Expr::Binary { operator, left, right } if compares(*operator) => {
            compare(left, right).into_iter().collect()
        }
        Expr::Between { operand, low, high, .. } => {
            [low, high].into_iter().filter_map(|bound| compare(operand, bound)).collect()
        }
        Expr::InList { operand, list, .. } => {
            list.iter().filter_map(|value| compare(operand, value)).collect()
        }
        _ if statement.dialect == Dialect::Postgres => rejected(statement, expr),
        _ => Vec::new(),
    }
}

fn compares(operator: BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual
            | BinaryOperator::IsDistinctFrom
            | BinaryOperator::IsNotDistinctFrom
    )
}

/// Type errors other than in comparisons, which PostgreSQL rejects and SQLite converts.
fn rejected(statement: &Statement<'_>, expr: &Expr) -> Vec<String> {
    let kind = |expr: &Expr| statement.bound.kind(expr);
    let fault = match expr {
        Expr::Binary { operator, left, right } => {
            return calculation(*operator, (left, kind(left)), (right, kind(right)));
        }
        Expr::And(parts) | Expr::Or(parts) => {
            return parts.iter().filter_map(|part| not_boolean(statement, part)).collect();
        }
        Expr::Case { operand, branches, otherwise } => {
            return case(statement, operand.as_deref(), branches, otherwise.as_deref());
        }
        Expr::Function(call) if matches!(call.name.as_str(), "coalesce" | "greatest" | "least") => {
            let arguments: Vec<&Expr> = crate::walk::arguments(call).collect();
            let pairs = arguments.windows(2);
            return pairs.filter_map(|pair| comparison(statement, pair[0], pair[1])).collect();
        }
        Expr::Not(operand) => not_boolean(statement, operand),
        Expr::Unary { operand, .. } => kind(operand)
            .filter(|kind| {
                matches!(
                    kind,
                    Kind::Text | Kind::Boolean | Kind::Date | Kind::Timestamp | Kind::Uuid
                )
            })
            .map(|kind| format!("a sign needs a number; got {}", kind.words())),
        Expr::InQuery { operand, .. } => looked_for(statement, operand, expr),
        Expr::Like { operand, pattern, .. } => [operand, pattern]
            .into_iter()
            .filter_map(|side| kind(side))
            .find(|kind| !matches!(kind, Kind::Text | Kind::Untyped | Kind::Other | Kind::Binary))
            .map(|kind| format!("LIKE needs text; got {}", kind.words())),
        Expr::Extract { operand, .. } => kind(operand)
            .filter(|kind| {
                matches!(kind, Kind::Text | Kind::Integer | Kind::Number | Kind::Boolean)
            })
            .map(|kind| format!("EXTRACT needs a date or a timestamp; got {}", kind.words())),
        Expr::Cast { operand, to } => {
            literal_kind(&to.name).and_then(|wanted| no_value(operand, wanted))
        }
        _ => None,
    };
    fault.into_iter().collect()
}

/// Findings for an arithmetic operator, given its operands with their types.
fn calculation(
    operator: BinaryOperator,
    left: (&Expr, Option<Kind>),
    right: (&Expr, Option<Kind>),
) -> Vec<String> {
    match operator {
        BinaryOperator::Plus
        | BinaryOperator::Minus
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo => {
            let literals = [(left.0, right.1), (right.0, left.1)].into_iter();
            let unfit = literals.filter_map(|(literal, wanted)| {
                no_value(literal, wanted.filter(|wanted| wanted.is_numeric())?)
            });
            arithmetic(operator, left.1, right.1).into_iter().chain(unfit).collect()
        }
        BinaryOperator::Concat => {
            let text = |kind: Option<Kind>| {
                kind.is_none_or(|kind| {
                    matches!(
                        kind,
                        Kind::Text | Kind::Untyped | Kind::Other | Kind::Json | Kind::Binary
                    )
                })
            };
            let neither = !text(left.1) && !text(right.1);
            neither.then(|| "neither operand of || is text".to_owned()).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The finding for `operand IN (query)` if the query's column has another type.
fn looked_for(statement: &Statement<'_>, operand: &Expr, expr: &Expr) -> Option<String> {
    let inner = statement.bound.subquery(inner_query(expr)?)?;
    let output = statement.bound.blocks.get(inner.block)?.outputs.first()?;
    let (one, other) = (statement.bound.kind(operand)?, output.kind?);
    (!comparable(one, other)).then(|| {
        format!("cannot compare {} with a subquery that returns {}", one.words(), other.words())
    })
}

/// Findings for the conditions of a CASE, and for the first branch whose type differs from the others.
fn case(
    statement: &Statement<'_>,
    operand: Option<&Expr>,
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
) -> Vec<String> {
    let conditions = branches.iter().filter_map(|(when, _)| match operand {
        Some(operand) => comparison(statement, operand, when),
        None => not_boolean(statement, when),
    });
    let mut found: Vec<String> = conditions.collect();
    let given = branches.iter().map(|(_, then)| then).chain(otherwise);
    let kinds: Vec<(&Expr, Kind)> =
        given.filter_map(|it| Some((it, statement.bound.kind(it)?))).collect();
    if let Some((_, wanted)) = kinds.iter().find(|(_, kind)| *kind != Kind::Untyped) {
        found.extend(kinds.iter().find_map(|(branch, kind)| match text_literal(branch) {
            Some(_) => no_value(branch, *wanted),
            None => (!comparable(*wanted, *kind)).then(|| {
                format!("one CASE branch returns {}, another {}", wanted.words(), kind.words())
            }),
        }));
    }
    found
}

/// The finding for a text literal that is not a value of the type.
fn no_value(expr: &Expr, wanted: Kind) -> Option<String> {
    let text = text_literal(expr)?;
    (!is_value(text, wanted)).then(|| format!("'{text}' is not {}", wanted.words()))
}

fn literal_kind(name: &str) -> Option<Kind> {
    Some(match name {
        "integer" | "int" | "bigint" | "smallint" | "int4" | "int8" => Kind::Integer,
        "numeric" | "decimal" | "real" | "double precision" | "float" => Kind::Number,
        "date" => Kind::Date,
        "timestamp" => Kind::Timestamp,
        _ => return None,
    })
}

fn comparison(statement: &Statement<'_>, one: &Expr, other: &Expr) -> Option<String> {
    let strict = statement.dialect == Dialect::Postgres;
    let (first, second) = (statement.bound.kind(one)?, statement.bound.kind(other)?);
    for (literal, wanted) in [(other, first), (one, second)] {
        if text_literal(literal).is_some() {
            // SQLite stores text in columns of any type; only text that is not a number at all is reported.
            let checked = strict
                || wanted.is_numeric()
                    && statement
                        .bound
                        .origin_of(if std::ptr::eq(literal, other) { one } else { other })
                        .is_none_or(|it| it.column.values.is_none());
            return no_value(literal, wanted).filter(|_| checked);
        }
    }
    let differs = !comparable(first, second);
    let said = strict
        || first.is_temporal() && second.is_numeric() && is_number(other)
        || second.is_temporal() && first.is_numeric() && is_number(one);
    (differs && said).then(|| format!("cannot compare {} with {}", first.words(), second.words()))
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(Literal::Number(_), _))
}

/// Whether a text is a valid value of a type.
fn is_value(text: &str, kind: Kind) -> bool {
    let text = text.trim();
    match kind {
        Kind::Integer => text.parse::<i64>().is_ok(),
        Kind::Number => text.parse::<f64>().is_ok(),
        Kind::Boolean => {
            let lower = text.to_ascii_lowercase();
            ["t", "f", "true", "false", "yes", "no", "y", "n", "on", "off", "1", "0"]
                .contains(&lower.as_str())
        }
        Kind::Date | Kind::Timestamp if text.get(..10).is_some_and(is_day) => {
            text.get(..10).is_some_and(|it| wherefore_catalog::day::parse(it).is_some())
        }
        Kind::Date | Kind::Timestamp => {
            text.bytes().any(|byte| byte.is_ascii_digit())
                || [
                    "now",
                    "today",
                    "yesterday",
                    "tomorrow",
                    "infinity",
                    "-infinity",
                    "epoch",
                    "allballs",
                ]
                .contains(&text.to_ascii_lowercase().as_str())
        }
        Kind::Uuid => text.bytes().filter(u8::is_ascii_hexdigit).count() == 32,
        _ => true,
    }
}

/// Whether a text has the form `dddd-dd-dd`, whether or not it is a calendar date.
fn is_day(text: &str) -> bool {
    let formed = |(at, byte): (usize, u8)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(formed)
}

fn arithmetic(operator: BinaryOperator, left: Option<Kind>, right: Option<Kind>) -> Option<String> {
    use BinaryOperator as Op;
    let (left, right) = (left?, right?);
    let loose = |kind: Kind| matches!(kind, Kind::Untyped | Kind::Other);
    let fits = loose(left)
        || loose(right)
        || left.is_numeric() && right.is_numeric()
        || match operator {
            Op::Plus => {
                matches!(
                    (left, right),
                    (Kind::Date, Kind::Integer | Kind::Interval | Kind::Time)
                        | (Kind::Integer, Kind::Date)
                        | (Kind::Timestamp | Kind::Time | Kind::Interval, Kind::Interval)
                        | (Kind::Interval, Kind::Date | Kind::Timestamp | Kind::Time)
                )
            }
            Op::Minus => {
                left.is_temporal() && right.is_temporal()
                    || matches!(
                        (left, right),
                        (Kind::Date, Kind::Integer | Kind::Interval)
                            | (Kind::Timestamp | Kind::Time | Kind::Interval, Kind::Interval)
                            | (Kind::Time, Kind::Time)
                            | (Kind::Json, _)
                    )
            }
            Op::Multiply => {
                left == Kind::Interval && right.is_numeric()
                    || left.is_numeric() && right == Kind::Interval
            }
            Op::Divide => left == Kind::Interval && right.is_numeric(),
            _ => false,
        };
    let sign = match operator {
        Op::Plus => "+",
        Op::Minus => "-",
        Op::Multiply => "*",
        Op::Divide => "/",
        _ => "%",
    };
    (!fits).then(|| format!("cannot compute {} {sign} {}", left.words(), right.words()))
}
