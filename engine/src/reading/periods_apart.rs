//! Rows that there are in one period and not in another.
//!
//! Valid: "customers with orders in 2024 and no orders in 2025", like "customers who ordered in 2024 but not in 2025".

use super::frame::TableUse;
use super::parse::Parser;

impl Parser<'_> {
    /// Takes rows that there must be none of, where there must be some of the same table before, as their second period.
    pub(super) fn find_other_period(&mut self) {
        let related = &self.frame.related;
        let pair = related.iter().find_map(|denied| {
            let held = related.iter().find(|held| {
                held.table == denied.table && held.at < denied.at && held.how != TableUse::Without
            })?;
            (denied.how == TableUse::Without).then_some((held.at, *denied))
        });
        let Some((held, denied)) = pair else { return };
        let [first, second] = self.frame.times.as_mut_slice() else { return };
        let apart = (held..denied.at).contains(&first.at) && second.at > denied.at;
        if apart && !first.negated && !second.negated {
            second.negated = true;
            self.frame.related.retain(|related| *related != denied);
        }
    }
}
