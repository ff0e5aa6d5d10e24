//! Scripted sessions: questions asked of an engine by a host with fixed responses.

use serde_json::{Value, json};
use wherefore_engine::clarification::{Answer, Clarification, ClarificationAnswer, CustomInput};
use wherefore_engine::session::{
    Effect, EffectRequest, EffectResult, Event, FoundValues, ResultSet, View,
};
use wherefore_engine::writing::{Brief, Written, WrittenOption, WrittenQuestion, WrittenStatement};
use wherefore_engine::{Engine, Session};

/// Event limit of a session; a session that exceeds it would not end.
const MOST_EVENTS: usize = 40;

/// A complete session: its events, and the result of each.
#[derive(Debug)]
pub struct Trace {
    /// Events, in order.
    pub events: Vec<Event>,
    /// Result of each event.
    pub steps: Vec<Step>,
}

/// Result of an event.
#[derive(Debug)]
pub struct Step {
    /// Requested effects; `None` if the event was rejected.
    pub effects: Option<Vec<Effect>>,
    /// Error code of the rejection.
    pub refused: Option<&'static str>,
    /// View after the event.
    pub view: View,
    /// Snapshot after the event.
    pub snapshot: String,
}

/// Asks a question and runs the session to its end; `choice` varies which options are chosen.
pub fn drive(engine: &Engine, question: &str, today: &str, choice: usize) -> Trace {
    let mut session = Session::new();
    let mut trace = Trace { events: Vec::new(), steps: Vec::new() };
    let ask = Event::Ask {
        text: question.to_owned(),
        today: today.to_owned(),
        skip_clarification: choice == 0,
    };
    let mut queue = vec![ask];
    let mut changed = false;
    while let Some(event) = queue.pop() {
        assert!(trace.events.len() < MOST_EVENTS, "session does not end: {question}");
        trace.events.push(event.clone());
        let result = session.step(engine, event);
        trace.steps.push(Step {
            refused: result.as_ref().err().map(|error| error.code().as_str()),
            effects: result.as_ref().ok().cloned(),
            view: session.view().clone(),
            snapshot: session.snapshot().expect("a session is plain data"),
        });
        // Text that cannot be parsed leaves the clarification open; it then takes the best guess.
        let refused = result.is_err();
        let effects = result.unwrap_or_default();
        queue.extend(effects.iter().rev().map(reply));
        if !queue.is_empty() {
            continue;
        }
        let view = session.view();
        if !view.clarifications.is_empty() {
            let given = |open: &Clarification| {
                if refused {
                    let clarification_id = open.id.clone();
                    return ClarificationAnswer { clarification_id, answer: Answer::BestGuess };
                }
                answer(open, choice)
            };
            let answers = view.clarifications.iter().map(given).collect();
            queue.push(Event::Answer { answers });
        } else if let (false, Some(assumption)) = (changed, view.assumptions.first()) {
            changed = true;
            queue.push(Event::Change { answer: answer(&assumption.clarification, choice + 1) });
        }
    }
    // Rejections must be equal on both platforms too.
    let late = Event::EffectResult {
        effect_id: u32::MAX,
        result: EffectResult::Rows { rows: ResultSet::default() },
    };
    for event in [late, Event::Retry, Event::Cancel] {
        trace.events.push(event.clone());
        let result = session.step(engine, event);
        trace.steps.push(Step {
            refused: result.as_ref().err().map(|error| error.code().as_str()),
            effects: result.ok(),
            view: session.view().clone(),
            snapshot: session.snapshot().expect("a session is plain data"),
        });
    }
    trace
}

fn reply(effect: &Effect) -> Event {
    let result = match &effect.request {
        EffectRequest::Execute { .. } => EffectResult::Rows { rows: rows() },
        EffectRequest::LookUpValues { searches } => EffectResult::Values {
            found: searches
                .iter()
                .map(|search| FoundValues {
                    search: search.clone(),
                    values: vec![search.text.to_uppercase(), format!("{} & sons", search.text)],
                })
                .collect(),
        },
        EffectRequest::Write { brief } => {
            EffectResult::Written { written: Box::new(written(brief)) }
        }
    };
    Event::EffectResult { effect_id: effect.id, result }
}

/// A clarification if two tables were linked and nothing was decided, a statement otherwise.
fn written(brief: &Brief) -> Written {
    let mut tables: Vec<&str> = brief.ties.iter().map(|tie| tie.table.as_str()).collect();
    tables.dedup();
    if let ([first, second, ..], true) = (tables.as_slice(), brief.decided.is_empty()) {
        let option = |table: &str| WrittenOption {
            label: format!("rows of {table}"),
            table: table.to_owned(),
            ..WrittenOption::default()
        };
        let question = WrittenQuestion {
            phrase: "Zoë".to_owned(),
            reason: "which one?".to_owned(),
            options: vec![option(first), option(second)],
        };
        return Written { questions: vec![question], ..Written::default() };
    }
    let statement = WrittenStatement {
        sql: "SELECT 1".to_owned(),
        explanation: format!("What “{}” asks for.", brief.question),
        ..WrittenStatement::default()
    };
    Written { statement: Some(statement), ..Written::default() }
}

/// Rows with every kind of cell.
fn rows() -> ResultSet {
    let rows: Value = json!({
        "columns": [
            {"name": "name", "data_type": "text"},
            {"name": "amount", "data_type": "number"},
            {"name": "count", "data_type": "integer"},
            {"name": "open", "data_type": "boolean"},
        ],
        "rows": [
            ["Zoë \"Z\" 🍷", 0.1, 9_007_199_254_740_991_i64, true],
            ["", 1e21, -1, false],
            [null, "12345678901234567890.12", 7, null],
            ["equal", 2.5, 7, true],
        ],
        "truncated": false,
        "elapsed_ms": 3,
    });
    serde_json::from_value(rows).expect("the rows are of the engine's shape")
}

fn answer(clarification: &Clarification, choice: usize) -> ClarificationAnswer {
    let options = &clarification.options;
    let answer = match (&clarification.custom, options.get(choice % (options.len() + 2))) {
        (_, Some(option)) => Answer::Option { option_id: option.id.clone() },
        (Some(CustomInput::DateRange { .. }), None) => Answer::DateRange {
            start: Some("2025-02-28".to_owned()),
            end: Some("2025-12-31".to_owned()),
        },
        (Some(CustomInput::Number { .. }), None) => Answer::Number { value: 12.5 },
        (Some(CustomInput::Text { .. }), None) => Answer::Text { text: "Köln".to_owned() },
        (None, None) => Answer::BestGuess,
    };
    ClarificationAnswer { clarification_id: clarification.id.clone(), answer }
}
