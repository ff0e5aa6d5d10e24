//! The context of a conversation: what a session needs to know about earlier ones, as plain data.

use crate::day::{self, Date};
use serde::{Deserialize, Serialize};

use super::question::Question;
use super::{AssumptionSource, Correction, FoundValues};
use crate::ambiguity::AmbiguityKind;
use crate::catalog::Catalog;
use crate::clarification::{OptionBinding, clarification_id};
use crate::compose::Decisions;
use crate::intent::QueryTree;
use crate::memory::{Chosen, Memory};
use crate::settings::Settings;

/// Maximum number of texts in a context.
const TEXTS: usize = 20;

/// Input of a new session.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// The conversation so far, if the question may be a follow-up.
    pub context: Option<Context>,
    /// Remembered choices.
    pub memory: Memory,
    /// What the users of the tenant chose, for recommendations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<Chosen>,
    /// The person who asks, for templates whose default is the current user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

/// The conversation so far, as returned by [`Session::context`](crate::Session::context).
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// Texts, oldest first: the first is a complete question, the others modify it.
    pub said: Vec<Said>,
    /// Decisions about the texts.
    #[serde(default)]
    pub decisions: Vec<Decided>,
    /// Corrections of the texts.
    #[serde(default)]
    pub corrections: Vec<Correction>,
    /// Stored values that were found for the texts.
    #[serde(default)]
    pub found: Vec<FoundValues>,
    /// The resulting query tree.
    pub tree: QueryTree,
}

/// A text of a conversation.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The text as typed.
    pub text: String,
    /// The user's date at that time, `yyyy-mm-dd`.
    pub today: String,
}

/// A decision about an ambiguity in the conversation.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// The ambiguous words.
    pub phrase: String,
    /// Byte offset of the words in all texts, joined by newlines.
    pub start: u32,
    /// Meaning of the ambiguous words.
    pub binding: OptionBinding,
    /// Who or what decided.
    pub source: AssumptionSource,
}

impl Context {
    /// Whether a follow-up can use the context: dates and text lengths are valid, and the table still exists.
    pub(super) fn is_usable(&self, catalog: &Catalog, settings: &Settings) -> bool {
        let texts = (1..=TEXTS).contains(&self.said.len())
            && self.said.iter().all(|said| {
                said.text.len() <= settings.question_bytes as usize
                    && day::parse(&said.today).is_some()
            });
        texts && catalog.table(&self.tree.from).is_some()
    }

    /// Texts with their parsed dates.
    pub(super) fn dated(&self) -> Vec<(String, Date)> {
        let dated = |said: &Said| Some((said.text.clone(), day::parse(&said.today)?));
        self.said.iter().filter_map(dated).collect()
    }

    /// The decisions, with clarification ids for `joined`, which contains all texts including the new one.
    pub(super) fn decisions(&self, joined: &str) -> Decisions {
        let decided = |known: &Decided| {
            let id = clarification_id(joined, known.ambiguity, &known.phrase, known.start);
            (id, (known.binding.clone(), known.source))
        };
        let mut decisions = Decisions::new();
        decisions.extend(self.decisions.iter().map(decided));
        decisions
    }
}

/// The context for a follow-up to a question with this query tree.
pub(super) fn context(start: &Start, question: &Question, tree: &QueryTree) -> Context {
    let before = start.context.as_ref().filter(|_| question.reading.follows);
    let mut said: Vec<Said> = before.map(|before| before.said.clone()).unwrap_or_default();
    let asked = &question.asked;
    said.push(Said { text: asked.text.clone(), today: asked.today.clone() });
    let joined: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    let joined = joined.join("\n");
    let choices = &question.choices;
    let mut decisions: Vec<Decided> = Vec::new();
    for known in before.iter().flat_map(|before| &before.decisions) {
        let id = clarification_id(&joined, known.ambiguity, &known.phrase, known.start);
        if !choices.is_decided(&id) {
            decisions.push(known.clone());
        }
    }
    for made in choices.decisions() {
        let (asked, place) = (choices.seen.get(&made.id), question.reading.places.get(&made.id));
        let (Some(clarification), Some(start)) = (asked, place) else { continue };
        decisions.push(Decided {
            ambiguity: clarification.ambiguity,
            phrase: clarification.phrase.clone(),
            start: *start,
            binding: made.binding.clone(),
            source: made.source,
        });
    }
    let mut found: Vec<FoundValues> = before.map(|before| before.found.clone()).unwrap_or_default();
    let own = question.reading.found.iter().flatten();
    found.extend(own.filter(|found| !found.values.is_empty()).cloned());
    let corrections = before.iter().flat_map(|before| &before.corrections);
    let corrections = corrections.chain(&question.corrections).cloned().collect();
    Context { said, decisions, corrections, found, tree: tree.clone() }
}
