//! Numbers beside rows: "guests with more than 5 bookings and how many they have".

use super::frame::{Condition, CountTarget, Group, Measure, MeasureTarget};
use super::parse::Parser;
use crate::linking::Lexical;

impl Parser<'_> {
    /// "guests with more than 5 bookings and how many they have": the number stands beside the rows.
    pub(super) fn count_beside_rows(&mut self) {
        let (Some(at), Some((head, said))) = (self.count, self.frame.head) else { return };
        let joined = at.checked_sub(1).is_some_and(|before| self.mentions[before].is(Lexical::And));
        let counted = self.frame.conditions.iter().find_map(|condition| match condition {
            Condition::CountOf { table, at, .. } => Some((*table, *at)),
            _ => None,
        });
        let plain = self.frame.measures.is_empty() && self.frame.groups.is_empty();
        if let (Some((table, counted)), true) = (counted, joined && plain && said < at) {
            self.count = None;
            self.frame.groups.push(Group::Table(head, said));
            let target = MeasureTarget::Count(CountTarget::Rows(table));
            self.frame.measures.push(Measure { target, at: counted });
        }
    }
}
