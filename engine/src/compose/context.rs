//! What composing works with: the catalog, the decisions made so far, and those that stay open.

use std::collections::BTreeMap;

use crate::day::Date;
use crate::failure::FailureCode;

use super::constraints::Constraints;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::Catalog;
use crate::clarification::{AssumptionSource, Clarification, Decision, OptionBinding};
use crate::dictionary::Dictionary;
use crate::intent::Predicate;
use crate::linking::{Lexicon, Mention, SchemaIndex, TableId, Units};
use crate::memory::Preferences;
use crate::settings::Settings;
use crate::text::Span;

/// Decisions by clarification id.
pub(crate) type Decisions = BTreeMap<String, (OptionBinding, AssumptionSource)>;

/// A place where something was decided, or has to be.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    /// What is or would be asked.
    pub(crate) clarification: Clarification,
    /// What was taken.
    pub(crate) chosen: OptionBinding,
    /// Who decided; none where it is open.
    pub(crate) decided: Option<AssumptionSource>,
    /// Whether the words are never left out unasked, because nothing, or another question, remains without them.
    pub(crate) needed: bool,
}

/// Why no query tree could be made.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Failure {
    /// Stable code.
    pub(crate) code: FailureCode,
    /// One sentence.
    pub(crate) message: String,
    /// What may help.
    pub(crate) hint: String,
    /// Place in the question.
    pub(crate) span: Option<Span>,
}

/// Everything composing works with.
#[derive(Debug)]
pub(crate) struct Composer<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) schema: &'a SchemaIndex,
    pub(crate) dictionary: &'a Dictionary,
    pub(crate) units: &'a Units,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) settings: &'a Settings,
    pub(crate) mentions: &'a [Mention],
    pub(crate) question: &'a str,
    pub(crate) today: Date,
    pub(crate) decisions: &'a Decisions,
    /// Places decided or open, in the order they came up.
    pub(crate) open: Vec<Open>,
    pub(crate) constraints: &'a Constraints,
    /// Earlier choices, which recommend options.
    pub(crate) preferences: Preferences<'a>,
    /// Conditions that were given for words which tie to nothing.
    pub(crate) given: Vec<Predicate>,
    /// Whether amounts are taken from lines, because those of whole rows would be counted several times.
    pub(crate) of_lines: bool,
    /// Tables through which the way to another one has to lead.
    pub(crate) through: Vec<(TableId, TableId)>,
    /// Whether every join has exactly one way.
    pub(crate) joined: bool,
}

impl Composer<'_> {
    /// Takes the option that was decided on, else the recommended one; the place is kept either way.
    pub(crate) fn decide(&mut self, mut decision: Decision) -> OptionBinding {
        self.arrange(&mut decision);
        let mut clarification = crate::clarification::clarify(self.question, decision);
        self.rate(&mut clarification);
        let decided = self.decisions.get(&clarification.id).filter(|(binding, _)| {
            clarification.options.iter().any(|option| option.binding == *binding)
                || clarification.custom.is_some()
                || *binding == OptionBinding::Ignore
        });
        let unknown = clarification.ambiguity == AmbiguityKind::UnknownTerm;
        let recommended = clarification
            .recommended
            .as_ref()
            .and_then(|id| clarification.options.iter().find(|option| option.id == *id))
            .or(clarification.options.first())
            .map_or(OptionBinding::Ignore, |option| option.binding.clone());
        // What an unknown word means is never guessed.
        let fallback = if unknown { OptionBinding::Ignore } else { recommended };
        let (chosen, source) = match decided {
            Some((binding, source)) => (binding.clone(), Some(*source)),
            None => match self.corrected(&clarification.options) {
                Some(binding) => (binding, Some(AssumptionSource::Correction)),
                None => (fallback, None),
            },
        };
        let source = match (source, clarification.severity) {
            (None, Severity::Minor) => Some(AssumptionSource::Default),
            (source, _) => source,
        };
        let known = self.open.iter().any(|open| open.clarification.id == clarification.id);
        if !known {
            let chosen = chosen.clone();
            self.open.push(Open { clarification, chosen, decided: source, needed: false });
        }
        chosen
    }

    /// Words of a mention.
    pub(crate) fn phrase(&self, at: usize) -> &str {
        self.mentions.get(at).map_or("", |mention| mention.phrase.as_str())
    }

    /// Place of a mention.
    pub(crate) fn span(&self, at: usize) -> Option<Span> {
        self.mentions.get(at).map(|mention| mention.span)
    }

    /// Failure at a mention.
    pub(crate) fn fail(
        &self,
        code: FailureCode,
        message: String,
        hint: &str,
        at: Option<usize>,
    ) -> Failure {
        Failure { code, message, hint: hint.to_owned(), span: at.and_then(|at| self.span(at)) }
    }
}
