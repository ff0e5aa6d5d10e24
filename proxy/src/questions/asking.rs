//! State of a round while it runs.

use std::sync::Arc;
use std::time::Instant;

use wherefore_engine::Session;
use wherefore_engine::session::{Effect, Event, StepError};
use wherefore_engine::writing::WritingSettings;

use super::outcome::{RoundOutcome, Settled};
use super::record::QuestionRecord;
use super::service::Questions;
use super::stage_times::TimedStage;
use crate::caller::Caller;
use crate::database::DatabaseError;
use crate::knowledge::Knowledge;

/// A round of a question while it runs, with everything that its steps share.
pub(crate) struct Asking<'a> {
    /// Store, language model and settings.
    pub(super) questions: &'a Questions,
    /// The caller and its data source.
    pub(super) caller: &'a Caller,
    /// The engine, with the flags of the question.
    pub(super) knowledge: Arc<Knowledge>,
    /// Settings of the language model, with the flags of the question.
    pub(super) writing: WritingSettings,
    /// The record of the question that is stored after the round.
    pub(super) record: QuestionRecord,
    /// The session of the engine.
    pub(super) session: Session,
    /// Whether choices are remembered for everyone of the tenant.
    pub(super) for_everyone: bool,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    pub(super) accept_estimate: bool,
    /// The error of the statement that ran last, if it failed in the database.
    pub(super) failed: Option<DatabaseError>,
}

impl<'a> Asking<'a> {
    /// A round that continues a session.
    pub(super) fn new(
        questions: &'a Questions,
        caller: &'a Caller,
        record: QuestionRecord,
        session: Session,
    ) -> Self {
        let knowledge = record.knowledge(caller);
        let writing = record.flags.writing_settings(&questions.writing);
        Self {
            questions,
            caller,
            knowledge,
            writing,
            record,
            session,
            for_everyone: false,
            accept_estimate: false,
            failed: None,
        }
    }

    /// Passes an event to the session, and publishes its new states.
    pub(super) fn step(&mut self, event: Event) -> Result<Vec<Effect>, StepError> {
        let begun = Instant::now();
        let effects = self.session.step(&self.knowledge.engine, event);
        self.record.run.add_time(TimedStage::Understanding, begun.elapsed());
        self.record.run.publish(&self.session.view().steps);
        effects
    }

    /// The outcome, once it is stored.
    pub(super) fn ended(self, settled: Settled) -> RoundOutcome {
        RoundOutcome { session: self.session, record: self.record, settled }
    }
}
