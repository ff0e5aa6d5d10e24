//! Calls for hosts in Rust, such as the chat page: their strings are UTF-8, so spans count bytes. They also give such
//! hosts the catalog and let them change settings. The TypeScript of the package does not use them.

use wasm_bindgen::prelude::*;
use wherefore_engine::session::{ResultSet, View};

use super::{Engine, Session, read, write};

#[wasm_bindgen]
impl Engine {
    /// The catalog, with the keys and synonyms that the engine added to it.
    pub fn catalog(&self) -> Result<String, JsValue> {
        write(self.0.catalog())
    }

    /// An engine with other settings that shares the index.
    ///
    /// Throws `KnowledgeError` if the object has another shape.
    #[wasm_bindgen(js_name = withSettings)]
    pub fn with_settings(&self, settings: &str) -> Result<Engine, JsValue> {
        let settings = read(settings, "KnowledgeError", "invalid_knowledge")?;
        Ok(Self(self.0.with_settings(settings)))
    }

    /// Like `completions`, with the cursor and the spans in bytes.
    #[wasm_bindgen(js_name = completionsInBytes)]
    pub fn completions_in_bytes(
        &self,
        text: &str,
        cursor: u32,
        today: &str,
        context: Option<String>,
    ) -> Result<String, JsValue> {
        write(&self.found(text, cursor as usize, today, context)?)
    }

    /// Like `preview`, or like `previewAfter` if a context is given, with spans in bytes.
    #[wasm_bindgen(js_name = previewInBytes)]
    pub fn preview_in_bytes(
        &self,
        text: &str,
        today: &str,
        context: Option<String>,
    ) -> Result<String, JsValue> {
        write(&match context {
            Some(context) => {
                let context = read(&context, "ContextError", "invalid_context")?;
                self.0.preview_after(text, today, &context)
            }
            None => self.0.preview(text, today),
        })
    }
}

#[wasm_bindgen]
impl Session {
    /// Like `view`, with spans in bytes and without the rows of the result: they are those that the host gave to the
    /// step in which the result appeared.
    #[wasm_bindgen(js_name = viewInBytes)]
    pub fn view_in_bytes(&self) -> Result<String, JsValue> {
        write(&without_rows(self.0.view()))
    }
}

/// A copy of a view without the rows of its result, of which there may be many.
fn without_rows(view: &View) -> View {
    View {
        state: view.state,
        question: view.question.clone(),
        understanding: view.understanding.clone(),
        clarifications: view.clarifications.clone(),
        round: view.round,
        assumptions: view.assumptions.clone(),
        sql: view.sql.clone(),
        confirmation: view.confirmation.clone(),
        parameters: view.parameters.clone(),
        writer: view.writer,
        mode: view.mode,
        stated: view.stated.clone(),
        sub_questions: view.sub_questions.clone(),
        follow_up: view.follow_up.clone(),
        result: view.result.as_ref().map(|_| ResultSet::default()),
        notes: view.notes.clone(),
        outcome: view.outcome,
        problem: view.problem.clone(),
        suggestions: view.suggestions.clone(),
        steps: view.steps.clone(),
    }
}
