//! A question with its words marked by what they were tied to.

use leptos::prelude::*;
use wherefore_engine::clarification::Clarification;
use wherefore_engine::session::Understanding;

use crate::plain::marks::pieces;

/// The question's words, each with the class of its mark.
pub fn question_text(
    question: &str,
    understanding: &Understanding,
    clarifications: &[Clarification],
) -> impl IntoView + use<> {
    pieces(question, understanding, clarifications)
        .into_iter()
        .map(|(mark, text)| view! { <span class=mark.class()>{text.to_owned()}</span> })
        .collect::<Vec<_>>()
}
