//! Shares: a part of some rows, or of an amount, as a percentage of the whole.
//!
//! Valid: "share of revenue by category", "what percentage of orders are cancelled", "percent of customers who have
//! an open invoice", "ratio of rush orders", "share of each category in
//! revenue". Invalid, so that it is refused: "ratio of men to women", "a share of 10",
//! and "share of orders", which names no part.

use super::frame::{Condition, Frame, Share, TableUse};
use super::parse::Parser;
use super::part::Part;
use crate::data::Role;
use crate::intent::Aggregate;
use crate::linking::{Lexical, Named, Target};

/// Why a share whose part is not named is not read.
pub(crate) const UNNAMED_SHARE: &str = "it is not clear what it is a share of";

/// Where a condition stands, seen from what the share is of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    /// Before the word of share: it holds for the whole.
    Outside,
    /// Between that word and the noun: "share of rush orders".
    Before,
    /// Behind the noun: "share of orders from Germany".
    Behind,
    /// Said of the noun: "what share of orders are cancelled".
    Said,
}

/// A condition at a mention.
#[derive(Clone, Copy, Debug)]
struct Held {
    at: usize,
    place: Place,
    is_time: bool,
    is_related: bool,
    /// Whether it says the state of rows: a vague term, a flag, or a stored status.
    is_state: bool,
}

impl Parser<'_> {
    /// Starts a share: what it is of is counted or added up like anything else.
    pub(super) fn start_share(&mut self, at: usize) {
        if self.repeats_share(at) || self.rate_of_state(at) {
            return;
        }
        let numbered = at > 0
            && self.mentions[at - 1].number.is_some()
            && self.mentions[at - 1].tokens.end == self.mentions[at].tokens.start;
        if numbered || self.frame.share.is_some() {
            self.block(at, "a share of a whole takes two steps");
            return;
        }
        let of = self.mentions[at].phrase.to_lowercase().ends_with(" of")
            || self.mentions.get(at + 1).is_some_and(|next| {
                next.is(Lexical::Of) || next.phrase.to_lowercase().starts_with("of ")
            });
        let noun = self
            .measure_of_groups(at)
            .or_else(|| if of { self.noun_of_share(at + 1) } else { self.measure_before(at) });
        let Some(noun) = noun else {
            self.block(at, UNNAMED_SHARE);
            return;
        };
        if self.compares_two(noun) {
            self.block(at, "a ratio of two figures takes two steps");
            return;
        }
        self.frame.operation = true;
        self.frame.share = Some(Share { at, noun, part: Vec::new() });
        if !of {
            return;
        }
        let explicit = (at + 1..noun).any(|between| {
            [Lexical::Count, Lexical::CountNoun, Lexical::Sum]
                .iter()
                .any(|kind| self.part(between) == Part::Lexical && self.mentions[between].is(*kind))
        });
        match self.target(noun) {
            _ if explicit => {}
            Some(Target::Column(column))
                if self.catalog.column_at(*column).data_type.is_numeric()
                    && !self.is_foreign(*column) =>
            {
                self.start_aggregate(Aggregate::Sum, at);
            }
            Some(Target::Table(_) | Target::Column(_) | Target::Label(_) | Target::Value(..)) => {
                self.count = Some(at);
            }
            Some(Target::Metric(_)) | None => {}
        }
    }

    /// "what share of orders go to France, in percent": the figure is a percentage already.
    fn repeats_share(&self, at: usize) -> bool {
        let said = (0..at).rev().find(|before| !self.mentions[*before].is(Lexical::Filler));
        let manner = said.is_some_and(|said| {
            self.mentions[said].is(Lexical::In) || self.mentions[said].is(Lexical::Is)
        });
        let ends = self.mentions.get(at + 1).is_none_or(|next| {
            next.tokens.start > self.mentions[at].tokens.end || next.is(Lexical::Group)
        });
        self.frame.share.is_some() && manner && ends
    }

    /// The measure of "share of each category in total revenue".
    fn measure_of_groups(&self, at: usize) -> Option<usize> {
        self.mentions.get(at + 1).filter(|next| next.is(Lexical::Group))?;
        let measured = |at: usize| match self.part(at) {
            Part::Concept(_) => true,
            Part::Schema => match self.target(at) {
                Some(Target::Metric(_)) => true,
                Some(Target::Column(column)) => self.is_amount(*column),
                _ => false,
            },
            _ => false,
        };
        let joins =
            |at: usize| self.mentions[at].is(Lexical::In) || self.mentions[at].is(Lexical::Of);
        let joined = (at + 2..self.mentions.len()).find(|at| joins(*at))?;
        (joined + 1..self.mentions.len()).find(|at| measured(*at))
    }

    /// Whether "to" and a second figure follow: "ratio of orders to customers".
    fn compares_two(&self, noun: usize) -> bool {
        (noun + 1..self.mentions.len()).any(|to| {
            let figure = (to + 1..self.mentions.len()).find(|next| {
                !self.adds_nothing(*next) && !self.mentions[*next].is(Lexical::Distinct)
            });
            self.mentions[to].phrase.eq_ignore_ascii_case("to")
                && figure.is_some_and(|figure| {
                    matches!(self.part(figure), Part::Concept(_))
                        || matches!(self.target(figure), Some(Target::Table(_) | Target::Label(_)))
                        || [Lexical::Count, Lexical::CountNoun, Lexical::Sum]
                            .iter()
                            .any(|kind| self.mentions[figure].is(*kind))
                })
        })
    }

    /// The noun that a share is of, behind words that qualify it.
    fn noun_of_share(&self, from: usize) -> Option<usize> {
        let passed = [
            Lexical::Of,
            Lexical::Filler,
            Lexical::Everything,
            Lexical::Distinct,
            Lexical::Sum,
            Lexical::Count,
            Lexical::CountNoun,
            Lexical::Not,
            Lexical::Generic,
        ];
        for at in from..self.mentions.len() {
            match self.part(at) {
                Part::Concept(_) => return Some(at),
                Part::Schema => match self.target(at) {
                    // "Infected wounds", "open invoices": a column or value that qualifies the noun behind it.
                    Some(Target::Column(_) | Target::Label(_) | Target::Value(..))
                        if self.qualifies(at) => {}
                    Some(
                        Target::Column(_) | Target::Label(_) | Target::Metric(_) | Target::Table(_),
                    ) => return Some(at),
                    // "Pressure ulcers" are the wounds of that type.
                    Some(Target::Value(..)) if self.names_kind(at) => return Some(at),
                    Some(Target::Value(..)) | None => return None,
                },
                Part::Lexical if passed.iter().any(|kind| self.mentions[at].is(*kind)) => {}
                Part::Vague(_) | Part::Time => {}
                _ => return None,
            }
        }
        None
    }

    fn names_kind(&self, at: usize) -> bool {
        self.mentions.get(at).is_some_and(|mention| self.index.rows_of_plural(mention).is_some())
    }

    /// Whether a table or an amount follows at once, which the mention only qualifies.
    fn qualifies(&self, at: usize) -> bool {
        let adjacent = self
            .mentions
            .get(at + 1)
            .is_some_and(|next| next.tokens.start == self.mentions[at].tokens.end);
        let named = match self.part(at + 1) {
            Part::Concept(_) => true,
            Part::Schema => {
                matches!(self.target(at + 1), Some(Target::Table(_) | Target::Metric(_)))
                    || self.qualifies(at + 1)
            }
            _ => false,
        };
        adjacent && named
    }

    /// What stands right before the word of share: "revenue share by category".
    fn measure_before(&mut self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let adjacent = self.mentions[before].tokens.end == self.mentions[at].tokens.start;
        let grouped = self.mentions.get(at + 1).is_some_and(|next| {
            next.is(Lexical::Group) || next.is(Lexical::By) || next.is(Lexical::Of)
        });
        if !adjacent || !grouped {
            return None;
        }
        if self.frame.measures.last().is_some_and(|measure| measure.at == before) {
            return Some(before);
        }
        let head = self.frame.head.is_some_and(|(_, head)| head == before);
        if head && self.frame.measures.is_empty() && self.frame.superlative.is_none() {
            self.count = Some(at);
            return Some(before);
        }
        None
    }

    /// Tells the conditions of the part from those that hold for the whole.
    pub(super) fn split_share(&mut self) {
        let Some(Share { at, noun, part }) = self.frame.share.clone() else { return };
        if self.frame.coordination.is_some() || self.frame.distribution.is_some() {
            self.block(at, "a share of several things has several readings");
            return;
        }
        if !part.is_empty() {
            return;
        }
        let held = self.held(at, noun);
        let total = !self.frame.groups.is_empty() || self.frame.superlative.is_some();
        let whole = total && self.asks_of_groups(noun);
        // "Percentage of 2024 revenue by country": a time alone before the noun holds for the whole.
        let dates_only = |place: &Place| {
            *place == Place::Before
                && held.iter().filter(|held| held.place == *place).all(|held| held.is_time)
        };
        // "Share of shipments on time by carrier": the state of rows is what the rate of each group is of.
        let states_only = |place: &Place| {
            let own = || held.iter().filter(|held| held.place == *place && !held.is_time);
            own().next().is_some() && own().all(|held| held.is_state)
        };
        let part = [Place::Said, Place::Before, Place::Behind]
            .into_iter()
            .filter(|place| {
                !total || !dates_only(place) && (*place != Place::Behind || states_only(place))
            })
            .filter(|_| !whole)
            .map(|place| part_of_place(&held, place))
            .find(|part| !part.is_empty())
            .unwrap_or_default();
        if part.is_empty() && (!total || self.mentions[at].is(Lexical::Ratio)) {
            self.block(at, UNNAMED_SHARE);
            return;
        }
        if let Some(share) = &mut self.frame.share {
            share.part = part;
        }
    }

    /// Whether groups have the share: "what share of the open orders does each country have".
    fn asks_of_groups(&self, noun: usize) -> bool {
        let mut behind = noun + 1..self.mentions.len();
        behind.any(|at| {
            self.part(at) == Part::Lexical
                && self.mentions[at].is(Lexical::Is)
                && self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Group))
        })
    }

    /// Conditions of the frame, with where they stand.
    fn held(&self, share: usize, noun: usize) -> Vec<Held> {
        let says = [Lexical::Is, Lexical::With, Lexical::Where, Lexical::Without, Lexical::Not];
        let said = (noun + 1..self.mentions.len()).find(|at| {
            self.part(*at) == Part::Lexical && says.iter().any(|kind| self.mentions[*at].is(*kind))
        });
        // "have diabetes" where the column is called `has_diabetes`: the verb is part of the words for the column.
        let said = said.or_else(|| {
            (noun..self.mentions.len()).find(|at| self.says_of(*at, noun)).map(|at| at.max(1) - 1)
        });
        let place = |at: usize| match said {
            _ if at < share.min(noun) => Place::Outside,
            Some(said) if at > said => Place::Said,
            _ if at > noun => Place::Behind,
            _ => Place::Before,
        };
        let held = |at: usize, is_time: bool, is_related: bool| Held {
            at,
            place: place(at),
            is_time,
            is_related,
            is_state: false,
        };
        let frame = &self.frame;
        let conditions = frame.conditions.iter().map(|condition| {
            let at = condition.at();
            let status = matches!(self.target(at), Some(Target::Value(column, _))
                if self.index.has_role(*column, Role::Status));
            let is_state = status || matches!(condition, Condition::Set { .. });
            Held { is_state, ..held(at, false, false) }
        });
        let times = frame.times.iter().map(|time| held(time.at, true, false));
        let vague = frame.vague.iter().map(|term| held(term.at, false, false));
        let vague = vague.map(|held| Held { is_state: true, ..held });
        let related = frame
            .related
            .iter()
            .map(|related| held(related.at, false, related.how != TableUse::Path));
        conditions.chain(times).chain(vague).chain(related).collect()
    }
}

impl Parser<'_> {
    /// Whether a mention says something of the noun of a share: words for a column with a form of "be" or "have" among
    /// them, or a flag right behind the noun, which is a verb there: "diabetics smoke".
    fn says_of(&self, at: usize, noun: usize) -> bool {
        if self.part(at) != Part::Schema {
            return false;
        }
        let phrase = self.mentions[at].phrase.to_lowercase();
        let verb = |word: &str| {
            let functions = self.lexicon.get(word);
            [Lexical::Is, Lexical::With].iter().any(|kind| functions.contains(kind))
        };
        // The noun of the share stands before the verb.
        let mut words = phrase.split(' ').skip(usize::from(at == noun));
        let next = at == noun + 1
            && self.mentions[at].tokens.start == self.mentions[noun].tokens.end
            && matches!(self.target(at), Some(Target::Column(column)) if self.index.is_flag(*column));
        next || phrase.contains(' ') && words.any(verb)
    }
}

/// Places of the conditions that make the part; a time beside others holds for the whole, unless it is that of rows
/// which must exist.
fn part_of_place(held: &[Held], place: Place) -> Vec<usize> {
    let own: Vec<&Held> = held.iter().filter(|held| held.place == place).collect();
    let dates_whole =
        own.iter().any(|held| !held.is_time) && !own.iter().any(|held| held.is_related);
    own.into_iter().filter(|held| !(dates_whole && held.is_time)).map(|held| held.at).collect()
}

impl Frame {
    /// The frame of what a share is of: without the conditions that only its part meets.
    pub(crate) fn whole(&self) -> Self {
        let part = self.share.as_ref().map_or(&[][..], |share| &share.part);
        let mut whole = Self { share: None, ..self.clone() };
        whole.conditions.retain(|condition| !part.contains(&condition.at()));
        whole.times.retain(|time| !part.contains(&time.at));
        whole.vague.retain(|term| !part.contains(&term.at));
        whole.related.retain(|related| !part.contains(&related.at));
        whole
    }
}
