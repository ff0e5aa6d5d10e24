//! Turns of speech: a question is also derived in other words, which are taken where they are read better.

use super::interpreter::Interpreter;
use super::verdict::{Derived, Material, Verdict};
use crate::account::reads_word;
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::clarification::{
    AssumptionSource, ClarificationOption, Decision, OptionBinding, Relation, clarify,
};
use crate::compose::{Decisions, Open, Settled};
use crate::confidence::Method;
use crate::failure::FailureCode;
use crate::linking::{Act, ValueIndex};
use crate::reading::Part;
use crate::text::{Reworded, Span, tokenize};

/// Maximum number of rewordings that are derived for one question.
const TRIED: usize = 4;
/// Minimum chance of a statement of a rewording that is not firm, 0 to 1.
const ENOUGH: f64 = 0.5;
/// Chance below which a statement reads a question as badly as none, 0 to 1.
const UNLIKELY: f64 = 0.33;

impl Interpreter<'_> {
    /// The derivation of a question in its own words, or in other words that are read better.
    pub(super) fn derive_best(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
        found: &ValueIndex,
    ) -> Derived {
        let first = self.derive(text, material, decisions, found);
        if material.merged.is_some() || material.lonely {
            return first;
        }
        let read = match self.better(text, &first, decisions, found) {
            Some((_, derived)) => derived,
            None => first,
        };
        self.rival(text, material, &read, decisions, found).unwrap_or(read)
    }

    /// The rewording that a question is read in, if it is read in other words.
    pub(super) fn reworded(&self, text: &str, found: &ValueIndex) -> Option<Reworded> {
        let tokens = tokenize(text);
        let turned = self.turns.reword(text, &tokens).next();
        turned.or_else(|| self.turns.without_preface(text, &tokens))?;
        let decisions = Decisions::new();
        let first = self.derive(text, &self.material(text, found, false), &decisions, found);
        self.better(text, &first, &decisions, found).map(|(reworded, _)| reworded)
    }

    /// The best rewording that is read better than the question in its own words, reworded once more if that helps.
    fn better(
        &self,
        text: &str,
        first: &Derived,
        decisions: &Decisions,
        found: &ValueIndex,
    ) -> Option<(Reworded, Derived)> {
        let tokens = tokenize(text);
        let preface = self.turns.without_preface(text, &tokens);
        let preface = preface.filter(|preface| first.says_nothing(preface.span));
        let turns = self.turns.reword(text, &tokens).take(TRIED);
        // Of readings that are as good, the one in which every turn is taken is the likeliest.
        let once = self.turns.reword_all(text).into_iter().chain(preface).chain(turns).collect();
        let (reworded, derived) = self.best(text, once, first, decisions, found)?;
        let tokens = tokenize(&reworded.text);
        let again = self.turns.reword(&reworded.text, &tokens).take(TRIED);
        let twice = again.map(|next| reworded.then(next)).collect();
        let further = self.best(text, twice, &derived, decisions, found);
        Some(further.unwrap_or((reworded, derived)))
    }

    /// The best of some rewordings, if it is read better than `first`.
    fn best(
        &self,
        text: &str,
        all: Vec<Reworded>,
        first: &Derived,
        decisions: &Decisions,
        found: &ValueIndex,
    ) -> Option<(Reworded, Derived)> {
        let mut best: Option<(Rank, Reworded, Derived)> = None;
        for reworded in all {
            let material = self.material_of(&reworded, found);
            let mut derived = self.derive(text, &material, decisions, found);
            let needed = reworded.needs.iter().all(|word| derived.reads(word));
            // What is asked about is not left out in other words.
            let skips = reworded.words.is_empty() && first.plans_within(reworded.span);
            if !needed || skips {
                continue;
            }
            let rank = derived.rank();
            let sound = rank.end == End::Sound;
            let likely = !sound || derived.interpretation.confidence.overall >= ENOUGH;
            let better = likely && rank < first.rank() && first.rank().end > End::Sound;
            // What a template answers in the asker's own words is not read in others.
            let firm = reworded.firm && !first.is_template();
            // A rewording that is borne out by a column of the statement may ask more.
            let borne_out = !reworded.needs.is_empty()
                && rank.end <= End::Asked
                && rank.unread <= first.rank().unread;
            let above = better || firm && (sound || borne_out || rank <= first.rank());
            if above && best.as_ref().is_none_or(|(known, ..)| rank < *known) {
                derived.interpretation.open.insert(0, note(text, &reworded));
                best = Some((rank, reworded, derived));
            }
        }
        best.map(|(_, reworded, derived)| (reworded, derived))
    }

    /// Links a rewording; its mentions have the spans of the original words.
    pub(super) fn material_of(&self, reworded: &Reworded, found: &ValueIndex) -> Material {
        let linked = self.linked(&reworded.text, found, false, None);
        let mut mentions = linked.mentions;
        for mention in &mut mentions {
            mention.span = reworded.original(mention.span);
        }
        Material {
            tokens: Vec::new(),
            read: Settled { mentions, parts: linked.parts },
            merged: None,
            lead: 0,
            lonely: false,
        }
    }
}

/// How well a derivation reads the question; the lowest is the best.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Rank {
    end: End,
    /// Number of words that were not read.
    unread: usize,
    /// Number of questions.
    asked: usize,
}

/// What a derivation ends with, best first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum End {
    /// A statement that is likely enough, or a template.
    Sound,
    /// Something is asked.
    Asked,
    /// Nothing can be written, or something speaks against the statement.
    Failed,
}

impl Derived {
    /// Whether no word in a span names something of the data, a number or a time. What is only implied by the other
    /// words names nothing.
    fn says_nothing(&self, span: Span) -> bool {
        let mut within =
            self.interpretation.mentions.iter().filter(|(mention, _)| mention.span.overlaps(span));
        within.all(|(mention, part)| match part {
            Part::Lexical | Part::Unknown => true,
            Part::Schema => mention.readings.iter().all(|it| it.method == Method::Implied),
            _ => false,
        })
    }

    /// Whether a word in a span says that something was done, of rows that only plan it.
    fn plans_within(&self, span: Span) -> bool {
        let mut mentions = self.interpretation.mentions.iter();
        mentions
            .any(|(mention, _)| mention.act == Some(Act::Planned) && mention.span.overlaps(span))
    }

    /// Whether a query tree reads a column with this word in its name.
    fn reads(&self, word: &str) -> bool {
        match &self.interpretation.verdict {
            Verdict::Tree(tree) => reads_word(tree, word),
            _ => false,
        }
    }

    fn is_template(&self) -> bool {
        matches!(self.interpretation.verdict, Verdict::Template(_))
    }

    fn rank(&self) -> Rank {
        let interpretation = &self.interpretation;
        let unlikely = interpretation.confidence.overall < UNLIKELY;
        let asked = interpretation.questions().count();
        let severe = interpretation.doubts.iter().any(|doubt| doubt.kind.is_severe());
        let end = match &interpretation.verdict {
            Verdict::OutOfScope(failure) if failure.code != FailureCode::WriteRequested => {
                End::Failed
            }
            Verdict::Failed(_) => End::Failed,
            Verdict::Tree(_) if asked > 0 => End::Asked,
            Verdict::Tree(_) if severe || unlikely => End::Failed,
            Verdict::OutOfScope(_) | Verdict::Template(_) | Verdict::Tree(_) => End::Sound,
        };
        Rank { end, unread: interpretation.unread.len(), asked }
    }
}

/// Says in which words the question is read.
fn note(text: &str, reworded: &Reworded) -> Open {
    let words = reworded.words.trim_end_matches(['?', '.', '!', ' ']);
    let (label, description, reason) = if words.is_empty() {
        ("left out", "it only leads up to the question".to_owned(), "it asks for nothing")
    } else {
        (words, format!("read as “{words}”"), "it is read in these words")
    };
    let clarification = clarify(
        text,
        Decision {
            kind: AmbiguityKind::UnknownTerm,
            severity: Severity::Minor,
            span: Some(reworded.span),
            phrase: reworded.span.of(text).trim_end_matches([',', ':', ';', '.', ' ']).to_owned(),
            relation: Relation::Means,
            reason: reason.to_owned(),
            options: vec![ClarificationOption {
                id: "ignore".to_owned(),
                label: label.to_owned(),
                description,
                binding: OptionBinding::Ignore,
                confidence: None,
            }],
            recommended: None,
            custom: None,
        },
    );
    Open {
        clarification,
        chosen: OptionBinding::Ignore,
        decided: Some(AssumptionSource::Default),
        needed: false,
    }
}
