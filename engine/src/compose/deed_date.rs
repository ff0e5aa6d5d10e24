//! Dates of what rows did, where no column is called like the verb: "which patients showed up last week".
//!
//! Valid: "customers who came back in 2025", whose own date says since when they are customers. Invalid: "employees hired in
//! 2025" and "employees in 2025", which name the date or no event, and "orders that came in last week", whose rows are the
//! events.

use super::context::{Composer, Failure};
use super::option::OPTIONS;
use crate::data::Role;
use crate::failure::FailureCode;
use crate::linking::{ColumnId, Lexical, Mention, TableId, Target, holds_persons};
use crate::reading::TimeSpec;
use crate::text::{akin, fold, stem};

/// Forms of "do" before a verb, folded.
const DO: [&str; 6] = ["did", "do", "does", "didn", "don", "doesn"];

impl Composer<'_> {
    /// The date that was decided on behind such a verb or a flag; none where the words leave nothing open.
    pub(super) fn date_of_deed(
        &mut self,
        time: &TimeSpec,
        rows: TableId,
        told: &[TableId],
    ) -> Result<Option<ColumnId>, Failure> {
        if !told.is_empty() {
            return Ok(None);
        }
        let of_verb = self.dates_of_verb(time, rows);
        let dates = if of_verb.is_empty() { self.dates_of_flag(time, rows) } else { of_verb };
        if let [only] = dates.as_slice() {
            return Err(self.fail(
                FailureCode::NoDateColumn,
                format!("no date of {} says when that was", self.table_rows(rows)),
                &format!("leave the period out, or name the date: {}", self.column_words(*only)),
                Some(time.at),
            ));
        }
        let reason = format!("no date of {} is called so", self.table_rows(rows));
        Ok((!dates.is_empty()).then(|| self.choose_column(&dates, time.at, reason)).flatten())
    }

    /// The date that was decided on where a verb names a date of other persons than those who do it: "customers who left in
    /// 2025", where employees have the date. None where the verb leaves nothing open.
    pub(super) fn date_of_others(
        &mut self,
        time: &TimeSpec,
        rows: TableId,
        named: ColumnId,
    ) -> Option<ColumnId> {
        let at = time.column?;
        let verb = fold(self.phrase(at));
        let past = self.lexicon.is_used_as_past(&verb)
            || self.lexicon.is_past(&verb)
            || wherefore_english::verb_base(&verb).is_some();
        let subject = self
            .mentions
            .get(..at)?
            .iter()
            .rev()
            .find(|mention| !mention.is(Lexical::Where) && !mention.is(Lexical::Filler))?;
        let said = subject.readings.first().map(|reading| &reading.target);
        let others = named.table != rows && holds_persons(self.schema, named.table);
        if !past || !others || said != Some(&Target::Table(rows)) {
            return None;
        }
        let mut dates = self.own_dates(rows);
        dates.push(named);
        let reason = format!("no date of {} is called so", self.table_rows(rows));
        self.choose_column(&dates, time.at, reason)
    }

    /// Dates that a time behind such a verb may mean: those of the events of its rows, then their own; none where the verb
    /// leaves nothing open.
    fn dates_of_verb(&self, time: &TimeSpec, rows: TableId) -> Vec<ColumnId> {
        let Some(verb) = self.verb_before(time, rows) else { return Vec::new() };
        let own: Vec<ColumnId> = self.own_dates(rows);
        let named =
            |column: &ColumnId| self.schema.words_of(*column).iter().any(|word| akin(word, &verb));
        let last = self.schema.profile(rows).stems.last();
        let acts = holds_persons(self.schema, rows)
            || last.is_some_and(|last| self.lexicon.is_agent(last));
        if own.iter().any(named) || self.lexicon.joins_rows(&verb) {
            return Vec::new();
        }
        if !acts {
            return if time.negated {
                Vec::new()
            } else {
                self.dates_of_undergone(&verb, rows, own)
            };
        }
        let mut dates: Vec<ColumnId> = self.event_dates(rows);
        if dates.is_empty() || own.is_empty() {
            return Vec::new();
        }
        // "Patients who did not show up last month": no date of theirs says when that would have been.
        if time.negated {
            dates.truncate(OPTIONS);
            return dates;
        }
        dates.truncate(OPTIONS - own.len().clamp(1, 2));
        dates.extend(own);
        dates
    }

    /// Dates that a time may mean behind a verb for what others do to the rows: "products bought in 2025", which orders and
    /// purchase orders record. None where nothing records it.
    fn dates_of_undergone(&self, verb: &str, rows: TableId, own: Vec<ColumnId>) -> Vec<ColumnId> {
        let deeds = || self.lexicon.deeds_of(verb).flat_map(|agents| &agents.deeds);
        let records = |table: &TableId| {
            let profile = self.schema.profile(*table);
            let last = profile.stems.last();
            let called = last.is_some_and(|last| deeds().any(|deed| stem(deed) == *last));
            called && !profile.is_view && self.schema.distance(rows, *table).is_some()
        };
        let tables: Vec<TableId> = self.schema.ids().filter(records).collect();
        if tables.contains(&rows) {
            return Vec::new();
        }
        let dates = tables.into_iter().filter_map(|table| {
            let profile = self.schema.profile(table);
            profile.date.or(profile.dates.first().copied())
        });
        let mut dates: Vec<ColumnId> = dates.collect();
        if dates.is_empty() || own.is_empty() {
            return Vec::new();
        }
        dates.truncate(OPTIONS - own.len().clamp(1, 2));
        dates.extend(own);
        dates
    }

    /// Dates that a time behind a flag may mean, which say nothing of the flag: "products discontinued in 2025", where only
    /// the launch has a date. None where one of them is called like the flag.
    fn dates_of_flag(&self, time: &TimeSpec, rows: TableId) -> Vec<ColumnId> {
        let passed = |mention: &&Mention| !mention.is(Lexical::Filler) && !mention.is(Lexical::In);
        let said = self.mentions.get(..time.at).unwrap_or_default().iter().rev().find(passed);
        let first = said.and_then(|mention| mention.readings.first());
        let Some(Target::Column(flag)) = first.map(|reading| &reading.target) else {
            return Vec::new();
        };
        let own = self.own_dates(rows);
        let words = self.schema.words_of(*flag);
        let named = |date: &ColumnId| {
            self.schema.words_of(*date).iter().any(|word| words.iter().any(|own| akin(own, word)))
        };
        if flag.table != rows || !self.schema.is_flag(*flag) || own.iter().any(named) {
            return Vec::new();
        }
        own
    }

    /// The verb that stands between rows and a time, with nothing else that is tied: "who showed up".
    fn verb_before(&self, time: &TimeSpec, rows: TableId) -> Option<String> {
        let mut verb = None;
        for (at, mention) in self.mentions.get(..time.at)?.iter().enumerate().rev() {
            // "Did not show up": a verb in its base form behind "did".
            let helped = self.mentions[..at].iter().rev().take(2).any(|before| {
                let before = fold(&before.phrase);
                before.split([' ', '\'']).any(|word| DO.contains(&word))
            });
            let known = self.lexicon.deeds_of(&fold(&mention.phrase)).next().is_some();
            let helped = helped && (time.negated || known && mention.readings.is_empty());
            let first = mention.readings.first().map(|reading| &reading.target);
            match first {
                Some(Target::Table(table)) if *table == rows => return verb,
                Some(_) if !mention.is(Lexical::Relation) && !mention.is(Lexical::Filler) => {
                    return None;
                }
                _ => {}
            }
            let said = fold(&mention.phrase);
            let done = said.split(' ').find(|word| {
                let irregular = wherefore_english::verb_base(word);
                !self.lexicon.is_auxiliary(word)
                    && (self.lexicon.is_used_as_past(word)
                        || self.lexicon.is_past(word)
                        || helped
                        || irregular.is_some_and(|base| !["be", "do", "have"].contains(&base)))
            });
            verb = verb.or(done.map(str::to_owned));
        }
        None
    }

    /// Dates of a row itself, but not when a person was born.
    fn own_dates(&self, rows: TableId) -> Vec<ColumnId> {
        let profile = self.schema.profile(rows);
        let born = |column: &&ColumnId| self.schema.has_role(**column, Role::BirthDate);
        profile.dates.iter().filter(|column| !born(column)).copied().collect()
    }

    /// Usual dates of the rows that refer to these.
    fn event_dates(&self, rows: TableId) -> Vec<ColumnId> {
        let mut dates = Vec::new();
        let acts = |table: TableId| {
            let last = self.schema.profile(table).stems.last();
            last.is_some_and(|last| self.lexicon.is_agent(last))
        };
        for edge in self.schema.edges(rows).iter().filter(|edge| !edge.to_one && edge.to != rows) {
            let profile = self.schema.profile(edge.to);
            if acts(edge.to) {
                continue;
            }
            let date = profile.date.or(profile.dates.first().copied());
            if let Some(date) = date.filter(|date| !profile.is_view && !dates.contains(date)) {
                dates.push(date);
            }
        }
        dates
    }
}
