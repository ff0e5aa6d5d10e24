//! Settings of writing; each can also be set per request.

use serde::{Deserialize, Serialize};

/// Settings of writing (`docs/spec.md` §§7–10, 16).
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct WritingSettings {
    /// Context size of the model, in tokens.
    pub context_tokens: u32,
    /// Maximum number of tokens of a reply.
    pub answer_tokens: u32,
    /// Number of drafts for easy, ordinary and hard questions.
    pub drafts: [u8; 3],
    /// Sampling temperature of drafts.
    pub temperature: f32,
    /// Maximum number of repairs (`docs/spec.md` §10).
    pub repairs: u8,
    /// Maximum number of tables in a prompt.
    pub tables: u16,
    /// Maximum number of stored values per column in a prompt.
    pub values: u16,
    /// Feature flags.
    pub flags: WritingFlags,
}

/// Feature flags of writing (`docs/spec.md` §16).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct WritingFlags {
    /// Add descriptions, synonyms and tags to columns in prompts.
    pub glosses: bool,
    /// Translate drafts in other dialects.
    pub dialect_normalisation: bool,
    /// Correct unambiguous mistakes in drafts.
    pub autocorrection: bool,
    /// Rank tables by the words of the question (BM25).
    pub bm25: bool,
    /// Rank tables by embeddings too, if a model for them is configured.
    pub embeddings: bool,
    /// Prefer tables of areas that the question names.
    pub area_router: bool,
    /// Promote tables that are linked to well-ranked ones.
    pub reranking: bool,
    /// Add schema links to prompts, and prefer their tables.
    pub schema_linker: bool,
    /// Add joins between linked tables to prompts, and score drafts by them.
    pub join_planner: bool,
    /// Keep only keys, linked columns and the first five columns of a table.
    pub column_pruning: bool,
    /// Let a model sketch the query first, to find more tables.
    pub sketch: bool,
    /// Reject literals that do not occur in columns whose values are all listed.
    pub value_verification: bool,
    /// Ask about differences between good drafts; otherwise the best is taken, with the differences as assumptions.
    pub disagreements: bool,
}

impl Default for WritingSettings {
    fn default() -> Self {
        Self {
            context_tokens: 16_000,
            answer_tokens: 1_500,
            drafts: [2, 4, 6],
            temperature: 0.3,
            repairs: 3,
            tables: 40,
            values: 8,
            flags: WritingFlags::default(),
        }
    }
}

impl Default for WritingFlags {
    fn default() -> Self {
        Self {
            glosses: true,
            dialect_normalisation: true,
            autocorrection: true,
            bm25: true,
            embeddings: true,
            area_router: true,
            reranking: true,
            schema_linker: true,
            join_planner: true,
            column_pruning: false,
            sketch: false,
            value_verification: false,
            disagreements: true,
        }
    }
}

impl WritingSettings {
    /// Bytes available for data in a prompt: three per token, minus the instructions and the reply.
    pub(super) fn data_bytes(&self) -> usize {
        let instructions = 900;
        let left = self.context_tokens.saturating_sub(self.answer_tokens + instructions);
        (left.max(400) as usize).saturating_mul(3)
    }
}
