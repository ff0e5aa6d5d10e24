//! Columns that say which rows are meant: flags, participles, dates of verbs, and what is missing.

use wherefore_english::singular;

use super::frame::{Condition, Related, TableUse};
use super::parse::{Clause, Parser};
use super::part::Part;
use crate::confidence::Method;
use crate::intent::Comparison;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};

impl Parser<'_> {
    /// A status such as "healed" before a time, or before a vague term at the end or before a time ("shipped late last
    /// month"), says which date is meant, where the table has one of that name.
    pub(super) fn names_a_date(&self, at: usize) -> bool {
        let ends = at + 2 >= self.mentions.len() && self.frame.head.is_some();
        let timed = self.mentions.get(at + 2).is_some_and(|second| second.time.is_some());
        let vague = self.mentions.len() > at + 1 && matches!(self.part(at + 1), Part::Vague(_));
        (self.is_dated(at) || vague && (ends || timed))
            && self.mentions[at].readings.iter().any(|reading| match reading.target {
                Target::Column(column) => {
                    self.tells_time(column)
                        && self.frame.head.is_none_or(|(head, _)| head == column.table)
                }
                _ => false,
            })
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
        // "unshipped orders", "unassigned tickets": there is no such date or row.
        if self.mentions[at].negated && !definition.is_flag() {
            self.frame.conditions.push(Condition::Null { at, negated: false });
            self.subject = None;
            return true;
        }
        if definition.data_type.is_temporal() && next_is_time {
            self.head_if_none(column.table, at);
            self.date_hint = Some(at);
            self.subject = None;
            return true;
        }
        // "average BMI of smokers": the rows that are computed over.
        let computed_over = at > 0
            && self.mentions[at - 1].is(Lexical::Of)
            && self.frame.measures.iter().any(|measure| {
                matches!(self.target(measure.at), Some(Target::Column(of)) if of.table == column.table)
            });
        if definition.is_flag()
            && self.frame.head.is_none()
            && (self.frame.measures.is_empty() || computed_over)
        {
            if !adjective && !computed_over {
                self.head_if_none(column.table, at);
            }
            let negated = self.take_negation(at);
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
            let without = self.negated.is_none() && self.clause == Clause::Without;
            let negated = self.take_negation(at) != without;
            self.frame.conditions.push(Condition::Set { at, negated });
            self.subject = None;
            return true;
        }
        false
    }

    /// "haven't placed any order", "hasn't shipped an order": the verb's object is the noun of the rows that hold its date,
    /// so what is denied is that there are such rows, not that their date is set.
    pub(super) fn is_deed_to_own_rows(&mut self, at: usize, column: ColumnId) -> bool {
        let object = (at + 1..self.mentions.len()).find(|next| {
            let mention = &self.mentions[*next];
            let skipped = mention.is(Lexical::Filler) || mention.is(Lexical::Everything);
            self.part(*next) != Part::Lexical || !skipped
        });
        let own = object.is_some_and(|object| {
            matches!(self.target(object), Some(Target::Table(table)) if *table == column.table)
        });
        let elsewhere = self.frame.head.is_none_or(|(head, _)| head != column.table);
        // "No shipped orders" may only say which orders are meant.
        let before = at.checked_sub(1).filter(|_| self.is_denied(at));
        let verb = before.is_some() && (self.negated == before || self.missing == before);
        let deed = own && elsewhere && verb && self.is_participle(at, column);
        if deed {
            let dated = object.is_some_and(|object| self.is_dated(object));
            if dated {
                self.date_hint = Some(at);
            } else if self.catalog.column_at(column).nullable {
                self.frame.conditions.push(Condition::Set { at, negated: false });
            } else {
                self.frame.linking.push(at);
            }
            self.subject = None;
            self.clause = Clause::Without;
            self.missing = before;
            self.negated = None;
        }
        deed
    }

    /// Reads "reservations with kids", "orders with a discount" as more than none, where the stored numbers start at zero.
    ///
    /// Invalid: "assessments with pain score", which may ask to see the number. Of rows that are counted, nothing is shown.
    pub(super) fn has_some(&mut self, at: usize) -> bool {
        let Some(Target::Column(column)) = self.target(at) else { return false };
        let column = *column;
        let had = (0..at).rev().find(|before| !self.mentions[*before].is(Lexical::Filler));
        let Some(had) = had.filter(|had| self.mentions[*had].is(Lexical::With)) else {
            return false;
        };
        let said = self.mentions[at].phrase.to_lowercase();
        let plural = singular(&said) != said;
        let any = (had..at).any(|before| {
            let phrase = self.mentions[before].phrase.to_lowercase();
            phrase.split(' ').any(|word| ["a", "an", "any", "some"].contains(&word))
        });
        let shows = self.frame.measures.is_empty() && !plural && !any;
        let own = self.frame.head.is_some_and(|(head, _)| head == column.table);
        let counted = !shows && own && self.starts_at_zero(column);
        if counted {
            self.compare_with_none(at, Comparison::Greater);
        }
        counted
    }

    /// Whether numbers of a column count something that there may be none of.
    fn starts_at_zero(&self, column: ColumnId) -> bool {
        let definition = self.catalog.column_at(column);
        let minimum = definition.minimum.as_ref().and_then(|least| least.parse::<f64>().ok());
        definition.data_type.is_numeric() && !self.is_foreign(column) && minimum == Some(0.0)
    }

    fn compare_with_none(&mut self, at: usize, operator: Comparison) {
        self.frame.conditions.push(Condition::Compare {
            column: Some(at),
            operator,
            value: "0".to_owned(),
            at,
            unit: None,
            roles: Vec::new(),
        });
    }

    /// Whether what a mention says must not hold, by the negation before it, which is used up, and by its own ("unpaid").
    pub(super) fn take_negation(&mut self, at: usize) -> bool {
        self.negated.take().is_some() != self.mentions[at].negated
    }

    /// "without a composer", "without diabetes": a column that is empty, or a flag that is not set.
    pub(super) fn without_column(&mut self, at: usize, column: ColumnId) {
        let definition = self.catalog.column_at(column);
        let elsewhere = self.frame.head.is_some_and(|(head, _)| head != column.table);
        let noun = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end
                && matches!(self.target(at + 1), Some(Target::Table(table)) if *table == column.table)
        });
        // "categories with no discontinued products": there are none of these rows.
        if elsewhere && noun && definition.is_flag() {
            let negated = self.mentions[at].negated;
            self.frame.conditions.push(Condition::Set { at, negated });
            return;
        }
        self.missing = None;
        self.clause = Clause::Main;
        let counted = matches!(self.frame.conditions.last(), Some(Condition::CountOf { table, at: counted, .. })
            if *table == column.table
                && (counted + 1..at).all(|between| !self.mentions[between].is(Lexical::And)));
        if counted {
            // "customers with more than 3 orders without a shipped date": these are counted.
            self.frame.conditions.push(Condition::Null { at, negated: false });
        } else if elsewhere && definition.data_type.is_temporal() {
            let table = column.table;
            self.frame.related.push(Related { table, at, how: TableUse::Without });
            self.last_table = Some(table);
        } else if definition.is_flag() {
            let negated = !self.mentions[at].negated;
            self.frame.conditions.push(Condition::Set { at, negated });
        } else if self.starts_at_zero(column) && !definition.nullable {
            // "orders without discount": none of their lines has any.
            let many = self.frame.head.is_some_and(|(head, _)| {
                self.index.distance(head, column.table).is_some_and(|(_, to_many)| to_many)
            });
            if many {
                self.frame.universal = at.checked_sub(1);
            }
            self.compare_with_none(at, Comparison::Equal);
        } else if definition.data_type.is_numeric()
            && !self.is_foreign(column)
            && (!definition.nullable || self.starts_at_zero(column))
        {
            self.block(at, "a number that is missing may be empty or zero");
        } else {
            self.frame.conditions.push(Condition::Null { at, negated: false });
        }
    }

    /// "instructors who have no students to advise": the verb behind what is missing says how the two hang together.
    fn drop_purpose_of_missing(&mut self) {
        let missing: Vec<usize> = self
            .frame
            .related
            .iter()
            .filter(|related| related.how == TableUse::Without)
            .map(|related| related.at)
            .collect();
        let filler =
            |at: usize| self.part(at) == Part::Lexical && self.mentions[at].is(Lexical::Filler);
        let follows =
            |at: usize| missing.iter().any(|none| *none < at && (none + 1..at).all(filler));
        let purposes: Vec<usize> = self
            .frame
            .related
            .iter()
            .filter(|related| related.how == TableUse::With && follows(related.at))
            .map(|related| related.at)
            .collect();
        self.frame.related.retain(|related| !purposes.contains(&related.at));
        self.frame.linking.extend(purposes);
    }

    /// "never treated, i.e. no treatment": what is denied of rows that there are none of says nothing more.
    pub(super) fn drop_denied_twice(&mut self) {
        self.drop_purpose_of_missing();
        let without: Vec<(TableId, usize)> = self
            .frame
            .related
            .iter()
            .filter(|related| related.how == TableUse::Without)
            .map(|related| (related.table, related.at))
            .collect();
        let denied = |condition: &Condition| match condition {
            Condition::Set { at, negated: true } => {
                self.target(*at).and_then(Target::table).is_some_and(|table| {
                    without.iter().any(|(none, said)| *none == table && at < said)
                })
            }
            _ => false,
        };
        let kept = self.frame.conditions.iter().filter(|condition| !denied(condition)).cloned();
        self.frame.conditions = kept.collect();
    }

    /// "Shipped late": what is vague is said of that date.
    pub(super) fn is_date_of_vague(&self, at: usize, column: ColumnId) -> bool {
        self.frame.head.is_some()
            && self.is_participle(at, column)
            && matches!(self.part(at + 1), Part::Vague(_))
            && (at + 2..self.mentions.len())
                .all(|rest| self.part(rest) == Part::Time || self.mentions[rest].is(Lexical::In))
    }

    /// "patients treated with dressings": what happened goes on to what it happened with, and is no date to show.
    pub(super) fn goes_on(&mut self, at: usize, column: ColumnId) -> bool {
        let goes_on = self.mentions[at].duration.is_none()
            && self.is_participle(at, column)
            && self.has_what_it_happened_with(at);
        if goes_on {
            self.frame.linking.push(at);
            self.subject = None;
        }
        goes_on
    }

    /// Whether a thing follows "with", "in" or "by" behind a mention of the main clause.
    fn has_what_it_happened_with(&self, at: usize) -> bool {
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

    /// "high value orders": the column between a vague term and its table only says what is vague.
    pub(super) fn is_threshold(&self, at: usize, column: ColumnId) -> bool {
        at > 0
            && matches!(self.part(at - 1), Part::Vague(_))
            && matches!(self.target(at + 1), Some(Target::Table(table)) if column.table == *table)
    }
}
