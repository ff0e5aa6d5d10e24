//! Record of a round: identity, timing and flags of the question, for storage.

use std::sync::Arc;
use std::time::Instant;

use serde_json::json;
use wherefore_engine::Session;
use wherefore_engine::session::{AssumptionSource, Context, Outcome, State, View};

use super::flags::{AskedFlags, Flags};
use super::run::Run;
use super::service::Questions;
use crate::caller::Caller;
use crate::knowledge::Knowledge;
use crate::problem::Problem;
use crate::store::{
    Ambiguity, NewSession, OpenSession, Record, Status, StoreError, milliseconds, new_id,
};
use crate::wire_name::wire_name;

/// Record of a round of a question.
pub(crate) struct QuestionRecord {
    /// Id of the question.
    pub(crate) question_id: String,
    /// Thread of the question.
    pub(crate) thread_id: String,
    /// Person whose memory and history are used.
    pub(crate) person: Option<String>,
    /// Variant of the experiment; empty without one.
    variant: String,
    /// Flags of a question.
    pub(crate) flags: Flags,
    /// Progress and cancellation of the round.
    pub(crate) run: Arc<Run>,
    asked_at: i64,
    worked_ms: i64,
    begun: Instant,
}

impl QuestionRecord {
    /// Record of the first round of a question, in a given thread or a new one.
    pub(crate) fn first(
        questions: &Questions,
        caller: &Caller,
        thread_id: Option<String>,
        person: Option<String>,
    ) -> Result<Self, StoreError> {
        let variant = questions.variant_of(&caller.identity, person.as_deref()).to_owned();
        let flags =
            Flags::of(questions, caller.source.knowledge().of_variant(&variant).engine.settings());
        Ok(Self {
            question_id: new_id("q")?,
            thread_id: thread_id.map_or_else(|| new_id("thr"), Ok)?,
            person,
            variant,
            flags,
            run: Arc::default(),
            asked_at: milliseconds(),
            worked_ms: 0,
            begun: Instant::now(),
        })
    }

    /// Record of a later round of a stored session; without a person, of the one who asked.
    pub(crate) fn later(
        questions: &Questions,
        caller: &Caller,
        open: &OpenSession,
        person: Option<String>,
    ) -> Result<Self, StoreError> {
        let person = person.or_else(|| open.person.clone());
        let first = Self::first(questions, caller, open.thread_id.clone(), person)?;
        if open.question_id.is_empty() {
            return Ok(first);
        }
        let variant = open.variant.clone().unwrap_or_default();
        let knowledge = caller.source.knowledge().of_variant(&variant);
        Ok(Self {
            question_id: open.question_id.clone(),
            flags: Flags::of(questions, knowledge.engine.settings()),
            variant,
            asked_at: open.asked_at.unwrap_or(first.asked_at),
            worked_ms: open.working_ms.unwrap_or_default(),
            ..first
        })
    }

    /// The engine for the variant and flags of the question.
    pub(crate) fn knowledge(&self, caller: &Caller) -> Arc<Knowledge> {
        self.flags.knowledge(caller.source.knowledge().of_variant(&self.variant))
    }

    /// The record with the flag overrides of a request.
    pub(crate) fn with_flags(
        self,
        asked: &AskedFlags,
        questions: &Questions,
    ) -> Result<Self, Problem> {
        Ok(Self { flags: self.flags.with(asked, questions)?, ..self })
    }

    /// Variant of the experiment; empty without one.
    pub(crate) fn variant(&self) -> &str {
        &self.variant
    }

    /// Whether the user cancelled the question.
    pub(crate) fn was_cancelled(&self, view: &View) -> bool {
        self.run.is_cancelled() && view.state == State::Cancelled
    }

    /// Stores the question after this round, with its session.
    ///
    /// If the question needs clarification, the session is stored under the clarification id `waits_under`. If it was
    /// answered, it is stored so that it can be changed.
    pub(crate) async fn keep(
        &self,
        questions: &Questions,
        caller: &Caller,
        session: &Session,
        waits_under: Option<&str>,
    ) -> Result<(), StoreError> {
        let (view, context) = (session.view(), session.context());
        let answered = view.outcome == Some(Outcome::Answered);
        let session = match waits_under {
            Some(id) => Some((id, session.snapshot()?)),
            None if answered => Some((self.question_id.as_str(), session.snapshot_without_rows()?)),
            None => None,
        };
        let lifetime = questions.session_lifetime;
        let (said, corrections) = led_to(context.as_ref(), view);
        let worked = i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX / 2);
        let record = Record {
            id: self.question_id.clone(),
            tenant: caller.identity.tenant.clone(),
            user: caller.identity.user.clone(),
            owner: self.person.clone().unwrap_or_default(),
            thread_id: self.thread_id.clone(),
            kept: questions.history_days > 0,
            variant: self.variant.clone(),
            status: match waits_under {
                Some(_) => Status::Pending,
                None if self.was_cancelled(view) => Status::Abandoned,
                None => Status::Completed,
            },
            question: view.question.clone(),
            said,
            corrections,
            clarifications: decided(view),
            sql: view.sql.clone(),
            outcome: view.outcome.map(wire_name).unwrap_or_default(),
            problem: view.problem.as_ref().map(|problem| problem.code.clone()),
            rounds: view.round,
            row_count: view.result.as_ref().map(|result| result.rows.len()),
            working_ms: self.worked_ms + worked,
            tokens: self.run.tokens(),
            asked_at: self.asked_at,
            ended_at: milliseconds(),
            waits: lifetime,
            ambiguities: ambiguities(view),
            session: session.map(|(id, snapshot)| NewSession {
                id: id.to_owned(),
                snapshot,
                completed: waits_under.is_none(),
                lifetime,
            }),
        };
        questions.store.keep(record).await
    }
}

/// Texts and corrections that lead to the statement of a view as JSON, for the history.
fn led_to(context: Option<&Context>, view: &View) -> (String, String) {
    let Some(Context { said, corrections, .. }) = context else {
        return (json!([view.question]).to_string(), json!([]).to_string());
    };
    let texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    (json!(texts).to_string(), json!(corrections).to_string())
}

/// Assumptions of a view as JSON, for the history.
fn decided(view: &View) -> String {
    let told = view.assumptions.iter().map(|assumption| {
        json!({
            "phrase": assumption.phrase,
            "meaning": assumption.meaning,
            "source": assumption.source,
        })
    });
    serde_json::Value::Array(told.collect()).to_string()
}

fn ambiguities(view: &View) -> Vec<Ambiguity> {
    let asked = view.clarifications.iter().map(|asked| Ambiguity {
        clarification_id: asked.id.clone(),
        kind: wire_name(asked.ambiguity),
        phrase: asked.phrase.to_lowercase(),
        asked: true,
        source: None,
        choice: None,
    });
    let worth_counting =
        view.assumptions.iter().filter(|assumption| is_worth_counting(assumption.source));
    let decided = worth_counting.map(|assumption| {
        let chosen = assumption.chosen.as_ref().map(|option| option.id.clone());
        let choice = chosen.unwrap_or_else(|| match assumption.source {
            AssumptionSource::BestGuess => "best_guess".to_owned(),
            _ => "custom".to_owned(),
        });
        Ambiguity {
            clarification_id: assumption.id.clone(),
            kind: wire_name(assumption.clarification.ambiguity),
            phrase: assumption.clarification.phrase.to_lowercase(),
            asked: false,
            source: Some(wire_name(assumption.source)),
            choice: Some(choice),
        }
    });
    decided.chain(asked).collect()
}

/// Whether decisions of this source are counted in the figures.
pub(super) fn is_worth_counting(source: AssumptionSource) -> bool {
    !matches!(source, AssumptionSource::Default | AssumptionSource::Correction)
}
