//! Answers to clarifications, and their effect on the statement.

use wherefore_engine::clarification::{Answer, ClarificationAnswer, CustomInput, OptionBinding};
use wherefore_engine::intent::DateRange;
use wherefore_engine::session::{Event, State, View};
use wherefore_engine::{Engine, Session};

use super::TODAY;
use super::bindings::{Piece, pieces};

/// Gives each possible answer to a clarification, and checks that the resulting statement reflects it.
pub(crate) fn answers_are_kept(engine: &Engine, text: &str) {
    let mut session = Session::new();
    if session.step(engine, asked(text)).is_err() {
        return;
    }
    for (answer, pieces) in possible_answers(session.view()) {
        let view = answered(engine, text, &answer);
        if let Some(sql) = view.and_then(|view| view.sql) {
            for piece in pieces {
                assert!(
                    piece.stands_in(&sql, engine.catalog()),
                    "{text}: {answer:?}: {piece:?} is lost in\n{sql}"
                );
            }
        }
    }
}

/// The last view after one answer, with best guesses for everything else; `None` if the session does not accept the
/// answer.
fn answered(engine: &Engine, text: &str, chosen: &ClarificationAnswer) -> Option<View> {
    let mut session = Session::new();
    session.step(engine, asked(text)).expect("the question was taken before");
    while session.view().state == State::AwaitingClarification {
        let answers = session
            .view()
            .clarifications
            .iter()
            .map(|open| {
                let guess = ClarificationAnswer {
                    clarification_id: open.id.clone(),
                    answer: Answer::BestGuess,
                };
                if open.id == chosen.clarification_id { chosen.clone() } else { guess }
            })
            .collect();
        // A clarification without options cannot be answered.
        if session.step(engine, Event::Answer { answers }).is_err() {
            return None;
        }
    }
    Some(session.view().clone())
}

/// Every answer to the first clarifications, with what the statement must contain.
fn possible_answers(view: &View) -> Vec<(ClarificationAnswer, Vec<Piece>)> {
    let mut answers = Vec::new();
    for open in &view.clarifications {
        let answer = |answer| ClarificationAnswer { clarification_id: open.id.clone(), answer };
        for option in &open.options {
            let option_id = option.id.clone();
            answers.push((answer(Answer::Option { option_id }), pieces(&option.binding)));
        }
        let entered = match &open.custom {
            Some(CustomInput::DateRange { column }) => {
                let day = |day: &str| Some(day.to_owned());
                let (start, end) = (day("2024-02-03"), day("2025-06-30"));
                let range = DateRange { start: start.clone(), end: day("2025-07-01") };
                let binding = OptionBinding::TimeRange { column: column.clone(), range };
                Some((Answer::DateRange { start, end }, pieces(&binding)))
            }
            Some(CustomInput::Number { column, .. }) => {
                let piece = Piece::Text("4711.5".to_owned());
                let column = Piece::Column(column.clone());
                Some((Answer::Number { value: 4711.5 }, vec![piece, column]))
            }
            Some(CustomInput::Text { .. }) | None => None,
        };
        answers.extend(entered.map(|(given, pieces)| (answer(given), pieces)));
    }
    answers
}

fn asked(text: &str) -> Event {
    Event::Ask { text: text.to_owned(), today: TODAY.to_owned(), skip_clarification: false }
}
