//! Live preview of the question while it is typed.

use leptos::prelude::*;
use wherefore_engine::session::MentionView;

use super::english::around_english;
use super::sql_panel::sql_text;
use crate::engine_client::Preview;
use crate::texts;
use crate::view_model::marks::mention_class;
use crate::view_model::unfinished::Shown;
use crate::view_model::words::{confidence, kind_name, sentence};

/// Whether the reasons and the SQL of a preview are shown; kept when all texts are made anew.
#[derive(Clone, Copy)]
pub struct ReasonsAreOpen(pub RwSignal<bool>);

/// Interpretation, pending clarifications and confidence.
#[component]
pub fn PreviewPanel(
    /// The interpretation.
    shown: Memo<Shown>,
    /// Content of the composer.
    draft: RwSignal<String>,
    /// Why nothing can be interpreted yet.
    waiting: Signal<Option<&'static str>>,
) -> impl IntoView {
    let is_typing = Memo::new(move |_| draft.with(|text| !text.trim().is_empty()));
    // Where the verdict waits for the rest of a word, the meter waits too.
    let overall = Memo::new(move |before: Option<&f64>| match &*shown.read() {
        Shown::Unfinished(_) => before.copied().unwrap_or_default(),
        Shown::Whole(preview) => preview.understanding.confidence.overall,
    });
    // What is folded away is not rendered with each keystroke.
    let ReasonsAreOpen(is_open) = expect_context();
    let toggled = move |event: leptos::ev::Event| {
        let details: web_sys::Element = event_target(&event);
        is_open.set(details.has_attribute("open"));
    };
    let sure = move || {
        if waiting.get().is_some() {
            return texts::not_read_yet().to_owned();
        }
        let shown = shown.read();
        let Shown::Whole(preview) = &*shown else { return texts::reading().to_owned() };
        let (percent, word) = confidence(overall.get());
        let word = match (&preview.problem, preview.clarifications.len()) {
            (Some(_), _) => texts::cannot_be_answered(),
            (None, 0) => word,
            (None, 1) => texts::needs_one_answer(),
            (None, _) => texts::needs_answers(),
        };
        texts::confidence_line(&percent.to_string(), word)
    };
    view! {
        <section class="preview" aria-label=texts::how_understood() class:absent=move || !is_typing.get()>
            <div class="preview-line">
                <span class="meter">
                    <meter
                        min="0" max="1" low="0.75" high="0.85" optimum="1"
                        aria-label=texts::confidence()
                        prop:value=overall
                    ></meter>
                    <span>{sure}</span>
                </span>
                <div class="chips-scroll" tabindex="0" role="group" aria-label=texts::understood_as()>
                    {move || match waiting.get() {
                        Some(reason) => view! { <p class="muted">{reason}</p> }.into_any(),
                        None => chips(shown.read().preview(), &draft.read()).into_any(),
                    }}
                </div>
            </div>
            <details class="preview-details" prop:open=is_open.get_untracked() on:toggle=toggled>
                <summary>{texts::reasons_and_sql()}</summary>
                <div class="preview-body" tabindex="0" role="group" aria-label=texts::reasons_and_sql()>
                    {move || is_open.get().then(|| reasons(&shown.read().preview().understanding.mentions))}
                    {move || is_open.get().then(|| statement(shown.read().preview()))}
                </div>
            </details>
        </section>
    }
}

/// Chips for linked, ambiguous and unread phrases.
fn chips(preview: &Preview, question: &str) -> impl IntoView + use<> {
    let tied: Vec<_> = preview.understanding.mentions.iter().map(mention_chip).collect();
    let asked: Vec<_> = preview
        .clarifications
        .iter()
        .map(|open| {
            let is_whole = open.phrase.is_empty();
            let about = if is_whole { texts::asks() } else { open.phrase.as_str() };
            let lang = if is_whole { texts::Language::current().tag() } else { "en" };
            view! {
                <li class="chip chip-asks">
                    <span title=open.reason.clone() lang="en">
                        <b lang=lang>{about.to_owned()}</b>
                        ": "
                        {open.question.clone()}
                    </span>
                </li>
            }
        })
        .collect();
    let unread: Vec<_> = preview
        .understanding
        .unread
        .iter()
        .map(|span| span.of(question).to_owned())
        .filter(|word| !word.is_empty())
        .map(|word| view! { <li class="chip chip-unread"><b lang="en">{word}</b>": "{texts::not_understood()}</li> })
        .collect();
    let nothing = tied.is_empty() && asked.is_empty() && unread.is_empty();
    let nothing = nothing.then(|| view! { <li class="muted">{texts::nothing_understood()}</li> });
    view! { <ul class="chips">{asked}{tied}{unread}{nothing}</ul> }
}

/// A chip of a phrase and the catalog entry it is linked to.
pub fn mention_chip(mention: &MentionView) -> impl IntoView + use<> {
    view! {
        <li class="chip">
            <span title=mention.reason.clone() lang="en">
                <span class=mention_class(mention.kind)>{mention.phrase.clone()}</span>
                {(!mention.phrase.eq_ignore_ascii_case(&mention.meaning)).then(|| view! {
                    <span aria-hidden="true">" → "</span>
                    <span class="visually-hidden" lang=texts::Language::current().tag()>
                        {format!(" {} ", texts::means())}
                    </span>
                    <bdi>{mention.meaning.clone()}</bdi>
                })}
            </span>
        </li>
    }
}

/// Each link with its reason and its alternatives.
fn reasons(mentions: &[MentionView]) -> impl IntoView + use<> {
    let items: Vec<_> = mentions
        .iter()
        .map(|mention| {
            let rivals: Vec<_> = mention.rivals.iter().map(|rival| rival.meaning.clone()).collect();
            let rivals = (!rivals.is_empty()).then(|| {
                view! { " "{around_english(texts::could_also_be, &rivals.join(", "))} }
            });
            view! {
                <li>
                    <b lang="en">{mention.phrase.clone()}</b>
                    {format!(" {} ", texts::kind_is(kind_name(mention.kind)))}
                    <span lang="en">{sentence(&mention.reason)}</span>
                    {rivals}
                </li>
            }
        })
        .collect();
    view! { <ul class="reasons">{items}</ul> }
}

/// The SQL of the preview, or the reason why none can be written yet.
fn statement(preview: &Preview) -> AnyView {
    match (&preview.sql, &preview.problem) {
        (Some(sql), _) => {
            view! { <pre class="sql" dir="ltr" translate="no"><code>{sql_text(sql, None)}</code></pre> }
                .into_any()
        }
        (None, Some(problem)) => {
            view! { <p class="muted" lang="en">{sentence(&problem.message)}</p> }.into_any()
        }
        (None, None) => view! { <p class="muted">{texts::sql_later()}</p> }.into_any(),
    }
}
