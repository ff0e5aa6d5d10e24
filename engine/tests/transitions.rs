//! Every pair of a phase and an event: which phase follows, or why the event is rejected.

#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests panic, and read files")]

use serde_json::{Value, json};
use wherefore_engine::session::{Effect, EffectRequest, Event, NoteKind, Outcome, State};
use wherefore_engine::settings::Settings;
use wherefore_engine::{Engine, FailureCode, Knowledge, Session};

/// A question that only a model can write a statement for.
const SHARE: &str = "ratio of the orders by status";
/// A question that the engine composes without a clarification.
const NUMBER: &str = "number of orders by status";
/// A question with a limit, so that rows may tie.
const TOP: &str = "top 2 customers by number of orders";

fn engine(change: impl FnOnce(&mut Knowledge)) -> Engine {
    let catalog = include_str!("data/catalogs/shop.json");
    let mut knowledge: Knowledge =
        serde_json::from_str(&format!("{{\"catalog\": {catalog}}}")).unwrap();
    knowledge.catalog.can_execute = true;
    knowledge.settings = Settings { model: true, ..Settings::default() };
    let template = json!({
        "name": "parked_orders", "description": "Orders of a bay", "examples": ["orders parked in bay {bay}"],
        "sql": "SELECT id FROM orders WHERE status = :bay",
        "parameters": [{ "name": "bay", "type": "string", "table": "orders", "column": "status" }],
    });
    knowledge.catalog.templates = vec![serde_json::from_value(template).unwrap()];
    change(&mut knowledge);
    Engine::new(knowledge)
}

fn event(event: Value) -> Event {
    serde_json::from_value(event).unwrap()
}

fn ask(text: &str) -> Event {
    event(json!({"type": "ask", "text": text, "today": "2026-11-20"}))
}

fn correct(text: &str) -> Event {
    event(json!({"type": "correct", "correction": {"type": "text", "text": text}}))
}

fn result(effect: u32, result: Value) -> Event {
    event(json!({"type": "effect_result", "effect_id": effect, "result": result}))
}

fn rows(effect: u32, count: usize) -> Event {
    let rows = vec![json!(["a name", 5]); count];
    let columns = json!([
        {"name": "name", "data_type": "text"}, {"name": "number", "data_type": "integer"},
    ]);
    result(effect, json!({"type": "rows", "rows": {"columns": columns, "rows": rows}}))
}

fn values(effect: u32) -> Event {
    result(effect, json!({"type": "values", "found": []}))
}

fn failed(effect: u32, code: &str) -> Event {
    let failure = json!({"code": code, "message": "it is busy", "retryable": true});
    result(effect, json!({"type": "failed", "failure": failure}))
}

fn written(effect: u32, written: Value) -> Event {
    result(effect, json!({"type": "written", "written": written}))
}

fn statement(effect: u32) -> Event {
    let statement = json!({"sql": "SELECT 1", "explanation": "One.", "mode": "direct"});
    let trace = json!([{"stage": "drafting", "detail": "1 draft"}]);
    written(effect, json!({"statement": statement, "trace": trace}))
}

fn questions(effect: u32) -> Event {
    let option = |table: &str| json!({"label": table, "table": table});
    let options = [option("orders"), option("customers")];
    let question = json!({"phrase": "share", "reason": "of what?", "options": options});
    written(effect, json!({"questions": [question], "held": ["a draft"]}))
}

fn choose(id: &str, option: &str) -> Value {
    json!({"clarification_id": id, "answer": {"type": "option", "option_id": option}})
}

/// An answer with the first option of the first open clarification; with an unknown id if none is open.
fn answer(session: &Session) -> Event {
    let open = session.view().clarifications.first();
    let (id, option) = open.map_or(("none", "none"), |open| (&open.id, &open.options[0].id));
    event(json!({"type": "answer", "answers": [choose(id, option)]}))
}

/// A change to the second option of the first assumption, else of the first open clarification.
fn change(session: &Session) -> Event {
    let view = session.view();
    let assumed = view.assumptions.first().map(|assumed| &assumed.clarification);
    let seen = assumed.or(view.clarifications.first());
    let (id, option) = seen.map_or(("none", "none"), |seen| (&seen.id, &seen.options[1].id));
    event(json!({"type": "change", "answer": choose(id, option)}))
}

fn remember(session: &Session) -> Event {
    let id = session.view().assumptions.first().map_or("none", |assumed| assumed.id.as_str());
    event(json!({"type": "remember", "clarification_id": id}))
}

fn played(engine: &Engine, events: Vec<Event>) -> Session {
    let mut session = Session::new();
    for event in events {
        session.step(engine, event).unwrap();
    }
    session
}

/// A session in each phase, with the id of its pending effect.
fn phases(engine: &Engine) -> Vec<(&'static str, Session, u32)> {
    let play = |events| played(engine, events);
    let model = |event: fn(u32) -> Event| vec![ask(SHARE), event(1)];
    let after = |events: Vec<Event>, event| events.into_iter().chain([event]).collect::<Vec<_>>();
    let run_fails = || after(model(statement), failed(2, "statement_failed"));
    let mut answered = play(vec![ask("recent orders")]);
    let choice = answer(&answered);
    answered.step(engine, choice).unwrap();
    let running = answered.clone();
    answered.step(engine, rows(1, 1)).unwrap();
    vec![
        ("Idle", Session::new(), 9),
        ("AwaitValues", play(vec![ask("orders of Vera Lindqvist")]), 1),
        ("AwaitParameters", play(vec![ask("orders parked in bay wonky"), values(1)]), 2),
        ("AwaitAnswer", play(vec![ask("recent orders")]), 9),
        ("AwaitAnswer of a model", play(model(questions)), 9),
        ("AwaitModel", play(vec![ask(SHARE)]), 1),
        ("AwaitModel to repair", play(run_fails()), 3),
        ("AwaitRows", running, 1),
        ("AwaitRows of a ranking", play(vec![ask(TOP)]), 1),
        ("AwaitRows of a model", play(model(statement)), 2),
        ("AwaitTies", play(vec![ask(TOP), rows(1, 2)]), 2),
        ("Answered", answered, 9),
        ("Answered by a model", play(after(model(statement), rows(2, 1))), 9),
        ("NotRun", play(vec![ask(NUMBER), failed(1, "statement_timeout")]), 9),
        ("NotRun of a model", play(after(model(statement), failed(2, "statement_timeout"))), 9),
        ("Unwritten", play(vec![ask("delete the orders")]), 9),
        ("Unwritten for want of a model", play(vec![ask(SHARE), failed(1, "model_busy")]), 9),
        ("Unwritten after a repair", play(after(run_fails(), failed(3, "model_busy"))), 9),
        ("Cancelled", play(vec![ask(NUMBER), Event::Cancel]), 9),
        ("Cancelled before a question", play(vec![Event::Cancel]), 9),
    ]
}

/// One event of each kind, for a session with this pending effect.
fn events(session: &Session, effect: u32) -> Vec<(&'static str, Event)> {
    vec![
        ("ask", ask(NUMBER)),
        ("answer", answer(session)),
        ("answer nothing", event(json!({"type": "answer", "answers": []}))),
        ("change", change(session)),
        ("correct", correct("paid orders only, I meant status")),
        ("remember", remember(session)),
        ("retry", Event::Retry),
        ("cancel", Event::Cancel),
        ("rows", rows(effect, 2)),
        ("values", values(effect)),
        ("written", statement(effect)),
        ("questions", questions(effect)),
        ("failed", failed(effect, "statement_failed")),
        ("late", rows(0, 1)),
    ]
}

/// Result of a step: state, outcome and effects, or the code of the error.
fn told(session: &Session, result: &Result<Vec<Effect>, String>) -> String {
    let effects = match result {
        Ok(effects) => effects,
        Err(code) => return format!("refused: {code}"),
    };
    let view = session.view();
    let outcome = serde_json::to_value(view.outcome).unwrap();
    let mut told = view.state.name().to_owned();
    if matches!(view.outcome, Some(Outcome::GenerationFailed | Outcome::OutOfScope)) {
        told = format!("{told} {}", outcome.as_str().unwrap());
    }
    for effect in effects {
        told.push_str(match effect.request {
            EffectRequest::Execute { .. } => ", execute",
            EffectRequest::LookUpValues { .. } => ", look up",
            EffectRequest::Write { .. } => ", write",
        });
    }
    told
}

#[test]
fn every_event_is_taken_or_refused_in_every_phase_as_the_table_says() {
    let engine = engine(|_| {});
    let mut table = Vec::new();
    for (phase, session, effect) in phases(&engine) {
        for (name, event) in events(&session, effect) {
            let mut stepped = session.clone();
            let result = stepped.step(&engine, event).map_err(|error| error.code().to_string());
            if result.is_err() {
                assert_eq!(stepped, session, "{phase}: {name}");
            }
            table.push([phase, name, &told(&stepped, &result)].join("\t"));
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/transitions.tsv");
    let expected = std::fs::read_to_string(path).unwrap();
    assert_eq!(table, expected.lines().collect::<Vec<_>>());
}

#[test]
fn an_effect_is_answered_once_and_its_id_is_not_used_again() {
    let engine = engine(|_| {});
    let mut session = played(&engine, vec![ask(NUMBER), rows(1, 1)]);
    let late = session.step(&engine, rows(1, 1)).unwrap_err();
    assert_eq!(late.to_string(), "effect is unknown or was answered already: 1");
    let effects = session.step(&engine, ask(NUMBER)).unwrap();
    assert_eq!(effects[0].id, 2);
    session.step(&engine, Event::Cancel).unwrap();
    assert_eq!(session.step(&engine, rows(2, 1)).unwrap_err().code(), FailureCode::UnknownEffect);
}

#[test]
fn a_retry_runs_the_same_statement() {
    let engine = engine(|_| {});
    for events in [vec![ask(NUMBER)], vec![ask(SHARE), statement(1)]] {
        let mut session = Session::new();
        let mut run = Vec::new();
        for event in events {
            run = session.step(&engine, event).unwrap();
        }
        session.step(&engine, failed(run[0].id, "statement_timeout")).unwrap();
        let again = session.step(&engine, Event::Retry).unwrap();
        assert_eq!(again[0].request, run[0].request);
        assert_eq!(again[0].id, run[0].id + 1);
        assert_eq!((session.view().state, session.view().outcome), (State::ExecutingQuery, None));
        assert_eq!(session.view().problem, None);
    }
}

#[test]
fn a_statement_is_repaired_once() {
    let engine = engine(|_| {});
    let fails = |effect| failed(effect, "statement_failed");
    let mut session = played(&engine, vec![ask(SHARE), statement(1), fails(2)]);
    assert_eq!(session.view().state, State::Repairing);
    for event in [statement(3), fails(4)] {
        session.step(&engine, event).unwrap();
    }
    assert_eq!(session.view().outcome, Some(Outcome::ExecutionFailed));
    assert_eq!(session.trace().len(), 2);
    for event in [Event::Retry, fails(5)] {
        session.step(&engine, event).unwrap();
    }
    assert_eq!(session.view().outcome, Some(Outcome::ExecutionFailed));
    // When the question is asked again, its statement can be repaired again.
    for event in [ask(SHARE), statement(6), fails(7)] {
        session.step(&engine, event).unwrap();
    }
    assert_eq!(session.view().state, State::Repairing);
    assert_eq!(session.trace().len(), 1);
}

#[test]
fn drafts_are_held_for_the_brief_after_the_answer() {
    let engine = engine(|_| {});
    let mut session = played(&engine, vec![ask(SHARE), questions(1)]);
    let choice = answer(&session);
    let effects = session.step(&engine, choice).unwrap();
    let EffectRequest::Write { brief } = &effects[0].request else { panic!("a brief") };
    assert_eq!(brief.held, ["a draft"]);
    assert!(brief.decided.iter().any(|words| words.phrase == "share" && words.fixed));
}

#[test]
fn ties_are_looked_up_only_where_rows_are_ranked_and_reach_the_limit() {
    let engine = engine(|_| {});
    let shows = |text: &str, count: usize| {
        let mut session = played(&engine, vec![ask(text)]);
        session.step(&engine, rows(1, count)).unwrap()
    };
    let [looks] = &shows(TOP, 2)[..] else { panic!("rows beyond the limit are looked up") };
    let EffectRequest::Execute { sql, row_limit, .. } = &looks.request else { panic!("a run") };
    assert_eq!(*row_limit, 20);
    assert!(sql.contains("LIMIT 20") && sql.contains("OFFSET 2"), "{sql}");
    assert_eq!(shows(TOP, 1), []);
    assert_eq!(shows(NUMBER, 2), []);
}

#[test]
fn what_is_shown_of_the_answer_goes_when_the_question_is_read_again() {
    let engine = engine(|_| {});
    let mut session = played(&engine, vec![ask("recent orders")]);
    let choice = answer(&session);
    session.step(&engine, choice).unwrap();
    session.step(&engine, rows(1, 0)).unwrap();
    assert_eq!(session.view().notes[0].kind, NoteKind::Empty);
    // The period that was chosen is of the other date, so that it is asked about again.
    let events = [
        (change(&session), State::ExecutingQuery),
        (correct("no, I meant due date"), State::AwaitingClarification),
    ];
    for (event, state) in events {
        let mut session = session.clone();
        session.step(&engine, event).unwrap();
        assert_eq!(session.view().state, state);
        assert_eq!(session.view().result, None);
        assert!(session.view().notes.is_empty());
    }
}

#[test]
fn an_answer_that_the_catalog_lost_uses_up_no_round() {
    let whole = engine(|_| {});
    let mut session = played(&whole, vec![ask("how many customers are in Brazil")]);
    assert_eq!(session.view().round, 1);
    let choice = answer(&session);
    let asked = &session.view().clarifications[0].options[0];
    let gone = |column: &str| format!("{:?}", asked.binding).contains(column);
    let less = engine(|knowledge| {
        for table in &mut knowledge.catalog.tables {
            table.columns.retain(|column| !gone(&column.name));
        }
    });
    session.step(&less, choice).unwrap();
    assert_eq!((session.view().round, session.view().state), (0, State::ExecutingQuery));
    assert_eq!(session.take_choices(), []);
}

#[test]
fn a_question_is_corrected_three_times() {
    let engine = engine(|_| {});
    let mut session = played(&engine, vec![ask("recent orders")]);
    for text in ["no, I meant due date", "no, I meant order date", "no, I meant due date"] {
        session.step(&engine, correct(text)).unwrap();
    }
    let refused = session.step(&engine, correct("no, I meant order date")).unwrap_err();
    assert_eq!(refused.code(), FailureCode::TooManyCorrections);
}

#[test]
fn a_follow_up_goes_on_from_the_last_tree_even_after_a_cancel() {
    let engine = engine(|_| {});
    let from =
        |events: Vec<Event>| played(&engine, events).context().map(|context| context.tree.from);
    assert_eq!(from(vec![]), None);
    assert_eq!(from(vec![ask(NUMBER)]).as_deref(), Some("orders"));
    assert_eq!(from(vec![ask(NUMBER), rows(1, 1)]).as_deref(), Some("orders"));
    assert_eq!(from(vec![ask(NUMBER), Event::Cancel]).as_deref(), Some("orders"));
    assert_eq!(from(vec![ask(NUMBER), failed(1, "statement_timeout")]).as_deref(), Some("orders"));
    assert_eq!(from(vec![ask("recent orders")]).as_deref(), Some("orders"));
    assert_eq!(from(vec![ask(TOP), rows(1, 2)]).as_deref(), Some("orders"));
    assert_eq!(from(vec![ask(SHARE)]), None);
    assert_eq!(from(vec![ask(SHARE), statement(1), rows(2, 1)]), None);
    assert_eq!(from(vec![ask("delete the orders")]), None);
}
