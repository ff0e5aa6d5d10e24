//! Suggested questions, to start with or as follow-ups.

use leptos::prelude::*;

use crate::conversation::use_conversation;

/// Suggested questions as buttons: initial ones fill the composer, follow-ups are sent immediately.
#[component]
pub fn Suggestions(
    /// Label of the list.
    #[prop(into)]
    label: String,
    /// The questions.
    questions: Vec<String>,
    /// Whether a click sends the question instead of filling the composer.
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
                    conversation.follow(question.clone());
                } else {
                    conversation.edit(question.clone());
                }
            };
            view! {
                <li>
                    <button type="button" class=class lang="en" on:click=choose>{text}</button>
                </li>
            }
        })
        .collect();
    view! { <ul class="suggestions" aria-label=label>{items}</ul> }
}
