//! Content of the side panel.

use leptos::prelude::*;

use super::history::History;
use super::memory_panel::MemoryPanel;
use super::schema_panel::SchemaPanel;
use super::settings_panel::SettingsPanel;
use super::side::Side;
use crate::view_model::side::SideTab;

/// Content of the chosen tab.
#[component]
pub fn SideTabView(side: Side) -> impl IntoView {
    move || match side.tab.get() {
        SideTab::History => view! { <History side/> }.into_any(),
        SideTab::Data => view! { <SchemaPanel side/> }.into_any(),
        SideTab::Memory => view! { <MemoryPanel/> }.into_any(),
        SideTab::Settings => view! { <SettingsPanel/> }.into_any(),
    }
}
