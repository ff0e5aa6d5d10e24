//! Conditions of a statement: columns with the values and dates that they are compared with.

use super::{Role, Taken, Thing, columns_in, expressions, only_column};
use crate::text::fold;
use wherefore_sql::bind::Bound;
use wherefore_sql::tree::{BinaryOperator, Expr};
use wherefore_sql::walk::walk;

impl Taken {
    pub(super) fn conditions(&mut self, bound: &Bound<'_>) {
        for expr in expressions(bound) {
            walk(expr, &mut |part| self.condition(bound, part));
        }
        // A boolean column can be a condition by itself.
        for block in &bound.blocks {
            for condition in &block.conditions {
                match condition.expr {
                    flag @ Expr::Column { .. } => self.kept_by(bound, flag, &[], "true"),
                    Expr::Not(flag) if matches!(**flag, Expr::Column { .. }) => {
                        self.kept_by(bound, flag, &[], "false");
                    }
                    _ => {}
                }
            }
        }
    }

    fn condition(&mut self, bound: &Bound<'_>, part: &Expr) {
        let not = |negated: bool| if negated { "not" } else { "" };
        match part {
            Expr::Binary { operator, left, right } => {
                use BinaryOperator as Is;
                let how = match operator {
                    Is::Equal | Is::IsNotDistinctFrom => "",
                    Is::NotEqual | Is::IsDistinctFrom => "not",
                    Is::Greater | Is::GreaterOrEqual | Is::Less | Is::LessOrEqual => {
                        operator_side(*operator)
                    }
                    _ => return,
                };
                let is_free = |side: &Expr| columns_in(bound, side).is_empty();
                if is_free(right) {
                    self.kept_by(bound, left, &[right], how);
                } else if is_free(left) {
                    self.kept_by(bound, right, &[left], turned(how));
                }
            }
            Expr::Between { operand, low, high, negated } => {
                self.kept_by(
                    bound,
                    operand,
                    &[low, high],
                    if *negated { "not between" } else { "between" },
                );
            }
            Expr::InList { operand, list, negated } => {
                self.kept_by(bound, operand, &list.iter().collect::<Vec<_>>(), not(*negated));
            }
            Expr::Like { operand, pattern, negated, .. } => {
                self.kept_by(bound, operand, &[pattern], not(*negated));
            }
            Expr::IsNull { operand, negated } => {
                self.kept_by(bound, operand, &[], if *negated { "is there" } else { "is missing" });
            }
            Expr::IsBoolean { operand, value, negated } => {
                self.kept_by(bound, operand, &[], if value == negated { "false" } else { "true" });
            }
            _ => {}
        }
    }

    fn kept_by(&mut self, bound: &Bound<'_>, operand: &Expr, values: &[&Expr], how: &str) {
        let Some(column) = only_column(bound, operand) else { return };
        let stored = bound.catalog.column(&column);
        let is_presence = how.starts_with("is ");
        // IS NOT NULL on a column without NULLs has no effect.
        if how == "is there" && stored.is_some_and(|it| !it.nullable) {
            return;
        }
        let thing = Thing::column(&column);
        if !is_presence && stored.is_some_and(|it| it.data_type.is_temporal()) {
            self.add(Role::Period, thing);
            return;
        }
        let mut texts: Vec<String> = Vec::new();
        for value in values {
            walk(value, &mut |part| {
                if let Expr::Literal(literal, _) = part {
                    texts.extend(literal.text().map(str::to_owned));
                }
            });
        }
        let mut folded: Vec<String> = texts.iter().map(|it| meant(it)).collect();
        let listed = if how.ends_with("between") {
            folded.join(" and ")
        } else {
            folded.sort();
            folded.dedup();
            folded.join(" or ")
        };
        let said = [how, listed.as_str()].join(" ");
        let how = match said.trim() {
            // `= true` is equivalent to the boolean column itself.
            "true" | "1" => "true",
            "false" | "0" | "not true" => "false",
            other => other,
        };
        let only = (texts.len() == 1 && how == listed).then(|| texts.remove(0));
        let words = format!("{} {how}", thing.words(bound.catalog, false));
        let thing = thing.with(how).value(only.map(|it| it.trim_matches('%').to_owned()));
        self.add(Role::Filter, if thing.value.is_some() { thing } else { thing.called(words) });
    }
}

/// Direction of a comparison; strict and inclusive bounds are not distinguished.
fn operator_side(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Greater | BinaryOperator::GreaterOrEqual => "above",
        _ => "below",
    }
}

fn turned(how: &'static str) -> &'static str {
    match how {
        "above" => "below",
        "below" => "above",
        other => other,
    }
}

/// Normalised value: numbers in their shortest form, text folded and without `%` at its ends.
fn meant(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) => number.to_string(),
        Err(_) => fold(text.trim_matches('%')),
    }
}
