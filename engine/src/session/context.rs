//! The context of a conversation: what a session needs to know of the ones before it, as plain data.

use crate::day::{self, Date};
use serde::{Deserialize, Serialize};

use super::machine::Session;
use super::{AssumptionSource, Correction, FoundValues};
use crate::ambiguity::AmbiguityKind;
use crate::catalog::Catalog;
use crate::clarification::{OptionBinding, clarification_id};
use crate::compose::Decisions;
use crate::intent::QueryTree;
use crate::memory::Memory;
use crate::settings::Settings;

/// Most texts that a follow-up may go on from.
const TEXTS: usize = 20;

/// What a session starts with.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
pub struct Start {
    /// What was asked before, where the question may go on from it.
    pub context: Option<Context>,
    /// What is remembered.
    pub memory: Memory,
}

/// What was asked before, as [`Session::context`] gives it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// Texts, oldest first: the first stands alone, the others change it.
    pub said: Vec<Said>,
    /// What was decided about them.
    #[serde(default)]
    pub decisions: Vec<Decided>,
    /// How they were corrected.
    #[serde(default)]
    pub corrections: Vec<Correction>,
    /// Stored values that searches found for them.
    #[serde(default)]
    pub found: Vec<FoundValues>,
    /// The query tree that came of them.
    pub tree: QueryTree,
}

/// A text of a conversation.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// The text as typed.
    pub text: String,
    /// The asker's date then, `yyyy-mm-dd`.
    pub today: String,
}

/// A decision about a place of what was said.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// Words that were decided.
    pub phrase: String,
    /// Their first byte in all texts, a line each.
    pub start: u32,
    /// What they were decided to mean.
    pub binding: OptionBinding,
    /// Who decided.
    pub source: AssumptionSource,
}

impl Context {
    /// Whether it can be gone on from: dates are dates, texts are short enough, and the tables are still there.
    pub(super) fn is_usable(&self, catalog: &Catalog, settings: &Settings) -> bool {
        let texts = (1..=TEXTS).contains(&self.said.len())
            && self.said.iter().all(|said| {
                said.text.len() <= settings.question_bytes as usize
                    && day::parse(&said.today).is_some()
            });
        texts && catalog.table(&self.tree.from).is_some()
    }

    /// Texts with the dates they were asked on.
    pub(super) fn dated(&self) -> Vec<(String, Date)> {
        let dated = |said: &Said| Some((said.text.clone(), day::parse(&said.today)?));
        self.said.iter().filter_map(dated).collect()
    }

    /// The decisions by the ids that their places have in all texts with a further one.
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

impl Session {
    /// What a follow-up to this session goes on from; none before a statement of composed SQL was written.
    pub fn context(&self) -> Option<Context> {
        let (question, tree) = (self.question.as_ref()?, self.tree.as_ref()?);
        let before = self.start.context.as_ref().filter(|_| self.follows);
        let mut said: Vec<Said> = before.map(|before| before.said.clone()).unwrap_or_default();
        said.push(Said { text: question.text.clone(), today: question.today.clone() });
        let joined: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
        let joined = joined.join("\n");
        let mut decisions: Vec<Decided> = Vec::new();
        for known in before.iter().flat_map(|before| &before.decisions) {
            let id = clarification_id(&joined, known.ambiguity, &known.phrase, known.start);
            if !self.decisions.iter().any(|(changed, ..)| *changed == id) {
                decisions.push(known.clone());
            }
        }
        for (id, binding, source) in &self.decisions {
            let (Some(clarification), Some(start)) = (self.seen.get(id), self.places.get(id))
            else {
                continue;
            };
            decisions.push(Decided {
                ambiguity: clarification.ambiguity,
                phrase: clarification.phrase.clone(),
                start: *start,
                binding: binding.clone(),
                source: *source,
            });
        }
        let mut found: Vec<FoundValues> =
            before.map(|before| before.found.clone()).unwrap_or_default();
        found.extend(self.found.iter().flatten().filter(|found| !found.values.is_empty()).cloned());
        let corrections = before.iter().flat_map(|before| &before.corrections);
        let corrections = corrections.chain(&self.corrections).cloned().collect();
        Some(Context { said, decisions, corrections, found, tree: tree.clone() })
    }
}
