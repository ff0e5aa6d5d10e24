//! Root component: shows the page and loads the engine and the catalog beside it.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::conversation_handle::{ConversationHandle, open};
use super::header::Header;
use super::live_regions::LiveRegions;
use super::page::Page;
use super::preview_panel::ReasonsAreOpen;
use super::side::Side;
use crate::browser;
use crate::conversation::Announcer;
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
    Ready(ConversationHandle),
}

impl Phase {
    /// What the page can do, once everything is loaded.
    pub const fn handle(&self) -> Option<ConversationHandle> {
        match self {
            Self::Ready(handle) => Some(*handle),
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
    let owner = Owner::current().unwrap_or_default();
    let load = move || {
        phase.set(Phase::Loading);
        let attempt = attempts.get_value();
        attempts.set_value(attempt + 1);
        // The conversation outlives what is rendered anew.
        let owner = owner.clone();
        spawn_local(async move {
            phase.set(match open(attempt, announcer, draft, owner).await {
                Ok(handle) => Phase::Ready(handle),
                Err(failure) => {
                    announcer.say(Announcement::failure(&failure.code, &failure.message()));
                    Phase::Failed(failure)
                }
            });
        });
    };
    load();

    let side = Side::default();
    let source = Signal::derive(move || {
        phase.with(Phase::handle).map_or_else(String::new, |handle| handle.source.get_value())
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
