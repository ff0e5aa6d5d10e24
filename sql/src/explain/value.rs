//! Phrases for values.

use super::names::Teller;
use crate::bind::Kind;
use crate::tree::{Expr, Literal};

/// Maximum number of values of a list that are named.
const NAMED_VALUES: usize = 12;

impl Teller<'_> {
    /// A value compared with an expression, with the unit of that expression.
    pub(super) fn value(&self, value: &Expr, beside: &Expr, block: usize) -> String {
        let words = self.noun(value, block);
        match (value, self.unit(beside)) {
            (Expr::Literal(Literal::Number(_), _), Some("%")) => format!("{words} %"),
            (Expr::Literal(Literal::Number(_), _), Some(unit)) => format!("{words} {unit}"),
            _ => words,
        }
    }

    /// The values of IN, as a choice.
    pub(super) fn choice(
        &self,
        list: &[Expr],
        beside: &Expr,
        negated: bool,
        block: usize,
    ) -> String {
        let shown = list.iter().take(NAMED_VALUES);
        let mut words: Vec<String> = shown.map(|it| self.value(it, beside, block)).collect();
        if list.len() > NAMED_VALUES {
            words.push(format!("{} other values", list.len() - NAMED_VALUES));
        }
        wherefore_english::list(&words, if negated { "nor" } else { "or" })
    }

    /// The boolean that a boolean column is compared with; `None` if either is not boolean.
    pub(super) fn flag(&self, operand: &Expr, value: &Expr) -> Option<bool> {
        let said = match value {
            Expr::Literal(Literal::Boolean(value), _) => *value,
            Expr::Literal(Literal::Number(text), _) => match text.as_str() {
                "1" => true,
                "0" => false,
                _ => return None,
            },
            Expr::Literal(Literal::String(text), _) => match text.as_str() {
                "true" | "t" => true,
                "false" | "f" => false,
                _ => return None,
            },
            _ => return None,
        };
        (self.kind(operand) == Some(Kind::Boolean)).then_some(said)
    }
}

/// A literal as a phrase.
pub(super) fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Boolean(true) => "yes".to_owned(),
        Literal::Boolean(false) => "no".to_owned(),
        Literal::Date(text) | Literal::Timestamp(text) => text.clone(),
        Literal::Interval(text) => super::moment::span_words(text).unwrap_or_else(|| text.clone()),
        Literal::Null => "nothing".to_owned(),
        Literal::Number(text) => number(text),
        Literal::String(text) if text.is_empty() => "an empty text".to_owned(),
        Literal::String(text) => format!("“{text}”"),
    }
}

/// A number without trailing zeros after the decimal point.
pub(super) fn number(text: &str) -> String {
    if text.contains('.') && !text.contains(['e', 'E']) {
        let short = text.trim_end_matches('0').trim_end_matches('.');
        if !short.is_empty() {
            return short.to_owned();
        }
    }
    text.to_owned()
}
