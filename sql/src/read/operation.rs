//! Conversion of operators: chains, signs, predicates and CASE.

use sqlparser::ast;

use crate::diagnostic::{Code, Diagnostic};
use crate::foreign::Spelling;
use crate::tree::{BinaryOperator, Expr, SqlSpan};

use super::foreign::{collated, is_collation};
use super::{Converted, MAX_DEPTH, Reader};

impl Reader<'_> {
    /// A binary operation; the left spine is converted in a loop, because chains can be long.
    pub(super) fn chain(
        &mut self,
        left: ast::Expr,
        op: ast::BinaryOperator,
        right: ast::Expr,
    ) -> Converted<Expr> {
        let mut rest = vec![(op, right)];
        let mut first = left;
        while matches!(first, ast::Expr::BinaryOp { .. }) {
            super::precedence::check(&first, self.dialect)?;
            let ast::Expr::BinaryOp { left, op, right } = first else { break };
            rest.push((op, *right));
            first = *left;
        }
        let start = self.depth;
        self.depth += levels(&rest);
        if self.depth > MAX_DEPTH {
            let message = "the statement has too many operators in a row";
            return Err(Diagnostic::new(Code::Limit, message, SqlSpan::default()));
        }
        let mut built = self.expr(first)?;
        let mut is_first = true;
        while let Some((op, right)) = rest.pop() {
            self.depth = start + levels(&rest);
            let right = self.expr(right)?;
            built = match (op, built) {
                (ast::BinaryOperator::And, Expr::And(parts)) if !is_first => {
                    Expr::And(with(parts, right))
                }
                (ast::BinaryOperator::Or, Expr::Or(parts)) if !is_first => {
                    Expr::Or(with(parts, right))
                }
                (ast::BinaryOperator::And, left) => Expr::And(vec![left, right]),
                (ast::BinaryOperator::Or, left) => Expr::Or(vec![left, right]),
                (op, left) if self.habits => self.habit_operation(left, op, right)?,
                (op, left) => self.operation(left, op, right)?,
            };
            is_first = false;
        }
        self.depth = start;
        Ok(built)
    }

    pub(super) fn binary(
        &mut self,
        left: ast::Expr,
        operator: BinaryOperator,
        right: ast::Expr,
    ) -> Converted<Expr> {
        Ok(Expr::binary(self.expr(left)?, operator, self.expr(right)?))
    }

    pub(super) fn unary(&mut self, op: ast::UnaryOperator, operand: ast::Expr) -> Converted<Expr> {
        let operand = self.boxed(operand)?;
        match op {
            ast::UnaryOperator::Not => Ok(Expr::Not(operand)),
            ast::UnaryOperator::Minus => Ok(Expr::Unary { negative: true, operand }),
            ast::UnaryOperator::Plus => Ok(Expr::Unary { negative: false, operand }),
            other => self.foreign_prefix(other, *operand),
        }
    }

    pub(super) fn is_null(&mut self, operand: ast::Expr, negated: bool) -> Converted<Expr> {
        Ok(Expr::IsNull { operand: self.boxed(operand)?, negated })
    }

    pub(super) fn is_boolean(
        &mut self,
        operand: ast::Expr,
        value: bool,
        negated: bool,
    ) -> Converted<Expr> {
        Ok(Expr::IsBoolean { operand: self.boxed(operand)?, value, negated })
    }

    pub(super) fn in_list(
        &mut self,
        operand: ast::Expr,
        list: Vec<ast::Expr>,
        negated: bool,
    ) -> Converted<Expr> {
        let operand = self.boxed(operand)?;
        let mut list = self.exprs(list)?;
        // Removes the unary plus that `tokens::repair` inserted before a subquery.
        if let Some(first) = list.first_mut()
            && let Expr::Unary { negative: false, operand } = first
            && matches!(**operand, Expr::Subquery(_))
        {
            *first = std::mem::replace(&mut **operand, Expr::Tuple(Vec::new()));
        }
        Ok(Expr::InList { operand, list, negated })
    }

    /// `= ANY (…)` and `<> ALL (…)` with a subquery or an array, converted to IN and NOT IN.
    pub(super) fn in_any(
        &mut self,
        left: ast::Expr,
        right: ast::Expr,
        negated: bool,
    ) -> Converted<Expr> {
        let operand = self.boxed(left)?;
        let spelling = if negated { Spelling::All } else { Spelling::Any };
        match self.expr(right)? {
            Expr::Subquery(query) => {
                Ok(self.spelled(Expr::InQuery { operand, query, negated }, spelling))
            }
            Expr::Array(list) if !list.is_empty() => {
                Ok(self.spelled(Expr::InList { operand, list, negated }, spelling))
            }
            other => self.foreign_quantifier(*operand, negated, other),
        }
    }

    pub(super) fn case(
        &mut self,
        operand: Option<Box<ast::Expr>>,
        conditions: Vec<ast::CaseWhen>,
        else_result: Option<Box<ast::Expr>>,
    ) -> Converted<Expr> {
        let operand = operand.map(|operand| self.boxed(*operand)).transpose()?;
        let branches = conditions
            .into_iter()
            .map(|ast::CaseWhen { condition, result }| {
                Ok((self.expr(condition)?, self.expr(result)?))
            })
            .collect::<Converted<Vec<(Expr, Expr)>>>()?;
        let otherwise = else_result.map(|otherwise| self.boxed(*otherwise)).transpose()?;
        Ok(Expr::Case { operand, branches, otherwise })
    }

    pub(super) fn operation(
        &self,
        left: Expr,
        op: ast::BinaryOperator,
        right: Expr,
    ) -> Converted<Expr> {
        use ast::BinaryOperator as Op;
        let operator = match op {
            Op::Plus => BinaryOperator::Plus,
            Op::Minus => BinaryOperator::Minus,
            Op::Multiply => BinaryOperator::Multiply,
            Op::Divide => BinaryOperator::Divide,
            Op::Modulo => BinaryOperator::Modulo,
            Op::StringConcat => BinaryOperator::Concat,
            Op::Gt => BinaryOperator::Greater,
            Op::Lt => BinaryOperator::Less,
            Op::GtEq => BinaryOperator::GreaterOrEqual,
            Op::LtEq => BinaryOperator::LessOrEqual,
            Op::Eq => BinaryOperator::Equal,
            Op::NotEq => BinaryOperator::NotEqual,
            Op::Spaceship => BinaryOperator::IsNotDistinctFrom,
            Op::Glob => BinaryOperator::Glob,
            Op::PGRegexMatch => BinaryOperator::Regex,
            Op::PGRegexIMatch => BinaryOperator::RegexInsensitive,
            Op::PGRegexNotMatch => BinaryOperator::NotRegex,
            Op::PGRegexNotIMatch => BinaryOperator::NotRegexInsensitive,
            Op::Arrow => BinaryOperator::JsonGet,
            Op::LongArrow => BinaryOperator::JsonGetText,
            Op::HashArrow => BinaryOperator::JsonPath,
            Op::HashLongArrow => BinaryOperator::JsonPathText,
            Op::PGExp if is_collation(&right) => return Ok(collated(left, right)),
            Op::PGExp => {
                let meaning = Expr::call("power", vec![left, right]);
                return Ok(self.spelled(meaning, Spelling::Power));
            }
            other => return self.foreign_operation(left, &other, right),
        };
        Ok(Expr::binary(left, operator, right))
    }
}

/// Number of levels that a chain adds to the tree; a run of AND or of OR adds one.
fn levels(chain: &[(ast::BinaryOperator, ast::Expr)]) -> usize {
    let is_joined =
        |op: &ast::BinaryOperator| matches!(op, ast::BinaryOperator::And | ast::BinaryOperator::Or);
    let joined = chain.windows(2).filter(|pair| is_joined(&pair[0].0) && pair[0].0 == pair[1].0);
    chain.len() - joined.count()
}

fn with(mut parts: Vec<Expr>, part: Expr) -> Vec<Expr> {
    parts.push(part);
    parts
}
