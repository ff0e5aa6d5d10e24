//! Values beside the noun of rows that refer to them: "who is in charge of the Kraków warehouse" asks for the warehouse
//! in Kraków, wherever the person lives.

use super::frame::Condition;
use super::parse::Parser;
use super::part::Part;
use crate::linking::{TableId, Target};

/// Most foreign keys from the rows of the noun to those that have the value.
const STEPS: usize = 2;

impl Parser<'_> {
    /// Notes through which rows a value is related that stands right beside their noun.
    pub(super) fn find_owners(&mut self) {
        let values: Vec<(usize, TableId)> = self
            .frame
            .conditions
            .iter()
            .filter_map(|condition| match condition {
                Condition::Values { at, hint: None, .. } => at.first().copied(),
                _ => None,
            })
            .filter_map(|at| Some((at, self.target(at)?.table()?)))
            .collect();
        for (at, table) in &values {
            let alone = values.iter().filter(|(_, other)| other == table).count() == 1;
            let Some(noun) = self.noun_of_value(*at).filter(|_| alone) else { continue };
            let asked = self.frame.head.is_some_and(|(head, _)| head == noun);
            let refers = self
                .index
                .distance(noun, *table)
                .is_some_and(|(joins, to_many)| (1..=STEPS).contains(&joins) && !to_many);
            if refers && !asked {
                self.frame.through.push((noun, *table));
            }
        }
    }

    /// Table whose noun stands right behind a value or right before it.
    fn noun_of_value(&self, at: usize) -> Option<TableId> {
        let table = |at: usize| match self.target(at) {
            Some(Target::Table(table)) if self.part(at) == Part::Schema => Some(*table),
            _ => None,
        };
        let beside = |one: usize, other: usize| {
            let (one, other) = (self.mentions.get(one)?, self.mentions.get(other)?);
            (one.tokens.end == other.tokens.start).then_some(())
        };
        let behind = beside(at, at + 1).and_then(|()| table(at + 1));
        behind.or_else(|| {
            let before = at.checked_sub(1)?;
            beside(before, at).and_then(|()| table(before))
        })
    }
}
