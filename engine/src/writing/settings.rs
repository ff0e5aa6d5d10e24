//! Settings of writing, each a flag or a figure that works both ways and per request.

use serde::{Deserialize, Serialize};

/// How statements are written (`spec` §§7–10, 16).
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct WritingSettings {
    /// Tokens that the model reads and writes at most, in one call.
    pub context_tokens: u32,
    /// Tokens that an answer may have.
    pub answer_tokens: u32,
    /// Drafts of an easy, an ordinary and a hard question.
    pub drafts: [u8; 3],
    /// Temperature of drafts.
    pub temperature: f32,
    /// Most tries to repair (`spec` §10).
    pub repairs: u8,
    /// Most tables that are told.
    pub tables: u16,
    /// Most stored values told of a column.
    pub values: u16,
    /// What is switched on.
    pub flags: WritingFlags,
}

/// What is switched on of writing (`spec` §16).
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct WritingFlags {
    /// Columns are told with descriptions, synonyms and tags.
    pub glosses: bool,
    /// Statements in other dialects are read too.
    pub dialect_normalisation: bool,
    /// Names and forms that can only be meant one way are mended.
    pub autocorrection: bool,
    /// Tables are ranked by the words of the question (BM25).
    pub bm25: bool,
    /// Tables of areas that the question names come first.
    pub area_router: bool,
    /// Tables next to good ones move up.
    pub reranking: bool,
    /// What the engine tied words to is told, and those tables come first.
    pub schema_linker: bool,
    /// Joins between the tied tables are told, and scored.
    pub join_planner: bool,
    /// Columns are left out but for keys, tied ones and the first five.
    pub column_pruning: bool,
    /// A sketch of the query finds more tables.
    pub sketch: bool,
    /// Literals must be among the values of columns that are listed completely.
    pub value_verification: bool,
    /// What good drafts differ in is asked; else the best is taken, and it is told.
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
    /// Bytes of data that fit into a prompt: three a token, less what the instructions and the answer take.
    pub(super) fn data_bytes(&self) -> usize {
        let instructions = 900;
        let left = self.context_tokens.saturating_sub(self.answer_tokens + instructions);
        (left.max(400) as usize).saturating_mul(3)
    }
}
