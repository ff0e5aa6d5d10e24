//! A question on the page, with the state of its session.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use leptos::prelude::*;
use wherefore_engine::session::ProgressStep;

use crate::browser;
use crate::engine_client::{Session, View};
use crate::fields::Fields;
use crate::view_model::problem::ApiFailure;
use crate::view_model::report::{Asked, Mark};

/// A question and its session.
#[derive(Clone, Copy)]
pub struct Turn {
    /// Id, unique on the page.
    pub id: u32,
    /// Current view of the turn's session.
    pub view: RwSignal<Arc<View>>,
    /// Milliseconds from the question, or from the last answer, to the end.
    pub elapsed_ms: RwSignal<f64>,
    /// Steps of the statement that a model is writing; empty if none does.
    pub writing: RwSignal<Vec<ProgressStep>>,
    /// What is filled in and opened in its parts.
    pub fields: Fields,
    /// Ids of clarifications whose answers are to be remembered.
    pub remember: StoredValue<Vec<String>>,
    pub(crate) session: StoredValue<Session, LocalStorage>,
    pub(crate) abort: StoredValue<Option<web_sys::AbortController>, LocalStorage>,
    pub(crate) started_ms: StoredValue<f64>,
    /// The last failure of a request, whose words follow the language of the page.
    pub(crate) failure: StoredValue<Option<ApiFailure>>,
    /// Whether the user has accepted the estimate of the current statement.
    pub(crate) accepts_estimate: StoredValue<bool>,
    /// Identity of the question, and the processing time of its earlier rounds.
    pub(crate) asked: StoredValue<Asked>,
    /// Ids of all clarifications that were shown.
    pub(crate) shown: StoredValue<BTreeSet<String>>,
    /// Marks of clarifications, by their ids.
    pub(crate) marks: RwSignal<BTreeMap<String, Mark>>,
}

impl Turn {
    /// A turn before its question; `id` is that on the page.
    pub(crate) fn new(id: u32, session: Session, thread: String, person: String) -> Self {
        Self {
            id,
            view: RwSignal::new(Arc::default()),
            elapsed_ms: RwSignal::new(0.0),
            writing: RwSignal::new(Vec::new()),
            fields: Fields::default(),
            remember: StoredValue::new(Vec::new()),
            session: StoredValue::new_local(session),
            abort: StoredValue::new_local(None),
            started_ms: StoredValue::new(0.0),
            failure: StoredValue::new(None),
            accepts_estimate: StoredValue::new(false),
            asked: StoredValue::new(Asked {
                id: browser::random_id(),
                thread,
                person,
                asked_at: browser::clock_ms(),
                working_ms: 0.0,
            }),
            shown: StoredValue::default(),
            marks: RwSignal::default(),
        }
    }

    /// Id of the turn's HTML element.
    pub fn element_id(&self) -> String {
        format!("turn-{}", self.id)
    }

    /// Id of the turn's heading.
    pub fn heading_id(&self) -> String {
        format!("turn-{}-heading", self.id)
    }

    /// Whether a clarification was shown, rather than decided without asking.
    pub fn was_asked(&self, clarification_id: &str) -> bool {
        self.shown.with_value(|shown| shown.contains(clarification_id))
    }

    /// The user's mark of a clarification.
    pub fn mark_of(&self, clarification_id: &str) -> Option<Mark> {
        self.marks.with(|marks| marks.get(clarification_id).copied())
    }

    /// Focuses the first pending clarification, or else the heading of the turn.
    pub(crate) fn take_focus(&self) {
        let asks = self.view.with_untracked(|view| !view.clarifications.is_empty());
        browser::focus(if asks { self.legend_id("ask", 0) } else { self.heading_id() });
    }

    /// Abort signal of the turn's requests; a new one after `forget_requests`.
    pub(crate) fn abort_signal(&self) -> Option<web_sys::AbortSignal> {
        self.abort.try_update_value(|abort| {
            if abort.is_none() {
                *abort = web_sys::AbortController::new().ok();
            }
            abort.as_ref().map(web_sys::AbortController::signal)
        })?
    }

    /// Aborts the turn's requests, whose results are no longer needed.
    pub(crate) fn forget_requests(&self) {
        if let Some(abort) = self.abort.try_update_value(Option::take).flatten() {
            abort.abort();
        }
    }

    /// Id of a clarification's legend; `place` separates pending clarifications from those being changed.
    pub fn legend_id(&self, place: &str, index: usize) -> String {
        format!("turn-{}-{place}-legend-{index}", self.id)
    }
}
