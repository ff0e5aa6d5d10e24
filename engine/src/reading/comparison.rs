//! Comparisons: an operator, a number, and the column or the related rows that are compared.

use super::frame::{Condition, CountTarget, Measure, MeasureTarget};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::catalog::DataType;
use crate::data::Role;
use crate::intent::{Comparison, TimeGrain};
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

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
            let (subject, said) = match self.frame.conditions.last() {
                Some(Condition::Compare { column, roles, .. }) => (*column, roles.clone()),
                _ => (None, Vec::new()),
            };
            self.subject = subject;
            self.compare(high, Comparison::LessOrEqual, high + 1);
            // What is compared is asked once.
            if let Some(Condition::Compare { column: None, at, roles, .. }) =
                self.frame.conditions.last_mut()
            {
                (*at, *roles) = (low, said);
            }
            return Some(high + 1);
        }
        if mention.is(Lexical::After) || mention.is(Lexical::Before) {
            return Some(self.compare_dates(at));
        }
        if self.alternative.take().is_some() {
            self.block(at, "alternatives of different kinds have several readings");
        }
        let (_, operator) = OPERATORS.iter().find(|(lexical, _)| mention.is(*lexical))?;
        if let Some(next) = self.against_figure(at, *operator) {
            return Some(next);
        }
        let Some(number) = self.number_at(at + 1) else {
            return self.against_column(at, *operator);
        };
        let operator = self.after_negation(*operator);
        Some(self.compare(number, operator, number + 1))
    }

    /// "delivered after the required date": one date of a row and another.
    fn compare_dates(&mut self, at: usize) -> usize {
        let date = |at: &usize| {
            self.part(*at) == Part::Schema
                && self.mentions[*at].readings.iter().any(
                    |reading| matches!(reading.target, Target::Column(column) if self.is_date(column)),
                )
        };
        let said = (0..at).rev().find(|before| self.part(*before) == Part::Schema).filter(date);
        let than = (at + 1..self.mentions.len())
            .find(|next| !self.mentions[*next].is(Lexical::Filler))
            .filter(date);
        let later = self.mentions[at].is(Lexical::After);
        let operator = if later { Comparison::Greater } else { Comparison::Less };
        if let (Some(said), None) = (said, than)
            && let Some(next) = self.against_parent(at, said, operator)
        {
            return next;
        }
        let (Some(said), Some(than)) = (said, than) else {
            self.frame.unread.push(at);
            return at + 1;
        };
        let denied = |condition: &Condition| match condition {
            Condition::Set { at, negated } => *negated && *at == said,
            _ => false,
        };
        if self.negated.take().is_some() || self.frame.conditions.iter().any(denied) {
            self.block(at, "it is not clear what is negated");
        }
        self.frame.outputs.retain(|output| *output != said);
        self.frame
            .conditions
            .retain(|condition| !matches!(condition, Condition::Set { at, .. } if *at == said));
        self.frame.conditions.push(Condition::Dates { at: said, than, operator });
        (self.subject, self.date_hint) = (None, None);
        than + 1
    }

    /// Operator as it stands after a negation, which is used up.
    pub(super) fn after_negation(&mut self, operator: Comparison) -> Comparison {
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
        // "between 10 and 20 dollars": the currency of the upper bound is that of both.
        if unit.is_none() && next > number + 1 {
            unit = self.mentions[next - 1].number.as_ref().and_then(|upper| upper.currency.clone());
        }
        if self.mentions.get(next).is_some_and(|mention| mention.is(Lexical::Times)) {
            self.count_times(number, operator, value);
            return next + 1;
        }
        let noun = self
            .mentions
            .get(next)
            .filter(|noun| !noun.is(Lexical::Of))
            .and(self.target(next))
            .cloned();
        let is_noun = self.mentions.get(next).is_some() && self.part(next) == Part::Schema;
        let compared = number > 0
            && (0..number).rev().take(2).any(|before| {
                OPERATORS.iter().any(|(lexical, _)| self.mentions[before].is(*lexical))
            })
            || self
                .mentions
                .get(number + 1)
                .is_some_and(|after| after.is(Lexical::OrMore) || after.is(Lexical::OrLess));
        if compared
            && let Some((at, table)) = self.qualified_table(next)
            && self.frame.head.is_some_and(|(head, _)| head != table)
        {
            self.last_table = Some(table);
            self.frame.conditions.push(Condition::CountOf { table, operator, value, at });
            return next;
        }
        match noun {
            Some(Target::Table(table)) if is_noun && compared => {
                if let Some(measure) = self.frame.measures.iter().find(|measure| {
                    measure.target == MeasureTarget::Count(CountTarget::Rows(table))
                }) {
                    let at = measure.at;
                    self.frame.conditions.push(Condition::Measure { at, operator, value });
                    return next + 1;
                }
                let other = self.frame.head.is_some_and(|(head, _)| head != table)
                    || self.frame.head.is_none() && !self.frame.outputs.is_empty();
                if !other {
                    self.block(number, "it is not clear what is compared");
                    return next;
                }
                self.last_table = Some(table);
                self.frame.conditions.push(Condition::CountOf { table, operator, value, at: next });
                return next + 1;
            }
            Some(Target::Column(column))
                if is_noun && self.catalog.column_at(column).data_type.is_numeric() =>
            {
                let same = self
                    .subject
                    .filter(|subject| self.target(*subject) == Some(&Target::Column(column)));
                self.frame.outputs.retain(|output| Some(*output) != same);
                self.frame.conditions.push(Condition::Compare {
                    column: Some(next),
                    operator,
                    value,
                    at: number,
                    unit,
                    roles: Vec::new(),
                });
                return next + 1;
            }
            _ => {}
        }
        if let Some(follower) = self.mentions.get(next)
            && self.is_unit(&follower.phrase)
            && !matches!(self.target(next), Some(Target::Table(_)))
        {
            unit = Some(follower.phrase.clone());
            end = next + 1;
        }
        let aged = self.subject.and_then(|subject| self.mentions[subject].duration);
        if aged.is_some_and(|duration| duration.age)
            && self.mentions.get(next).is_some_and(|unit| unit.grain == Some(TimeGrain::Year))
        {
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
        if let Some(subject) = self.subject
            && let Some(measure) =
                self.frame.measures.iter().rev().find(|measure| measure.at == subject)
        {
            let at = measure.at;
            self.frame.conditions.push(Condition::Measure { at, operator, value });
            return end;
        }
        let roles = self.compared_roles(number);
        let column = self.subject.filter(|subject| match self.target(*subject) {
            Some(Target::Column(column)) => {
                roles.is_empty() || self.catalog.column_at(*column).data_type != DataType::Text
            }
            Some(Target::Metric(_)) => true,
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
            roles,
        });
        end
    }

    /// "ordered more than 10 times": a number of the rows that record what was done.
    fn count_times(&mut self, number: usize, operator: Comparison, value: String) {
        let head = self.frame.head.map(|(head, _)| head);
        let done = (0..number).rev().find(|&before| self.part(before) == Part::Schema);
        let table = done.and_then(|done| match self.target(done) {
            Some(Target::Table(table)) => Some(*table),
            Some(Target::Column(column))
                if self.catalog.column_at(*column).data_type.is_temporal() =>
            {
                Some(column.table)
            }
            _ => None,
        });
        let (Some(done), Some(table)) = (done, table.filter(|table| Some(*table) != head)) else {
            self.block(number, "it is not clear what was done so many times");
            return;
        };
        self.frame.related.retain(|related| related.at != done);
        self.frame.outputs.retain(|output| *output != done);
        self.frame.linking.retain(|linking| *linking != done);
        self.last_table = Some(table);
        self.frame.conditions.push(Condition::CountOf { table, operator, value, at: done });
    }

    /// "with a 20 kg weight", "with 5M funding": a number before the column that it is the value of.
    pub(super) fn number_of_column(&mut self, at: usize) -> Option<usize> {
        let number = self.mentions[at].number.as_ref()?;
        let opens = [Lexical::Also, Lexical::And, Lexical::Filler, Lexical::List];
        let before_thing = at > 0
            && opens.iter().any(|kind| self.mentions[at - 1].is(*kind))
            && self.part(at + 1) == Part::Schema
            && matches!(self.target(at + 2), Some(Target::Value(..) | Target::Table(_)));
        let described = matches!(self.clause, Clause::With | Clause::Where) || before_thing;
        let open = self
            .frame
            .superlative
            .as_ref()
            .is_some_and(|superlative| superlative.limit.is_none() && at - superlative.at <= 1);
        let beside = at + 1 < self.mentions.len() && self.part(at) == Part::Number;
        if !beside || open || !(described || number.currency.is_some()) {
            return None;
        }
        let of = self.part(at + 1) == Part::Lexical && self.mentions[at + 1].is(Lexical::Of);
        let column = if of || self.part(at + 1) == Part::Unknown { at + 2 } else { at + 1 };
        let fits = matches!(self.target(column), Some(Target::Column(id))
            if self.part(column) == Part::Schema
                && (self.catalog.column_at(*id).data_type.is_numeric() || self.holds_amounts(*id))
                && !self.catalog.column_at(*id).unique
                && !self.is_foreign(*id)
                && self.frame.head.is_none_or(|(head, _)| head == id.table || self.last_table == Some(id.table)));
        if !fits {
            return None;
        }
        self.frame.conditions.push(Condition::Compare {
            column: Some(column),
            operator: Comparison::Equal,
            value: number.value.clone(),
            at,
            unit: number.currency.clone(),
            roles: Vec::new(),
        });
        self.subject = None;
        Some(column + 1)
    }

    /// Whether every listed text of a column starts with digits: "20 million USD".
    fn holds_amounts(&self, column: ColumnId) -> bool {
        let listed = self.catalog.column_at(column).values.as_ref().map(|list| &list.values);
        listed.is_some_and(|values| {
            let starts = |text: &String| {
                text.trim_start_matches('$').starts_with(|digit: char| digit.is_ascii_digit())
            };
            !values.is_empty() && values.iter().all(starts)
        })
    }

    /// Table behind one or two words that qualify it: "2 open wounds".
    fn qualified_table(&self, at: usize) -> Option<(usize, TableId)> {
        (at + 1..(at + 3).min(self.mentions.len())).find_map(|position| {
            let qualified = (at..position).all(|before| {
                matches!(self.part(before), Part::Vague(_))
                    || matches!(self.target(before), Some(Target::Value(..)))
                    || matches!(self.target(before), Some(Target::Column(column))
                        if self.catalog.column_at(*column).is_flag())
            });
            match self.target(position) {
                Some(Target::Table(table)) if qualified => Some((position, *table)),
                _ => None,
            }
        })
    }

    /// Roles that the comparative before the number names.
    pub(super) fn compared_roles(&self, number: usize) -> Vec<Role> {
        let comparative = (0..number).rev().take(2).find(|&at| {
            let mention = &self.mentions[at];
            OPERATORS.iter().any(|(lexical, _)| mention.is(*lexical))
                || mention.is(Lexical::Between)
        });
        comparative
            .map(|at| {
                self.lexicon.compared_roles(&crate::text::fold(&self.mentions[at].phrase)).to_vec()
            })
            .unwrap_or_default()
    }

    /// Whether a word is a unit, of some column or in general.
    fn is_unit(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.units.knows(&word)
            || self
                .catalog
                .tables
                .iter()
                .flat_map(|table| &table.columns)
                .any(|column| column.unit.as_ref().is_some_and(|unit| unit.to_lowercase() == word))
    }
}
