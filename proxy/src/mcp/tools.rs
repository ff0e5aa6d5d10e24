//! From the name and the arguments of a call to what is done.

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, JsonObject};
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::{Correction, Event};

use super::dialogue::{Dialogue, Said};
use super::{McpServer, catalog, text};
use crate::problem::Problem;
use crate::routes::sql::{CheckRequest, Checked, check_statement};

/// Most characters of an unknown name that are repeated.
const NAME_LENGTH: usize = 40;

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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerCall {
    clarification_id: String,
    answers: Vec<ClarificationAnswer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectCall {
    clarification_id: String,
    correction: Value,
}

/// Answers a call of a tool.
pub(super) async fn call(
    server: &McpServer,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let caller = match server.caller(context) {
        Ok(caller) => caller,
        Err(problem) => return Ok(text::problem(&problem).into()),
    };
    let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
    if request_state.is_some() != input_responses.is_some() {
        let message = "inputResponses and requestState come together";
        return Err(ErrorData::invalid_params(message, None));
    }
    let said = match &*name {
        "ask" => Said::Question(read(arguments)?),
        "answer" => {
            let AnswerCall { clarification_id, answers } = read(arguments)?;
            Said::Told { id: clarification_id, event: Event::Answer { answers } }
        }
        "correct" => {
            let CorrectCall { clarification_id, correction } = read(arguments)?;
            let correction = match correction {
                Value::String(text) => Correction::Text { text },
                correction => serde_json::from_value(correction).map_err(|error| {
                    ErrorData::invalid_params(format!("correction: {error}"), None)
                })?,
            };
            Said::Told { id: clarification_id, event: Event::Correct { correction } }
        }
        "catalog" => {
            let filter = read(arguments)?;
            return Ok(catalog::list(&caller.source.knowledge(), &filter).into());
        }
        "check" => {
            let statement: CheckRequest = read(arguments)?;
            let limits = &server.state.limits;
            let checked = limits
                .run(&caller.identity)
                .and_then(|_running| check_statement(&caller.source.knowledge(), &statement));
            return Ok(result_of_check(checked).into());
        }
        unknown => {
            let name: String = unknown.chars().take(NAME_LENGTH).collect();
            let message = format!("no tool is called {name:?}");
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    let dialogue = Dialogue { server, caller: &caller, context };
    match request_state.zip(input_responses) {
        // The call comes again with the form that it was answered with: the question it waits for is the one meant.
        Some((id, responses)) => dialogue.take_form(id, &responses).await,
        None => dialogue.carry(said).await,
    }
}

fn read<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T, ErrorData> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_json::from_value(arguments)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

fn result_of_check(checked: Result<Checked, Problem>) -> CallToolResult {
    match checked {
        Ok(checked) => {
            let told = format!("The statement passes. As it would run:\n\n{}", checked.sql);
            text::result(&told, "", serde_json::to_value(checked))
        }
        Err(problem) => text::problem(&problem),
    }
}
