//! Settings of the page, kept in the browser.

use leptos::prelude::*;

use super::app::{LANGUAGE, LanguageChoice};
use crate::browser;
use crate::conversation::use_conversation;
use crate::texts;
use crate::view_model::cell_text::grouped;
use crate::view_model::preferences::{Asking, Preferences, row_limits};

/// Local storage key of how eagerly the page asks.
const ASKING_KEY: &str = "wherefore-asking";
/// Local storage key of the maximum number of rows.
const ROWS_KEY: &str = "wherefore-rows";

/// Preferences of the last visit.
pub fn stored_preferences() -> Preferences {
    let asking = browser::stored(ASKING_KEY).unwrap_or_default();
    let rows = browser::stored(ROWS_KEY).and_then(|rows| rows.parse().ok());
    Preferences { asking: Asking::of(&asking), rows }
}

/// Selectors of theme, density, how eagerly the page asks, and the maximum number of rows.
#[component]
pub fn SettingsPanel() -> impl IntoView {
    let conversation = use_conversation();
    let server = conversation.server_settings();
    let known = stored_preferences();
    let keep = move |key: &str, value: &str| {
        browser::store(key, value);
        conversation.prefer(stored_preferences());
    };

    let language = expect_context::<LanguageChoice>();
    let stored = browser::stored_language();
    // Each language is named in itself.
    let languages = [("", texts::as_the_system()), ("en", "English"), ("de", "Deutsch")];
    let languages = languages.map(|(tag, name)| {
        let lang = (!tag.is_empty()).then_some(tag);
        view! { <option value=tag lang=lang selected=tag == stored>{name}</option> }
    });
    let theme = browser::stored_theme();
    let themes =
        [("auto", texts::as_the_system()), ("light", texts::light()), ("dark", texts::dark())];
    let density = if browser::is_compact() { "compact" } else { "normal" };
    let densities = [("normal", texts::comfortable()), ("compact", texts::compact())];
    let asking = Asking::ALL.map(|asking| (asking.name().to_owned(), asking.label().to_owned()));
    let most = texts::limit_of_server(&grouped(server.row_limit as usize));
    let limits = row_limits(server.row_limit);
    let rows = limits.iter().map(|rows| (rows.to_string(), grouped(*rows as usize)));
    let rows: Vec<_> = std::iter::once((String::new(), most)).chain(rows).collect();
    let chosen_rows = known.rows.filter(|rows| limits.contains(rows));
    let chosen_rows = chosen_rows.map(|rows| rows.to_string()).unwrap_or_default();
    view! {
        <div class="settings">
            <label class="field">
                <span>{texts::language()}</span>
                <select
                    id=LANGUAGE
                    on:change=move |event| language.choose(&event_target_value(&event))
                >
                    {languages}
                </select>
            </label>
            {choice(texts::theme(), owned(&themes), theme, browser::apply_theme)}
            {choice(texts::density(), owned(&densities), density.to_owned(), |density| {
                browser::apply_density(density == "compact");
            })}
            {choice(texts::ask_what_is_meant(), asking.into(), known.asking.name().to_owned(), move |asking| {
                keep(ASKING_KEY, asking);
            })}
            {choice(texts::rows_of_answer(), rows, chosen_rows, move |rows| keep(ROWS_KEY, rows))}
            <p class="muted">
                {texts::settings_note()}
            </p>
        </div>
    }
}

fn owned(choices: &[(&str, &str)]) -> Vec<(String, String)> {
    choices.iter().map(|(value, label)| ((*value).to_owned(), (*label).to_owned())).collect()
}

/// A labelled selector.
fn choice(
    label: &'static str,
    choices: Vec<(String, String)>,
    chosen: String,
    choose: impl Fn(&str) + 'static,
) -> impl IntoView {
    let options: Vec<_> = choices
        .into_iter()
        .map(|(value, label)| {
            let is_chosen = value == chosen;
            view! { <option value=value selected=is_chosen>{label}</option> }
        })
        .collect();
    view! {
        <label class="field">
            <span>{label}</span>
            <select on:change=move |event| choose(&event_target_value(&event))>{options}</select>
        </label>
    }
}
