//! Client of the language model: a fixed address, timeouts, a few retries and a circuit breaker.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Response, StatusCode, Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio::sync::Semaphore;
use wherefore_engine::writing::{ModelRole, Prompt};

use super::breaker::Breaker;
use super::features::Features;
use super::refusal::{self, Cause};
use super::retries::{RetryBudget, pauses};
use super::stream::Unusable;
use super::wire::{Dialect, request};
use super::{
    Completion, Model, ModelError, ModelHealth, ModelOptions, NO_SUCH_MODEL, address, stream,
};

/// Maximum `Retry-After` that is waited for within a request.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// Maximum size of an error response that is read, in bytes.
const ERROR_BYTES: usize = 16 * 1024;
/// Maximum number of concurrent requests.
const AT_A_TIME: usize = 1_024;

/// A language model behind an OpenAI-compatible endpoint.
#[derive(Debug)]
pub struct OpenAiModel {
    pub(super) client: Client,
    pub(super) completions: Url,
    pub(super) models: Url,
    strong: String,
    fast: String,
    pub(super) key: Option<SecretString>,
    pub(super) first_byte: Duration,
    total: Duration,
    breaker: Breaker,
    retries: RetryBudget,
    features: Features,
    permits: Semaphore,
}

/// Whether a failed attempt can be retried.
enum Failed {
    /// The attempt failed before a response; it can be retried.
    Early(ModelError),
    /// The server does not support a part of the request; it may accept this level of the API.
    Unsupported(ModelError, usize),
    /// The attempt cannot be retried, or the response had begun.
    Final(ModelError),
}

impl OpenAiModel {
    /// The configured model; `None` without an address. The error says what is wrong with the options.
    pub fn new(options: &ModelOptions) -> Result<Option<Self>, String> {
        let Some(address) = &options.llm_url else {
            return match &options.llm_model {
                Some(_) => Err("--llm-model needs --llm-url".to_owned()),
                None => Ok(None),
            };
        };
        let Some(strong) = options.llm_model.clone() else {
            return Err("--llm-url needs --llm-model".to_owned());
        };
        let url = address::checked(address, options.llm_private)?;
        let at = |path: &str| {
            let mut url = url.clone();
            url.set_path(&format!("{}/{path}", url.path().trim_end_matches('/')));
            url
        };
        Ok(Some(Self {
            client: address::client(options.llm_private)?,
            completions: at("chat/completions"),
            models: at("models"),
            fast: options.llm_fast_model.clone().unwrap_or_else(|| strong.clone()),
            strong,
            key: options.key()?,
            first_byte: options.first_byte(),
            total: options.total(),
            breaker: Breaker::default(),
            retries: RetryBudget::default(),
            features: Features::default(),
            permits: Semaphore::new(AT_A_TIME),
        }))
    }

    /// Name of the model for a role.
    pub(super) fn name_of(&self, role: ModelRole) -> &str {
        match role {
            ModelRole::Fast => &self.fast,
            ModelRole::Strong => &self.strong,
        }
    }

    /// Whether the server is known not to support JSON schemas.
    pub(super) fn takes_no_schema(&self) -> bool {
        self.features.level() > 0
    }

    /// Forgets what was learned of the server, so that the full API is tried again.
    pub(super) fn forget_features(&self) {
        self.features.forget();
    }

    async fn tries(&self, prompt: &Prompt) -> Result<Completion, ModelError> {
        self.retries.earn();
        let mut pauses = pauses();
        let mut level = self.features.level();
        loop {
            let failure = match self.send(prompt, level).await {
                Ok(completion) => {
                    self.features.accepted(level);
                    return Ok(completion);
                }
                Err(Failed::Unsupported(_, next)) if next < Dialect::ALL.len() => {
                    level = next;
                    continue;
                }
                Err(Failed::Final(error) | Failed::Unsupported(error, _)) => return Err(error),
                Err(Failed::Early(error)) => error,
            };
            let pause = match (&failure, pauses.next()) {
                (ModelError::Busy { retry_after: Some(asked) }, Some(_))
                    if *asked <= LONGEST_PAUSE =>
                {
                    *asked
                }
                (ModelError::Busy { retry_after: Some(_) }, _) | (_, None) => return Err(failure),
                (_, Some(pause)) => pause,
            };
            if !self.retries.spend() {
                return Err(failure);
            }
            tokio::time::sleep(pause).await;
        }
    }

    /// Classifies an error response by its status and body.
    async fn refused(&self, response: Response, prompt: &Prompt, level: usize) -> Failed {
        let status = response.status();
        let busy = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
        if busy.contains(&status) {
            let seconds = response.headers().get(header::RETRY_AFTER);
            let seconds = seconds.and_then(|value| value.to_str().ok()?.trim().parse().ok());
            return Failed::Early(ModelError::Busy {
                retry_after: seconds.map(Duration::from_secs),
            });
        }
        if status.is_server_error() {
            let reason = format!("it responds with status {}", status.as_u16());
            return Failed::Early(ModelError::Unavailable(reason));
        }
        let (cause, said) = refusal::read(&beginning(response, self.first_byte).await);
        let said = self.shown(&said);
        let refused = |hint, said| ModelError::Refused { status: status.as_u16(), hint, said };
        let plain = |hint| Failed::Final(refused(hint, said.clone()));
        match (status, cause) {
            (
                StatusCode::BAD_REQUEST
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::UNPROCESSABLE_ENTITY,
                Cause::PromptTooLong { context, prompt: tokens },
            ) => Failed::Final(self.too_long(prompt, context, tokens, said)),
            (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => {
                plain("the key is missing or wrong")
            }
            (StatusCode::BAD_REQUEST, Cause::UnknownModel) => plain(NO_SUCH_MODEL),
            (StatusCode::NOT_FOUND, _) => {
                plain("the model does not exist, or the address lacks its path, such as /v1")
            }
            (StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY, cause) => {
                let next = match cause {
                    Cause::Sampling => (level + 1).max(Dialect::ALL.len() - 1),
                    _ => level + 1,
                };
                Failed::Unsupported(refused("the request format is not supported", said), next)
            }
            (status, _) if status.is_redirection() => {
                plain("the server redirects, and redirects are not followed")
            }
            _ => plain("the request was rejected"),
        }
    }

    /// An error that the server reported after it had begun to respond.
    fn reported(&self, error: &Value, prompt: &Prompt) -> ModelError {
        match refusal::of_document(error) {
            // The context is full before the answer ends.
            (Cause::PromptTooLong { context, prompt: tokens }, said) => {
                self.too_long(prompt, context, tokens, self.shown(&said))
            }
            (_, said) => ModelError::Reported { said: self.shown(&said) },
        }
    }

    /// The error for a prompt that is too long; the sizes are remembered.
    fn too_long(
        &self,
        prompt: &Prompt,
        context: Option<u32>,
        tokens: Option<u32>,
        said: String,
    ) -> ModelError {
        let context_tokens = fitting(prompt, context, tokens);
        if let Some(context) = context {
            self.features.has_context(context);
        }
        self.features.fits(context_tokens);
        ModelError::PromptTooLong { context_tokens, said }
    }

    /// A message of the server as traces show it.
    fn shown(&self, said: &str) -> String {
        refusal::shown(said, self.key.as_ref().map_or("", |key| key.expose_secret()))
    }

    async fn send(&self, prompt: &Prompt, level: usize) -> Result<Completion, Failed> {
        let answer_tokens = self.features.answer_tokens(prompt.max_tokens);
        let model = self.name_of(prompt.role);
        let mut post = {
            // Freed before the request is sent: it takes more memory than its text.
            let body = request(model, prompt, answer_tokens, Dialect::ALL[level]);
            self.client.post(self.completions.clone()).json(&body)
        };
        if let Some(key) = &self.key {
            post = post.bearer_auth(key.expose_secret());
        }
        let response = tokio::time::timeout(self.first_byte, post.send())
            .await
            .map_err(|_| {
                Failed::Early(ModelError::TimedOut { seconds: self.first_byte.as_secs() })
            })?
            .map_err(|error| Failed::Early(unreachable(&error)))?;
        if !response.status().is_success() {
            return Err(self.refused(response, prompt, level).await);
        }
        let mut completion = match stream::read(response, self.first_byte).await {
            Ok(completion) => completion,
            Err(Unusable::Broken(error)) => return Err(Failed::Final(error)),
            Err(Unusable::Reported(error)) => {
                return Err(Failed::Final(self.reported(&error, prompt)));
            }
        };
        if completion.tokens == 0 {
            let bytes = prompt.system.len() + prompt.user.len() + completion.text.len();
            completion.tokens = u32::try_from(bytes / 3).unwrap_or(u32::MAX);
        }
        Ok(completion)
    }
}

#[async_trait]
impl Model for OpenAiModel {
    fn name(&self) -> &str {
        &self.strong
    }

    async fn complete(&self, prompt: &Prompt) -> Result<Completion, ModelError> {
        let Ok(_permit) = self.permits.try_acquire() else {
            return Err(ModelError::Busy { retry_after: None });
        };
        if !self.breaker.admits() {
            return Err(ModelError::Unavailable(
                "it failed repeatedly; requests are paused for a while".to_owned(),
            ));
        }
        let mut watch = Abandoned { breaker: &self.breaker, ended: false };
        let result = tokio::time::timeout(self.total, self.tries(prompt))
            .await
            .unwrap_or(Err(ModelError::TimedOut { seconds: self.total.as_secs() }));
        watch.ended = true;
        match &result {
            Ok(_) | Err(ModelError::PromptTooLong { .. } | ModelError::Refused { .. }) => {
                self.breaker.succeeded();
            }
            Err(ModelError::Busy { .. }) => self.breaker.abandoned(),
            Err(error) => {
                tracing::warn!(code = error.code().as_str(), "a request to the model failed");
                self.breaker.failed();
            }
        }
        result
    }

    fn context_tokens(&self) -> Option<u32> {
        self.features.context_tokens()
    }

    fn health(&self) -> ModelHealth {
        self.breaker.health()
    }

    async fn probe(&self) -> Result<String, String> {
        self.try_out().await
    }
}

/// Reports a dropped request to the breaker, so that a dropped probe does not block it.
struct Abandoned<'a> {
    breaker: &'a Breaker,
    ended: bool,
}

impl Drop for Abandoned<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.breaker.abandoned();
        }
    }
}

/// Context size, in tokens of three bytes, with which a prompt for the task of this one should fit.
///
/// The prompt is cut in proportion to the sizes that the server says, with a tenth to spare, or else by half.
fn fitting(prompt: &Prompt, context: Option<u32>, tokens: Option<u32>) -> u32 {
    let bytes = (prompt.system.len() + prompt.user.len()) as f64;
    let share = match (context, tokens) {
        (Some(context), Some(tokens)) if tokens > 0 => {
            let answer = prompt.max_tokens.min(context / 4);
            0.9 * f64::from(context - answer) / f64::from(tokens)
        }
        _ => 0.5,
    };
    ((bytes * share.min(0.9) / 3.0) as u32).saturating_add(prompt.max_tokens)
}

fn unreachable(error: &reqwest::Error) -> ModelError {
    let reason = if error.is_connect() {
        "it cannot be reached"
    } else if error.is_timeout() {
        "it did not respond in time"
    } else {
        "the connection was lost"
    };
    ModelError::Unavailable(reason.to_owned())
}

/// The beginning of an error response's body; empty if it does not arrive in time.
async fn beginning(mut response: Response, patience: Duration) -> Vec<u8> {
    let mut body = Vec::new();
    let read = async {
        while let Ok(Some(part)) = response.chunk().await {
            body.extend_from_slice(&part);
            if body.len() >= ERROR_BYTES {
                break;
            }
        }
    };
    // Without the whole body, the status says what is known.
    if tokio::time::timeout(patience, read).await.is_err() {
        tracing::debug!("the body of an error response of the model server did not arrive in time");
    }
    body.truncate(ERROR_BYTES);
    body
}
