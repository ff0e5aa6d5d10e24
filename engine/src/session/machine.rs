//! The state machine: events in, effects out.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::show;
use super::{
    AssumptionSource, Effect, EffectRequest, EffectResult, Event, ExecutionFailure, FoundValues,
    Note, NoteKind, Outcome, ProblemView, ProgressStep, ResultSet, SnapshotError, Stage, State,
    StepError, ValueSearch, View,
};
use crate::clarification::{Clarification, ClarificationAnswer, OptionBinding, binding_of};
use crate::compose::{Decisions, Failure, Open, contains_binding, lower};
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::interpretation::{Interpretation, Verdict};
use crate::linking::ValueIndex;
use crate::sql::{Dialect, print};
use crate::template::TemplateAnswer;

/// Version of the snapshot format.
const VERSION: u32 = 1;
/// Rows looked at behind a limit for ties with the last one.
const TIE_ROWS: u32 = 20;

/// One question on its way to an answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Session {
    version: u32,
    view: View,
    question: Option<Question>,
    decisions: Vec<(String, OptionBinding, AssumptionSource)>,
    seen: BTreeMap<String, Clarification>,
    found: Option<Vec<FoundValues>>,
    tree: Option<QueryTree>,
    #[serde(default)]
    template: Option<TemplateStatement>,
    pending: BTreeMap<u32, Pending>,
    next_effect: u32,
}

/// A question as it was asked.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Question {
    text: String,
    today: String,
    skip_clarification: bool,
}

/// The statement of a template that was run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct TemplateStatement {
    name: String,
    sql: String,
    table: Option<String>,
}

/// What a pending effect is for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Pending {
    /// Rows of the answer.
    Answer,
    /// Rows behind the limit.
    Ties,
    /// Stored values.
    Values,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session that nothing was asked in yet.
    pub fn new() -> Self {
        Self {
            version: VERSION,
            view: View::default(),
            question: None,
            decisions: Vec::new(),
            seen: BTreeMap::new(),
            found: None,
            tree: None,
            template: None,
            pending: BTreeMap::new(),
            next_effect: 1,
        }
    }

    /// Takes an event, and gives back what the host is to do; after an error the session is as it was before.
    pub fn step(&mut self, engine: &Engine, event: Event) -> Result<Vec<Effect>, StepError> {
        match event {
            Event::Ask { text, today, skip_clarification } => {
                self.ask(engine, text, today, skip_clarification)
            }
            Event::Answer { answers } => self.answer(engine, &answers),
            Event::Change { answer } => self.change(engine, &answer),
            Event::EffectResult { effect_id, result } => {
                self.effect_result(engine, effect_id, result)
            }
            Event::Retry => self.retry(engine),
            Event::Cancel => Ok(self.cancel()),
        }
    }

    /// Everything a screen needs.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The session as JSON text, to be restored here or elsewhere.
    pub fn snapshot(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A session from its snapshot; one of a later version is refused.
    pub fn restore(snapshot: &str) -> Result<Self, SnapshotError> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let unreadable = |error: serde_json::Error| SnapshotError::Unreadable(error.to_string());
        let versioned: Versioned = serde_json::from_str(snapshot).map_err(unreadable)?;
        if versioned.version > VERSION {
            return Err(SnapshotError::Newer { found: versioned.version, supported: VERSION });
        }
        serde_json::from_str(snapshot).map_err(unreadable)
    }

    fn ask(
        &mut self,
        engine: &Engine,
        text: String,
        today: String,
        skip_clarification: bool,
    ) -> Result<Vec<Effect>, StepError> {
        check_question(engine, &text)?;
        date(&today)?;
        let next_effect = self.next_effect;
        *self = Self { next_effect, ..Self::new() };
        self.view.question.clone_from(&text);
        self.question = Some(Question { text, today, skip_clarification });
        self.enter(State::QueryUnderstanding, "reading the question");
        Ok(self.advance(engine))
    }

    fn answer(
        &mut self,
        engine: &Engine,
        answers: &[ClarificationAnswer],
    ) -> Result<Vec<Effect>, StepError> {
        if self.view.state != State::AwaitingClarification {
            return Err(self.unexpected("answer"));
        }
        let mut decided = Vec::new();
        for answer in answers {
            let open = self
                .view
                .clarifications
                .iter()
                .find(|open| open.id == answer.clarification_id)
                .ok_or_else(|| StepError::UnknownClarification(answer.clarification_id.clone()))?;
            decided.push(decision(open, answer)?);
        }
        if decided.is_empty() {
            return Err(self.unexpected("answer without answers"));
        }
        for (id, binding, source) in decided {
            self.decide(id, binding, source);
        }
        self.enter(State::QueryUnderstanding, "reading the answer");
        Ok(self.advance(engine))
    }

    fn change(
        &mut self,
        engine: &Engine,
        answer: &ClarificationAnswer,
    ) -> Result<Vec<Effect>, StepError> {
        let clarification = self
            .seen
            .get(&answer.clarification_id)
            .ok_or_else(|| StepError::UnknownClarification(answer.clarification_id.clone()))?;
        let (id, binding, source) = decision(clarification, answer)?;
        self.pending.clear();
        self.decide(id, binding, source);
        self.view.result = None;
        self.view.notes.clear();
        self.enter(State::QueryUnderstanding, "reading the changed answer");
        Ok(self.advance(engine))
    }

    fn retry(&mut self, engine: &Engine) -> Result<Vec<Effect>, StepError> {
        let failed = self.view.outcome == Some(Outcome::ExecutionFailed);
        match (&self.tree, &self.template, failed) {
            (Some(tree), _, true) => {
                let tree = tree.clone();
                Ok(self.execute(engine, &tree))
            }
            (None, Some(template), true) => {
                let template = template.clone();
                Ok(self.execute_template(engine, template))
            }
            _ => Err(self.unexpected("retry")),
        }
    }

    fn cancel(&mut self) -> Vec<Effect> {
        self.pending.clear();
        self.view.clarifications.clear();
        self.view.outcome = None;
        self.view.problem = None;
        self.enter(State::Cancelled, "stopped by the asker");
        Vec::new()
    }

    fn effect_result(
        &mut self,
        engine: &Engine,
        effect_id: u32,
        result: EffectResult,
    ) -> Result<Vec<Effect>, StepError> {
        let Some(pending) = self.pending.get(&effect_id).copied() else {
            return Err(StepError::UnknownEffect(effect_id));
        };
        let fits = matches!(
            (pending, &result),
            (_, EffectResult::Failed { .. })
                | (Pending::Values, EffectResult::Values { .. })
                | (Pending::Answer | Pending::Ties, EffectResult::Rows { .. })
        );
        if !fits {
            return Err(self.unexpected("result of another kind of effect"));
        }
        self.pending.remove(&effect_id);
        match (pending, result) {
            (Pending::Values, EffectResult::Values { found }) => {
                self.found = Some(found);
                Ok(self.advance(engine))
            }
            // Without the search, what is known is enough to go on: the words stay unread and are asked about.
            (Pending::Values, _) => {
                self.found = Some(Vec::new());
                Ok(self.advance(engine))
            }
            (Pending::Answer, EffectResult::Rows { rows }) => Ok(self.rows(engine, rows)),
            (Pending::Answer, EffectResult::Failed { failure }) => {
                self.execution_failed(failure);
                Ok(Vec::new())
            }
            (Pending::Ties, EffectResult::Rows { rows }) => {
                self.ties(&rows);
                self.complete(engine);
                Ok(Vec::new())
            }
            (Pending::Ties, _) => {
                self.complete(engine);
                Ok(Vec::new())
            }
            (Pending::Answer, EffectResult::Values { .. }) => {
                Err(self.unexpected("values instead of rows"))
            }
        }
    }

    /// Reads the question with what was decided so far, and goes on as far as possible.
    fn advance(&mut self, engine: &Engine) -> Vec<Effect> {
        let Some(question) = self.question.clone() else { return Vec::new() };
        self.view.outcome = None;
        self.view.problem = None;
        self.view.sql = None;
        self.view.confirmation = None;
        self.view.clarifications.clear();
        let mut interpretation = self.interpret(engine, &question);
        if let Some(effect) = self.search(engine, &question, &interpretation) {
            self.show(engine, &interpretation);
            return vec![effect];
        }
        let settings = engine.settings();
        let skip = question.skip_clarification || !settings.enable_clarification;
        let spent = self.view.round >= settings.rounds;
        for _ in 0..16 {
            let asked: Vec<Open> = interpretation.questions().cloned().collect();
            if asked.is_empty()
                || !(skip || spent)
                || matches!(interpretation.verdict, Verdict::Failed(_))
            {
                break;
            }
            let source = if skip { AssumptionSource::BestGuess } else { AssumptionSource::Budget };
            for open in asked {
                self.decide(open.clarification.id, open.chosen, source);
            }
            interpretation = self.interpret(engine, &question);
        }
        self.show(engine, &interpretation);
        match &interpretation.verdict {
            Verdict::OutOfScope(failure) => {
                self.fail(engine, Outcome::OutOfScope, failure, Stage::Understanding);
                Vec::new()
            }
            Verdict::Failed(failure) => {
                self.fail(engine, Outcome::GenerationFailed, failure, Stage::Writing);
                Vec::new()
            }
            Verdict::Template(_) | Verdict::Tree(_) => {
                let questions: Vec<Clarification> = interpretation
                    .questions()
                    .take(usize::from(settings.questions_per_round))
                    .map(|open| open.clarification.clone())
                    .collect();
                if !questions.is_empty() {
                    self.await_answers(questions);
                    return Vec::new();
                }
                if let Some(failure) = self.lost_decision(&interpretation) {
                    self.fail(engine, Outcome::GenerationFailed, &failure, Stage::Writing);
                    return Vec::new();
                }
                match interpretation.verdict {
                    Verdict::Tree(tree) => self.execute(engine, &tree),
                    Verdict::Template(answer) => {
                        let TemplateAnswer { name, sql, table, .. } = *answer;
                        self.execute_template(engine, TemplateStatement { name, sql, table })
                    }
                    Verdict::Failed(_) | Verdict::OutOfScope(_) => Vec::new(),
                }
            }
        }
    }

    fn await_answers(&mut self, mut questions: Vec<Clarification>) {
        let understood: Vec<String> = self
            .view
            .understanding
            .mentions
            .iter()
            .filter(|mention| mention.kind.is_tied() && mention.phrase != mention.meaning)
            .map(|mention| format!("{} → {}", mention.phrase, mention.meaning))
            .collect();
        for question in &mut questions {
            question.understood.clone_from(&understood);
        }
        self.view.round += 1;
        self.view.clarifications = questions;
        self.view.outcome = Some(Outcome::NeedsClarification);
        self.enter(State::AwaitingClarification, "asking what is open");
    }

    fn interpret(&self, engine: &Engine, question: &Question) -> Interpretation {
        let today = question.today.parse::<Date>().unwrap_or_default();
        let decisions: Decisions = self
            .decisions
            .iter()
            .map(|(id, binding, source)| (id.clone(), (binding.clone(), *source)))
            .collect();
        let mut found = ValueIndex::default();
        for entry in self.found.iter().flatten() {
            if let Some(column) = engine.schema().column(engine.catalog(), &entry.search.column) {
                for value in &entry.values {
                    found.add(column, value);
                }
            }
        }
        engine.reader(today).read(&question.text, &decisions, &found, false)
    }

    /// A search for stored values, where words are unread and columns are not listed completely.
    fn search(
        &mut self,
        engine: &Engine,
        question: &Question,
        interpretation: &Interpretation,
    ) -> Option<Effect> {
        if self.found.is_some() || !engine.catalog().can_execute {
            return None;
        }
        let searches: Vec<ValueSearch> = show::searches(engine, &question.text, interpretation);
        if searches.is_empty() {
            self.found = Some(Vec::new());
            return None;
        }
        Some(self.effect(EffectRequest::LookUpValues { searches }, Pending::Values))
    }

    fn show(&mut self, engine: &Engine, interpretation: &Interpretation) {
        self.view.understanding = show::understanding(engine, interpretation);
        self.view.assumptions = show::assumptions(interpretation);
        for open in &interpretation.open {
            self.seen.insert(open.clarification.id.clone(), open.clarification.clone());
        }
        match &interpretation.verdict {
            Verdict::Tree(tree) => {
                self.view.confirmation = Some(show::sentence(engine, tree));
                self.view.sql = statement(engine, tree, tree.limit, 0).ok();
            }
            Verdict::Template(answer) => {
                self.view.confirmation = Some(answer.sentence.clone());
                self.view.sql = Some(answer.sql.clone());
            }
            Verdict::Failed(_) | Verdict::OutOfScope(_) => {}
        }
    }

    /// A decision of the asker that is not in the statement (invariant I9).
    fn lost_decision(&self, interpretation: &Interpretation) -> Option<Failure> {
        let lost = interpretation
            .open
            .iter()
            .filter(|open| open.decided == Some(AssumptionSource::User))
            .find(|open| match &interpretation.verdict {
                Verdict::Tree(tree) => !contains_binding(tree, &open.chosen),
                Verdict::Template(answer) => !answer.holds(&open.chosen),
                Verdict::Failed(_) | Verdict::OutOfScope(_) => false,
            })?;
        Some(Failure {
            code: "decision_lost",
            message: format!(
                "the answer about “{}” did not find its place in the query",
                lost.clarification.phrase
            ),
            hint: "ask again in other words".to_owned(),
            span: lost.clarification.span,
        })
    }

    fn execute(&mut self, engine: &Engine, tree: &QueryTree) -> Vec<Effect> {
        self.enter(State::GeneratingSql, "writing the statement");
        self.tree = Some(tree.clone());
        self.template = None;
        self.view.outcome = None;
        self.view.problem = None;
        let sql = match statement(engine, tree, tree.limit, 0) {
            Ok(sql) => sql,
            Err(reason) => {
                let failure = Failure {
                    code: "unprintable",
                    message: format!("the statement cannot be written in this dialect: {reason}"),
                    hint: "ask for less at once".to_owned(),
                    span: None,
                };
                self.fail(engine, Outcome::GenerationFailed, &failure, Stage::Writing);
                return Vec::new();
            }
        };
        self.run(engine, sql)
    }

    fn execute_template(&mut self, engine: &Engine, template: TemplateStatement) -> Vec<Effect> {
        let detail = format!("writing the statement of the template {}", template.name);
        self.enter(State::GeneratingSql, &detail);
        self.tree = None;
        self.view.outcome = None;
        self.view.problem = None;
        let sql = template.sql.clone();
        self.template = Some(template);
        self.run(engine, sql)
    }

    /// Runs a statement, where there is a database to run it on.
    fn run(&mut self, engine: &Engine, sql: String) -> Vec<Effect> {
        self.view.sql = Some(sql.clone());
        if !engine.catalog().can_execute {
            let text = "This catalog has no database behind it, so nothing was run.".to_owned();
            self.view.notes = vec![Note { kind: NoteKind::NotRun, text }];
            self.complete(engine);
            return Vec::new();
        }
        self.enter(State::ExecutingQuery, "running the statement");
        let row_limit = engine.settings().row_limit;
        vec![self.effect(
            EffectRequest::Execute { sql, dialect: engine.catalog().dialect, row_limit },
            Pending::Answer,
        )]
    }

    fn rows(&mut self, engine: &Engine, rows: ResultSet) -> Vec<Effect> {
        self.view.notes = show::notes(engine, self.tree.as_ref(), &rows);
        let Some(tree) = self.tree.clone() else {
            self.view.result = Some(rows);
            self.complete(engine);
            return Vec::new();
        };
        let full =
            tree.limit.is_some_and(|limit| rows.rows.len() == limit as usize) && !rows.truncated;
        self.view.result = Some(rows);
        let ranked = show::ranked_column(&tree).is_some();
        if let (true, true, Some(limit)) = (full, ranked, tree.limit)
            && let Ok(sql) = statement(engine, &tree, Some(TIE_ROWS), limit)
        {
            let dialect: Dialect = engine.catalog().dialect;
            return vec![self.effect(
                EffectRequest::Execute { sql, dialect, row_limit: TIE_ROWS },
                Pending::Ties,
            )];
        }
        self.complete(engine);
        Vec::new()
    }

    fn ties(&mut self, behind: &ResultSet) {
        let (Some(tree), Some(rows)) = (&self.tree, &self.view.result) else { return };
        if let Some(note) = show::tie(tree, rows, behind) {
            self.view.notes.push(note);
        }
    }

    fn complete(&mut self, engine: &Engine) {
        self.view.outcome = Some(Outcome::Answered);
        let of_template = self.template.as_ref().and_then(|template| template.table.as_deref());
        let key = self.tree.as_ref().map(|tree| tree.from.as_str()).or(of_template);
        self.view.suggestions = show::suggestions(engine, key, &self.view.question);
        self.enter(State::Completed, "done");
    }

    fn execution_failed(&mut self, failure: ExecutionFailure) {
        self.view.outcome = Some(Outcome::ExecutionFailed);
        let hint = if failure.retryable {
            "try again in a moment"
        } else {
            "change the question, or ask who runs the data source"
        };
        self.view.problem = Some(ProblemView {
            code: failure.code,
            stage: Stage::Running,
            message: failure.message,
            hint: hint.to_owned(),
            span: None,
            retryable: failure.retryable,
        });
        self.enter(State::Failed, "the data source failed");
    }

    fn fail(&mut self, engine: &Engine, outcome: Outcome, failure: &Failure, stage: Stage) {
        self.view.outcome = Some(outcome);
        self.view.problem = Some(show::problem(failure, stage));
        self.view.sql = None;
        self.view.confirmation = None;
        self.view.suggestions = show::suggestions(engine, None, &self.view.question);
        self.enter(State::Failed, "no statement was written");
    }

    fn decide(&mut self, id: String, binding: OptionBinding, source: AssumptionSource) {
        self.decisions.retain(|(known, ..)| *known != id);
        self.decisions.push((id, binding, source));
    }

    fn effect(&mut self, request: EffectRequest, pending: Pending) -> Effect {
        let id = self.next_effect;
        self.next_effect = self.next_effect.wrapping_add(1);
        self.pending.insert(id, pending);
        Effect { id, request }
    }

    fn enter(&mut self, state: State, detail: &str) {
        self.view.state = state;
        self.view.steps.push(ProgressStep { state, detail: detail.to_owned() });
    }

    fn unexpected(&self, event: &'static str) -> StepError {
        StepError::UnexpectedEvent { event, state: self.view.state.name() }
    }
}

/// Assumptions by id are changed like clarifications are answered.
fn decision(
    clarification: &Clarification,
    answer: &ClarificationAnswer,
) -> Result<(String, OptionBinding, AssumptionSource), StepError> {
    let (binding, source) = binding_of(clarification, &answer.answer).map_err(|reason| {
        StepError::InvalidAnswer { clarification_id: clarification.id.clone(), reason }
    })?;
    Ok((clarification.id.clone(), binding, source))
}

/// Statement of a query tree in the catalog's dialect.
pub(super) fn statement(
    engine: &Engine,
    tree: &QueryTree,
    limit: Option<u32>,
    offset: u32,
) -> Result<String, String> {
    let query = lower(engine.catalog(), tree, limit, offset);
    print(&query, engine.catalog().dialect).map_err(|error| error.to_string())
}

/// Refuses what holds no word, or more than is read.
pub(super) fn check_question(engine: &Engine, text: &str) -> Result<(), StepError> {
    let limit = engine.settings().question_bytes;
    if text.len() > limit as usize {
        return Err(StepError::QuestionTooLong { bytes: text.len(), limit });
    }
    if !text.chars().any(char::is_alphanumeric) {
        return Err(StepError::QuestionEmpty);
    }
    Ok(())
}

/// Calendar date of the form `yyyy-mm-dd`.
pub(super) fn date(today: &str) -> Result<Date, StepError> {
    today.parse().map_err(|_| StepError::InvalidToday(today.to_owned()))
}
