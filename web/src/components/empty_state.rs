//! Introduction before the first question.

use leptos::prelude::*;
use wherefore_engine::catalog::{Catalog, Table};

use super::suggestions::Suggestions;
use crate::conversation::use_conversation;
use crate::view_model::cell_text::grouped;

/// Maximum number of suggestions for an area.
const SUGGESTIONS_PER_AREA: usize = 3;
/// Maximum number of table names, shown if no area has suggestions.
const TABLE_NAMES: usize = 12;

/// A short introduction and suggested questions.
#[component]
pub fn EmptyState() -> impl IntoView {
    let conversation = use_conversation();
    conversation.engine.with_value(|engine| {
        let catalog = engine.catalog();
        let not_run = (!catalog.can_execute).then(|| {
            view! {
                <p class="note">
                    "This catalog has no database: questions are translated into SQL but not run."
                </p>
            }
        });
        view! {
            <section class="empty-state" aria-labelledby="empty-title">
                <h2 id="empty-title">"Ask your data a question"</h2>
                <p class="lead">
                    "Ask in plain words. While you type, you see how the question is understood. "
                    "If it is ambiguous, you are asked what you mean before anything runs."
                </p>
                {not_run}
                {starting_points(catalog)}
            </section>
        }
    })
}

/// Suggestions by area; table names if there are none.
fn starting_points(catalog: &Catalog) -> AnyView {
    let areas: Vec<_> = catalog
        .areas
        .iter()
        .filter(|area| !area.suggestions.is_empty())
        .map(|area| {
            let questions = area.suggestions.iter().take(SUGGESTIONS_PER_AREA).cloned().collect();
            let description = area.description.clone();
            view! {
                <section class="area">
                    <h3>{area.title.clone()}</h3>
                    {(!description.is_empty()).then(|| view! { <p class="muted">{description}</p> })}
                    <Suggestions
                        label=format!("Suggestions: {}", area.title)
                        questions
                        sends=false
                    />
                </section>
            }
        })
        .collect();
    if !areas.is_empty() {
        return view! { <div class="areas">{areas}</div> }.into_any();
    }
    let names: Vec<_> = catalog.tables.iter().map(Table::key).collect();
    let more = names.len().saturating_sub(TABLE_NAMES);
    let items: Vec<_> =
        names.into_iter().take(TABLE_NAMES).map(|name| view! { <li>{name}</li> }).collect();
    let rest = (more > 0)
        .then(|| view! { <li class="muted">{format!("and {} more", grouped(more))}</li> });
    view! {
        <h3>"Tables"</h3>
        <ul class="table-names">{items}{rest}</ul>
    }
    .into_any()
}
