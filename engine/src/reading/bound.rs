//! Bounds: an operator and a number, and what the words around them say is compared.

use super::comparison::OPERATORS;
use super::frame::{Condition, CountTarget, Group, Measure, MeasureTarget};
use super::parse::Parser;
use super::part::Part;
use crate::catalog::DataType;
use crate::confidence::Method;
use crate::data::Role;
use crate::intent::{Comparison, TimeGrain};
use crate::linking::{Lexical, Named, TableId, Target};

/// An operator and a number, before it is known what is compared.
#[derive(Clone)]
struct Bound {
    /// Mention of the number.
    number: usize,
    operator: Comparison,
    /// Decimal text.
    value: String,
    unit: Option<String>,
}

impl Bound {
    /// Condition on a number of related rows, named at `at`.
    fn on_count(&self, table: TableId, at: usize) -> Condition {
        Condition::CountOf { table, operator: self.operator, value: self.value.clone(), at }
    }

    /// Condition on the measure named at `at`.
    fn on_measure(&self, at: usize) -> Condition {
        Condition::Measure { at, operator: self.operator, value: self.value.clone() }
    }

    /// Condition on a column, or on one of the roles where none is named.
    fn on_column(self, column: Option<usize>, roles: Vec<Role>) -> Condition {
        let Self { number, operator, value, unit } = self;
        Condition::Compare { column, operator, value, at: number, unit, roles }
    }
}

impl Parser<'_> {
    /// Adds the comparison with the number at `number`; what follows it may say what is compared.
    pub(super) fn compare(&mut self, number: usize, operator: Comparison, next: usize) -> usize {
        let Some(mention) = self.mentions[number].number.as_ref() else { return next };
        // "between 10 and 20 dollars": the currency of the upper bound is that of both.
        let upper = Some(next - 1).filter(|upper| *upper > number);
        let upper = upper.and_then(|upper| self.mentions[upper].number.as_ref()?.currency.clone());
        let bound = Bound {
            number,
            operator,
            value: mention.value.clone(),
            unit: mention.currency.clone().or(upper),
        };
        if self.mentions.get(next).is_some_and(|mention| mention.is(Lexical::Times)) {
            self.count_times(number, operator, bound.value);
            return next + 1;
        }
        let counted = self.behind_different(next);
        if let Some(end) =
            self.compare_rows(&bound, counted).or_else(|| self.compare_column_behind(&bound, next))
        {
            return end;
        }
        // "orders with more than 3 gloves": neither their pieces nor another number of the orders is named.
        let goods = self.mentions.get(next).is_some_and(|mention| {
            let named = mention.readings.first().is_some_and(|first| {
                first.method == Method::ValueWord && mention.phrase.ends_with('s')
            });
            named && mention.tokens.start == self.mentions[next - 1].tokens.end
        });
        if goods {
            self.block(number, "it is not clear whether pieces or rows are counted");
            return next;
        }
        let (unit, end) = self.unit_behind(next);
        let bound = Bound { unit: unit.or(bound.unit), ..bound };
        if !self.compare_counted(&bound) {
            self.compare_subject(bound);
        }
        end
    }

    /// Place of the rows behind "different": "at least 3 different products".
    fn behind_different(&self, next: usize) -> usize {
        let different = self.part(next) == Part::Lexical
            && self.mentions.get(next).is_some_and(|mention| mention.is(Lexical::Distinct));
        if different && matches!(self.noun_behind(next + 1), Some(Target::Table(_))) {
            next + 1
        } else {
            next
        }
    }

    /// Whether words make the number a bound: "more than 5", "5 or more".
    fn is_bound(&self, number: usize) -> bool {
        (0..number)
            .rev()
            .take(2)
            .any(|before| OPERATORS.iter().any(|(lexical, _)| self.mentions[before].is(*lexical)))
            || self
                .mentions
                .get(number + 1)
                .is_some_and(|after| after.is(Lexical::OrMore) || after.is(Lexical::OrLess))
    }

    /// Thing of the catalog right behind a number.
    fn noun_behind(&self, next: usize) -> Option<&Target> {
        let noun = self.mentions.get(next)?;
        (!noun.is(Lexical::Of) && self.part(next) == Part::Schema).then(|| self.target(next))?
    }

    /// "more than 5 orders": a number of related rows, or of what is counted; gives back where to go on.
    fn compare_rows(&mut self, bound: &Bound, next: usize) -> Option<usize> {
        if !self.is_bound(bound.number) {
            return None;
        }
        if let Some((at, table)) = self.qualified_table(next)
            && self.frame.head.is_some_and(|(head, _)| head != table)
        {
            self.last_table = Some(table);
            self.frame.conditions.push(bound.on_count(table, at));
            return Some(next);
        }
        if let Some(table) = self.rows_of_column(next) {
            self.last_table = Some(table);
            self.subject = Some(next);
            self.frame.conditions.push(bound.on_count(table, next));
            return Some(next + 1);
        }
        let Some(Target::Table(table)) = self.noun_behind(next).cloned() else { return None };
        let counted = MeasureTarget::Count(CountTarget::Rows(table));
        if let Some(measure) = self.frame.measures.iter().find(|it| it.target == counted) {
            self.frame.conditions.push(bound.on_measure(measure.at));
            return Some(next + 1);
        }
        if self.frame.head.is_none()
            && self.frame.outputs.is_empty()
            && self.frame.measures.is_empty()
            && let Some(owner) = self.who_has(table)
        {
            self.frame.head = Some((owner, 0));
        }
        // "which months had more than 50 orders": the rows of each period are counted.
        let periods = matches!(self.frame.groups.as_slice(), [Group::Period { .. }]);
        if periods && self.frame.head.is_none() && self.frame.measures.is_empty() {
            self.add_measure(Measure { target: counted, at: next });
            self.frame.conditions.push(bound.on_measure(next));
            return Some(next + 1);
        }
        let other = self.counts_in_groups(table)
            || self.frame.head.is_some_and(|(head, _)| head != table)
            || self.frame.head.is_none() && !self.frame.outputs.is_empty();
        if !other {
            self.block(bound.number, "it is not clear what is compared");
            return Some(next);
        }
        self.last_table = Some(table);
        self.frame.conditions.push(bound.on_count(table, next));
        Some(next + 1)
    }

    /// Whether rows of a table are counted for each group: "for each department that has more than 2 employees", "types of
    /// documents with more than 4 documents", "how many cities have more than 3 airports", where cities are a column.
    fn counts_in_groups(&mut self, table: TableId) -> bool {
        if let ([Group::Table(group, at)], None) = (self.frame.groups.as_slice(), self.frame.head)
            && *group != table
        {
            self.frame.head = Some((*group, *at));
            return true;
        }
        let own = |at: usize| match self.target(at) {
            Some(Target::Column(column)) => {
                let key = self.catalog.column_at(*column).unique || self.is_foreign(*column);
                let names = self.index.profile(table).label.contains(column);
                column.table == table && !key && !names
            }
            _ => false,
        };
        let Some((head, named)) = self.frame.head else {
            let [counted] = self.frame.measures.as_slice() else { return false };
            return matches!(counted.target, MeasureTarget::Count(CountTarget::Values { .. }))
                && own(counted.at);
        };
        let outputs = &self.frame.outputs;
        // "Job titles of employees with more than 3 employees" may mean those that report to them.
        let of_itself = self.index.edges(table).iter().any(|edge| edge.to == table);
        let of_kinds = head == table
            && !of_itself
            && !outputs.is_empty()
            && outputs.iter().all(|output| *output < named && own(*output))
            && self.frame.measures.is_empty()
            && self.frame.groups.is_empty()
            && self.frame.conditions.is_empty();
        if of_kinds {
            self.frame.head = None;
        }
        of_kinds
    }

    /// "More than 5 employees earning over 60000": the rows that a column is told of together with their noun.
    fn rows_of_column(&self, at: usize) -> Option<TableId> {
        let Some(Target::Column(column)) = self.noun_behind(at) else { return None };
        let phrase = self.mentions[at].phrase.to_lowercase();
        let (noun, _) = phrase.split_once(' ')?;
        let named = self.index.profile(column.table).stems.last() == Some(&crate::text::stem(noun));
        let head = self.frame.head.map(|(head, _)| head);
        (named && noun.ends_with('s') && head.is_some_and(|head| head != column.table))
            .then_some(column.table)
    }

    /// "who has more than one policy": the only rows that those of the table belong to.
    fn who_has(&self, table: TableId) -> Option<TableId> {
        let asked = self.mentions.first()?.phrase.to_lowercase();
        let mut owners: Vec<TableId> = self
            .index
            .edges(table)
            .iter()
            .filter(|edge| edge.forward && edge.to_one && edge.to != table)
            .map(|edge| edge.to)
            .collect();
        owners.dedup();
        match owners.as_slice() {
            [only] if asked.split(' ').next() == Some("who") => Some(*only),
            _ => None,
        }
    }

    /// "more than 5 credits": a column with numbers behind the number; gives back where to go on.
    fn compare_column_behind(&mut self, bound: &Bound, next: usize) -> Option<usize> {
        let Some(Target::Column(column)) = self.noun_behind(next).cloned() else { return None };
        if !self.catalog.column_at(column).data_type.is_numeric() {
            return None;
        }
        let percent = self.mentions[bound.number].number.as_ref().is_some_and(|it| it.percent);
        let most =
            self.catalog.column_at(column).maximum.as_ref().and_then(|most| most.parse().ok());
        // "More than 10% of the total", where the total is no percentage.
        if percent && most.is_some_and(|most: f64| most > 100.0) {
            self.block(bound.number, "a comparison with a part of another column takes two steps");
            return Some(next + 1);
        }
        let same =
            self.subject.filter(|subject| self.target(*subject) == Some(&Target::Column(column)));
        self.frame.outputs.retain(|output| Some(*output) != same);
        self.frame.conditions.push(bound.clone().on_column(Some(next), Vec::new()));
        Some(next + 1)
    }

    /// Unit behind a number, if there is one, and where to go on.
    fn unit_behind(&self, next: usize) -> (Option<String>, usize) {
        let Some(follower) = self.mentions.get(next) else { return (None, next) };
        if self.is_unit(&follower.phrase) && !matches!(self.target(next), Some(Target::Table(_))) {
            return (Some(follower.phrase.clone()), next + 1);
        }
        let aged = self.subject.and_then(|subject| self.mentions[subject].duration);
        let years =
            aged.is_some_and(|duration| duration.age) && follower.grain == Some(TimeGrain::Year);
        (None, next + usize::from(years))
    }

    /// Compares what is counted or computed right before; whether anything is.
    fn compare_counted(&mut self, bound: &Bound) -> bool {
        if self.subject.is_none()
            && let Some(Measure { target: MeasureTarget::Count(CountTarget::Rows(table)), at }) =
                self.frame.measures.last().cloned()
            && self.frame.head.is_some_and(|(head, _)| head != table)
        {
            self.frame.measures.pop();
            self.frame.conditions.push(bound.on_count(table, at));
            return true;
        }
        let measured = self
            .subject
            .filter(|subject| self.frame.measures.iter().any(|measure| measure.at == *subject));
        self.frame.conditions.extend(measured.map(|at| bound.on_measure(at)));
        measured.is_some()
    }

    /// "price above 100", "over 65": the thing named before is compared, else what the composer finds.
    fn compare_subject(&mut self, bound: Bound) {
        let roles = self.compared_roles(bound.number);
        // "freight by country of orders over 100", "salaries of employees earning less than 6000": what is grouped by is
        // not compared behind other rows, nor what is shown where the comparative says another column.
        let said = (0..bound.number).rev().find(|before| self.part(*before) == Part::Schema);
        let rows = said.is_some_and(|said| matches!(self.target(said), Some(Target::Table(_))));
        let grouped = self.subject.is_some_and(|subject| {
            self.frame
                .groups
                .iter()
                .any(|group| matches!(group, Group::Thing(at) if *at == subject))
        });
        let subject = self.subject.filter(|_| !rows || !grouped && roles.is_empty());
        let column = subject.filter(|subject| match self.target(*subject) {
            Some(Target::Column(column)) => {
                roles.is_empty() || self.catalog.column_at(*column).data_type != DataType::Text
            }
            Some(Target::Metric(_)) => true,
            _ => self.mentions[*subject].concept.is_some(),
        });
        if let Some(column) = column {
            self.frame.outputs.retain(|output| *output != column);
            let own = Measure { target: MeasureTarget::Own, at: column };
            if self.frame.superlative.as_ref().and_then(|superlative| superlative.by.as_ref())
                == Some(&own)
            {
                self.block(bound.number, "an order and a comparison of the same column");
            }
        }
        self.frame.conditions.push(bound.on_column(column, roles));
    }

    /// "ordered more than 10 times": a number of the rows that record what was done.
    fn count_times(&mut self, number: usize, operator: Comparison, value: String) {
        let head = self.frame.head.map(|(head, _)| head);
        let done = (0..number).rev().find(|&before| self.part(before) == Part::Schema);
        let table = done.and_then(|done| match self.target(done) {
            Some(Target::Table(table)) => Some(*table),
            Some(Target::Column(column))
                if self.catalog.column_at(*column).data_type.is_temporal() =>
            {
                Some(column.table)
            }
            _ => None,
        });
        let (Some(done), Some(table)) = (done, table.filter(|table| Some(*table) != head)) else {
            self.block(number, "it is not clear what was done so many times");
            return;
        };
        self.frame.related.retain(|related| related.at != done);
        self.frame.outputs.retain(|output| *output != done);
        self.frame.linking.retain(|linking| *linking != done);
        self.last_table = Some(table);
        self.frame.conditions.push(Condition::CountOf { table, operator, value, at: done });
    }

    /// Table behind one or two words that qualify it: "2 open wounds".
    fn qualified_table(&self, at: usize) -> Option<(usize, TableId)> {
        (at + 1..(at + 3).min(self.mentions.len())).find_map(|position| {
            let qualified = (at..position).all(|before| {
                matches!(self.part(before), Part::Vague(_))
                    || matches!(self.target(before), Some(Target::Value(..)))
                    || matches!(self.target(before), Some(Target::Column(column))
                        if self.catalog.column_at(*column).is_flag())
            });
            match self.target(position) {
                Some(Target::Table(table)) if qualified => Some((position, *table)),
                _ => None,
            }
        })
    }

    /// Roles that the comparative before the number names.
    pub(super) fn compared_roles(&self, number: usize) -> Vec<Role> {
        let comparative = (0..number).rev().take(2).find(|&at| {
            let mention = &self.mentions[at];
            OPERATORS.iter().any(|(lexical, _)| mention.is(*lexical))
                || mention.is(Lexical::Between)
        });
        comparative
            .map(|at| {
                self.lexicon.compared_roles(&crate::text::fold(&self.mentions[at].phrase)).to_vec()
            })
            .unwrap_or_default()
    }

    /// Whether a word is a unit, of some column or in general.
    fn is_unit(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        self.units.knows(&word)
            || self
                .catalog
                .tables
                .iter()
                .flat_map(|table| &table.columns)
                .any(|column| column.unit.as_ref().is_some_and(|unit| unit.to_lowercase() == word))
    }
}
