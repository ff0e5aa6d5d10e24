//! Values: stored values, numbers and words that are tied to nothing.

use super::frame::{Condition, CountTarget, Measure, MeasureTarget};
use super::parse::{Clause, Parser};
use super::part::{Part, says_what_is_had};
use crate::catalog::DataType;
use crate::confidence::Method;
use crate::intent::{Comparison, TextMatch};
use crate::linking::{ColumnId, Edge, Lexical, Named, TableId, Target, name_part};

impl Parser<'_> {
    pub(super) fn number(&mut self, at: usize) {
        if let Some(next) = self.mentions.get(at + 1)
            && (next.is(Lexical::OrMore) || next.is(Lexical::OrLess))
        {
            let operator = if next.is(Lexical::OrMore) {
                Comparison::GreaterOrEqual
            } else {
                Comparison::LessOrEqual
            };
            self.compare(at, operator, at + 2);
            return;
        }
        if let Some(superlative) = &mut self.frame.superlative
            && superlative.limit.is_none()
            && at - superlative.at <= 1
        {
            self.number = Some(at);
            let limit = self.take_number();
            if let Some(superlative) = &mut self.frame.superlative {
                superlative.limit = limit;
            }
            return;
        }
        let denied = self.negated.is_some()
            && at.checked_sub(1).is_some_and(|before| self.mentions[before].is(Lexical::Not));
        let previous = self.before(if denied { at - 1 } else { at });
        if let Some(before) = previous
            && let (Part::Schema, Some(target)) = (self.part(before), self.target(before))
        {
            match target {
                Target::Column(_) if self.subject == Some(before) => {
                    // "Whose age is not 20".
                    let equal = Comparison::Equal;
                    let operator = if denied { self.after_negation(equal) } else { equal };
                    self.compare(at, operator, at + 1);
                    return;
                }
                // "the account with the name 337", "accounts named 337"
                Target::Table(table) if self.says_name(before, at, *table) => {
                    self.frame.conditions.push(Condition::Text {
                        column: Some(before),
                        matching: None,
                        text: self.text_of(at),
                        at,
                        negated: self.negated.take().is_some(),
                    });
                    return;
                }
                Target::Table(table) => {
                    if let Some(number) = &self.mentions[at].number {
                        let value = number.value.clone();
                        self.frame.conditions.push(Condition::Key { table: *table, value, at });
                    }
                    return;
                }
                _ => {}
            }
        }
        if !self.counts_related(at) {
            self.number = Some(at);
        }
    }

    /// Whether words between rows and a number say that it is their name, where they have one.
    fn says_name(&self, rows: usize, number: usize, table: TableId) -> bool {
        let named = |between: usize| {
            let phrase = self.mentions[between].phrase.to_lowercase();
            phrase.split(' ').any(|word| ["called", "name", "named"].contains(&word))
        };
        !self.index.profile(table).label.is_empty() && (rows + 1..number).any(named)
    }

    /// "customers with two orders": a number of rows that each of those asked about has.
    fn counts_related(&mut self, at: usize) -> bool {
        let Some(Target::Table(table)) = self.target(at + 1).cloned() else { return false };
        let adjacent = self.mentions[at].tokens.end == self.mentions[at + 1].tokens.start
            && self.part(at + 1) == Part::Schema;
        let many = self.frame.head.is_some_and(|(head, _)| {
            head != table && self.index.distance(head, table).is_some_and(|(_, to_many)| to_many)
        });
        let joins = [Lexical::And, Lexical::By, Lexical::In, Lexical::List, Lexical::Of];
        let listed = at.checked_sub(1).is_none_or(|before| {
            let before = &self.mentions[before];
            let further = before.is(Lexical::And) && says_what_is_had(&self.mentions[..at]);
            !further && joins.iter().any(|kind| before.is(*kind)) || before.is(Lexical::Comparative)
        });
        let Some(number) = self.mentions[at].number.as_ref() else { return false };
        if !adjacent || !many || listed || self.frame.superlative.is_some() || number.percent {
            return false;
        }
        let (operator, value) = (Comparison::Equal, number.value.clone());
        self.frame.conditions.push(Condition::CountOf { table, operator, value, at: at + 1 });
        self.taken.insert(at + 1);
        self.last_table = Some(table);
        self.negated = None;
        true
    }

    pub(super) fn unknown(&mut self, at: usize) {
        if self.takes_unit(at)
            || self.of_named_parent(at)
            || self.beside_named_parent(at)
            || self.has_subordinates(at)
            || self.says_childless(at)
        {
            return;
        }
        if let Some(noun) = self.noun_before(at) {
            self.text_of_rows(at, noun);
            return;
        }
        let about = self.subject.filter(|subject| {
            self.before(at) == Some(*subject)
                && matches!(self.target(*subject), Some(Target::Column(column))
                    if self.catalog.column_at(*column).data_type == DataType::Text)
        });
        let named = at > 0 && self.mentions[at - 1].is(Lexical::Is);
        if self.mentions[at].quoted && (about.is_some() || self.frame.head.is_some())
            || about.is_some() && named
        {
            if let Some(column) = about {
                self.frame.outputs.retain(|output| *output != column);
            }
            self.frame.conditions.push(Condition::Text {
                column: about,
                matching: None,
                text: self.text_of(at),
                at,
                negated: self.negated.take().is_some(),
            });
            return;
        }
        let plural = at > 0
            && ["s", "es"].contains(&self.mentions[at].phrase.as_str())
            && self.mentions[at].tokens.start > self.mentions[at - 1].tokens.end;
        if plural || self.names_again(at) || self.is_about_order(at) {
            return;
        }
        if self.classifies(at) || self.states_unit(at) {
            self.frame.classifying.push(at);
            return;
        }
        if self.names_a_link(at) {
            self.frame.linking.push(at);
            return;
        }
        if self.links(at) {
            self.relation(at);
            return;
        }
        if self.links_by_class(at) || self.is_particle_of_link(at) {
            self.frame.by_class.push(at);
            return;
        }
        self.frame.unread.push(at);
    }

    /// "sign up": a word that belongs to a verb that only links.
    fn is_particle_of_link(&self, at: usize) -> bool {
        let word = self.mentions[at].phrase.to_lowercase();
        let links = |before: usize| {
            self.frame.linking.contains(&before)
                || self.frame.by_class.contains(&before)
                || self.part(before) == Part::Lexical && self.mentions[before].is(Lexical::Relation)
        };
        self.lexicon.is_particle(&word) && at.checked_sub(1).is_some_and(links)
    }

    /// Table that stands right before a text in quotes, if it is not the one asked about: "the track 'Angie'".
    fn noun_before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).filter(|before| {
            self.mentions[at].quoted
                && self.mentions[*before].tokens.end == self.mentions[at].tokens.start
                && self.part(*before) == Part::Schema
        })?;
        let Some(Target::Table(table)) = self.target(before) else { return None };
        self.frame.head.is_some_and(|(head, _)| head != *table).then_some(before)
    }

    /// A text that names a row of the table at `noun`, whether or not it is listed.
    fn text_of_rows(&mut self, at: usize, noun: usize) {
        self.frame.conditions.push(Condition::Text {
            column: Some(noun),
            matching: None,
            text: self.text_of(at),
            at,
            negated: self.negated.take().is_some(),
        });
        self.conjunction = None;
        self.alternative = None;
    }

    pub(super) fn value(&mut self, at: usize) {
        let Some(Target::Value(column, _)) = self.target(at).cloned() else { return };
        // A job title may be called as the row that a row refers to: "employees and their manager".
        if self.beside_named_parent(at) {
            return;
        }
        let elsewhere = self.noun_before(at).filter(|noun| {
            let own = self.target(*noun).and_then(Target::table);
            self.mentions[at].readings.iter().all(|reading| reading.target.table() != own)
        });
        if let Some(noun) = elsewhere {
            self.text_of_rows(at, noun);
            return;
        }
        if self.part_of_name(at) {
            return;
        }
        if let Some(table) = self.names_rows(at, column.table) {
            self.head_if_none(table, at);
            if self.count.take().is_some() {
                let target = MeasureTarget::Count(CountTarget::Rows(table));
                self.add_measure(Measure { target, at });
            }
        }
        let joins_last = self.last_value.is_some_and(|last| self.is_listed(last, at));
        if joins_last
            && let Some(Condition::Values { at: values, .. }) = self.frame.conditions.last_mut()
            && let Some(last) = values.last()
            && self.mentions[*last].negated == self.mentions[at].negated
            && self.mentions[*last].readings.iter().any(
                |reading| matches!(&reading.target, Target::Value(other, _) if *other == column),
            )
        {
            values.push(at);
            self.last_value = Some(at);
            self.alternative = None;
            self.conjunction = None;
            self.frame.outputs.retain(|output| {
                output + 1 != at
                    || self.mentions[*output].tokens.end != self.mentions[at].tokens.start
            });
            return;
        }
        if joins_last && self.conjunction == Some(Lexical::Or) {
            match self.alternative.take() {
                Some(or) => self.between_conditions(or),
                None => {
                    self.block(at, "alternatives in different columns have several readings");
                }
            }
        }
        let hint = self
            .subject
            .filter(|subject| at - subject <= 3 && self.is_value_of(at, *subject, column.table));
        if let Some(hint) = hint {
            self.frame.outputs.retain(|output| *output != hint);
        }
        self.missing = None;
        if self.alternative.is_some() && joins_last {
            self.alternative = None;
        }
        if let Some(subject) = self.subject
            && at - subject <= 3
            && let Some(Target::Column(key)) = self.target(subject).cloned()
            && self.refers_to(key, column.table)
        {
            self.head_if_none(key.table, subject);
            self.frame.outputs.retain(|output| *output != subject);
        }
        if let Some(subject) = self.subject
            && at - subject <= 2
            && let Some(Target::Label(table)) = self.target(subject).cloned()
            && table == column.table
            && self.index.profile(table).label.contains(&column)
        {
            self.frame.outputs.retain(|output| *output != subject);
            self.head_if_none(table, subject);
        }
        if self.denies_persons() {
            self.block(at, "it is not clear what is said of the persons that there are none of");
        }
        let negated = (self.negated.take().is_some() || self.clause == Clause::Without)
            != self.mentions[at].negated;
        if self.ends_denied_name(at, column) {
            self.block(at, "a name of several parts is denied");
        }
        self.frame.conditions.push(Condition::Values { at: vec![at], negated, hint });
        self.last_value = Some(at);
        self.subject = None;
        self.conjunction = None;
        self.grouping &= self.qualifies_rows(at);
        self.clause = Clause::Main;
        self.value_for_longer(at);
    }

    /// Whether what is denied are persons: "products nobody in Germany bought", where Germany is said of them.
    fn denies_persons(&self) -> bool {
        self.negated.is_some_and(|not| {
            let phrase = self.mentions[not].phrase.to_lowercase();
            ["nobody", "noone", "no one", "no-one"].iter().any(|none| phrase.starts_with(none))
        })
    }

    /// Whether a value ends a name whose first part is denied: "not by Nancy Davolio", where only both tell the row.
    fn ends_denied_name(&self, at: usize, column: ColumnId) -> bool {
        let label = &self.index.profile(column.table).label;
        let Some(before) = at.checked_sub(1) else { return false };
        let adjacent = self.mentions[before].tokens.end == self.mentions[at].tokens.start;
        let denied = self.frame.conditions.iter().any(|condition| {
            matches!(condition, Condition::Values { at: own, negated: true, .. } if own == &[before])
        });
        let first = matches!(self.target(before), Some(Target::Value(other, _))
            if *other != column && label.contains(other));
        adjacent && denied && first && label.contains(&column)
    }

    /// Whether the rows that a value tells follow it at once: "each German customer".
    fn qualifies_rows(&self, at: usize) -> bool {
        let adjacent = self
            .mentions
            .get(at + 1)
            .is_some_and(|next| next.tokens.start == self.mentions[at].tokens.end);
        adjacent
            && self.part(at + 1) == Part::Schema
            && matches!(self.target(at + 1), Some(Target::Table(_)))
    }

    /// Table whose rows a value stands for, where nothing else is asked about.
    fn names_rows(&self, at: usize, table: TableId) -> Option<TableId> {
        if self.frame.head.is_some() || !self.frame.outputs.is_empty() || self.subject.is_some() {
            return None;
        }
        let beside = self.mentions.get(at + 1).is_some_and(|next| {
            next.tokens.start == self.mentions[at].tokens.end
                && (next.concept.is_some() || matches!(self.target(at + 1), Some(Target::Table(_))))
        });
        self.owned_rows(at, table)
            .or_else(|| self.index.rows_of_plural(&self.mentions[at]).filter(|_| !beside))
    }

    /// Table whose rows belong to others, as a value says: "burns of patients"; the value's own, or the one that
    /// hangs together with both.
    fn owned_rows(&self, at: usize, table: TableId) -> Option<TableId> {
        let value = |at: usize| matches!(self.target(at), Some(Target::Value(..)));
        let joins = [Lexical::And, Lexical::Or, Lexical::Filler, Lexical::Also, Lexical::List];
        let of = (at + 1..self.mentions.len()).find(|&next| {
            !(value(next) || joins.iter().any(|kind| self.mentions[next].is(*kind)))
        })?;
        let mention = &self.mentions[of];
        let has = ["do", "does", "did"].contains(&mention.phrase.to_lowercase().as_str());
        let has = has && self.count.is_some();
        if !(mention.is(Lexical::Of) || mention.is(Lexical::In) || has) {
            return None;
        }
        let owner = (of + 1..self.mentions.len()).find(|&next| {
            let flag = matches!(self.target(next), Some(Target::Column(column))
                if self.catalog.column_at(*column).is_flag());
            !(value(next) || flag || self.mentions[next].is(Lexical::Filler))
        });
        let owner = match self.target(owner?) {
            Some(Target::Table(owner)) if *owner != table => *owner,
            _ => return None,
        };
        if self.index.distance(table, owner).is_some_and(|(_, to_many)| !to_many) {
            return Some(table);
        }
        let kind = self.mentions[at].readings.first()?.method == Method::ValueFuzzy;
        let belong = |edge: &&Edge| {
            !edge.to_one
                && self.index.edges(edge.to).iter().any(|other| other.to_one && other.to == owner)
        };
        let mut between = self.index.edges(table).iter().filter(belong).map(|edge| edge.to);
        between.next().filter(|first| kind && between.all(|other| other == *first))
    }

    /// "first name Alex", where rows have only a whole name: its start or its end.
    fn part_of_name(&mut self, at: usize) -> bool {
        let Some(subject) = self.subject.filter(|subject| at - subject <= 3) else { return false };
        let part = self.mentions[at]
            .readings
            .first()
            .filter(|reading| reading.method == Method::ValuePart && self.conjunction.is_none());
        let (Some(_), Some(matching)) = (part, name_part(&self.mentions[subject].phrase)) else {
            return false;
        };
        let word = &self.mentions[at].phrase;
        let text = match matching {
            TextMatch::EndsWith => format!(" {word}"),
            _ => format!("{word} "),
        };
        let negated = self.negated.take().is_some();
        self.frame.outputs.retain(|output| *output != subject);
        self.frame.conditions.push(Condition::Text {
            column: Some(subject),
            matching: Some(matching),
            text,
            at,
            negated,
        });
        self.subject = None;
        self.clause = Clause::Main;
        true
    }

    /// Whether a value may be one of a column that is named, in this table.
    fn is_value_of(&self, at: usize, named: usize, table: TableId) -> bool {
        let values = &self.mentions[at].readings;
        matches!(self.target(named), Some(Target::Column(_)))
            && self.mentions[named].readings.iter().any(|reading| match &reading.target {
                Target::Column(column) if column.table == table => values.iter().any(
                    |value| matches!(&value.target, Target::Value(other, _) if other == column),
                ),
                _ => false,
            })
    }

    /// Whether a column only says what the value behind it is: "in billing city Paris and billing city London".
    pub(super) fn names_next(&self, at: usize) -> bool {
        matches!(self.target(at + 1), Some(Target::Value(column, _))
            if self.part(at + 1) == Part::Schema
                && self.mentions[at + 1].tokens.start == self.mentions[at].tokens.end
                && self.is_value_of(at + 1, at, column.table))
    }

    pub(super) fn refers_to_own_table(&self, column: ColumnId) -> bool {
        let reference = self.catalog.reference(column);
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == reference.table
                && key.to_table == reference.table
                && key.from_columns.contains(&reference.column)
        })
    }

    pub(super) fn is_foreign(&self, column: ColumnId) -> bool {
        let reference = self.catalog.reference(column);
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == reference.table && key.from_columns.contains(&reference.column)
        })
    }

    /// Whether a value belongs to the rows that a foreign key of the subject refers to.
    pub(super) fn refers_to(&self, subject: ColumnId, table: TableId) -> bool {
        let from = self.catalog.reference(subject);
        let to = self.catalog.table_at(table).key();
        self.catalog.foreign_keys.iter().any(|key| {
            key.from_table == from.table
                && key.from_columns.contains(&from.column)
                && key.to_table == to
        })
    }
}
