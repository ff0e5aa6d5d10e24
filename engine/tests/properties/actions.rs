//! Random sequences of actions on a session, valid or not.

use proptest::prelude::*;
use wherefore_engine::catalog::DataType;
use wherefore_engine::clarification::{Answer, Clarification, ClarificationAnswer};
use wherefore_engine::memory::{Memory, Scope};
use wherefore_engine::session::{
    Cell, Correction, Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues,
    ResultColumn, ResultSet, Start, StepError, ValueSearch,
};
use wherefore_engine::{Engine, Session};

/// An action on a session; indices wrap around the number of available items.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Answers an open clarification, in any state.
    Answer { place: usize, how: How },
    /// Asks a question.
    Ask { text: String, skip: bool },
    /// Cancels.
    Cancel,
    /// Changes an assumption.
    Change { place: usize, how: How },
    /// Corrects the interpretation.
    Correct { text: String },
    /// Asks in a new session with the context of the previous one and the choices made in it.
    Follow { text: String },
    /// Records a choice in memory.
    Remember { place: usize },
    /// Reports that an effect failed.
    Fail { place: usize, retryable: bool },
    /// Returns rows for an effect.
    Rows { place: usize, rows: usize },
    /// Returns a result for an effect that is not pending.
    Stray { effect_id: u32 },
    /// Retries the last effect.
    Retry,
    /// Returns values for an effect.
    Values { place: usize, value: String },
}

/// The form of an answer.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// Best guess.
    BestGuess,
    /// A number.
    Number(f64),
    /// An option.
    Option(usize),
    /// A date range.
    Range(Option<String>, Option<String>),
    /// Words.
    Text(String),
    /// An option that does not exist.
    Unknown,
}

/// Random actions, starting with a question.
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

/// Several sessions, each of which continues the previous one.
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

/// Result of a step.
pub(crate) type Stepped = Result<Vec<Effect>, StepError>;

/// Applies all actions to a new session; the observer gets each event and its result.
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
            session = Session::started(Start { context, memory, ..Start::default() });
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
    // Counted from the end, because the latest items are the most likely to be pending.
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

/// Rows with two columns, the second of which is constant.
fn result_set(rows: usize) -> ResultSet {
    let column = |name: &str| ResultColumn { name: name.to_owned(), data_type: DataType::Other };
    let row = |at: usize| vec![Cell::Text(format!("row {at}")), Cell::Integer(5)];
    ResultSet {
        columns: vec![column("name"), column("number")],
        rows: (0..rows).map(row).collect(),
        ..ResultSet::default()
    }
}
