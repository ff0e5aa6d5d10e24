//! Reads a text into a query tree or a template, with the clarifications that are open, or a failure.

use std::ops::Range;

use super::interpreter::Interpreter;
use super::linked::Linked;
use super::signals::{Evidence, may_pick_rows};
use crate::account::{Account, Accounted, Doubt, Read, account_of_template, account_of_words};
use crate::ambiguity::Severity;
use crate::clarification::{AssumptionSource, Clarification, ClarificationOption, OptionBinding};
use crate::compose::{Composer, Decisions, Failure, Open, Settled, compose};
use crate::confidence::{Confidence, Gate, chance, overall};
use crate::conversation::{Turn, stands_alone};
use crate::failure::FailureCode;
use crate::intent::{QueryTree, Selection};
use crate::linking::{ColumnId, Mention, Target, ValueIndex};
use crate::order;
use crate::reading::{Frame, Part, parse};
use crate::settings::Settings;
use crate::template::{Fit, TemplateAnswer, TemplateQuestion};
use crate::text::{Span, Token};

/// The interpretation of a question.
#[derive(Clone, Debug)]
pub(crate) struct Interpretation {
    /// Mentions with their roles, in order.
    pub(crate) mentions: Vec<(Mention, Part)>,
    /// Spans that match nothing.
    pub(crate) unread: Vec<Span>,
    /// Confidence.
    pub(crate) confidence: Confidence,
    /// Disagreements between the question and the query tree.
    pub(crate) doubts: Vec<Doubt>,
    /// Clauses of the query tree with their words, and how the other words were read.
    pub(crate) account: Account,
    /// Ambiguities, decided or open.
    pub(crate) open: Vec<Open>,
    /// Id of each ambiguity, with the byte offset of its words in the joined texts of the conversation.
    pub(crate) places: Vec<(String, u32)>,
    /// Words that would complete the match of a template if these columns contained them.
    pub(crate) unlisted: Vec<(ColumnId, Span)>,
    /// Name of a template that would match if a model took values out of unread words.
    pub(crate) near: Option<String>,
    /// What the confidence of a composed statement depends on.
    pub(crate) signals: Vec<(&'static str, i32)>,
    /// The result.
    pub(crate) verdict: Verdict,
}

/// The result of reading a question.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// No query tree could be made.
    Failed(Failure),
    /// The data cannot answer the question.
    OutOfScope(Failure),
    /// The statement of a template; open ambiguities take their best option.
    Template(Box<TemplateAnswer>),
    /// A query tree; open ambiguities take their best option.
    Tree(Box<QueryTree>),
}

/// One text, or several merged ones, before decisions are applied.
#[derive(Clone, Debug)]
pub(super) struct Material {
    /// Tokens to match templates with; empty for merged texts.
    pub(super) tokens: Vec<Token>,
    /// Mentions with their roles, in order.
    pub(super) read: Settled,
    /// Frame of merged texts; the frame of one text follows from its mentions.
    pub(super) merged: Option<Frame>,
    /// Where the last of merged texts starts.
    pub(super) lead: usize,
    /// Whether the text is a follow-up without an earlier question.
    pub(super) lonely: bool,
}

/// An interpretation before it is decided whether its statement may run.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    /// The interpretation.
    pub(super) interpretation: Interpretation,
    /// The frame that the query tree was composed from.
    pub(super) frame: Frame,
    /// Number of terms matched in the catalog.
    pub(super) mapped: usize,
    /// Whether the asker has to confirm the reading before its statement runs, whatever its chance.
    pub(super) unsure: bool,
    /// Whether the unread words stand where they can pick no rows.
    pub(super) harmless: bool,
}

impl Derived {
    /// Chance that the statement answers the question, 0 to 1, if nothing is asked and nothing speaks against it.
    pub(super) fn chance(&self) -> Option<f64> {
        let Interpretation { verdict, doubts, confidence, .. } = &self.interpretation;
        let sound = matches!(verdict, Verdict::Tree(_))
            && doubts.iter().all(|doubt| !doubt.kind.is_severe())
            && self.interpretation.questions().next().is_none();
        sound.then_some(confidence.overall)
    }
}

impl Verdict {
    /// Maps the span of a failure with `local`.
    pub(super) fn localise(&mut self, local: impl Fn(Span) -> Option<Span>) {
        if let Self::Failed(failure) | Self::OutOfScope(failure) = self {
            failure.span = failure.span.and_then(local);
        }
    }
}

impl Interpreter<'_> {
    /// Reads a question with the decisions made so far; `found` contains values that searches returned.
    pub(crate) fn read(
        &self,
        text: &str,
        decisions: &Decisions,
        found: &ValueIndex,
        typing: bool,
    ) -> Interpretation {
        let material = self.material(text, found, typing);
        self.conclude(text, &material, decisions, found)
    }

    /// Links a text; the cue words of a follow-up are left out.
    pub(super) fn material(&self, text: &str, found: &ValueIndex, typing: bool) -> Material {
        let of = |text: &str, lonely: bool| {
            let Linked { tokens, mentions, parts } = self.linked(text, found, typing, None);
            Material { tokens, read: Settled { mentions, parts }, merged: None, lead: 0, lonely }
        };
        let cue = self.cues.of_whole(text);
        if cue.mode.is_some() {
            let material = of(&cue.text, false);
            let Settled { mentions, parts } = material.read.clone();
            let frame = parse(
                self.catalog,
                self.schema,
                self.lexicon,
                self.units,
                (&mentions, &parts),
                None,
            );
            let turn = Turn { mentions, parts, frame };
            if !stands_alone(&turn, &cue, None) {
                let lonely = turn.frame.head.is_none() && turn.frame.outputs.is_empty();
                return Material { lonely, ..material };
            }
        }
        of(text, false)
    }

    /// Applies decisions to mentions and frame; returns the ambiguities that were decided.
    fn settled(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
    ) -> (Settled, Frame, Vec<Open>) {
        if let Some(frame) = &material.merged {
            return (material.read.clone(), frame.clone(), Vec::new());
        }
        let mut composer = self.composer(text, &material.read.mentions, decisions);
        let settled = composer.settle_mentions(&material.read.parts, self.lexicon);
        let Settled { mentions, parts } = &settled;
        let frame =
            parse(self.catalog, self.schema, self.lexicon, self.units, (mentions, parts), None);
        (settled, frame, composer.open)
    }

    /// Interprets a linked text, and decides whether its statement may run.
    pub(super) fn conclude(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
        found: &ValueIndex,
    ) -> Interpretation {
        let Derived { mut interpretation, frame, mapped, unsure, harmless } =
            self.derive_best(text, material, decisions, found);
        if harmless && !unsure {
            interpretation.leave_out();
        }
        if !matches!(interpretation.verdict, Verdict::Template(_)) {
            // A follow-up changes a question whose answer was accepted, so that half the chance is enough.
            let eased = material.merged.is_some().then(|| Settings {
                ask_below: self.settings.ask_below / 2.0,
                ..self.settings.clone()
            });
            let settings = eased.as_ref().unwrap_or(self.settings);
            self.confirm(&mut interpretation, text, decisions, settings, unsure);
            interpretation.respect_gate(mapped, settings);
            interpretation.respect_doubts();
            self.confirm_joins(&mut interpretation, text, decisions);
        }
        let account = self.account(text, material, &frame, &interpretation);
        interpretation.doubts.extend(account.doubts());
        interpretation.account = account;
        interpretation
    }

    /// Clauses with their words, and how the other words were read.
    fn account(
        &self,
        text: &str,
        material: &Material,
        frame: &Frame,
        interpretation: &Interpretation,
    ) -> Account {
        let Interpretation { mentions, open, unread, verdict, .. } = interpretation;
        let lead = material.lead;
        let has_cues = lead > 0 || self.cues.of_whole(text).mode.is_some();
        let read = Read { text, lead, open, unread, has_cues };
        let tree = match verdict {
            Verdict::Tree(tree) => tree,
            Verdict::Template(answer) => {
                return account_of_template(&answer.sentence, mentions, &read);
            }
            Verdict::Failed(_) | Verdict::OutOfScope(_) => {
                return account_of_words(mentions, &read);
            }
        };
        let (mentions, parts): (Vec<Mention>, Vec<Part>) = mentions.iter().cloned().unzip();
        let accounted = Accounted {
            catalog: self.catalog,
            schema: self.schema,
            mentions: &mentions,
            parts: &parts,
            frame,
            tree,
        };
        accounted.account(&read)
    }

    /// Applies decisions, composes the query tree and computes the confidence.
    pub(super) fn derive(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
        found: &ValueIndex,
    ) -> Derived {
        let (settled, frame, decided) = self.settled(text, material, decisions);
        let Settled { mentions, parts } = &settled;
        let question = TemplateQuestion {
            today: self.today,
            person: self.person,
            text,
            tokens: &material.tokens,
            mentions,
            parts,
            lexicon: self.lexicon,
            values: self.values,
            found,
            extracted: self.extracted,
        };
        let (mut verdict, open, joined) =
            self.judge(text, &question, &frame, material, decisions, decided);
        let (mut unlisted, mut near) = (Vec::new(), None);
        if !frame.unread.is_empty() && !matches!(verdict, Verdict::Template(_)) {
            unlisted = self.unlisted(&question);
            near = self.templates.near(self.catalog, &question).map(str::to_owned);
        }
        let mapped = parts
            .iter()
            .filter(|part| !matches!(part, Part::Lexical | Part::Number | Part::Unknown))
            .count();
        let told = open.iter().any(|place| {
            place.clarification.ambiguity == crate::ambiguity::AmbiguityKind::Intent
                && place.decided == Some(crate::clarification::AssumptionSource::User)
        });
        let mapped = mapped + usize::from(told);
        // "Who spent the most" names no table, but what is recorded of them.
        let recorded = frame
            .superlative
            .as_ref()
            .is_some_and(|rank| !rank.concepts.is_empty() || !rank.roles.is_empty());
        let any_table = told
            || recorded
            || parts.iter().any(|part| matches!(part, Part::Schema | Part::Concept(_)));
        let doubts = self.doubts(material, &settled, &frame, &verdict);
        if let Verdict::Tree(tree) = &mut verdict {
            show_once(tree);
        }
        let mentions: Vec<(Mention, Part)> =
            settled.mentions.into_iter().zip(settled.parts).collect();
        if let Verdict::Template(answer) = verdict {
            let interpretation = of_template(answer, mentions, open);
            return Derived { interpretation, frame, mapped, unsure: false, harmless: false };
        }
        let intent = self.intent(&frame, &mentions, &open);
        let mut confidence = overall(intent, any_table, mapped, joined);
        let (mut signals, mut harmless) = (Vec::new(), false);
        if let Verdict::Tree(tree) = &verdict {
            let evidence = Evidence {
                question: text,
                mentions: &mentions,
                frame: &frame,
                tree,
                open: &open,
                doubts: &doubts,
            };
            signals = self.signals(&evidence);
            harmless = material.merged.is_none() && !may_pick_rows(self, &evidence);
        }
        if !signals.is_empty() {
            confidence.overall = chance(&signals);
        }
        let unread = frame
            .unread
            .iter()
            .filter_map(|at| mentions.get(*at))
            .map(|(mention, _)| mention.span)
            .collect();
        let interpretation = Interpretation {
            mentions,
            unread,
            confidence,
            doubts,
            account: Account::default(),
            places: places(&open),
            open,
            unlisted,
            near,
            signals,
            verdict,
        };
        Derived { interpretation, frame, mapped, unsure: false, harmless }
    }

    /// Disagreements between one text and its query tree; texts of a conversation are not compared.
    fn doubts(
        &self,
        material: &Material,
        settled: &Settled,
        frame: &Frame,
        verdict: &Verdict,
    ) -> Vec<Doubt> {
        let (Verdict::Tree(tree), None) = (verdict, &material.merged) else { return Vec::new() };
        let accounted = Accounted {
            catalog: self.catalog,
            schema: self.schema,
            mentions: &settled.mentions,
            parts: &settled.parts,
            frame,
            tree,
        };
        accounted.doubts()
    }

    fn judge(
        &self,
        text: &str,
        question: &TemplateQuestion<'_>,
        frame: &Frame,
        material: &Material,
        decisions: &Decisions,
        decided: Vec<Open>,
    ) -> (Verdict, Vec<Open>, bool) {
        let (mentions, parts) = (question.mentions, question.parts);
        let outside = self.out_of_scope(mentions, parts);
        if let Some(failure) =
            outside.as_ref().filter(|failure| failure.code == FailureCode::WriteRequested)
        {
            return (Verdict::OutOfScope(failure.clone()), Vec::new(), true);
        }
        let fit = self.templates.fit(self.catalog, question);
        let (sure, unsure) = match fit {
            Some(fit) if fit.sure => (Some(fit), None),
            other => (None, other),
        };
        if let Some(found) = sure.and_then(|fit| self.template(fit, text, question, decisions)) {
            return found;
        }
        let composable =
            outside.is_none() && frame.unread.is_empty() && !super::intent::is_open(frame, parts);
        let outside = outside.filter(|_| !material.lonely);
        let instead = || self.template(unsure.clone()?, text, question, decisions);
        if !composable && let Some(found) = instead() {
            return found;
        }
        let noun = |failure: &Failure| {
            let asked =
                self.with_unknown_noun((text, material), decisions, (mentions, frame), failure);
            asked.map(|(tree, open, joined)| (Verdict::Tree(Box::new(tree)), open, joined))
        };
        if let Some(failure) = outside {
            let refused = || (Verdict::OutOfScope(failure.clone()), Vec::new(), true);
            return noun(&failure).unwrap_or_else(refused);
        }
        let settled = (mentions, parts, frame.clone(), decided);
        let (composed, open, joined) = self.compose(text, material, decisions, settled);
        let composed = composed
            .and_then(|tree| if self.settings.composer { Ok(tree) } else { Err(composer_off()) });
        let verdict = match composed {
            Ok(tree) => Verdict::Tree(Box::new(tree)),
            Err(failure) => {
                let asked = noun(&failure).or_else(instead);
                return asked.unwrap_or((Verdict::Failed(failure), open, joined));
            }
        };
        let open = self.matter(text, material, decisions, &verdict, open);
        (verdict, open, joined)
    }

    /// Composes the query tree with these decisions; returns all ambiguities.
    pub(super) fn composed(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
    ) -> (Result<QueryTree, Failure>, Vec<Open>, bool) {
        let (Settled { mentions, parts }, frame, open) = self.settled(text, material, decisions);
        self.compose(text, material, decisions, (&mentions, &parts, frame, open))
    }

    /// Like [`Self::composed`], for mentions and a frame to which the decisions were applied.
    fn compose(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
        (mentions, parts, mut frame, open): (&[Mention], &[Part], Frame, Vec<Open>),
    ) -> (Result<QueryTree, Failure>, Vec<Open>, bool) {
        let mut composer = Composer { open, ..self.composer(text, mentions, decisions) };
        let most = super::asked_people::turn_to_most(&mut frame, mentions);
        super::asked_people::turn_to_agents(&composer, &mut frame, mentions);
        super::asked_people::turn_from_denied_date(&composer, &mut frame, mentions);
        super::asked_people::turn_to_missed(&mut frame, mentions);
        super::asked_people::turn_from_event(&composer, &mut frame, mentions);
        super::asked_people::turn_from_place(&composer, &mut frame, mentions);
        super::asked_people::turn_to_first_of_each(&composer, &mut frame, mentions);
        if material.lonely || most || super::intent::is_open(&frame, parts) {
            let reason = if material.lonely {
                "it looks like a follow-up, but there is no earlier question"
            } else {
                "the question does not say what to show"
            };
            super::intent::decide(&mut composer, &mut frame, mentions, parts, reason);
        }
        composer.show_second_who(&mut frame);
        let composed = compose(&mut composer, &frame);
        (composed, composer.open, composer.joined)
    }

    /// Words that would complete the match of a template, with the column that may contain them.
    fn unlisted(&self, question: &TemplateQuestion<'_>) -> Vec<(ColumnId, Span)> {
        let found = self.templates.unlisted(self.catalog, question).into_iter();
        let words = |range| {
            let tokens: &[Token] = question.tokens.get::<Range<usize>>(range)?;
            Some(tokens.first()?.span.union(tokens.last()?.span))
        };
        found.filter_map(|(column, range)| Some((column, words(range)?))).collect()
    }

    /// The statement of a matching template, with its open ambiguities.
    fn template(
        &self,
        fit: Fit,
        text: &str,
        question: &TemplateQuestion<'_>,
        decisions: &Decisions,
    ) -> Option<(Verdict, Vec<Open>, bool)> {
        let mut composer = self.composer(text, question.mentions, decisions);
        let answer = fit.answer(self.templates, question, &mut composer)?;
        Some((Verdict::Template(Box::new(answer)), composer.open, true))
    }

    pub(super) fn composer<'b>(
        &'b self,
        text: &'b str,
        mentions: &'b [Mention],
        decisions: &'b Decisions,
    ) -> Composer<'b> {
        Composer {
            catalog: self.catalog,
            schema: self.schema,
            dictionary: self.dictionary,
            units: self.units,
            lexicon: self.lexicon,
            settings: self.settings,
            mentions,
            question: text,
            today: self.today,
            decisions,
            open: Vec::new(),
            given: Vec::new(),
            of_lines: false,
            through: Vec::new(),
            constraints: self.constraints,
            preferences: self.preferences,
            joined: true,
        }
    }

    /// Drops ambiguities whose options all give the same query tree (`docs/spec.md` §2.4).
    fn matter(
        &self,
        text: &str,
        material: &Material,
        decisions: &Decisions,
        verdict: &Verdict,
        open: Vec<Open>,
    ) -> Vec<Open> {
        let Verdict::Tree(tree) = verdict else { return open };
        open.into_iter()
            .filter(|place| {
                let asks = place.decided.is_none() && place.clarification.options.len() > 1;
                if !asks
                    || place.clarification.custom.is_some()
                    || place.clarification.severity == Severity::Critical
                {
                    return true;
                }
                place.clarification.options.iter().any(|option| {
                    if option.binding == place.chosen {
                        return false;
                    }
                    let mut tried = decisions.clone();
                    let source = crate::clarification::AssumptionSource::BestGuess;
                    tried.insert(place.clarification.id.clone(), (option.binding.clone(), source));
                    match self.composed(text, material, &tried).0 {
                        Ok(other) => other != **tree,
                        Err(_) => true,
                    }
                })
            })
            .collect()
    }

    /// Clarity of what the question asks for, 0 to 1.
    fn intent(&self, frame: &Frame, mentions: &[(Mention, Part)], open: &[Open]) -> f64 {
        if open.iter().any(|place| {
            place.clarification.ambiguity == crate::ambiguity::AmbiguityKind::Intent
                && place.decided.is_none()
        }) {
            return 0.4;
        }
        let decided = open.iter().any(|place| {
            place.clarification.ambiguity == crate::ambiguity::AmbiguityKind::Intent
                && place.decided == Some(crate::clarification::AssumptionSource::User)
        });
        let things = decided
            || frame.head.is_some()
            || !frame.measures.is_empty()
            || !frame.outputs.is_empty();
        let named = mentions.iter().any(|(_, part)| *part == Part::Schema);
        match (things, frame.operation) {
            (true, true) => 0.95,
            (true, false) => 0.85,
            (false, true) if named => 0.75,
            (false, false) if named => 0.7,
            _ => 0.65,
        }
    }
}

/// Removes repeated output columns of a query without a union, whose parts must have the same columns.
fn show_once(tree: &mut QueryTree) {
    if tree.also.is_empty() {
        let mut kept: Vec<Selection> = Vec::with_capacity(tree.select.len());
        for selection in std::mem::take(&mut tree.select) {
            if kept.iter().all(|known| known.expression != selection.expression) {
                kept.push(selection);
            }
        }
        tree.select = kept;
    }
}

/// Interpretation of a question that a template answers; all of its words are read.
fn of_template(
    answer: Box<TemplateAnswer>,
    mut mentions: Vec<(Mention, Part)>,
    open: Vec<Open>,
) -> Interpretation {
    for (mention, part) in &mut mentions {
        let value = answer.values.iter().find(|(tokens, _)| {
            tokens.start <= mention.tokens.start && mention.tokens.end <= tokens.end
        });
        if let Some((_, reading)) = value {
            mention.readings = vec![reading.clone()];
            *part = Part::Schema;
        } else if matches!(part, Part::Vague(_))
            || mention
                .readings
                .first()
                .is_some_and(|reading| matches!(reading.target, Target::Value(..)))
        {
            *part = Part::Unknown;
        }
    }
    Interpretation {
        mentions,
        unread: Vec::new(),
        confidence: overall(answer.sureness, true, answer.words + answer.values.len(), true),
        doubts: Vec::new(),
        account: Account::default(),
        places: places(&open),
        open,
        unlisted: Vec::new(),
        near: None,
        signals: Vec::new(),
        verdict: Verdict::Template(answer),
    }
}

/// Id of each ambiguity, with the byte offset of its words.
fn places(open: &[Open]) -> Vec<(String, u32)> {
    let place = |open: &Open| {
        let clarification = &open.clarification;
        (clarification.id.clone(), clarification.span.map_or(0, |span| span.start))
    };
    open.iter().map(place).collect()
}

fn composer_off() -> Failure {
    Failure {
        code: FailureCode::ComposerOff,
        message: "composing is switched off".to_owned(),
        hint: "switch the composer on, or configure a model".to_owned(),
        span: None,
    }
}

impl Interpretation {
    /// Fails a reading with too low a confidence, unless a clarification may raise it.
    fn respect_gate(&mut self, mapped: usize, settings: &Settings) {
        let refused =
            matches!(Gate::of(&self.confidence, mapped, settings), Gate::Ask | Gate::AskIntent);
        if refused && !self.is_settled_or_asked() && matches!(self.verdict, Verdict::Tree(_)) {
            self.verdict = Verdict::Failed(Failure {
                code: FailureCode::TooUnsure,
                message: format!(
                    "the reading is only {:.0} % sure, which is too little to write a query",
                    self.confidence.overall * 100.0
                ),
                hint: "name the table, and say whether to list, count or sum".to_owned(),
                span: None,
            });
        }
    }

    /// Whether something is asked, or was: who settles a question, or lets the best guess stand, takes the rest as shown.
    pub(super) fn is_settled_or_asked(&self) -> bool {
        let told = |source| source != AssumptionSource::Default;
        self.questions().next().is_some()
            || self.open.iter().any(|place| place.decided.is_some_and(told))
    }

    /// Fails a query tree with a severe doubt, unless a clarification may settle it.
    fn respect_doubts(&mut self) {
        let asks = self.questions().next().is_some();
        let severe = self.doubts.iter().find(|doubt| doubt.kind.is_severe()).filter(|_| !asks);
        if let (Some(doubt), Verdict::Tree(_)) = (severe, &self.verdict) {
            let words = self
                .mentions
                .iter()
                .find(|(mention, _)| Some(mention.span) == doubt.span)
                .map_or_else(
                    || "the query".to_owned(),
                    |(mention, _)| format!("“{}”", mention.phrase),
                );
            self.verdict = Verdict::Failed(Failure {
                code: FailureCode::ReadingDoubtful,
                message: format!("{words} {}", doubt.kind.reason()),
                hint: "say it in other words, or in two questions".to_owned(),
                span: doubt.span,
            });
        }
    }

    /// Clarifications of one round: the `most` most severe ones. Those that only ask whether to leave words out come
    /// last.
    pub(crate) fn round(&self, most: u8) -> Vec<Clarification> {
        let asked = self.questions().take(usize::from(most));
        let mut asked: Vec<Clarification> = asked.map(|open| open.clarification.clone()).collect();
        order::by_key(&mut asked, |question| {
            let leaves = |option: &&ClarificationOption| option.binding == OptionBinding::Ignore;
            let leaving = question.options.iter().filter(leaves).count();
            leaving > 0 && question.options.len() - leaving < 2
        });
        asked
    }

    /// Whether a noun that the statement depends on is not decided, so that no statement is shown.
    pub(crate) fn lacks_a_noun(&self) -> bool {
        self.open.iter().any(|place| place.needed && place.decided.is_none())
    }

    /// Ambiguities to ask about, most severe first.
    pub(crate) fn questions(&self) -> impl Iterator<Item = &Open> {
        let mut places: Vec<&Open> = self
            .open
            .iter()
            .filter(|place| {
                place.decided.is_none() && place.clarification.severity != Severity::Minor
            })
            .filter(|place| {
                place.clarification.options.len() > 1
                    || place.chosen == OptionBinding::Ignore
                    || place.clarification.ambiguity == crate::ambiguity::AmbiguityKind::Intent
                    || place.clarification.custom.is_some()
                    || place.clarification.confirms_joins()
            })
            .collect();
        order::by_key(&mut places, |place| {
            (place.clarification.severity, place.clarification.span)
        });
        places.into_iter()
    }
}
