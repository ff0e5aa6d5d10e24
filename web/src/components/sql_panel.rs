//! Panel with the SQL of an answer.

use leptos::html::Pre;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wherefore_engine::session::ExplainedStep;
use wherefore_engine::text::Span;

use super::copy_button::CopyButton;
use super::panel::Panel;
use super::sql_steps::SqlSteps;
use crate::fields::{Fields, Part};
use crate::texts;
use crate::view_model::sql_tokens::tokenize;

/// Margin kept visible around a highlighted part of the statement, in CSS pixels.
const MARGIN_PX: i32 = 32;

/// Highlighted SQL with a copy button and an explanation in steps.
#[component]
pub fn SqlPanel(sql: String, steps: Vec<ExplainedStep>, fields: Fields) -> impl IntoView {
    let statement = NodeRef::<Pre>::new();
    let pointed = RwSignal::new(Span::default());
    Effect::new(move || show_pointed(statement, pointed.get()));
    let text = sql.clone();
    let copied = Callback::new(move |()| text.clone());
    view! {
        <Panel fields part=Part::Sql summary="SQL".into_any()>
            <div class="panel-body">
                <pre
                    class="sql"
                    dir="ltr"
                    translate="no"
                    tabindex="0"
                    role="group"
                    aria-label=texts::sql_statement()
                    node_ref=statement
                >
                    <code>{sql_text(&sql, Some(pointed))}</code>
                </pre>
                <CopyButton label=texts::copy_sql() done=texts::sql_copied() class="button" text=copied/>
                <SqlSteps steps pointed/>
            </div>
        </Panel>
    }
}

/// Tokens of a statement with the CSS classes of their kinds; tokens in the span `pointed` are emphasised.
pub fn sql_text(sql: &str, pointed: Option<RwSignal<Span>>) -> impl IntoView + use<> {
    let mut end = 0;
    tokenize(sql)
        .into_iter()
        .map(|(kind, text)| {
            let span = Span::new(end, end + text.len());
            end += text.len();
            let text = text.to_owned();
            let Some(pointed) = pointed else {
                return view! { <span class=kind.class()>{text}</span> }.into_any();
            };
            let is_pointed = move || pointed.get().overlaps(span);
            view! { <span class=kind.class() class:sql-pointed=is_pointed>{text}</span> }.into_any()
        })
        .collect::<Vec<_>>()
}

/// Scrolls the statement until the emphasised part is visible.
fn show_pointed(statement: NodeRef<Pre>, pointed: Span) {
    if pointed == Span::default() {
        return;
    }
    request_animation_frame(move || {
        let Some(statement) = statement.get_untracked() else { return };
        let Ok(Some(part)) = statement.query_selector(".sql-pointed") else { return };
        let part: web_sys::HtmlElement = part.unchecked_into();
        let sighted = |at: i32, from: i32, length: i32| {
            let in_sight = at >= from && at + MARGIN_PX <= from + length;
            if in_sight { from } else { at - MARGIN_PX }
        };
        let (top, left) = (statement.scroll_top(), statement.scroll_left());
        statement.set_scroll_top(sighted(part.offset_top(), top, statement.client_height()));
        statement.set_scroll_left(sighted(part.offset_left(), left, statement.client_width()));
    });
}
