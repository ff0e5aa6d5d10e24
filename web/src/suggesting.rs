//! Which questions are suggested: those that the engine can answer, and that no turn has answered.

use std::sync::Arc;

use leptos::prelude::*;

use crate::browser;
use crate::conversation::Conversation;
use crate::engine_client::{Context, Preview, View};
use crate::view_model::continuations::continuations;
use crate::view_model::starters;
use crate::view_model::suggestions::{SUGGESTIONS, candidates, shape, unasked};

/// Maximum number of suggestions that go on from an answer; the others are complete questions.
const CONTINUATIONS: usize = 2;
/// Maximum number of questions to begin with that are read where others are few: on a database without a pack.
const STARTERS: usize = 6;

impl Conversation {
    /// Suggested questions after the last turn: those that go on from its answer, then others; none that was asked, also
    /// not in other words.
    ///
    /// Questions are the same if the engine writes the same statement, whatever it names the columns.
    pub fn follow_ups(&self, view: &View) -> Vec<String> {
        let views: Vec<Arc<View>> = self
            .turns
            .with_untracked(|turns| turns.iter().map(|turn| turn.view.get_untracked()).collect());
        let views = || views.iter().map(Arc::as_ref).chain([view]);
        let asked: Vec<String> = views().map(|view| view.question.clone()).collect();
        let statements: Vec<String> =
            views().filter_map(|view| view.sql.as_deref().map(shape)).collect();
        let context = self.context();
        let today = browser::today();
        self.engine.with_value(|engine| {
            let read = |question: &str, context: Option<&Context>| {
                engine.preview(question, &today, context).ok()
            };
            let is_new = |read: &Preview| {
                let sql = read.sql.as_deref().filter(|_| is_clear(read));
                sql.is_some_and(|sql| !statements.contains(&shape(sql)))
            };
            let going_on = match (&view.sql, &view.result) {
                (Some(sql), Some(result)) => continuations(sql, result, engine.catalog(), &today),
                _ => Vec::new(),
            };
            let going_on = going_on
                .into_iter()
                .filter(|question| read(question, context.as_ref()).is_some_and(|it| is_new(&it)))
                .take(CONTINUATIONS);
            let mut found: Vec<String> = going_on.collect();
            let others = if view.suggestions.is_empty() {
                Vec::new()
            } else {
                candidates(&view.suggestions, &engine.catalog().areas)
            };
            found.extend(unasked(others, &asked, |question| {
                let sql = read(question, None).and_then(|read| read.sql);
                sql.is_some_and(|sql| statements.contains(&shape(&sql)))
            }));
            if found.len() < SUGGESTIONS && engine.catalog().areas.is_empty() {
                let new = |question: &str| {
                    let sql = read(question, None).filter(is_new)?.sql?;
                    Some(shape(&sql))
                };
                let mut offered: Vec<_> =
                    found.iter().filter_map(|question| new(question)).collect();
                for question in starters::candidates(engine.catalog()).into_iter().take(STARTERS) {
                    if let Some(statement) = new(&question).filter(|it| !offered.contains(it)) {
                        offered.push(statement);
                        found.push(question);
                    }
                }
            }
            found.truncate(SUGGESTIONS);
            found
        })
    }

    /// Whether a question can be answered without being asked back.
    pub fn is_answerable(&self, question: &str) -> bool {
        let today = browser::today();
        let read = self.engine.with_value(|engine| engine.preview(question, &today, None));
        read.is_ok_and(|read| read.sql.is_some() && is_clear(&read))
    }
}

/// Whether nothing would be asked back about a question, and nothing prevents its answer.
fn is_clear(read: &Preview) -> bool {
    read.clarifications.is_empty() && read.problem.is_none()
}
