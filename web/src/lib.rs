//! The chat page: a conversation with the engine, which runs in the browser.
//!
//! `engine_client` loads the engine's Wasm module and calls it. `conversation` holds the sessions and sends them events,
//! `driver` and `api` do all other I/O, `components` render views, and `view_model` contains their logic that needs no
//! browser.

pub mod api;
pub mod browser;
pub mod catching_up;
pub mod components;
pub mod conversation;
pub mod driver;
pub mod engine_client;
pub mod fields;
pub mod intl;
pub mod reports;
pub mod suggesting;
pub mod texts;
pub mod turn;
pub mod view_model;

/// Mounts the page in the document's body.
pub fn start() {
    console_error_panic_hook::set_once();
    browser::apply_language();
    leptos::mount::mount_to_body(components::App);
}
