//! Tables: counted, grouped by, ordered by, or the rows that are asked for.

use super::frame::{Condition, CountTarget, Group, Measure, MeasureTarget, Related, TableUse};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::confidence::Method;
use crate::linking::{Lexical, Named, TableId, Target};

/// Why rows that are missing are refused where no table is asked for; a follow-up may say it of earlier rows.
pub(crate) const MISSING_FROM_NOTHING: &str = "it is not clear what they are missing from";

impl Parser<'_> {
    /// Reads a table: the first of its uses that fits.
    pub(super) fn table(&mut self, at: usize, table: TableId) {
        let parent = self.is_named_by_key(at, table)
            && (self.of_named_parent(at) || self.beside_named_parent(at));
        if parent || self.is_apposed(at, table) {
            return;
        }
        if self.shares_place(at, table) {
            return;
        }
        if self.modifies_next(at, table) {
            self.frame.related.push(Related { table, at, how: TableUse::Path });
            return;
        }
        let limit = self.take_number();
        // "Top 5 products by revenue and their suppliers": what they have is shown, not ordered by.
        self.ordering &= !self.is_had_by_rows(at);
        if self.grouping {
            if !self.owns_group(at, table) {
                self.group_by_table(at, table);
            }
            return;
        }
        self.last_table = Some(table);
        let read = self.order_by_table(at, table)
            || self.count_table(at, table)
            || self.average_counted_table(at, table)
            || self.groups_of_average(at, table)
            || self.averages_worth(at, table)
            || self.averages_worth_of(at, table)
            || self.aggregate_of_table(at, table)
            || self.rank_by_table(at, table)
            || self.is_counted(at)
            || self.table_of_measure(at, table);
        if !read {
            self.rows_of_table(at, table, limit);
        }
    }

    /// Whether the words before say that the rows asked about have these as well: "and their suppliers".
    pub(super) fn is_had_by_rows(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let phrase = self.mentions[before].phrase.to_lowercase();
        let mut words = phrase.split(' ').rev();
        let owned = words.next().is_some_and(|word| ["their", "its"].contains(&word));
        let adds = |at: usize| {
            [Lexical::And, Lexical::List, Lexical::With]
                .iter()
                .any(|kind| self.mentions[at].is(*kind))
        };
        owned && (adds(before) || before.checked_sub(1).is_some_and(adds))
    }

    /// "customer orders": orders, each of a customer.
    fn modifies_next(&self, at: usize, table: TableId) -> bool {
        let mention = &self.mentions[at];
        let Some(next) = self.mentions.get(at + 1) else { return false };
        let Some(Target::Table(rows)) = self.target(at + 1) else { return false };
        let adjacent = next.tokens.start == mention.tokens.end && self.part(at + 1) == Part::Schema;
        let refers =
            self.index.distance(*rows, table).is_some_and(|(joins, to_many)| joins > 0 && !to_many);
        adjacent && refers && !mention.phrase.ends_with('s') && next.phrase.ends_with('s')
    }

    /// "revenue by country of customers": whose country it is, and no second group.
    fn owns_group(&mut self, at: usize, table: TableId) -> bool {
        let of = at.checked_sub(1).filter(|before| {
            self.part(*before) == Part::Lexical
                && self.mentions[*before].is(Lexical::Of)
                && !self.mentions[*before].is(Lexical::Group)
        });
        let grouped = match self.frame.groups.last() {
            Some(Group::Thing(group) | Group::Table(_, group)) => *group,
            _ => return false,
        };
        let Some(of_group) = self.target(grouped).and_then(Target::table) else { return false };
        let owned = of_group == table
            || self.index.distance(table, of_group).is_some_and(|(_, to_many)| !to_many);
        if of != Some(grouped + 1) || !owned {
            return false;
        }
        if of_group != table {
            self.frame.related.push(Related { table, at, how: TableUse::Path });
            self.frame.through.push((table, of_group));
        }
        true
    }

    /// "for each customer": a group; "customers by orders": a number of rows.
    fn group_by_table(&mut self, at: usize, table: TableId) {
        if self.mentions[at].phrase.ends_with('s') && self.is_counted_by(table) {
            self.add_measure(rows_of(table, at));
            self.grouping = false;
            return;
        }
        if let Some(Group::Table(_, last)) = self.frame.groups.last()
            && last + 1 == at
        {
            self.frame.groups.pop();
        }
        self.frame.groups.push(Group::Table(table, at));
        self.distinct = false;
    }

    /// "ordered by customer", "ordered by orders": an order by the one that rows belong to, or by a number of rows.
    fn order_by_table(&mut self, at: usize, table: TableId) -> bool {
        if !self.ordering || self.count.is_some() {
            return false;
        }
        let owner = self.frame.head.is_some_and(|(head, _)| {
            head != table && self.index.distance(head, table).is_some_and(|(_, to_many)| !to_many)
        });
        // "in alphabetical order of their addresses": by what these are called.
        let named = self.frame.order.last().is_some_and(|order| order.of_labels);
        let own = Measure { target: MeasureTarget::Own, at };
        self.order_by_measure(if owner || named { own } else { rows_of(table, at) });
        true
    }

    /// "how many orders": a number of rows, shown or ordered by.
    fn count_table(&mut self, at: usize, table: TableId) -> bool {
        if self.count.take().is_none() {
            return false;
        }
        self.distinct = false;
        if self.ordering {
            self.order_by_measure(rows_of(table, at));
        } else {
            self.add_measure(rows_of(table, at));
        }
        self.head_if_none(table, at);
        self.clause = Clause::Main;
        true
    }

    /// "average orders per customer": an average over numbers of rows.
    fn average_counted_table(&mut self, at: usize, table: TableId) -> bool {
        if !self.averages_rows(at) {
            return false;
        }
        self.average_of_counts(at);
        self.add_measure(rows_of(table, at));
        self.head_if_none(table, at);
        self.clause = Clause::Main;
        true
    }

    /// "total invoices", "average track length": an aggregate of the table, or of the column behind it.
    fn aggregate_of_table(&mut self, at: usize, table: TableId) -> bool {
        if self.aggregates.is_empty() {
            return false;
        }
        let qualifies = matches!(self.target(at + 1), Some(Target::Column(column))
            if self.part(at + 1) == Part::Schema && self.catalog.column_at(*column).data_type.is_numeric());
        if qualifies {
            self.frame.related.push(Related { table, at, how: TableUse::Path });
            return true;
        }
        if self.costs_behind(at, table) {
            self.frame.related.push(Related { table, at, how: TableUse::Path });
            return true;
        }
        let ranked = self.frame.head.is_some() || !self.frame.outputs.is_empty();
        for (function, said) in std::mem::take(&mut self.aggregates) {
            // "What do the items add up to": a sum, never a number of rows.
            let adds =
                self.mentions[said].phrase.to_lowercase().split(' ').any(|word| word == "add");
            if adds && self.index.profile(table).measures.is_empty() {
                self.block(said, "it is not clear what is added up");
            }
            let measure = Measure { target: MeasureTarget::Aggregate(function), at };
            match &mut self.frame.superlative {
                // "the movie with the best average rating"
                Some(best) if ranked && best.by.is_none() && best.at + 1 == said => {
                    best.by = Some(measure);
                }
                _ => {
                    self.add_measure(measure);
                    self.subject = Some(at);
                }
            }
        }
        self.head_if_none(table, at);
        true
    }

    /// "how much did the treatments of each clinician cost": the amount of these rows is named at the end.
    fn costs_behind(&self, at: usize, table: TableId) -> bool {
        let asks = self.aggregates.last().is_some_and(|(_, asks)| {
            self.mentions[*asks].phrase.to_lowercase().starts_with("how much")
        });
        let mut behind =
            (at + 1..self.mentions.len()).filter(|next| self.part(*next) == Part::Schema);
        asks && behind.any(|next| match self.target(next) {
            Some(Target::Column(column)) => column.table == table && self.is_amount(*column),
            _ => false,
        })
    }

    /// "customers with the most orders": a number of rows that a superlative waits for.
    fn rank_by_table(&mut self, at: usize, table: TableId) -> bool {
        let ranked = self.frame.head.is_some_and(|(head, _)| head != table)
            || !self.frame.outputs.is_empty()
            || self.ranked_period.is_some();
        match &mut self.frame.superlative {
            Some(superlative) if superlative.by_count && superlative.by.is_none() && ranked => {
                superlative.by = Some(rows_of(table, at));
                true
            }
            _ => false,
        }
    }

    /// "revenue from customers": a table beside a measure that is no list of rows.
    fn table_of_measure(&mut self, at: usize, table: TableId) -> bool {
        let measured = !self.frame.measures.is_empty()
            || self.frame.superlative.as_ref().is_some_and(|superlative| superlative.by.is_some());
        if self.frame.head.is_some()
            || !measured
            || self.conjunction == Some(Lexical::And)
            || self.clause == Clause::Without
        {
            return false;
        }
        let with = self.is_done(at) || self.clause == Clause::With;
        let how = if with { TableUse::With } else { TableUse::Path };
        self.frame.related.push(Related { table, at, how });
        self.clause = Clause::Main;
        true
    }

    /// Takes the table as the one whose rows are asked for, or as one related to it.
    fn rows_of_table(&mut self, at: usize, table: TableId, limit: Option<u32>) {
        match self.frame.head {
            None if self.clause == Clause::Without && self.missing.is_some() => {
                self.missing_table(at, table);
            }
            // "Who didn't order in 2025": what is denied is that there are such rows.
            None if self.is_denied_deed(at) => {
                self.negated = None;
                self.missing_table(at, table);
            }
            None if self.is_listed_output(at, table) => {
                self.frame.output_tables.push((table, at));
            }
            None => self.head_table(at, table, limit),
            Some((head, _)) if head == table => self.head_again(at, table),
            Some((head, said)) if self.is_compound((head, said), (table, at)) => {
                self.frame.head = Some((table, at));
                self.frame.related.push(Related { table: head, at: said, how: TableUse::Path });
            }
            Some(_) => self.related_table(at, table),
        }
        self.conjunction = None;
        if self.clause != Clause::Where {
            self.clause = Clause::Main;
        }
    }

    /// "product categories": a table in the singular right before the one that its rows belong to.
    fn is_compound(&self, (head, said): (TableId, usize), (table, at): (TableId, usize)) -> bool {
        let plural = |at: usize| self.mentions[at].phrase.to_lowercase().ends_with('s');
        let adjacent = self.mentions[said].tokens.end == self.mentions[at].tokens.start;
        let belongs = self.index.distance(head, table) == Some((1, false));
        adjacent && plural(at) && !plural(said) && belongs && self.frame.measures.is_empty()
    }

    /// "who hasn't placed any order": only words that add nothing stand between a denied verb and the table.
    fn is_denied_deed(&self, at: usize) -> bool {
        let adds_nothing = |between: usize| {
            let mention = &self.mentions[between];
            let skipped = mention.is(Lexical::Filler) || mention.is(Lexical::Everything);
            self.part(between) == Part::Lexical && skipped
        };
        self.negated.is_some_and(|not| self.is_denied(not + 1) && (not + 1..at).all(adds_nothing))
    }

    /// "names without orders": rows that there are none of, before any table that is asked for.
    fn missing_table(&mut self, at: usize, table: TableId) {
        self.missing = None;
        if self.frame.outputs.is_empty() {
            self.block(at, MISSING_FROM_NOTHING);
        }
        self.frame.related.push(Related { table, at, how: TableUse::Without });
        self.last_table = Some(table);
    }

    /// The table asked for, with how many of its rows.
    fn head_table(&mut self, at: usize, table: TableId, limit: Option<u32>) {
        self.missing = None;
        self.frame.head = Some((table, at));
        if let Some(limit) = limit {
            match &mut self.frame.superlative {
                Some(superlative) => superlative.limit = Some(limit),
                None => self.frame.limit = Some((limit, at)),
            }
        }
        if std::mem::take(&mut self.distinct) {
            self.frame.distinct = true;
        }
    }

    /// The table asked for, named once more.
    fn head_again(&mut self, at: usize, table: TableId) {
        if self.clause == Clause::Without && self.missing.is_some() {
            self.missing = None;
            self.block(at, "rows without other rows of the same table take two steps");
        }
        if self.is_named_by_key(at, table) || self.is_narrower(at) {
            self.frame.unread.push(at);
        }
    }

    /// "which physicians are surgeons": a word that is only akin to the name of the table already named picks some of its
    /// rows.
    fn is_narrower(&self, at: usize) -> bool {
        let method = |at: usize| Some(self.mentions.get(at)?.readings.first()?.method);
        let akin = |at| matches!(method(at), Some(Method::Kin | Method::Related));
        let named = self.frame.head.is_some_and(|(_, head)| {
            method(head).is_some_and(|method| method.is_whole() || method == Method::Head)
        });
        let said = (0..at).rev().find(|before| !self.mentions[*before].is(Lexical::Filler));
        let is = said.is_some_and(|before| {
            self.mentions[before].is(Lexical::Is) || self.mentions[before].is(Lexical::Where)
        });
        akin(at) && named && is
    }

    /// Another table than the one asked for: rows that there must be, must not be, or that are on the way.
    fn related_table(&mut self, at: usize, table: TableId) {
        self.missing = None;
        let how = match self.clause {
            Clause::Without => TableUse::Without,
            _ if self.negated.take().is_some() => TableUse::Without,
            Clause::With | Clause::Where => TableUse::With,
            _ if self.is_done(at) || self.after_relation(at) => TableUse::With,
            _ if self.is_one_more(at) => TableUse::With,
            Clause::Main | Clause::Of | Clause::In => TableUse::Path,
        };
        let shown = how == TableUse::Path && self.conjunction == Some(Lexical::And)
            || how == TableUse::With && self.ends_with_owner(at, table)
            || how == TableUse::Path && self.continues_owners(at, table);
        if shown {
            self.frame.output_tables.push((table, at));
        } else {
            self.frame.related.push(Related { table, at, how });
        }
    }

    /// "customers with a checking account and a loan": one row of a table, joined with a condition.
    fn is_one_more(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.mentions.get(before));
        let article = before.is_some_and(|before| {
            let phrase = before.phrase.to_lowercase();
            phrase.split(' ').next_back().is_some_and(|word| ["a", "an"].contains(&word))
        });
        let joined = self.conjunction == Some(Lexical::And);
        article && joined && !self.frame.conditions.is_empty() && self.frame.outputs.is_empty()
    }

    /// Whether a table is named by what was done: "ordered".
    fn is_done(&self, at: usize) -> bool {
        self.mentions[at].phrase.to_lowercase().ends_with("ed")
    }

    /// Whether a table is one whose rows a comparison counts already.
    pub(super) fn is_counted(&self, at: usize) -> bool {
        self.frame.conditions.iter().any(|condition| {
            matches!(condition, Condition::CountOf { at: counted, .. } if *counted == at)
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
}

/// The number of rows of a table.
fn rows_of(table: TableId, at: usize) -> Measure {
    Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at }
}
