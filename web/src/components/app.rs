//! Root component: loads the engine and the catalog, then shows the conversation.

use futures_util::future::join;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wherefore_engine::memory::Memory;

use super::header::Header;
use super::live_regions::LiveRegions;
use super::load_failure::LoadFailure;
use super::page::Page;
use super::settings_panel::stored_preferences;
use super::side::Side;
use crate::api;
use crate::browser;
use crate::conversation::{Announcer, Conversation};
use crate::engine_client::{Engine, Module};
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
    let attempts = StoredValue::new(0);
    let load = move || {
        phase.set(Phase::Loading);
        let attempt = attempts.get_value();
        attempts.set_value(attempt + 1);
        spawn_local(async move {
            phase.set(match loaded(attempt).await {
                Ok((engine, person, memory)) => {
                    let conversation = Conversation::new(engine, announcer, person, memory);
                    conversation.prefer(stored_preferences());
                    Phase::Ready(conversation)
                }
                Err(failure) => {
                    announcer.say(Announcement::Alert(sentence(&failure.message)));
                    Phase::Failed(failure)
                }
            });
        });
    };
    load();

    let side = Side::default();
    let source = Signal::derive(move || {
        phase.with(|phase| match phase {
            Phase::Ready(conversation) => {
                conversation.engine.with_value(|engine| engine.catalog().name.clone())
            }
            _ => String::new(),
        })
    });
    view! {
        <Header source side/>
        <LiveRegions announcer/>
        {move || match phase.get() {
            Phase::Failed(failure) => {
                view! { <LoadFailure failure on_retry=Callback::new(move |()| load())/> }.into_any()
            }
            Phase::Loading => {
                view! { <main class="loading"><p>"Loading…"</p></main> }.into_any()
            }
            Phase::Ready(conversation) => view! { <Page conversation side/> }.into_any(),
        }}
    }
}

/// The engine on its catalog, and the user with their memory; all are requested side by side.
async fn loaded(attempt: u32) -> Result<(Engine, String, Memory), ApiFailure> {
    let known = async {
        let (person, memory) = remembered().await;
        let knowledge = api::catalog(&person).await?;
        Ok::<_, ApiFailure>((knowledge, person, memory))
    };
    let (known, module) = join(known, Module::load(attempt)).await;
    // Where the server does not respond, that is the better explanation.
    let (knowledge, person, memory) = known?;
    let engine = Engine::new(module?, &knowledge)
        .map_err(|refusal| ApiFailure::unreadable("the catalog", &refusal.message))?;
    Ok((engine, person, memory))
}

/// Name of the user in requests, and their memory. The proxy knows a signed-in user as `me`.
///
/// Without the memory, clarifications answered in earlier visits are asked again.
async fn remembered() -> (String, Memory) {
    let person = browser::person();
    match api::memory(&person).await {
        Ok(memory) => (person, memory),
        Err(failure) if failure.code == "other_person" => {
            ("me".to_owned(), api::memory("me").await.unwrap_or_default())
        }
        Err(_) => (person, Memory::default()),
    }
}
