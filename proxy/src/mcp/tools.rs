//! Dispatches tool calls by name.

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, JsonObject};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::{Correction, Event};

use super::call::Call;
use super::dialogue::{Ask, Dialogue, Said};
use super::{catalog, text};
use crate::problem::Problem;
use crate::statements::{CheckRequest, Checked, check_statement};

/// Maximum number of characters repeated of an unknown name.
const NAME_LENGTH: usize = 40;
/// Length of the fingerprint of a call, in bytes.
const FINGERPRINT_BYTES: usize = 16;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerCall {
    clarification_id: String,
    answers: Vec<ClarificationAnswer>,
    #[serde(default)]
    accept_estimate: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CorrectCall {
    #[serde(default)]
    clarification_id: Option<String>,
    #[serde(default)]
    id: Option<String>,
    correction: Value,
    #[serde(default)]
    accept_estimate: bool,
}

/// Runs a tool call.
pub(super) async fn call(
    call: Call<'_>,
    request: CallToolRequestParams,
) -> Result<CallToolResponse, ErrorData> {
    let CallToolRequestParams { name, arguments, input_responses, request_state, .. } = request;
    if request_state.is_some() != input_responses.is_some() {
        let message = "inputResponses and requestState must be sent together";
        return Err(ErrorData::invalid_params(message, None));
    }
    let fingerprint = fingerprint(&name, arguments.as_ref());
    let (said, accept_estimate) = match &*name {
        "ask" => {
            let ask: Ask = read(arguments)?;
            let accept_estimate = ask.accept_estimate;
            (Said::Question(ask), accept_estimate)
        }
        "answer" => {
            let AnswerCall { clarification_id, answers, accept_estimate } = read(arguments)?;
            let said = Said::Answer { id: clarification_id, event: Event::Answer { answers } };
            (said, accept_estimate)
        }
        "correct" => {
            let CorrectCall { clarification_id, id, correction, accept_estimate } =
                read(arguments)?;
            let correction = match correction {
                Value::String(text) => Correction::Text { text },
                correction => serde_json::from_value(correction).map_err(|error| {
                    ErrorData::invalid_params(format!("correction: {error}"), None)
                })?,
            };
            let event = Event::Correct { correction };
            match (clarification_id, id) {
                (Some(id), None) => (Said::Answer { id, event }, accept_estimate),
                (None, Some(id)) => (Said::Correction { id, event }, accept_estimate),
                _ => {
                    let message = "set exactly one of clarification_id and id";
                    return Err(ErrorData::invalid_params(message, None));
                }
            }
        }
        "catalog" => {
            let filter = read(arguments)?;
            return Ok(catalog::list(&call.caller.source.knowledge(), &filter).into());
        }
        "check" => {
            let statement: CheckRequest = read(arguments)?;
            let Call { state, caller, .. } = call;
            let source = &caller.source;
            let (knowledge, database) = (source.knowledge(), source.database.as_deref());
            let checked = match state.limits.run(&caller.identity) {
                Ok(_running) => check_statement(&knowledge, database, &statement).await,
                Err(problem) => Err(problem),
            };
            return Ok(result_of_check(checked).into());
        }
        unknown => {
            let name: String = unknown.chars().take(NAME_LENGTH).collect();
            let message = format!("unknown tool {name:?}");
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    let dialogue = Dialogue { call, fingerprint, accept_estimate };
    match request_state.zip(input_responses) {
        // The call is repeated with a filled form, which answers the waiting question and replaces the arguments.
        Some((state, responses)) => dialogue.take_form(&state, &responses).await,
        None => dialogue.carry(said).await,
    }
}

/// Digest of the name and arguments of a call, by which a repeated call is recognised.
fn fingerprint(name: &str, arguments: Option<&JsonObject>) -> String {
    let digest = Sha256::digest(json!([name, arguments]).to_string());
    digest
        .iter()
        .take(FINGERPRINT_BYTES)
        .fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

fn read<T: DeserializeOwned>(arguments: Option<JsonObject>) -> Result<T, ErrorData> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_json::from_value(arguments)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))
}

fn result_of_check(checked: Result<Checked, Problem>) -> CallToolResult {
    match checked {
        Ok(checked) => {
            let told = format!("The statement is allowed. It would run as:\n\n{}", checked.runs());
            text::result(&told, "", serde_json::to_value(checked))
        }
        Err(problem) => text::problem(&problem),
    }
}
