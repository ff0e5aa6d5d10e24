//! Lists of words and phrases.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::lexical::Lexical;

/// `data/lexicon.toml`: the phrases of each function.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Phrases(pub(crate) BTreeMap<Lexical, Vec<String>>);

/// `data/directions.toml`: phrases for the direction of an order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Directions {
    /// Phrases with `{}` in place of an adjective.
    pub(crate) frames: Vec<String>,
    /// Adjectives of ascending orders.
    pub(crate) ascending: Vec<String>,
    /// Adjectives of descending orders.
    pub(crate) descending: Vec<String>,
    /// Words of an order of names or dates.
    pub(crate) labels: Vec<String>,
    /// Words that only indicate an order.
    pub(crate) nouns: Vec<String>,
}

/// `data/classifiers.toml`: nouns that state the kind of an adjacent name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Classifiers {
    /// Words that only state the kind of the adjacent name: "year".
    pub(crate) classifiers: Vec<String>,
    /// Words for the rows of the preceding table: "members".
    pub(crate) row_nouns: Vec<String>,
    /// Last words of columns that tell the things before them apart.
    pub(crate) naming: Vec<String>,
    /// Words for the person that the row of a person refers to: "boss".
    pub(crate) superiors: Vec<String>,
    /// Words for the people that report to a person, in the plural.
    pub(crate) subordinates: Vec<String>,
    /// Words for rows that no other rows belong to: "empty".
    pub(crate) childless: Vec<String>,
    /// Words for a text that is looked for: "letter".
    pub(crate) texts: Vec<String>,
}

/// `data/durations.toml`: nouns for the time between two dates.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AgeWords {
    /// Words for the time up to a date.
    pub(crate) nouns: Vec<String>,
    /// Words for the time since a date of birth.
    pub(crate) ages: Vec<String>,
    /// Words for how long somebody stays.
    pub(crate) stays: StayWords,
}

/// Words for the time from arriving to leaving.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StayWords {
    /// Phrases that ask for it.
    pub(crate) said: Vec<String>,
    /// Words in the names of dates of arriving.
    pub(crate) arriving: Vec<String>,
    /// Words in the names of dates of leaving.
    pub(crate) leaving: Vec<String>,
}

/// `data/verbs.toml`: verbs that can merely express a relation between two things.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verbs {
    /// Infinitives.
    pub(crate) verbs: BTreeSet<String>,
    /// Irregular past forms.
    pub(crate) past: BTreeSet<String>,
    /// Auxiliary verbs.
    pub(crate) auxiliaries: BTreeSet<String>,
    /// Pronouns that a verb follows.
    pub(crate) pronouns: BTreeSet<String>,
    /// Words that belong to the verb before them.
    pub(crate) particles: BTreeSet<String>,
    /// Words behind which a stored value can stand.
    pub(crate) prepositions: BTreeSet<String>,
    /// Last words of the names of tables and columns of those who make things, in the singular.
    pub(crate) makers: BTreeSet<String>,
    /// Verbs that say of what follows that it ends or does not happen.
    pub(crate) denying: BTreeSet<String>,
    /// Verbs for the start of a row, which its own date records.
    pub(crate) joining: BTreeSet<String>,
    /// Words behind a verb that are no object which restricts anything.
    pub(crate) any_objects: BTreeSet<String>,
    /// Words for the company that asks.
    pub(crate) ourselves: BTreeSet<String>,
    /// Who does what verbs say.
    pub(crate) agents: Vec<Agents>,
}

/// Tables whose rows do what some verbs say: customers order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Agents {
    /// Forms of the verbs.
    pub(crate) verbs: BTreeSet<String>,
    /// Last words of the names of the tables, in the singular.
    pub(crate) tables: BTreeSet<String>,
    /// Last words of the names of tables that record events of the verbs, in the singular, the likeliest first.
    #[serde(default)]
    pub(crate) deeds: Vec<String>,
    /// Last words of the names of tables of planned events, which may not have happened, in the singular.
    #[serde(default)]
    pub(crate) plans: Vec<String>,
    /// Whether rows of the tables are the object of the verbs, and not their subject: patients are treated.
    #[serde(default)]
    pub(crate) undergo: bool,
}

/// `data/verb_classes.toml`: words that are verbs by their use, of which none picks some of the rows.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerbClasses {
    /// Infinitives of words that are used as verbs mostly.
    pub(crate) verbs: BTreeSet<String>,
    /// Infinitives of verbs whose past forms alone cannot be nouns.
    pub(crate) past: BTreeSet<String>,
    /// Forms in -ing that are used as nouns.
    pub(crate) nouns: BTreeSet<String>,
}

/// `data/template.toml`: words of template examples that a question may omit or replace.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TemplateWords {
    /// Phrases that are not significant.
    pub(crate) neutral: Vec<String>,
}

/// `data/corrections.toml`: phrases of corrections.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CorrectionPhrases {
    /// Phrases before a name to use.
    pub(crate) select: Vec<String>,
    /// Phrases before a name not to use.
    pub(crate) reject: Vec<String>,
    /// Phrases that reject the table whose rows were shown.
    pub(crate) reject_current: Vec<String>,
    /// Phrases beside a name that say nothing of it.
    pub(crate) neutral: Vec<String>,
    /// Phrases at the start of a correction of an answer.
    pub(crate) begin: Vec<String>,
    /// Words at the start of a correction of an answer if a punctuation mark follows.
    pub(crate) begin_before_mark: Vec<String>,
    /// Phrases between what is meant and what is not.
    pub(crate) between: Vec<String>,
    /// What is put before a correction that no phrase begins, to read it behind its question.
    pub(crate) lead: String,
    /// Those of the phrases at the beginning by which no question begins.
    pub(crate) plain: Vec<String>,
    /// The word by which a correction groups.
    pub(crate) group: String,
    /// Phrases at the end of a correction of an answer.
    pub(crate) end: Vec<String>,
    /// Phrases before the first table of a join.
    pub(crate) join: Vec<String>,
    /// Phrases between the two sides of a join.
    pub(crate) with: Vec<String>,
}

/// Phrases of one kind of cue.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CuePhrases {
    /// Phrases at the start of a text.
    pub(crate) lead: Vec<String>,
    /// Phrases at the end of a text.
    pub(crate) trail: Vec<String>,
}

/// `data/follow_up.toml`: cues of follow-ups.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CueWords {
    /// Cues that measures, groups or columns are added.
    pub(crate) add: CuePhrases,
    /// Words for the period behind the earlier one, before or behind its length.
    pub(crate) after: Vec<String>,
    /// Phrases that say that what follows is said of some of the earlier rows.
    pub(crate) among: Vec<String>,
    /// Words for the period before the earlier one, before or behind its length.
    pub(crate) before: Vec<String>,
    /// Word before what is grouped by that is no part of names.
    pub(crate) by: String,
    /// Words before what is grouped by that are parts of names as well.
    pub(crate) each: Vec<String>,
    /// Phrases before what is no longer shown.
    pub(crate) hide: Vec<String>,
    /// Those of the phrases at the start that say that the earlier question was not what was meant.
    pub(crate) correct: Vec<String>,
    /// Cues that conditions are added.
    pub(crate) narrow: CuePhrases,
    /// Texts that ask for rows that are not shown.
    pub(crate) others: Vec<String>,
    /// Words that refer to the earlier rows.
    pub(crate) pronouns: CuePhrases,
    /// Phrases before a figure to rank or compute by.
    pub(crate) rank: Vec<String>,
    /// Phrases before what gives way.
    pub(crate) reject: Vec<String>,
    /// Cues that a part of the question is replaced.
    pub(crate) replace: CuePhrases,
    /// Texts that ask for the rows behind a figure.
    pub(crate) rows: Vec<String>,
    /// Texts that ask for figures as parts of the whole.
    pub(crate) shares: Vec<String>,
    /// Phrases before what is shown beside the earlier rows.
    pub(crate) show: Vec<String>,
    /// Beginnings and ends of texts that ask how many the earlier rows are.
    pub(crate) total: CuePhrases,
}
