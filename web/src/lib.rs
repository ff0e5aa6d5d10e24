//! The chat page: a conversation with the engine, which runs in the page itself.
//!
//! `plain` holds what needs no browser, `driver` and `api` are the only I/O, `conversation` gives
//! events to sessions, and `components` show their views.

pub mod api;
pub mod browser;
pub mod components;
pub mod conversation;
pub mod driver;
pub mod plain;

/// Puts the page into the document's body.
pub fn start() {
    console_error_panic_hook::set_once();
    leptos::mount::mount_to_body(components::App);
}
