//! Rejects unparenthesized operators whose precedence differs between the parser and the servers.
//!
//! The parser groups `a = b < c` and `a || b * c` in the same way for all dialects, but servers disagree. Such a
//! combination is an error that asks for parentheses, so that no statement changes its meaning.

use sqlparser::ast::{BinaryOperator as Op, CastKind, Expr, UnaryOperator};

use crate::diagnostic::{Code, Diagnostic};
use crate::tree::SqlSpan;

use super::Converted;
use super::dialect::ReadDialect;

#[derive(Clone, Copy, Eq, PartialEq)]
enum Class {
    Arithmetic,
    Comparison,
    /// `||` and the JSON arrow operators.
    Joining,
    Logic,
    Not,
    /// `::`, COLLATE and AT TIME ZONE.
    Postfix,
    Power,
    /// An operator that only PostgreSQL has; it has the precedence of `||`, below arithmetic.
    Operator,
    /// A prefix operator other than a sign.
    Prefix,
    Primary,
    Sign,
}

/// Rejects a node whose unparenthesized operands could be grouped differently.
pub(super) fn check(expr: &Expr, dialect: ReadDialect) -> Converted<()> {
    let parent = class(expr);
    let is_ambiguous = match expr {
        Expr::BinaryOp {
            op: Op::PGRegexMatch | Op::PGRegexIMatch | Op::PGRegexNotMatch | Op::PGRegexNotIMatch,
            right,
            ..
        } if matches!(class(right), Class::Joining | Class::Operator) => true,
        Expr::BinaryOp { left, right, .. }
        | Expr::IsDistinctFrom(left, right)
        | Expr::IsNotDistinctFrom(left, right) => {
            mixes(parent, class(left), false, dialect) || mixes(parent, class(right), true, dialect)
        }
        Expr::Between { expr, low, high, .. } => {
            [expr, low, high].iter().any(|part| mixes(parent, class(part), false, dialect))
        }
        Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
            [expr, pattern].iter().any(|part| mixes(parent, class(part), false, dialect))
        }
        Expr::UnaryOp { expr, .. }
        | Expr::IsNull(expr)
        | Expr::IsNotNull(expr)
        | Expr::IsTrue(expr)
        | Expr::IsNotTrue(expr)
        | Expr::IsFalse(expr)
        | Expr::IsNotFalse(expr)
        | Expr::IsUnknown(expr)
        | Expr::IsNotUnknown(expr)
        | Expr::InList { expr, .. }
        | Expr::InSubquery { expr, .. }
        | Expr::AnyOp { left: expr, .. }
        | Expr::AllOp { left: expr, .. }
        | Expr::AtTimeZone { timestamp: expr, .. }
        | Expr::Collate { expr, .. }
        | Expr::Cast { kind: CastKind::DoubleColon, expr, .. } => {
            mixes(parent, class(expr), false, dialect)
        }
        _ => false,
    };
    if is_ambiguous {
        let message = "servers disagree on the precedence of these operators";
        let fault = Diagnostic::new(Code::Unsupported, message, SqlSpan::default());
        return Err(fault.hint("add parentheses"));
    }
    Ok(())
}

fn class(expr: &Expr) -> Class {
    match expr {
        Expr::BinaryOp { op, .. } => match op {
            Op::And | Op::Or | Op::Xor => Class::Logic,
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo => Class::Arithmetic,
            Op::StringConcat | Op::Arrow | Op::LongArrow | Op::HashArrow | Op::HashLongArrow => {
                Class::Joining
            }
            Op::PGExp => Class::Power,
            Op::Gt
            | Op::Lt
            | Op::GtEq
            | Op::LtEq
            | Op::Spaceship
            | Op::Eq
            | Op::NotEq
            | Op::Glob
            | Op::PGRegexMatch
            | Op::PGRegexIMatch
            | Op::PGRegexNotMatch
            | Op::PGRegexNotIMatch => Class::Comparison,
            _ => Class::Operator,
        },
        Expr::UnaryOp { op: UnaryOperator::Not, .. } => Class::Not,
        Expr::UnaryOp { op: UnaryOperator::Minus | UnaryOperator::Plus, .. } => Class::Sign,
        Expr::UnaryOp { .. } => Class::Prefix,
        Expr::AtTimeZone { .. }
        | Expr::Collate { .. }
        | Expr::Cast { kind: CastKind::DoubleColon, .. } => Class::Postfix,
        Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsUnknown(_)
        | Expr::IsNotUnknown(_)
        | Expr::Between { .. }
        | Expr::InList { .. }
        | Expr::InSubquery { .. }
        | Expr::AnyOp { .. }
        | Expr::AllOp { .. }
        | Expr::Like { .. }
        | Expr::ILike { .. } => Class::Comparison,
        _ => Class::Primary,
    }
}

fn mixes(parent: Class, child: Class, is_right: bool, dialect: ReadDialect) -> bool {
    use Class::{
        Arithmetic, Comparison, Joining, Logic, Not, Operator, Postfix, Power, Prefix, Primary,
        Sign,
    };
    if child == Primary || matches!(parent, Logic | Not | Primary) {
        return false;
    }
    let joins_first = dialect == ReadDialect::Sqlite;
    match (parent, child) {
        // PostgreSQL's own precedence, which the parser follows for this dialect.
        (Power, Postfix) if dialect == ReadDialect::Postgres => false,
        (Power, Power) if dialect == ReadDialect::Postgres => is_right,
        (Power, Sign) if dialect == ReadDialect::Postgres => !is_right,
        (Arithmetic | Power | Postfix, Prefix) => !is_right,
        (_, Logic | Not | Comparison)
        | (Power, _)
        | (Sign | Postfix, Arithmetic | Joining | Power)
        | (Arithmetic | Postfix | Sign, Operator) => true,
        (Arithmetic, Joining) | (Postfix, Sign) => !joins_first,
        (Joining, Arithmetic) => joins_first,
        (Joining | Operator, Joining | Operator) => is_right,
        _ => false,
    }
}
