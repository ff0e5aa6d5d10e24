//! The side panel, and the thread of turns with the composer below it.

use leptos::prelude::*;

use super::app::Phase;
use super::composer::Composer;
use super::load_failure::LoadFailure;
use super::side::{Side, SidePanel};
use crate::conversation::Announcer;
use crate::texts;

/// The side panel, and the thread of turns with the composer below it.
///
/// The composer is the same element in all phases, so that its text, cursor and focus stay.
#[component]
pub fn Page(
    /// Loading state of the page.
    phase: RwSignal<Phase>,
    /// Content of the composer.
    draft: RwSignal<String>,
    /// Live regions.
    announcer: Announcer,
    /// The side panel.
    side: Side,
    /// Loads the engine and the catalog again.
    on_load: Callback<()>,
) -> impl IntoView {
    let handle = Signal::derive(move || phase.with(Phase::handle));
    let is_loading = move || phase.with(|phase| matches!(phase, Phase::Loading));
    let content = move || match phase.get() {
        Phase::Failed(failure) => view! { <LoadFailure failure on_retry=on_load/> }.into_any(),
        Phase::Loading => view! { <p class="loading">{texts::loading()}</p> }.into_any(),
        Phase::Ready(handle) => handle.turns.run(()),
    };
    view! {
        <div class="workspace" class:side-open=side.is_open>
            <SidePanel side handle/>
            <main class="page">
                <div
                    class="thread"
                    id="thread"
                    tabindex="0"
                    role="region"
                    aria-label=texts::conversation()
                    aria-busy=move || is_loading().to_string()
                >
                    {content}
                </div>
                <Composer phase draft announcer on_load/>
            </main>
        </div>
    }
}
