//! Puts names into the slots of a pattern.

use super::names::{Name, Names, RARE, Whereabouts, folded, middle};
use super::pattern::Piece;
use super::position::Sentence;
use super::rank::{is_owned, rank, small};
use super::typed::taken;
use crate::catalog::Catalog;
use crate::data::Slot;
use crate::linking::{Named, SchemaIndex, TableId};
use crate::order;

/// Names that are tried for a slot.
const NAMES: usize = 6;
/// Names that are tried for a later slot of the same pattern.
const MORE_NAMES: usize = 1;
/// Letters from which a word inside a name may be typed.
const INNER_LETTERS: usize = 3;
/// Cost of a value behind "in" whose column names no places.
const NO_PLACE: i32 = 12;
/// Cost of a name whose first words were not typed.
const INNER: i32 = 8;

/// Which names are wanted for a slot.
struct Wanted<'a> {
    slot: Slot,
    /// All words that are typed.
    typed: &'a [String],
    is_open: bool,
    /// How many are wanted.
    most: usize,
    /// Whether the table of a name is said elsewhere in the pattern.
    plain: bool,
}

/// What patterns are filled with.
pub(super) struct Filling<'a> {
    /// The catalog.
    pub(super) catalog: &'a Catalog,
    /// Its index.
    pub(super) schema: &'a SchemaIndex,
    /// Its names.
    pub(super) names: &'a Names,
    /// The words before.
    pub(super) sentence: &'a Sentence,
    /// This year.
    pub(super) year: i32,
}

/// A pattern that is filled up to some piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Filled {
    /// The words so far.
    pub(super) words: Vec<String>,
    /// How many typed words they took.
    pub(super) taken: usize,
    /// Sum of the ranks of the names.
    pub(super) rank: i32,
    table: Option<TableId>,
    slot: Option<Slot>,
}

impl Filled {
    /// Whether the name of a table fits the slot before: the rows of the column or value, and no rows twice.
    fn goes_with(&self, slot: Slot, name: &Name) -> bool {
        match (self.slot, slot) {
            (Some(Slot::Figure | Slot::Value), Slot::Rows) => self.table == name.table,
            (Some(Slot::Rows | Slot::Row), Slot::Rows) => self.table != name.table,
            _ => true,
        }
    }
}

impl Filling<'_> {
    /// The likeliest ways to fill a pattern whose words begin with the typed ones.
    pub(super) fn fill(&self, pieces: &[Piece], typed: &[String], is_open: bool) -> Vec<Filled> {
        let mut filled = vec![Filled::default()];
        let mut slots = 0;
        let names_rows = pieces.iter().any(|piece| matches!(piece, Piece::Slot(Slot::Rows)));
        for piece in pieces {
            let mut next = Vec::new();
            for so_far in &filled {
                match piece {
                    Piece::Word(word) => {
                        let rest = &typed[so_far.taken..];
                        let Some(count) = taken(rest, is_open, std::slice::from_ref(word)) else {
                            continue;
                        };
                        let mut longer = so_far.clone();
                        longer.taken += count;
                        longer.words.push(word.clone());
                        next.push(longer);
                    }
                    Piece::Slot(slot) => {
                        let most = if slots == 0 { NAMES } else { MORE_NAMES };
                        let plain = names_rows && *slot == Slot::Figure;
                        let wanted = Wanted { slot: *slot, typed, is_open, most, plain };
                        self.add_names(&wanted, so_far, &mut next);
                    }
                }
            }
            slots += usize::from(matches!(piece, Piece::Slot(_)));
            filled = next;
        }
        filled.retain(|filled| filled.taken == typed.len());
        filled
    }

    fn add_names(&self, wanted: &Wanted<'_>, so_far: &Filled, next: &mut Vec<Filled>) {
        let Wanted { slot, typed, is_open, most, plain } = *wanted;
        let rest = &typed[so_far.taken..];
        let computed = self.computed(slot);
        // Behind a column stand its own values.
        let column = self.sentence.column.filter(|_| slot == Slot::Value);
        let column = column.filter(|column| {
            let mut names = self.names.all.iter();
            names.any(|name| name.slot == slot && name.column == Some(*column))
        });
        let names = self.names.all.iter().filter(|name| name.slot == slot).chain(&computed);
        let mut found: Vec<(i32, &Name, usize, bool)> = Vec::new();
        for name in names {
            let is_owned = !plain && is_owned(self.sentence, so_far.table, name);
            let is_other = column.is_some_and(|column| name.column != Some(column));
            let is_rare = rest.is_empty() && slot == Slot::Value && name.weight <= RARE;
            let place = self.place_cost(slot, so_far, name);
            let Some(place) = place.filter(|_| !(is_other || is_rare)) else { continue };
            if !so_far.goes_with(slot, name) {
                continue;
            }
            let hit = [is_owned, !is_owned].into_iter().find_map(|owned| {
                let words = &name.folded[usize::from(owned)];
                if words.is_empty() || rest.is_empty() && owned != is_owned {
                    return None;
                }
                if let Some(count) = taken(rest, is_open, words) {
                    return Some((count, owned, 0));
                }
                is_inside(rest, is_open, words).then_some((1, owned, INNER))
            });
            let Some((count, owned, cost)) = hit else { continue };
            let rank = rank(self.schema, self.sentence, so_far.table, name) - cost - place;
            found.push((rank, name, count, owned));
        }
        order::by_key(&mut found, |(rank, ..)| -rank);
        for (rank, name, count, owned) in found.into_iter().take(most) {
            let mut longer = so_far.clone();
            longer.taken += count;
            longer.rank += rank;
            longer.words.push(if owned { name.owned.clone() } else { name.words.clone() });
            longer.table = name.table.or(longer.table);
            longer.slot = Some(slot);
            next.push(longer);
        }
    }

    /// Cost of a value behind "in", which says where something is; `None` if nothing can be in it.
    fn place_cost(&self, slot: Slot, so_far: &Filled, name: &Name) -> Option<i32> {
        let is_in = match so_far.words.last() {
            Some(word) => word == "in",
            None => self.sentence.is_in,
        };
        match name.whereabouts {
            _ if !is_in || slot != Slot::Value => Some(0),
            Whereabouts::Place => Some(0),
            Whereabouts::Unknown => Some(NO_PLACE),
            Whereabouts::Person => None,
        }
    }

    /// Names that depend on the day or on the column before.
    fn computed(&self, slot: Slot) -> Vec<Name> {
        let name = |words: String, at: usize| Name {
            slot,
            folded: [folded(&words), Vec::new()],
            words,
            owned: String::new(),
            table: None,
            column: None,
            weight: -2 * small(at),
            whereabouts: Whereabouts::Unknown,
        };
        let list: Vec<String> = match slot {
            Slot::Year => (0..8).map(|ago| (self.year - ago).to_string()).collect(),
            Slot::Number => {
                let column = self.sentence.column.filter(|column| self.schema.is_number(*column));
                let own = column.map(|column| middle(self.catalog.column_at(column)));
                match own {
                    Some(own) => vec![own],
                    None => self.names.numbers.clone(),
                }
            }
            _ => Vec::new(),
        };
        list.into_iter().enumerate().map(|(at, words)| name(words, at)).collect()
    }
}

/// Whether one typed word begins a later word of a name.
fn is_inside(typed: &[String], is_open: bool, name: &[String]) -> bool {
    let [word] = typed else { return false };
    is_open
        && word.chars().count() >= INNER_LETTERS
        && name.iter().skip(1).any(|other| other.starts_with(word.as_str()))
}
