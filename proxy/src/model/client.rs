//! Client of the language model: a fixed address, timeouts, a few retries and a circuit breaker.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use reqwest::{Client, Response, StatusCode, Url, header, redirect};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;
use wherefore_engine::writing::{ModelRole, Prompt};

use super::breaker::Breaker;
use super::retries::{RetryBudget, pauses};
use super::wire::{Dialect, request};
use super::{Completion, Model, ModelError, ModelHealth, ModelOptions, address, stream};

/// Connect timeout.
const CONNECT: Duration = Duration::from_secs(2);
/// Maximum `Retry-After` that is waited for within a request.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
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
    /// Index in [`Dialect::ALL`] of the last dialect that the server accepted.
    dialect: AtomicUsize,
    permits: Semaphore,
}

/// Whether a failed attempt can be retried.
enum Failed {
    /// The attempt failed before a response; it can be retried.
    Early(ModelError),
    /// The server does not support a part of the request.
    Unknown(ModelError),
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
        if rustls::crypto::ring::default_provider().install_default().is_err() {
            tracing::debug!("a TLS crypto provider is already installed");
        }
        let client = Client::builder()
            .connect_timeout(CONNECT)
            .redirect(redirect::Policy::none())
            .dns_resolver(address::Resolver { private: options.llm_private })
            .user_agent(concat!("wherefore/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("cannot create the HTTP client for the model: {error}"))?;
        Ok(Some(Self {
            client,
            completions: at("chat/completions"),
            models: at("models"),
            fast: options.llm_fast_model.clone().unwrap_or_else(|| strong.clone()),
            strong,
            key: options.key()?,
            first_byte: options.first_byte(),
            total: options.total(),
            breaker: Breaker::default(),
            retries: RetryBudget::default(),
            dialect: AtomicUsize::new(0),
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
        self.dialect.load(Ordering::Relaxed) > 0
    }

    async fn tries(&self, prompt: &Prompt) -> Result<Completion, ModelError> {
        self.retries.earn();
        let mut pauses = pauses();
        loop {
            let level = self.dialect.load(Ordering::Relaxed).min(Dialect::ALL.len() - 1);
            let failure = match self.send(prompt, Dialect::ALL[level]).await {
                Ok(completion) => return Ok(completion),
                Err(Failed::Unknown(_)) if level + 1 < Dialect::ALL.len() => {
                    tracing::info!(
                        level = level + 1,
                        "the model server supports only part of the protocol"
                    );
                    self.dialect.fetch_max(level + 1, Ordering::Relaxed);
                    continue;
                }
                Err(Failed::Final(error) | Failed::Unknown(error)) => return Err(error),
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

    async fn send(&self, prompt: &Prompt, dialect: Dialect) -> Result<Completion, Failed> {
        let body = request(self.name_of(prompt.role), prompt, dialect);
        let mut post = self.client.post(self.completions.clone()).json(&body);
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
            return Err(refused(&response));
        }
        let mut completion =
            stream::read(response, self.first_byte).await.map_err(Failed::Final)?;
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
            Ok(_) | Err(ModelError::Refused { .. }) => self.breaker.succeeded(),
            Err(ModelError::Busy { .. }) => self.breaker.abandoned(),
            Err(error) => {
                tracing::warn!(code = error.code().as_str(), "a request to the model failed");
                self.breaker.failed();
            }
        }
        result
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

/// Classifies a response by its status, without reading the body.
fn refused(response: &Response) -> Failed {
    let status = response.status();
    let hint = |hint| Failed::Final(ModelError::Refused { status: status.as_u16(), hint });
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            let seconds = response.headers().get(header::RETRY_AFTER);
            let seconds = seconds.and_then(|value| value.to_str().ok()?.trim().parse().ok());
            Failed::Early(ModelError::Busy { retry_after: seconds.map(Duration::from_secs) })
        }
        StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
            let hint = "the request format is not supported, or the prompt is too long";
            Failed::Unknown(ModelError::Refused { status: status.as_u16(), hint })
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => hint("the key is missing or wrong"),
        StatusCode::NOT_FOUND => {
            hint("the model does not exist, or the address lacks its path, such as /v1")
        }
        status if status.is_redirection() => {
            hint("the server redirects, and redirects are not followed")
        }
        status if status.is_server_error() => Failed::Early(ModelError::Unavailable(format!(
            "it responds with status {}",
            status.as_u16()
        ))),
        _ => hint("the request was rejected"),
    }
}
