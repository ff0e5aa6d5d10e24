//! Root component: shows the page and loads the engine and the catalog beside it.

use futures_util::future::join;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wherefore_engine::memory::Memory;

use super::header::Header;
use super::live_regions::LiveRegions;
use super::page::Page;
use super::preview_panel::ReasonsAreOpen;
use super::settings_panel::stored_preferences;
use super::side::Side;
use crate::api;
use crate::browser;
use crate::catching_up::catch_up;
use crate::conversation::{Announcer, Conversation, Known};
use crate::engine_client::{Engine, Module};
use crate::texts;
use crate::view_model::problem::ApiFailure;
use crate::view_model::words::{Announcement, Said};

/// Loading state of the page.
#[derive(Clone)]
pub enum Phase {
    /// The engine or the catalog did not load.
    Failed(ApiFailure),
    /// The engine and the catalog are being loaded.
    Loading,
    /// Questions can be asked.
    Ready(Conversation),
}

impl Phase {
    /// The conversation, once it has begun.
    pub const fn conversation(&self) -> Option<Conversation> {
        match self {
            Self::Ready(conversation) => Some(*conversation),
            _ => None,
        }
    }
}

/// Counts changes of the language, after which all texts are made anew.
#[derive(Clone, Copy)]
pub struct LanguageChoice(RwSignal<u32>);

impl LanguageChoice {
    /// Shows the page in another language; the selector keeps the focus.
    pub fn choose(self, tag: &str) {
        browser::choose_language(tag);
        browser::keep_place_of_thread();
        self.0.update(|count| *count += 1);
        browser::focus(LANGUAGE.to_owned());
    }
}

/// Id of the selector of the language.
pub const LANGUAGE: &str = "setting-language";

/// Root component.
#[component]
pub fn App() -> impl IntoView {
    let announcer =
        Announcer { status: RwSignal::new(Said::default()), alert: RwSignal::new(Said::default()) };
    let draft = RwSignal::new(String::new());
    let phase = RwSignal::new(Phase::Loading);
    let attempts = StoredValue::new(0);
    let load = move || {
        phase.set(Phase::Loading);
        let attempt = attempts.get_value();
        attempts.set_value(attempt + 1);
        spawn_local(async move {
            phase.set(match loaded(attempt).await {
                Ok((engine, known)) => {
                    let conversation = Conversation::new(engine, announcer, draft, known);
                    conversation.prefer(stored_preferences());
                    spawn_local(catch_up(conversation));
                    Phase::Ready(conversation)
                }
                Err(failure) => {
                    announcer.say(Announcement::failure(&failure.code, &failure.message));
                    Phase::Failed(failure)
                }
            });
        });
    };
    load();

    let side = Side::default();
    let source = Signal::derive(move || {
        phase.with(Phase::conversation).map_or_else(String::new, |conversation| {
            conversation.engine.with_value(|engine| engine.catalog().name.clone())
        })
    });
    let on_load = Callback::new(move |()| load());
    // Texts are made anew in another language; what is typed and the conversation lie outside.
    let language = LanguageChoice(RwSignal::new(0));
    provide_context(language);
    provide_context(ReasonsAreOpen(RwSignal::new(false)));
    let page = move || {
        language.0.track();
        view! {
            <Header source side/>
            <Page phase draft announcer side on_load/>
        }
    };
    view! {
        <LiveRegions announcer/>
        {page}
    }
}

/// The engine on its catalog, and what is known of the user and of others; all are requested side by side.
async fn loaded(attempt: u32) -> Result<(Engine, Known), ApiFailure> {
    let known = async {
        // Without what others chose, they recommend nothing.
        let ((person, memory), chosen) = join(remembered(), api::choices()).await;
        let knowledge = api::catalog(&person).await?;
        Ok::<_, ApiFailure>((knowledge, Known { person, memory, chosen: chosen.ok() }))
    };
    let (known, module) = join(known, Module::load(attempt)).await;
    // Where the server does not respond, that is the better explanation.
    let (knowledge, known) = known?;
    let engine = Engine::new(module?, &knowledge)
        .map_err(|refusal| ApiFailure::unreadable(texts::what_catalog(), &refusal.message))?;
    Ok((engine, known))
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
