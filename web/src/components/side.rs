//! The side panel: a sidebar on wide pages, and in place of the thread on narrow ones.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::conversation_handle::ConversationHandle;

use crate::browser;
use crate::texts;
use crate::view_model::side::{SideTab, TABS};

/// Id of the side panel.
pub const SIDE: &str = "side";
/// Id of the button that opens it.
pub const SIDE_SWITCH: &str = "side-switch";

/// Local storage key of whether the panel is open.
const OPEN_KEY: &str = "wherefore-side";
/// Narrower pages show the panel in place of the thread; the same width as in `side.css`.
const NARROW_PX: f64 = 960.0;
/// From this width on, the panel is open on the first visit.
const WIDE_PX: f64 = 1200.0;

/// State of the side panel.
#[derive(Clone, Copy)]
pub struct Side {
    /// Whether it is open.
    pub is_open: RwSignal<bool>,
    /// The tab that is shown.
    pub tab: RwSignal<SideTab>,
}

impl Default for Side {
    /// Open or closed as on the last visit; always closed on narrow pages.
    fn default() -> Self {
        let width = browser::page_width();
        let is_open = match browser::stored(OPEN_KEY).as_deref() {
            _ if width < NARROW_PX => false,
            Some("open") => true,
            Some(_) => false,
            None => width >= WIDE_PX,
        };
        Self { is_open: RwSignal::new(is_open), tab: RwSignal::new(SideTab::History) }
    }
}

impl Side {
    /// Opens or closes the panel; an opened one has the focus.
    pub fn toggle(&self) {
        self.set(!self.is_open.get_untracked());
        if self.is_open.get_untracked() {
            browser::focus(self.tab.get_untracked().id().to_owned());
        }
    }

    /// Shows the thread again, if the panel took its place.
    pub fn leave(&self) {
        if browser::page_width() < NARROW_PX {
            self.is_open.set(false);
        }
    }

    fn set(&self, is_open: bool) {
        self.is_open.set(is_open);
        browser::tell_resized();
        if browser::page_width() >= NARROW_PX {
            browser::store(OPEN_KEY, if is_open { "open" } else { "closed" });
        }
    }
}

/// The panel with its tabs, which are empty until the conversation has begun.
#[component]
pub fn SidePanel(side: Side, handle: Signal<Option<ConversationHandle>>) -> impl IntoView {
    let tab = side.tab;
    // A page that becomes narrow shows the thread, not the panel in its place.
    let width = StoredValue::new(browser::page_width());
    let resized = window_event_listener(leptos::ev::resize, move |_| {
        if width.get_value() >= NARROW_PX {
            side.leave();
        }
        width.set_value(browser::page_width());
    });
    on_cleanup(move || resized.remove());
    let move_by_key = move |event: KeyboardEvent| {
        if let Some(to) = tab.get_untracked().by_key(&event.key()) {
            event.prevent_default();
            tab.set(to);
            browser::focus(to.id().to_owned());
        }
    };
    let close_on_escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" && browser::page_width() < NARROW_PX {
            side.leave();
            browser::focus(SIDE_SWITCH.to_owned());
        }
    };
    let tabs: Vec<_> = TABS
        .into_iter()
        .map(|own| {
            view! {
                <button
                    type="button"
                    role="tab"
                    class="side-tab"
                    id=own.id()
                    aria-selected=move || (tab.get() == own).to_string()
                    aria-controls="side-content"
                    tabindex=move || if tab.get() == own { "0" } else { "-1" }
                    on:click=move |_| tab.set(own)
                >
                    {own.label()}
                </button>
            }
        })
        .collect();
    let content = move || handle.get().map(|handle| handle.side.run(side));
    view! {
        <aside
            class="side"
            id=SIDE
            aria-label=texts::side_panel()
            class:absent=move || !side.is_open.get()
            on:keydown=close_on_escape
        >
            <div class="side-tabs" role="tablist" aria-label=texts::side_panel() on:keydown=move_by_key>
                {tabs}
            </div>
            <div
                class="side-content"
                id="side-content"
                role="tabpanel"
                tabindex="0"
                aria-labelledby=move || tab.get().id()
            >
                {content}
            </div>
        </aside>
    }
}
