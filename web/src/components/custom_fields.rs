//! Input fields for "Something else…".

use leptos::prelude::*;
use wherefore_engine::intent::Comparison;

use crate::engine_client::{CustomInput, CustomKind};
use crate::texts;
use crate::view_model::draft::Draft;

/// Input fields for an answer that is not among the options.
#[component]
pub fn CustomFields(
    input: CustomInput,
    draft: RwSignal<Draft>,
    /// Prefix of the fields' ids.
    id: String,
) -> impl IntoView {
    match input.kind {
        CustomKind::DateRange => view! {
            <div class="custom-fields">
                <label class="field">
                    <span>{texts::from()}</span>
                    <input
                        type="date" id=format!("{id}-start")
                        prop:value=move || draft.read().start.clone()
                        on:input=move |event| draft.write().start = event_target_value(&event)
                    />
                </label>
                <label class="field">
                    <span>{texts::to_inclusive()}</span>
                    <input
                        type="date" id=format!("{id}-end")
                        prop:value=move || draft.read().end.clone()
                        on:input=move |event| draft.write().end = event_target_value(&event)
                    />
                </label>
            </div>
        }
        .into_any(),
        CustomKind::Number => view! {
            <div class="custom-fields">
                <label class="field">
                    <span>
                        <bdi translate="no">{input.column.map(|column| column.column)}</bdi>
                        {input.operator.map(|operator| format!(" {}", comparison(operator)))}
                    </span>
                    <span class="field-unit">
                        <input
                            type="text" inputmode="decimal" id=format!("{id}-number")
                            prop:value=move || draft.read().number.clone()
                            on:input=move |event| draft.write().number = event_target_value(&event)
                        />
                        <span translate="no">{input.unit}</span>
                    </span>
                </label>
            </div>
        }
        .into_any(),
        CustomKind::Text => view! {
            <div class="custom-fields">
                <label class="field field-wide">
                    <span>{texts::in_your_own_words()}</span>
                    <input
                        type="text" id=format!("{id}-text") lang="en" placeholder=input.placeholder
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
        Comparison::Equal => texts::equal_to(),
        Comparison::Greater => texts::more_than(),
        Comparison::GreaterOrEqual => texts::at_least(),
        Comparison::Less => texts::less_than(),
        Comparison::LessOrEqual => texts::at_most(),
        Comparison::NotEqual => texts::not_equal_to(),
    }
}
