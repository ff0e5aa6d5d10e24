//! Drives a session as the proxy does, up to the statement that would be executed.

use std::fmt::Write;

use anyhow::Result;
use wherefore_engine::Session;
use wherefore_engine::ambiguity::AmbiguityKind;
use wherefore_engine::clarification::{Answer, Clarification, ClarificationAnswer};
use wherefore_engine::session::{
    Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues, Outcome, State, View,
};

use super::report::line;
use super::source::Source;

/// Event limit of one dialogue; reaching it means that the engine asks in a loop.
const MOST_EVENTS: usize = 16;

/// A dialogue about one question.
#[derive(Clone)]
pub(crate) struct Dialogue<'a> {
    source: &'a Source,
    today: &'a str,
    session: Session,
    found: Vec<FoundValues>,
}

impl<'a> Dialogue<'a> {
    /// Asks a question; with `skip`, best guesses replace all clarifications.
    pub(crate) fn ask(
        source: &'a Source,
        question: &str,
        today: &'a str,
        skip: bool,
    ) -> Result<Self> {
        let mut dialogue = Self { source, today, session: Session::new(), found: Vec::new() };
        let event = Event::Ask {
            text: question.to_owned(),
            today: today.to_owned(),
            skip_clarification: skip,
        };
        dialogue.tell(event)?;
        Ok(dialogue)
    }

    /// The current view of the session.
    pub(crate) fn view(&self) -> &View {
        self.session.view()
    }

    /// What the confidence of the question depends on.
    pub(crate) fn signals(&self, question: &str) -> Vec<(&'static str, i32)> {
        self.source.engine.signals(question, self.today, &self.found)
    }

    /// Clarifications that wait for an answer.
    pub(crate) fn questions(&self) -> &[Clarification] {
        if self.view().state == State::AwaitingClarification {
            &self.view().clarifications
        } else {
            &[]
        }
    }

    /// Whether unread words are all that is asked about.
    pub(crate) fn asks_only_about_unread(&self) -> bool {
        let asked = self.questions();
        !asked.is_empty()
            && asked.iter().all(|question| question.ambiguity == AmbiguityKind::UnknownTerm)
    }

    /// The statement that would be executed; `None` while something is asked or when none was written.
    pub(crate) fn statement(&self) -> Option<&str> {
        let view = self.view();
        let ends = matches!(view.state, State::ExecutingQuery | State::Completed);
        view.sql.as_deref().filter(|_| ends)
    }

    /// How the dialogue ended, as one word for a report.
    pub(crate) fn end(&self) -> &'static str {
        match self.view().outcome {
            Some(Outcome::NeedsClarification) => "asked",
            Some(Outcome::OutOfScope) => "out_of_scope",
            Some(Outcome::GenerationFailed) => "not_written",
            Some(Outcome::ExecutionFailed) => "not_run",
            Some(Outcome::Answered) | None => "answered",
        }
    }

    /// Appends unread words, doubts, assumptions, the problem if any, and the statement to `text`.
    pub(crate) fn describe(&self, text: &mut String) -> Result<()> {
        let view = self.view();
        let unread: Vec<&str> =
            view.understanding.unread.iter().map(|span| span.of(&view.question)).collect();
        if !unread.is_empty() {
            writeln!(text, "  unread {}", unread.join(", "))?;
        }
        for doubt in &view.understanding.doubts {
            let words = doubt.span.map_or("", |span| span.of(&view.question));
            writeln!(text, "  doubt {:?} {words}", doubt.kind)?;
        }
        for assumption in &view.assumptions {
            let labels: Vec<&str> = assumption
                .clarification
                .options
                .iter()
                .map(|option| option.label.as_str())
                .collect();
            let (phrase, meaning) = (&assumption.phrase, &assumption.meaning);
            writeln!(text, "  assumes {phrase} = {meaning} (of {})", labels.join(" / "))?;
        }
        if let Some(problem) = &view.problem {
            writeln!(text, "  problem {}: {}", problem.code, problem.message)?;
        }
        if let Some(sql) = self.statement() {
            writeln!(text, "  sql {}", line(sql))?;
        }
        Ok(())
    }

    /// Answers clarifications with the given pairs of clarification id and option id; the rest takes best guesses.
    pub(crate) fn choose(&mut self, choices: &[(String, String)]) -> Result<()> {
        let mut answers = self.guesses();
        answers.retain(|answer| choices.iter().all(|(id, _)| *id != answer.clarification_id));
        answers.extend(choices.iter().map(|(question, option)| ClarificationAnswer {
            clarification_id: question.clone(),
            answer: Answer::Option { option_id: option.clone() },
        }));
        if answers.is_empty() { self.guess() } else { self.tell(Event::Answer { answers }) }
    }

    /// Takes best guesses for all pending clarifications.
    pub(crate) fn guess(&mut self) -> Result<()> {
        let answers = self.guesses();
        if answers.is_empty() {
            // A clarification without options has no best guess: ask again with clarifications switched off.
            let question = self.view().question.clone();
            *self = Self::ask(self.source, &question, self.today, true)?;
            return Ok(());
        }
        self.tell(Event::Answer { answers })
    }

    /// Takes best guesses until nothing is asked any more.
    pub(crate) fn finish(mut self) -> Result<Self> {
        for _ in 0..MOST_EVENTS {
            if self.questions().is_empty() {
                break;
            }
            self.guess()?;
        }
        Ok(self)
    }

    fn guesses(&self) -> Vec<ClarificationAnswer> {
        self.questions()
            .iter()
            .filter(|question| !question.options.is_empty())
            .map(|question| ClarificationAnswer {
                clarification_id: question.id.clone(),
                answer: Answer::BestGuess,
            })
            .collect()
    }

    /// Sends an event to the session and performs the value searches that it requests; statements are not executed.
    fn tell(&mut self, event: Event) -> Result<()> {
        let mut effects = self.session.step(&self.source.engine, event)?;
        for _ in 0..MOST_EVENTS {
            let Some(Effect { id, request }) = effects.pop() else { break };
            let EffectRequest::LookUpValues { searches } = request else { break };
            let result = if self.source.engine.catalog().can_execute {
                self.found = self.source.search(searches);
                EffectResult::Values { found: self.found.clone() }
            } else {
                EffectResult::Failed { failure: no_database() }
            };
            let event = Event::EffectResult { effect_id: id, result };
            effects = self.session.step(&self.source.engine, event)?;
        }
        Ok(())
    }
}

fn no_database() -> ExecutionFailure {
    ExecutionFailure {
        code: "no_database".to_owned(),
        message: "the catalog has no database behind it".to_owned(),
        retryable: false,
    }
}
