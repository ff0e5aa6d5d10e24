//! The role of a column: ordered by, grouped by, counted, computed with, ranked by, or shown.

use super::frame::{Condition, CountTarget, Group, Measure, MeasureTarget, Related, TableUse};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::confidence::Method;
use crate::data::Role;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

/// Last words of the names of keys, stemmed.
const KEY: [&str; 3] = ["code", "id", "key"];

impl Parser<'_> {
    /// Reads a column, or the name of a table's rows, where there is no column: the first of its roles that fits.
    pub(super) fn column(&mut self, at: usize, column: Option<ColumnId>) {
        if !self.names_next(at) {
            self.last_value = None;
        }
        if self.repeats_amount(at)
            || column.is_some_and(|column| {
                self.ends_a_value(at, column) || self.kind_of_value(at, column)
            })
        {
            self.frame.classifying.push(at);
            return;
        }
        if column.is_some_and(|column| self.leads_to_parent(at, column)) {
            return;
        }
        // "customers by invoice amount in 2025": the year is that of the invoices.
        if let Some(column) = column.filter(|column| self.is_amount(*column))
            && !self.grouping
        {
            self.last_table = Some(column.table);
        }
        if self.ordering && column.is_some_and(|column| self.shows_beside(at, column)) {
            return;
        }
        if self.ordering {
            self.order_by(at);
            return;
        }
        if column.is_some_and(|column| self.ranks_by_amount(at, column)) {
            return;
        }
        if column.is_some_and(|column| self.qualifies_noun_of_group(at, column)) {
            // "For each mandatory course": the courses are the group still.
            self.grouping = self.says_each(at);
            let negated = self.negated.take().is_some() != self.mentions[at].negated;
            self.frame.conditions.push(Condition::Set { at, negated });
            return;
        }
        if self.grouping {
            self.group_by_column(at, column);
            return;
        }
        if column.is_some_and(|column| self.is_deed_to_own_rows(at, column)) {
            return;
        }
        if let Some(column) = column.filter(|_| self.clause == Clause::Without) {
            self.without_column(at, column);
            return;
        }
        let read = self.count_column(at, column)
            || self.aggregate_of_column(at, column)
            || column.is_some_and(|column| self.adds_up_worth(at, column))
            || column.is_some_and(|column| self.says_something_of_rows(at, column));
        if !read {
            self.show_column(at, column);
        }
    }

    /// "salary by title for full time teachers": a flag right before its rows, behind a preposition, is a condition.
    fn qualifies_noun_of_group(&self, at: usize, column: ColumnId) -> bool {
        let behind = at.checked_sub(1).is_some_and(|before| {
            let before = &self.mentions[before];
            [Lexical::Of, Lexical::In, Lexical::With].iter().any(|kind| before.is(*kind))
        });
        let noun = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end
                && self.target(at + 1) == Some(&Target::Table(column.table))
        });
        let within = !self.frame.groups.is_empty() && behind || self.says_each(at);
        self.grouping && within && self.catalog.column_at(column).is_flag() && noun
    }

    /// Whether "each" stands right before a mention.
    fn says_each(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            let before = &self.mentions[before];
            let phrase = before.phrase.to_lowercase();
            before.is(Lexical::Group)
                && ["each", "every"].contains(&phrase.split(' ').next_back().unwrap_or_default())
        })
    }

    /// "rooms with king beds": the noun behind a value of the column `bed_type`, which names that column by one word.
    fn ends_a_value(&self, at: usize, column: ColumnId) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let Some(Target::Value(valued, _)) = self.target(before) else { return false };
        let stems = self.index.stems_of(*valued);
        self.frame.head.is_some()
            && self.part(before) == Part::Schema
            && self.mentions[before].tokens.end == self.mentions[at].tokens.start
            && (valued.table, true) == (column.table, *valued != column)
            && stems.len() > 1
            && self.index.stems_of(column).iter().all(|stem| stems.contains(stem))
    }

    /// "who do not have burns as wound type": the column says what the value before it is.
    fn kind_of_value(&self, at: usize, column: ColumnId) -> bool {
        let value = (0..at).rev().find(|before| self.part(*before) != Part::Lexical);
        let says_as = |value: usize| {
            (value + 1..at).any(|between| {
                self.mentions[between].phrase.to_lowercase().split(' ').any(|word| word == "as")
            })
        };
        value.is_some_and(|value| {
            self.part(value) == Part::Schema
                && matches!(self.target(value), Some(Target::Value(of, _)) if *of == column)
                && says_as(value)
        })
    }

    /// "employees whose manager is Ada": a key to the same table, read with the row that it leads to.
    fn leads_to_parent(&mut self, at: usize, column: ColumnId) -> bool {
        let leads = self.refers_to_own_table(column)
            && !self.grouping
            && !self.ordering
            && (self.of_parent(at, column) || self.beside_parent(at, column));
        if leads && self.count.take().is_some() {
            let target = MeasureTarget::Count(CountTarget::Rows(column.table));
            self.add_measure(Measure { target, at });
        }
        leads
    }

    /// "top 5 customers by revenue and their account managers": what they have, or the row that a key leads to, is shown
    /// beside them, and they are not ordered by it.
    fn shows_beside(&mut self, at: usize, column: ColumnId) -> bool {
        if !self.is_had_by_rows(at) {
            return false;
        }
        let edges = self.index.edges(column.table).iter();
        let parent = edges
            .filter(|edge| edge.forward && edge.to_one)
            .find(|edge| edge.from_columns.as_slice() == [column.column]);
        self.ordering = false;
        if let Some(parent) = parent.map(|edge| edge.to) {
            self.frame.output_tables.push((parent, at));
            self.frame.through.push((column.table, parent));
        } else {
            self.frame.outputs.push(at);
            self.frame.beside = self.frame.head.map(|(head, _)| head);
        }
        true
    }

    /// "customers by invoice value", "orders by value": an amount that rows are ranked by is no group.
    fn ranks_by_amount(&mut self, at: usize, column: ColumnId) -> bool {
        let by = self.before(at).is_some_and(|before| {
            self.mentions[before].is(Lexical::By) && !self.mentions[before].is(Lexical::Group)
        });
        let Some((head, _)) = self.frame.head else { return false };
        let ranks = self.grouping
            && by
            && self.is_amount(column)
            && self.index.has_role(column, Role::Amount)
            && self.frame.measures.is_empty()
            && self.frame.groups.is_empty();
        if !ranks {
            return false;
        }
        self.grouping = false;
        if head == column.table {
            self.order_by(at);
        } else {
            self.last_table = Some(column.table);
            self.add_measure(Measure { target: MeasureTarget::Aggregate(Aggregate::Sum), at });
            self.subject = Some(at);
        }
        true
    }

    /// "by country": a group, or the verb that links the group with what is counted.
    fn group_by_column(&mut self, at: usize, column: Option<ColumnId>) {
        if let Some(column) = column.filter(|column| self.is_done_by_group(at, *column)) {
            let related = Related { table: column.table, at, how: TableUse::With };
            self.frame.related.push(related);
            return;
        }
        self.subject = Some(at);
        if column.is_some_and(|column| self.names_value_of(at, column)) {
            self.grouping = false;
            return;
        }
        self.frame.groups.push(Group::Thing(at));
        self.conjunction = None;
    }

    /// "songs by composer AC/DC": the value right behind a column is one of its own, so that nothing is grouped.
    fn names_value_of(&self, at: usize, column: ColumnId) -> bool {
        let by = at.checked_sub(1).is_some_and(|before| {
            self.mentions[before].is(Lexical::By) && !self.mentions[before].is(Lexical::Group)
        });
        let beside = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end
                && self.part(at + 1) == Part::Schema
                && next
                    .readings
                    .iter()
                    .any(|reading| matches!(reading.target, Target::Value(own, _) if own == column))
        });
        by && beside && self.frame.groups.is_empty()
    }

    /// "how many countries", "how many active customers", "how much freight": values, rows or a sum for a count before.
    fn count_column(&mut self, at: usize, column: Option<ColumnId>) -> bool {
        if self.count.is_none() {
            return false;
        }
        if let Some(column) = column.filter(|column| {
            self.schema_flag(*column)
                || self.is_participle(at, *column)
                || self.mentions[at].negated
        }) {
            self.count_described_rows(at, column);
            return true;
        }
        if column.is_some_and(|column| self.is_vague_amount(at, column)) {
            self.count = None;
            if self.mentions[at].readings[0].method == Method::Role {
                self.add_measure(Measure { target: MeasureTarget::Aggregate(Aggregate::Sum), at });
            } else {
                self.block(at, "it is not clear what is counted");
            }
            return true;
        }
        self.count = None;
        if column.is_some_and(|column| self.is_amount(column)) && !self.distinct {
            if !self.frame.outputs.is_empty() {
                return false;
            }
            self.add_measure(Measure { target: MeasureTarget::Aggregate(Aggregate::Sum), at });
            return true;
        }
        if let Some(rows) = column.and_then(|column| self.rows_of_key(at, column)) {
            let target = MeasureTarget::Count(CountTarget::Rows(rows));
            self.add_measure(Measure { target, at });
            self.head_if_none(rows, at);
            return true;
        }
        let distinct = std::mem::take(&mut self.distinct);
        let target = MeasureTarget::Count(CountTarget::Values { distinct });
        self.add_measure(Measure { target, at });
        true
    }

    /// "How many books", where only a `book_club_id` is called so: the rows that a foreign key refers to, if its name says
    /// no more than theirs and nothing is said of the rows with the key.
    fn rows_of_key(&self, at: usize, column: ColumnId) -> Option<TableId> {
        let rows = self.referred(column).filter(|rows| *rows != column.table)?;
        let known = &self.index.profile(rows).stems;
        let stems = self.index.stems_of(column);
        let says_more =
            stems.iter().any(|word| !known.contains(word) && !KEY.contains(&word.as_str()));
        (!says_more && !self.is_named(column.table, at)).then_some(rows)
    }

    /// "How many infected wounds": the wounds are counted, wherever it is told that they are infected.
    fn count_described_rows(&mut self, at: usize, column: ColumnId) {
        let next = self.target(at + 1).filter(|_| self.part(at + 1) == Part::Schema);
        if !matches!(next, Some(Target::Table(table)) if *table != column.table) {
            self.count = None;
            let target = MeasureTarget::Count(CountTarget::Rows(column.table));
            self.add_measure(Measure { target, at });
            self.head_if_none(column.table, at);
        }
        if self.is_dated(at) {
            self.date_hint = Some(at);
        } else if self.mentions[at].negated && !self.schema_flag(column) {
            self.frame.conditions.push(Condition::Null { at, negated: false });
        } else {
            let negated = self.take_negation(at);
            self.frame.conditions.push(Condition::Set { at, negated });
        }
    }

    /// Whether words name a number by its role or by a part of its name only.
    fn is_vague_amount(&self, at: usize, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        definition.data_type.is_numeric()
            && !definition.unique
            && !self.is_foreign(column)
            && self.mentions[at]
                .readings
                .first()
                .is_some_and(|reading| matches!(reading.method, Method::Role | Method::Modifier))
    }

    /// "average price": an aggregate of the column, where it can be computed.
    fn aggregate_of_column(&mut self, at: usize, column: Option<ColumnId>) -> bool {
        let Some((function, _)) = self.aggregates.first().copied() else { return false };
        let computable = column.is_some_and(|column| {
            let data_type = self.catalog.column_at(column).data_type;
            let ordered = matches!(function, Aggregate::Maximum | Aggregate::Minimum);
            data_type.is_numeric() || data_type.is_temporal() && ordered
        });
        let duration = self.mentions[at].duration.is_some();
        let part_of_name = self.mentions[at]
            .readings
            .first()
            .is_some_and(|reading| reading.method == Method::Modifier);
        let followed = self.mentions.get(at + 1).is_some_and(|next| next.lexical.is_empty());
        if !computable && !duration && (followed || part_of_name && column.is_some()) {
            self.block(at, "it is no number to compute something of");
        }
        if !(computable || duration && column.is_some()) {
            return false;
        }
        if self.rank_by_figure(at) {
            return true;
        }
        for (function, _) in self.aggregates.clone() {
            self.add_measure(Measure { target: MeasureTarget::Aggregate(function), at });
        }
        if self.mentions.get(at + 1).is_none_or(|next| !next.is(Lexical::And)) {
            self.aggregates.clear();
        }
        self.subject = Some(at);
        true
    }

    /// "the value of orders received in October": what several rows are worth is added up.
    fn adds_up_worth(&mut self, at: usize, column: ColumnId) -> bool {
        let word = self.mentions[at].phrase.to_lowercase();
        let ranked = self.frame.superlative.is_some() || !self.frame.outputs.is_empty();
        let noun = self.mentions.get(at + 1).filter(|next| next.is(Lexical::Of)).and_then(|_| {
            (at + 2..self.mentions.len()).find(|next| {
                self.part(*next) == Part::Schema
                    && !matches!(self.target(*next), Some(Target::Value(..)))
            })
        });
        let several = noun.is_some_and(|noun| {
            self.mentions[noun].phrase.to_lowercase().ends_with('s')
                && self.target(noun) == Some(&Target::Table(column.table))
        });
        if ranked
            || !several
            || !["amount", "value", "worth"].contains(&word.as_str())
            || !self.index.has_role(column, Role::Amount)
        {
            return false;
        }
        self.add_measure(Measure { target: MeasureTarget::Aggregate(Aggregate::Sum), at });
        self.subject = Some(at);
        true
    }

    /// Whether a column ranks rows, says which of them are meant, or links them, and so is not shown.
    fn says_something_of_rows(&mut self, at: usize, column: ColumnId) -> bool {
        self.rank_by_column(at, column)
            || self.mentions[at].duration.is_none()
                && (self.is_verb(at) || self.is_condition(at, column))
            || self.is_date_of_vague(at, column)
            || self.goes_on(at, column)
            || self.is_threshold(at, column)
    }

    /// "the highest price", "with the lowest age": what a superlative waits for.
    fn rank_by_column(&mut self, at: usize, column: ColumnId) -> bool {
        let data_type = self.catalog.column_at(column).data_type;
        let orderable =
            data_type.is_numeric() && !self.is_foreign(column) || data_type.is_temporal();
        let Some(superlative) = &mut self.frame.superlative else { return false };
        if !orderable
            || superlative.counted
            || superlative.by.is_some()
            || self.clause == Clause::Main && at - superlative.at > 2
        {
            return false;
        }
        let measure = self.dated_rows(at).unwrap_or(Measure { target: MeasureTarget::Own, at });
        let Some(superlative) = &mut self.frame.superlative else { return false };
        superlative.by = Some(measure);
        self.subject = Some(at);
        true
    }

    /// A column that is shown, or summed beside another measure; a later comparison or value may be about it.
    fn show_column(&mut self, at: usize, column: Option<ColumnId>) {
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
        if let Some(rows) = self.rows_that_have(at, column) {
            // "suppliers with their lead times": what they have stands beside their names.
            self.frame.beside = self.frame.beside.or(Some(rows));
            return;
        }
        if joined && let Some(rows) = self.listed_with(at, column) {
            self.frame.beside = self.frame.beside.or(Some(rows));
        }
        if described && !joined && !numeric && column.is_some() {
            self.described.push(at);
        } else if !joined && (described && numeric || !self.frame.measures.is_empty()) {
            self.uncompared.push(at);
        }
    }

    /// Rows that are listed with a column of their own: "show the players and the years played" names the players too.
    fn listed_with(&self, at: usize, column: Option<ColumnId>) -> Option<TableId> {
        let (head, listed) = self.frame.head?;
        let only = self.frame.outputs.as_slice() == [at] && self.frame.measures.is_empty();
        let joins = |between: usize| {
            self.mentions[between].is(Lexical::And) || self.mentions[between].is(Lexical::Filler)
        };
        let beside = self.clause == Clause::Main
            && listed < at
            && self.target(listed) == Some(&Target::Table(head))
            && (listed + 1..at).all(joins);
        (only && beside && column?.table == head && self.frame.superlative.is_none())
            .then_some(head)
    }

    /// Rows that a column is said to be of: "suppliers with their lead times", "all DVDs with price", where a value stands
    /// for the rows that have it.
    fn rows_that_have(&mut self, at: usize, column: Option<ColumnId>) -> Option<TableId> {
        let had = self.is_had_by_rows(at);
        if let Some((head, _)) = self.frame.head {
            let shown = had || self.comes_with_rows(at, head) || self.is_asked_besides(at);
            return shown.then_some(head);
        }
        let with =
            at.checked_sub(1).filter(|before| had || self.mentions[*before].is(Lexical::With));
        let valued = with?.checked_sub(1)?;
        let valued = self.part(valued) == Part::Schema
            && matches!(self.target(valued), Some(Target::Value(..)));
        let column = column.filter(|_| valued && self.frame.measures.is_empty())?;
        self.head_if_none(column.table, at);
        Some(column.table)
    }

    /// "technicians without a job, and which team are they in": what is asked of the rows stands beside them.
    fn is_asked_besides(&self, at: usize) -> bool {
        let which = at.checked_sub(1).filter(|before| {
            let phrase = self.mentions[*before].phrase.to_lowercase();
            ["which", "what"].contains(&phrase.as_str())
        });
        let joined = which.and_then(|which| which.checked_sub(1));
        joined.is_some_and(|joined| self.mentions[joined].is(Lexical::And))
            && self.frame.measures.is_empty()
            && self.frame.outputs.as_slice() == [at]
    }

    /// "complaints from 2024 with the product name": a column of a row that each refers to, at the end or in a list.
    fn comes_with_rows(&self, at: usize, head: TableId) -> bool {
        let of = self.target(at).and_then(Target::table);
        let refers = of
            .and_then(|table| self.index.distance(head, table))
            .is_some_and(|(joins, to_many)| joins > 0 && !to_many);
        let before = (0..at).rev().find(|before| !self.mentions[*before].is(Lexical::Filler));
        let with = before.is_some_and(|before| self.mentions[before].is(Lexical::With));
        let article = at.checked_sub(1).is_some_and(|before| {
            let phrase = self.mentions[before].phrase.to_lowercase();
            phrase.split(' ').next_back() == Some("the")
        });
        let ends = self.mentions.get(at + 1).is_none_or(|next| next.is(Lexical::And));
        refers && with && article && ends && self.frame.measures.is_empty()
    }

    /// "How many patients did each clinician treat": the verb says what links the two.
    fn is_done_by_group(&self, at: usize, column: ColumnId) -> bool {
        let behind =
            matches!(self.frame.groups.last(), Some(Group::Table(_, last)) if last + 1 == at);
        let counted = !self.frame.measures.is_empty();
        behind && counted && self.catalog.column_at(column).data_type.is_temporal()
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
}
