//! Dialogue of a tool call: a question, and clarifications as forms (elicitation) if the client supports them.

use std::sync::Arc;

use rmcp::model::{
    CallToolResponse, CallToolResult, ElicitRequest, ElicitResult, ErrorData, InputRequest,
    InputRequests, InputRequiredResult, InputResponses, ProtocolVersion,
};
use serde::Deserialize;
use serde_json::Value;
use wherefore_engine::clarification::Clarification;
use wherefore_engine::session::Event;

use super::call::Call;
use super::{form, text};
use crate::problem::Problem;
use crate::questions::{
    AskedFlags, Change, QueryRequest, Resumed, RoundOutcome, ask, change, open_clarifications,
    resume,
};
use crate::state::AppState;

/// Key of the form among the input requests of a call.
const FORM: &str = "clarifications";

/// Separates the clarification id from the fingerprint of the call in `requestState`.
const SEPARATOR: char = '.';

/// A call of `ask`, `answer` or `correct`.
pub(super) struct Dialogue<'a> {
    /// The call.
    pub(super) call: Call<'a>,
    /// Fingerprint of the call, which its form is bound to.
    pub(super) fingerprint: String,
    /// Whether the statement runs even if its estimated rows exceed the limit above which the caller is asked.
    pub(super) accept_estimate: bool,
}

/// Arguments of `ask`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    pub(super) question: String,
    #[serde(default)]
    pub(super) today: Option<String>,
    #[serde(default)]
    pub(super) skip_clarification: bool,
    #[serde(default)]
    pub(super) thread: Option<String>,
    #[serde(default)]
    pub(super) accept_estimate: bool,
}

/// Input of the caller: a question, an answer or a correction.
pub(super) enum Said {
    /// A question.
    Question(Ask),
    /// An answer or a correction to a waiting question.
    Answer {
        /// Clarification id of the question.
        id: String,
        /// Answer or correction.
        event: Event,
    },
    /// A correction of an answered question.
    Correction {
        /// Id of the question.
        id: String,
        /// The correction.
        event: Event,
    },
}

/// How a client shows forms to a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Forms {
    /// Not supported by the client or this transport: the result describes the clarifications as text.
    None,
    /// The response of the call is the form; the client repeats the call with the filled form.
    Returned,
    /// The server requests the form from the client during the call.
    Requested,
}

impl Dialogue<'_> {
    /// Runs rounds until the question ends or a form is not answered.
    pub(super) async fn carry(&self, said: Said) -> Result<CallToolResponse, ErrorData> {
        let mut said = said;
        loop {
            let round = match self.play(said).await {
                Ok(round) => round,
                Err(problem) => return Ok(text::problem(&problem).into()),
            };
            let Some(id) = round.waits_under() else { return Ok(text::ended(&round).into()) };
            let clarifications = &round.session.view().clarifications;
            let open = |why: &str| {
                let json = serde_json::to_value(round.body());
                Ok(text::waiting(id, clarifications, why, json).into())
            };
            let form = form::form(clarifications).map_err(|error| {
                Problem::internal(error);
                ErrorData::internal_error("cannot create the form", None)
            })?;
            match self.forms() {
                Forms::None => return open(""),
                Forms::Returned => {
                    let request = InputRequest::Elicitation(ElicitRequest::new(form));
                    let requests = InputRequests::from([(FORM.to_owned(), request)]);
                    let state = format!("{id}{SEPARATOR}{}", self.fingerprint);
                    return Ok(InputRequiredResult::new(Some(requests), Some(state)).into());
                }
                Forms::Requested => {
                    let lifetime = self.call.state.questions.session_lifetime;
                    let peer = &self.call.context.peer;
                    let filled = peer.create_elicitation_with_timeout(form, Some(lifetime)).await;
                    let filled = match filled {
                        Ok(filled) => filled,
                        Err(error) => {
                            tracing::info!(%error, "the elicitation form was not answered");
                            return open("The form was not answered. ");
                        }
                    };
                    let Some(answers) = form::answers(&filled, clarifications) else {
                        return open(DECLINED);
                    };
                    said = Said::Answer { id: id.to_owned(), event: Event::Answer { answers } };
                }
            }
        }
    }

    /// Resumes a waiting question with a filled form. The call must be the one that asked for the form.
    pub(super) async fn take_form(
        &self,
        state: &str,
        responses: &InputResponses,
    ) -> Result<CallToolResponse, ErrorData> {
        let bound = state.rsplit_once(SEPARATOR);
        let Some((id, _)) = bound.filter(|(_, fingerprint)| *fingerprint == self.fingerprint)
        else {
            let message =
                "requestState belongs to another call; repeat a call with its own arguments";
            return Err(ErrorData::invalid_params(message, None));
        };
        let id = id.to_owned();
        let filled = responses.get(FORM).cloned().unwrap_or_default();
        let filled: ElicitResult = serde_json::from_value(filled)
            .map_err(|error| ErrorData::invalid_params(format!("{FORM}: {error}"), None))?;
        let clarifications =
            match open_clarifications(&self.call.state.questions, self.call.caller, &id).await {
                Ok(clarifications) => clarifications,
                Err(problem) => return Ok(text::problem(&problem).into()),
            };
        match form::answers(&filled, &clarifications) {
            Some(answers) => {
                self.carry(Said::Answer { id, event: Event::Answer { answers } }).await
            }
            None => Ok(still_waiting(&id, &clarifications).into()),
        }
    }

    /// Runs one round, with the same limits and history as over HTTP.
    async fn play(&self, said: Said) -> Result<RoundOutcome, Problem> {
        let Call { state: AppState { limits, questions, .. }, caller, .. } = self.call;
        match said {
            Said::Question(question) => {
                let person = caller.person(None)?;
                limits.ask(&caller.identity)?;
                let _running = limits.run(&caller.identity)?;
                let Ask { question, today, skip_clarification, thread, accept_estimate } = question;
                let request = QueryRequest {
                    question,
                    id: None,
                    thread_id: thread,
                    today,
                    skip_clarification,
                    accept_estimate,
                    context: None,
                    person: None,
                    flags: AskedFlags::default(),
                };
                ask(questions, caller, request, person, Arc::default()).await
            }
            Said::Answer { id, event } => {
                let _running = limits.run(&caller.identity)?;
                let accept_estimate = self.accept_estimate;
                let resumed = Resumed { accept_estimate, ..Resumed::new(id, event) };
                resume(questions, caller, resumed).await
            }
            Said::Correction { id, event } => {
                let person = caller.person(None)?;
                let _running = limits.run(&caller.identity)?;
                let flags = AskedFlags::default();
                let accept_estimate = self.accept_estimate;
                change(questions, caller, Change { id, event, person, flags, accept_estimate })
                    .await
            }
        }
    }

    /// How the client of this call supports forms.
    fn forms(&self) -> Forms {
        let capabilities = self.call.context.client_capabilities().unwrap_or_default();
        let version = self.call.context.protocol_version();
        let returns = version
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        match capabilities.elicitation {
            // Elicitation without a mode means forms.
            Some(kinds) if kinds.form.is_none() && kinds.url.is_some() => Forms::None,
            Some(_) if returns => Forms::Returned,
            // Over HTTP, a request from server to client would need a session.
            Some(_) if self.call.is_local => Forms::Requested,
            Some(_) | None => Forms::None,
        }
    }
}

const DECLINED: &str = "The form was declined; the question is still pending. ";

fn still_waiting(id: &str, clarifications: &[Clarification]) -> CallToolResult {
    let json = serde_json::json!({
        "outcome": "needs_clarification",
        "clarification_id": id,
        "questions": clarifications,
    });
    text::waiting(id, clarifications, DECLINED, Ok::<Value, serde_json::Error>(json))
}
