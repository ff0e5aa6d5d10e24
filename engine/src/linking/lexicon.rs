//! Structure words: phrases that express operations, such as filters, orders and aggregates.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::data::Role;
use crate::text::stem;

/// The function of a structure word.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Lexical {
    /// After a given date.
    After,
    /// Ascending order.
    Ascending,
    /// "also", "in addition": what follows is separate from what precedes.
    Also,
    /// "and" between items of the same kind.
    And,
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// Arithmetic mean.
    Average,
    /// Before a given date.
    Before,
    /// "between".
    Between,
    /// Smallest N.
    Bottom,
    /// "both", "either": the condition applies to all items listed.
    Both,
    /// "by": grouping, ordering or agent.
    By,
    /// Common values or properties.
    Common,
    /// "more" and the like as one part of a comparison: "more … than".
    Comparative,
    /// A construction that cannot be composed, such as a comparison of groups.
    Compare,
    /// Text contains a phrase.
    Contains,
    /// Number of rows.
    Count,
    /// "number" as a noun.
    CountNoun,
    /// Descending order.
    Descending,
    /// Without duplicates.
    Distinct,
    /// "each", "every", "all" before a noun.
    Distributive,
    /// Is NULL.
    Empty,
    /// Text ends with a phrase.
    EndsWith,
    /// `=`
    EqualTo,
    /// All rows; no restriction.
    Everything,
    /// Smallest count or measure.
    Fewest,
    /// Words without meaning for the query.
    Filler,
    /// First by order.
    First,
    /// Words that mark a follow-up question.
    FollowUp,
    /// Verbs that only express a relation between two things.
    Relation,
    /// Words for data in general.
    Generic,
    /// "per", "for each".
    Group,
    /// Place or membership.
    In,
    /// "is", "named".
    Is,
    /// Last by order.
    Last,
    /// `<`
    LessThan,
    /// "show", "which".
    List,
    /// Largest.
    Maximum,
    /// Smallest.
    Minimum,
    /// `>`
    MoreThan,
    /// "times" after a number: how often something was done.
    Times,
    /// Largest count or measure.
    Most,
    /// Negation.
    Not,
    /// `<>`
    NotEqualTo,
    /// Possession.
    Of,
    /// "or" between items of the same kind.
    Or,
    /// "or less" after a number.
    OrLess,
    /// "or more" after a number.
    OrMore,
    /// "sorted by".
    Order,
    /// "respectively", "its own": one result per item.
    Separately,
    /// A share of a total, which cannot be composed.
    Share,
    /// Text starts with a phrase.
    StartsWith,
    /// Sum.
    Sum,
    /// Largest N.
    Top,
    /// Change over time.
    Trend,
    /// Relative clause.
    Where,
    /// "with", "having".
    With,
    /// "without".
    Without,
    /// A request to modify data.
    Write,
}

/// Adjectives that imply an order of rows, from `data/superlatives.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Superlative {
    forms: Vec<String>,
    /// Whether the order is descending.
    pub(crate) descending: bool,
    /// Whether the superlative also denotes an aggregate: "the highest and average cost".
    #[serde(default)]
    pub(crate) figure: bool,
    /// Roles of columns for which the order is reversed.
    #[serde(default)]
    pub(crate) opposite: Vec<Role>,
    /// Roles of the column to order by, if none is named.
    pub(crate) roles: Vec<Role>,
    /// Concepts, such as sales, that rows can be ordered by as well.
    #[serde(default)]
    pub(crate) concepts: Vec<String>,
    /// Whether the superlative can order by a number of rows: "most common".
    #[serde(default)]
    pub(crate) counted: bool,
}

/// Comparatives that imply the column to compare, from `data/superlatives.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comparative {
    forms: Vec<String>,
    roles: Vec<Role>,
}

/// Phrases for the direction of an order, from `data/directions.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectionFile {
    frames: Vec<String>,
    ascending: Vec<String>,
    descending: Vec<String>,
    nouns: Vec<String>,
}

#[derive(Deserialize)]
struct SuperlativeFile {
    superlatives: Vec<Superlative>,
    comparatives: Vec<Comparative>,
}

/// Verbs that can merely express a relation between two things, from `data/verbs.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verbs {
    verbs: BTreeSet<String>,
    past: BTreeSet<String>,
    auxiliaries: BTreeSet<String>,
}

/// Phrases with their functions, from `data/lexicon.toml`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexicon {
    verbs: Verbs,
    phrases: BTreeMap<String, Vec<Lexical>>,
    words: BTreeSet<String>,
    /// Superlatives, in order.
    pub(crate) superlatives: Vec<Superlative>,
    superlative_forms: BTreeMap<String, usize>,
    comparatives: Vec<Comparative>,
    order_nouns: BTreeSet<String>,
    classifiers: BTreeSet<String>,
    durations: BTreeSet<String>,
    ages: BTreeSet<String>,
    row_nouns: BTreeSet<String>,
    longest: usize,
}

impl Lexicon {
    /// Parses a data file with one key per [`Lexical`], each with its phrases.
    pub(crate) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let table: BTreeMap<Lexical, Vec<String>> = serde_json::from_str(text)?;
        let mut lexicon = Self::default();
        for (lexical, phrases) in table {
            for phrase in phrases {
                // A relation verb has no meaning unless it connects two things.
                if lexical == Lexical::Relation {
                    lexicon.add(phrase.clone(), Lexical::Filler);
                }
                lexicon.add(phrase, lexical);
            }
        }
        Ok(lexicon)
    }

    fn add(&mut self, phrase: String, lexical: Lexical) {
        let words = phrase.split(' ').count();
        self.longest = self.longest.max(words);
        self.words.extend(phrase.split(' ').map(str::to_owned));
        let kinds = self.phrases.entry(phrase).or_default();
        if !kinds.contains(&lexical) {
            kinds.push(lexical);
        }
    }

    /// Built-in lexicon; empty only if the data file is invalid, which a test rules out.
    pub(crate) fn built_in() -> Self {
        let mut lexicon = Self::parse(include_str!(concat!(env!("OUT_DIR"), "/lexicon.json")))
            .unwrap_or_default();
        // A test reads the data file, so an error cannot reach a user here.
        let _ =
            lexicon.add_superlatives(include_str!(concat!(env!("OUT_DIR"), "/superlatives.json")));
        let _ = lexicon.add_directions(include_str!(concat!(env!("OUT_DIR"), "/directions.json")));
        let _ =
            lexicon.add_classifiers(include_str!(concat!(env!("OUT_DIR"), "/classifiers.json")));
        let _ = lexicon.add_durations(include_str!(concat!(env!("OUT_DIR"), "/durations.json")));
        let _ = lexicon.add_verbs(include_str!(concat!(env!("OUT_DIR"), "/verbs.json")));
        lexicon
    }

    fn add_directions(&mut self, text: &str) -> Result<(), serde_json::Error> {
        let file: DirectionFile = serde_json::from_str(text)?;
        for (adjectives, lexical) in
            [(&file.ascending, Lexical::Ascending), (&file.descending, Lexical::Descending)]
        {
            for (adjective, frame) in adjectives
                .iter()
                .flat_map(|word| file.frames.iter().map(move |frame| (word, frame)))
            {
                self.add(frame.replace("{}", adjective), lexical);
            }
        }
        self.order_nouns.extend(file.nouns);
        Ok(())
    }

    fn add_classifiers(&mut self, text: &str) -> Result<(), serde_json::Error> {
        let mut file: BTreeMap<String, Vec<String>> = serde_json::from_str(text)?;
        self.classifiers.extend(file.remove("classifiers").unwrap_or_default());
        self.row_nouns.extend(file.remove("row_nouns").unwrap_or_default());
        Ok(())
    }

    fn add_durations(&mut self, text: &str) -> Result<(), serde_json::Error> {
        let mut file: BTreeMap<String, Vec<String>> = serde_json::from_str(text)?;
        self.durations.extend(file.remove("nouns").unwrap_or_default());
        self.ages.extend(file.remove("ages").unwrap_or_default());
        Ok(())
    }

    /// Whether a folded word denotes the time up to a date: "healing time".
    pub(crate) fn is_duration(&self, word: &str) -> bool {
        self.durations.contains(word)
    }

    /// Whether a folded word denotes the time since a date of birth.
    pub(crate) fn is_age(&self, word: &str) -> bool {
        self.ages.contains(word)
    }

    /// Whether a folded word only indicates an order.
    pub(crate) fn is_order_noun(&self, word: &str) -> bool {
        self.order_nouns.contains(word)
    }

    /// Whether a folded word refers to the rows of the preceding table: "staff members".
    pub(crate) fn is_row_noun(&self, word: &str) -> bool {
        self.row_nouns.contains(word)
    }

    /// Whether a folded word only states the kind of the adjacent name: "year", "score".
    pub(crate) fn is_classifier(&self, word: &str) -> bool {
        self.classifiers.contains(word)
    }

    fn add_verbs(&mut self, text: &str) -> Result<(), serde_json::Error> {
        self.verbs = serde_json::from_str(text)?;
        self.verbs.verbs = self.verbs.verbs.iter().map(|verb| stem(verb)).collect();
        Ok(())
    }

    /// Whether a folded word is a form of a verb that can merely express a relation.
    pub(crate) fn is_verb(&self, word: &str) -> bool {
        self.is_past(word) || self.verbs.verbs.contains(&stem(word))
    }

    /// Whether a folded word is the past form of such a verb, which cannot be confused with a noun.
    pub(crate) fn is_past(&self, word: &str) -> bool {
        self.verbs.past.contains(word)
            || word.ends_with("ed") && self.verbs.verbs.contains(&stem(word))
    }

    /// Whether a folded word is an auxiliary verb.
    pub(crate) fn is_auxiliary(&self, word: &str) -> bool {
        self.verbs.auxiliaries.contains(word)
    }

    fn add_superlatives(&mut self, text: &str) -> Result<(), serde_json::Error> {
        let file: SuperlativeFile = serde_json::from_str(text)?;
        for superlative in file.superlatives {
            for form in &superlative.forms {
                self.longest = self.longest.max(form.split(' ').count());
                self.words.extend(form.split(' ').map(str::to_owned));
                self.superlative_forms.insert(form.clone(), self.superlatives.len());
            }
            self.superlatives.push(superlative);
        }
        self.comparatives = file.comparatives;
        Ok(())
    }

    /// Roles of the column that a comparative refers to, if none is named.
    pub(crate) fn compared_roles(&self, phrase: &str) -> &[Role] {
        self.comparatives
            .iter()
            .find(|comparative| comparative.forms.iter().any(|form| form == phrase))
            .map_or(&[], |comparative| comparative.roles.as_slice())
    }

    /// Index of the superlative that a phrase of folded words matches.
    pub(crate) fn superlative(&self, phrase: &str) -> Option<usize> {
        self.superlative_forms.get(phrase).copied()
    }

    /// Possible functions of a phrase of folded words joined by spaces.
    pub(crate) fn get(&self, phrase: &str) -> &[Lexical] {
        self.phrases.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// Whether a folded word occurs in any phrase.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// Number of words of the longest phrase.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::{Lexical, Lexicon};

    #[test]
    fn the_data_file_is_read_whole() {
        let mut lexicon =
            Lexicon::parse(include_str!(concat!(env!("OUT_DIR"), "/lexicon.json"))).unwrap();
        lexicon
            .add_superlatives(include_str!(concat!(env!("OUT_DIR"), "/superlatives.json")))
            .unwrap();
        lexicon.add_directions(include_str!(concat!(env!("OUT_DIR"), "/directions.json"))).unwrap();
        lexicon
            .add_classifiers(include_str!(concat!(env!("OUT_DIR"), "/classifiers.json")))
            .unwrap();
        lexicon.add_durations(include_str!(concat!(env!("OUT_DIR"), "/durations.json"))).unwrap();
        assert!(lexicon.is_duration("time") && lexicon.is_age("age"));
        assert!(lexicon.is_classifier("year"));
        assert_eq!(lexicon.get("in ascending alphabetical order of"), [Lexical::Ascending]);
        lexicon.add_verbs(include_str!(concat!(env!("OUT_DIR"), "/verbs.json"))).unwrap();
        assert!(lexicon.is_verb("creates") && lexicon.is_past("created"));
        assert!(lexicon.is_verb("releases") && !lexicon.is_past("releases"));
        assert!(lexicon.superlative("most expensive").is_some());
        assert_eq!(lexicon.get("how many"), [Lexical::Count]);
        assert_eq!(lexicon.get("which"), [Lexical::List, Lexical::Where]);
    }
}
