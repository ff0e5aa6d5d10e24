//! Input fields for "Something else…".

use leptos::prelude::*;
use wherefore_engine::clarification::CustomInput;
use wherefore_engine::intent::Comparison;

use crate::view_model::draft::Draft;

/// Input fields for an answer that is not among the options.
#[component]
pub fn CustomFields(
    input: CustomInput,
    draft: RwSignal<Draft>,
    /// Prefix of the fields' ids.
    id: String,
) -> impl IntoView {
    match input {
        CustomInput::DateRange { .. } => view! {
            <div class="custom-fields">
                <label class="field">
                    <span>"From"</span>
                    <input
                        type="date" id=format!("{id}-start")
                        prop:value=move || draft.read().start.clone()
                        on:input=move |event| draft.write().start = event_target_value(&event)
                    />
                </label>
                <label class="field">
                    <span>"To (inclusive)"</span>
                    <input
                        type="date" id=format!("{id}-end")
                        prop:value=move || draft.read().end.clone()
                        on:input=move |event| draft.write().end = event_target_value(&event)
                    />
                </label>
            </div>
        }
        .into_any(),
        CustomInput::Number { operator, unit, column, .. } => view! {
            <div class="custom-fields">
                <label class="field">
                    <span>{format!("{} {}", column.column, comparison(operator))}</span>
                    <span class="field-unit">
                        <input
                            type="text" inputmode="decimal" id=format!("{id}-number")
                            prop:value=move || draft.read().number.clone()
                            on:input=move |event| draft.write().number = event_target_value(&event)
                        />
                        <span>{unit}</span>
                    </span>
                </label>
            </div>
        }
        .into_any(),
        CustomInput::Text { placeholder, .. } => view! {
            <div class="custom-fields">
                <label class="field field-wide">
                    <span>"In your own words"</span>
                    <input
                        type="text" id=format!("{id}-text") placeholder=placeholder
                        prop:value=move || draft.read().text.clone()
                        on:input=move |event| draft.write().text = event_target_value(&event)
                    />
                </label>
            </div>
        }
        .into_any(),
    }
}

/// A comparison operator in words.
fn comparison(operator: Comparison) -> &'static str {
    match operator {
        Comparison::Equal => "equal to",
        Comparison::Greater => "more than",
        Comparison::GreaterOrEqual => "at least",
        Comparison::Less => "less than",
        Comparison::LessOrEqual => "at most",
        Comparison::NotEqual => "not equal to",
    }
}
