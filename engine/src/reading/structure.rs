//! Structure words: what they do to the things around them.

use super::frame::{Condition, OrderSpec};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::data::Role;
use crate::intent::{Aggregate, TextMatch};
use crate::linking::{Lexical, Named, Target};

impl Parser<'_> {
    pub(super) fn lexical(&mut self, at: usize) -> usize {
        let mention = &self.mentions[at];
        if let Some(next) = self.comparison(at) {
            return next;
        }
        if self.comparing.is_some()
            && let Some(next) = self.compare_periods(at)
        {
            return next;
        }
        for kind in &mention.lexical {
            match kind {
                Lexical::CountNoun
                    if at > 0 && matches!(self.target(at - 1), Some(Target::Column(_))) => {}
                Lexical::CountNoun if self.numbers_a_table(at) => self.frame.unread.push(at),
                Lexical::List if self.is_verb_of_rows(at) => self.frame.unread.push(at),
                Lexical::Count
                    if at > 0
                        && mention.phrase.to_lowercase().starts_with("number")
                        && matches!(self.target(at - 1), Some(Target::Column(_)))
                        && self.mentions[at - 1].tokens.end == mention.tokens.start =>
                {
                    self.enter(Clause::Of);
                }
                Lexical::Count | Lexical::CountNoun => {
                    if *kind == Lexical::Count {
                        self.average_of_counts(at);
                    }
                    self.count = Some(at);
                    self.grouping &= self.frame.groups.is_empty();
                    self.frame.operation = true;
                }
                Lexical::Sum => self.start_aggregate(Aggregate::Sum, at),
                Lexical::Average => self.start_aggregate(Aggregate::Average, at),
                Lexical::Maximum | Lexical::Minimum if self.ranks_a_figure(at) => {
                    self.start_superlative(at, *kind == Lexical::Maximum, false);
                }
                Lexical::Maximum => self.start_aggregate(Aggregate::Maximum, at),
                Lexical::Minimum => self.start_aggregate(Aggregate::Minimum, at),
                Lexical::Distinct => self.distinct = true,
                Lexical::List => {
                    self.frame.operation = true;
                    if !self.frame.groups.is_empty() {
                        self.grouping = false;
                    }
                    if at > 0 && mention.is(Lexical::Where) {
                        self.clause = Clause::Where;
                    }
                }
                Lexical::Group => self.start_group(),
                Lexical::By => self.by(at),
                Lexical::Order if self.is_ordering_verb(at) => self.enter(Clause::In),
                Lexical::Order => {
                    self.ordering = true;
                    self.grouping = false;
                }
                Lexical::Ascending | Lexical::Descending => {
                    self.direction(at, *kind == Lexical::Descending);
                }
                Lexical::Top | Lexical::Bottom => {
                    self.start_superlative(at, *kind == Lexical::Top, false);
                }
                Lexical::Most | Lexical::Fewest => {
                    self.start_superlative(at, *kind == Lexical::Most, true);
                }
                Lexical::First | Lexical::Last => {
                    self.start_superlative(at, *kind == Lexical::Last, false);
                    if let Some(superlative) = &mut self.frame.superlative {
                        superlative.roles = vec![
                            Role::EventDate,
                            Role::CreatedDate,
                            Role::AnyDate,
                            Role::Identifier,
                        ];
                    }
                }
                Lexical::Not | Lexical::NotEqualTo => self.negated = Some(at),
                Lexical::Without => {
                    self.clause = Clause::Without;
                    self.missing = Some(at);
                    self.grouping = false;
                }
                Lexical::And => self.conjunction = Some(*kind),
                Lexical::Or => {
                    self.conjunction = Some(*kind);
                    let between_things = at > 0
                        && self.part(at - 1) != Part::Lexical
                        && self.parts.get(at + 1).is_some();
                    self.alternative = between_things.then_some(at);
                }
                Lexical::Of => self.enter(Clause::Of),
                Lexical::In => self.enter(Clause::In),
                Lexical::With => self.enter(Clause::With),
                Lexical::Where => self.enter(Clause::Where),
                Lexical::Empty => self.empty(at),
                Lexical::Growth => self.start_growth(at),
                Lexical::Trend => self.frame.trend = Some(at),
                Lexical::Ratio | Lexical::Share => self.start_share(at),
                Lexical::Compare if self.starts_comparison(at) => {}
                Lexical::Compare => {
                    if let Some(next) = self.than_column(at).or_else(|| self.compare_periods(at)) {
                        return next;
                    }
                    self.block(
                        at,
                        "a comparison between groups or with an average takes two steps",
                    );
                }
                Lexical::Write => self.block(at, "data is only read, never changed"),
                Lexical::Contains
                    if self.mentions.get(at + 1).is_some_and(|next| {
                        next.number.is_some()
                            || next.superlative.is_some()
                            || !next.lexical.is_empty() && !next.is(Lexical::Filler)
                            || !next.quoted
                                && matches!(self.target(at + 1), Some(Target::Value(..)))
                    }) =>
                {
                    self.enter(Clause::With);
                }
                Lexical::Contains | Lexical::StartsWith | Lexical::EndsWith => {
                    return self.text(at, *kind);
                }
                Lexical::AtLeast
                | Lexical::AtMost
                | Lexical::LessThan
                | Lexical::MoreThan
                | Lexical::OrLess
                | Lexical::OrMore
                    if !self.beside_time(at) =>
                {
                    self.block(at, "what is compared is no number");
                }
                Lexical::Both if !self.joins_things(at) => {
                    self.block(at, "what holds for two things at once takes two steps");
                }
                Lexical::Superior if self.of_superior(at) => {}
                Lexical::Relation if mention.is(Lexical::Superior) => {}
                Lexical::Relation | Lexical::Superior => self.relation(at),
                Lexical::Also
                | Lexical::Aside
                | Lexical::Both
                | Lexical::Common
                | Lexical::Comparative
                | Lexical::Distributive
                | Lexical::Everything
                | Lexical::Filler
                | Lexical::FollowUp
                | Lexical::Generic
                | Lexical::Is
                | Lexical::AtLeast
                | Lexical::AtMost
                | Lexical::Between
                | Lexical::EqualTo
                | Lexical::LessThan
                | Lexical::MoreThan
                | Lexical::OrLess
                | Lexical::OrMore
                | Lexical::Separately
                | Lexical::Times
                | Lexical::After
                | Lexical::Before => {}
            }
        }
        at + 1
    }

    /// "department number": a number that rows have, not how many there are.
    fn numbers_a_table(&self, at: usize) -> bool {
        at > 0
            && matches!(self.target(at - 1), Some(Target::Table(_)))
            && self.part(at - 1) == Part::Schema
            && self.mentions[at - 1].tokens.end == self.mentions[at].tokens.start
            && !self
                .mentions
                .get(at + 1)
                .is_some_and(|next| next.phrase.to_lowercase().starts_with("of"))
    }

    /// "employees who report to": what rows do, not what is asked for.
    fn is_verb_of_rows(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let before = at.checked_sub(1).map(|before| &self.mentions[before]);
        mention.lexical == [Lexical::List]
            && mention.tokens.len() == 1
            && before.is_some_and(|before| {
                before.is(Lexical::Where) && before.tokens.end == mention.tokens.start
            })
    }

    /// Whether a time expression or a number stands next to the mention, so that it is a part of that.
    pub(super) fn beside_time(&self, at: usize) -> bool {
        let near = |position: usize| {
            matches!(self.parts.get(position), Some(Part::Time | Part::Number))
                || self.mentions.get(position).is_some_and(|mention| mention.time.is_some())
        };
        near(at + 1) || at > 0 && near(at - 1) || self.mentions[at].is(Lexical::In)
    }

    /// "ordered by customers in France": a verb with its agent, not an order of rows.
    fn is_ordering_verb(&self, at: usize) -> bool {
        self.mentions[at].phrase.to_lowercase().starts_with("ordered")
            && match self.target(at + 1) {
                Some(Target::Table(_)) => self.mentions[at + 1].phrase.ends_with('s'),
                target => matches!(target, Some(Target::Value(..))),
            }
    }

    pub(super) fn enter(&mut self, clause: Clause) {
        if self.missing.is_none() {
            self.clause = clause;
        }
        if clause != Clause::Of {
            self.grouping = false;
            self.ordering = false;
        }
    }

    pub(super) fn start_aggregate(&mut self, function: Aggregate, at: usize) {
        let listed = at > 0
            && [Lexical::And, Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum]
                .iter()
                .any(|kind| self.mentions[at - 1].is(*kind));
        if !listed && !self.aggregates.is_empty() {
            self.block(at, "two computations in a row take two steps");
        }
        self.aggregates.push((function, at));
        self.frame.operation = true;
    }

    pub(super) fn start_group(&mut self) {
        self.grouping = true;
        self.ordering = false;
        self.clause = Clause::Main;
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

    /// Whether a mention names something that rows are ranked by.
    fn is_measure(&self, at: usize) -> bool {
        match self.target(at) {
            Some(Target::Metric(_)) => true,
            Some(Target::Column(column)) => self.is_amount(*column),
            Some(_) => false,
            None => self.part(at) == Part::Lexical || self.mentions[at].concept.is_some(),
        }
    }

    pub(super) fn direction(&mut self, at: usize, descending: bool) {
        if let Some(order) = self.frame.order.last_mut() {
            order.descending = descending;
            self.ordering |= self.orders_further(at);
        } else {
            let subject = self.subject.filter(|_| self.frame.outputs.len() > 1);
            // "in alphabetical order all products" names no measure.
            let phrase = self.mentions[at].phrase.to_lowercase();
            let of_labels = self.lexicon.orders_labels(&phrase);
            self.frame.order.push(OrderSpec { at: subject, descending, of_labels });
            let next = (at + 1..self.mentions.len()).find(|next| self.part(*next) != Part::Lexical);
            let next = next.filter(|next| {
                (at + 1..*next).all(|between| self.mentions[between].is(Lexical::Filler))
            });
            let number = matches!(next.and_then(|next| self.target(next)), Some(Target::Column(column))
                if self.catalog.column_at(*column).data_type.is_numeric());
            self.ordering = self.ordering
                || number
                || [" of", " by", " of the"].iter().any(|ending| phrase.ends_with(ending));
        }
    }

    pub(super) fn empty(&mut self, at: usize) {
        match self.subject.take() {
            Some(subject) if matches!(self.target(subject), Some(Target::Column(_))) => {
                self.frame.outputs.retain(|output| *output != subject);
                let negated = self.negated.take().is_some();
                self.frame.conditions.push(Condition::Null { at: subject, negated });
            }
            _ => self.frame.unread.push(at),
        }
    }

    pub(super) fn text(&mut self, at: usize, kind: Lexical) -> usize {
        let matching = match kind {
            Lexical::StartsWith => TextMatch::StartsWith,
            Lexical::EndsWith => TextMatch::EndsWith,
            _ => TextMatch::Contains,
        };
        let Some(next) = (at + 1..self.mentions.len()).find(|&next| {
            !self.mentions[next].is(Lexical::Filler)
                || self.mentions[next].phrase.chars().count() == 1
        }) else {
            if self.frame.groups.is_empty() && self.frame.related.is_empty() {
                self.frame.unread.push(at);
            }
            return at + 1;
        };
        let within = self.column_within(next + 1);
        let subject = self.subject.take();
        let column = within.or(subject);
        if let Some(column) = column.filter(|column| Some(*column) == subject) {
            self.frame.outputs.retain(|output| *output != column);
        }
        let negated = self.negated.take().is_some();
        let text = self.text_of(next);
        self.frame.conditions.push(Condition::Text {
            column,
            matching: Some(matching),
            text,
            at: next,
            negated,
        });
        within.unwrap_or(next) + 1
    }

    /// Column of "in their names" behind a text.
    fn column_within(&self, at: usize) -> Option<usize> {
        self.mentions.get(at).filter(|mention| mention.is(Lexical::In))?;
        let next = (at + 1..self.mentions.len()).find(|next| {
            !self.mentions[*next].is(Lexical::Filler) || self.part(*next) != Part::Lexical
        })?;
        let named = matches!(self.target(next), Some(Target::Column(_) | Target::Label(_)));
        (named && self.part(next) == Part::Schema).then_some(next)
    }

    pub(super) fn text_of(&self, at: usize) -> String {
        let phrase = self.mentions[at].phrase.as_str();
        if self.mentions[at].quoted {
            let mut characters = phrase.chars();
            characters.next();
            characters.next_back();
            characters.as_str().to_owned()
        } else {
            phrase.to_owned()
        }
    }
}
