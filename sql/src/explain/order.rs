//! Phrases for ORDER BY, which depend on the type of the sort key.

use super::names::Teller;
use crate::bind::Kind;
use crate::tree::{Expr, OrderItem};

impl Teller<'_> {
    /// Sort keys with their directions, such as `amount, largest first`.
    pub(super) fn order(&self, items: &[OrderItem], block: usize) -> String {
        let words = items.iter().map(|item| {
            let key = self.noun(&item.expr, block);
            let is_period = self.is_period(&item.expr);
            format!("{key}, {}", self.direction(item, self.kind(&item.expr), is_period))
        });
        words.collect::<Vec<_>>().join("; then ")
    }

    /// Direction of a sort key of a known type.
    pub(super) fn direction(
        &self,
        item: &OrderItem,
        kind: Option<Kind>,
        is_period: bool,
    ) -> String {
        let words = match (kind, item.descending) {
            (_, true) if is_period => "latest first",
            (_, false) if is_period => "earliest first",
            (Some(Kind::Integer | Kind::Number | Kind::Interval), true) => "largest first",
            (Some(Kind::Integer | Kind::Number | Kind::Interval), false) => "smallest first",
            (Some(Kind::Date | Kind::Time | Kind::Timestamp), true) => "latest first",
            (Some(Kind::Date | Kind::Time | Kind::Timestamp), false) => "earliest first",
            (Some(Kind::Text), true) => "Z to A",
            (Some(Kind::Text), false) => "A to Z",
            (Some(Kind::Boolean), true) => "yes first",
            (Some(Kind::Boolean), false) => "no first",
            (_, true) => "highest first",
            (_, false) => "lowest first",
        };
        match item.nulls_first {
            Some(true) => format!("{words} (missing values first)"),
            Some(false) => format!("{words} (missing values last)"),
            None => words.to_owned(),
        }
    }

    /// Whether an expression is a date part or a date formatted as text, such as `2026-01`.
    pub(super) fn is_period(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Extract { .. } => true,
            Expr::Function(call) => matches!(
                call.name.as_str(),
                "strftime" | "to_char" | "date" | "datetime" | "date_trunc"
            ),
            Expr::Column { name, .. } => self.bound.use_of(name).is_some_and(|it| {
                let crate::bind::Meaning::Alias(item) = it.meaning else { return false };
                let block = self.bound.blocks.get(it.place.block);
                let item = block.and_then(|block| block.select.items.get(item));
                matches!(item, Some(crate::tree::SelectItem::Expr { expr, .. })
                    if !matches!(expr, Expr::Column { .. }) && self.is_period(expr))
            }),
            _ => false,
        }
    }
}
