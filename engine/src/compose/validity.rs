//! What holds from one date until another: "coupons valid today", with `valid_from` and `valid_until`.

use super::context::Composer;
use crate::data::Role;
use crate::intent::{DateRange, Predicate};
use crate::linking::{ColumnId, Named, Target};
use crate::reading::TimeSpec;

impl Composer<'_> {
    /// Condition that rows hold at some time within a range, where one word before the time fits the date on which they
    /// begin to as well as the one on which they cease to.
    pub(super) fn held_within(&self, time: &TimeSpec, range: &DateRange) -> Option<Predicate> {
        let mention = self.mentions.get(time.column?)?;
        let dates: Vec<ColumnId> = mention
            .readings
            .iter()
            .filter_map(|reading| match reading.target {
                Target::Column(column) => Some(column),
                _ => None,
            })
            .collect();
        let [one, other] = dates.as_slice() else { return None };
        let ends = |column: ColumnId| self.schema.has_role(column, Role::EndDate);
        let (from, until) = match (ends(*one), ends(*other)) {
            (false, true) => (*one, *other),
            (true, false) => (*other, *one),
            _ => return None,
        };
        let pair = [from, until].iter().all(|column| {
            column.table == from.table
                && self.catalog.column_at(*column).data_type.is_temporal()
                && self.schema.words_of(*column).len() > 1
        });
        let start = range.start.clone().filter(|_| pair)?;
        let (from, until) = (self.catalog.reference(from), self.catalog.reference(until));
        Some(Predicate::All {
            conditions: vec![
                Predicate::InRange {
                    column: from,
                    range: DateRange { start: None, end: range.end.clone() },
                },
                Predicate::Any {
                    conditions: vec![
                        Predicate::IsNull { column: until.clone(), negated: false },
                        Predicate::InRange {
                            column: until,
                            range: DateRange { start: Some(start), end: None },
                        },
                    ],
                },
            ],
        })
    }
}
