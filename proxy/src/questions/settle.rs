//! Use case: storing the outcome of a round.

use wherefore_engine::session::{Effect, Outcome};

use super::asking::Asking;
use super::outcome::Settled;
use super::problems::{cancelled, execution_problem, step_problem};
use super::trace::Trace;
use crate::problem::Problem;
use crate::store::new_id;

impl Asking<'_> {
    /// Performs the effects of the session, and stores its outcome.
    pub(super) async fn perform_and_settle(
        &mut self,
        effects: Vec<Effect>,
    ) -> Result<Settled, Problem> {
        self.perform(effects).await.map_err(|error| step_problem(&error, &[]))?;
        self.settle().await
    }

    /// Stores the outcome of the session.
    pub(super) async fn settle(&mut self) -> Result<Settled, Problem> {
        let outcome = self.session.view().outcome;
        if outcome == Some(Outcome::Answered)
            && self.record.flags.learning
            && let Err(error) = self.remember().await
        {
            tracing::warn!(%error, "cannot store the remembered choices");
        }
        if outcome != Some(Outcome::NeedsClarification)
            && self.record.flags.learning
            && let Err(error) = self.learn().await
        {
            tracing::warn!(%error, "cannot store what was learned");
        }
        if outcome == Some(Outcome::NeedsClarification) {
            return self.settle_waiting().await;
        }
        self.settle_ended().await
    }

    async fn settle_waiting(&self) -> Result<Settled, Problem> {
        let clarification_id = new_id("clf")?;
        self.record
            .keep(self.questions, self.caller, &self.session, Some(&clarification_id))
            .await?;
        let expires_in = self.questions.session_lifetime.as_secs();
        Ok(Settled::Waits { clarification_id, expires_in })
    }

    async fn settle_ended(&self) -> Result<Settled, Problem> {
        // If the store fails, the answer is still sent; it is only missing in the history.
        let kept = self.record.keep(self.questions, self.caller, &self.session, None).await;
        if let Err(error) = &kept {
            tracing::warn!(%error, "cannot store the question in the history");
        }
        let view = self.session.view();
        if self.record.was_cancelled(view) {
            return Err(cancelled(&view.question));
        }
        if view.outcome == Some(Outcome::ExecutionFailed) {
            let trace = serde_json::to_value(Trace::of(&self.record, &self.session))
                .map_err(Problem::internal)?;
            return Err(execution_problem(view, self.failed.as_ref()).with("trace", trace));
        }
        Ok(Settled::Ended { kept: kept.is_ok() })
    }
}
