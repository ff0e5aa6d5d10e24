//! Time expressions: which date column they filter, and periods that are missing.

use super::context::{Composer, Failure};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::DataType;
use crate::clarification::{ClarificationOption, CustomInput, Decision, OptionBinding, Relation};
use crate::data::Role;
use crate::day;
use crate::failure::FailureCode;
use crate::intent::{Comparison, DateRange, Expression, Literal, Predicate};
use crate::linking::{Act, ColumnId, Lexical, Named, TableId, Target, words_of_identifier};
use crate::narration::range_words;
use crate::reading::TimeSpec;

impl Composer<'_> {
    /// Date column that a time expression filters.
    pub(super) fn date_of(
        &mut self,
        time: &TimeSpec,
        from: TableId,
        preferred: Option<ColumnId>,
        told: &[TableId],
    ) -> Result<ColumnId, Failure> {
        if time.column.is_none()
            && self.says_an_age(time.at)
            && let Some(born) = self.birth_date(from)
        {
            return Ok(born);
        }
        if let Some(at) = time.column {
            let dated =
                self.mentions.get(at).into_iter().flat_map(|mention| &mention.readings).find_map(
                    |reading| match reading.target {
                        Target::Column(column)
                            if self.catalog.column_at(column).data_type.is_temporal() =>
                        {
                            Some(column)
                        }
                        _ => None,
                    },
                );
            let others = dated.and_then(|named| self.date_of_others(time, from, named));
            let column = match others.or(dated) {
                Some(column) => column,
                None => self.column(at, Some(from))?,
            };
            let definition = self.catalog.column_at(column);
            if definition.data_type.is_temporal() || definition.holds_years() {
                return Ok(column);
            }
            return Err(self.no_date(from, time.at));
        }
        let corrected = self.corrected_date(Some(from)).or_else(|| self.corrected_date(None));
        if let Some(column) = corrected.or(preferred) {
            return Ok(column);
        }
        if time.table.is_none_or(|table| !told.contains(&table))
            && let Some(column) = self.date_told(time, from, told)
        {
            return Ok(column);
        }
        if let Some(column) = self.date_of_deed(time, from, told)? {
            return Ok(column);
        }
        let between = self.between(from, told);
        let mut near: Vec<TableId> = time.table.into_iter().chain(between).chain([from]).collect();
        // "The top customers in 2025 by invoice total": the invoices are of 2025, not the customers.
        let parent = time.table.is_some_and(|table| {
            self.schema.distance(from, table).is_some_and(|(joins, many)| joins > 0 && !many)
        });
        let further = self.dated_neighbours(from);
        if parent && (self.ends_rows(time) || self.is_said_of(time, from)) {
            // "The top products of 2025 by quantity": lines have the date of their order.
            let own = near.remove(0);
            near.extend(further.into_iter().filter(|table| *table != own));
            near.push(own);
        } else {
            near.extend(further);
        }
        for table in &near {
            let ahead = self.dates_ahead(*table, time);
            let date = match ahead.as_slice() {
                [] => self.date_of_table(*table, time.at),
                [only] => Some(*only),
                several => {
                    let reason = "only some dates of these rows reach so far".to_owned();
                    self.choose_column(several, time.at, reason)
                }
            };
            if let Some(column) = date.or_else(|| self.year_of_table(*table, time)) {
                return Ok(column);
            }
        }
        Err(self.no_date(from, time.at))
    }

    /// "Bookings for next week": the dates that reach into a period behind all stored dates that rows go by otherwise.
    fn dates_ahead(&self, table: TableId, time: &TimeSpec) -> Vec<ColumnId> {
        let profile = self.schema.profile(table);
        let (Some(usual), Some(start)) = (profile.date, &time.range.start) else {
            return Vec::new();
        };
        let last = |column: ColumnId| self.catalog.column_at(column).maximum.as_deref();
        let reaches = |column: &ColumnId| last(*column).is_some_and(|last| last >= start.as_str());
        if *start < day::text(self.today)
            || self.corrected_date(Some(table)).is_some()
            || last(usual).is_none()
            || reaches(&usual)
        {
            return Vec::new();
        }
        let own = profile.dates.iter().copied().filter(|column| *column != usual);
        own.filter(reaches).collect()
    }

    /// Whether a time stands right behind the rows of its table, which no other word qualifies: "customers in 2025", but
    /// not "new customers in 2025" and "customers created in 2025".
    fn ends_rows(&self, time: &TimeSpec) -> bool {
        let Some(rows) = (0..time.at).rev().find(|at| {
            !self.mentions[*at].is(Lexical::Filler) && !self.mentions[*at].is(Lexical::In)
        }) else {
            return false;
        };
        let named = self.target(rows).is_some_and(
            |target| matches!(target, Target::Table(table) if Some(table) == time.table),
        );
        let new = rows.checked_sub(1).is_some_and(|before| {
            self.mentions[before].phrase.to_lowercase().split(' ').any(|word| word == "new")
        });
        named && !new
    }

    /// "How much did customers pay by card in 2025": a value of these rows stands right before the time.
    fn is_said_of(&self, time: &TimeSpec, rows: TableId) -> bool {
        let before = (0..time.at).rev().find(|at| {
            !self.mentions[*at].is(Lexical::Filler) && !self.mentions[*at].is(Lexical::In)
        });
        before.and_then(|before| self.target(before)).is_some_and(
            |target| matches!(target, Target::Value(column, _) if column.table == rows),
        )
    }

    /// Date of related rows that were spoken of last, or of the rows asked about where they have one as well.
    fn date_told(&mut self, time: &TimeSpec, from: TableId, told: &[TableId]) -> Option<ColumnId> {
        let corrected = told.iter().find_map(|table| self.corrected_date(Some(*table)));
        if corrected.is_some() {
            return corrected;
        }
        let mut dates =
            told.iter().map(|table| self.dates_of(*table)).find(|dates| !dates.is_empty())?;
        dates.extend(self.schema.profile(from).date);
        let (first, last) = (*dates.first()?, *dates.last()?);
        if first == last {
            return Some(first);
        }
        let words = |column: ColumnId| self.table_rows(column.table);
        let reason = if first.table == last.table {
            format!("{} have several dates", words(first))
        } else {
            format!("both {} and {} have a date", words(last), words(first))
        };
        self.choose_column(&dates, time.at, reason)
    }

    fn no_date(&self, from: TableId, at: usize) -> Failure {
        self.fail(
            FailureCode::NoDateColumn,
            format!("{} have no date that “{}” could mean", self.table_rows(from), self.phrase(at)),
            "name a table with a date",
            Some(at),
        )
    }

    /// Column of whole numbers that holds years, where the words are about whole years.
    fn year_of_table(&mut self, table: TableId, time: &TimeSpec) -> Option<ColumnId> {
        if !std::iter::once(&time.range).chain(&time.others).all(|range| years(range).is_some()) {
            return None;
        }
        let columns = &self.catalog.table_at(table).columns;
        let named: Vec<ColumnId> = columns
            .iter()
            .enumerate()
            .filter(|(_, column)| {
                let words = words_of_identifier(&column.name);
                column.holds_years() && words.iter().any(|word| word == "year" || word == "yr")
            })
            .map(|(position, _)| ColumnId { table, column: position as u16 })
            .collect();
        if named.len() < 2 {
            return named.first().copied();
        }
        let rows = self.table_rows(table);
        self.choose_column(&named, time.at, format!("{rows} have several years"))
    }

    /// Condition that a column lies in a range; a column of years only tells whole years.
    pub(super) fn within(
        &self,
        column: ColumnId,
        range: DateRange,
        at: usize,
    ) -> Result<Predicate, Failure> {
        let reference = self.catalog.reference(column);
        if self.catalog.column_at(column).data_type.is_temporal() {
            return Ok(Predicate::InRange { column: reference, range });
        }
        let Some((start, end)) = years(&range) else {
            let message = format!(
                "{} holds years, and “{}” is not made of whole ones",
                self.column_words(column),
                self.phrase(at)
            );
            return Err(self.fail(
                FailureCode::NoDateColumn,
                message,
                "name whole years",
                Some(at),
            ));
        };
        let text = self.catalog.column_at(column).data_type == DataType::Text;
        let compare = |operator, year: i16| {
            let value = year.to_string();
            Predicate::Compare {
                left: Expression::Column { column: reference.clone() },
                operator,
                right: if text { Literal::Text { value } } else { Literal::Number { value } },
            }
        };
        Ok(match (start, end) {
            (Some(start), Some(end)) if end == start + 1 => compare(Comparison::Equal, start),
            (Some(start), Some(end)) => Predicate::All {
                conditions: vec![
                    compare(Comparison::GreaterOrEqual, start),
                    compare(Comparison::Less, end),
                ],
            },
            (Some(start), None) => compare(Comparison::GreaterOrEqual, start),
            (None, Some(end)) => compare(Comparison::Less, end),
            (None, None) => Predicate::InRange { column: reference, range },
        })
    }

    /// "Over 30 years old": how long ago somebody was born.
    fn says_an_age(&self, at: usize) -> bool {
        let said = self.phrase(at).to_lowercase();
        let mut ends = said.match_indices(' ').map(|(space, _)| &said[space + 1..]);
        ends.any(|end| self.lexicon.is_age(end))
    }

    /// Range of a time expression; where the words have another reading, the first is assumed.
    pub(super) fn range_of(&mut self, time: &TimeSpec, column: ColumnId) -> DateRange {
        let coming = self.coming_range(time, column);
        let due = self.schema.has_role(column, Role::DueDate);
        let (first, rival, severity) = match (&time.rival, coming) {
            (Some(rival), _) => (time.range.clone(), rival.clone(), Severity::Minor),
            (None, Some(coming)) if due => (coming, time.range.clone(), Severity::Minor),
            (None, Some(coming)) => (time.range.clone(), coming, Severity::Important),
            (None, None) => return time.range.clone(),
        };
        let reference = self.catalog.reference(column);
        let option = |id: &str, range: &DateRange| ClarificationOption {
            id: id.to_owned(),
            label: range_words(range),
            description: String::new(),
            binding: OptionBinding::TimeRange { column: reference.clone(), range: range.clone() },
            confidence: None,
        };
        let options = vec![option("first", &first), option("second", &rival)];
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity,
            span: self.span(time.at),
            phrase: self.phrase(time.at).to_owned(),
            relation: Relation::Means,
            reason: "the words can mean two periods".to_owned(),
            options,
            recommended: None,
            custom: Some(CustomInput::DateRange { column: reference.clone() }),
        });
        match chosen {
            OptionBinding::TimeRange { range, .. } => range,
            _ => first,
        }
    }

    /// The period a year later than one without a year, where it lies ahead and the column holds such dates: "due in
    /// December".
    fn coming_range(&self, time: &TimeSpec, column: ColumnId) -> Option<DateRange> {
        let assumed = self.mentions.get(time.at)?.time.as_ref()?.year_assumed;
        let later = |text: &String| day::plus_months(day::parse(text)?, 12).map(day::text);
        let start = later(time.range.start.as_ref()?).filter(|_| assumed)?;
        let end = later(time.range.end.as_ref()?)?;
        let ahead = start > day::text(self.today);
        let latest = self.catalog.column_at(column).maximum.as_ref();
        let held = self.schema.has_role(column, Role::DueDate)
            || latest.is_some_and(|latest| latest.get(..10).unwrap_or(latest) >= start.as_str());
        (ahead && held).then_some(DateRange { start: Some(start), end: Some(end) })
    }

    /// Date column of a table; several that fit equally are decided on.
    pub(super) fn date_of_table(&mut self, table: TableId, at: usize) -> Option<ColumnId> {
        if let Some(column) = self.corrected_date(Some(table)) {
            return Some(column);
        }
        let dates = self.dates_of(table);
        if dates.len() < 2 {
            return dates.first().copied();
        }
        let rows = self.table_rows(table);
        self.choose_column(&dates, at, format!("{rows} have several dates"))
    }

    /// Column that a time means of a table, else all its dates but those of birth.
    fn dates_of(&self, table: TableId) -> Vec<ColumnId> {
        let profile = self.schema.profile(table);
        // "Shipments in May": the date of the act, not that of the order.
        let act = self.mentions.iter().find_map(|mention| match mention.act {
            Some(Act::Dated(date)) => Some(date),
            _ => None,
        });
        // "Orders taken for delivery": the rows have a name of their own.
        let named = self.mentions.iter().any(|mention| {
            let first = mention.readings.first().map(|reading| &reading.target);
            mention.act.is_none() && first == Some(&Target::Table(table))
        });
        if let Some(date) = act.filter(|date| date.table == table && !named).or(profile.date) {
            return vec![date];
        }
        let born = |column: &&ColumnId| self.schema.has_role(**column, Role::BirthDate);
        profile.dates.iter().filter(|column| !born(column)).copied().collect()
    }

    /// Tables on the way to those that must have rows: "students who took a course in 2024", where enrolments have the year.
    fn between(&self, from: TableId, told: &[TableId]) -> Vec<TableId> {
        let ways = told.iter().filter_map(|table| {
            let way = self.cheapest(from, *table, &[]).into_iter().next()?;
            let stops = way.len().saturating_sub(1);
            Some(way.into_iter().take(stops).map(|edge| edge.to))
        });
        ways.flatten().collect()
    }

    /// Tables nearby whose dates may be said of a row: not those of people and of things with a name that the question does
    /// not name, which say nothing of the row. "Dressings used in 2024" are not those of suppliers since 2024.
    pub(super) fn dated_neighbours(&self, table: TableId) -> Vec<TableId> {
        let says_nothing = |table: &TableId| {
            let label = &self.schema.profile(*table).label;
            let thing = label.iter().any(|column| self.schema.has_role(*column, Role::Name));
            label.len() > 1 || thing && !self.names_table(*table)
        };
        self.to_one_neighbours(table).into_iter().filter(|table| !says_nothing(table)).collect()
    }

    /// Whether words of the question are tied to a table.
    fn names_table(&self, table: TableId) -> bool {
        (0..self.mentions.len())
            .filter_map(|at| self.target(at)?.table())
            .any(|named| named == table)
    }

    /// Tables that each row of this one has at most one partner in, nearest first.
    pub(super) fn to_one_neighbours(&self, table: TableId) -> Vec<TableId> {
        let mut found = vec![table];
        let mut next = 0;
        while next < found.len() && found.len() < 12 {
            for edge in self.schema.edges(found[next]) {
                if edge.to_one && !found.contains(&edge.to) && !self.is_rejected(edge.to) {
                    found.push(edge.to);
                }
            }
            next += 1;
        }
        found.remove(0);
        found
    }

    /// Asks for the period of a trend or an average that names none; all time adds no condition.
    pub(super) fn time_window(
        &mut self,
        column: ColumnId,
        at: Option<usize>,
        severity: Severity,
    ) -> Option<Predicate> {
        let reference = self.catalog.reference(column);
        let today = self.today;
        let year_ago = day::plus_months(today, -12).and_then(|day| day::plus_days(day, 1));
        let year_ago = year_ago.unwrap_or(today);
        let year = day::new(today.year(), 1, 1).unwrap_or(today);
        let month_ago = day::plus_days(today, -29).unwrap_or(today);
        let end = day::text(day::plus_days(today, 1).unwrap_or(today));
        let mut options: Vec<ClarificationOption> = [
            ("all_time", "all time", None, None),
            ("last_12_months", "the last 12 months", Some(year_ago), Some(&end)),
            ("this_year", "this year", Some(year), Some(&end)),
            ("last_30_days", "the last 30 days", Some(month_ago), Some(&end)),
        ]
        .into_iter()
        .map(|(id, label, start, end)| {
            let range = DateRange { start: start.map(day::text), end: end.cloned() };
            ClarificationOption {
                id: id.to_owned(),
                label: label.to_owned(),
                description: match start {
                    Some(_) => format!("{} is {}", self.column_words(column), range_words(&range)),
                    None => "no date condition".to_owned(),
                },
                binding: OptionBinding::TimeRange { column: reference.clone(), range },
                confidence: None,
            }
        })
        .collect();
        let latest = self.catalog.column_at(column).maximum.clone();
        let stale = latest.is_some_and(|latest| latest < day::text(year_ago));
        if severity != Severity::Minor && !stale {
            options.rotate_left(1);
            options.swap(1, 3);
            options.swap(2, 3);
        }
        let chosen = self.decide(Decision {
            kind: AmbiguityKind::TimeWindow,
            severity,
            span: at.and_then(|at| self.span(at)),
            phrase: match (severity, at) {
                (Severity::Minor, _) | (_, None) => "period".to_owned(),
                (_, Some(at)) => self.phrase(at).to_owned(),
            },
            relation: Relation::Period,
            reason: format!(
                "the question names no period; {} would be used",
                self.column_words(column)
            ),
            options,
            recommended: None,
            custom: Some(CustomInput::DateRange { column: reference }),
        });
        match chosen {
            OptionBinding::TimeRange { column, range }
                if range.start.is_some() || range.end.is_some() =>
            {
                Some(Predicate::InRange { column, range })
            }
            _ => None,
        }
    }
}

/// First year and the year after the last of a range that begins and ends with years; none of any other.
fn years(range: &DateRange) -> Option<(Option<i16>, Option<i16>)> {
    let year = |day: &Option<String>| match day {
        None => Some(None),
        Some(day) => {
            let date = day::parse(day)?;
            (date.month() == 1 && date.day() == 1).then_some(Some(date.year()))
        }
    };
    Some((year(&range.start)?, year(&range.end)?))
}
