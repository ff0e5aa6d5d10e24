//! Checks that the configured models can be used, and diagnoses each kind of mistake.

use std::time::Instant;

use reqwest::StatusCode;
use secrecy::ExposeSecret;
use serde::Deserialize;
use wherefore_engine::writing::{ModelRole, Prompt, TaskKind};

use super::client::OpenAiModel;
use super::{Model, ModelError, NO_SUCH_MODEL};

/// Maximum number of model names in a message.
const TOLD: usize = 8;
/// Maximum size of a list of models, in bytes.
const LIST_BYTES: usize = 1 << 20;

/// The server's list of models.
#[derive(Deserialize)]
struct List {
    data: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    id: String,
}

impl OpenAiModel {
    /// Sends a short prompt to every configured model. Returns what works, or what fails and what to change.
    pub(super) async fn try_out(&self) -> Result<String, String> {
        self.forget_features();
        let listed = self.listed().await;
        let mut told = Vec::new();
        for (role, option) in self.roles() {
            let begun = Instant::now();
            match self.complete(&word(role)).await {
                Ok(_) => told.push(format!(
                    "{} responds within {:.1} s",
                    self.name_of(role),
                    begun.elapsed().as_secs_f32()
                )),
                Err(error) => return Err(self.explain(&error, role, option, &listed)),
            }
        }
        if self.takes_no_schema() {
            told.push(
                "JSON schemas are not supported there; answers are parsed leniently".to_owned(),
            );
        }
        Ok(told.join("; "))
    }

    /// Each distinct model, with the option that configures it.
    fn roles(&self) -> Vec<(ModelRole, &'static str)> {
        let mut roles = vec![(ModelRole::Strong, "--llm-model")];
        if self.name_of(ModelRole::Fast) != self.name_of(ModelRole::Strong) {
            roles.push((ModelRole::Fast, "--llm-fast-model"));
        }
        roles
    }

    /// Model names that the server lists; empty if it has no list.
    async fn listed(&self) -> Vec<String> {
        let mut get = self.client.get(self.models.clone());
        if let Some(key) = &self.key {
            get = get.bearer_auth(key.expose_secret());
        }
        let read = async {
            let mut response = get.send().await.ok()?;
            if response.status() != StatusCode::OK {
                return None;
            }
            let mut body = Vec::new();
            while let Some(part) = response.chunk().await.ok()? {
                body.extend_from_slice(&part);
                if body.len() > LIST_BYTES {
                    return None;
                }
            }
            serde_json::from_slice::<List>(&body).ok()
        };
        let list = tokio::time::timeout(self.first_byte, read).await.ok().flatten();
        list.map(|list| list.data.into_iter().map(|listed| listed.id).collect()).unwrap_or_default()
    }

    fn explain(
        &self,
        error: &ModelError,
        role: ModelRole,
        option: &str,
        listed: &[String],
    ) -> String {
        let name = self.name_of(role);
        match error {
            ModelError::Refused { status: 404, .. }
            | ModelError::Refused { hint: NO_SUCH_MODEL, .. }
                if !listed.is_empty() && !listed.iter().any(|listed| listed == name) =>
            {
                let mut names = listed.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
                if listed.len() > TOLD {
                    names.push_str(", …");
                }
                format!("the server has no model {name}; it has {names}: correct {option}")
            }
            ModelError::Refused { status: 404 | 405, .. } => format!(
                "nothing responds at {}, or the model {name} does not exist there: correct --llm-url, which \
                 usually ends in /v1, or {option}",
                self.completions
            ),
            ModelError::Refused { status: 401 | 403, .. } => {
                format!("{error}: set WHEREFORE_LLM_KEY or --llm-key-file")
            }
            ModelError::TimedOut { .. } => format!(
                "{error}: loading a model can take longer; raise --llm-first-byte-seconds and --llm-total-seconds"
            ),
            ModelError::Unavailable(_) => format!(
                "{error}: check that a server runs at {} and that it speaks {}",
                self.completions.host_str().map_or_else(String::new, |host| {
                    let port = self.completions.port_or_known_default().unwrap_or_default();
                    format!("{host}:{port}")
                }),
                self.completions.scheme()
            ),
            _ => error.to_string(),
        }
    }
}

/// A minimal prompt.
fn word(role: ModelRole) -> Prompt {
    Prompt {
        task: TaskKind::JudgeTable,
        version: 1,
        system: "Reply with this JSON object and nothing else: {\"relevant\": true}".to_owned(),
        user: "Reply now.".to_owned(),
        max_tokens: 64,
        temperature: 0.0,
        role,
    }
}
