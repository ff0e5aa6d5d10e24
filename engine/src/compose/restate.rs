//! Parts of a frame that mean something else once it is known what is stored.

use super::context::Composer;
use crate::catalog::Coverage;
use crate::intent::Aggregate;
use crate::linking::{ColumnId, Lexical, Named, TableId, Target};
use crate::reading::{Condition, CountTarget, Frame, Group, Measure, MeasureTarget, TableUse};

impl Composer<'_> {
    /// The frame with the parts restated that would say nothing as they stand.
    pub(super) fn restate(&mut self, frame: &mut Frame) {
        self.rank_related_rows(frame);
        let head = self.head(frame);
        self.turn_superlative(frame, head);
        self.count_what_was_done(frame);
        self.list_own_groups(frame);
        self.count_rows_of_value(frame);
        self.group_by_all_values(frame);
        self.end_of_all_rows(frame);
        self.show_what_is_asked_of_row(frame);
    }

    /// "Which nurse was on call most often": the rows that record it are counted.
    fn count_what_was_done(&self, frame: &mut Frame) {
        let Some((head, rows)) = frame.head else { return };
        let Some(superlative) = &mut frame.superlative else { return };
        if !superlative.counted || superlative.by.is_some() || !frame.measures.is_empty() {
            return;
        }
        let [related] = frame.related.as_slice() else { return };
        let many = self.schema.distance(related.table, head).is_some_and(|(_, many)| !many);
        let said = (rows..superlative.at).contains(&related.at);
        if many && said && related.table != head && related.how != TableUse::Without {
            let target = MeasureTarget::Count(CountTarget::Rows(related.table));
            superlative.by = Some(Measure { target, at: related.at });
            frame.related.clear();
        }
    }

    /// "Which customer placed the latest order": the orders are ranked, and what is asked of the first is whose it is.
    fn rank_related_rows(&self, frame: &mut Frame) {
        let Some(superlative) = &frame.superlative else { return };
        let Some((head, asked)) = frame.head else { return };
        let plain = !superlative.roles.is_empty()
            && !superlative.counted
            && frame.measures.is_empty()
            && frame.groups.is_empty();
        let between = |from: usize, to: usize, kinds: &[Lexical]| {
            (from + 1..to).all(|at| {
                let mention = &self.mentions[at];
                mention.readings.is_empty() && kinds.iter().any(|kind| mention.is(*kind))
            })
        };
        let ranked = frame.related.iter().position(|related| {
            let one = self
                .schema
                .distance(related.table, head)
                .is_some_and(|(joins, to_many)| joins > 0 && !to_many);
            let said = match &superlative.by {
                None => {
                    superlative.at < related.at
                        && between(superlative.at, related.at, &[Lexical::Filler])
                }
                Some(by) => {
                    let own = matches!(self.target(by.at), Some(Target::Column(column))
                        if column.table == related.table);
                    let with = [Lexical::With, Lexical::Of, Lexical::Filler];
                    by.target == MeasureTarget::Own
                        && own
                        && related.at < superlative.at
                        && between(related.at, superlative.at, &with)
                }
            };
            related.how != TableUse::Without
                && one
                && said
                && asked < related.at
                && !self.phrase(related.at).to_lowercase().ends_with('s')
        });
        let Some(ranked) = ranked.filter(|_| plain) else { return };
        // "Clinicians who treated the oldest patient": the verb leads through other rows than a key to whose it is.
        let table = frame.related[ranked].table;
        let between = (asked + 1..superlative.at).any(|at| {
            let of = self.target(at).and_then(|target| target.table());
            of.is_some_and(|of| of != table && of != head)
        });
        if between && superlative.by.is_none() {
            let (roles, at) = (superlative.roles.clone(), superlative.at);
            let highest = superlative.descending;
            frame.conditions.push(Condition::Extreme { table, column: None, roles, highest, at });
            frame.superlative = None;
            return;
        }
        let ranked = frame.related.remove(ranked);
        frame.head = Some((ranked.table, ranked.at));
        if frame.outputs.is_empty() {
            frame.output_tables.push((head, asked));
        }
    }

    /// "The author and the result of each submission": a row for each of them, where no figure is asked for.
    fn list_own_groups(&self, frame: &mut Frame) {
        let figure = !frame.measures.is_empty()
            || frame.superlative.is_some()
            || frame.trend.is_some()
            || frame.conditions.iter().any(|condition| {
                matches!(condition, Condition::CountOf { .. } | Condition::Measure { .. })
            });
        let [group] = frame.groups.as_slice() else { return };
        let head = frame.head.map(|(head, _)| head);
        let key = |at: usize| match self.target(at) {
            Some(Target::Column(column)) => {
                head == Some(column.table)
                    && self.schema.profile(column.table).primary_key == [column]
            }
            _ => false,
        };
        // One row of each group has what is shown.
        let has_one = |table: TableId| {
            frame.outputs.iter().all(|at| {
                let shown = self.target(*at).and_then(|target| target.table());
                shown.is_some_and(|shown| {
                    self.schema.distance(table, shown).is_some_and(|(_, to_many)| !to_many)
                })
            })
        };
        match *group {
            Group::Table(table, _) if head == Some(table) && !figure => frame.groups.clear(),
            Group::Table(table, at)
                if head.is_none() && !figure && !frame.outputs.is_empty() && has_one(table) =>
            {
                frame.groups.clear();
                frame.head = Some((table, at));
            }
            Group::Thing(at) if key(at) && !figure => {
                frame.groups.clear();
                frame.outputs.retain(|output| *output != at);
                frame.outputs.insert(0, at);
            }
            _ => {}
        }
    }

    /// "The number of tests with result Fail": the rows with a value are counted, not the values of its column.
    fn count_rows_of_value(&self, frame: &mut Frame) {
        let fixed: Vec<ColumnId> =
            frame.conditions.iter().filter_map(|condition| self.valued(condition)).collect();
        for measure in &mut frame.measures {
            let MeasureTarget::Count(CountTarget::Values { .. }) = measure.target else { continue };
            if let Some(Target::Column(column)) = self.target(measure.at)
                && fixed.contains(&column)
            {
                measure.target = MeasureTarget::Count(CountTarget::Rows(column.table));
            }
        }
    }

    /// "How many male and female artists are there": all values of a column restrict nothing, so that each is a group.
    fn group_by_all_values(&self, frame: &mut Frame) {
        let free = frame.groups.is_empty() && frame.superlative.is_none() && frame.share.is_none();
        let either = self.mentions.iter().any(|mention| mention.is(Lexical::Or));
        if !free || either || frame.measures.is_empty() {
            return;
        }
        let all = frame.conditions.iter().position(|condition| match condition {
            Condition::Values { at, negated: false, .. } if at.len() > 1 => {
                self.valued(condition).is_some_and(|column| {
                    // A row of a group has one of the values; patients can have wounds of all types.
                    let counted = frame.head.map_or(column.table, |(head, _)| head);
                    let one = self
                        .schema
                        .distance(counted, column.table)
                        .is_some_and(|(_, to_many)| !to_many);
                    one && self.are_all_values(column, at)
                })
            }
            _ => false,
        });
        let Some(all) = all else { return };
        if let Condition::Values { at, .. } = frame.conditions.remove(all) {
            frame.groups.extend(at.first().map(|at| Group::Thing(*at)));
        }
    }

    /// "The highest price of all products": one figure, not the row that has it.
    fn end_of_all_rows(&self, frame: &mut Frame) {
        let Some(superlative) = &frame.superlative else { return };
        let Some(by) = superlative.by.clone().filter(|by| by.target == MeasureTarget::Own) else {
            return;
        };
        let Some(Target::Column(column)) = self.target(by.at) else { return };
        let named = frame
            .related
            .iter()
            .find(|related| related.how == TableUse::Path && related.table == column.table);
        let rows = frame.head.or(named.map(|related| (related.table, related.at)));
        let Some((head, rows)) = rows else { return self.end_of_unnamed_rows(frame, &by) };
        let adjective =
            self.mentions.get(superlative.at).is_some_and(|mention| mention.superlative.is_some());
        let own = column.table == head;
        let behind = superlative.at < by.at
            && by.at < rows
            && (by.at + 1..rows).all(|at| {
                let mention = &self.mentions[at];
                mention.readings.is_empty()
                    && ![Lexical::And, Lexical::Where, Lexical::With]
                        .iter()
                        .any(|kind| mention.is(*kind))
            })
            && (0..superlative.at).all(|at| !self.mentions[at].is(Lexical::With));
        let plural = self.phrase(rows).to_lowercase().ends_with('s');
        let alone = frame.outputs.is_empty()
            && frame.output_tables.is_empty()
            && frame.measures.is_empty()
            && superlative.limit.is_none()
            && frame.limit.is_none();
        if adjective && own && behind && plural && alone {
            let function =
                if superlative.descending { Aggregate::Maximum } else { Aggregate::Minimum };
            frame.measures.push(Measure { target: MeasureTarget::Aggregate(function), at: by.at });
            frame.head = Some((head, rows));
            frame.related.retain(|related| related.at != rows);
            frame.superlative = None;
        }
    }

    /// "The lowest salary in the Sales department": one figure of rows that are not named.
    fn end_of_unnamed_rows(&self, frame: &mut Frame, by: &Measure) {
        let Some(superlative) = &frame.superlative else { return };
        let first = (0..superlative.at).all(|at| self.target(at).is_none());
        let alone = frame.outputs.is_empty()
            && frame.output_tables.is_empty()
            && frame.measures.is_empty()
            && frame.order.is_empty()
            && superlative.limit.is_none()
            && frame.limit.is_none();
        let amount = matches!(self.target(by.at), Some(Target::Column(column))
            if self.catalog.column_at(column).data_type.is_numeric());
        if superlative.figure && first && alone && amount && superlative.at < by.at {
            let function =
                if superlative.descending { Aggregate::Maximum } else { Aggregate::Minimum };
            frame.measures.push(Measure { target: MeasureTarget::Aggregate(function), at: by.at });
            frame.superlative = None;
        }
    }

    /// Column whose value a condition asks for.
    fn valued(&self, condition: &Condition) -> Option<ColumnId> {
        let Condition::Values { at, negated: false, .. } = condition else { return None };
        match self.target(*at.first()?) {
            Some(Target::Value(column, _)) => Some(column),
            _ => None,
        }
    }

    /// Whether mentions name all values that a column has.
    fn are_all_values(&self, column: ColumnId, at: &[usize]) -> bool {
        let Some(list) = &self.catalog.column_at(column).values else { return false };
        let said = |value: &String| {
            at.iter().any(|at| {
                matches!(self.target(*at), Some(Target::Value(of, named))
                    if of == column && named == *value)
            })
        };
        list.coverage == Coverage::Complete && list.values.iter().all(said)
    }
}
