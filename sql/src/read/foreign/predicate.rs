//! Predicates and special calls that the tree has no node for.

use sqlparser::ast;

use crate::foreign::Part;
use crate::tree::{Expr, Identifier, SqlSpan};

use super::super::{Converted, Reader, unsupported};

impl Reader<'_> {
    /// An expression that the tree has no node for.
    pub(in super::super) fn foreign_predicate(&mut self, expr: ast::Expr) -> Converted<Expr> {
        match expr {
            ast::Expr::AnyOp { left, compare_op, right, is_some: _ } => {
                let fault = unsupported("ANY or ALL with this operator", SqlSpan::default());
                let operator = super::operator::symbol(&compare_op).ok_or(fault)?;
                let what = "ANY or ALL with this operator";
                self.quantified(*left, operator, " ANY ", *right, what)
            }
            ast::Expr::AllOp { left, compare_op, right } => {
                let fault = unsupported("ANY or ALL with this operator", SqlSpan::default());
                let operator = super::operator::symbol(&compare_op).ok_or(fault)?;
                let what = "ANY or ALL with this operator";
                self.quantified(*left, operator, " ALL ", *right, what)
            }
            ast::Expr::SimilarTo { negated, expr, pattern, escape_char } => {
                self.similar_to(*expr, *pattern, escape_char, negated)
            }
            ast::Expr::IsJson { expr, kind, unique_keys, negated } => {
                let words = ["JSON".to_owned()]
                    .into_iter()
                    .chain(kind.map(|kind| kind.to_string()))
                    .chain(unique_keys.map(|keys| keys.to_string()))
                    .collect::<Vec<_>>();
                self.is_predicate(*expr, negated, words.join(" "))
            }
            ast::Expr::IsNormalized { expr, form, negated } => {
                let form = form.map(|form| form.to_string()).unwrap_or_default();
                self.is_predicate(*expr, negated, format!("{form} NORMALIZED"))
            }
            ast::Expr::Like { negated, any: true, expr, pattern, escape_char: None } => {
                let operator = if negated { "NOT LIKE" } else { "LIKE" };
                self.quantified(*expr, vec![Part::Text(operator)], " ANY ", *pattern, "like any")
            }
            ast::Expr::ILike { negated, any: true, expr, pattern, escape_char: None } => {
                let operator = if negated { "NOT ILIKE" } else { "ILIKE" };
                self.quantified(*expr, vec![Part::Text(operator)], " ANY ", *pattern, "ilike any")
            }
            other => Err(unsupported(expression_name(&other), SqlSpan::default())),
        }
    }

    /// `operand op ANY (…)`, also with LIKE.
    pub(in super::super) fn quantified(
        &mut self,
        operand: ast::Expr,
        mut operator: Vec<Part>,
        quantifier: &'static str,
        right: ast::Expr,
        what: &str,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported(what, SqlSpan::default()))?;
        let mut parts = vec![Part::Operand(self.expr(operand)?), Part::Text(" ")];
        parts.append(&mut operator);
        parts.push(Part::Text(quantifier));
        parts.extend(match self.expr(right)? {
            Expr::Subquery(query) => vec![Part::Text("("), Part::Query(query), Part::Text(")")],
            other => vec![Part::Text("("), Part::Expr(other), Part::Text(")")],
        });
        Ok(kept.operator(parts))
    }

    /// `= ANY (…)` and `<> ALL (…)` with an array expression.
    pub(in super::super) fn foreign_quantifier(
        &self,
        operand: Expr,
        negated: bool,
        array: Expr,
    ) -> Converted<Expr> {
        let fault = unsupported("ANY or ALL with this expression", SqlSpan::default());
        let kept = self.keep(fault)?;
        let words = if negated { " <> ALL (" } else { " = ANY (" };
        let parts = [Part::Operand(operand), Part::Text(words), Part::Expr(array)];
        Ok(kept.operator(parts.into_iter().chain([Part::Text(")")]).collect()))
    }

    /// COLLATE with a schema-qualified collation.
    pub(in super::super) fn foreign_collation(
        &self,
        operand: Expr,
        names: Vec<Identifier>,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("a schema-qualified collation", SqlSpan::default()))?;
        let mut parts = vec![Part::Operand(operand), Part::Text(" COLLATE ")];
        parts.extend(super::dotted(names));
        Ok(kept.operator(parts))
    }

    /// `operand SIMILAR TO pattern` and `NOT SIMILAR TO`.
    pub(in super::super) fn similar_to(
        &mut self,
        operand: ast::Expr,
        pattern: ast::Expr,
        escape: Option<Box<ast::Expr>>,
        negated: bool,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("SIMILAR TO", SqlSpan::default()))?;
        let words = if negated { " NOT SIMILAR TO " } else { " SIMILAR TO " };
        let operand = self.expr(operand)?;
        let pattern = self.expr(pattern)?;
        let mut parts = vec![Part::Operand(operand), Part::Text(words), Part::Operand(pattern)];
        if let Some(escape) = escape {
            parts.extend([Part::Text(" ESCAPE "), Part::Operand(self.expr(*escape)?)]);
        }
        Ok(kept.operator(parts))
    }

    /// LIKE with an ESCAPE that is not a single character.
    pub(in super::super) fn like_with_escape(
        &mut self,
        operand: Expr,
        pattern: Expr,
        escape: Expr,
        case_insensitive: bool,
        negated: bool,
    ) -> Converted<Expr> {
        let fault = unsupported("an ESCAPE of more than one character", SqlSpan::default());
        let kept = self.keep(fault)?;
        let words = match (negated, case_insensitive) {
            (false, false) => " LIKE ",
            (false, true) => " ILIKE ",
            (true, false) => " NOT LIKE ",
            (true, true) => " NOT ILIKE ",
        };
        let escape = [Part::Text(" ESCAPE "), Part::Operand(escape)];
        let mut parts = vec![Part::Operand(operand), Part::Text(words), Part::Operand(pattern)];
        parts.extend(escape);
        Ok(kept.operator(parts))
    }

    /// `IS [NOT] NORMALIZED` and `IS [NOT] JSON`, with their variants.
    pub(in super::super) fn is_predicate(
        &mut self,
        operand: ast::Expr,
        negated: bool,
        words: String,
    ) -> Converted<Expr> {
        let kept = self.keep(unsupported("this expression", SqlSpan::default()))?;
        let mut parts = vec![Part::Operand(self.expr(operand)?)];
        parts.push(Part::Text(if negated { " IS NOT" } else { " IS" }));
        for word in words.split_whitespace() {
            parts.extend([Part::Text(" "), Part::Word(word.to_owned())]);
        }
        Ok(kept.operator(parts))
    }
}

fn expression_name(expr: &ast::Expr) -> &'static str {
    match expr {
        ast::Expr::CompoundFieldAccess { .. } => "a subscript or field access",
        ast::Expr::JsonAccess { .. } => "a JSON path",
        ast::Expr::SimilarTo { .. } => "SIMILAR TO",
        ast::Expr::RLike { .. } => "RLIKE",
        ast::Expr::AnyOp { .. } | ast::Expr::AllOp { .. } => "ANY or ALL with this operator",
        ast::Expr::InUnnest { .. } => "IN UNNEST",
        ast::Expr::Convert { .. } => "CONVERT",
        ast::Expr::Struct { .. } | ast::Expr::Named { .. } => "a struct",
        ast::Expr::Dictionary(_) | ast::Expr::Map(_) => "a map",
        ast::Expr::GroupingSets(_) | ast::Expr::Cube(_) | ast::Expr::Rollup(_) => {
            "ROLLUP, CUBE or GROUPING SETS outside GROUP BY"
        }
        ast::Expr::MatchAgainst { .. } => "MATCH AGAINST",
        ast::Expr::Wildcard(_) | ast::Expr::QualifiedWildcard(..) => "* as a value",
        ast::Expr::Lambda(_) => "a lambda",
        _ => "this expression",
    }
}
