//! Events and effects in the form in which this page writes and reads them.
//!
//! They have the JSON of [`wherefore_engine::session::Event`] and [`wherefore_engine::session::Effect`]. Rows, and what
//! passes between the engine and a model, stay text, so that the page contains no code that reads them.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::{ExecutionFailure, FoundValues, ResultSet, ValueSearch};

/// An event of the user.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// Answers to open clarifications, one or several.
    Answer {
        /// The answers.
        answers: Vec<ClarificationAnswer>,
    },
    /// A question.
    Ask {
        /// The question as typed.
        text: String,
        /// The user's calendar date, `yyyy-mm-dd`.
        today: String,
    },
    /// The user cancelled.
    Cancel,
    /// A different answer to an answered clarification or an assumption.
    Change {
        /// The new answer, with the id of the clarification or assumption.
        answer: ClarificationAnswer,
    },
    /// A correction; the question is read again with it.
    Correct {
        /// The correction, as JSON that only the engine reads.
        correction: Box<RawValue>,
    },
    /// Apply the choice for a clarification from now on, even if it was made only once.
    Remember {
        /// Id of the clarification.
        clarification_id: String,
    },
    /// Repeat the last effect after the data source or the model failed.
    Retry,
}

impl Event {
    /// The event as JSON.
    pub(super) fn text(&self) -> String {
        super::written(self)
    }
}

/// A request to the page, which returns the result with the same id.
#[derive(Debug, Deserialize)]
pub struct Effect {
    /// Id within the session.
    pub id: u32,
    /// What to do.
    pub request: EffectRequest,
}

/// What the page should do. An enum with a tag would be read through a buffer, which takes much more code.
#[derive(Debug, Deserialize)]
pub struct EffectRequest {
    /// Which of the things below.
    #[serde(rename = "type")]
    pub kind: EffectKind,
    /// The statement to run.
    #[serde(default)]
    pub sql: String,
    /// Maximum number of rows to return.
    #[serde(default)]
    pub row_limit: u32,
    /// Searches; results are returned in the same order.
    #[serde(default)]
    pub searches: Vec<ValueSearch>,
    /// What a model is told about the question.
    pub brief: Option<Box<RawValue>>,
}

/// Kinds of effects.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum EffectKind {
    /// Run a statement and return its rows.
    Execute,
    /// Search stored values.
    LookUpValues,
    /// Let a model write a statement.
    Write,
}

/// The result of an effect, as JSON.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EffectResult(String);

impl EffectResult {
    /// The effect failed.
    pub fn failed(failure: &ExecutionFailure) -> Self {
        Self::of("failed", "failure", &super::written(failure))
    }

    /// Rows of a statement, as JSON.
    pub fn rows(rows: &str) -> Self {
        Self::of("rows", "rows", rows)
    }

    /// Stored values that were found, one entry per search.
    pub fn values(found: &[FoundValues]) -> Self {
        Self::of("values", "found", &super::written(&found))
    }

    /// Reply of a model, as JSON.
    pub fn written(written: &str) -> Self {
        Self::of("written", "written", written)
    }

    /// The rows, if it contains rows.
    pub(super) fn result_set(&self) -> Option<ResultSet> {
        #[derive(Deserialize)]
        struct Rows {
            rows: Option<ResultSet>,
        }
        wherefore_engine::read_json::<Rows>(&self.0).ok()?.rows
    }

    fn of(kind: &str, name: &str, content: &str) -> Self {
        Self(format!(r#"{{"type":"{kind}","{name}":{content}}}"#))
    }

    /// The event that returns the result to the session.
    pub(super) fn event(&self, effect_id: u32) -> String {
        format!(r#"{{"type":"effect_result","effect_id":{effect_id},"result":{}}}"#, self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, EffectKind, EffectResult, Event};
    use serde_json::value::RawValue;
    use wherefore_engine::catalog::ColumnRef;
    use wherefore_engine::clarification::{Answer, ClarificationAnswer};
    use wherefore_engine::session::{self, ExecutionFailure, FoundValues, ResultSet, ValueSearch};
    use wherefore_engine::writing::Brief;

    fn read(text: &str) -> session::Event {
        serde_json::from_str(text).expect("an event of the engine")
    }

    #[test]
    fn the_engine_reads_every_event() {
        let answer = ClarificationAnswer {
            clarification_id: "a".to_owned(),
            answer: Answer::Text { text: "größer".to_owned() },
        };
        let (text, today) = ("wine 🍷".to_owned(), "2026-01-31".to_owned());
        let clarification_id = "a".to_owned();
        let pairs = [
            (
                Event::Answer { answers: vec![answer.clone()] },
                session::Event::Answer { answers: vec![answer.clone()] },
            ),
            (
                Event::Ask { text: text.clone(), today: today.clone() },
                session::Event::Ask { text, today, skip_clarification: false },
            ),
            (Event::Cancel, session::Event::Cancel),
            (
                Event::Correct {
                    correction: RawValue::from_string(
                        r#"{"type":"text","text":"no, orders"}"#.to_owned(),
                    )
                    .expect("JSON"),
                },
                session::Event::Correct {
                    correction: session::Correction::Text { text: "no, orders".to_owned() },
                },
            ),
            (Event::Change { answer: answer.clone() }, session::Event::Change { answer }),
            (
                Event::Remember { clarification_id: clarification_id.clone() },
                session::Event::Remember { clarification_id },
            ),
            (Event::Retry, session::Event::Retry),
        ];
        for (event, expected) in pairs {
            assert_eq!(read(&event.text()), expected);
        }
    }

    #[test]
    fn the_engine_reads_every_result() {
        let failure = ExecutionFailure {
            code: "statement_timeout".to_owned(),
            message: "it said \"no\"".to_owned(),
            retryable: true,
        };
        let found = vec![FoundValues { search: search(), values: vec!["Wien".to_owned()] }];
        let rows = ResultSet::default();
        let rows_text = serde_json::to_string(&rows).expect("JSON");
        let pairs = [
            (EffectResult::failed(&failure), session::EffectResult::Failed { failure }),
            (EffectResult::values(&found), session::EffectResult::Values { found }),
            (EffectResult::rows(&rows_text), session::EffectResult::Rows { rows }),
        ];
        for (result, expected) in pairs {
            let expected = session::Event::EffectResult { effect_id: 7, result: expected };
            assert_eq!(read(&result.event(7)), expected);
        }
        assert_eq!(EffectResult::rows(&rows_text).result_set(), Some(ResultSet::default()));
        assert_eq!(EffectResult::values(&[]).result_set(), None);
        let written = EffectResult::written(r#"{"type":"nonsense"}"#).event(1);
        assert!(written.contains(r#""result":{"type":"written","written":{"#));
    }

    fn search() -> ValueSearch {
        let column = ColumnRef { table: "City".to_owned(), column: "Name".to_owned() };
        ValueSearch { column, text: "wien".to_owned() }
    }

    #[test]
    fn every_effect_of_the_engine_is_read() {
        let requests = [
            session::EffectRequest::Execute {
                sql: "SELECT 1".to_owned(),
                dialect: wherefore_engine::catalog::Dialect::default(),
                row_limit: 10,
            },
            session::EffectRequest::LookUpValues { searches: vec![search()] },
            session::EffectRequest::Write { brief: Box::new(Brief::default()) },
        ];
        let effects: Vec<session::Effect> =
            (1..).zip(requests).map(|(id, request)| session::Effect { id, request }).collect();
        let text = serde_json::to_string(&effects).expect("JSON");
        let read: Vec<Effect> = wherefore_engine::read_json(&text).expect("effects");
        let [execute, look_up, write] = &read[..] else { panic!("{read:?}") };
        assert_eq!(execute.request.kind, EffectKind::Execute);
        assert_eq!((execute.request.sql.as_str(), execute.request.row_limit), ("SELECT 1", 10));
        assert_eq!(look_up.request.kind, EffectKind::LookUpValues);
        assert_eq!(look_up.request.searches, [search()]);
        assert_eq!(write.request.kind, EffectKind::Write);
        let brief = write.request.brief.as_ref().expect("a brief").get();
        assert_eq!(serde_json::from_str::<Brief>(brief).expect("a brief"), Brief::default());
        assert_eq!(read.iter().map(|effect| effect.id).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
