//! What the page reports of a question to the proxy, and the queue in which reports wait.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;
use serde_json::value::RawValue;
use wherefore_engine::ambiguity::AmbiguityKind;
use wherefore_engine::clarification::AssumptionSource;
use wherefore_engine::session::{Outcome, State};

use crate::engine_client::{Path, View};

/// Maximum number of questions whose reports wait; the oldest is dropped first.
const WAITING: usize = 200;

/// A question after a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Id of the question, the same for all its rounds.
    pub id: String,
    /// Id of the conversation.
    pub thread: String,
    /// Person who asked.
    pub person: String,
    /// Time of the question, in milliseconds of the page's clock.
    pub asked_at: f64,
    /// Time of the end of the round.
    pub ended_at: f64,
    /// Processing time so far, in milliseconds.
    pub working_ms: f64,
    told: Told,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Told {
    question: String,
    /// Texts that lead to the statement; none without a statement.
    said: Vec<String>,
    corrections: Vec<Given>,
    outcome: Option<Outcome>,
    problem: Option<String>,
    sql: Option<String>,
    rounds: u8,
    row_count: Option<usize>,
    decisions: Vec<Decision>,
}

/// A correction, as JSON that only the engine reads.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
struct Given(Box<RawValue>);

impl PartialEq for Given {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Decision {
    id: String,
    ambiguity: AmbiguityKind,
    phrase: String,
    meaning: String,
    source: Option<AssumptionSource>,
    choice: Option<String>,
    asked: bool,
}

/// Body of `POST /api/v1/query/record`.
#[derive(Debug, Serialize)]
pub struct RecordRequest<'a> {
    id: &'a str,
    thread: &'a str,
    person: &'a str,
    asked_ms_ago: u32,
    ended_ms_ago: u32,
    working_ms: u32,
    #[serde(flatten)]
    told: &'a Told,
}

/// What a user thinks of a clarification.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It was good to be asked.
    Helpful,
    /// It need not have been asked.
    Needless,
}

/// Identity and times of a question.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Id of the question.
    pub id: String,
    /// Id of the conversation.
    pub thread: String,
    /// Person who asked.
    pub person: String,
    /// Time of the question, in milliseconds of the page's clock.
    pub asked_at: f64,
    /// Processing time so far, in milliseconds.
    pub working_ms: f64,
}

impl Report {
    /// The report of a question whose round ended now; none while it runs. `path` leads to its statement, if it has
    /// one; `asked` are the ids of all clarifications that were shown.
    pub fn of(
        of: Asked,
        (view, path): (&View, Option<Path>),
        asked: &BTreeSet<String>,
        now: f64,
    ) -> Option<Self> {
        if view.outcome.is_none() && view.state != State::Cancelled {
            return None;
        }
        let decided = view.assumptions.iter().map(|assumption| Decision {
            id: assumption.id.clone(),
            ambiguity: assumption.clarification.ambiguity,
            phrase: assumption.clarification.phrase.clone(),
            meaning: assumption.meaning.clone(),
            source: Some(assumption.source),
            choice: Some(match (&assumption.chosen, assumption.source) {
                (Some(option), _) => option.id.clone(),
                (None, AssumptionSource::BestGuess) => "best_guess".to_owned(),
                (None, _) => "custom".to_owned(),
            }),
            asked: asked.contains(&assumption.id),
        });
        let open = view.clarifications.iter().map(|open| Decision {
            id: open.id.clone(),
            ambiguity: open.ambiguity,
            phrase: open.phrase.clone(),
            meaning: String::new(),
            source: None,
            choice: None,
            asked: true,
        });
        let said = path.iter().flat_map(Path::texts).map(str::to_owned).collect();
        let corrections = path.into_iter().flat_map(|path| path.corrections).map(Given).collect();
        let told = Told {
            question: view.question.clone(),
            said,
            corrections,
            outcome: view.outcome,
            problem: view.problem.as_ref().map(|problem| problem.code.clone()),
            sql: view.sql.clone(),
            rounds: view.round,
            row_count: view.result.as_ref().map(|result| result.rows.len()),
            decisions: decided.chain(open).collect(),
        };
        let Asked { id, thread, person, asked_at, working_ms } = of;
        Some(Self { id, thread, person, asked_at, ended_at: now, working_ms, told })
    }

    /// The report as it is sent at this time.
    pub fn body(&self, now: f64) -> RecordRequest<'_> {
        RecordRequest {
            id: &self.id,
            thread: &self.thread,
            person: &self.person,
            asked_ms_ago: milliseconds(now - self.asked_at),
            ended_ms_ago: milliseconds(now - self.ended_at),
            working_ms: milliseconds(self.working_ms),
            told: &self.told,
        }
    }
}

/// Whole milliseconds; a negative time counts as none.
fn milliseconds(time: f64) -> u32 {
    time.round() as u32
}

/// Reports that wait to be sent, oldest first, at most one per question.
#[derive(Clone, Debug, Default)]
pub struct ReportQueue(VecDeque<Report>);

impl ReportQueue {
    /// Adds a report in place of an earlier one of the same question.
    pub fn push(&mut self, report: Report) {
        self.0.retain(|earlier| earlier.id != report.id);
        self.0.push_back(report);
        if self.0.len() > WAITING {
            self.0.pop_front();
        }
    }

    /// The report to send next.
    pub fn next(&self) -> Option<Report> {
        self.0.front().cloned()
    }

    /// Removes a report that was sent, unless a later one of its question has replaced it.
    pub fn sent(&mut self, report: &Report) {
        self.0.retain(|waiting| waiting != report);
    }
}

/// Whether a report that failed with this HTTP status can be sent again later; 0 stands for no response.
pub fn is_worth_retrying(status: u16) -> bool {
    matches!(status, 0 | 401 | 408 | 429 | 500..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(id: &str, outcome: Outcome) -> Report {
        let view = View { outcome: Some(outcome), ..View::default() };
        let asked = Asked { id: id.to_owned(), asked_at: 1_000.0, ..Asked::default() };
        Report::of(asked, (&view, None), &BTreeSet::new(), 3_000.0).unwrap()
    }

    #[test]
    fn a_running_question_is_not_reported_and_a_stopped_one_is() {
        let of = |state| {
            let view = View { state, ..View::default() };
            Report::of(Asked::default(), (&view, None), &BTreeSet::new(), 0.0)
        };
        assert_eq!(of(State::ExecutingQuery), None);
        let body = serde_json::to_value(of(State::Cancelled).unwrap().body(0.0)).unwrap();
        assert_eq!(body["outcome"], serde_json::Value::Null);
    }

    #[test]
    fn times_are_sent_as_ages() {
        let report = report("q", Outcome::Answered);
        let body = serde_json::to_value(report.body(63_000.4)).unwrap();
        assert_eq!(
            (&body["asked_ms_ago"], &body["ended_ms_ago"]),
            (&62_000.into(), &60_000.into())
        );
        let early = serde_json::to_value(report.body(0.0)).unwrap();
        assert_eq!(early["ended_ms_ago"], 0, "clocks may be set back");
    }

    #[test]
    fn the_latest_report_of_each_question_waits_in_order() {
        let mut queue = ReportQueue::default();
        let first = report("a", Outcome::NeedsClarification);
        queue.push(first.clone());
        queue.push(report("b", Outcome::Answered));
        queue.push(report("a", Outcome::Answered));
        queue.sent(&first);
        let next = queue.next().unwrap();
        assert_eq!(next.id, "b");
        queue.sent(&next);
        assert_eq!(queue.next(), Some(report("a", Outcome::Answered)), "sent while it changed");
    }

    #[test]
    fn the_queue_does_not_grow_without_end() {
        let mut queue = ReportQueue::default();
        for number in 0..=WAITING {
            queue.push(report(&number.to_string(), Outcome::Answered));
        }
        assert_eq!(queue.next().unwrap().id, "1");
    }
}
