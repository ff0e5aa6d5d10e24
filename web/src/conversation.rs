//! State of the conversation: the engine, its turns, and the only function that sends events to sessions.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::value::RawValue;
use wherefore_engine::memory::Memory;
use wherefore_engine::session::Outcome;
use wherefore_engine::settings::Settings;

use crate::api;
use crate::browser;
use crate::driver;
use crate::engine_client::{
    Context, Effect, EffectResult, Engine, Event, INVALID_EVENT, Refusal, Session, UNKNOWN_EFFECT,
    View,
};
use crate::reports::Reports;
use crate::texts;
use crate::turn::Turn;
use crate::view_model::history::{Entry, PastPath};
use crate::view_model::insertion::inserted;
use crate::view_model::preferences::Preferences;
use crate::view_model::problem::ApiFailure;
use crate::view_model::report::{Mark, Report};
use crate::view_model::words::{Announcement, Said, announcement, marked, sentence};

/// Content of the two ARIA live regions.
#[derive(Clone, Copy)]
pub struct Announcer {
    /// Content of the polite region.
    pub status: RwSignal<Said>,
    /// Content of the assertive region.
    pub alert: RwSignal<Said>,
}

impl Announcer {
    /// Writes a text into its live region and clears the other one.
    pub fn say(&self, announcement: Announcement) {
        let (status, alert) = match announcement {
            Announcement::Status(said) => (said, Said::default()),
            Announcement::Alert(said) => (Said::default(), said),
        };
        speak(self.status, status);
        speak(self.alert, alert);
    }
}

/// What is known of the user and of others when the page is loaded.
#[derive(Debug)]
pub struct Known {
    /// Name of the user in requests.
    pub person: String,
    /// What the user chose before.
    pub memory: Memory,
    /// What others of the tenant chose, as JSON for the engine.
    pub chosen: Option<Box<RawValue>>,
}

/// The engine and all turns; a cheap handle that components receive as context.
#[derive(Clone, Copy)]
pub struct Conversation {
    /// The engine.
    pub engine: StoredValue<Engine, LocalStorage>,
    /// Turns, oldest first.
    pub turns: RwSignal<Vec<Turn>>,
    /// Remembered choices.
    pub memory: RwSignal<Memory>,
    /// Number of tables whose values the server is still reading.
    pub unread_tables: RwSignal<u32>,
    /// Settings of the server.
    server: StoredValue<Settings>,
    /// What others of the tenant chose, as JSON for the engine.
    chosen: StoredValue<Option<Box<RawValue>>>,
    person: StoredValue<String>,
    thread: StoredValue<String>,
    reports: Reports,
    /// Owner of the signals of turns, which outlive the component that asked.
    owner: StoredValue<Owner>,
    /// Content of the composer.
    pub draft: RwSignal<String>,
    /// Live regions.
    pub announcer: Announcer,
}

impl Conversation {
    /// An empty conversation.
    pub fn new(
        engine: Engine,
        announcer: Announcer,
        draft: RwSignal<String>,
        known: Known,
    ) -> Self {
        let Known { person, memory, chosen } = known;
        Self {
            chosen: StoredValue::new(chosen),
            unread_tables: RwSignal::new(engine.catalog().unread_tables),
            server: StoredValue::new(engine.settings().clone()),
            engine: StoredValue::new_local(engine),
            turns: RwSignal::new(Vec::new()),
            memory: RwSignal::new(memory),
            person: StoredValue::new(person),
            thread: StoredValue::new(browser::random_id()),
            reports: Reports::start(),
            owner: StoredValue::new(Owner::new()),
            draft,
            announcer,
        }
    }

    /// Asks a question in a new turn; a rejected question adds no turn.
    pub fn ask(&self, text: String) -> Result<(), Refusal> {
        self.ask_after(self.context().as_ref(), text)
    }

    /// Asks a question in a new turn, after what was said before.
    fn ask_after(&self, context: Option<&Context>, text: String) -> Result<(), Refusal> {
        let session = self.session(context)?;
        let id = self.turns.with_untracked(Vec::len) as u32 + 1;
        let (thread, person) = (self.thread.get_value(), self.person.get_value());
        let turn =
            self.owner.with_value(|owner| owner.with(|| Turn::new(id, session, thread, person)));
        let event = Event::Ask { text, today: browser::today() };
        self.step(turn, event)?;
        self.turns.update(|turns| turns.push(turn));
        browser::reveal(turn.element_id());
        if turn.view.with_untracked(|view| !view.clarifications.is_empty()) {
            browser::focus(turn.legend_id("ask", 0));
        }
        Ok(())
    }

    /// A new session, after what was said before.
    fn session(&self, context: Option<&Context>) -> Result<Session, Refusal> {
        self.engine.with_value(|engine| {
            self.memory.with_untracked(|memory| {
                self.chosen.with_value(|chosen| engine.session(context, memory, chosen.as_deref()))
            })
        })
    }

    /// Asks an earlier question again, with its texts and corrections in their order; the focus goes to its
    /// clarification, or else to the composer.
    pub fn ask_again(&self, entry: Entry) {
        browser::focus("composer-text".to_owned());
        let Entry { question, path, .. } = entry;
        let asked = match (&path.said[..], &path.corrections[..]) {
            ([], _) | ([_], []) => self.ask(question),
            _ => self.ask_along(path),
        };
        self.report(asked);
    }

    /// Asks the last of several texts after the others, and sends corrections. A text that is not decided is asked
    /// instead, without what comes behind it.
    fn ask_along(&self, PastPath { mut said, corrections }: PastPath) -> Result<(), Refusal> {
        let Some(last) = said.pop() else { return Ok(()) };
        let mut context = None;
        for text in said {
            let session = self.session(context.as_ref())?;
            let event = Event::Ask { text: text.clone(), today: browser::today() };
            self.engine.with_value(|engine| session.step(engine, &event))?;
            context = match session.context() {
                Some(context) if session.view()?.clarifications.is_empty() => Some(context),
                _ => return self.ask_after(context.as_ref(), text),
            };
        }
        self.ask_after(context.as_ref(), last)?;
        let Some(turn) = self.turns.with_untracked(|turns| turns.last().copied()) else {
            return Ok(());
        };
        for correction in corrections {
            let Ok(correction) = RawValue::from_string(correction) else { continue };
            self.step(turn, Event::Correct { correction })?;
        }
        Ok(())
    }

    /// Name of the user in requests.
    pub fn person(&self) -> String {
        self.person.get_value()
    }

    /// Context for a follow-up: that of the last turn which composed a statement.
    pub fn context(&self) -> Option<Context> {
        self.turns.with_untracked(|turns| {
            turns.iter().rev().find_map(|turn| turn.session.with_value(Session::context))
        })
    }

    /// Whether no other question was asked after a turn.
    pub fn is_last(&self, turn: Turn) -> bool {
        self.turns.with(|turns| turns.last().is_some_and(|last| last.id == turn.id))
    }

    /// Sends a suggested question; the focus goes to its clarification, or else to its heading.
    pub fn follow(&self, question: String) {
        let asked = self.ask(question);
        if asked.is_ok()
            && let Some(turn) = self.turns.with_untracked(|turns| turns.last().copied())
        {
            turn.take_focus();
        }
        self.report(asked);
    }

    /// Removes a remembered choice.
    pub fn forget(&self, pattern_id: &str) {
        self.change_memory(|memory| {
            memory.forget(pattern_id);
        });
    }

    /// Changes the remembered choices and stores them.
    pub fn change_memory(&self, change: impl FnOnce(&mut Memory)) {
        self.memory.update(change);
        self.save_memory();
    }

    /// Marks a clarification of a turn, and fetches the memory in which the proxy counts the mark.
    pub fn mark(&self, turn: Turn, clarification_id: String, mark: Mark) {
        let conversation = *self;
        let (id, person) = (turn.asked.with_value(|asked| asked.id.clone()), self.person());
        spawn_local(async move {
            let said = match api::mark(&id, &person, &clarification_id, mark).await {
                Ok(()) => {
                    turn.marks.update(|marks| {
                        marks.insert(clarification_id, mark);
                    });
                    if let Ok(memory) = api::memory(&person).await {
                        conversation.memory.set(memory);
                    }
                    Announcement::status(marked(mark))
                }
                Err(failure) => Announcement::failure(&failure.code, &failure.message()),
            };
            conversation.announcer.say(said);
        });
    }

    /// Settings of the server, without the preferences of the user.
    pub fn server_settings(&self) -> Settings {
        self.server.get_value()
    }

    /// Applies preferences to all later questions.
    pub fn prefer(&self, preferences: Preferences) {
        let settings = self.server.with_value(|server| preferences.applied(server));
        // Settings of this type are always taken.
        self.engine.update_value(|engine| {
            if let Ok(other) = engine.with_settings(settings) {
                *engine = other;
            }
        });
    }

    /// Works on a newer response of `GET /api/v1/catalog` from now on.
    pub fn renew(&self, knowledge: &str) -> Result<(), Refusal> {
        let engine = self.engine.with_value(|engine| engine.on(knowledge))?;
        self.server.set_value(engine.settings().clone());
        self.unread_tables.set(engine.catalog().unread_tables);
        self.engine.set_value(engine);
        Ok(())
    }

    /// Puts a name into the composer at its cursor.
    pub fn insert(&self, name: &str) {
        let place = browser::composer_cursor();
        let (text, cursor) = self.draft.with_untracked(|text| inserted(text, place, name));
        self.draft.set(text);
        browser::focus_composer_at(cursor);
    }

    /// Adds the choices made in a turn to the memory, once it is answered.
    fn keep_choices(&self, turn: Turn) {
        if turn.view.with_untracked(|view| view.outcome != Some(Outcome::Answered)) {
            return;
        }
        let known = self.memory.get_untracked();
        let memory = self.engine.with_value(|engine| {
            turn.session.with_value(|session| session.remembered(engine, &known, &browser::today()))
        });
        if let Some(memory) = memory.ok().filter(|memory| *memory != known) {
            self.change_memory(|known| *known = memory);
        }
    }

    fn save_memory(&self) {
        let (person, memory) = (self.person.get_value(), self.memory.get_untracked());
        spawn_local(async move {
            // The page keeps the memory even if this request fails; the next choice stores it again.
            let _ = api::keep_memory(&person, &memory).await;
        });
    }

    /// Sends an event to a turn's session and keeps the focus inside the turn.
    ///
    /// The focused control may be removed by the event; the focus then moves to the heading of the turn.
    pub fn send(&self, turn: Turn, event: Event) -> Result<(), Refusal> {
        self.step(turn, event)?;
        turn.take_focus();
        Ok(())
    }

    /// Cancels a running turn.
    pub fn stop(&self, turn: Turn) {
        self.report(self.send(turn, Event::Cancel));
    }

    /// Copies a question into the composer.
    pub fn edit(&self, question: String) {
        self.draft.set(question);
        browser::focus("composer-text".to_owned());
    }

    /// Announces the error of a rejected event.
    pub fn report(&self, result: Result<(), Refusal>) {
        if let Err(error) = result {
            let english = sentence(&error.to_string());
            self.announcer.say(Announcement::Alert(Said { own: String::new(), english }));
        }
    }

    /// Runs the statement of a turn whose estimate the user has accepted.
    pub fn run_anyway(&self, turn: Turn) -> Result<(), Refusal> {
        turn.accepts_estimate.set_value(true);
        self.run(turn, false, |session, engine| session.step(engine, &Event::Retry))?;
        turn.take_focus();
        Ok(())
    }

    /// Processes an event of the user.
    fn step(&self, turn: Turn, event: Event) -> Result<(), Refusal> {
        turn.accepts_estimate.set_value(false);
        self.run(turn, false, |session, engine| session.step(engine, &event))
    }

    /// Processes the result of an effect; one that the engine cannot read ends the effect as failed.
    fn finish(&self, turn: Turn, effect_id: u32, result: &EffectResult) -> Result<(), Refusal> {
        let finish = |result: &EffectResult| {
            self.run(turn, true, |session, engine| session.finish(engine, effect_id, result))
        };
        match finish(result) {
            Err(error) if error.code == INVALID_EVENT => {
                let failure = ApiFailure::unreadable(texts::what_response, &error.message);
                turn.failure.set_value(Some(failure.clone()));
                finish(&EffectResult::failed(&failure.into_execution_failure()))
            }
            done => done,
        }
    }

    /// Changes a turn's session, shows its new state and performs its effects.
    fn run(
        &self,
        turn: Turn,
        is_result: bool,
        change: impl FnOnce(&Session, &Engine) -> Result<Vec<Effect>, Refusal>,
    ) -> Result<(), Refusal> {
        let started_ms = browser::now_ms();
        let before = turn.view.get_untracked();
        let (effects, after) = self.engine.with_value(|engine| {
            turn.session.with_value(|session| {
                let effects = change(session, engine)?;
                for clarification_id in turn.remember.get_value() {
                    // Rejected for a clarification that was not answered, which needs no handling.
                    let _ = session.step(engine, &Event::Remember { clarification_id });
                }
                Ok::<_, Refusal>((effects, session.view()?))
            })
        })?;

        if !is_result {
            turn.forget_requests();
            turn.fields.clear();
            turn.asked.update_value(|asked| asked.working_ms += turn.elapsed_ms.get_untracked());
            turn.started_ms.set_value(started_ms);
        }
        turn.elapsed_ms.set(browser::now_ms() - turn.started_ms.get_value());
        if let Some(said) = announcement(&before, &after) {
            self.announcer.say(said);
        }
        self.report_round(turn, &after);
        turn.view.set(Arc::new(after));
        turn.writing.set(Vec::new());
        turn.remember.set_value(Vec::new());
        self.keep_choices(turn);

        let conversation = *self;
        let accepts = turn.accepts_estimate.get_value();
        for effect in effects {
            let Some(signal) = turn.abort_signal() else { continue };
            spawn_local(async move {
                let told = move |step| turn.writing.update(|steps| steps.push(step));
                let failed =
                    move |failure: &ApiFailure| turn.failure.set_value(Some(failure.clone()));
                let result = driver::perform(effect.request, accepts, signal, told, failed).await;
                conversation.effect_done(turn, effect.id, &result);
            });
        }
        Ok(())
    }

    /// Reports a question to the proxy after a round.
    fn report_round(&self, turn: Turn, view: &View) {
        let open = view.clarifications.iter().map(|open| open.id.clone());
        turn.shown.update_value(|shown| shown.extend(open));
        let mut asked = turn.asked.get_value();
        asked.working_ms += turn.elapsed_ms.get_untracked();
        let now = browser::clock_ms();
        let path = turn.session.with_value(|session| session.context()?.path());
        let report = turn.shown.with_value(|shown| Report::of(asked, (view, path), shown, now));
        if let Some(report) = report {
            self.reports.push(report);
        }
    }

    /// Processes the result of an effect; late results after a cancellation or a change are ignored.
    fn effect_done(&self, turn: Turn, effect_id: u32, result: &EffectResult) {
        let follows = browser::thread_is_at_end();
        let had_focus = browser::focus_is_in_or_nowhere(&turn.element_id());
        let stepped = self.finish(turn, effect_id, result);
        if follows && untrack(|| self.is_last(turn)) {
            browser::reveal(turn.element_id());
        }
        match stepped {
            Err(error) if error.code == UNKNOWN_EFFECT => {}
            Err(error) => self.report(Err(error)),
            Ok(()) if had_focus => turn.take_focus(),
            Ok(()) => {
                let asks = turn.view.with_untracked(|view| !view.clarifications.is_empty());
                if asks && self.draft.with_untracked(String::is_empty) {
                    browser::focus(turn.legend_id("ask", 0));
                }
            }
        }
    }
}

/// Writes a text into a live region; a repeated text is modified slightly, since equal texts are not announced.
fn speak(region: RwSignal<Said>, mut said: Said) {
    if said != Said::default() && region.with_untracked(|before| *before == said) {
        said.own.push('\u{a0}');
    }
    region.set(said);
}

/// The conversation that the app provides as context.
pub fn use_conversation() -> Conversation {
    expect_context::<Conversation>()
}
