//! A table of the data source with its columns.

use leptos::prelude::*;

use crate::texts;
use crate::view_model::schema::{ColumnEntry, TableEntry};

/// A table that opens to show its columns and its references.
#[component]
pub fn SchemaTable(entry: TableEntry, opens: bool, insert: Callback<String>) -> impl IntoView {
    let is_open = RwSignal::new(opens);
    let toggled = move |event: leptos::ev::Event| {
        let panel: web_sys::Element = event_target(&event);
        is_open.set(panel.has_attribute("open"));
    };
    let (name, size) = (entry.name.clone(), entry.size.clone());
    let entry = StoredValue::new(entry);
    view! {
        <li>
            <details class="schema-table" prop:open=opens on:toggle=toggled>
                <summary>
                    <span class="schema-name" dir="auto" translate="no">{name}</span>
                    <span class="muted">{size}</span>
                </summary>
                <Show when=move || is_open.get()>
                    {entry.with_value(|entry| content(entry, insert))}
                </Show>
            </details>
        </li>
    }
}

fn content(entry: &TableEntry, insert: Callback<String>) -> impl IntoView + use<> {
    let description = entry.description.clone();
    let description =
        (!description.is_empty()).then(|| view! { <p dir="auto" translate="no">{description}</p> });
    let columns: Vec<_> = entry.columns.iter().map(|column| column_row(column, insert)).collect();
    let referred_by = entry.referred_by.join(", ");
    let referred_by = (!referred_by.is_empty()).then(
        || view! { <p class="muted">{texts::referred_to_by()}" "<bdi translate="no">{referred_by}</bdi></p> },
    );
    let words = entry.words.clone();
    view! {
        <div class="schema-body">
            {description}
            {name_button(words, texts::put_into_question(&entry.words), insert)}
            <ul class="schema-columns" aria-label=texts::columns_of(&entry.name)>{columns}</ul>
            {referred_by}
        </div>
    }
}

fn column_row(column: &ColumnEntry, insert: Callback<String>) -> impl IntoView + use<> {
    let refers = column.refers_to.clone();
    let refers = refers
        .map(|table| view! { <span class="muted schema-refers">" → "<bdi translate="no">{table}</bdi></span> });
    let description = column.description.clone();
    let description = (!description.is_empty())
        .then(|| view! { <p class="muted schema-description" dir="auto" translate="no">{description}</p> });
    let label = texts::put_into_question(&column.words);
    view! {
        <li>
            {name_button(column.words.clone(), label, insert)}
            <span class="muted">{column.kind.clone()}</span>
            {refers}
            {description}
        </li>
    }
}

fn name_button(words: String, label: String, insert: Callback<String>) -> impl IntoView + use<> {
    let name = words.clone();
    view! {
        <button
            type="button"
            class="schema-insert"
            dir="auto"
            translate="no"
            title=label
            on:click=move |_| insert.run(name.clone())
        >
            {words}
        </button>
    }
}
