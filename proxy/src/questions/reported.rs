//! Use case: recording a question that an engine in the client has read.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use wherefore_engine::ambiguity::AmbiguityKind;
use wherefore_engine::clarification::AssumptionSource;
use wherefore_engine::session::{Correction, Outcome};

use super::ask::check_characters;
use super::record::is_worth_counting;
use super::service::Questions;
use crate::caller::Caller;
use crate::identity::is_made_id;
use crate::problem::{Problem, ProblemCode};
use crate::store::{Ambiguity, Record, Status, milliseconds};
use crate::wire_name::wire_name;

/// Maximum number of decisions of a question.
const DECISIONS: usize = 100;
/// Maximum number of texts, and of corrections, that lead to a statement.
const TEXTS: usize = 100;
/// Maximum length of a statement in bytes.
const STATEMENT_BYTES: usize = 64 * 1024;
/// Maximum length of an id or error code in bytes.
const NAME_BYTES: usize = 200;

/// A question as the client reports it after a round. Later reports of the same question replace earlier ones.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reported {
    /// Id of the question, made by the client.
    id: String,
    /// Id of its thread, made by the client; a thread of its own if absent.
    #[serde(default)]
    thread: Option<String>,
    /// Person whose history it belongs to, if the caller is not authenticated.
    #[serde(default)]
    pub(crate) person: Option<String>,
    question: String,
    /// Texts that lead to the statement, oldest first; the question alone if empty.
    #[serde(default)]
    said: Vec<String>,
    /// Corrections of the texts.
    #[serde(default)]
    corrections: Vec<Correction>,
    /// Outcome; none if the user cancelled the question.
    #[serde(default)]
    outcome: Option<Outcome>,
    /// Code of the problem.
    #[serde(default)]
    problem: Option<String>,
    #[serde(default)]
    sql: Option<String>,
    /// Rounds of clarification so far.
    rounds: u8,
    /// Number of rows of the result.
    #[serde(default)]
    row_count: Option<u32>,
    /// Milliseconds since the question was asked. Ages need no agreement of clocks.
    asked_ms_ago: u32,
    /// Milliseconds since the end of this round.
    ended_ms_ago: u32,
    /// Processing time so far, in milliseconds.
    working_ms: u32,
    /// Ambiguities that were decided or are asked about.
    decisions: Vec<ReportedDecision>,
}

/// An ambiguity of a reported question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportedDecision {
    /// Id of the clarification.
    id: String,
    ambiguity: AmbiguityKind,
    phrase: String,
    /// The chosen meaning; empty while the ambiguity is open.
    #[serde(default)]
    meaning: String,
    /// Who or what decided; none while the ambiguity is open.
    #[serde(default)]
    source: Option<AssumptionSource>,
    /// Id of the chosen option, `custom` or `best_guess`.
    #[serde(default)]
    choice: Option<String>,
    /// Whether the user was asked.
    asked: bool,
}

/// Where a reported question is found in the history.
#[derive(Debug, Serialize)]
pub(crate) struct Recorded {
    /// Id of the question.
    id: String,
    /// Its thread.
    thread_id: String,
}

/// Stores a reported question like one of `query`. The same report can be sent again without effect.
pub(crate) async fn record_reported(
    questions: &Questions,
    caller: &Caller,
    reported: Reported,
) -> Result<Recorded, Problem> {
    check(caller, &reported)?;
    let person = caller.person(reported.person.as_deref())?;
    let variant = questions.variant_of(&caller.identity, person.as_deref()).to_owned();
    let id = question_id(caller, person.as_deref(), &reported.id);
    let owner = person.unwrap_or_default();
    let thread = reported.thread.as_deref().unwrap_or(&reported.id);
    let thread_id = derived_id("thr", &caller.identity.tenant, &owner, thread);
    let now = milliseconds();
    let record = Record {
        id: id.clone(),
        tenant: caller.identity.tenant.clone(),
        user: caller.identity.user.clone(),
        thread_id: thread_id.clone(),
        kept: questions.history_days > 0,
        variant,
        status: match reported.outcome {
            None => Status::Abandoned,
            Some(Outcome::NeedsClarification) => Status::Pending,
            Some(_) => Status::Completed,
        },
        clarifications: decided(&reported.decisions),
        ambiguities: reported.decisions.into_iter().filter_map(ambiguity).collect(),
        said: match &reported.said[..] {
            [] => json!([reported.question]).to_string(),
            said => json!(said).to_string(),
        },
        corrections: json!(reported.corrections).to_string(),
        question: reported.question,
        sql: reported.sql,
        outcome: reported.outcome.map(wire_name).unwrap_or_default(),
        problem: reported.problem,
        rounds: reported.rounds,
        row_count: reported.row_count.map(|rows| rows as usize),
        working_ms: reported.working_ms.into(),
        // The tasks of the language model that a client asks for name no question.
        tokens: 0,
        asked_at: now - i64::from(reported.asked_ms_ago.max(reported.ended_ms_ago)),
        ended_at: now - i64::from(reported.ended_ms_ago),
        waits: questions
            .session_lifetime
            .saturating_sub(Duration::from_millis(reported.ended_ms_ago.into())),
        session: None,
        owner,
    };
    questions.store.keep(record).await?;
    Ok(Recorded { id, thread_id })
}

fn check(caller: &Caller, reported: &Reported) -> Result<(), Problem> {
    for (pointer, id) in [("/id", Some(&reported.id)), ("/thread", reported.thread.as_ref())] {
        if id.is_some_and(|id| !is_made_id(id)) {
            let detail = "an id must have 16 to 64 letters, digits, hyphens and underscores";
            return Err(Problem::new(ProblemCode::InvalidId, detail).with("pointer", pointer));
        }
    }
    check_characters(&reported.question)?;
    let longest = caller.source.knowledge().engine.settings().question_bytes as usize;
    let problem = |detail: String, pointer: &str| {
        Err(Problem::new(ProblemCode::InvalidRecord, detail).with("pointer", pointer))
    };
    if reported.question.trim().is_empty() {
        return problem("question must not be empty".to_owned(), "/question");
    }
    if reported.decisions.len() > DECISIONS {
        return problem(format!("at most {DECISIONS} decisions are recorded"), "/decisions");
    }
    if reported.said.len() > TEXTS || reported.corrections.len() > TEXTS {
        let pointer = if reported.said.len() > TEXTS { "/said" } else { "/corrections" };
        return problem(format!("at most {TEXTS} texts and corrections are recorded"), pointer);
    }
    let corrections: Vec<String> =
        reported.corrections.iter().map(|correction| json!(correction).to_string()).collect();
    let (sql, code) = (reported.sql.as_deref(), reported.problem.as_deref());
    let texts = [
        ("/question".to_owned(), reported.question.as_str(), longest),
        ("/sql".to_owned(), sql.unwrap_or_default(), STATEMENT_BYTES),
        ("/problem".to_owned(), code.unwrap_or_default(), NAME_BYTES),
    ];
    let of_decisions = reported.decisions.iter().enumerate().flat_map(|(index, decision)| {
        let choice = decision.choice.as_deref().unwrap_or_default();
        [
            (format!("/decisions/{index}/id"), decision.id.as_str(), NAME_BYTES),
            (format!("/decisions/{index}/phrase"), decision.phrase.as_str(), longest),
            (format!("/decisions/{index}/meaning"), decision.meaning.as_str(), longest),
            (format!("/decisions/{index}/choice"), choice, longest),
        ]
    });
    let of_said = reported.said.iter().enumerate();
    let of_said = of_said.map(|(index, text)| (format!("/said/{index}"), text.as_str(), longest));
    let of_corrections = corrections
        .iter()
        .enumerate()
        .map(|(index, text)| (format!("/corrections/{index}"), text.as_str(), STATEMENT_BYTES));
    let texts = texts.into_iter().chain(of_decisions).chain(of_said).chain(of_corrections);
    for (pointer, text, limit) in texts {
        if text.len() > limit {
            return problem(format!("a text is longer than {limit} bytes"), &pointer);
        }
        if text.contains('\0') {
            return problem("a text contains a null character".to_owned(), &pointer);
        }
    }
    Ok(())
}

/// Decisions as JSON, for the history.
fn decided(decisions: &[ReportedDecision]) -> String {
    let told = decisions.iter().filter_map(|decision| {
        let source = decision.source?;
        Some(json!({ "phrase": decision.phrase, "meaning": decision.meaning, "source": source }))
    });
    serde_json::Value::Array(told.collect()).to_string()
}

fn ambiguity(decision: ReportedDecision) -> Option<Ambiguity> {
    let counts = decision.source.is_none_or(is_worth_counting);
    counts.then(|| Ambiguity {
        clarification_id: decision.id,
        kind: wire_name(decision.ambiguity),
        phrase: decision.phrase.to_lowercase(),
        asked: decision.asked,
        source: decision.source.map(wire_name),
        choice: decision.choice,
    })
}

/// Id under which a question is stored that the client reports with an id of its own.
pub(super) fn question_id(caller: &Caller, person: Option<&str>, made: &str) -> String {
    derived_id("q", &caller.identity.tenant, person.unwrap_or_default(), made)
}

/// An id that depends on the owner, so that nobody can name a question of another.
fn derived_id(prefix: &str, tenant: &str, owner: &str, made: &str) -> String {
    let mut hash = Sha256::new();
    for part in [tenant, owner, made] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digest = hash.finalize();
    let number =
        digest.iter().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
    format!("{prefix}_{number:032x}")
}
