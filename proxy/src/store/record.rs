//! A question after a round, written with its session in one transaction.

use std::time::Duration;

use super::value::Statement;
use super::{Store, StoreError, now, seconds};

/// A question after a round.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: String,
    /// Tenant of the user.
    pub tenant: String,
    /// User who asked, if authenticated.
    pub user: Option<String>,
    /// Key of the history; empty if there is none.
    pub owner: String,
    /// Thread of the question.
    pub thread_id: String,
    /// Whether the text is kept in the history.
    pub kept: bool,
    /// Variant of the experiment; empty without one.
    pub variant: String,
    /// Status.
    pub status: Status,
    /// The question.
    pub question: String,
    /// Texts that lead to the statement, oldest first, as a JSON array.
    pub said: String,
    /// Corrections of the texts as a JSON array.
    pub corrections: String,
    /// Assumptions as a JSON array.
    pub clarifications: String,
    /// The statement.
    pub sql: Option<String>,
    /// Outcome of the round.
    pub outcome: String,
    /// Code of the problem.
    pub problem: Option<String>,
    /// Number of clarification rounds so far.
    pub rounds: u8,
    /// Number of rows of the result.
    pub row_count: Option<usize>,
    /// Processing time so far, in milliseconds.
    pub working_ms: i64,
    /// Tokens of the language model that the round used.
    pub tokens: i64,
    /// Time of the question, in milliseconds since 1970.
    pub asked_at: i64,
    /// Time of the end of the round, in milliseconds since 1970.
    pub ended_at: i64,
    /// Time for which a pending question waits for its answers.
    pub waits: Duration,
    /// Ambiguities that were clarified with the user, or decided without a clarification.
    pub ambiguities: Vec<Ambiguity>,
    /// The session to continue from.
    pub session: Option<NewSession>,
}

/// Status of a question.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// The user cancelled the question.
    Abandoned,
    /// The question has an outcome.
    Completed,
    /// The question waits for clarification.
    Pending,
}

/// An ambiguity of a question.
#[derive(Clone, Debug)]
pub struct Ambiguity {
    /// Id of the clarification.
    pub clarification_id: String,
    /// Kind of ambiguity.
    pub kind: String,
    /// The ambiguous phrase.
    pub phrase: String,
    /// Whether a clarification of the ambiguity is open.
    pub asked: bool,
    /// Source of the decision, once there is one.
    pub source: Option<String>,
    /// Id of the chosen option, or `custom`.
    pub choice: Option<String>,
}

/// A session to store, with a lifetime.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its id.
    pub id: String,
    /// Snapshot of the session.
    pub snapshot: String,
    /// Whether the session has ended, and is stored so that it can be changed.
    pub completed: bool,
    /// Lifetime in the store.
    pub lifetime: Duration,
}

/// Feedback of a user on a clarification.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mark {
    /// The clarification was helpful.
    Helpful,
    /// The clarification was unnecessary.
    Needless,
}

impl Store {
    /// Stores a question with its ambiguities and session in one transaction.
    pub async fn keep(&self, record: Record) -> Result<(), StoreError> {
        let mut statements = vec![question(&record)];
        statements.extend(record.ambiguities.iter().map(|place| ambiguity(&record, place)));
        statements.extend(record.session.as_ref().map(|new| session(&record, new)));
        self.change(statements).await.map(drop)
    }
}

impl Record {
    /// The text, or an empty one if no history is kept.
    fn said<'a>(&self, text: &'a str) -> &'a str {
        if self.kept { text } else { "" }
    }
}

fn question(record: &Record) -> Statement {
    let (status, ended_at) = match record.status {
        Status::Abandoned => ("abandoned", Some(record.ended_at)),
        Status::Pending => ("pending_clarification", None),
        Status::Completed => ("completed", Some(record.ended_at)),
    };
    let sql = record.sql.clone().filter(|_| record.kept);
    Statement::new(
        "INSERT INTO questions (id, tenant, owner, thread_id, kept, variant, status, question, \
             clarifications, sql, outcome, problem, rounds, row_count, working_ms, asked_at, \
             ended_at, expires_at, tokens, said, corrections) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, \
             $20, $21) \
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, \
             clarifications = CASE WHEN questions.kept = 1 THEN excluded.clarifications ELSE '' END, \
             sql = CASE WHEN questions.kept = 1 THEN excluded.sql END, \
             said = CASE WHEN questions.kept = 1 THEN excluded.said ELSE '' END, \
             corrections = CASE WHEN questions.kept = 1 THEN excluded.corrections ELSE '' END, \
             outcome = excluded.outcome, problem = excluded.problem, rounds = excluded.rounds, \
             row_count = excluded.row_count, working_ms = excluded.working_ms, \
             ended_at = excluded.ended_at, expires_at = excluded.expires_at, \
             tokens = questions.tokens + excluded.tokens",
        [
            record.id.as_str().into(),
            record.tenant.as_str().into(),
            record.said(&record.owner).into(),
            record.thread_id.as_str().into(),
            i64::from(record.kept).into(),
            record.variant.as_str().into(),
            status.into(),
            record.said(&record.question).into(),
            record.said(&record.clarifications).into(),
            sql.into(),
            record.outcome.as_str().into(),
            record.problem.clone().into(),
            i64::from(record.rounds).into(),
            record.row_count.and_then(|rows| i64::try_from(rows).ok()).into(),
            record.working_ms.into(),
            record.asked_at.into(),
            ended_at.into(),
            (now() + seconds(record.waits)).into(),
            record.tokens.into(),
            record.said(&record.said).into(),
            record.said(&record.corrections).into(),
        ],
    )
}

fn ambiguity(record: &Record, place: &Ambiguity) -> Statement {
    Statement::new(
        "INSERT INTO ambiguities (question_id, clarification_id, tenant, owner, at, ambiguity, \
             phrase, asked, source, choice) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (question_id, clarification_id) DO UPDATE SET source = excluded.source, \
             choice = excluded.choice, \
             answered_at = CASE WHEN ambiguities.source IS NULL AND excluded.source IS NOT NULL \
                 THEN excluded.at ELSE ambiguities.answered_at END, \
             asked = CASE WHEN excluded.asked = 1 THEN 1 ELSE ambiguities.asked END",
        [
            record.id.as_str().into(),
            place.clarification_id.as_str().into(),
            record.tenant.as_str().into(),
            record.said(&record.owner).into(),
            record.ended_at.into(),
            place.kind.as_str().into(),
            record.said(&place.phrase).into(),
            i64::from(place.asked).into(),
            place.source.clone().into(),
            place.choice.clone().into(),
        ],
    )
}

fn session(record: &Record, new: &NewSession) -> Statement {
    Statement::new(
        "INSERT INTO sessions (id, status, tenant, owner, question, snapshot, expires_at, question_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) \
         ON CONFLICT (id) DO UPDATE SET snapshot = excluded.snapshot, expires_at = excluded.expires_at",
        [
            new.id.as_str().into(),
            if new.completed { "completed" } else { "open" }.into(),
            record.tenant.as_str().into(),
            record.user.as_deref().unwrap_or_default().into(),
            record.question.as_str().into(),
            new.snapshot.as_str().into(),
            (now() + seconds(new.lifetime)).into(),
            record.id.as_str().into(),
        ],
    )
}
