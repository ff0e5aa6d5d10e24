//! Questions to begin with, or to go on with.

use leptos::prelude::*;

use crate::conversation::use_conversation;

/// Questions as buttons: those that begin fill the composer, those that follow are sent.
#[component]
pub fn Suggestions(
    /// Name of the list.
    #[prop(into)]
    label: String,
    /// The questions.
    questions: Vec<String>,
    /// Whether a click sends the question, or only fills the composer.
    sends: bool,
) -> impl IntoView {
    let conversation = use_conversation();
    let class = if sends { "suggestion suggestion-follow" } else { "suggestion" };
    let items: Vec<_> = questions
        .into_iter()
        .map(|question| {
            let text = question.clone();
            let choose = move |_| {
                if sends {
                    conversation.report(conversation.ask(question.clone()));
                } else {
                    conversation.edit(question.clone());
                }
            };
            view! {
                <li>
                    <button type="button" class=class on:click=choose>{text}</button>
                </li>
            }
        })
        .collect();
    view! { <ul class="suggestions" aria-label=label>{items}</ul> }
}
