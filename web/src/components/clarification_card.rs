//! One clarification.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::custom_fields::CustomFields;
use crate::browser;
use crate::engine_client::Clarification;
use crate::texts;
use crate::view_model::draft::{Choice, Draft, choices, fits_pills, needs_filter, passes_filter};
use crate::view_model::keys::digit_choice;
use crate::view_model::words::sentence;

/// One clarification with its options; none is preselected.
#[component]
pub fn ClarificationCard(
    clarification: Clarification,
    draft: RwSignal<Draft>,
    /// Id of the legend; prefix of all ids in the card.
    legend_id: String,
    /// Sends the answer immediately; set if a pointer click on an option is enough.
    #[prop(optional_no_strip)]
    on_pick: Option<Callback<()>>,
) -> impl IntoView {
    let pills = fits_pills(&clarification);
    let by_pointer = StoredValue::new(false);
    let id = legend_id.clone();
    let input_id = move |index: usize| format!("{id}-choice-{index}");
    let all = choices(&clarification);
    let is_custom = Memo::new(move |_| draft.read().choice == Some(Choice::Custom));

    let filter = Memo::new(move |_| draft.read().filter.clone());
    let filter_field = needs_filter(&clarification).then(|| {
        view! {
            <label class="field">
                <span>{texts::filter_options()}</span>
                <input
                    type="search"
                    prop:value=filter
                    on:input=move |event| draft.write().filter = event_target_value(&event)
                />
            </label>
        }
    });

    let missing = {
        let clarification = clarification.clone();
        Memo::new(move |_| draft.read().missing(&clarification))
    };
    let picker = Picker { draft, by_pointer, on_pick: on_pick.filter(|_| pills) };
    let rows: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(index, choice)| {
            let words = words_of(choice, &clarification);
            choice_row(choice.clone(), words, input_id(index), legend_id.clone(), filter, picker)
        })
        .collect();

    let count = all.len();
    let keyed = {
        let input_id = input_id.clone();
        move |event: KeyboardEvent| {
            by_pointer.set_value(false);
            let modified = event.ctrl_key() || event.alt_key() || event.meta_key();
            let is_filtered = filter.with_untracked(|filter| !filter.is_empty());
            if modified || is_filtered || is_typing(&event) {
                return;
            }
            if let Some(index) = digit_choice(&event.key(), count) {
                event.prevent_default();
                picker.pick(all[index].clone());
                browser::focus(input_id(index));
            }
        }
    };
    let error_id = format!("{legend_id}-error");
    let reason_id = format!("{legend_id}-reason");
    let described_by = format!("{reason_id} {error_id}");
    let custom = clarification.custom.clone();
    let custom_id = legend_id.clone();
    view! {
        <fieldset class="clarification" aria-describedby=described_by on:keydown=keyed>
            <legend id=legend_id.clone() tabindex="-1" lang="en">{clarification.question.clone()}</legend>
            <p class="reason" id=reason_id lang="en">{sentence(&clarification.reason)}</p>
            {filter_field}
            <div class=if pills { "choices choices-pills" } else { "choices choices-stacked" }>
                {rows}
            </div>
            {move || is_custom.get().then(|| custom.clone()).flatten().map(|input| view! {
                <CustomFields input draft id=custom_id.clone()/>
            })}
            <label class="remember">
                <input
                    type="checkbox"
                    prop:checked=move || draft.read().remember
                    on:change=move |event| draft.write().remember = event_target_checked(&event)
                />
                <span>{texts::remember_this()}</span>
            </label>
            <p class="field-error" id=error_id>{missing}</p>
        </fieldset>
    }
}

/// Selects a choice of the card.
#[derive(Clone, Copy)]
struct Picker {
    draft: RwSignal<Draft>,
    /// Whether the last input was a pointer press on a choice.
    by_pointer: StoredValue<bool>,
    /// Sends the answer; set if a pointer click on an option is enough.
    on_pick: Option<Callback<()>>,
}

impl Picker {
    fn pick(self, choice: Choice) {
        self.draft.write().choose(choice);
    }

    fn click(self, choice: Choice) {
        let complete = choice != Choice::Custom;
        self.pick(choice);
        let pointed = self.by_pointer.get_value();
        self.by_pointer.set_value(false);
        if let Some(send) = self.on_pick.filter(|_| pointed && complete) {
            send.run(());
        }
    }
}

/// A radio button with the texts of a choice; hidden if its option does not pass the filter.
fn choice_row(
    choice: Choice,
    words: ChoiceWords,
    input_id: String,
    name: String,
    filter: Memo<String>,
    picker: Picker,
) -> impl IntoView {
    let is_option = matches!(choice, Choice::Option(_));
    // The engine words its options.
    let lang = is_option.then_some("en");
    let choice = StoredValue::new(choice);
    let label = words.label.clone();
    let filtered_out = move || is_option && !passes_filter(&label, &filter.read());
    let checked = move || picker.draft.read().choice == Some(choice.get_value());
    let hint_id = format!("{input_id}-hint");
    let described = (!words.description.is_empty()).then(|| hint_id.clone());
    view! {
        <div class="choice" class:choice-checked=checked class:absent=filtered_out>
            <label on:pointerdown=move |_| picker.by_pointer.set_value(true)>
                <input
                    type="radio"
                    id=input_id
                    name=name
                    aria-describedby=described
                    prop:checked=checked
                    on:click=move |_| picker.click(choice.get_value())
                    on:change=move |_| picker.pick(choice.get_value())
                />
                <span class="choice-label">
                    <span lang=lang>{words.label}</span>
                    {words.recommended.then(|| view! { " " <span class="recommended">{texts::recommended()}</span> })}
                </span>
            </label>
            {(!words.description.is_empty()).then(|| view! {
                <p class="choice-hint" id=hint_id lang="en">{words.description}</p>
            })}
        </div>
    }
}

/// Texts of a choice.
struct ChoiceWords {
    label: String,
    description: String,
    recommended: bool,
}

fn words_of(choice: &Choice, clarification: &Clarification) -> ChoiceWords {
    let plain = |label: &str| ChoiceWords {
        label: label.to_owned(),
        description: String::new(),
        recommended: false,
    };
    match choice {
        Choice::BestGuess => plain(texts::choose_for_me()),
        Choice::Custom if clarification.options.is_empty() => plain(texts::enter_a_value()),
        Choice::Custom => plain(texts::something_else()),
        Choice::Option(id) => {
            let option = clarification.options.iter().find(|option| option.id == *id);
            ChoiceWords {
                label: option.map(|option| option.label.clone()).unwrap_or_default(),
                description: option.map(|option| option.description.clone()).unwrap_or_default(),
                recommended: clarification.recommended.as_ref() == Some(id),
            }
        }
    }
}

/// Whether the key event targets a text field, where digits must not select options.
fn is_typing(event: &KeyboardEvent) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok())
        .is_some_and(|input| !matches!(input.type_().as_str(), "radio" | "checkbox"))
}
