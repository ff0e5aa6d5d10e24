//! Client of an embedding model: any endpoint with `OpenAI`'s embeddings API. It ranks tables by their similarity to a
//! question; if it fails or is slow, tables are ranked by words alone.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Mutex;
use wherefore_engine::writing::{Similarity, table_texts};

use super::breaker::Breaker;
use super::{ModelOptions, address};
use crate::knowledge::Knowledge;

/// Timeout of embedding all tables.
const TABLES: Duration = Duration::from_mins(1);
/// Maximum number of texts of a request.
const BATCH: usize = 64;
/// Maximum size of a response, in bytes.
const RESPONSE_BYTES: usize = 16 << 20;
/// Maximum length of a question that is sent, in characters.
const QUESTION: usize = 2_000;
/// Maximum number of tables in a ranking.
const RANKED: usize = 40;

/// An embedding model behind an OpenAI-compatible endpoint.
#[derive(Debug)]
pub struct Embedder {
    client: Client,
    embeddings: Url,
    model: String,
    key: Option<SecretString>,
    patience: Duration,
    breaker: Breaker,
    known: Mutex<Vec<Tables>>,
}

/// Vectors of the tables of a catalog.
#[derive(Clone, Debug)]
struct Tables {
    etag: String,
    vectors: Arc<Vec<(String, Vec<f32>)>>,
}

/// Response of the endpoint.
#[derive(Deserialize)]
struct Embeddings {
    data: Vec<Embedding>,
}

#[derive(Deserialize)]
struct Embedding {
    index: usize,
    embedding: Vec<f32>,
}

impl Embedder {
    /// The configured model; `None` without an address. The error says what is wrong with the options.
    pub fn new(options: &ModelOptions) -> Result<Option<Arc<Self>>, String> {
        let (address, model) = match (&options.embedding_url, &options.embedding_model) {
            (None, None) => return Ok(None),
            (Some(address), Some(model)) => (address, model.clone()),
            (None, Some(_)) => return Err("--embedding-model needs --embedding-url".to_owned()),
            (Some(_), None) => return Err("--embedding-url needs --embedding-model".to_owned()),
        };
        let mut embeddings = address::checked(address, options.llm_private)?;
        embeddings.set_path(&format!("{}/embeddings", embeddings.path().trim_end_matches('/')));
        Ok(Some(Arc::new(Self {
            client: address::client(options.llm_private)?,
            embeddings,
            model,
            key: options.embedding_key()?,
            patience: options.embedding_patience(),
            breaker: Breaker::default(),
            known: Mutex::default(),
        })))
    }

    /// Tables by their similarity to a question; without any if the endpoint fails or takes too long.
    pub(crate) async fn rank(
        self: &Arc<Self>,
        knowledge: &Knowledge,
        question: &str,
    ) -> Similarity {
        if !self.breaker.admits() {
            return words_alone("it failed repeatedly; requests are paused for a while");
        }
        let ranked = tokio::time::timeout(self.patience, self.ranked(knowledge, question)).await;
        match ranked {
            Ok(Ok(tables)) => {
                self.breaker.succeeded();
                let (first, count) = (tables.first(), tables.len());
                let best = first.map(|(table, cosine)| format!("; best: {table} ({cosine:.2})"));
                let best = best.unwrap_or_default();
                let note = format!("{count} tables ranked by {}{best}", self.model);
                Similarity { tables, note }
            }
            Ok(Err(reason)) => {
                self.breaker.failed();
                words_alone(&reason)
            }
            Err(_) => {
                self.breaker.failed();
                words_alone(&format!("it took longer than {} ms", self.patience.as_millis()))
            }
        }
    }

    async fn ranked(
        self: &Arc<Self>,
        knowledge: &Knowledge,
        question: &str,
    ) -> Result<Vec<(String, f64)>, String> {
        let question: String = question.chars().take(QUESTION).collect();
        let (tables, asked) =
            tokio::try_join!(self.tables(knowledge), self.embedded(vec![question]))?;
        let asked = asked.first().ok_or("its answer is empty")?;
        let mut ranked: Vec<(String, f64)> = tables
            .iter()
            .filter_map(|(key, vector)| Some((key.clone(), cosine(asked, vector)?)))
            .filter(|(_, cosine)| *cosine > 0.0)
            .collect();
        ranked.sort_by(|one, other| other.1.partial_cmp(&one.1).unwrap_or(Ordering::Equal));
        ranked.truncate(RANKED);
        Ok(ranked)
    }

    /// Vectors of the tables. They are requested once for a catalog, also if the question does not wait for them.
    async fn tables(
        self: &Arc<Self>,
        knowledge: &Knowledge,
    ) -> Result<Arc<Vec<(String, Vec<f32>)>>, String> {
        let own = Arc::clone(self);
        let etag = knowledge.etag.clone();
        let texts = table_texts(knowledge.engine.catalog());
        let work = async move {
            let mut known = own.known.lock().await;
            if let Some(tables) = known.iter().find(|tables| tables.etag == etag) {
                return Ok(Arc::clone(&tables.vectors));
            }
            let requested = tokio::time::timeout(TABLES, own.all_embedded(texts)).await;
            let vectors = Arc::new(requested.map_err(|_| "it took too long".to_owned())??);
            // Catalogs of other tenants and of before a change are kept, but not for ever.
            known.truncate(15);
            known.insert(0, Tables { etag, vectors: Arc::clone(&vectors) });
            Ok(vectors)
        };
        tokio::spawn(work).await.map_err(|_| "an internal error occurred".to_owned())?
    }

    async fn all_embedded(
        &self,
        texts: Vec<(String, String)>,
    ) -> Result<Vec<(String, Vec<f32>)>, String> {
        let mut all = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            let vectors =
                self.embedded(batch.iter().map(|(_, text)| text.clone()).collect()).await?;
            all.extend(batch.iter().map(|(key, _)| key.clone()).zip(vectors));
        }
        Ok(all)
    }

    /// Vectors of texts, in their order.
    async fn embedded(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, String> {
        let count = texts.len();
        let body = json!({ "model": self.model, "input": texts, "encoding_format": "float" });
        let mut post = self.client.post(self.embeddings.clone()).json(&body);
        if let Some(key) = &self.key {
            post = post.bearer_auth(key.expose_secret());
        }
        let mut response = post.send().await.map_err(|_| "it cannot be reached".to_owned())?;
        if !response.status().is_success() {
            return Err(format!("it responds with status {}", response.status().as_u16()));
        }
        let mut bytes = Vec::new();
        let lost = |_| "the connection was lost".to_owned();
        while let Some(part) = response.chunk().await.map_err(lost)? {
            bytes.extend_from_slice(&part);
            if bytes.len() > RESPONSE_BYTES {
                return Err(format!("its answer is larger than {RESPONSE_BYTES} bytes"));
            }
        }
        let unusable = || "its answer is in no form that can be used".to_owned();
        let Embeddings { mut data } = serde_json::from_slice(&bytes).map_err(|_| unusable())?;
        data.sort_by_key(|one| one.index);
        let in_order = data.iter().enumerate().all(|(at, one)| one.index == at);
        let finite = data.iter().all(|one| one.embedding.iter().all(|number| number.is_finite()));
        if data.len() != count || !in_order || !finite {
            return Err(unusable());
        }
        Ok(data.into_iter().map(|one| one.embedding).collect())
    }
}

/// Cosine of two vectors; `None` if they have no direction, or not the same length.
fn cosine(one: &[f32], other: &[f32]) -> Option<f64> {
    if one.len() != other.len() {
        return None;
    }
    let dot = |one: &[f32], other: &[f32]| -> f64 {
        one.iter().zip(other).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum()
    };
    let length = (dot(one, one) * dot(other, other)).sqrt();
    let cosine = dot(one, other) / length;
    cosine.is_finite().then_some(cosine)
}

fn words_alone(reason: &str) -> Similarity {
    let note =
        format!("tables are ranked by words alone: the embedding model is no help, {reason}");
    Similarity { tables: Vec::new(), note }
}

#[cfg(test)]
mod tests {
    use super::cosine;

    #[test]
    fn the_cosine_is_that_of_the_angle() {
        let close = |found: Option<f64>, wanted: f64| (found.unwrap() - wanted).abs() < 1e-6;
        assert!(close(cosine(&[1.0, 0.0], &[2.0, 0.0]), 1.0));
        assert!(close(cosine(&[1.0, 0.0], &[0.0, 3.0]), 0.0));
        assert!(close(cosine(&[1.0, 1.0], &[-1.0, -1.0]), -1.0));
        assert_eq!(cosine(&[0.0, 0.0], &[1.0, 0.0]), None, "no direction");
        assert_eq!(cosine(&[1.0], &[1.0, 0.0]), None, "vectors of two models");
    }
}
