//! Assumptions of an answer.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::AssumptionSource;

use super::clarification_form::ClarificationForm;
use super::clarification_marks::ClarificationMarks;
use super::panel::Panel;
use crate::browser;
use crate::conversation::use_conversation;
use crate::engine_client::{Assumption, Event, View};
use crate::fields::Part;
use crate::texts;
use crate::turn::Turn;
use crate::view_model::draft::Choice;
use crate::view_model::words::source_name;

/// Assumptions made without asking; expanded if the interpretation is not certain.
#[component]
pub fn Assumptions(turn: Turn, view: Arc<View>) -> impl IntoView {
    let conversation = use_conversation();
    let unasked: Vec<_> =
        view.assumptions.iter().filter(|made| made.source != AssumptionSource::User).collect();
    if unasked.is_empty() {
        return None;
    }
    let overall = view.understanding.confidence.overall;
    let is_open = conversation.engine.with_value(|engine| {
        let settings = engine.settings();
        (settings.ask_below..=settings.run_above).contains(&overall)
    });
    let count = texts::assumptions(unasked.len());
    let rows: Vec<_> = unasked
        .into_iter()
        .map(|assumption| view! { <AssumptionRow turn assumption=assumption.clone()/> })
        .collect();
    Some(view! {
        <Panel fields=turn.fields part=Part::Assumptions opens=is_open summary=count.into_any()>
            <ul class="panel-body assumptions">{rows}</ul>
        </Panel>
    })
}

/// A phrase of the question, its interpretation, and a button to change it.
#[component]
pub fn AssumptionRow(turn: Turn, assumption: Assumption) -> impl IntoView {
    let conversation = use_conversation();
    let id = StoredValue::new(assumption.id.clone());
    let changing = Memo::new(move |_| id.with_value(|id| turn.fields.is_changing(id)));
    let change = move |begins| id.with_value(|id| turn.fields.change(id, begins));
    let place = format!("change-{}", assumption.id);
    let button_id = format!("turn-{}-{place}", turn.id);
    let legend_id = turn.legend_id(&place, 0);
    let begin = move |_| {
        change(true);
        browser::focus(legend_id.clone());
    };
    let label = texts::change_meaning(&assumption.phrase, &assumption.meaning);
    let phrase = assumption.phrase.clone();
    let meaning = assumption.meaning.clone();
    let source = match &assumption.from_memory {
        Some(memory) => {
            let reason = memory.reason.clone();
            view! { {texts::from_memory()}", "<span lang="en">{reason}</span> }.into_any()
        }
        None => source_name(assumption.source).into_any(),
    };
    let forgotten = RwSignal::new(false);
    let pattern_id =
        StoredValue::new(assumption.from_memory.as_ref().map(|memory| memory.pattern_id.clone()));
    let forget = move |_| {
        if let Some(id) = pattern_id.get_value() {
            conversation.forget(&id);
            forgotten.set(true);
        }
    };
    let forget_label = texts::forget_meaning(&assumption.phrase, &assumption.meaning);
    let forget = pattern_id.get_value().is_some().then(|| {
        view! {
            <button
                type="button"
                class="button button-quiet"
                aria-label=forget_label
                prop:disabled=forgotten
                on:click=forget
            >
                {move || if forgotten.get() { texts::forgotten() } else { texts::forget() }}
            </button>
        }
    });

    let marks = turn.was_asked(&assumption.id).then(|| {
        let (id, phrase) = (assumption.id.clone(), assumption.phrase.clone());
        view! { <ClarificationMarks turn id phrase/> }
    });

    let changed_id = assumption.id.clone();
    let on_answers = Callback::new(move |answers: Vec<ClarificationAnswer>| {
        change(false);
        for given in answers {
            let answer = ClarificationAnswer { clarification_id: changed_id.clone(), ..given };
            conversation.report(conversation.send(turn, Event::Change { answer }));
        }
    });
    let cancel_to = button_id.clone();
    let on_cancel = Callback::new(move |()| {
        change(false);
        browser::focus(cancel_to.clone());
    });
    let chosen = assumption.chosen.map(|option| Choice::Option(option.id));
    let clarification = assumption.clarification;
    view! {
        <li class="assumption">
            <p class="assumption-line">
                <span>
                    <b lang="en">{phrase}</b>
                    <span aria-hidden="true">" → "</span>
                    <span class="visually-hidden">{format!(" {} ", texts::means())}</span>
                    <bdi lang="en">{meaning}</bdi>
                    <span class="muted">" · "{source}</span>
                </span>
                <button
                    type="button"
                    id=button_id
                    class="button button-quiet"
                    aria-label=label
                    aria-expanded=move || changing.get().to_string()
                    on:click=begin
                >
                    {texts::change()}
                </button>
                {forget}
                {marks}
            </p>
            {move || changing.get().then(|| view! {
                <div class="card card-asks">
                    <ClarificationForm
                        turn
                        clarifications=vec![clarification.clone()]
                        place=place.clone()
                        chosen=chosen.clone()
                        on_answers
                        on_cancel=Some(on_cancel)
                    />
                </div>
            })}
        </li>
    }
}
