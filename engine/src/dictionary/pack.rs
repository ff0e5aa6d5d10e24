//! Parses dictionary packs and looks their terms up by phrase.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::data::Role;

/// The built-in packs; if several define a term, the later pack takes precedence.
const BUILT_IN: [&str; 4] = [
    include_str!(concat!(env!("OUT_DIR"), "/dictionary/general.json")),
    include_str!(concat!(env!("OUT_DIR"), "/dictionary/commerce.json")),
    include_str!(concat!(env!("OUT_DIR"), "/dictionary/finance.json")),
    include_str!(concat!(env!("OUT_DIR"), "/dictionary/healthcare.json")),
];

/// The terms and concepts of all packs, indexed by phrase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    /// Terms of all packs, in order.
    pub(crate) terms: Vec<Term>,
    /// Concepts of all packs, in order.
    pub(crate) concepts: Vec<Concept>,
    term_forms: BTreeMap<String, Vec<usize>>,
    concept_forms: BTreeMap<String, usize>,
    words: BTreeSet<String>,
    longest: usize,
}

/// A pack file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    #[expect(dead_code, reason = "read so that a pack without a name is refused")]
    name: String,
    #[serde(default)]
    terms: Vec<Term>,
    #[serde(default)]
    concepts: Vec<Concept>,
}

/// A vague term, such as "recent".
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Term {
    /// The term.
    #[expect(dead_code, reason = "read so that a term without a name is refused")]
    term: String,
    /// Kind of vagueness.
    pub(crate) kind: TermKind,
    /// Phrases that match the term.
    pub(crate) forms: Vec<String>,
    /// Roles of the columns that the term applies to, best first; `any_date` and `any_number` match any column of
    /// that type.
    pub(crate) roles: Vec<Role>,
    /// Units that the column must have, if the definitions depend on one.
    #[serde(default)]
    pub(crate) units: Vec<String>,
    /// Possible definitions.
    pub(crate) options: Vec<TermOption>,
    /// Kind of custom definition that the user can enter, if any.
    #[serde(default)]
    pub(crate) custom: Option<CustomKind>,
}

/// Kind of vagueness of a term.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TermKind {
    /// Amount: large, high.
    Quantifier,
    /// Severity: serious.
    Severity,
    /// State: active.
    Status,
    /// Time: recent.
    Temporal,
}

/// Kind of custom definition that the user can enter.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CustomKind {
    /// A minimum.
    AtLeast,
    /// A maximum.
    AtMost,
    /// A date range.
    DateRange,
}

/// A possible definition of a term, with exactly one condition.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawOption")]
pub(crate) struct TermOption {
    /// Id within the term.
    pub(crate) id: String,
    /// Label shown to the user, a few words.
    pub(crate) label: String,
    /// Role of the column that the option applies to, if different from the roles of the term.
    pub(crate) role: Option<Role>,
    /// Whether the option is the default, used as the best guess.
    pub(crate) default: bool,
    /// The condition.
    pub(crate) definition: Definition,
}

/// The condition of a definition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Definition {
    /// Greater than a number.
    Above(f64),
    /// The due date has passed.
    AfterDue,
    /// Greater (true) or less (false) than the average of the column.
    Average(bool),
    /// At least a number.
    AtLeast(f64),
    /// More than this many days ago.
    BeforeDays(u32),
    /// Less than a number.
    Below(f64),
    /// A boolean column that is true, or false.
    Flag(bool),
    /// Among the highest values of the column, as a percentage of the rows.
    HighestPercent(u8),
    /// Among the lowest values of the column, as a percentage of the rows.
    LowestPercent(u8),
    /// NULL (true) or not NULL (false).
    Missing(bool),
    /// Within the next this many days.
    NextDays(u32),
    /// Within the last this many days, including today.
    WithinDays(u32),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOption {
    id: String,
    label: String,
    role: Option<Role>,
    #[serde(default)]
    default: bool,
    above: Option<f64>,
    above_average: Option<bool>,
    after_due: Option<bool>,
    at_least: Option<f64>,
    before_days: Option<u32>,
    below: Option<f64>,
    below_average: Option<bool>,
    flag: Option<bool>,
    highest_percent: Option<u8>,
    lowest_percent: Option<u8>,
    missing: Option<bool>,
    next_days: Option<u32>,
    within_days: Option<u32>,
}

impl TryFrom<RawOption> for TermOption {
    type Error = String;

    fn try_from(raw: RawOption) -> Result<Self, Self::Error> {
        let definitions: Vec<Definition> = [
            raw.above.map(Definition::Above),
            raw.above_average.map(Definition::Average),
            raw.after_due.filter(|after| *after).map(|_| Definition::AfterDue),
            raw.at_least.map(Definition::AtLeast),
            raw.before_days.map(Definition::BeforeDays),
            raw.below.map(Definition::Below),
            raw.below_average.map(|below| Definition::Average(!below)),
            raw.flag.map(Definition::Flag),
            raw.highest_percent.map(Definition::HighestPercent),
            raw.lowest_percent.map(Definition::LowestPercent),
            raw.missing.map(Definition::Missing),
            raw.next_days.map(Definition::NextDays),
            raw.within_days.map(Definition::WithinDays),
        ]
        .into_iter()
        .flatten()
        .collect();
        match definitions.as_slice() {
            [definition] => Ok(Self {
                id: raw.id,
                label: raw.label,
                role: raw.role,
                default: raw.default,
                definition: *definition,
            }),
            found => Err(format!(
                "option {} has {} conditions, exactly one is needed",
                raw.id,
                found.len()
            )),
        }
    }
}

/// A word for a measure that many data sources record, such as "sales".
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Concept {
    /// The word that denotes the concept.
    pub(crate) term: String,
    /// Phrases that match the concept.
    pub(crate) forms: Vec<String>,
    /// Roles of columns that measure the concept.
    pub(crate) roles: Vec<Role>,
    /// Words in the names of the tables that record the concept.
    pub(crate) tables: Vec<String>,
    /// Forms that modify a noun, such as "sold" in "products sold".
    #[serde(default)]
    pub(crate) participles: Vec<String>,
}

impl Dictionary {
    /// The dictionary of the built-in packs.
    pub(crate) fn built_in() -> Self {
        let mut dictionary = Self::default();
        for text in BUILT_IN {
            // A test reads every built-in pack, so an error cannot reach a user here.
            let _ = dictionary.add(text);
        }
        dictionary
    }

    /// Adds a pack in JSON format. On an error, which has a position, nothing of the pack is added.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), serde_json::Error> {
        let pack: Pack = serde_json::from_str(text)?;
        for term in pack.terms {
            let position = self.terms.len();
            for form in &term.forms {
                self.add_form(form);
                self.term_forms.entry(form.clone()).or_default().insert(0, position);
            }
            self.terms.push(term);
        }
        for concept in pack.concepts {
            let position = self.concepts.len();
            for form in &concept.forms {
                self.add_form(form);
                self.concept_forms.insert(form.clone(), position);
            }
            self.concepts.push(concept);
        }
        Ok(())
    }

    fn add_form(&mut self, form: &str) {
        self.longest = self.longest.max(form.split(' ').count());
        self.words.extend(form.split([' ', '-']).map(str::to_owned));
    }

    /// Indices of the terms that a phrase of folded words matches, those of later packs first.
    pub(crate) fn terms_by_form(&self, phrase: &str) -> &[usize] {
        self.term_forms.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Index of the concept that a phrase of folded words matches.
    pub(crate) fn concept_by_form(&self, phrase: &str) -> Option<usize> {
        self.concept_forms.get(phrase).copied()
    }

    /// Whether a folded word occurs in any form.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Number of words of the longest form.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Dictionary};

    #[test]
    fn every_built_in_pack_is_read_whole() {
        let mut dictionary = Dictionary::default();
        for text in BUILT_IN {
            dictionary.add(text).unwrap();
        }
        assert!(dictionary.terms.len() >= 60, "{} terms", dictionary.terms.len());
    }

    #[test]
    fn a_term_has_several_options_and_one_default_and_folded_forms() {
        let dictionary = Dictionary::built_in();
        for term in &dictionary.terms {
            let name = &term.forms[0];
            let defaults = term.options.iter().filter(|option| option.default).count();
            let undefined = term.options.is_empty();
            assert!(undefined || defaults == 1, "{name}: {defaults} defaults");
            assert!(term.options.len() <= 5, "{name}: more options than are offered");
            for form in &term.forms {
                let folded = crate::text::fold(form);
                assert_eq!(*form, folded, "{name}: the form is not folded");
            }
        }
    }

    #[test]
    fn an_option_with_two_conditions_is_refused() {
        let pack = r#"{"name": "x", "terms": [{
            "term": "t", "kind": "status", "forms": ["t"], "roles": [],
            "options": [{"id": "a", "label": "a", "flag": true, "above": 1}]}]}"#;
        let error = Dictionary::default().add(pack).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("2 conditions"), "{error}");
    }
}
