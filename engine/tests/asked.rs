//! The requirements derived from a question never contradict a statement that answers it.
#![expect(clippy::disallowed_methods, reason = "the scenarios are files")]

#[expect(dead_code, reason = "only scenarios and the model are needed")]
mod support;

use std::collections::BTreeSet;

use serde_json::json;
use support::catalogs::engine;
use support::model;
use support::scenario::{Kind, files};
use wherefore_engine::session::{EffectRequest, EffectResult, Event, View};
use wherefore_engine::settings::Settings;
use wherefore_engine::writing::Brief;
use wherefore_engine::{Engine, Knowledge, Session};
use wherefore_sql::Dialect;
use wherefore_sql::lint::lint;

/// Asks a question without clarifications; returns the view and the brief for a model.
fn asked(engine: &Engine, text: &str, today: &str) -> Option<(View, Option<Brief>)> {
    let mut session = Session::new();
    let (text, today) = (text.to_owned(), today.to_owned());
    let event = Event::Ask { text, today, skip_clarification: true };
    let mut effects = session.step(engine, event).ok()?;
    if let Some(effect) = effects.first()
        && matches!(effect.request, EffectRequest::LookUpValues { .. })
    {
        let result = EffectResult::Values { found: Vec::new() };
        let event = Event::EffectResult { effect_id: effect.id, result };
        effects = session.step(engine, event).ok()?;
    }
    let brief = effects.into_iter().find_map(|effect| match effect.request {
        EffectRequest::Write { brief } => Some(*brief),
        _ => None,
    });
    Some((session.view().clone(), brief))
}

/// The engine can compose almost all of these statements itself. With its own statement as the draft of a model, no
/// rule about the expected result shape reports anything.
#[test]
fn what_the_engine_writes_itself_is_never_doubted() {
    let (mut compared, mut certain, mut doubted) = (0, 0, BTreeSet::new());
    for file in files().iter().filter(|file| file.front.database) {
        let composing = engine(&file.front, Dialect::Sqlite);
        let catalog = composing.catalog().clone();
        let settings = composing.settings().clone();
        let settings = Settings { composer: false, model: true, ..settings };
        let writing =
            Engine::new(Knowledge { catalog: catalog.clone(), settings, ..Knowledge::default() });
        let blocks = file.scenarios.iter().flat_map(|scenario| &scenario.blocks);
        for block in blocks.filter(|block| block.kind == Kind::User && block.flag != "then") {
            let composed = asked(&composing, &block.text, &file.front.today);
            let Some(sql) = composed.and_then(|(view, _)| view.sql) else { continue };
            let brief = asked(&writing, &block.text, &file.front.today);
            let Some(brief) = brief.and_then(|(_, brief)| brief) else { continue };
            compared += 1;
            let shape = &brief.shape;
            certain += usize::from(
                shape.works_out.is_some() || !shape.per.is_empty() || !shape.shows.is_empty(),
            );
            let known: Vec<String> =
                lint(&sql, &catalog, None).into_iter().map(|found| found.message).collect();
            let script = json!({ "sql": sql }).to_string();
            let written = model::write(&catalog, brief, &script);
            let Some(statement) = written.statement else {
                doubted.insert(format!("{}\n  {:?}\n  {sql}", block.text, written.failure));
                continue;
            };
            let doubts = statement.doubts.into_iter().filter(|doubt| !known.contains(doubt));
            doubted.extend(doubts.map(|doubt| format!("{}\n  {doubt}\n  {sql}", block.text)));
        }
    }
    let doubted: Vec<String> = doubted.into_iter().collect();
    assert!(doubted.is_empty(), "{} of {compared}:\n{}", doubted.len(), doubted.join("\n"));
    assert!(compared > 300 && certain > 100, "only {compared} compared, {certain} say something");
}
