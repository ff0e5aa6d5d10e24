//! A question and its result.

use std::sync::Arc;

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wherefore_engine::clarification::ClarificationAnswer;
use wherefore_engine::session::{AssumptionSource, FollowUp, Outcome};

use super::account_panel::AccountPanel;
use super::answer::Answer;
use super::assumptions::{AssumptionRow, Assumptions};
use super::clarification_form::ClarificationForm;
use super::english::around_english;
use super::follow_ups::FollowUps;
use super::problem_card::ProblemCard;
use super::question_text::question_text;
use super::sql_panel::SqlPanel;
use super::steps::{Steps, WritingSteps};
use crate::conversation::use_conversation;
use crate::engine_client::{Event, View};
use crate::texts;
use crate::turn::Turn;
use crate::view_model::words::{
    headline, is_confirmed, is_running, outcome_badge, understood_words,
};

/// A question with its clarifications, its answer and its timeline.
#[component]
pub fn TurnView(turn: Turn) -> impl IntoView {
    let conversation = use_conversation();
    let view = turn.view;
    let running = Memo::new(move |_| is_running(&view.read()));
    let headline = Memo::new(move |_| headline(&view.read()));
    let badge = Memo::new(move |_| outcome_badge(&view.read()));
    let question_id = format!("turn-{}-question", turn.id);
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() == "Escape" && running.get_untracked() {
            conversation.stop(turn);
        }
    };
    // The engine words the heading of an answer.
    let lang = move || view.with(|view| is_confirmed(view)).then_some("en");
    view! {
        <article
            class="turn"
            id=turn.element_id()
            aria-labelledby=question_id
            on:keydown=on_keydown
        >
            <h2 class="question" id=question_id.clone() dir="auto" lang="en">
                {move || {
                    let view = view.read();
                    question_text(&view.question, &view.understanding, &view.clarifications)
                }}
            </h2>
            <div class="outcome">
                <span class=move || badge.get().1>{move || badge.get().0}</span>
                <h3 class="headline" id=turn.heading_id() tabindex="-1" dir="auto" lang=lang>{headline}</h3>
                <Show when=move || running.get()>
                    <button type="button" class="button" on:click=move |_| conversation.stop(turn)>
                        {texts::stop()}
                    </button>
                </Show>
            </div>
            {move || view.read().follow_up.as_ref().map(|follow_up| view! {
                <p class="muted follow-up">{follow_up_view(follow_up)}</p>
            })}
            <WritingSteps turn/>
            <Chosen turn/>
            {move || open_questions(turn)}
            {move || ended(turn, &view.get())}
        </article>
    }
}

/// What a follow-up kept and changed.
fn follow_up_view(follow_up: &FollowUp) -> impl IntoView + use<> {
    let part = |said: fn(&str) -> String, parts: &[String]| {
        (!parts.is_empty()).then(|| around_english(said, &parts.join(", ")))
    };
    let is_both = !follow_up.kept.is_empty() && !follow_up.changed.is_empty();
    view! {
        {part(texts::kept, &follow_up.kept)}
        {is_both.then_some(" · ")}
        {part(texts::changed, &follow_up.changed)}
    }
}

/// Answers given so far, each with a button to change it.
#[component]
fn Chosen(turn: Turn) -> impl IntoView {
    let chosen = Memo::new(move |_| {
        let view = turn.view.read();
        let given = |source| source == AssumptionSource::User;
        view.assumptions.iter().filter(|assumed| given(assumed.source)).cloned().collect::<Vec<_>>()
    });
    move || {
        let rows: Vec<_> = chosen
            .get()
            .into_iter()
            .map(|assumption| view! { <AssumptionRow turn assumption/> })
            .collect();
        (!rows.is_empty())
            .then(|| view! { <ul class="chosen" aria-label=texts::chosen()>{rows}</ul> })
    }
}

/// Form of the pending clarifications.
fn open_questions(turn: Turn) -> Option<AnyView> {
    let conversation = use_conversation();
    let (clarifications, round) = {
        let view = turn.view.read();
        (view.clarifications.clone(), view.round)
    };
    if clarifications.is_empty() {
        return None;
    }
    let rounds = conversation.engine.with_value(|engine| engine.settings().rounds);
    let understood = clarifications.iter().find_map(|open| understood_words(&open.understood));
    let understood = understood.map(|said| {
        view! { <p class="understood">{texts::understood_so_far()}" "<span lang="en">{said}</span></p> }
    });
    let on_answers = Callback::new(move |answers: Vec<ClarificationAnswer>| {
        conversation.report(conversation.send(turn, Event::Answer { answers }));
    });
    let budget = (round > 0).then(|| {
        view! { <p class="muted">{texts::round_of(&round.to_string(), &rounds.to_string())}</p> }
    });
    let card = view! {
        <div class="card card-asks">
            {understood}
            <ClarificationForm turn clarifications place="ask".to_owned() on_answers/>
            {budget}
        </div>
    };
    Some(card.into_any())
}

/// The answer or the problem, once the session has ended.
fn ended(turn: Turn, view: &Arc<View>) -> Option<AnyView> {
    let waits = matches!(view.outcome, Some(Outcome::NeedsClarification));
    if waits || is_running(view) {
        return None;
    }
    let answer = (view.result.is_some() || !view.notes.is_empty())
        .then(|| view! { <Answer view=view.clone() fields=turn.fields/> });
    let problem =
        view.problem.clone().map(|problem| view! { <ProblemCard turn problem view=view.clone()/> });
    let explained = view.result.as_ref().map(|result| result.explained.clone());
    let sql = view.sql.clone().map(|sql| {
        let steps = explained.unwrap_or_default();
        view! { <SqlPanel sql steps fields=turn.fields/> }
    });
    let edit = {
        let conversation = use_conversation();
        let question = view.question.clone();
        view! {
            <div class="actions">
                <button
                    type="button"
                    class="button button-quiet"
                    on:click=move |_| conversation.edit(question.clone())
                >
                    {texts::edit_question()}
                </button>
            </div>
        }
    };
    let ended = view! {
        {answer}
        {problem}
        <Assumptions turn view=view.clone()/>
        {sql}
        <AccountPanel view=view.clone() fields=turn.fields/>
        <Steps turn view=view.clone()/>
        {edit}
        <FollowUps turn view=view.clone()/>
    };
    Some(ended.into_any())
}
