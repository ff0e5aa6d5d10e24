//! Words of order: "by", "sorted", "descending", "top", "first".

use super::frame::OrderSpec;
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::data::Role;
use crate::linking::{Lexical, Named, Target};

impl Parser<'_> {
    /// "ordered", "descending", "most", "latest": an order of rows, its direction, or the end that is asked for.
    pub(super) fn order_word(&mut self, at: usize, kind: Lexical) {
        match kind {
            Lexical::Order if self.is_ordering_verb(at) => self.enter(Clause::In),
            Lexical::Order => {
                self.ordering = true;
                self.grouping = false;
            }
            Lexical::Ascending | Lexical::Descending => {
                self.direction(at, kind == Lexical::Descending);
            }
            Lexical::Top | Lexical::Bottom => {
                self.start_superlative(at, kind == Lexical::Top, false);
            }
            Lexical::Most | Lexical::Fewest => {
                self.start_superlative(at, kind == Lexical::Most, true);
            }
            _ => self.start_end_in_time(at, kind == Lexical::Last),
        }
    }

    /// "first", "last": the end of an order by date, or by identifier where there is none.
    fn start_end_in_time(&mut self, at: usize, last: bool) {
        if self.both_ends(at) || self.ends_dates(at, last) {
            return;
        }
        if !last && self.puts_first(at) {
            return;
        }
        self.start_superlative(at, last, false);
        if let Some(superlative) = &mut self.frame.superlative {
            superlative.roles =
                vec![Role::EventDate, Role::CreatedDate, Role::AnyDate, Role::Identifier];
        }
    }

    /// Makes the superlative with its measure right before "first" an order of all rows: "most orders first".
    fn puts_first(&mut self, at: usize) -> bool {
        let ends = at + 1 == self.mentions.len() || self.mentions[at + 1].is(Lexical::And);
        let ranked = self.frame.superlative.take_if(|ranked| {
            let measured = ranked.by.as_ref().is_some_and(|by| by.at + 1 == at);
            ends && measured && ranked.limit.is_none()
        });
        let Some(ranked) = ranked else { return false };
        let Some(measure) = ranked.by else { return false };
        self.order_by_measure(measure);
        if let Some(order) = self.frame.order.last_mut() {
            order.descending = ranked.descending;
        }
        self.ordering = false;
        true
    }

    /// "ordered by customers in France": a verb with its agent, not an order of rows.
    fn is_ordering_verb(&self, at: usize) -> bool {
        self.mentions[at].phrase.to_lowercase().starts_with("ordered")
            && match self.target(at + 1) {
                Some(Target::Table(_)) => self.mentions[at + 1].phrase.ends_with('s'),
                target => matches!(target, Some(Target::Value(..))),
            }
    }

    pub(super) fn by(&mut self, at: usize) {
        let next = (at + 1..self.mentions.len()).find(|&next| {
            !self.mentions[next].is(Lexical::Filler) || self.part(next) != Part::Lexical
        });
        let Some(next) = next else { return };
        if self.continues_order(at) {
            self.ordering = true;
            return;
        }
        if self.ranks_by_count(next) {
            return;
        }
        let is_value =
            self.part(next) == Part::Schema && matches!(self.target(next), Some(Target::Value(..)));
        let thing_then_value = matches!(self.target(next), Some(Target::Table(_)))
            && matches!(self.target(next + 1), Some(Target::Value(..)))
            && self.mentions[next + 1].lexical.is_empty();
        let done = at.checked_sub(1).and_then(|before| self.mentions.get(before));
        let done = done.is_some_and(|done| {
            let word = done.phrase.to_lowercase();
            self.lexicon.is_past(&word) || self.lexicon.is_used_as_past(&word)
        });
        let agents = match self.target(next) {
            Some(Target::Table(_)) => true,
            Some(Target::Column(_) | Target::Label(_)) => done,
            _ => false,
        };
        let thing_in_value = agents
            && self.mentions.get(next + 1).is_some_and(|between| between.is(Lexical::In))
            && matches!(self.target(next + 2), Some(Target::Value(..)))
            && self.frame.measures.is_empty()
            && self.frame.superlative.is_none();
        let unknown = self.part(next) == Part::Unknown;
        let ranked = self.frame.superlative.as_ref().is_some_and(|superlative| {
            superlative.by.is_none()
                && superlative.roles.is_empty()
                && (superlative.counted || !superlative.concepts.is_empty())
        });
        if ranked && !self.is_measure(next) {
            self.block(at, "the first rows of each group take two steps");
        }
        if is_value || thing_then_value || thing_in_value || unknown {
            self.enter(Clause::In);
        } else if self.is_done_by(at, next) {
            self.enter(Clause::Of);
        } else if self
            .frame
            .superlative
            .as_ref()
            .is_some_and(|superlative| superlative.by.is_none())
        {
            self.ordering = true;
        } else {
            self.start_group();
        }
    }

    /// "Money requested by entrepreneurs who are taller than 1.85": the name of an amount ends with what was done, and
    /// more is said of those who did it, so that they are no groups.
    fn is_done_by(&self, by: usize, doers: usize) -> bool {
        let Some(amount) = by.checked_sub(1) else { return false };
        let phrase = self.mentions[amount].phrase.to_lowercase();
        let done = phrase.rsplit_once(' ').is_some_and(|(_, last)| self.lexicon.may_be_past(last));
        let own = matches!((self.target(amount), self.target(doers)),
            (Some(Target::Column(column)), Some(Target::Table(table))) if column.table == *table);
        let restricted = self
            .mentions
            .get(doers + 1)
            .is_some_and(|next| next.is(Lexical::With) || next.is(Lexical::Where));
        done && own && restricted
    }

    /// Whether a mention names something that rows are ranked by.
    fn is_measure(&self, at: usize) -> bool {
        match self.target(at) {
            Some(Target::Metric(_)) => true,
            Some(Target::Column(column)) => self.is_amount(*column),
            Some(_) => false,
            None => self.part(at) == Part::Lexical || self.mentions[at].concept.is_some(),
        }
    }

    /// The last shown column if it is a number or a date, which "highest first" puts in order.
    fn ordered_amount(&self) -> Option<usize> {
        let last = self.frame.outputs.last().copied()?;
        let Some(Target::Column(column)) = self.target(last) else { return None };
        let data_type = self.catalog.column_at(*column).data_type;
        (data_type.is_numeric() || data_type.is_temporal()).then_some(last)
    }

    fn direction(&mut self, at: usize, descending: bool) {
        if let Some(order) = self.frame.order.last_mut() {
            order.descending = descending;
            self.ordering |= self.orders_further(at);
        } else {
            let subject = self.subject.filter(|_| self.frame.outputs.len() > 1);
            // "in alphabetical order all products" names no measure.
            let phrase = self.mentions[at].phrase.to_lowercase();
            let of_labels = self.lexicon.orders_labels(&phrase);
            let adjective = self.lexicon.placed_superlative(&phrase);
            let roles = adjective.map(|adjective| adjective.roles.clone()).unwrap_or_default();
            let opposite = adjective.map(|adjective| adjective.opposite.clone());
            let opposite = opposite.unwrap_or_default();
            let awaits = [" of", " by", " of the"].iter().any(|ending| phrase.ends_with(ending));
            let subject = if roles.is_empty() { subject } else { self.ordered_amount() };
            let subject = subject.filter(|_| !awaits);
            self.frame.order.push(OrderSpec {
                at: subject,
                roles,
                opposite,
                descending,
                of_labels,
            });
            let next = (at + 1..self.mentions.len()).find(|next| self.part(*next) != Part::Lexical);
            let next = next.filter(|next| {
                (at + 1..*next).all(|between| self.mentions[between].is(Lexical::Filler))
            });
            let number = matches!(next.and_then(|next| self.target(next)), Some(Target::Column(column))
                if self.catalog.column_at(*column).data_type.is_numeric());
            self.ordering = self.ordering || number || awaits;
        }
    }
}
