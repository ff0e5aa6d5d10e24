//! A question with its linked words highlighted.

use leptos::prelude::*;

use crate::engine_client::{Clarification, Understanding};
use crate::view_model::marks::pieces;

/// Spans of the question, each with the CSS class of its highlight.
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
