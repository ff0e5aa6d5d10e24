//! What hosts and people may do to a session, in any order, sensible or not.

use proptest::prelude::*;
use wherefore_engine::catalog::DataType;
use wherefore_engine::clarification::{Answer, Clarification, ClarificationAnswer};
use wherefore_engine::memory::{Memory, Scope};
use wherefore_engine::session::{
    Cell, Correction, Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues,
    ResultColumn, ResultSet, Start, StepError, ValueSearch,
};
use wherefore_engine::{Engine, Session};

/// Something done to a session; places are numbers that wrap around what is there.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Answers an open clarification, whichever state the session is in.
    Answer { place: usize, how: How },
    /// Asks.
    Ask { text: String, skip: bool },
    /// Gives up.
    Cancel,
    /// Changes an assumption.
    Change { place: usize, how: How },
    /// Corrects.
    Correct { text: String },
    /// Asks in a new session that knows the one before, and what was chosen in it.
    Follow { text: String },
    /// Has a choice remembered.
    Remember { place: usize },
    /// An effect fails.
    Fail { place: usize, retryable: bool },
    /// An effect comes back with rows.
    Rows { place: usize, rows: usize },
    /// The result of an effect that nobody waits for.
    Stray { effect_id: u32 },
    /// Runs again.
    Retry,
    /// An effect comes back with values.
    Values { place: usize, value: String },
}

/// How something is answered.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// By the best guess.
    BestGuess,
    /// By a number.
    Number(f64),
    /// By an option.
    Option(usize),
    /// By a range.
    Range(Option<String>, Option<String>),
    /// By words.
    Text(String),
    /// By an option that does not exist.
    Unknown,
}

/// Any order of actions, the first of them a question.
pub(crate) fn actions(
    question: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = Vec<Action>> {
    let ask = |question| {
        (question, prop::bool::weighted(0.2)).prop_map(|(text, skip)| Action::Ask { text, skip })
    };
    let place = 0..6_usize;
    let action = prop_oneof![
        2 => ask(question.clone()),
        6 => (place.clone(), hows()).prop_map(|(place, how)| Action::Answer { place, how }),
        3 => (place.clone(), hows()).prop_map(|(place, how)| Action::Change { place, how }),
        6 => (place.clone(), 0..12_usize).prop_map(|(place, rows)| Action::Rows { place, rows }),
        3 => (place.clone(), "[A-Za-z' ]{0,9}")
            .prop_map(|(place, value)| Action::Values { place, value }),
        2 => (place.clone(), any::<bool>()).prop_map(|(place, retryable)| Action::Fail { place, retryable }),
        2 => question.clone().prop_map(|text| Action::Correct { text }),
        1 => place.clone().prop_map(|place| Action::Remember { place }),
        1 => any::<u32>().prop_map(|effect_id| Action::Stray { effect_id }),
        1 => Just(Action::Retry),
        1 => Just(Action::Cancel),
    ];
    (ask(question), prop::collection::vec(action, 0..9))
        .prop_map(|(first, rest)| std::iter::once(first).chain(rest).collect())
}

/// Several sessions, each of which goes on from the one before.
pub(crate) fn conversations(
    question: impl Strategy<Value = String> + Clone + 'static,
) -> impl Strategy<Value = Vec<Action>> {
    let follow = (0..4_usize, question.clone()).prop_map(|(lead, text)| {
        let lead = ["", "only ", "what about ", "and also "][lead];
        Action::Follow { text: format!("{lead}{text}") }
    });
    let session = (actions(question).boxed(), follow)
        .prop_map(|(actions, follow)| actions.into_iter().chain([follow]).collect::<Vec<_>>());
    prop::collection::vec(session, 1..4).prop_map(|sessions| sessions.concat())
}

fn hows() -> impl Strategy<Value = How> {
    let day = prop_oneof![
        Just(None),
        Just(Some(String::new())),
        Just(Some("2025-01-31".to_owned())),
        Just(Some("2026-11-20".to_owned())),
        Just(Some("9999-12-31".to_owned())),
        Just(Some("2025-02-30".to_owned())),
        any::<String>().prop_map(Some),
    ];
    prop_oneof![
        4 => (0..6_usize).prop_map(How::Option),
        2 => Just(How::BestGuess),
        1 => any::<f64>().prop_map(How::Number),
        1 => (day.clone(), day).prop_map(|(start, end)| How::Range(start, end)),
        1 => any::<String>().prop_map(How::Text),
        1 => Just(How::Unknown),
    ]
}

/// What came of a step.
pub(crate) type Stepped = Result<Vec<Effect>, StepError>;

/// Does it all to a new session; the observer sees each event, and what came of it.
pub(crate) fn drive(
    engine: &Engine,
    actions: &[Action],
    observer: &mut dyn FnMut(&Event, &Stepped, &Session),
) {
    let mut session = Session::new();
    let mut waiting: Vec<Effect> = Vec::new();
    let mut memory = Memory::default();
    for action in actions {
        if matches!(action, Action::Follow { .. }) {
            let choices = session.take_choices();
            memory.record(&choices, Scope::Person, engine.settings(), "2026-11-20");
            let (context, memory) = (session.context(), memory.clone());
            session = Session::started(Start { context, memory });
        }
        let event = event(&session, &waiting, action);
        let result = session.step(engine, event.clone());
        if let Ok(effects) = &result {
            waiting.extend(effects.iter().cloned());
        }
        observer(&event, &result, &session);
    }
}

fn event(session: &Session, waiting: &[Effect], action: &Action) -> Event {
    match action {
        Action::Ask { text, skip } => Event::Ask {
            text: text.clone(),
            today: "2026-11-20".to_owned(),
            skip_clarification: *skip,
        },
        Action::Follow { text } => Event::Ask {
            text: text.clone(),
            today: "2026-11-20".to_owned(),
            skip_clarification: false,
        },
        Action::Correct { text } => {
            Event::Correct { correction: Correction::Text { text: text.clone() } }
        }
        Action::Remember { place } => {
            let assumed = pick(&session.view().assumptions, *place);
            let id = assumed.map_or_else(String::new, |assumed| assumed.id.clone());
            Event::Remember { clarification_id: id }
        }
        Action::Answer { place, how } => {
            let open: Vec<&Clarification> = session.view().clarifications.iter().collect();
            Event::Answer { answers: vec![answer(&open, *place, how)] }
        }
        Action::Change { place, how } => {
            let assumed: Vec<&Clarification> = session
                .view()
                .assumptions
                .iter()
                .map(|assumption| &assumption.clarification)
                .collect();
            Event::Change { answer: answer(&assumed, *place, how) }
        }
        Action::Rows { place, rows } => {
            returned(waiting, *place, EffectResult::Rows { rows: result_set(*rows) })
        }
        Action::Values { place, value } => {
            let searches = pick(waiting, *place).map(searches).unwrap_or_default();
            let found = searches
                .into_iter()
                .map(|search| FoundValues { search, values: vec![value.clone()] })
                .collect();
            returned(waiting, *place, EffectResult::Values { found })
        }
        Action::Fail { place, retryable } => {
            let failure = ExecutionFailure {
                code: "statement_timeout".to_owned(),
                message: "the statement took too long".to_owned(),
                retryable: *retryable,
            };
            returned(waiting, *place, EffectResult::Failed { failure })
        }
        Action::Stray { effect_id } => Event::EffectResult {
            effect_id: *effect_id,
            result: EffectResult::Rows { rows: ResultSet::default() },
        },
        Action::Retry => Event::Retry,
        Action::Cancel => Event::Cancel,
    }
}

fn pick<T>(from: &[T], place: usize) -> Option<&T> {
    // Counted from the end: what came last is what is likely to be waited for.
    from.iter().rev().nth(place.checked_rem(from.len())?)
}

fn answer(open: &[&Clarification], place: usize, how: &How) -> ClarificationAnswer {
    let clarification = pick(open, place);
    let answer = match how {
        How::BestGuess => Answer::BestGuess,
        How::Number(value) => Answer::Number { value: *value },
        How::Range(start, end) => Answer::DateRange { start: start.clone(), end: end.clone() },
        How::Text(text) => Answer::Text { text: text.clone() },
        How::Unknown => Answer::Option { option_id: "unknown".to_owned() },
        How::Option(place) => {
            let option = clarification.and_then(|one| pick(&one.options, *place));
            let option_id = option.map_or_else(String::new, |option| option.id.clone());
            Answer::Option { option_id }
        }
    };
    let clarification_id = clarification.map_or_else(|| "q_0".to_owned(), |one| one.id.clone());
    ClarificationAnswer { clarification_id, answer }
}

fn returned(waiting: &[Effect], place: usize, result: EffectResult) -> Event {
    Event::EffectResult { effect_id: pick(waiting, place).map_or(7, |effect| effect.id), result }
}

fn searches(effect: &Effect) -> Vec<ValueSearch> {
    match &effect.request {
        EffectRequest::LookUpValues { searches } => searches.clone(),
        EffectRequest::Execute { .. } | EffectRequest::Write { .. } => Vec::new(),
    }
}

/// Rows of two columns, the second the same in each.
fn result_set(rows: usize) -> ResultSet {
    let column = |name: &str| ResultColumn { name: name.to_owned(), data_type: DataType::Other };
    let row = |at: usize| vec![Cell::Text(format!("row {at}")), Cell::Integer(5)];
    ResultSet {
        columns: vec![column("name"), column("number")],
        rows: (0..rows).map(row).collect(),
        ..ResultSet::default()
    }
}
