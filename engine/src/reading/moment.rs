//! Times, periods and vague terms.

use super::frame::{Condition, Group, OrderSpec, TimeSpec, VagueUse};
use super::parse::Parser;
use super::part::Part;
use crate::intent::TimeGrain;
use crate::linking::{ColumnId, Lexical, Mention, Named, Target};

impl Parser<'_> {
    pub(super) fn grain(&mut self, at: usize, grain: TimeGrain) {
        let adverb = ["daily", "weekly", "monthly", "quarterly", "yearly", "annual", "annually"]
            .contains(&self.mentions[at].phrase.to_lowercase().as_str());
        if self.grouping || adverb || self.conjunction.is_some() && !self.frame.groups.is_empty() {
            let date = self.date_hint.take();
            let lacking = date.filter(|date| match self.target(*date) {
                Some(Target::Column(column)) => self.catalog.column_at(*column).nullable,
                _ => true,
            });
            if let Some(at) = lacking {
                self.frame.conditions.push(Condition::Set { at, negated: false });
            }
            // "healed by month in 2025": the year is that of the same date.
            self.date_hint = date.filter(|_| self.is_dated(at));
            self.frame.groups.push(Group::Period { grain, at, date });
            self.conjunction = None;
        } else if self.ordering && self.frame.superlative.is_some() {
            // "highest revenue by month": of each month, or of the best.
            self.block(at, "the first rows of each group take two steps");
        } else if self.ordering {
            self.frame.order.push(OrderSpec { of_labels: true, ..OrderSpec::default() });
        } else if !self.takes_unit(at)
            && !self.ranked_period(at, grain)
            && !self.restricted_period(at, grain)
        {
            self.frame.unread.push(at);
        }
    }

    pub(super) fn time(&mut self, at: usize) {
        let Some(time) = &self.mentions[at].time else { return };
        // "in December of each year" is no month of one year.
        let each = |next: &Mention| next.is(Lexical::Distributive) || next.is(Lexical::Group);
        let recurs = self.mentions.get(at + 1).is_some_and(each)
            && self.mentions.get(at + 2).is_some_and(|next| next.grain == Some(TimeGrain::Year));
        if recurs && self.mentions[at].time.as_ref().is_some_and(|time| time.year_assumed) {
            self.block(at, "a period that recurs in each year takes two steps");
        }
        if self.is_compared_with_period(at) {
            self.block(at, "it is not clear what is compared with what was in a period");
        }
        let near = |subject: &usize| at - subject <= 3;
        let column = self.date_hint.take().or(self.subject.filter(|subject| {
            near(subject)
                && matches!(self.target(*subject), Some(Target::Column(column))
                    if self.tells_time(*column))
        }));
        let column = column.or_else(|| self.date_before_term(at));
        let happened = if column.is_none() { self.date_of_what_happened(at) } else { None };
        let column = column.or(happened.map(|(date, _)| date));
        if let Some(column) = column {
            self.frame.outputs.retain(|output| *output != column);
        }
        let negated = self.negated.take().is_some() || happened.is_some_and(|(_, not)| not);
        let listed = self.alternative.is_some_and(|or| or + 1 == at)
            || at > 0 && self.mentions[at - 1].is(Lexical::And);
        if listed
            && let Some(last) = self.frame.times.last_mut()
            && last.at + 2 == at
            && last.weekdays == 0
            && time.weekdays == 0
        {
            last.others.push(time.range.clone());
            self.alternative = None;
            return;
        }
        self.frame.times.push(TimeSpec {
            others: Vec::new(),
            range: time.range.clone(),
            weekdays: time.weekdays,
            rival: time.rival.clone(),
            at,
            column,
            table: self.last_table,
            negated,
        });
        self.subject = None;
        self.grouping = false;
    }

    /// "shipped late last month": the date of what was done, where only a vague term stands between.
    fn date_before_term(&self, at: usize) -> Option<usize> {
        let date = at.checked_sub(2)?;
        let dated =
            matches!(self.target(date), Some(Target::Column(column)) if self.is_date(*column));
        (dated && matches!(self.part(at - 1), Part::Vague(_))).then_some(date)
    }

    /// "came in more than last year": nothing before a period says which figure it is compared with.
    fn is_compared_with_period(&self, at: usize) -> bool {
        let compares = |before: usize| {
            let mention = &self.mentions[before];
            self.part(before) == Part::Lexical
                && (mention.is(Lexical::MoreThan) || mention.is(Lexical::LessThan))
                && mention.phrase.to_lowercase().ends_with("than")
        };
        let ends = self.mentions[at].time.as_ref().is_some_and(|time| time.range.start.is_some());
        ends && at.checked_sub(1).is_some_and(compares)
    }

    /// "who have left us this year": the date of what happened, said right before, and whether it must not lie there; that
    /// it is set, or not, is then no condition of its own.
    fn date_of_what_happened(&mut self, at: usize) -> Option<(usize, bool)> {
        let filler = |between: usize| {
            self.part(between) == Part::Lexical && self.mentions[between].is(Lexical::Filler)
        };
        let happened = self.frame.conditions.iter().find_map(|condition| {
            let (set, negated) = match condition {
                Condition::Set { at: set, negated } => (*set, *negated),
                // "who have not left": no value is missing, what happened is denied.
                Condition::Null { at: set, negated: false } if self.is_denied(*set) => (*set, true),
                _ => return None,
            };
            let dated = matches!(self.target(set), Some(Target::Column(column))
                if self.is_date(*column));
            (dated && set < at && (set + 1..at).all(filler)).then_some((set, negated))
        })?;
        self.frame.conditions.retain(|condition| {
            !matches!(condition, Condition::Set { at: set, .. } | Condition::Null { at: set, .. }
                if *set == happened.0)
        });
        Some(happened)
    }

    /// Whether the words before a mention deny a verb: "have not left", and not "without a date".
    pub(super) fn is_denied(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            let phrase = self.mentions[before].phrase.to_lowercase();
            phrase.split(' ').any(|word| ["not", "never"].contains(&word) || word.ends_with("n't"))
        })
    }

    pub(super) fn vague(&mut self, at: usize, term: usize) {
        // "A high number of recent orders": the noun may be further away.
        let counted = self
            .mentions
            .get(at + 1)
            .is_some_and(|next| next.is(Lexical::CountNoun) || next.is(Lexical::Count));
        let reach = if counted { at + 5 } else { at + 3 };
        let noun = (at + 1..self.mentions.len().min(reach))
            .find(|&next| matches!(self.part(next), Part::Schema | Part::Concept(_)));
        if self.counts_pieces(at) {
            self.block(at, "it is not clear whether goods or their pieces are counted");
        }
        // "Not delivered late" denies neither the delivery nor the lateness alone.
        let denied = at >= 2 && {
            let (not, done) = (&self.mentions[at - 2], &self.mentions[at - 1]);
            not.is(Lexical::Not)
                && self.part(at - 1) == Part::Schema
                && not.tokens.end == done.tokens.start
                && done.tokens.end == self.mentions[at].tokens.start
        };
        if denied {
            self.block(at, "it is not clear what is negated");
        }
        let negated = self.negated.take().is_some();
        let longer = self.take_longer(at);
        self.frame.vague.push(VagueUse { term, at, noun, negated, longer });
    }

    /// "invoices overdue by more than 30 days", where that is a stored status too: both have to hold.
    pub(super) fn value_for_longer(&mut self, at: usize) {
        let Some(term) = self.mentions[at].vague else { return };
        if let Some(longer) = self.take_longer(at) {
            let (noun, negated) = (None, false);
            self.frame.vague.push(VagueUse { term, at, noun, negated, longer: Some(longer) });
        }
    }

    /// Takes a date right before a vague term as read: "share of orders delivered late by month".
    pub(super) fn take_what_is_done(&mut self) {
        let unread = std::mem::take(&mut self.frame.unread);
        let done = |at: usize| {
            let dated =
                matches!(self.target(at), Some(Target::Column(column)) if self.is_date(*column));
            dated && self.frame.vague.iter().any(|term| term.at == at + 1)
        };
        self.frame.unread = unread.into_iter().filter(|at| !done(*at)).collect();
    }

    /// Takes the number of days behind a term, with the mention of the number.
    fn take_longer(&mut self, at: usize) -> Option<(u32, usize)> {
        let (days, number) = self.longer_than(at)?;
        self.taken.extend(at + 1..number + 2);
        Some((days, number))
    }

    /// "overdue by more than 30 days": the days behind a term, and the mention of the number.
    fn longer_than(&self, at: usize) -> Option<(u32, usize)> {
        let by = self
            .mentions
            .get(at + 1)
            .is_some_and(|next| next.is(Lexical::By) || next.phrase.eq_ignore_ascii_case("for"));
        let compared = if by { at + 2 } else { at + 1 };
        let more = self.mentions.get(compared)?.is(Lexical::MoreThan);
        let number = self.mentions.get(compared + 1)?.number.as_ref().filter(|_| more)?;
        let days = match self.mentions.get(compared + 2)?.grain? {
            TimeGrain::Day => 1,
            TimeGrain::Week => 7,
            _ => return None,
        };
        let days = number.value.parse::<u32>().ok()?.checked_mul(days)?;
        Some((days, compared + 1))
    }

    /// "how many of them do we have in stock": a number of pieces that somebody has, or of the goods.
    fn counts_pieces(&self, at: usize) -> bool {
        let stock = self.mentions[at].phrase.to_lowercase();
        let held = stock.split(' ').any(|word| word == "stock" || word == "hand");
        let counted = (0..at).rev().find(|before| self.mentions[*before].is(Lexical::Count));
        let owned = |mention: &Mention| {
            let phrase = mention.phrase.to_lowercase();
            phrase.split(' ').any(|word| ["we", "have", "has", "got", "hold"].contains(&word))
        };
        held && counted.is_some_and(|counted| self.mentions[counted..at].iter().any(owned))
    }

    pub(super) fn is_date(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).data_type.is_temporal()
    }

    /// Whether a column is a date or holds years.
    pub(super) fn tells_time(&self, column: ColumnId) -> bool {
        self.is_date(column) || self.catalog.column_at(column).holds_years()
    }

    /// Whether a time, a period to group by, or another date to compare with follows a mention at once.
    pub(super) fn is_dated(&self, at: usize) -> bool {
        let second = self.mentions.get(at + 2);
        self.mentions.get(at + 1).is_some_and(|next| {
            next.time.is_some()
                || next.is(Lexical::After)
                || next.is(Lexical::Before)
                || next.is(Lexical::In) && second.is_some_and(|second| second.time.is_some())
                || (next.is(Lexical::By) || next.is(Lexical::Group))
                    && second.is_some_and(|second| second.grain.is_some())
        })
    }

    /// Whether a date is named by what happened then ("shipped", "healed"), not as a date ("order date").
    pub(super) fn is_participle(&self, at: usize, column: ColumnId) -> bool {
        let phrase = self.mentions[at].phrase.to_lowercase();
        let as_date =
            ["date", "dates", "day", "time", "on", "at", "when", "since", "birth", "birthday"];
        let last = phrase.rsplit([' ', '_']).next().unwrap_or("");
        self.catalog.column_at(column).data_type.is_temporal()
            && !as_date.contains(&last)
            && !phrase.ends_with("date")
            && !phrase.starts_with("date of ")
    }
}
