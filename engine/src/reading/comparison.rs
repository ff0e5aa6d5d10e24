//! Comparisons: where one starts, and dates and columns that are compared.

use super::frame::Condition;
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::intent::Comparison;
use crate::linking::{ColumnId, Lexical, Named, Target};

/// Operators by structure word.
pub(super) const OPERATORS: [(Lexical, Comparison); 6] = [
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
            let end = self.compare(low, Comparison::GreaterOrEqual, high + 1);
            let (subject, said) = match self.frame.conditions.last() {
                Some(Condition::Compare { column, roles, .. }) => (*column, roles.clone()),
                _ => (None, Vec::new()),
            };
            self.subject = subject;
            let end = self.compare(high, Comparison::LessOrEqual, high + 1).max(end);
            // What is compared is asked once.
            if let Some(Condition::Compare { column: None, at, roles, .. }) =
                self.frame.conditions.last_mut()
            {
                (*at, *roles) = (low, said);
            }
            return Some(end);
        }
        if mention.is(Lexical::After) || mention.is(Lexical::Before) {
            return Some(self.compare_dates(at));
        }
        if let Some(or) = self.alternative.take() {
            self.between_conditions(or);
        }
        let (_, operator) = OPERATORS.iter().find(|(lexical, _)| mention.is(*lexical))?;
        let figure = self.against_figure(at, *operator);
        if let Some(next) = figure.or_else(|| self.against_each(at, *operator)) {
            return Some(next);
        }
        let Some(number) = self.number_at(at + 1) else {
            return self.against_column(at, *operator);
        };
        let operator = self.after_negation(*operator);
        Some(self.compare(number, operator, number + 1))
    }

    /// "clubs that have at least a member", "departments with one or more employees": that there are such rows is all that
    /// is said.
    pub(super) fn asks_for_some(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let one = at.checked_sub(1).is_some_and(|before| {
            let number = self.mentions[before].number.as_ref();
            number.is_some_and(|number| number.value == "1")
        });
        let some = mention.is(Lexical::AtLeast) || mention.is(Lexical::OrMore) && one;
        let next = (at + 1..self.mentions.len())
            .find(|next| !self.mentions[*next].is(Lexical::Filler))
            .filter(|next| self.part(*next) == Part::Schema);
        let rows = match next.and_then(|next| self.target(next)) {
            Some(Target::Table(table)) => *table,
            _ => return false,
        };
        some && self.negated.is_none() && self.frame.head.is_some_and(|(head, _)| head != rows)
    }

    /// "orders with a total greater than": a comparison at the end of the question, whose number is asked for.
    pub(super) fn unfinished_comparison(&mut self, at: usize) -> bool {
        let operator = OPERATORS.iter().find(|(lexical, _)| self.mentions[at].is(*lexical));
        let Some((_, operator)) = operator.filter(|_| at + 1 == self.mentions.len()) else {
            return false;
        };
        let between = |word: usize| {
            [Lexical::Of, Lexical::Is, Lexical::Filler]
                .iter()
                .any(|kind| self.mentions[word].is(*kind))
        };
        let Some(compared) = (0..at).rev().find(|before| !between(*before)) else { return false };
        let column = match self.target(compared) {
            Some(Target::Column(_)) => {
                self.subject = None;
                self.frame.outputs.retain(|output| *output != compared);
                self.frame.unread.retain(|unread| *unread != compared);
                Some(compared)
            }
            Some(Target::Table(_)) => None,
            _ => return false,
        };
        let operator = self.after_negation(*operator);
        self.frame.conditions.push(Condition::Bound { column, operator, at });
        true
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
        let surely = |at: &usize| match self.target(*at) {
            Some(Target::Column(column)) => self.is_date(*column),
            _ => false,
        };
        let than = (at + 1..self.mentions.len())
            .find(|next| !self.mentions[*next].is(Lexical::Filler))
            .map(|next| if self.does_what_follows(next, said) { next + 1 } else { next })
            .filter(surely);
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

    /// "than the customer required": who does what a date behind tells, which the same row has.
    fn does_what_follows(&self, at: usize, said: Option<usize>) -> bool {
        let date = |at: usize| {
            self.mentions.get(at)?.readings.iter().find_map(|reading| match reading.target {
                Target::Column(column) if self.is_date(column) => Some(column.table),
                _ => None,
            })
        };
        let behind = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end && self.part(at + 1) == Part::Schema
        });
        let own = date(at + 1).filter(|table| said.and_then(date) == Some(*table));
        behind && own.is_some() && self.part(at) == Part::Schema
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

    /// "with a 20 kg weight", "with 5M funding": a number before the column that it is the value of.
    pub(super) fn number_of_column(&mut self, at: usize) -> Option<usize> {
        let number = self.mentions[at].number.as_ref()?;
        let opens =
            [Lexical::Also, Lexical::And, Lexical::Everything, Lexical::Filler, Lexical::List];
        let opened = at
            .checked_sub(1)
            .is_none_or(|before| opens.iter().any(|kind| self.mentions[before].is(*kind)));
        let before_thing = opened
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
}
