//! History in the store: questions with an outcome, for the user who asked.

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::value::{Row, Statement};
use super::{Store, StoreError};

/// Owner of a history.
#[derive(Clone, Copy, Debug)]
pub struct Owner<'a> {
    /// Tenant.
    pub tenant: &'a str,
    /// User or person; empty if there is none.
    pub name: &'a str,
}

/// A question of the history.
#[derive(Clone, Debug, Serialize)]
pub struct PastQuestion {
    /// Its id.
    pub id: String,
    /// Thread of the question.
    pub thread_id: String,
    /// `pending_clarification`, `clarified`, `completed` or `abandoned`.
    pub status: String,
    /// The question.
    pub question: String,
    /// Texts that lead to the statement, oldest first: a complete question, then texts that modify it.
    pub said: Json,
    /// Corrections of the texts, as `query/correct` takes them.
    pub corrections: Json,
    /// Assumptions: phrase, meaning and source of each.
    pub clarifications: Json,
    /// The statement.
    pub sql: Option<String>,
    /// Outcome so far.
    pub outcome: String,
    /// Code of the problem.
    pub problem: Option<String>,
    /// Number of clarification rounds.
    pub rounds: i64,
    /// Number of rows of the result.
    pub row_count: Option<i64>,
    /// Processing time, in milliseconds.
    pub working_ms: i64,
    /// Time of waiting for the user in milliseconds, once the question ended.
    pub waiting_ms: Option<i64>,
    /// Time of the question, in milliseconds since 1970.
    pub asked_at: i64,
    /// Time of the end of the question, in milliseconds since 1970.
    pub ended_at: Option<i64>,
}

/// Cursor of pages: a position after which questions are older.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cursor {
    /// Time of the question, in milliseconds since 1970.
    pub asked_at: i64,
    /// Its id.
    pub id: String,
}

impl Store {
    /// Questions of an owner, newest first, older than the cursor.
    pub async fn history(
        &self,
        owner: Owner<'_>,
        limit: u32,
        before: Option<Cursor>,
    ) -> Result<Vec<PastQuestion>, StoreError> {
        let before = before.unwrap_or_else(|| Cursor { asked_at: i64::MAX, id: String::new() });
        let rows = self
            .query(Statement::new(
                "SELECT id, thread_id, status, question, clarifications, sql, outcome, problem, \
                     rounds, row_count, working_ms, asked_at, ended_at, said, corrections FROM questions \
                 WHERE tenant = $1 AND owner = $2 AND kept = 1 \
                     AND (asked_at < $3 OR (asked_at = $3 AND id < $4)) \
                 ORDER BY asked_at DESC, id DESC LIMIT $5",
                [
                    owner.tenant.into(),
                    owner.name.into(),
                    before.asked_at.into(),
                    before.id.into(),
                    i64::from(limit).into(),
                ],
            ))
            .await?;
        rows.into_iter().map(past).collect()
    }

    /// One question of an owner.
    pub async fn past_question(
        &self,
        owner: Owner<'_>,
        id: &str,
    ) -> Result<Option<PastQuestion>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT id, thread_id, status, question, clarifications, sql, outcome, problem, \
                     rounds, row_count, working_ms, asked_at, ended_at, said, corrections FROM questions \
                 WHERE tenant = $1 AND owner = $2 AND kept = 1 AND id = $3",
                [owner.tenant.into(), owner.name.into(), id.into()],
            ))
            .await?;
        row.map(past).transpose()
    }

    /// Whether an owner has a question in this thread.
    pub async fn has_thread(&self, owner: Owner<'_>, id: &str) -> Result<bool, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT 1 FROM questions WHERE tenant = $1 AND owner = $2 AND thread_id = $3 LIMIT 1",
                [owner.tenant.into(), owner.name.into(), id.into()],
            ))
            .await?;
        Ok(row.is_some())
    }

    /// Id of the last question of an owner that was answered in this thread.
    pub(crate) async fn last_answered(
        &self,
        owner: Owner<'_>,
        thread_id: &str,
    ) -> Result<Option<String>, StoreError> {
        let row = self
            .query_one(Statement::new(
                "SELECT id FROM questions WHERE tenant = $1 AND owner = $2 AND thread_id = $3 \
                     AND outcome = 'answered' ORDER BY asked_at DESC, id DESC LIMIT 1",
                [owner.tenant.into(), owner.name.into(), thread_id.into()],
            ))
            .await?;
        row.map(|mut row| row.text(0)).transpose()
    }

    /// Deletes the text of one question of an owner, or of all; statistics are kept. Returns the number of questions.
    pub async fn forget_history(
        &self,
        owner: Owner<'_>,
        id: Option<&str>,
    ) -> Result<u64, StoreError> {
        let values = || [owner.tenant.into(), owner.name.into(), id.map(str::to_owned).into()];
        let changed = self
            .change(vec![
                Statement::new(
                    "UPDATE ambiguities SET owner = '', phrase = '' WHERE question_id IN \
                     (SELECT id FROM questions WHERE tenant = $1 AND owner = $2 AND kept = 1 \
                     AND ($3 IS NULL OR id = $3))",
                    values(),
                ),
                Statement::new(
                    "DELETE FROM requests WHERE tenant = $1 AND id IN \
                     (SELECT 'latest/' || id FROM questions WHERE tenant = $1 AND owner = $2 \
                     AND kept = 1 AND ($3 IS NULL OR id = $3))",
                    values(),
                ),
                Statement::new(
                    "DELETE FROM sessions WHERE question_id IN \
                     (SELECT id FROM questions WHERE tenant = $1 AND owner = $2 AND kept = 1 \
                     AND ($3 IS NULL OR id = $3))",
                    values(),
                ),
                Statement::new(
                    "UPDATE questions SET kept = 0, owner = '', question = '', clarifications = '', \
                     said = '', corrections = '', sql = NULL WHERE tenant = $1 AND owner = $2 AND kept = 1 \
                     AND ($3 IS NULL OR id = $3)",
                    values(),
                ),
            ])
            .await?;
        Ok(changed.last().copied().unwrap_or_default())
    }
}

/// What is kept of a question as JSON; null if no history is kept, or if they cannot be parsed.
fn parsed(text: &str) -> Json {
    if text.is_empty() {
        return Json::Null;
    }
    serde_json::from_str(text).unwrap_or_else(|error| {
        tracing::warn!(%error, "cannot parse what is kept of a question");
        Json::Null
    })
}

fn past(mut row: Row) -> Result<PastQuestion, StoreError> {
    let (working_ms, asked_at) = (row.integer(10)?, row.integer(11)?);
    let ended_at = row.maybe_integer(12)?;
    let question = row.text(3)?;
    let (said, corrections) = (row.text(13)?, row.text(14)?);
    Ok(PastQuestion {
        id: row.text(0)?,
        thread_id: row.text(1)?,
        status: row.text(2)?,
        said: if said.is_empty() { json!([question]) } else { parsed(&said) },
        corrections: if corrections.is_empty() { json!([]) } else { parsed(&corrections) },
        question,
        clarifications: parsed(&row.text(4)?),
        sql: row.maybe_text(5)?,
        outcome: row.text(6)?,
        problem: row.maybe_text(7)?,
        rounds: row.integer(8)?,
        row_count: row.maybe_integer(9)?,
        working_ms,
        waiting_ms: ended_at.map(|ended_at| (ended_at - asked_at - working_ms).max(0)),
        asked_at,
        ended_at,
    })
}
