//! Explanation of a statement in steps.

use leptos::prelude::*;
use wherefore_engine::session::ExplainedStep;
use wherefore_engine::text::Span;

use crate::texts;
use crate::view_model::words::sentence;

/// List of steps; pointing at a step emphasises its part of the statement. Nothing is shown without steps.
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
                        lang="en"
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
        <h4>{texts::what_sql_does()}</h4>
        <ol class="steps" aria-label=texts::what_sql_does()>{steps}</ol>
    })
}
