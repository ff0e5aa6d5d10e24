//! One of two conditions: "products that cost more than 5 or are discontinued".
//!
//! Valid: one condition before "or" and one behind it, with others before the noun or before "either". Invalid, so that
//! it is refused: "products in Germany over 5 or below 2", where it is open whether Germany holds for both.

use super::attachment::places;
use super::frame::{Condition, Either, Related, Side, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::linking::Lexical;

const SEVERAL: &str = "alternatives of different kinds have several readings";

impl Parser<'_> {
    /// Notes an "or" between a condition and one of another kind.
    pub(super) fn between_conditions(&mut self, or: usize) {
        self.between.push(or);
    }

    /// Finds the two conditions that an "or" stands between; refuses where it is open which they are.
    pub(super) fn find_either(&mut self) {
        self.between.extend(self.unread_or().filter(|_| self.between.is_empty()));
        let Some(or) = self.between.first().copied() else {
            return self.refuse_lone_either();
        };
        // "To Germany or to France": values that one row cannot have both of were put together.
        let listed = self.spans_values(or);
        if listed && self.between.len() == 1 && places(&self.frame).len() == 1 {
            return;
        }
        match self.either_side(or).filter(|_| self.between.len() == 1 && !listed) {
            Some(either) => {
                self.inherit(or, either);
                self.forget_dates(or);
                self.frame.either = Some(either);
            }
            None => self.block(or, SEVERAL),
        }
    }

    /// Whether values of one condition stand before and behind a place.
    fn spans_values(&self, or: usize) -> bool {
        self.frame.conditions.iter().any(|condition| match condition {
            Condition::Values { at, .. } => at.first() < Some(&or) && Some(&or) < at.last(),
            _ => false,
        })
    }

    /// An "or" between two conditions that joins no values, numbers or times.
    fn unread_or(&self) -> Option<usize> {
        let places = places(&self.frame);
        let joins = |or: usize| {
            let listed = self.spans_values(or);
            let times = self.frame.times.iter().any(|time| !time.others.is_empty());
            listed || times || self.frame.coordination.is_some()
        };
        (0..self.mentions.len()).find(|or| {
            let mention = &self.mentions[*or];
            self.part(*or) == Part::Lexical
                && mention.phrase.eq_ignore_ascii_case("or")
                && places.iter().any(|place| place < or)
                && places.iter().any(|place| place > or)
                && !joins(*or)
        })
    }

    /// "Either in division AS, or in EN": refuses where nothing that was read is one of several.
    fn refuse_lone_either(&mut self) {
        let Some(start) = (0..self.mentions.len()).find(|at| self.says_either(*at)) else { return };
        let listed = self.frame.conditions.iter().any(|condition| match condition {
            Condition::Values { at, .. } => at.len() > 1 && at.last() > Some(&start),
            other => !self.mentions[other.at()].or_numbers.is_empty(),
        });
        let times = self.frame.times.iter().any(|time| !time.others.is_empty());
        let stands_alone = self.mentions[start + 1..].iter().any(|mention| mention.is(Lexical::Or));
        if stands_alone && !listed && !times && self.frame.coordination.is_none() {
            self.block(start, SEVERAL);
        }
    }

    fn says_either(&self, at: usize) -> bool {
        self.mentions[at].phrase.eq_ignore_ascii_case("either")
    }

    fn either_side(&mut self, or: usize) -> Option<Either> {
        let (before, behind): (Vec<usize>, Vec<usize>) =
            places(&self.frame).into_iter().partition(|place| *place < or);
        // "Discontinued products that are cheap or heavy": what stands before the noun holds for both.
        let noun = self.frame.head.map(|(_, at)| at).filter(|at| *at < or);
        let start = (0..or).rev().find(|at| self.says_either(*at)).or(noun).unwrap_or_default();
        let before: Vec<usize> = before.into_iter().filter(|place| *place >= start).collect();
        let denied = (0..or).any(|at| {
            self.part(at) == Part::Lexical
                && (self.mentions[at].is(Lexical::Not) || self.mentions[at].is(Lexical::Without))
        });
        let counted = self
            .frame
            .conditions
            .iter()
            .any(|condition| matches!(condition, Condition::Measure { .. }));
        let unread = self.frame.unread.iter().any(|at| *at > start);
        if denied || counted || unread || self.asks_behind(or) {
            return None;
        }
        let (before_or, behind_or): (Vec<Related>, Vec<Related>) =
            self.frame.related.iter().copied().partition(|related| related.at < or);
        let said: Vec<Related> =
            before_or.iter().filter(|related| related.at >= start).copied().collect();
        let one = side(&before, &said, &behind_or)?;
        let other = side(&behind, &behind_or, &said)?;
        // "Courses registered or attended by Ada": what stands behind the second verb may be said of the first as well.
        let bare = matches!(one, Side::Rows(_)) && matches!(other, Side::Condition(_));
        if bare && !behind_or.is_empty() {
            return None;
        }
        let leading = said.iter().chain(&behind_or).map(|related| (related.table, related.at));
        self.frame.leading.extend(leading);
        self.frame.related = before_or.into_iter().filter(|related| related.at < start).collect();
        Some(Either { one, other, or })
    }

    /// Whether more than a condition is said behind "or".
    fn asks_behind(&self, or: usize) -> bool {
        let frame = &self.frame;
        let measured = frame.measures.iter().any(|measure| measure.at > or);
        let shown = frame.outputs.iter().chain(frame.output_tables.iter().map(|(_, at)| at));
        let ranked = frame.superlative.as_ref().is_some_and(|superlative| superlative.at > or);
        measured || ranked || shown.copied().any(|at| at > or) || frame.coordination.is_some()
    }

    /// "Shipped by Ada or placed in 2016": a time behind "or" is not of the date named before it.
    fn forget_dates(&mut self, or: usize) {
        for time in self.frame.times.iter_mut().filter(|time| time.at > or) {
            time.column = time.column.filter(|column| *column > or);
        }
    }

    /// "lower than 600 or higher than 900", "contains rock or roll": what is said of the first holds for the second.
    fn inherit(&mut self, or: usize, either: Either) {
        let (Side::Condition(one), Side::Condition(other)) = (either.one, either.other) else {
            return;
        };
        let mut number = None;
        let mut text = None;
        for condition in &self.frame.conditions {
            match condition {
                Condition::Compare { column, roles, unit, at, .. } if *at == one => {
                    number = Some((*column, roles.clone(), unit.clone()));
                }
                Condition::Text { column, matching, at, .. } if *at == one => {
                    text = Some((*column, *matching));
                }
                _ => {}
            }
        }
        let named = (or..other).any(|at| self.part(at) == Part::Schema);
        for condition in &mut self.frame.conditions {
            match (condition, &number, text) {
                (Condition::Compare { column, roles, unit, at, .. }, Some(said), _)
                    if *at == other && !named =>
                {
                    let before = column.filter(|column| *column < or);
                    if before.is_some() && before != said.0 {
                        *column = None;
                    }
                    if column.is_none() && (roles.is_empty() || *roles == said.1) {
                        (*column, *roles) = (said.0, said.1.clone());
                        *unit = unit.take().or_else(|| said.2.clone());
                    }
                }
                (Condition::Text { column, matching, at, .. }, _, Some(said))
                    if *at == other && !named && column.is_none() =>
                {
                    (*column, *matching) = (said.0, matching.or(said.1));
                }
                _ => {}
            }
        }
    }
}

/// What one side of "or" says: its only condition, or that there are rows of the only table that the other side does
/// not name.
fn side(places: &[usize], said: &[Related], elsewhere: &[Related]) -> Option<Side> {
    match places {
        [only] => Some(Side::Condition(*only)),
        [] => {
            let own = |related: &&Related| {
                related.how == TableUse::With
                    && elsewhere.iter().all(|other| other.table != related.table)
            };
            let mut tables = said.iter().filter(own);
            tables.next().filter(|_| tables.next().is_none()).map(|only| Side::Rows(only.table))
        }
        _ => None,
    }
}
