//! A question on its way to an answer, asking back by a form where the client has one.

use std::sync::Arc;

use rmcp::model::{
    CallToolResponse, CallToolResult, ElicitRequest, ElicitResult, ErrorData, InputRequest,
    InputRequests, InputRequiredResult, InputResponses, ProtocolVersion,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use wherefore_engine::Session;
use wherefore_engine::clarification::Clarification;
use wherefore_engine::session::{Context, Event};

use super::tools::Ask;
use super::{McpServer, form, text};
use crate::caller::Caller;
use crate::flags::AskedFlags;
use crate::problem::Problem;
use crate::round::Round;
use crate::routes::query::{QueryRequest, Resumed, ask, resume, still_open};
use crate::store::{Owner, StoredSession};

/// Name of the form among what a call waits for.
const FORM: &str = "clarifications";

/// The call of a tool that asks, answers or corrects.
pub(super) struct Dialogue<'a> {
    pub(super) server: &'a McpServer,
    pub(super) caller: &'a Caller,
    pub(super) context: &'a RequestContext<RoleServer>,
}

/// What is said.
pub(super) enum Said {
    /// A question.
    Question(Ask),
    /// An answer or a correction of the question that waits under an id.
    Told {
        /// Id that the question waits under.
        id: String,
        /// Answer or correction.
        event: Event,
    },
}

/// How a client puts a form before a person.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Forms {
    /// Not at all, or not over this transport: the result says what is needed.
    None,
    /// The call ends with the form, and comes again with the filled one.
    Returned,
    /// The form is a request of the server's own, while the call goes on.
    Requested,
}

impl Dialogue<'_> {
    /// Goes on from what is said for as many rounds as forms are answered.
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
                let json = serde_json::to_value(round.told());
                Ok(text::waiting(id, clarifications, why, json).into())
            };
            let form = form::form(clarifications).map_err(|error| {
                Problem::internal(error);
                ErrorData::internal_error("no form could be made", None)
            })?;
            match self.forms() {
                Forms::None => return open(""),
                Forms::Returned => {
                    let request = InputRequest::Elicitation(ElicitRequest::new(form));
                    let requests = InputRequests::from([(FORM.to_owned(), request)]);
                    return Ok(InputRequiredResult::new(Some(requests), Some(id.to_owned())).into());
                }
                Forms::Requested => {
                    let lifetime = self.server.state.session_lifetime;
                    let peer = &self.context.peer;
                    let filled = peer.create_elicitation_with_timeout(form, Some(lifetime)).await;
                    let filled = match filled {
                        Ok(filled) => filled,
                        Err(error) => {
                            tracing::info!(%error, "form was not answered");
                            return open("The form was not answered. ");
                        }
                    };
                    let Some(answers) = form::answers(&filled, clarifications) else {
                        return open(DECLINED);
                    };
                    said = Said::Told { id: id.to_owned(), event: Event::Answer { answers } };
                }
            }
        }
    }

    /// Goes on with the form that the question under this id waited for.
    pub(super) async fn take_form(
        &self,
        id: String,
        responses: &InputResponses,
    ) -> Result<CallToolResponse, ErrorData> {
        let filled = responses.get(FORM).cloned().unwrap_or_default();
        let filled: ElicitResult = serde_json::from_value(filled)
            .map_err(|error| ErrorData::invalid_params(format!("{FORM}: {error}"), None))?;
        let clarifications = match self.open_clarifications(&id).await {
            Ok(clarifications) => clarifications,
            Err(problem) => return Ok(text::problem(&problem).into()),
        };
        match form::answers(&filled, &clarifications) {
            Some(answers) => self.carry(Said::Told { id, event: Event::Answer { answers } }).await,
            None => Ok(still_waiting(&id, &clarifications).into()),
        }
    }

    /// One round: counted, run and kept like one over HTTP.
    async fn play(&self, said: Said) -> Result<Round, Problem> {
        let Self { server: McpServer { state, .. }, caller, .. } = self;
        let person = caller.person(None)?;
        match said {
            Said::Question(question) => {
                state.limits.ask(&caller.identity)?;
                let _running = state.limits.run(&caller.identity)?;
                let Ask { question, today, skip_clarification, thread } = question;
                let context = match &thread {
                    Some(thread) => self.context_of(thread, person.as_deref()).await?,
                    None => None,
                };
                let request = QueryRequest {
                    question,
                    id: None,
                    thread_id: thread,
                    today,
                    skip_clarification,
                    context,
                    person: None,
                    flags: AskedFlags::default(),
                };
                ask(state, caller, request, person, Arc::default()).await
            }
            Said::Told { id, event } => {
                let _running = state.limits.run(&caller.identity)?;
                resume(state, caller, Resumed::new(id, event)).await
            }
        }
    }

    /// What a question in a thread goes on from: the last one that was answered in it, while it can be changed.
    async fn context_of(
        &self,
        thread: &str,
        person: Option<&str>,
    ) -> Result<Option<Context>, Problem> {
        let Self { server: McpServer { state, .. }, caller, .. } = self;
        let owner = Owner { tenant: &caller.identity.tenant, name: person.unwrap_or_default() };
        let Some(id) = state.store.last_answered(owner, thread).await? else { return Ok(None) };
        match state.store.find_completed(&caller.identity, &id).await? {
            Some(StoredSession::Open(open)) => {
                let session = Session::restore(&open.snapshot).map_err(Problem::internal)?;
                Ok(session.context())
            }
            _ => Ok(None),
        }
    }

    /// What the question under an id asks back.
    async fn open_clarifications(&self, id: &str) -> Result<Vec<Clarification>, Problem> {
        let found = self.server.state.store.find(&self.caller.identity, id).await?;
        let open = still_open(found)?;
        let session = Session::restore(&open.snapshot).map_err(Problem::internal)?;
        Ok(session.view().clarifications.clone())
    }

    /// How the client of this call takes forms.
    fn forms(&self) -> Forms {
        let capabilities = self.context.client_capabilities().unwrap_or_default();
        let version = self.context.protocol_version();
        let returns = version
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        match capabilities.elicitation {
            // A client that names no kind of elicitation has forms.
            Some(kinds) if kinds.form.is_none() && kinds.url.is_some() => Forms::None,
            Some(_) if returns => Forms::Returned,
            // Over HTTP a request of the server's own would need a session.
            Some(_) if self.server.local.is_some() => Forms::Requested,
            Some(_) | None => Forms::None,
        }
    }
}

const DECLINED: &str = "The form was declined, and the question still waits. ";

fn still_waiting(id: &str, clarifications: &[Clarification]) -> CallToolResult {
    let json = serde_json::json!({
        "outcome": "needs_clarification",
        "clarification_id": id,
        "questions": clarifications,
    });
    text::waiting(id, clarifications, DECLINED, Ok::<Value, serde_json::Error>(json))
}
