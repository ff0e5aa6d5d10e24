//! Comparisons: an operator, a number, and the column or the related rows that are compared.

use super::frame::{Condition, CountTarget, Measure, MeasureTarget};
use super::parse::Parser;
use super::part::Part;
use crate::intent::Comparison;
use crate::linking::{Lexical, Named, Target};

/// Operators by structure word.
const OPERATORS: [(Lexical, Comparison); 6] = [
    (Lexical::MoreThan, Comparison::Greater),
    (Lexical::AtLeast, Comparison::GreaterOrEqual),
    (Lexical::LessThan, Comparison::Less),
    (Lexical::AtMost, Comparison::LessOrEqual),
    (Lexical::EqualTo, Comparison::Equal),
    (Lexical::NotEqualTo, Comparison::NotEqual),
];

impl Parser<'_> {
    /// Reads a comparison that starts at `at`, and gives back where to go on; none where none starts.
    pub(super) fn comparison(&mut self, at: usize) -> Option<usize> {
        let mention = &self.mentions[at];
        if mention.is(Lexical::Between)
            && let (Some(low), Some(high)) = (self.number_at(at + 1), self.number_at(at + 3))
            && low == at + 1
            && high == at + 3
        {
            self.compare(low, Comparison::GreaterOrEqual, high + 1);
            let subject = match self.frame.conditions.last() {
                Some(Condition::Compare { column, .. }) => *column,
                _ => None,
            };
            self.subject = subject;
            self.compare(high, Comparison::LessOrEqual, high + 1);
            return Some(high + 1);
        }
        let (_, operator) = OPERATORS.iter().find(|(lexical, _)| mention.is(*lexical))?;
        let number = self.number_at(at + 1)?;
        let operator = self.negate(*operator);
        Some(self.compare(number, operator, number + 1))
    }

    /// Operator as it stands after a negation, which is used up.
    fn negate(&mut self, operator: Comparison) -> Comparison {
        if self.negated.take().is_none() {
            return operator;
        }
        match operator {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
            Comparison::NotEqual => Comparison::Equal,
        }
    }

    fn number_at(&self, at: usize) -> Option<usize> {
        (at..self.mentions.len().min(at + 2))
            .find(|&position| self.mentions[position].number.is_some())
            .filter(|&position| {
                (at..position).all(|between| self.mentions[between].is(Lexical::Filler))
            })
    }

    /// Adds the comparison with the number at `number`; what follows it may say what is compared.
    pub(super) fn compare(&mut self, number: usize, operator: Comparison, next: usize) -> usize {
        let Some(mention) = self.mentions[number].number.as_ref() else { return next };
        let value = mention.value.clone();
        let mut unit = mention.currency.clone();
        let mut end = next;
        let noun = self
            .mentions
            .get(next)
            .filter(|noun| !noun.is(Lexical::Of))
            .and(self.target(next))
            .cloned();
        let is_noun = self.mentions.get(next).is_some() && self.part(next) == Part::Schema;
        match noun {
            Some(Target::Table(table))
                if is_noun && self.frame.head.is_some_and(|(head, _)| head != table)
                    || is_noun && self.frame.head.is_none() && self.groups_by_output(next) =>
            {
                let Some(Target::Table(table)) = self.target(next).cloned() else { return next };
                self.frame.conditions.push(Condition::CountOf { table, operator, value, at: next });
                return next + 1;
            }
            Some(Target::Column(column))
                if is_noun && self.catalog.column_at(column).data_type.is_numeric() =>
            {
                self.frame.conditions.push(Condition::Compare {
                    column: Some(next),
                    operator,
                    value,
                    at: number,
                    unit,
                });
                return next + 1;
            }
            _ => {}
        }
        if let Some(follower) = self.mentions.get(next)
            && (follower.is_unknown() || follower.grain.is_some())
            && self.is_unit(&follower.phrase)
        {
            unit = Some(follower.phrase.clone());
            end = next + 1;
        }
        let counted = self.frame.measures.last().cloned();
        if self.subject.is_none()
            && let Some(Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at }) =
                counted
            && self.frame.head.is_some_and(|(head, _)| head != table)
        {
            self.frame.measures.pop();
            self.frame.conditions.push(Condition::CountOf { table, operator, value, at });
            return end;
        }
        let column = self.subject.filter(|subject| match self.target(*subject) {
            Some(Target::Column(_) | Target::Metric(_)) => true,
            _ => self.mentions[*subject].concept.is_some(),
        });
        if let Some(column) = column {
            self.frame.outputs.retain(|output| *output != column);
            let own = Measure { target: MeasureTarget::Own, at: column };
            if self.frame.superlative.as_ref().and_then(|superlative| superlative.by.as_ref())
                == Some(&own)
            {
                self.block(number, "an order and a comparison of the same column");
            }
        }
        self.frame.conditions.push(Condition::Compare {
            column,
            operator,
            value,
            at: number,
            unit,
        });
        end
    }

    /// Whether the question asks for groups by a column shown before ("countries with more than 5 customers").
    fn groups_by_output(&self, _at: usize) -> bool {
        !self.frame.outputs.is_empty()
    }

    /// Whether a word is a unit of some column, or of money or measure in general.
    fn is_unit(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let general = [
            "dollars",
            "dollar",
            "euros",
            "euro",
            "usd",
            "eur",
            "gbp",
            "pounds",
            "cm",
            "cm²",
            "cm2",
            "mm",
            "kg",
            "grams",
            "g",
            "km",
            "miles",
            "meters",
            "metres",
            "m",
            "seconds",
            "minutes",
            "hours",
            "days",
            "percent",
            "%",
            "units",
            "pieces",
            "items",
            "years",
            "times",
            "bytes",
            "mb",
            "milliseconds",
            "ms",
            "$",
            "€",
            "£",
        ];
        general.contains(&word.as_str())
            || self
                .catalog
                .tables
                .iter()
                .flat_map(|table| &table.columns)
                .any(|column| column.unit.as_ref().is_some_and(|unit| unit.to_lowercase() == word))
    }
}
