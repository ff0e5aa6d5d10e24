//! A dialog with the whole text of a cell.

use leptos::html::Dialog;
use leptos::prelude::*;

use super::copy_button::CopyButton;
use crate::texts;

/// A text that is too long for its cell.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WholeText {
    /// Title of the column.
    pub title: String,
    /// The text.
    pub text: String,
}

/// Shows `opened` in a dialog while there is one. Escape closes it, and the focus returns to the cell.
#[component]
pub fn WholeValue(opened: RwSignal<Option<WholeText>>) -> impl IntoView {
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        if opened.with(Option::is_some) && !dialog.open() {
            // Fails only for a dialog that is not in the document.
            let _ = dialog.show_modal();
        }
    });
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let title = move || opened.get().map(|whole| whole.title).unwrap_or_default();
    let text = move || opened.get().map(|whole| whole.text).unwrap_or_default();
    let copied = Callback::new(move |()| {
        opened.with_untracked(|whole| whole.as_ref().map_or_else(String::new, |it| it.text.clone()))
    });
    view! {
        <dialog
            class="whole-value"
            node_ref=dialog
            aria-label=title
            on:close=move |_| opened.set(None)
        >
            <h4 dir="auto" translate="no">{title}</h4>
            <div class="whole-value-text" tabindex="0" role="group" aria-label=texts::whole_value() dir="auto" translate="no">
                {text}
            </div>
            <div class="actions">
                <CopyButton label=texts::copy_value() done=texts::value_copied() class="button" text=copied/>
                <button type="button" class="button" on:click=close>{texts::close()}</button>
            </div>
        </dialog>
    }
}
