//! Panel that shows which words of a question made which clause of its statement.

use std::sync::Arc;

use leptos::prelude::*;

use super::panel::Panel;
use crate::engine_client::View;
use crate::fields::{Fields, Part};
use crate::texts;
use crate::view_model::account::{Row, rows};

/// Table of words and clauses. Nothing is shown if no clause was composed.
#[component]
pub fn AccountPanel(view: Arc<View>, fields: Fields) -> impl IntoView {
    let account = &view.understanding.account;
    if account.clauses.is_empty() {
        return None;
    }
    let rows: Vec<_> = rows(&view.question, account)
        .into_iter()
        .map(|Row { words, clause, asked_for }| {
            let words = if words.is_empty() { "—".to_owned() } else { words };
            let is_added = !asked_for;
            view! {
                <tr>
                    <th scope="row" dir="auto" lang="en">{words}</th>
                    <td class:muted=is_added lang="en">{clause}</td>
                </tr>
            }
        })
        .collect();
    Some(view! {
        <Panel fields part=Part::Account summary=texts::how_words_were_read().into_any()>
            <div class="panel-body">
                <div
                    class="table-scroll account"
                    tabindex="0"
                    role="group"
                    aria-label=texts::how_words_were_read()
                >
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">{texts::words()}</th>
                                <th scope="col">{texts::clause()}</th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </div>
        </Panel>
    })
}
