//! Options of the language model.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use secrecy::SecretString;
use serde::Deserialize;

/// Options of the language model; without an address, no model is used.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelOptions {
    /// Address of an OpenAI-compatible endpoint, such as `http://127.0.0.1:11434/v1`.
    #[arg(long, env = "WHEREFORE_LLM_URL", value_name = "URL")]
    pub llm_url: Option<String>,

    /// Name of the model that writes statements.
    #[arg(long, env = "WHEREFORE_LLM_MODEL", value_name = "NAME")]
    pub llm_model: Option<String>,

    /// Name of the model for quick judgements; by default, the model that writes statements.
    #[arg(long, env = "WHEREFORE_LLM_FAST_MODEL", value_name = "NAME")]
    pub llm_fast_model: Option<String>,

    /// File that contains the API key; `WHEREFORE_LLM_KEY` can contain it instead.
    #[arg(long, env = "WHEREFORE_LLM_KEY_FILE", value_name = "FILE")]
    pub llm_key_file: Option<PathBuf>,

    /// Maximum number of tokens of prompt and reply together; with 4,096 or fewer, tables are judged one by one.
    #[arg(long, env = "WHEREFORE_LLM_CONTEXT_TOKENS", value_name = "N", value_parser = clap::value_parser!(u32).range(2_500..=2_000_000))]
    pub llm_context_tokens: Option<u32>,

    /// Timeout until the first byte of a response, in seconds.
    #[arg(long, env = "WHEREFORE_LLM_FIRST_BYTE_SECONDS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub llm_first_byte_seconds: Option<u32>,

    /// Timeout of a whole response, in seconds.
    #[arg(long, env = "WHEREFORE_LLM_TOTAL_SECONDS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3_600))]
    pub llm_total_seconds: Option<u32>,

    /// Address of an OpenAI-compatible endpoint for embeddings, such as `http://127.0.0.1:11434/v1`; they help to find
    /// the tables that a model is shown.
    #[arg(long, env = "WHEREFORE_EMBEDDING_URL", value_name = "URL")]
    pub embedding_url: Option<String>,

    /// Name of the model for embeddings.
    #[arg(long, env = "WHEREFORE_EMBEDDING_MODEL", value_name = "NAME")]
    pub embedding_model: Option<String>,

    /// File that contains the API key for embeddings; `WHEREFORE_EMBEDDING_KEY` can contain it instead.
    #[arg(long, env = "WHEREFORE_EMBEDDING_KEY_FILE", value_name = "FILE")]
    pub embedding_key_file: Option<PathBuf>,

    /// Time that a question waits for embeddings, in milliseconds.
    #[arg(long, env = "WHEREFORE_EMBEDDING_MILLISECONDS", value_name = "N", value_parser = clap::value_parser!(u32).range(10..=60_000))]
    pub embedding_milliseconds: Option<u32>,

    /// Allow a model without encryption, or in a private network.
    #[arg(long, env = "WHEREFORE_LLM_PRIVATE")]
    pub llm_private: bool,

    /// Settings file (TOML) for writing statements: drafts, repairs, flags.
    #[arg(long, env = "WHEREFORE_WRITING", value_name = "FILE")]
    pub writing: Option<PathBuf>,
}

impl ModelOptions {
    /// Key of the language model from the file or the environment; `None` if neither is given.
    pub(super) fn key(&self) -> Result<Option<SecretString>, String> {
        key(self.llm_key_file.as_deref(), "WHEREFORE_LLM_KEY")
    }

    /// Key for embeddings from the file or the environment; `None` if neither is given.
    pub(super) fn embedding_key(&self) -> Result<Option<SecretString>, String> {
        key(self.embedding_key_file.as_deref(), "WHEREFORE_EMBEDDING_KEY")
    }

    pub(super) fn embedding_patience(&self) -> Duration {
        Duration::from_millis(u64::from(self.embedding_milliseconds.unwrap_or(1_000)))
    }

    pub(super) fn first_byte(&self) -> Duration {
        Duration::from_secs(u64::from(self.llm_first_byte_seconds.unwrap_or(10)))
    }

    pub(super) fn total(&self) -> Duration {
        Duration::from_secs(u64::from(self.llm_total_seconds.unwrap_or(60)))
    }
}

fn key(file: Option<&Path>, variable: &str) -> Result<Option<SecretString>, String> {
    let text = match file {
        Some(path) => Some(
            std::fs::read_to_string(path)
                .map_err(|error| format!("key file {}: {error}", path.display()))?,
        ),
        None => std::env::var(variable).ok(),
    };
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).map(Into::into))
}
