//! Medians: an average whose word says that the middle value is meant.
//!
//! Valid: "median price of products", "median order value by country". Invalid, so that it is refused: a median beside
//! another average, and a comparison with one ("priced above the median").

use super::parse::Parser;
use super::part::Part;
use crate::linking::{Lexical, Target};

/// Why a median is refused beside other constructions.
const MIXED: &str = "a median takes two steps beside what else is asked";

impl Parser<'_> {
    /// Whether a median is said of rows: "products with the median price".
    fn describes_rows(&self, said: usize) -> bool {
        let listed = self.frame.head.filter(|(_, at)| *at < said);
        listed.is_some_and(|(_, at)| {
            self.mentions[at..said]
                .iter()
                .any(|mention| mention.is(Lexical::With) || mention.is(Lexical::Where))
        })
    }

    /// Refuses a median that is no figure of its own.
    pub(super) fn finish_median(&mut self) {
        let averages: Vec<usize> = (0..self.mentions.len())
            .filter(|at| self.part(*at) == Part::Lexical && self.mentions[*at].is(Lexical::Average))
            .collect();
        let Some(said) = averages.iter().copied().find(|at| self.mentions[*at].is(Lexical::Median))
        else {
            return;
        };
        let mixed = averages.len() > 1
            || self.frame.median.is_none()
            || self.frame.measures.len() > 1
            || self.frame.share.is_some()
            || self.frame.growth.is_some()
            || self.describes_rows(said)
            || matches!(self.target(said + 1), Some(Target::Column(column)) if self.is_date(*column));
        if mixed {
            self.block(said, MIXED);
        }
    }
}
