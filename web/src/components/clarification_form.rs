//! A form of one or more clarifications that are answered together.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use wherefore_engine::clarification::{Answer, ClarificationAnswer};

use super::clarification_card::ClarificationCard;
use crate::browser;
use crate::engine_client::Clarification;
use crate::texts;
use crate::turn::Turn;
use crate::view_model::draft::{Choice, Draft};

/// Open clarifications with one submit button.
#[component]
pub fn ClarificationForm(
    turn: Turn,
    clarifications: Vec<Clarification>,
    /// Prefix of the ids, since a turn may contain several forms.
    place: String,
    /// Preselected choice when an answer is changed.
    #[prop(optional_no_strip)]
    chosen: Option<Choice>,
    on_answers: Callback<Vec<ClarificationAnswer>>,
    /// Cancels the change of an answer.
    #[prop(optional_no_strip)]
    on_cancel: Option<Callback<()>>,
) -> impl IntoView {
    let cards: Vec<Card> = clarifications
        .into_iter()
        .enumerate()
        .map(|(index, clarification)| Card {
            legend_id: turn.legend_id(&place, index),
            draft: turn.fields.draft(
                format!("{place}-{}", clarification.id),
                Draft { choice: chosen.clone(), ..Draft::default() },
            ),
            clarification,
        })
        .collect();
    let is_lone = cards.len() == 1;
    let stored = StoredValue::new(cards.clone());

    let send = Callback::new(move |()| {
        if let Some(answers) = stored.with_value(|cards| answers_of(cards)) {
            turn.remember.set_value(stored.with_value(|cards| remembered(cards)));
            on_answers.run(answers);
        }
    });
    let guess_all = move |_| {
        let answers = stored.with_value(|cards| {
            cards.iter().map(|card| card.answered(Answer::BestGuess)).collect()
        });
        on_answers.run(answers);
    };
    let guess = (!is_lone).then(|| {
        view! {
            <button type="button" class="button" on:click=guess_all>{texts::choose_all_for_me()}</button>
        }
    });
    let cancel = on_cancel.map(|cancel| {
        view! {
            <button type="button" class="button" on:click=move |_| cancel.run(())>{texts::keep_as_it_is()}</button>
        }
    });
    let fields: Vec<_> = cards
        .into_iter()
        .map(|card| {
            view! {
                <ClarificationCard
                    clarification=card.clarification
                    draft=card.draft
                    legend_id=card.legend_id
                    on_pick=is_lone.then_some(send)
                />
            }
        })
        .collect();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        send.run(());
    };
    view! {
        <form class="clarifications" novalidate on:submit=submit>
            {fields}
            <div class="actions">
                <button type="submit" class="button button-primary">{texts::go_on()}</button>
                {guess}
                {cancel}
            </div>
        </form>
    }
}

/// A clarification with the state of its fields.
#[derive(Clone)]
struct Card {
    clarification: Clarification,
    draft: RwSignal<Draft>,
    legend_id: String,
}

impl Card {
    fn answered(&self, answer: Answer) -> ClarificationAnswer {
        ClarificationAnswer { clarification_id: self.clarification.id.clone(), answer }
    }
}

/// Ids of the clarifications whose answers are to be remembered.
fn remembered(cards: &[Card]) -> Vec<String> {
    let wanted = cards.iter().filter(|card| card.draft.with_untracked(|draft| draft.remember));
    wanted.map(|card| card.clarification.id.clone()).collect()
}

/// All answers; `None` if one is missing: then each card shows its message, and the first such card gets the focus.
fn answers_of(cards: &[Card]) -> Option<Vec<ClarificationAnswer>> {
    let mut answers = Vec::new();
    let mut first_incomplete = None;
    for card in cards {
        let given = card.draft.with_untracked(|draft| draft.answer(&card.clarification));
        if let Ok(answer) = given {
            answers.push(card.answered(answer));
        } else {
            card.draft.write().was_sent = true;
            first_incomplete.get_or_insert(&card.legend_id);
        }
    }
    match first_incomplete {
        Some(legend_id) => {
            browser::focus(legend_id.clone());
            None
        }
        None => Some(answers),
    }
}
