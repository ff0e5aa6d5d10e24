//! Introduction before the first question.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wherefore_engine::catalog::{Catalog, Table, TableKind};

use super::suggestions::Suggestions;
use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::cell_text::grouped;
use crate::view_model::starters::candidates;

/// Maximum number of suggestions for an area.
const SUGGESTIONS_PER_AREA: usize = 3;
/// Maximum number of table names, shown if no area has suggestions.
const TABLE_NAMES: usize = 12;
/// Number of questions that are suggested if no area has suggestions.
const STARTERS: usize = 5;
/// Maximum number of questions that are read for that.
const READ: usize = 15;

/// A short introduction and suggested questions.
#[component]
pub fn EmptyState() -> impl IntoView {
    let conversation = use_conversation();
    conversation.engine.with_value(|engine| {
        let catalog = engine.catalog();
        let not_run = (!catalog.can_execute).then(|| {
            view! {
                <p class="note">
                    {texts::not_run_notice()}
                </p>
            }
        });
        view! {
            <section class="empty-state" aria-labelledby="empty-title">
                <h2 id="empty-title">{texts::empty_title()}</h2>
                <p class="lead">
                    {texts::empty_lead()}
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
                    <h3 translate="no">{area.title.clone()}</h3>
                    {(!description.is_empty()).then(|| view! { <p class="muted" translate="no">{description}</p> })}
                    <Suggestions
                        label=texts::suggestions_of(&area.title)
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
    let stored = |table: &&Table| table.kind == TableKind::Table;
    let names: Vec<_> = catalog.tables.iter().filter(stored).map(Table::key).collect();
    let more = names.len().saturating_sub(TABLE_NAMES);
    let items: Vec<_> = names
        .into_iter()
        .take(TABLE_NAMES)
        .map(|name| view! { <li translate="no">{name}</li> })
        .collect();
    let rest =
        (more > 0).then(|| view! { <li class="muted">{texts::and_more(&grouped(more))}</li> });
    view! {
        <Starters questions=candidates(catalog)/>
        <h3>{texts::tables()}</h3>
        <ul class="table-names">{items}{rest}</ul>
    }
    .into_any()
}

/// The first questions that can be answered as they are; each is read in a task of its own, so that typing is not held up.
#[component]
fn Starters(questions: Vec<String>) -> impl IntoView {
    let conversation = use_conversation();
    let found = RwSignal::new(Vec::new());
    spawn_local(async move {
        let mut answerable = Vec::new();
        for question in questions.into_iter().take(READ) {
            TimeoutFuture::new(0).await;
            if found.is_disposed() || answerable.len() == STARTERS {
                break;
            }
            if conversation.is_answerable(&question) {
                answerable.push(question);
            }
        }
        found.try_set(answerable);
    });
    move || {
        let questions = found.get();
        (!questions.is_empty()).then(|| {
            view! {
                <h3>{texts::questions_to_begin_with()}</h3>
                <Suggestions label=texts::suggestions() questions sends=false/>
            }
        })
    }
}
