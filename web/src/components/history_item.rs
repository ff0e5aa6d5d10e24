//! An earlier question, and what can be done with it.

use leptos::ev::{KeyboardEvent, SubmitEvent};
use leptos::prelude::*;

use super::history::Listed;
use crate::browser;
use crate::texts;
use crate::view_model::history::Entry;

/// A question as a button that asks it again, and a button that opens its other actions.
#[component]
pub fn HistoryItem(listed: Listed, entry: Entry, ask: Callback<Entry>) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let title = entry.title().to_owned();
    let note = entry.note.map(|note| view! { <span class="muted">{format!(" ({note})")}</span> });
    let pin = entry.pinned.then(|| view! { <span class="pin">{texts::pinned()}" "</span> });
    let tooltip = entry.name.is_some().then(|| entry.question.clone());
    let led = entry.led().map(|led| view! { <span class="history-led muted">{led}</span> });
    let entry = StoredValue::new(entry);
    view! {
        <li>
            <div class="history-line">
                <button
                    type="button"
                    class="history-item"
                    dir="auto"
                    title=tooltip
                    on:click=move |_| ask.run(entry.get_value())
                >
                    {pin}
                    <span translate="no">{title.clone()}</span>
                    {note}
                    {led}
                </button>
                <button
                    type="button"
                    class="button button-quiet history-more"
                    aria-label=texts::actions_for(&title)
                    aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
                >
                    "⋯"
                </button>
            </div>
            <Show when=move || is_open.get()>
                <Actions listed entry is_open/>
            </Show>
        </li>
    }
}

/// Buttons that pin, rename and delete a question.
#[component]
fn Actions(listed: Listed, entry: StoredValue<Entry>, is_open: RwSignal<bool>) -> impl IntoView {
    let renames = RwSignal::new(false);
    let name = RwSignal::new(entry.with_value(|entry| entry.title().to_owned()));
    let field = entry
        .with_value(|entry| format!("rename-{}", entry.ids.first().cloned().unwrap_or_default()));
    let field_id = field.clone();
    let pinned = entry.with_value(|entry| entry.pinned);
    let pin = move |_| {
        entry.with_value(|entry| listed.mark(|marks| marks.pin(&entry.question, !pinned)));
    };
    let rename = move |event: SubmitEvent| {
        event.prevent_default();
        let name = name.get_untracked();
        entry.with_value(|entry| listed.mark(|marks| marks.rename(&entry.question, &name)));
        is_open.set(false);
        browser::focus("history-search".to_owned());
    };
    let cancel = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            renames.set(false);
        }
    };
    view! {
        <div class="history-actions">
            <button type="button" class="button button-quiet" on:click=pin>
                {if pinned { texts::unpin() } else { texts::pin() }}
            </button>
            <button
                type="button"
                class="button button-quiet"
                aria-expanded=move || renames.get().to_string()
                on:click=move |_| {
                    renames.set(true);
                    browser::focus(field.clone());
                }
            >
                {texts::rename()}
            </button>
            <button
                type="button"
                class="button button-quiet"
                on:click=move |_| listed.delete(entry.get_value())
            >
                {texts::delete()}
            </button>
            {move || renames.get().then(|| view! {
                <form class="history-rename" on:submit=rename on:keydown=cancel>
                    <label class="field">
                        <span>{texts::name_in_browser()}</span>
                        <input
                            id=field_id.clone()
                            autocomplete="off"
                            prop:value=name
                            on:input=move |event| name.set(event_target_value(&event))
                        />
                    </label>
                    <button type="submit" class="button">{texts::save_name()}</button>
                </form>
            })}
        </div>
    }
}
