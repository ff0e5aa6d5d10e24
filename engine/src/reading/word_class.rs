//! Verbs that no list names: left out where they stand between two things and can pick no rows.
//!
//! "tracks streamed by customers": "streamed" only says how the two hang together. "users that are logged in",
//! "registered students" and "which orders were placed" pick rows, so their verbs are asked about.

use super::frame::{CountTarget, MeasureTarget};
use super::parse::Parser;
use super::part::Part;
use crate::confidence::Method;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Mention, Named, TableId, Target};

impl Parser<'_> {
    /// Whether a word that is tied to nothing is a verb by its use, and picks no rows where it stands.
    pub(super) fn links_by_class(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let word = mention.phrase.to_lowercase();
        // "Trains stop at stations", but "products that we stopped selling".
        let placed = self.mentions.get(at + 1).is_some_and(|next| {
            let phrase = next.phrase.to_lowercase();
            phrase.split(' ').next().is_some_and(|first| self.lexicon.is_preposition(first))
        });
        let denies = self.lexicon.denies(&word) && !placed;
        if mention.quoted || word != mention.phrase || denies {
            return false;
        }
        let past = self.lexicon.is_used_as_past(&word);
        let thing = |at: usize| self.part(at) == Part::Schema;
        let follows = at > 0 && thing(at - 1);
        let irregular = wherefore_english::verb_base(&word).is_some();
        if (past || irregular) && follows && self.describes_a_figure(at - 1) {
            return true;
        }
        if self.ends_a_count(at) {
            return !self.does_to_states(at);
        }
        let first = !(0..at).any(|before| self.is_tied(before));
        if self.is_asked_of_us(at) && self.negated.is_none() && !first {
            return true;
        }
        let stands = self.ends_what_is_done(at) || self.is_said_of_rows(at, &word);
        if !self.lexicon.is_used_as_verb(&word) && !stands {
            return false;
        }
        if thing(at + 1) && past && !follows && !self.is_predicate(at) {
            return false;
        }
        let of_pronoun = self.is_of_pronoun(at);
        let said = (at + 1..self.mentions.len()).find(|next| !self.leads_on(*next));
        let joins = said.is_some_and(|said| self.is_tied(said) && !self.denies(said));
        let starts = (0..at).any(|before| self.is_tied(before));
        let verb = past || follows || of_pronoun || self.is_helped(at);
        let governs = said.is_some_and(|said| self.governs(at, said));
        let joins = joins || of_pronoun || self.ends_what_is_done(at);
        starts && verb && joins && (governs || !self.could_pick(at))
    }

    /// Whether a word that is tied only by its meaning stands where only a verb can, which says nothing else.
    pub(super) fn is_verb_by_place(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let word = mention.phrase.to_lowercase();
        self.part(at) == Part::Schema
            && !mention.quoted
            && word == mention.phrase
            && (self.is_done_by_persons(at, &word)
                || mention.readings.iter().all(|reading| reading.method.is_by_meaning())
                    && (self.ends_what_is_done(at) || self.is_said_of_rows(at, &word))
                    && !self.could_pick(at))
    }

    /// Whether a verb in its base form stands behind "who", where no noun can stand: "reps who make more".
    fn is_done_by_persons(&self, at: usize, word: &str) -> bool {
        let who = at.checked_sub(1).map(|before| self.mentions[before].phrase.to_lowercase());
        who.is_some_and(|who| who.split(' ').next_back() == Some("who"))
            && self.lexicon.is_verb(word)
            && !self.lexicon.is_past(word)
            && self.mentions[at]
                .readings
                .iter()
                .all(|reading| reading.method.is_by_meaning() || reading.method == Method::Synonym)
    }

    /// Whether a word stands between rows and a place, where only a verb can: "rivers run through Ohio".
    fn is_said_of_rows(&self, at: usize, word: &str) -> bool {
        let rows = at > 0 && matches!(self.target(at - 1), Some(Target::Table(_)));
        let place = self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::In));
        let several = rows && self.mentions[at - 1].phrase.to_lowercase().ends_with('s');
        let agrees = if several {
            !word.ends_with('s')
        } else {
            word.ends_with('s') && self.lexicon.is_used_as_verb(word)
        };
        rows && place && agrees
    }

    /// Whether a word stands at the end of a question such as "what states does the river run through", where only a verb
    /// can stand.
    pub(super) fn ends_what_is_done(&self, at: usize) -> bool {
        let ends = (at + 1..self.mentions.len()).all(|behind| {
            self.adds_nothing(behind) || self.leads_on(behind) || self.part(behind) == Part::Time
        });
        let does = (0..at).rev().find(|before| self.mentions[*before].has_do());
        let of_rows = |from: usize| (0..from).any(|before| self.is_tied(before));
        let subject = at > 0 && self.part(at - 1) == Part::Schema;
        let done = does.is_some_and(of_rows);
        ends && self.negated.is_none() && subject && (done || self.ends_a_relative(at))
    }

    /// Whether a word ends "states through which the river runs".
    fn ends_a_relative(&self, at: usize) -> bool {
        let pronoun = (0..at).rev().find(|before| self.mentions[*before].is(Lexical::Where));
        pronoun.is_some_and(|pronoun| {
            let phrase = self.mentions[pronoun].phrase.to_lowercase();
            let relative = ["which", "that", "where"]
                .contains(&phrase.split(' ').next_back().unwrap_or_default());
            let through =
                pronoun.checked_sub(1).is_some_and(|before| self.mentions[before].is(Lexical::In));
            let plain = |between: usize| {
                self.part(between) == Part::Schema || self.mentions[between].is(Lexical::Filler)
            };
            relative
                && through
                && (0..pronoun).any(|before| self.is_tied(before))
                && (pronoun + 1..at).all(plain)
        })
    }

    /// Whether a pronoun stands before: "they use", "do we carry".
    fn is_of_pronoun(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            let phrase = &self.mentions[before].phrase;
            phrase.split(' ').next_back().is_some_and(|word| self.lexicon.is_pronoun(word))
        })
    }

    /// Whether "do we" stands before, behind which there is always a verb.
    pub(super) fn is_asked_of_us(&self, at: usize) -> bool {
        let helped = |before: usize| {
            let phrase = self.mentions[before].phrase.to_lowercase();
            phrase.split(' ').any(|word| ["do", "did"].contains(&word))
                || before.checked_sub(1).is_some_and(|before| {
                    let phrase = self.mentions[before].phrase.to_lowercase();
                    ["do", "did"].contains(&phrase.split(' ').next_back().unwrap_or_default())
                })
        };
        let we = |before: usize| {
            let phrase = self.mentions[before].phrase.to_lowercase();
            phrase.split(' ').next_back() == Some("we")
        };
        at.checked_sub(1).is_some_and(|before| we(before) && helped(before))
    }

    /// Whether a word stands behind the subject of "how many … does each … have", where only a verb can stand.
    fn ends_a_count(&self, at: usize) -> bool {
        let ends = (at + 1..self.mentions.len())
            .all(|behind| self.adds_nothing(behind) || self.part(behind) == Part::Time);
        let follows = at > 0
            && self.part(at - 1) == Part::Schema
            && matches!(self.target(at - 1), Some(Target::Table(_)));
        let does = self.mentions[..at].iter().any(Mention::has_do);
        let counted =
            self.frame.measures.iter().any(|measure| {
                matches!(measure.target, MeasureTarget::Count(CountTarget::Rows(_)))
            });
        ends && follows && does && counted && self.negated.is_none()
    }

    /// Whether a verb is said of rows that are counted and have a status, which it may mean: "how many appointments did
    /// each patient miss".
    fn does_to_states(&self, at: usize) -> bool {
        let does = (0..at).rev().find(|before| self.mentions[*before].has_do());
        let subject = at - 1;
        let alone = does.is_some_and(|does| {
            (does + 1..subject).all(|between| {
                self.part(between) == Part::Lexical && !self.frame.linking.contains(&between)
            })
        });
        alone
            && self.frame.measures.iter().any(|measure| match measure.target {
                MeasureTarget::Count(CountTarget::Rows(table)) => {
                    let columns = 0..self.catalog.table_at(table).columns.len() as u16;
                    let mut columns = columns.map(|column| ColumnId { table, column });
                    columns.any(|column| self.index.has_role(column, Role::Status))
                }
                _ => false,
            })
    }

    /// Whether a mention names a figure or a text that a participle behind it only says more of: "the freight paid".
    fn describes_a_figure(&self, at: usize) -> bool {
        match self.target(at) {
            Some(Target::Column(column)) => {
                !self.index.is_flag(*column) && !self.index.has_role(*column, Role::Status)
            }
            Some(Target::Metric(_)) => true,
            _ => false,
        }
    }

    /// Whether a verb has an object ("products that generate the most revenue") or an agent ("chosen by customers"), so
    /// that it names no state of rows.
    fn governs(&self, at: usize, said: usize) -> bool {
        use Lexical::{By, Count, CountNoun, Distinct, Everything, Fewest, Filler, Most, Top};
        let table = matches!(self.target(said), Some(Target::Table(_)));
        let object = table
            || matches!(self.part(said), Part::Concept(_))
            || matches!(self.target(said), Some(Target::Column(_) | Target::Metric(_)));
        let near = [Count, CountNoun, Distinct, Everything, Fewest, Filler, Most, Top];
        let passes = |between: usize| near.iter().any(|kind| self.mentions[between].is(*kind));
        let subject = at > 0
            && (matches!(self.target(at - 1), Some(Target::Table(_)))
                || self.mentions[at - 1].is(Lexical::Where)
                || self.is_of_pronoun(at));
        let by_agent = table && self.mentions.get(at + 1).is_some_and(|next| next.is(By));
        by_agent || subject && object && (at + 1..said).all(passes)
    }

    /// Whether a mention leads from a verb to its object: "by", "through", "more than".
    fn leads_on(&self, at: usize) -> bool {
        use Lexical::{And, Is, List, Not, Or, Where, Without};
        let ends = |kind: &Lexical| self.mentions[at].is(*kind);
        self.part(at) == Part::Lexical && ![And, Is, List, Not, Or, Where, Without].iter().any(ends)
    }

    fn is_tied(&self, at: usize) -> bool {
        matches!(
            self.part(at),
            Part::Schema | Part::Number | Part::Time | Part::Superlative(_) | Part::Concept(_)
        )
    }

    /// Whether what follows a verb is a value or column of a negated clause: what is denied is the verb then.
    fn denies(&self, said: usize) -> bool {
        self.negated.is_some() && !matches!(self.target(said), Some(Target::Table(_)))
    }

    /// Whether a relative pronoun or an auxiliary stands before: "that use", "do they use".
    fn is_helped(&self, at: usize) -> bool {
        at > 0 && self.mentions[at - 1].is(Lexical::Where)
            || self.mentions[..at]
                .iter()
                .any(|mention| self.lexicon.is_auxiliary(&mention.phrase.to_lowercase()))
    }

    /// Whether a table that stands next to a verb has a status or a flag that the verb could mean a value of.
    fn could_pick(&self, at: usize) -> bool {
        let table = |at: usize| self.target(at).and_then(Target::table);
        let before = (0..at).rev().find_map(table);
        let after = (at + 1..self.mentions.len()).find_map(table);
        before.into_iter().chain(after).any(|table| self.has_states(table))
    }

    fn has_states(&self, table: TableId) -> bool {
        let columns = self.catalog.table_at(table).columns.len();
        (0..columns).filter_map(|column| u16::try_from(column).ok()).any(|column| {
            let column = ColumnId { table, column };
            self.index.is_flag(column) || self.index.has_role(column, Role::Status)
        })
    }
}
