//! What a statement does, step by step, each step beside its part of the text.

use leptos::prelude::*;
use wherefore_engine::session::ExplainedStep;
use wherefore_engine::text::Span;

use crate::plain::words::sentence;

/// The steps, which point at their parts of the text; nothing where there are none.
#[component]
pub fn SqlSteps(steps: Vec<ExplainedStep>, pointed: RwSignal<Span>) -> impl IntoView {
    if steps.is_empty() {
        return None;
    }
    let steps: Vec<_> = steps
        .into_iter()
        .map(|step| {
            let point = move || pointed.set(step.span);
            let leave = move || pointed.set(Span::default());
            let is_inner = step.depth > 0;
            view! {
                <li class:sql-step-inner=is_inner>
                    <button
                        type="button"
                        class="sql-step"
                        on:focus=move |_| point()
                        on:blur=move |_| leave()
                        on:mouseenter=move |_| point()
                        on:mouseleave=move |_| leave()
                    >
                        {sentence(&step.text)}
                    </button>
                </li>
            }
        })
        .collect();
    Some(view! {
        <h4>"What this SQL does"</h4>
        <ol class="steps" aria-label="What this SQL does">{steps}</ol>
    })
}
