//! Tables whose rows an unknown noun may mean: "how many shops", where the shops are called branches.
//!
//! Valid: a plural ("which stores are in Oxford"), or a noun behind "each", "per" or "which" ("new members per store").
//! Invalid: verbs, words before the noun of a table, names in upper case and quoted texts.

use wherefore_english::singular;

use super::context::Composer;
use super::option::OPTIONS;
use super::unknown::may_be_a_column;
use crate::linking::{Lexical, TableId, Target, prominent};

/// Most joins between a table that is offered and one that the question names.
const NEAR: usize = 2;
/// Pronouns that look like plurals.
const POSSESSED: [&str; 4] = ["hers", "ours", "theirs", "yours"];

impl Composer<'_> {
    /// Tables whose rows an unknown noun may mean: those that no other word names, near what the question names, the
    /// likeliest first.
    pub(crate) fn tables_for_unknown(&self, at: usize) -> Vec<TableId> {
        if !self.may_be_rows(at) {
            return Vec::new();
        }
        let targets = self.mentions.iter().filter_map(|mention| mention.readings.first());
        let named: Vec<&Target> = targets.map(|reading| &reading.target).collect();
        let said = |table: TableId| named.iter().any(|target| **target == Target::Table(table));
        let tables: Vec<TableId> = named.iter().filter_map(|target| target.table()).collect();
        let joins = |table: TableId, of: &TableId| {
            self.schema.distance(table, *of).is_some_and(|(joins, _)| joins <= NEAR)
        };
        let mut near = prominent(self.catalog, self.schema);
        near.retain(|table| !said(*table) && tables.iter().all(|of| joins(*table, of)));
        // People say what rows with a name are.
        near.sort_by_key(|table| self.schema.profile(*table).label.is_empty());
        near.truncate(OPTIONS);
        near
    }

    /// Whether an unknown word stands where rows are named.
    fn may_be_rows(&self, at: usize) -> bool {
        let Some(mention) = self.mentions.get(at).filter(|mention| may_be_a_column(mention)) else {
            return false;
        };
        let word = mention.phrase.to_lowercase();
        let several = singular(&word) != word;
        let before = at.checked_sub(1).and_then(|before| self.mentions.get(before));
        let says = |kinds: &[Lexical]| {
            before.is_some_and(|before| kinds.iter().any(|kind| before.is(*kind)))
        };
        let each = says(&[Lexical::Group, Lexical::By, Lexical::List, Lexical::Count]);
        let computed = says(&[Lexical::Average, Lexical::Maximum, Lexical::Minimum, Lexical::Sum]);
        // A verb names no rows: "who manages", "employees manage".
        let subject = before.is_some_and(|before| !before.readings.is_empty());
        let who = before.is_some_and(|before| {
            before.phrase.to_lowercase().split(' ').next_back() == Some("who")
        });
        let may_act = self.lexicon.is_verb(&word) || self.lexicon.is_used_as_verb(&word);
        let verb = who || self.lexicon.may_be_past(&word) || may_act && (subject || !several);
        let pronoun = POSSESSED.contains(&word.as_str());
        // "Loyal" of "loyal customers" says which rows are meant.
        let describes = self.mentions.get(at + 1).is_some_and(|next| {
            let rows = matches!(self.target(at + 1), Some(Target::Table(_)));
            let named = !next.readings.is_empty() && !word.ends_with('s');
            next.tokens.start == mention.tokens.end && (rows || named)
        });
        mention.tokens.len() == 1
            && !verb
            && !pronoun
            && !computed
            && !describes
            && (several || each)
    }
}
