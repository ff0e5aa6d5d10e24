//! Plays a scenario: turns its blocks into events for a session.

use wherefore_engine::catalog::DataType;
use wherefore_engine::clarification::{Answer, Clarification, ClarificationAnswer, CustomInput};
use wherefore_engine::memory::{LessonTarget, Memory, Scope};
use wherefore_engine::session::{
    Cell, Correction, Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues,
    ResultColumn, ResultSet, Start, StepError, ValueSearch, View,
};
use wherefore_engine::{Engine, Knowledge, Session};

use super::model;
use super::scenario::{Block, Kind, Scenario};

/// Called after every step.
pub(crate) type Observer<'a> = &'a mut dyn FnMut(Step<'_>);

/// A step of a session.
#[allow(dead_code, reason = "each crate of tests reads other fields")]
pub(crate) struct Step<'a> {
    /// The engine, whose catalog a scenario may have changed.
    pub(crate) engine: &'a Engine,
    /// The session before the event.
    pub(crate) before: &'a Session,
    /// The event.
    pub(crate) event: &'a Event,
    /// Requested effects, or why the event was refused.
    pub(crate) result: &'a Result<Vec<Effect>, StepError>,
    /// The session after the event.
    pub(crate) session: &'a Session,
}

impl Step<'_> {
    /// Requested effects; none if the event was refused.
    #[allow(dead_code, reason = "not every crate of tests calls it")]
    pub(crate) fn effects(&self) -> &[Effect] {
        self.result.as_deref().unwrap_or_default()
    }
}

/// A scenario that is being played.
struct Play<'a> {
    engine: &'a Engine,
    today: String,
    session: Session,
    memory: Memory,
    replaced: Option<Engine>,
    waiting: Vec<Effect>,
    refused: Option<StepError>,
    observer: Observer<'a>,
}

/// The actual output for each block, by position; the observer is called after every step.
pub(crate) fn play(
    engine: &Engine,
    today: &str,
    scenario: &Scenario,
    observer: Observer<'_>,
) -> Vec<(usize, String)> {
    let mut play = Play {
        engine,
        today: today.to_owned(),
        session: Session::new(),
        memory: Memory::default(),
        replaced: None,
        waiting: Vec::new(),
        refused: None,
        observer,
    };
    let mut seen = Vec::new();
    let dialect = engine.catalog().dialect;
    for (position, block) in scenario.blocks.iter().enumerate() {
        if !block.is_for(dialect) {
            continue;
        }
        if !matches!(block.kind, Kind::Values | Kind::Searches) {
            play.find_nothing();
        }
        if block.kind.is_input() {
            play.say(block);
            let after = &scenario.blocks[position + 1..];
            let expected = after
                .iter()
                .take_while(|block| !block.kind.is_input())
                .any(|block| block.kind == Kind::Refused);
            if let (Some(error), false) = (&play.refused, expected) {
                panic!("{}, line {}: {error}", scenario.title, block.opens + 1);
            }
        } else {
            if matches!(block.kind, Kind::Notes | Kind::Outcome) {
                play.find_no_tie();
            }
            seen.push((position, play.shows(block.kind)));
        }
    }
    play.find_nothing();
    seen
}

impl Play<'_> {
    fn step(&mut self, event: Event) {
        let engine = self.replaced.as_ref().unwrap_or(self.engine);
        let before = self.session.clone();
        let result = self.session.step(engine, event.clone());
        let session = &self.session;
        (self.observer)(Step { engine, before: &before, event: &event, result: &result, session });
        match result {
            Ok(effects) => {
                self.refused = None;
                if !matches!(event, Event::EffectResult { .. }) {
                    self.waiting.clear();
                }
                self.waiting.extend(effects);
            }
            Err(error) => self.refused = Some(error),
        }
    }

    fn say(&mut self, block: &Block) {
        match block.kind {
            Kind::User => {
                if let Some(person) = block.flag.strip_prefix("by ") {
                    let person = Some(person.to_owned());
                    self.session = Session::started(Start { person, ..Start::default() });
                    self.waiting.clear();
                }
                if block.flag == "then" || block.flag == "again" {
                    self.keep_choices();
                    let context = self.session.context().filter(|_| block.flag == "then");
                    let memory = self.memory.clone();
                    self.session = Session::started(Start { context, memory, ..Start::default() });
                    self.waiting.clear();
                }
                self.step(Event::Ask {
                    text: block.text.clone(),
                    today: self.today.clone(),
                    skip_clarification: block.flag == "skip",
                });
            }
            Kind::Answer => {
                let answers = answers(&self.session.view().clarifications, &block.text);
                self.step(Event::Answer { answers });
            }
            Kind::Change => self.change(&block.text),
            Kind::Drop => self.drop_column(&block.text),
            Kind::Forget => {
                self.memory.patterns.retain(|pattern| pattern.meaning != block.text);
                self.memory.lessons.retain(|lesson| lesson.words != block.text);
            }
            Kind::Remember => {
                let assumptions = &self.session.view().assumptions;
                let chosen = assumptions.iter().find(|chosen| chosen.phrase == block.text);
                let clarification_id = chosen.map_or_else(String::new, |chosen| chosen.id.clone());
                self.step(Event::Remember { clarification_id });
            }
            Kind::Mark => {
                let view = self.session.view();
                let decided = view.assumptions.iter().map(|assumption| &assumption.clarification);
                let asked = view.clarifications.iter().chain(decided);
                let asked = asked.clone().find(|asked| asked.phrase == block.text);
                let kind = asked.map(|asked| asked.ambiguity);
                let kind = kind.unwrap_or_else(|| panic!("nothing was asked about {}", block.text));
                self.memory.mark(kind, &block.text, block.flag != "helpful", &self.today);
            }
            Kind::Correct => {
                let text = block.text.clone();
                let correction = serde_json::from_str(&text)
                    .unwrap_or_else(|_| Correction::Text { text: text.clone() });
                self.step(Event::Correct { correction });
            }
            Kind::Rows => self.rows(&block.text, &block.flag),
            Kind::Model => self.model(&block.text),
            Kind::Values => self.values(&block.text),
            Kind::Retry => self.step(Event::Retry),
            Kind::Cancel => self.step(Event::Cancel),
            _ => {}
        }
    }

    /// Changes an assumption or an answered clarification: `phrase = answer`.
    fn change(&mut self, text: &str) {
        let (phrase, answer) = text.split_once(" = ").expect("a change reads `phrase = answer`");
        let assumption = self
            .session
            .view()
            .assumptions
            .iter()
            .find(|assumption| assumption.phrase == phrase)
            .unwrap_or_else(|| panic!("nothing was assumed about “{phrase}”"));
        let answer = ClarificationAnswer {
            clarification_id: assumption.id.clone(),
            answer: answer_of(&assumption.clarification, answer).unwrap_or_else(unoffered),
        };
        self.step(Event::Change { answer });
    }

    /// Records the choices in memory, as a host does after an answer.
    fn keep_choices(&mut self) {
        let choices = self.session.take_choices();
        self.memory.record(&choices, Scope::Person, self.engine.settings(), &self.today);
        self.memory.learn(&self.session.take_lessons(), &self.today);
    }

    fn drop_column(&mut self, name: &str) {
        let mut catalog = self.engine.catalog().clone();
        let (table, column) = name.split_once('.').expect("a column reads `table.column`");
        for one in catalog.tables.iter_mut().filter(|one| one.name == table) {
            one.columns.retain(|one| one.name != column);
        }
        let settings = self.engine.settings().clone();
        self.replaced = Some(Engine::new(Knowledge { catalog, settings, ..Knowledge::default() }));
    }

    fn result(&mut self, wanted: fn(&EffectRequest) -> bool, result: EffectResult) {
        let at = self
            .waiting
            .iter()
            .position(|effect| wanted(&effect.request))
            .expect("nothing waits for this result");
        let effect_id = self.waiting.remove(at).id;
        self.step(Event::EffectResult { effect_id, result });
    }

    fn rows(&mut self, text: &str, flag: &str) {
        let (truncated, cut_count) = (flag == "truncated", u32::from(flag == "cut"));
        let result = failed(text).unwrap_or_else(|| EffectResult::Rows {
            rows: ResultSet { truncated, cut_count, ..result_set(text) },
        });
        self.result(|request| matches!(request, EffectRequest::Execute { .. }), result);
    }

    /// Results of searches, as lines `table.column: value | value`; columns without a line have no results.
    fn values(&mut self, text: &str) {
        let found = |search: ValueSearch| {
            let values = text
                .lines()
                .filter_map(|line| line.split_once(": "))
                .filter(|(column, _)| *column == search.column.to_string())
                .flat_map(|(_, values)| values.split(" | ").map(str::to_owned))
                .collect();
            FoundValues { search, values }
        };
        let result = failed(text).unwrap_or_else(|| EffectResult::Values {
            found: self.searches().into_iter().map(found).collect(),
        });
        self.result(|request| matches!(request, EffectRequest::LookUpValues { .. }), result);
    }

    /// Lets a model answer the pending brief; the last answer is repeated.
    fn model(&mut self, text: &str) {
        let brief = self.waiting.iter().find_map(|effect| match &effect.request {
            EffectRequest::Write { brief } => Some((**brief).clone()),
            _ => None,
        });
        let brief =
            brief.unwrap_or_else(|| panic!("no brief waits for the model that answers:\n{text}"));
        let result = failed(text).unwrap_or_else(|| {
            let catalog = self.replaced.as_ref().unwrap_or(self.engine).catalog();
            EffectResult::Written { written: Box::new(model::write(catalog, brief, text)) }
        });
        self.result(|request| matches!(request, EffectRequest::Write { .. }), result);
    }

    fn searches(&self) -> Vec<ValueSearch> {
        let searches = |effect: &Effect| match &effect.request {
            EffectRequest::LookUpValues { searches } => Some(searches.clone()),
            EffectRequest::Execute { .. } | EffectRequest::Write { .. } => None,
        };
        self.waiting.iter().find_map(searches).unwrap_or_default()
    }

    /// Answers pending searches without results.
    fn find_nothing(&mut self) {
        if !self.searches().is_empty() {
            self.values("");
        }
    }

    /// Answers the pending query for ties at the limit without results.
    fn find_no_tie(&mut self) {
        let executes = self.waiting.iter().any(|effect| {
            matches!(effect.request, EffectRequest::Execute { .. })
                && self.session.view().result.is_some()
        });
        if executes {
            self.rows("nothing", "");
        }
    }

    fn shows(&self, kind: Kind) -> String {
        let view = self.session.view();
        match kind {
            Kind::Asks => {
                let asked: Vec<String> = view.clarifications.iter().map(asks).collect();
                asked.join("\n")
            }
            Kind::Assumes => {
                let lines = view.assumptions.iter().map(|assumption| {
                    let source =
                        serde_json::to_value(assumption.source).expect("a source has a name");
                    let source = source.as_str().unwrap_or_default().replace('_', " ");
                    let why = assumption.from_memory.as_ref().map(|memory| memory.reason.as_str());
                    let source = [Some(source.as_str()), why].into_iter().flatten();
                    let source = source.collect::<Vec<_>>().join(", ");
                    format!("{} = {} ({source})", assumption.phrase, assumption.meaning)
                });
                lines.collect::<Vec<_>>().join("\n")
            }
            Kind::Reasons => {
                let reasons = view.clarifications.iter().map(|asked| asked.reason.clone());
                reasons.collect::<Vec<_>>().join("\n")
            }
            Kind::Understood => {
                let asked = view.clarifications.first();
                asked.map(|asked| asked.understood.join("\n")).unwrap_or_default()
            }
            Kind::Rates => {
                let options = view.clarifications.iter().flat_map(|asked| &asked.options);
                let rated = options.filter_map(|option| {
                    let confidence = option.confidence?;
                    Some(format!("{}: {confidence:.2}", option.label))
                });
                rated.collect::<Vec<_>>().join("\n")
            }
            Kind::Remembers => remembered(&self.memory),
            Kind::Lessons => lessons(&self.memory),
            Kind::Follows => {
                let Some(follow_up) = &view.follow_up else { return String::new() };
                let kept = follow_up.kept.iter().map(|part| format!("kept: {part}"));
                let changed = follow_up.changed.iter().map(|part| format!("changed: {part}"));
                kept.chain(changed).collect::<Vec<_>>().join("\n")
            }
            Kind::Notes => {
                let lines = view.notes.iter().map(|note| note.text.clone());
                lines.collect::<Vec<_>>().join("\n")
            }
            Kind::Outcome => match (view.outcome, &view.problem) {
                (Some(outcome), problem) => {
                    let outcome = serde_json::to_value(outcome).expect("an outcome has a name");
                    let code = problem.as_ref().map(|problem| problem.code.as_str());
                    let words = [outcome.as_str(), code];
                    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
                }
                (None, _) => view.state.name().to_owned(),
            },
            Kind::Problem => view
                .problem
                .as_ref()
                .map(|problem| format!("{}\n{}", problem.message, problem.hint))
                .unwrap_or_default(),
            Kind::Parameters => {
                let lines = view.parameters.iter().map(|parameter| {
                    let source = serde_json::to_value(parameter.source);
                    let source = source.expect("a source has a name");
                    let (name, value) = (&parameter.name, &parameter.value);
                    let source = source.as_str().unwrap_or_default();
                    format!("{name} = {value}: {:.2} ({source})", parameter.confidence)
                });
                lines.collect::<Vec<_>>().join("\n")
            }
            Kind::Reads => view.confirmation.clone().unwrap_or_default(),
            Kind::Refused => self.refused.as_ref().map(refusal).unwrap_or_default(),
            Kind::Searches => {
                let lines = self
                    .searches()
                    .into_iter()
                    .map(|ValueSearch { column, text }| format!("{column} ~ {text}"));
                lines.collect::<Vec<_>>().join("\n")
            }
            Kind::Sql => view.sql.clone().unwrap_or_default(),
            Kind::Suggests => view.suggestions.join("\n"),
            Kind::Trace => {
                let lines = self
                    .session
                    .trace()
                    .iter()
                    .map(|entry| format!("{}: {}", entry.stage, entry.detail));
                lines.collect::<Vec<_>>().join("\n")
            }
            Kind::Written => written(view),
            _ => String::new(),
        }
    }
}

/// The writer and the mode of the statement, its sub-questions, and its assumptions.
fn written(view: &View) -> String {
    let name = |value: serde_json::Result<serde_json::Value>| {
        value.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
    };
    let writer = name(serde_json::to_value(view.writer));
    let mut lines = vec![format!("{writer}, {}", name(serde_json::to_value(view.mode)))];
    lines.extend(view.sub_questions.iter().map(|part| format!("{}: {}", part.name, part.question)));
    lines.extend(view.stated.iter().map(|stated| format!("{} = {}", stated.term, stated.value)));
    lines.join("\n")
}

/// Code of a refusal; for invalid words also the reason and the span.
fn refusal(error: &StepError) -> String {
    match error {
        StepError::InvalidWords { text, span, reason, .. } => {
            let place = span.map_or("the whole", |span| span.of(text));
            format!("{}\n{reason}\nat: {place}", error.code())
        }
        _ => error.code().to_string(),
    }
}

/// A clarification and its options; the recommended one is marked with `*`.
fn asks(clarification: &Clarification) -> String {
    let mut lines = vec![clarification.question.clone()];
    for option in &clarification.options {
        let best = clarification.recommended.as_ref() == Some(&option.id);
        lines.push(format!("{} {}", if best { "*" } else { "-" }, option.label));
    }
    match &clarification.custom {
        Some(CustomInput::DateRange { column }) => lines.push(format!("+ range of {column}")),
        Some(CustomInput::Number { column, .. }) => lines.push(format!("+ number of {column}")),
        Some(CustomInput::Text { .. }) => lines.push("+ text".to_owned()),
        None => {}
    }
    lines.join("\n")
}

/// Answers from lines; each line answers the first unanswered clarification that offers it.
fn answers(open: &[Clarification], text: &str) -> Vec<ClarificationAnswer> {
    let mut left: Vec<&Clarification> = open.iter().collect();
    text.lines()
        .map(|line| {
            let offered = left
                .iter()
                .enumerate()
                .find_map(|(at, one)| answer_of(one, line).map(|answer| (at, answer)));
            match offered {
                Some((at, answer)) => {
                    let clarification_id = left.remove(at).id.clone();
                    ClarificationAnswer { clarification_id, answer }
                }
                None => ClarificationAnswer {
                    clarification_id: left.first().map_or_else(String::new, |one| one.id.clone()),
                    answer: unoffered(),
                },
            }
        })
        .collect()
}

fn unoffered() -> Answer {
    Answer::Option { option_id: "not offered".to_owned() }
}

/// Parses `best guess`, `range FIRST..LAST`, `number N`, `text WORDS`, or the label of an option.
fn answer_of(clarification: &Clarification, line: &str) -> Option<Answer> {
    let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    if line == "best guess" {
        return Some(Answer::BestGuess);
    }
    if let Some((start, end)) = line.strip_prefix("range ").and_then(|range| range.split_once(".."))
    {
        return Some(Answer::DateRange { start: part(start), end: part(end) });
    }
    if let Some(value) = line.strip_prefix("number ").and_then(|number| number.parse().ok()) {
        return Some(Answer::Number { value });
    }
    if let Some(text) = line.strip_prefix("text ").filter(|_| clarification.custom.is_some()) {
        return Some(Answer::Text { text: text.to_owned() });
    }
    let option = clarification.options.iter().find(|option| option.label == line)?;
    Some(Answer::Option { option_id: option.id.clone() })
}

/// Parses `failed CODE MESSAGE`, or `unavailable CODE MESSAGE` for a retryable failure.
fn failed(text: &str) -> Option<EffectResult> {
    let (retryable, rest) = match text.strip_prefix("failed ") {
        Some(rest) => (false, rest),
        None => (true, text.strip_prefix("unavailable ")?),
    };
    let (code, message) = rest.split_once(' ').unwrap_or((rest, ""));
    let failure =
        ExecutionFailure { code: code.to_owned(), message: message.to_owned(), retryable };
    Some(EffectResult::Failed { failure })
}

/// Parses a result: column names in the first line, then rows; cells are separated by `, `.
fn result_set(text: &str) -> ResultSet {
    let mut lines = text.lines().map(|line| line.split(", ").collect::<Vec<_>>());
    let columns = lines.next().unwrap_or_default();
    let columns = columns
        .into_iter()
        .map(|name| ResultColumn { name: name.to_owned(), data_type: DataType::Other })
        .collect();
    let rows = lines.map(|cells| cells.into_iter().map(cell).collect()).collect();
    ResultSet { columns, rows, ..ResultSet::default() }
}

fn cell(text: &str) -> Cell {
    match (text, text.parse::<i64>(), text.parse::<f64>()) {
        ("NULL", ..) => Cell::Null,
        (_, Ok(whole), _) => Cell::Integer(whole),
        (_, _, Ok(number)) => Cell::Number(number),
        _ => Cell::Text(text.to_owned()),
    }
}

/// Remembered choices, one per line.
fn remembered(memory: &Memory) -> String {
    let patterns = memory.patterns.iter().map(|pattern| {
        let fixed = if pattern.fixed { ", fixed" } else { "" };
        format!("{} = {} ({}{fixed})", pattern.phrase, pattern.meaning, pattern.frequency)
    });
    patterns.collect::<Vec<_>>().join("\n")
}

/// Learned lessons, one per line.
fn lessons(memory: &Memory) -> String {
    let lessons = memory.lessons.iter().map(|lesson| {
        let kind = serde_json::to_value(lesson.kind).expect("a kind has a name");
        let kind = kind.as_str().unwrap_or_default().replace('_', " ");
        let means = match &lesson.means {
            Some(LessonTarget::Column { column }) => column.to_string(),
            Some(LessonTarget::Table { table }) => table.clone(),
            None => lesson.text.replace('\n', " "),
        };
        let (strength, successes) = (lesson.strength(), lesson.successes);
        let (words, uses) = (&lesson.words, lesson.uses);
        format!("{kind}: {words} = {means} ({strength:.2}, {successes} of {uses})")
    });
    lessons.collect::<Vec<_>>().join("\n")
}
