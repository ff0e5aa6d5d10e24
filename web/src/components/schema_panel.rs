//! Tables and columns of the data source.

use leptos::prelude::*;

use super::schema_table::SchemaTable;
use super::side::Side;
use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::schema::{LISTED_TABLES, TableEntry, count, tables};

/// A searchable list of tables; a click on a name puts it into the question.
#[component]
pub fn SchemaPanel(side: Side) -> impl IntoView {
    let conversation = use_conversation();
    let search = RwSignal::new(String::new());
    let all = conversation.engine.with_value(|engine| engine.catalog().tables.len());
    let found = Memo::new(move |_| {
        search.with(|search| {
            conversation.engine.with_value(|engine| tables(engine.catalog(), search))
        })
    });
    let is_searched = Memo::new(move |_| search.with(|search| !search.trim().is_empty()));
    let unread = move || conversation.unread_tables.get() as usize;
    let insert = Callback::new(move |name: String| {
        side.leave();
        conversation.insert(&name);
    });
    let listed = move || {
        let opens = is_searched.get();
        found.with(|found| {
            let row = |entry: &TableEntry| (opens, entry.clone());
            found.iter().take(LISTED_TABLES).map(row).collect::<Vec<_>>()
        })
    };
    view! {
        <label class="field">
            <span>{texts::search_schema()}</span>
            <input
                type="search"
                autocomplete="off"
                aria-describedby="schema-count"
                prop:value=search
                on:input=move |event| search.set(event_target_value(&event))
            />
        </label>
        <p id="schema-count" class="muted">{move || count(found.with(Vec::len), all)}</p>
        <Show when=move || unread() != 0>
            <p class="muted">{move || texts::values_unread(unread())}</p>
        </Show>
        <ul class="schema" aria-label=texts::tables()>
            <For
                each=listed
                key=|(opens, entry)| (*opens, entry.name.clone(), entry.columns.len())
                let:row
            >
                <SchemaTable entry=row.1 opens=row.0 insert/>
            </For>
        </ul>
    }
}
