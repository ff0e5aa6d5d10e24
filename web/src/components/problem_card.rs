//! Error card of a question without an answer.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::{Outcome, ProblemView};

use super::preview_panel::mention_chip;
use crate::conversation::use_conversation;
use crate::engine_client::{Event, View};
use crate::texts;
use crate::turn::Turn;
use crate::view_model::problem::{hint_of, lang_of};
use crate::view_model::words::{awaits_consent, sentence, stage_name};

/// The problem, the stage at which it occurred, what was understood, and possible next steps.
#[component]
pub fn ProblemCard(turn: Turn, problem: ProblemView, view: Arc<View>) -> impl IntoView {
    let conversation = use_conversation();
    let class = match view.outcome {
        Some(Outcome::OutOfScope) => "card card-outside",
        Some(Outcome::GenerationFailed) => "card card-unwritten",
        _ => "card card-failed",
    };
    let words = problem.span.map(|span| span.of(&view.question).to_owned());
    // Most messages quote the words.
    let words =
        words.filter(|words| !words.is_empty() && !problem.message.contains(words.as_str()));
    let words = words.map(|words| {
        view! { <p>{texts::about()}" " <b dir="auto" lang="en">{words}</b></p> }
    });
    let awaits_consent = awaits_consent(&view);
    let lang = lang_of(&problem.code);
    let hint = (!problem.hint.is_empty() && !awaits_consent).then(|| match hint_of(&problem) {
        Some(own) => view! { <p>{own}</p> }.into_any(),
        None => view! { <p lang="en">{sentence(&problem.hint)}</p> }.into_any(),
    });
    let own = turn.failure.with_value(|failure| failure.as_ref()?.own_message(&problem.code));
    let message = own.as_ref().unwrap_or(&problem.message);
    let mentions: Vec<_> = view.understanding.mentions.iter().map(mention_chip).collect();
    let understood = (!mentions.is_empty()).then(|| {
        view! {
            <p class="muted">{texts::understood_so_far()}</p>
            <ul class="chips">{mentions}</ul>
        }
    });
    let retry = (problem.retryable || view.outcome == Some(Outcome::ExecutionFailed)).then(|| {
        let again = move |_| {
            conversation.report(if awaits_consent {
                conversation.run_anyway(turn)
            } else {
                conversation.send(turn, Event::Retry)
            });
        };
        let label = if awaits_consent { texts::run_anyway() } else { texts::retry() };
        view! { <button type="button" class="button button-primary" on:click=again>{label}</button> }
    });
    view! {
        <div class=class>
            <p class="problem-message" lang=lang>{sentence(message)}</p>
            {words}
            {hint}
            {understood}
            <p class="code">{stage_name(problem.stage)}" · "<code translate="no">{problem.code}</code></p>
            {retry.map(|retry| view! { <div class="actions">{retry}</div> })}
        </div>
    }
}
