//! Sentences of the page around a text that is English in every language.

use leptos::prelude::*;

/// Stands for the English text while its place in the sentence is looked for.
const PLACE: &str = "\u{fffc}";

/// A sentence of the page around a text of the engine, which is marked as English.
pub(super) fn around_english(sentence: fn(&str) -> String, english: &str) -> impl IntoView + use<> {
    let whole = sentence(PLACE);
    let (before, after) = whole.split_once(PLACE).unwrap_or((&whole, ""));
    let (before, after) = (before.to_owned(), after.to_owned());
    view! { {before}<span lang="en">{english.to_owned()}</span>{after} }
}
