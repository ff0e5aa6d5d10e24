//! Structure words: what they do to the things around them.

use super::frame::{Condition, CountTarget, Measure, MeasureTarget};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::intent::Aggregate;
use crate::linking::{Lexical, Target};

impl Parser<'_> {
    /// Reads a structure word in all its senses, and gives back where to go on.
    pub(super) fn lexical(&mut self, at: usize) -> usize {
        if let Some(next) = self.comparison(at) {
            return next;
        }
        if self.comparing.is_some()
            && let Some(next) = self.compare_periods(at)
        {
            return next;
        }
        let mentions = self.mentions;
        mentions[at].lexical.iter().find_map(|kind| self.sense(at, *kind)).unwrap_or(at + 1)
    }

    /// Reads one sense of a structure word; gives back where to go on where the words behind it are read with it.
    fn sense(&mut self, at: usize, kind: Lexical) -> Option<usize> {
        match kind {
            Lexical::Count | Lexical::CountNoun => self.count_word(at, kind),
            Lexical::Sum | Lexical::Average | Lexical::Maximum | Lexical::Minimum => {
                self.aggregate_word(at, kind);
            }
            Lexical::Median => self.frame.median = Some(at),
            Lexical::Growth => self.start_growth(at),
            Lexical::Trend => self.frame.trend = Some(at),
            Lexical::Ratio | Lexical::Share => self.start_share(at),
            Lexical::Distinct => self.distinct = true,
            Lexical::List => self.list_word(at),
            Lexical::Order
            | Lexical::Ascending
            | Lexical::Descending
            | Lexical::Top
            | Lexical::Bottom
            | Lexical::Most
            | Lexical::Fewest
            | Lexical::First
            | Lexical::Last => self.order_word(at, kind),
            Lexical::Group
            | Lexical::By
            | Lexical::Of
            | Lexical::In
            | Lexical::With
            | Lexical::Without
            | Lexical::Where => self.clause_word(at, kind),
            Lexical::And | Lexical::Or => self.conjunction(at, kind),
            Lexical::Not | Lexical::NotEqualTo => self.negated = Some(at),
            Lexical::Empty => self.empty(at),
            Lexical::Compare => return self.compare_word(at),
            Lexical::Contains | Lexical::StartsWith | Lexical::EndsWith => {
                return self.text_word(at, kind);
            }
            Lexical::Write => self.block(at, "data is only read, never changed"),
            Lexical::AtLeast
            | Lexical::AtMost
            | Lexical::LessThan
            | Lexical::MoreThan
            | Lexical::OrLess
            | Lexical::OrMore
                if !self.beside_time(at) =>
            {
                if !self.asks_for_some(at) && !self.unfinished_comparison(at) {
                    self.block(at, "what is compared is no number");
                }
            }
            Lexical::Both if !self.joins_things(at) => {
                self.block(at, "what holds for two things at once takes two steps");
            }
            Lexical::Everything if self.states_something(at) => self.frame.unread.push(at),
            Lexical::Relation | Lexical::Superior => self.relation_word(at, kind),
            Lexical::Also
            | Lexical::Amount
            | Lexical::Aside
            | Lexical::Beside
            | Lexical::Both
            | Lexical::Common
            | Lexical::Comparative
            | Lexical::Distributive
            | Lexical::Everything
            | Lexical::Filler
            | Lexical::FollowUp
            | Lexical::Present
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
        None
    }

    /// "Which sections are full": an adjective that states something of the rows, and no determiner.
    fn states_something(&self, at: usize) -> bool {
        let said = at.checked_sub(1).is_some_and(|before| self.mentions[before].is(Lexical::Is));
        let noun = self.mentions.get(at + 1).is_some_and(|next| !next.readings.is_empty());
        said && !noun
    }

    /// "how many", "number of": what comes is counted, unless the word is a part of a name before it.
    fn count_word(&mut self, at: usize, kind: Lexical) {
        let mention = &self.mentions[at];
        let behind_column = at > 0 && matches!(self.target(at - 1), Some(Target::Column(_)));
        let noun = kind == Lexical::CountNoun;
        if noun && behind_column {
            return;
        }
        if noun && self.numbers_a_table(at) {
            self.frame.unread.push(at);
            return;
        }
        if !noun
            && behind_column
            && mention.phrase.to_lowercase().starts_with("number")
            && self.mentions[at - 1].tokens.end == mention.tokens.start
        {
            self.enter(Clause::Of);
            return;
        }
        if !noun {
            self.average_of_counts(at);
        }
        // "How many of them ordered in 2018".
        let of = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of));
        if let Some(about) = self.about.filter(|_| of) {
            let target = MeasureTarget::Count(CountTarget::Rows(about));
            self.add_measure(Measure { target, at });
            self.frame.operation = true;
            return;
        }
        self.count = Some(at);
        self.grouping &= self.frame.groups.is_empty();
        self.frame.operation = true;
    }

    /// Refuses a count of values beside another: "how many males and how many females".
    pub(super) fn block_second_count(&mut self) {
        let Some(at) = self.count.filter(|_| !self.frame.measures.is_empty()) else { return };
        let again = self.mentions[at].is(Lexical::Count)
            && (0..at).any(|before| self.mentions[before].is(Lexical::Count));
        let valued = (at + 1..self.mentions.len()).find(|next| self.part(*next) != Part::Lexical);
        if again && valued.is_some_and(|next| matches!(self.target(next), Some(Target::Value(..))))
        {
            self.block(at, "two counts at once take two steps");
        }
    }

    /// Leaves the verb at the end of "what is Ada teaching" unread: it says what is asked for, and nothing else does.
    pub(super) fn ask_for_object(&mut self) {
        let frame = &self.frame;
        let open = frame.head.is_none()
            && frame.outputs.is_empty()
            && frame.measures.is_empty()
            && frame.groups.is_empty();
        let Some(last) = self.mentions.len().checked_sub(1).filter(|last| *last > 0 && open) else {
            return;
        };
        let asks = self.mentions[0].is(Lexical::List)
            && self.mentions[0].phrase.to_lowercase().starts_with("what");
        let word = self.mentions[last].phrase.to_lowercase();
        let verb = self.part(last) == Part::Lexical
            && (self.mentions[last].is(Lexical::Relation)
                || self.mentions[last].is(Lexical::Filler))
            && self.lexicon.is_used_as_verb(&word);
        if asks && verb {
            self.frame.unread.push(last);
        }
    }

    /// "total", "average", "highest": an aggregate of what comes, or an order by a figure.
    fn aggregate_word(&mut self, at: usize, kind: Lexical) {
        match kind {
            Lexical::Maximum | Lexical::Minimum if self.ranks_a_figure(at) => {
                self.start_superlative(at, kind == Lexical::Maximum, false);
            }
            Lexical::Sum => self.start_aggregate(Aggregate::Sum, at),
            Lexical::Average => self.start_aggregate(Aggregate::Average, at),
            Lexical::Maximum => self.start_aggregate(Aggregate::Maximum, at),
            _ => self.start_aggregate(Aggregate::Minimum, at),
        }
    }

    /// "list", "show": a new list of things, or what rows do ("employees who report to").
    fn list_word(&mut self, at: usize) {
        if self.is_verb_of_rows(at) {
            self.frame.unread.push(at);
            return;
        }
        self.frame.operation = true;
        if !self.frame.groups.is_empty() {
            self.grouping = false;
        }
        if at > 0 {
            let pronoun = self.mentions[at].is(Lexical::Where);
            self.clause = if pronoun { Clause::Where } else { Clause::Main };
        }
    }

    /// "for each", "by", "in", "with", "without": where the next thing stands.
    fn clause_word(&mut self, at: usize, kind: Lexical) {
        match kind {
            Lexical::Group => self.start_group(),
            Lexical::By => self.by(at),
            Lexical::Of => self.enter(Clause::Of),
            Lexical::In => self.enter(Clause::In),
            Lexical::With => self.enter(Clause::With),
            Lexical::Where => self.enter(Clause::Where),
            _ => {
                self.clause = Clause::Without;
                self.missing = Some(at);
                self.grouping = false;
            }
        }
    }

    /// "and", "or": what comes is joined with what stands before.
    fn conjunction(&mut self, at: usize, kind: Lexical) {
        self.conjunction = Some(kind);
        if kind == Lexical::Or && !self.mentions[at].phrase.eq_ignore_ascii_case("either") {
            let between_things =
                at > 0 && self.part(at - 1) != Part::Lexical && self.parts.get(at + 1).is_some();
            self.alternative = between_things.then_some(at);
        }
    }

    /// "compared with": takes the column or the period that follows, and gives back where to go on.
    fn compare_word(&mut self, at: usize) -> Option<usize> {
        if self.starts_comparison(at) {
            return None;
        }
        let next = self.than_column(at).or_else(|| self.compare_periods(at));
        let next = next.or_else(|| self.contrast_values(at));
        if next.is_none() && self.mentions[at].phrase.eq_ignore_ascii_case("compare") {
            self.contrast = Some(at);
        } else if next.is_none() {
            self.block(at, "a comparison between groups or with an average takes two steps");
        }
        next
    }

    /// "belong to", "report to": a verb that links two things, or rows with their superiors.
    fn relation_word(&mut self, at: usize, kind: Lexical) {
        let superior = self.mentions[at].is(Lexical::Superior);
        match kind {
            Lexical::Superior if self.of_superior(at) || self.beside_superior(at) => {}
            Lexical::Relation if superior => {}
            _ => self.relation(at),
        }
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
        // "The highest price and the lowest stock": the column before "and" has its own function.
        let computed = |of: usize| self.frame.measures.iter().any(|measure| measure.at == of);
        let joined = |before: usize| {
            self.mentions[before].is(Lexical::And) || self.mentions[before].is(Lexical::Filler)
        };
        let before = (0..at).rev().find(|before| !joined(*before));
        if before.is_some_and(computed) {
            self.aggregates.clear();
        }
        let listed = at > 0
            && [Lexical::And, Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum]
                .iter()
                .any(|kind| self.mentions[at - 1].is(*kind));
        if !listed && !self.aggregates.is_empty() {
            self.block(at, "two computations in a row take two steps");
        }
        // "How many orders per country, and average freight": a second figure of the same groups, not a further key.
        self.grouping &= self.frame.groups.is_empty() || self.frame.measures.is_empty();
        self.aggregates.push((function, at));
        self.frame.operation = true;
    }

    pub(super) fn start_group(&mut self) {
        self.grouping = true;
        self.ordering = false;
        self.clause = Clause::Main;
    }

    fn empty(&mut self, at: usize) {
        match self.subject.take() {
            Some(subject) if matches!(self.target(subject), Some(Target::Column(_))) => {
                self.frame.outputs.retain(|output| *output != subject);
                let negated = self.negated.take().is_some();
                self.frame.conditions.push(Condition::Null { at: subject, negated });
            }
            _ if self.says_childless(at) => {}
            _ => self.frame.unread.push(at),
        }
    }
}
