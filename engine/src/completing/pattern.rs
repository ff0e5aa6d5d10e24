//! Patterns of continuations, split into words and slots once per engine.

use super::rank::small;
use crate::data::{Completions, Feature, Offer, Position, Slot};

/// A word or a slot of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Something of the catalog, or of a list.
    Slot(Slot),
    /// A word as it is.
    Word(String),
}

/// A pattern of a continuation.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// Words and slots.
    pub(super) pieces: Vec<Piece>,
    /// Places at which it is offered.
    pub(super) after: Vec<Position>,
    /// What it offers.
    pub(super) offers: Offer,
    /// Rank, the likelier the larger.
    pub(super) weight: i32,
    /// What the text needs to have.
    needs: Vec<Feature>,
    /// What the text must not have.
    unless: Vec<Feature>,
}

impl Pattern {
    /// The patterns of the data file; of those of one entry, the first ones rank higher.
    pub(super) fn all(file: &Completions) -> Vec<Self> {
        let of = |entry: &crate::data::Continuation, at: usize, say: &str| Self {
            pieces: say.split(' ').map(piece).collect(),
            after: entry.after.clone(),
            offers: entry.offers,
            weight: entry.weight - 2 * small(at),
            needs: entry.needs.clone(),
            unless: entry.unless.clone(),
        };
        let entries = file.continuations.iter();
        entries
            .flat_map(|entry| entry.say.iter().enumerate().map(move |(at, say)| of(entry, at, say)))
            .collect()
    }

    /// Whether it is offered at one of these places of a text with these features.
    pub(super) fn fits(&self, positions: &[Position], features: &[Feature]) -> bool {
        self.after.iter().any(|position| positions.contains(position))
            && self.needs.iter().all(|feature| features.contains(feature))
            && !self.unless.iter().any(|feature| features.contains(feature))
    }

    /// The slot, if the pattern is nothing else.
    pub(super) fn only_slot(&self) -> Option<Slot> {
        match self.pieces.as_slice() {
            [Piece::Slot(slot)] => Some(*slot),
            _ => None,
        }
    }
}

fn piece(word: &str) -> Piece {
    // The build has checked the names of the slots.
    match Slot::of(word) {
        Some(Ok(slot)) => Piece::Slot(slot),
        _ => Piece::Word(word.to_owned()),
    }
}
