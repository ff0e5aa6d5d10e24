//! Root component: loads the catalog, then shows the conversation.

use leptos::prelude::*;
use leptos::task::spawn_local;
use wherefore_engine::Engine;

use super::header::Header;
use super::live_regions::LiveRegions;
use super::load_failure::LoadFailure;
use super::page::Page;
use crate::api;
use crate::browser;
use crate::conversation::{Announcer, Conversation};
use crate::view_model::problem::ApiFailure;
use crate::view_model::words::{Announcement, sentence};

/// Loading state of the page.
#[derive(Clone)]
enum Phase {
    Failed(ApiFailure),
    Loading,
    Ready(Conversation),
}

/// Root component.
#[component]
pub fn App() -> impl IntoView {
    let announcer =
        Announcer { status: RwSignal::new(String::new()), alert: RwSignal::new(String::new()) };
    let phase = RwSignal::new(Phase::Loading);
    let load = move || {
        phase.set(Phase::Loading);
        spawn_local(async move {
            phase.set(match api::catalog().await {
                Ok(knowledge) => {
                    let person = browser::person();
                    // Optional: without it, clarifications answered in earlier visits are asked again.
                    let memory = api::memory(&person).await.unwrap_or_default();
                    let engine = Engine::new(knowledge);
                    Phase::Ready(Conversation::new(engine, announcer, person, memory))
                }
                Err(failure) => {
                    announcer.say(Announcement::Alert(sentence(&failure.message)));
                    Phase::Failed(failure)
                }
            });
        });
    };
    load();

    let source = Signal::derive(move || {
        phase.with(|phase| match phase {
            Phase::Ready(conversation) => {
                conversation.engine.with_value(|engine| engine.catalog().name.clone())
            }
            _ => String::new(),
        })
    });
    view! {
        <Header source/>
        <LiveRegions announcer/>
        {move || match phase.get() {
            Phase::Failed(failure) => {
                view! { <LoadFailure failure on_retry=Callback::new(move |()| load())/> }.into_any()
            }
            Phase::Loading => {
                view! { <main class="loading"><p>"Loading the catalog…"</p></main> }.into_any()
            }
            Phase::Ready(conversation) => view! { <Page conversation/> }.into_any(),
        }}
    }
}
