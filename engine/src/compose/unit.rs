//! Figures in the unit that is asked for: "average track length in minutes" of a column of milliseconds.

use super::context::Composer;
use super::measure::Resolved;
use crate::intent::{Aggregate, ArithmeticOperator, Expression};
use crate::linking::Named;
use crate::reading::Frame;

impl Composer<'_> {
    /// A figure of a column in the unit that the frame asks for; others are given back as they are.
    pub(super) fn in_unit(&self, frame: &Frame, mut figure: Resolved) -> Resolved {
        let Some(at) = frame.unit else { return figure };
        let wanted = self.phrase(at).to_lowercase();
        let Expression::Aggregate { function, argument: Some(argument), .. } =
            &mut figure.expression
        else {
            return figure;
        };
        let own = match argument.as_ref() {
            Expression::Column { column } => self
                .column_id(column)
                .and_then(|column| self.units.of_column(self.catalog.column_at(column))),
            Expression::Days { .. } => Some("days".to_owned()),
            _ => None,
        };
        let Some(own) = own else { return figure };
        let (Some(factor), Some(size)) =
            (self.units.factor(&own, &wanted), self.units.factor(&wanted, &own))
        else {
            return figure;
        };
        if *function == Aggregate::Count || (factor - 1.0).abs() < f64::EPSILON {
            return figure;
        }
        let (operator, number) = if size > factor {
            (ArithmeticOperator::Divide, size)
        } else {
            (ArithmeticOperator::Multiply, factor)
        };
        let number = Expression::Number { value: format!("{number:.1}") };
        let column = argument.clone();
        **argument = Expression::Arithmetic { operator, left: column, right: Box::new(number) };
        let is_unit = |word: &str| self.units.factor(word, &own).is_some();
        figure.alias = if figure.alias.split('_').any(is_unit) {
            let words = figure.alias.split('_');
            let said = words.map(|word| if is_unit(word) { wanted.as_str() } else { word });
            said.collect::<Vec<_>>().join("_")
        } else {
            format!("{}_in_{wanted}", figure.alias)
        };
        figure
    }
}
