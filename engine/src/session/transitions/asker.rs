//! Transitions on events of the user.

use super::Session;
use crate::clarification::ClarificationAnswer;
use crate::engine::Engine;
use crate::session::checks::{check_question, date};
use crate::session::given::Given;
use crate::session::phase::{Ending, Phase};
use crate::session::question::{Asked, DecisionMade, Question};
use crate::session::{Effect, State, StepError, View};

impl Session {
    /// Restarts the session with a question; context and memory are kept. A text that corrects the answer before it
    /// restarts the session with the question of that answer.
    pub(super) fn ask(&mut self, engine: &Engine, asked: Asked) -> Result<Vec<Effect>, StepError> {
        check_question(engine, &asked.text)?;
        date(&asked.today)?;
        if let Some((corrected, effects)) = self.corrects_answer(engine, &asked)? {
            *self = corrected;
            return Ok(effects);
        }
        self.view = View { question: asked.text.clone(), ..View::default() };
        self.question = Some(Question::new(asked));
        self.passed(State::QueryUnderstanding, "reading the question");
        Ok(self.read(engine, None))
    }

    /// Answers open clarifications; if one answer is invalid, none is recorded.
    pub(super) fn answer(
        &mut self,
        engine: &Engine,
        answers: &[ClarificationAnswer],
    ) -> Result<Vec<Effect>, StepError> {
        let Some(question) = &self.question else { return Err(self.unexpected("answer")) };
        let given = Given { engine, start: &self.start };
        let mut decided = Vec::new();
        for answer in answers {
            let mut open = self.phase.open().iter();
            let open = open
                .find(|open| open.id == answer.clarification_id)
                .ok_or_else(|| StepError::UnknownClarification(answer.clarification_id.clone()))?;
            decided.push(given.decision(question, open, answer)?);
        }
        if decided.is_empty() {
            return Err(self.unexpected("answer without answers"));
        }
        self.decide(engine, answers, decided);
        self.passed(State::QueryUnderstanding, "reading the answer");
        Ok(self.read_again(engine))
    }

    /// Changes the decision about a clarification.
    pub(super) fn change(
        &mut self,
        engine: &Engine,
        answer: &ClarificationAnswer,
    ) -> Result<Vec<Effect>, StepError> {
        let unknown = || StepError::UnknownClarification(answer.clarification_id.clone());
        let question = self.question.as_ref().ok_or_else(unknown)?;
        let seen = question.choices.seen.get(&answer.clarification_id).ok_or_else(unknown)?;
        let made = Given { engine, start: &self.start }.decision(question, seen, answer)?;
        self.decide(engine, std::slice::from_ref(answer), vec![made]);
        self.view.result = None;
        self.view.notes.clear();
        self.passed(State::QueryUnderstanding, "reading the changed answer");
        Ok(self.read_again(engine))
    }

    fn decide(
        &mut self,
        engine: &Engine,
        answers: &[ClarificationAnswer],
        decided: Vec<DecisionMade>,
    ) {
        let Some(question) = &mut self.question else { return };
        for answer in answers {
            question.note_answer(&answer.clarification_id, &answer.answer);
        }
        for made in decided {
            // If the option no longer exists, asking again does not count as a round.
            if !question.take(engine.catalog(), made) {
                self.view.round = self.view.round.saturating_sub(1);
            }
        }
    }

    /// Marks an answer to be applied from now on; the phase does not change.
    pub(super) fn remember(&mut self, clarification_id: String) -> Result<Vec<Effect>, StepError> {
        let Some(question) = &mut self.question else {
            return Err(StepError::UnknownClarification(clarification_id));
        };
        question.remember(clarification_id).map(|()| Vec::new())
    }

    /// Cancels the question; the result of a pending effect will be rejected.
    pub(super) fn cancel(&mut self) -> Vec<Effect> {
        let basis = self.leave().into_basis();
        self.enter(Phase::Ended(Ending::Cancelled { basis }));
        self.progress("stopped by the user");
        Vec::new()
    }
}
