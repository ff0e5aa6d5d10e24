//! Timeline of an answer.

use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::ProgressStep;

use super::panel::Panel;
use crate::engine_client::View;
use crate::fields::Part;
use crate::texts;
use crate::turn::Turn;
use crate::view_model::words::{confidence, duration};

/// Steps of the statement that a model is writing.
#[component]
pub fn WritingSteps(turn: Turn) -> impl IntoView {
    move || {
        let steps: Vec<_> = turn.writing.read().iter().map(step_row).collect();
        (!steps.is_empty()).then(
            || view! { <ol class="steps muted" aria-label=texts::writing_steps()>{steps}</ol> },
        )
    }
}

/// A step, with the time at which a model did it.
fn step_row(step: &ProgressStep) -> impl IntoView + use<> {
    let elapsed = step.elapsed_ms.map(|elapsed| format!(" · {}", duration(f64::from(elapsed))));
    view! { <li><span lang="en">{step.detail.clone()}</span>{elapsed}</li> }
}

/// Completed states in order, and the elapsed time.
#[component]
pub fn Steps(turn: Turn, view: Arc<View>) -> impl IntoView {
    if view.steps.is_empty() {
        return None;
    }
    let steps: Vec<_> = view.steps.iter().map(step_row).collect();
    let (percent, word) = confidence(view.understanding.confidence.overall);
    let database = view
        .result
        .as_ref()
        .map(|result| texts::in_the_database(&duration(f64::from(result.elapsed_ms))));
    let summary = view! {
        {texts::steps_and_time()}
        <span class="muted">{move || format!(" · {}", duration(turn.elapsed_ms.get()))}</span>
    };
    Some(view! {
        <Panel fields=turn.fields part=Part::Steps summary=summary.into_any()>
            <div class="panel-body">
                <ol class="steps">{steps}</ol>
                <p class="muted">
                    {texts::confidence_sentence(&percent.to_string(), word)}
                    " "
                    {move || texts::took(&duration(turn.elapsed_ms.get()))}
                    {database}
                    "."
                </p>
            </div>
        </Panel>
    })
}
