//! Things of the catalog: tables, columns and measures.

use super::frame::{Condition, CountTarget, Group, Measure, MeasureTarget, Related, TableUse};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::confidence::Method;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

impl Parser<'_> {
    pub(super) fn schema(&mut self, at: usize) {
        match self.target(at).cloned() {
            Some(Target::Table(table)) => self.table(at, table),
            Some(Target::Value(..)) if self.of_named_parent(at) => {}
            Some(Target::Value(..)) if self.names_a_date(at) => self.date_hint = Some(at),
            Some(Target::Value(..)) => self.value(at),
            Some(Target::Metric(_)) => self.measure_like(at),
            Some(Target::Column(column)) => self.column(at, Some(column)),
            Some(Target::Label(_)) => self.column(at, None),
            None => {}
        }
    }

    pub(super) fn table(&mut self, at: usize, table: TableId) {
        if self.is_apposed(at, table) || self.is_named_by_key(at, table) && self.of_named_parent(at)
        {
            return;
        }
        let limit = self.take_number();
        if !self.grouping {
            self.last_table = Some(table);
        }
        if self.grouping && self.mentions[at].phrase.ends_with('s') && self.is_counted_by(table) {
            let target = MeasureTarget::Count(CountTarget::Rows(table));
            self.add_measure(Measure { target, at });
            self.grouping = false;
            return;
        }
        if self.grouping {
            if let Some(Group::Table(_, last)) = self.frame.groups.last()
                && last + 1 == at
            {
                self.frame.groups.pop();
            }
            self.frame.groups.push(Group::Table(table, at));
            self.distinct = false;
            return;
        }
        let owner = self.frame.head.is_some_and(|(head, _)| {
            head != table && self.index.distance(head, table).is_some_and(|(_, to_many)| !to_many)
        });
        if self.ordering && self.count.is_none() && owner {
            self.order_by_measure(Measure { target: MeasureTarget::Own, at });
            return;
        }
        if self.ordering && self.count.is_none() {
            self.order_by_measure(Measure {
                target: MeasureTarget::Count(CountTarget::Rows(table)),
                at,
            });
            return;
        }
        if self.count.take().is_some() {
            let measure = Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at };
            self.distinct = false;
            if self.ordering {
                self.order_by_measure(measure);
            } else {
                self.add_measure(measure);
            }
            self.head_if_none(table, at);
            self.clause = Clause::Main;
            return;
        }
        if self.averages_rows(at) {
            self.average_of_counts(at);
            let target = MeasureTarget::Count(CountTarget::Rows(table));
            self.add_measure(Measure { target, at });
            self.head_if_none(table, at);
            self.clause = Clause::Main;
            return;
        }
        if self.groups_of_average(at, table) || self.averages_worth(at, table) {
            return;
        }
        let qualifies = matches!(self.target(at + 1), Some(Target::Column(column))
            if self.part(at + 1) == Part::Schema && self.catalog.column_at(*column).data_type.is_numeric());
        if qualifies && !self.aggregates.is_empty() {
            self.frame.related.push(Related { table, at, how: TableUse::Path });
            return;
        }
        if !self.aggregates.is_empty() {
            for (function, _) in std::mem::take(&mut self.aggregates) {
                self.add_measure(Measure { target: MeasureTarget::Aggregate(function), at });
            }
            self.head_if_none(table, at);
            return;
        }
        let awaiting = self
            .frame
            .superlative
            .as_ref()
            .is_some_and(|superlative| superlative.by_count && superlative.by.is_none());
        if awaiting
            && (self.frame.head.is_some_and(|(head, _)| head != table)
                || !self.frame.outputs.is_empty()
                || self.ranked_period.is_some())
        {
            let by = Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at };
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.by = Some(by);
            }
            return;
        }
        if self.is_counted(at) {
            return;
        }
        let measured = !self.frame.measures.is_empty()
            || self.frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some());
        if self.frame.head.is_none()
            && measured
            && self.conjunction != Some(Lexical::And)
            && !matches!(self.clause, Clause::Without)
        {
            let verb = self.mentions[at].phrase.to_lowercase().ends_with("ed");
            let how =
                if verb || self.clause == Clause::With { TableUse::With } else { TableUse::Path };
            self.frame.related.push(Related { table, at, how });
            self.clause = Clause::Main;
            return;
        }
        match self.frame.head {
            None if self.clause == Clause::Without && self.missing.is_some() => {
                self.missing = None;
                if self.frame.outputs.is_empty() {
                    self.block(at, "it is not clear what they are missing from");
                }
                self.frame.related.push(Related { table, at, how: TableUse::Without });
                self.last_table = Some(table);
            }
            None => {
                self.missing = None;
                self.frame.head = Some((table, at));
                if let Some(limit) = limit {
                    match &mut self.frame.superlative {
                        Some(superlative) => superlative.limit = Some(limit),
                        None => self.frame.limit = Some((limit, at)),
                    }
                }
                if self.distinct {
                    self.frame.distinct = true;
                    self.distinct = false;
                }
            }
            Some((head, _)) if head == table => {
                if self.clause == Clause::Without && self.missing.is_some() {
                    self.missing = None;
                    self.block(at, "rows without other rows of the same table take two steps");
                }
                if self.is_named_by_key(at, table) {
                    self.frame.unread.push(at);
                }
            }
            Some(_) => {
                self.missing = None;
                let verb = self.mentions[at].phrase.to_lowercase().ends_with("ed");
                let how = match self.clause {
                    Clause::Without => TableUse::Without,
                    _ if self.negated.take().is_some() => TableUse::Without,
                    Clause::With | Clause::Where => TableUse::With,
                    _ if verb || self.after_relation(at) => TableUse::With,
                    Clause::Main | Clause::Of | Clause::In => TableUse::Path,
                };
                if how == TableUse::Path && self.conjunction == Some(Lexical::And) {
                    self.frame.output_tables.push((table, at));
                } else {
                    self.frame.related.push(Related { table, at, how });
                }
            }
        }
        self.conjunction = None;
        if self.clause != Clause::Where {
            self.clause = Clause::Main;
        }
    }

    pub(super) fn column(&mut self, at: usize, column: Option<ColumnId>) {
        if !self.names_next(at) {
            self.last_value = None;
        }
        if self.repeats_amount(at) {
            self.frame.classifying.push(at);
            return;
        }
        if let Some(column) = column.filter(|column| self.refers_to_own_table(*column))
            && !self.grouping
            && !self.ordering
            && self.of_parent(at, column)
        {
            if self.count.take().is_some() {
                let target = MeasureTarget::Count(CountTarget::Rows(column.table));
                self.add_measure(Measure { target, at });
            }
            return;
        }
        // "customers by invoice amount in 2025": the year is that of the invoices.
        if let Some(column) = column.filter(|column| self.is_amount(*column))
            && !self.grouping
        {
            self.last_table = Some(column.table);
        }
        if self.ordering {
            self.order_by(at);
            return;
        }
        if self.grouping
            && let Some(column) = column
            && self.is_done_by_group(at, column)
        {
            let related = Related { table: column.table, at, how: TableUse::With };
            self.frame.related.push(related);
            return;
        }
        if self.grouping {
            self.frame.groups.push(Group::Thing(at));
            self.subject = Some(at);
            self.conjunction = None;
            return;
        }
        if self.clause == Clause::Without
            && let Some(column) = column
        {
            self.without_column(at, column);
            return;
        }
        if self.count.is_some()
            && let Some(column) = column
            && (self.schema_flag(column) || self.is_participle(at, column))
        {
            let next = self.target(at + 1).filter(|_| self.part(at + 1) == Part::Schema);
            // "How many infected wounds": the wounds are counted, wherever it is told that they are infected.
            if !matches!(next, Some(Target::Table(table)) if *table != column.table) {
                self.count = None;
                let target = MeasureTarget::Count(CountTarget::Rows(column.table));
                self.add_measure(Measure { target, at });
                self.head_if_none(column.table, at);
            }
            if self.is_dated(at) {
                self.date_hint = Some(at);
            } else {
                let negated = self.negated.take().is_some();
                self.frame.conditions.push(Condition::Set { at, negated });
            }
            return;
        }
        if self.count.is_some()
            && column.is_some_and(|column| {
                let definition = self.catalog.column_at(column);
                definition.data_type.is_numeric() && !definition.unique && !self.is_foreign(column)
            })
            && self.mentions[at]
                .readings
                .first()
                .is_some_and(|reading| matches!(reading.method, Method::Role | Method::Modifier))
        {
            self.count = None;
            if self.mentions[at].readings[0].method == Method::Role {
                let target = MeasureTarget::Aggregate(Aggregate::Sum);
                self.add_measure(Measure { target, at });
            } else {
                self.block(at, "it is not clear what is counted");
            }
            return;
        }
        let summed = column.is_some_and(|column| self.is_amount(column)) && !self.distinct;
        if self.count.is_some() && summed {
            self.count = None;
            if self.frame.outputs.is_empty() {
                let target = MeasureTarget::Aggregate(Aggregate::Sum);
                self.add_measure(Measure { target, at });
                return;
            }
        }
        if self.count.take().is_some() {
            let distinct = std::mem::take(&mut self.distinct);
            self.add_measure(Measure {
                target: MeasureTarget::Count(CountTarget::Values { distinct }),
                at,
            });
            return;
        }
        if let Some((function, _)) = self.aggregates.first().copied()
            && self.mentions[at].duration.is_none()
            && column.is_none_or(|column| {
                let data_type = self.catalog.column_at(column).data_type;
                let ordered = matches!(function, Aggregate::Maximum | Aggregate::Minimum);
                !(data_type.is_numeric() || data_type.is_temporal() && ordered)
            })
            && self.mentions.get(at + 1).is_some_and(|next| next.lexical.is_empty())
        {
            self.block(at, "it is no number to compute something of");
        }
        if let Some((function, _)) = self.aggregates.first().copied() {
            let numeric = column.is_some_and(|column| {
                let data_type = self.catalog.column_at(column).data_type;
                data_type.is_numeric()
                    || self.mentions[at].duration.is_some()
                    || data_type.is_temporal()
                        && matches!(function, Aggregate::Maximum | Aggregate::Minimum)
            });
            if numeric && self.rank_by_figure(at) {
                return;
            }
            if numeric {
                for (function, _) in self.aggregates.clone() {
                    self.add_measure(Measure { target: MeasureTarget::Aggregate(function), at });
                }
                if self.mentions.get(at + 1).is_none_or(|next| !next.is(Lexical::And)) {
                    self.aggregates.clear();
                }
                self.subject = Some(at);
                return;
            }
        }
        let orderable = column.is_some_and(|column| {
            let data_type = self.catalog.column_at(column).data_type;
            data_type.is_numeric() && !self.is_foreign(column) || data_type.is_temporal()
        });
        if let Some(superlative) = &mut self.frame.superlative
            && orderable
            && !superlative.counted
            && superlative.by.is_none()
            && (self.clause != Clause::Main || at - superlative.at <= 2)
        {
            superlative.by = Some(Measure { target: MeasureTarget::Own, at });
            self.subject = Some(at);
            return;
        }
        if let Some(column) = column
            && self.mentions[at].duration.is_none()
            && (self.is_verb(at) || self.is_condition(at, column))
        {
            return;
        }
        // "Shipped late": what is vague is said of that date.
        if self.frame.head.is_some()
            && column.is_some_and(|column| self.is_participle(at, column))
            && matches!(self.part(at + 1), Part::Vague(_))
            && at + 2 >= self.mentions.len()
        {
            return;
        }
        if self.mentions[at].duration.is_none()
            && column.is_some_and(|column| self.is_participle(at, column))
            && self.goes_on(at)
        {
            self.frame.linking.push(at);
            self.subject = None;
            return;
        }

        let threshold = at > 0
            && matches!(self.part(at - 1), Part::Vague(_))
            && matches!((column, self.target(at + 1)), (Some(column), Some(Target::Table(table)))
                if column.table == *table);
        if threshold {
            return;
        }
        self.subject = Some(at);
        let joined = self.conjunction.take() == Some(Lexical::And);
        if std::mem::take(&mut self.distinct) {
            self.frame.distinct = true;
        }
        let numeric = column.is_some_and(|column| {
            self.catalog.column_at(column).data_type.is_numeric() && !self.is_foreign(column)
        });
        let total =
            self.mentions[at].phrase.to_lowercase().split([' ', '_']).any(|word| word == "total");
        if numeric && joined && !self.frame.measures.is_empty() && total {
            self.add_measure(Measure { target: MeasureTarget::Aggregate(Aggregate::Sum), at });
            return;
        }
        let described =
            matches!(self.clause, Clause::With | Clause::Where) && self.frame.head.is_some();
        self.frame.outputs.push(at);
        if described && !joined && !numeric && column.is_some() {
            self.described.push(at);
        } else if !joined && (described && numeric || !self.frame.measures.is_empty()) {
            self.uncompared.push(at);
        }
    }

    /// "How many patients did each clinician treat": the verb says what links the two.
    fn is_done_by_group(&self, at: usize, column: ColumnId) -> bool {
        let behind =
            matches!(self.frame.groups.last(), Some(Group::Table(_, last)) if last + 1 == at);
        let counted = !self.frame.measures.is_empty();
        behind && counted && self.catalog.column_at(column).data_type.is_temporal()
    }

    /// A status such as "healed" before a time, or before a vague term at the end, says which date is meant, where the table has one of that name.
    fn names_a_date(&self, at: usize) -> bool {
        let ends = at + 2 >= self.mentions.len() && self.frame.head.is_some();
        (self.is_dated(at) || ends && matches!(self.part(at + 1), Part::Vague(_)))
            && self.mentions[at].readings.iter().any(|reading| match reading.target {
                Target::Column(column) => {
                    self.tells_time(column)
                        && self.frame.head.is_none_or(|(head, _)| head == column.table)
                }
                _ => false,
            })
    }

    /// "freight costs": a word that only says what kind of amount the column before it holds.
    fn repeats_amount(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let by_role =
            mention.readings.first().is_some_and(|reading| reading.method == Method::Role);
        let before = at.checked_sub(1).filter(|before| {
            self.part(*before) == Part::Schema
                && self.mentions[*before].tokens.end == mention.tokens.start
        });
        let amount = before.and_then(|before| match self.target(before) {
            Some(Target::Column(column)) => Some(self.is_amount(*column)),
            _ => None,
        });
        by_role
            && amount == Some(true)
            && self.lexicon.is_classifier(&mention.phrase.to_lowercase())
    }

    /// Words that are only a part of column names and stand before a place or a time are verbs: they say which
    /// date is meant ("shipped in 2024"), and add nothing else ("shipped to Germany").
    pub(super) fn is_verb(&mut self, at: usize) -> bool {
        let part_of_name = self.mentions[at]
            .readings
            .first()
            .is_some_and(|reading| reading.method == Method::Modifier);
        let followed = self.mentions.get(at + 1).is_some_and(|next| {
            self.part(at + 1) == Part::Time
                || (next.is(Lexical::By) || next.is(Lexical::Group))
                    && matches!(self.part(at + 2), Part::Grain(_))
                || (next.is(Lexical::In) || next.is(Lexical::By))
                    && matches!(self.part(at + 2), Part::Time | Part::Schema)
                    && !matches!(self.target(at + 2), Some(Target::Column(_) | Target::Label(_)))
        });
        if !part_of_name || !followed || self.grouping {
            return false;
        }
        let dated = self.mentions[at].readings.iter().any(
            |reading| matches!(reading.target, Target::Column(column) if self.tells_time(column)),
        );
        if dated {
            self.date_hint = Some(at);
        }
        self.subject = None;
        true
    }

    /// Flags and participles of dates are conditions: "active customers", "orders not shipped".
    pub(super) fn is_condition(&mut self, at: usize, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        let next_is_time = self.is_dated(at);
        let adjective = self.mentions.get(at + 1).is_some_and(|next| {
            matches!(next.readings.first().map(|reading| &reading.target), Some(Target::Table(_)))
        });
        let after_verb = at > 0
            && [Lexical::Is, Lexical::Not, Lexical::With, Lexical::Where]
                .iter()
                .any(|kind| self.mentions[at - 1].is(*kind));
        if definition.data_type.is_temporal() && next_is_time {
            self.head_if_none(column.table, at);
            self.date_hint = Some(at);
            self.subject = None;
            return true;
        }
        if definition.is_flag() && self.frame.head.is_none() && self.frame.measures.is_empty() {
            if !adjective {
                self.head_if_none(column.table, at);
            }
            let negated = self.negated.take().is_some();
            self.frame.conditions.push(Condition::Set { at, negated });
            self.subject = None;
            return true;
        }
        let composite = self.is_participle(at, column)
            && self.mentions[at].tokens.len() > 1
            && self.frame.head.is_none();
        if composite {
            self.head_if_none(column.table, at);
            self.frame.conditions.push(Condition::Set { at, negated: false });
            return true;
        }
        let flag = definition.is_flag();
        let last = at + 1 == self.mentions.len();
        let participle = self.is_participle(at, column);
        let stands_alone = last && self.frame.head.is_some();
        if flag && self.frame.head.is_some()
            || (flag || participle)
                && (adjective || after_verb || stands_alone || self.negated.is_some())
        {
            let negated = self.negated.take().is_some() || self.clause == Clause::Without;
            self.frame.conditions.push(Condition::Set { at, negated });
            self.subject = None;
            return true;
        }
        false
    }

    /// "without a composer", "without diabetes": a column that is empty, or a flag that is not set.
    pub(super) fn without_column(&mut self, at: usize, column: ColumnId) {
        self.missing = None;
        self.clause = Clause::Main;
        let definition = self.catalog.column_at(column);
        let elsewhere = self.frame.head.is_some_and(|(head, _)| head != column.table);
        if elsewhere && definition.data_type.is_temporal() {
            let table = column.table;
            self.frame.related.push(Related { table, at, how: TableUse::Without });
            self.last_table = Some(table);
        } else if definition.is_flag() {
            self.frame.conditions.push(Condition::Set { at, negated: true });
        } else if definition.data_type.is_numeric() && !self.is_foreign(column) {
            self.block(at, "a number that is missing may be empty or zero");
        } else {
            self.frame.conditions.push(Condition::Null { at, negated: false });
        }
    }

    pub(super) fn measure_like(&mut self, at: usize) {
        let named_before = at > 0
            && self.mentions[at].concept.is_some()
            && self.subject == Some(at - 1)
            && self.ordered_or_measured(at - 1);
        if named_before {
            return;
        }
        let mut targets: Vec<MeasureTarget> = std::mem::take(&mut self.aggregates)
            .into_iter()
            .map(|(function, _)| match function {
                Aggregate::Sum => MeasureTarget::Own,
                function => MeasureTarget::Aggregate(function),
            })
            .collect();
        let target = targets.pop().unwrap_or(MeasureTarget::Own);
        for target in targets {
            self.add_measure(Measure { target, at });
        }
        self.count = None;
        // "customers by revenue in 2024": the year is that of what is recorded.
        self.last_table = None;
        let measure = Measure { target, at };
        let awaiting =
            self.frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_none());
        if self.ordering {
            self.order_by_measure(measure);
        } else if awaiting
            && (self.frame.head.is_some()
                || !self.frame.outputs.is_empty()
                || self.ranked_period.is_some())
        {
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.by = Some(measure);
            }
        } else {
            self.add_measure(measure);
        }
        self.frame.operation = true;
        self.subject = Some(at);
    }

    pub(super) fn add_measure(&mut self, measure: Measure) {
        self.frame.measures.push(measure);
        self.conjunction = None;
    }

    /// Whether a table is one whose rows a comparison counts already.
    pub(super) fn is_counted(&self, at: usize) -> bool {
        self.frame.conditions.iter().any(|condition| {
            matches!(condition, Condition::CountOf { at: counted, .. } if *counted == at)
        })
    }

    pub(super) fn head_if_none(&mut self, table: TableId, at: usize) {
        if self.frame.head.is_none() {
            self.frame.head = Some((table, at));
        }
    }

    /// "patients treated with dressings": what happened goes on to what it happened with, and is no date to show.
    fn goes_on(&self, at: usize) -> bool {
        let joins = [Lexical::With, Lexical::In, Lexical::By];
        let next = self.mentions.get(at + 1);
        let follows = (at + 2..self.mentions.len()).find(|next| {
            let mention = &self.mentions[*next];
            let skipped = mention.is(Lexical::Filler) || mention.is(Lexical::Both);
            self.part(*next) != Part::Lexical || !skipped
        });
        self.frame.head.is_some()
            && self.clause == Clause::Main
            && self.conjunction.is_none()
            && next.is_some_and(|next| joins.iter().any(|kind| next.is(*kind)))
            && follows.is_some_and(|next| {
                self.part(next) == Part::Schema
                    && matches!(self.target(next), Some(Target::Table(_) | Target::Value(..)))
            })
    }

    /// Whether a verb that says how two things hang together stands before a table: "who play sports".
    fn after_relation(&self, at: usize) -> bool {
        let skipped = |at: &usize| {
            let mention = &self.mentions[*at];
            self.part(*at) == Part::Lexical
                && !mention.is(Lexical::Relation)
                && [Lexical::Filler, Lexical::In, Lexical::Everything]
                    .iter()
                    .any(|kind| mention.is(*kind))
        };
        let before = (0..at).rev().find(|at| !skipped(at));
        before.is_some_and(|before| self.frame.linking.contains(&before))
    }

    /// Whether a noun only says what the value behind it is: "customers who bought the genre Rock".
    pub(super) fn is_apposed(&self, at: usize, table: TableId) -> bool {
        let beside = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end
                && match (self.part(at + 1), self.target(at + 1)) {
                    (Part::Schema, Some(Target::Value(column, _))) => column.table == table,
                    (Part::Unknown, _) => next.quoted,
                    _ => false,
                }
        });
        let other = self.frame.head.is_some_and(|(head, _)| head != table);
        beside && other && self.count.is_none() && self.aggregates.is_empty() && !self.grouping
    }

    /// Whether words are tied to a table only because a foreign key that leads there is called so.
    fn is_named_by_key(&self, at: usize, table: TableId) -> bool {
        let by_key = self.mentions[at]
            .readings
            .first()
            .is_some_and(|reading| reading.method == Method::Head);
        let own = &self.index.profile(table).stems;
        let phrase = self.mentions[at].phrase.to_lowercase();
        by_key && !phrase.split(' ').any(|word| own.contains(&crate::text::stem(word)))
    }

    /// Whether a column holds numbers that say how many or how much: no key, no yes or no, and no year.
    pub(super) fn is_amount(&self, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        definition.data_type.is_numeric()
            && !definition.unique
            && !definition.is_flag()
            && !definition.holds_years()
            && !self.is_foreign(column)
    }

    pub(super) fn schema_flag(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).is_flag()
    }
}
