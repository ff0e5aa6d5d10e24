//! What the page can do once the engine and the catalog are loaded.
//!
//! The page calls it by pointers only, so that none of this code is needed for the first paint. In releases it is a part of
//! the page's module that is loaded behind the first paint.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::join;
use leptos::context::Provider;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wherefore_engine::memory::Memory;
use wherefore_engine::session::Completion;

use super::settings_panel::stored_preferences;
use super::side::Side;
use super::side_tab::SideTabView;
use super::turns::Turns;
use crate::api;
use crate::browser;
use crate::catching_up::catch_up;
use crate::conversation::{Announcer, Conversation, Known};
use crate::engine_client::{Engine, Module, Preview, Refusal};
use crate::texts;
use crate::view_model::problem::ApiFailure;

/// The conversation, as the shell of the page uses it; a cheap handle.
#[derive(Clone, Copy)]
pub struct ConversationHandle {
    /// Asks a question in a new turn; a rejected question adds no turn.
    pub ask: Callback<String, Result<(), Refusal>>,
    /// Continuations of a text at a byte of it, the likeliest first.
    pub completions: Callback<(String, usize), Vec<Completion>>,
    /// The interpretation of a text while it is typed; empty for one that cannot be read.
    pub preview: Callback<String, Arc<Preview>>,
    /// Maximum length of a question.
    pub question_bytes: usize,
    /// Content of the side panel's chosen tab.
    pub side: Callback<Side, AnyView>,
    /// Name of the database.
    pub source: StoredValue<String>,
    /// View of all turns, or of the introduction before the first one.
    pub turns: Callback<(), AnyView>,
}

/// Loads the engine and the catalog; `attempt` counts the attempts of the page, from 0 on. What is made lives as long as
/// the owner.
pub async fn open(
    attempt: u32,
    announcer: Announcer,
    draft: RwSignal<String>,
    owner: Owner,
) -> Result<ConversationHandle, ApiFailure> {
    let opening = begin(attempt, announcer, draft, owner);
    #[cfg(feature = "split")]
    let opening = opening.await;
    opening?.await
}

/// A handle while the engine and the catalog are loaded.
type Opening = Pin<Box<dyn Future<Output = Result<ConversationHandle, ApiFailure>>>>;

/// Begins to load. Where the module is divided, all code that only this function needs is in the other part.
#[cfg_attr(
    feature = "split",
    leptos::wasm_split::wasm_split(handle, wasm_split_path = ::leptos::wasm_split, fallible)
)]
#[allow(
    clippy::unnecessary_wraps,
    reason = "a part that does not load is the failure of this call"
)]
fn begin(
    attempt: u32,
    announcer: Announcer,
    draft: RwSignal<String>,
    owner: Owner,
) -> Result<Opening, ApiFailure> {
    Ok(Box::pin(async move {
        let (engine, known) = loaded(attempt).await?;
        Ok(owner.with(|| {
            let conversation = Conversation::new(engine, announcer, draft, known);
            conversation.prefer(stored_preferences());
            spawn_local(catch_up(conversation));
            handle(conversation)
        }))
    }))
}

#[cfg(feature = "split")]
impl From<leptos::wasm_split::SplitLoaderError> for ApiFailure {
    fn from(error: leptos::wasm_split::SplitLoaderError) -> Self {
        Self::no_engine(&error.to_string())
    }
}

fn handle(conversation: Conversation) -> ConversationHandle {
    let (question_bytes, name) = conversation.engine.with_value(|engine| {
        (engine.settings().question_bytes as usize, engine.catalog().name.clone())
    });
    ConversationHandle {
        ask: Callback::new(move |text| conversation.ask(text)),
        completions: Callback::new(move |(text, cursor): (String, usize)| {
            let (today, context) = (browser::today(), conversation.context());
            let found = conversation
                .engine
                .with_value(|engine| engine.completions(&text, cursor, &today, context.as_ref()));
            // A text for which the engine refuses continuations has none.
            found.unwrap_or_default()
        }),
        preview: Callback::new(move |text: String| {
            let (today, context) = (browser::today(), conversation.context());
            let read = conversation
                .engine
                .with_value(|engine| engine.preview(&text, &today, context.as_ref()));
            // A text that cannot be read shows no preview; asking it says why.
            Arc::new(read.unwrap_or_default())
        }),
        question_bytes,
        side: Callback::new(move |side| {
            view! { <Provider value=conversation><SideTabView side/></Provider> }.into_any()
        }),
        source: StoredValue::new(name),
        turns: Callback::new(move |()| {
            view! { <Provider value=conversation><Turns/></Provider> }.into_any()
        }),
    }
}

/// The engine with its catalog, and the choices of the user and of others; the requests run concurrently.
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
        .map_err(|refusal| ApiFailure::unreadable(texts::what_catalog, &refusal.message))?;
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
