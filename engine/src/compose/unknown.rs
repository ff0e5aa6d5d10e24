//! Words that tie to nothing: what they may mean, and that they may be left out.

use wherefore_english::and_list;

use super::context::Composer;
use super::option::ignore_option;
use super::settle::Settled;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::DataType;
use crate::clarification::{
    ClarificationOption, CustomInput, Decision, OptionBinding, Relation, distinct_words,
};
use crate::confidence::Method;
use crate::data::Role;
use crate::linking::{ColumnId, Lexical, Mention, Named, Reading, TableId, Target};
use crate::order;
use crate::reading::Part;

/// Maximum number of columns that an unknown noun is offered.
pub(super) const OFFERED: usize = 4;
/// Words before a property.
const POSSESSIVE: [&str; 4] = ["her", "his", "its", "their"];
/// Shortest common beginning of two words that are alike, in letters.
const ALIKE: usize = 4;

impl Composer<'_> {
    /// Takes the column, value or table that was chosen for an unknown word as what the word means.
    pub(super) fn settle_unknown(&mut self, settled: &mut Settled) {
        for at in 0..settled.parts.len() {
            if settled.parts[at] != Part::Unknown {
                continue;
            }
            let phrase = settled.mentions[at].phrase.clone();
            let span = settled.mentions[at].span;
            let id = crate::clarification::clarification_id(
                self.question,
                AmbiguityKind::UnknownTerm,
                &phrase,
                span.start,
            );
            let target = match self.decisions.get(&id) {
                Some((OptionBinding::Column { column }, _)) => {
                    self.column_id(column).map(Target::Column)
                }
                Some((OptionBinding::Table { table }, _)) => {
                    self.schema.table(table).map(Target::Table)
                }
                Some((OptionBinding::Value { column, value }, _)) => {
                    self.column_id(column).map(|column| Target::Value(column, value.clone()))
                }
                _ => None,
            };
            let Some(target) = target else { continue };
            self.decide_unknown(at, None);
            settled.mentions[at].readings = vec![Reading {
                target,
                method: Method::Corrected,
                score: Method::Corrected.base(),
            }];
            settled.parts[at] = Part::Schema;
        }
    }

    /// Columns that an unknown noun may mean: those of the tables named that nothing else names and whose names begin like
    /// it; where there are none and a property is named, all of them.
    pub(crate) fn columns_for_unknown(&self, at: usize) -> Vec<ColumnId> {
        let Some(mention) = self.mentions.get(at).filter(|mention| may_be_a_column(mention)) else {
            return Vec::new();
        };
        // A verb names no column, and a word before the noun of a table says which rows are meant.
        let word = mention.phrase.to_lowercase();
        let verb = self.lexicon.is_verb(&word) || self.lexicon.is_used_as_verb(&word);
        if verb || matches!(self.target(at + 1), Some(Target::Table(_))) {
            return Vec::new();
        }
        let first =
            |mention: &Mention| mention.readings.first().map(|reading| reading.target.clone());
        let named: Vec<Target> = self.mentions.iter().filter_map(first).collect();
        let mut tables: Vec<TableId> = Vec::new();
        for table in named.iter().filter_map(Target::table) {
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        let used = |column: ColumnId| {
            named.iter().any(|target| match target {
                Target::Column(known) | Target::Value(known, _) => *known == column,
                Target::Label(table) => self.schema.profile(*table).label.contains(&column),
                _ => false,
            })
        };
        let mut columns: Vec<ColumnId> = Vec::new();
        for table in tables {
            let definition = self.catalog.table_at(table);
            let all = 0..u16::try_from(definition.columns.len()).unwrap_or(u16::MAX);
            columns.extend(all.map(|column| ColumnId { table, column }).filter(|column| {
                let definition = self.catalog.column_at(*column);
                let key = definition.unique
                    || self.is_foreign(*column)
                    || self.schema.profile(table).primary_key.contains(column)
                    || self.schema.has_role(*column, Role::Identifier);
                !key && !definition.sensitive && !used(*column)
            }));
        }
        let alike = |column: &ColumnId| {
            self.schema.words_of(*column).iter().any(|own| begins_alike(own, &word))
        };
        let asked = self.is_counted_kind(at);
        if columns.iter().any(alike) || !self.is_property(at) && !asked {
            columns.retain(alike);
        } else if asked {
            columns.retain(|column| self.holds_names(*column));
        }
        // What names the rows is named by its kind, so it comes last.
        order::by_key(&mut columns, |column| {
            self.schema.profile(column.table).label.contains(column)
        });
        columns.truncate(OFFERED);
        columns
    }

    /// Whether a word stands where a property of something is named: "the x of the journalists", "artists and their x".
    fn is_property(&self, at: usize) -> bool {
        let owned = at > 0 && {
            let before = self.phrase(at - 1).to_lowercase();
            before.split(' ').next_back().is_some_and(|word| POSSESSIVE.contains(&word))
        };
        owned || self.mentions.get(at + 1).is_some_and(|next| next.is(Lexical::Of))
    }

    /// Whether a word stands behind "the most common", where the values of a column are counted.
    fn is_counted_kind(&self, at: usize) -> bool {
        let which = at.checked_sub(1).and_then(|before| self.mentions.get(before)?.superlative);
        let superlative = which.and_then(|which| self.lexicon.superlatives.get(which));
        superlative.is_some_and(|superlative| superlative.counted)
    }

    /// Whether a column holds text whose values can be counted: no free text, e-mail address or telephone number.
    fn holds_names(&self, column: ColumnId) -> bool {
        self.catalog.column_at(column).data_type == DataType::Text
            && ![Role::FreeText, Role::Email, Role::Phone]
                .iter()
                .any(|role| self.schema.has_role(column, *role))
    }

    /// Asks what an unknown word means: one of the columns, stored values or tables, or nothing that matters.
    pub(super) fn decide_unknown(
        &mut self,
        at: usize,
        custom: Option<CustomInput>,
    ) -> OptionBinding {
        let columns = self.columns_for_unknown(at);
        let mut options = self.column_options(&columns);
        if options.is_empty() {
            let values = self.values_for_unknown(at);
            options = self.value_options(&values, OFFERED);
        }
        if options.is_empty() {
            let tables = self.tables_for_unknown(at);
            options = tables.into_iter().map(|table| self.table_option(table)).collect();
        }
        let chosen = self.decide_left_out(&[at], self.phrase(at).to_owned(), options, custom);
        // "Revenue per …" and "how many …" without what stands there ask for something else.
        let asked_for = at.checked_sub(1).is_some_and(|before| {
            let before = &self.mentions[before];
            (before.is(Lexical::Group) || before.is(Lexical::Count))
                && before.tokens.end == self.mentions[at].tokens.start
        });
        let span = self.span(at);
        if let Some(place) = self.open.iter_mut().find(|place| {
            place.clarification.ambiguity == AmbiguityKind::UnknownTerm
                && place.clarification.span == span
        }) {
            place.needed |= asked_for;
        }
        chosen
    }

    /// Asks about words that nothing in the data is named like, or that the question has no place for; they may always be
    /// left out.
    pub(super) fn decide_left_out(
        &mut self,
        words: &[usize],
        phrase: String,
        mut options: Vec<ClarificationOption>,
        custom: Option<CustomInput>,
    ) -> OptionBinding {
        let quoted: Vec<String> =
            distinct_words(&phrase).into_iter().map(|word| format!("“{word}”")).collect();
        options.push(ignore_option(
            if quoted.len() > 1 { "leave them out" } else { "leave it out" }.to_owned(),
            &format!("answers without {}", and_list(&quoted)),
        ));
        let named = |at: &usize| {
            self.mentions.get(*at).is_some_and(|mention| {
                mention.readings.first().is_some_and(|reading| reading.method.is_whole())
            })
        };
        let (relation, reason) = if words.iter().any(named) {
            (Relation::Unplaced, "the question has no place for it")
        } else {
            (Relation::Means, "no name, synonym or stored value matches")
        };
        let span = words.first().and_then(|at| self.span(*at));
        self.decide(Decision {
            kind: AmbiguityKind::UnknownTerm,
            severity: Severity::Critical,
            span,
            relation,
            reason: reason.to_owned(),
            options,
            phrase,
            recommended: None,
            custom,
        })
    }
}

/// Whether an unknown word may name a column: a noun in lower case, no number and nothing quoted.
pub(super) fn may_be_a_column(mention: &Mention) -> bool {
    let lower =
        mention.phrase.chars().all(|letter| letter.is_lowercase() || "-' ".contains(letter));
    lower && !mention.quoted && mention.number.is_none()
}

/// Whether two words begin with the same letters.
fn begins_alike(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    common >= ALIKE
}
