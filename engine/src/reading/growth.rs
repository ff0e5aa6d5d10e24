//! Growth: the change of a count or an amount from each period to the next.
//!
//! Valid: "growth of revenue by month", "revenue growth by year", "year over year growth of sales", "orders in 2024
//! compared to 2023", "compare orders in 2023 and 2024", "orders by region in 2024 compared to 2023", "orders by region
//! compared with last year" (with the current one). Invalid, so that it is refused: growth of several things or groups,
//! beside an order, and a comparison of periods of different lengths.

use super::columns::more_or_less;
use super::frame::{CountTarget, Group, Measure, MeasureTarget, Related, TableUse, TimeSpec};
use super::parse::Parser;
use super::part::Part;
use crate::day;
use crate::intent::{Comparison, DateRange, TimeGrain};
use crate::linking::{Lexical, Target};

/// Words between two periods that are compared.
const VERSUS: [&str; 5] = ["compared to", "compared with", "relative to", "versus", "vs"];

/// Words between two periods behind "compare".
const AGAINST: [&str; 7] = ["and", "with", "to", "against", "vs.", "and in", "with the"];

/// Mentions before "than" among which "more" or "less" is looked for.
const MORE_REACH: usize = 5;

/// Why growth is refused beside other constructions.
const MIXED: &str = "growth is only written of one number from period to period";

impl Parser<'_> {
    /// Takes a word of growth, which may name the period: "year over year".
    pub(super) fn start_growth(&mut self, at: usize) {
        let phrase = self.mentions[at].phrase.to_lowercase();
        let grain = match phrase.split([' ', '-']).next() {
            Some("year") => Some(TimeGrain::Year),
            Some("quarter") => Some(TimeGrain::Quarter),
            Some("month") => Some(TimeGrain::Month),
            Some("week") => Some(TimeGrain::Week),
            _ => None,
        };
        if let Some(grain) = grain {
            self.frame.groups.push(Group::Period { grain, at, date: None });
        }
        self.frame.growth.get_or_insert(at);
        self.frame.operation = true;
    }

    /// Takes "compare" where two periods to compare follow: "compare sales in 2023 and 2024".
    pub(super) fn starts_comparison(&mut self, at: usize) -> bool {
        let leads = self.mentions[at].phrase.eq_ignore_ascii_case("compare");
        let times = (at..self.mentions.len()).filter(|next| self.part(*next) == Part::Time);
        let starts = leads && self.comparing.is_none() && times.count() == 2;
        if starts {
            self.comparing = Some(at);
            self.frame.operation = true;
        }
        starts
    }

    /// "revenue this month compared to last month": the two periods are shown, with the change from one to the other.
    pub(super) fn compare_periods(&mut self, at: usize) -> Option<usize> {
        let phrase = self.mentions[at].phrase.to_lowercase();
        let joins = VERSUS.contains(&phrase.as_str())
            || self.comparing.is_some() && AGAINST.contains(&phrase.as_str());
        let differs = self.more_than_before(at).filter(|_| phrase == "than");
        if !joins && differs.is_none() || self.frame.growth.is_some() {
            return None;
        }
        let passed = [Lexical::Filler, Lexical::In, Lexical::Of, Lexical::With];
        let other = (at + 1..self.mentions.len()).find(|next| {
            let mention = &self.mentions[*next];
            mention.time.is_some() || !passed.iter().any(|kind| mention.is(*kind))
        })?;
        let time = self.mentions[other].time.as_ref()?;
        let grain = time.grain_hint?;
        let implied = self.frame.times.is_empty();
        if implied {
            self.frame.times.push(self.period_after(other, grain)?);
        }
        let [first] = self.frame.times.as_mut_slice() else { return None };
        let stated = first.at + 1 == at
            && self.mentions.get(first.at)?.time.as_ref()?.grain_hint == Some(grain);
        let plain = (implied || stated) && first.others.is_empty() && !first.negated;
        let (one, two) = (period(&first.range, grain)?, period(&time.range, grain)?);
        // "by month in 2025 compared with 2024": each month of the year in one and in the other.
        let months = |group: &Group| {
            grain == TimeGrain::Year
                && matches!(group, Group::Period { grain: TimeGrain::Month, .. })
        };
        let dated = |group: &Group| matches!(group, Group::Period { .. }) && !months(group);
        if !plain || one == two || self.frame.groups.iter().any(dated) {
            return None;
        }
        for group in &mut self.frame.groups {
            if let Group::Period { grain, .. } = group {
                *grain = TimeGrain::MonthOfYear;
            }
        }
        first.others.push(time.range.clone());
        let (of, date) = (first.at, first.column);
        self.frame.groups.push(Group::Period { grain, at: of, date });
        self.frame.growth = Some(at);
        self.frame.compared_period = Some(other);
        if differs.is_some() {
            self.frame.differs = differs;
            self.count_related_rows();
            if let Some((head, at)) = self.frame.head {
                self.frame.groups.push(Group::Table(head, at));
            }
        }
        Some(other + 1)
    }

    /// "customers with more orders in 2024 than in 2023": the rows that are related are counted, where nothing else is.
    fn count_related_rows(&mut self) {
        let counted = self.frame.related.iter().position(|related| {
            let before = related.at.checked_sub(1).and_then(|before| self.mentions.get(before));
            let more = before.is_some_and(|before| {
                let phrase = before.phrase.to_lowercase();
                phrase.split(' ').next_back().and_then(more_or_less).is_some()
            });
            more && related.how != TableUse::Without
                && matches!(self.target(related.at), Some(Target::Table(_)))
        });
        let head = self.frame.head.map(|(head, _)| head);
        let counts_head = |measure: &Measure| match measure.target {
            MeasureTarget::Count(CountTarget::Head) => true,
            MeasureTarget::Count(CountTarget::Rows(table)) => Some(table) == head,
            _ => false,
        };
        // "How many customers had more orders in 2025 than in 2024" counts groups.
        if let Some(count) = self.frame.measures.iter().find(|measure| counts_head(measure)) {
            let at = count.at;
            self.block(at, "a number of groups that differ takes two steps");
            return;
        }
        if let (Some(counted), true) = (counted, self.frame.measures.is_empty()) {
            let Related { table, at, .. } = self.frame.related.remove(counted);
            let target = MeasureTarget::Count(CountTarget::Rows(table));
            self.frame.measures.push(Measure { target, at });
        }
    }

    /// Direction of "more" or "less" among the words before "than", up to the verb: "sold more units in 2024 than".
    fn more_than_before(&self, at: usize) -> Option<Comparison> {
        (at.saturating_sub(MORE_REACH)..at).rev().find_map(|before| {
            let phrase = self.mentions[before].phrase.to_lowercase();
            let word = phrase.split(' ').next_back()?;
            more_or_less(word)
        })
    }

    /// "revenue by category compared with last year": the period that follows the one that is named as the last.
    fn period_after(&self, at: usize, grain: TimeGrain) -> Option<TimeSpec> {
        let mention = self.mentions.get(at)?;
        let words = mention.phrase.to_lowercase();
        let relative = words.split(' ').any(|word| ["last", "previous", "prior"].contains(&word));
        let range = &mention.time.as_ref().filter(|_| relative)?.range;
        let months = match grain {
            TimeGrain::Year => 12,
            TimeGrain::Quarter => 3,
            TimeGrain::Month => 1,
            _ => return None,
        };
        period(range, grain)?;
        let start = day::parse(range.end.as_ref()?)?;
        let end = day::plus_months(start, months).map(day::text);
        Some(TimeSpec {
            range: DateRange { start: Some(day::text(start)), end },
            at,
            others: Vec::new(),
            weekdays: 0,
            rival: None,
            column: None,
            table: None,
            negated: false,
        })
    }

    /// Refuses growth beside what it is not written with.
    pub(super) fn finish_growth(&mut self) {
        if let (Some(at), None) = (self.comparing, self.frame.growth) {
            self.block(at, "a comparison between groups or with an average takes two steps");
        }
        let Some(at) = self.frame.growth else { return };
        if self.frame.groups.is_empty() {
            self.frame.trend.get_or_insert(at);
        }
        let frame = &self.frame;
        let grouped = frame.compared_period.is_none()
            && !matches!(frame.groups.as_slice(), [] | [Group::Period { .. }]);
        let mixed = frame.superlative.is_some()
            || frame.share.is_some()
            || frame.average.is_some()
            || frame.coordination.is_some()
            || frame.distribution.is_some()
            || !frame.order.is_empty()
            || !frame.output_tables.is_empty()
            || frame.measures.len() > 1;
        if grouped || mixed {
            self.block(at, MIXED);
        }
    }
}

/// Year, quarter or month that a range lies within.
fn period(range: &DateRange, grain: TimeGrain) -> Option<(String, u32)> {
    let start = range.start.clone()?;
    let last =
        day::parse(range.end.as_ref()?).and_then(|end| day::plus_days(end, -1)).map(day::text)?;
    let part = |date: &str| {
        let (year, month) = (date.get(..4)?.to_owned(), date.get(5..7)?.parse::<u32>().ok()?);
        match grain {
            TimeGrain::Year => Some((year, 0)),
            TimeGrain::Quarter => Some((year, month.div_ceil(3))),
            TimeGrain::Month => Some((year, month)),
            _ => None,
        }
    };
    let (first, end) = (part(&start)?, part(&last)?);
    (first == end).then_some(first)
}
