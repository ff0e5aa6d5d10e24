//! Transitions on results of effects.

use super::{Session, model_notes};
use crate::compose::Failure;
use crate::engine::Engine;
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::session::given::Given;
use crate::session::phase::{Ending, ModelTask, Phase};
use crate::session::statement::{ModelStatement, Refusal, Statement, Unwritten, printed};
use crate::session::{
    Effect, EffectRequest, EffectResult, ExecutionFailure, FoundValues, ProblemView, ProgressStep,
    ResultSet, Stage, StepError, show, written,
};
use crate::template::Extraction;
use crate::writing::{Brief, FailedStatement, TraceEntry, Written};

/// Maximum number of rows beyond the limit that are compared with the last row.
const TIE_ROWS: u32 = 20;

impl Session {
    /// Processes the result of the pending effect; an error if it is of the wrong kind.
    pub(super) fn effect_result(
        &mut self,
        engine: &Engine,
        result: EffectResult,
    ) -> Result<Vec<Effect>, StepError> {
        match (&self.phase, result) {
            (Phase::AwaitValues { .. }, EffectResult::Values { found }) => {
                Ok(self.values(engine, found))
            }
            // Without the search result, the words stay unknown and are clarified.
            (Phase::AwaitValues { .. }, EffectResult::Failed { .. }) => {
                Ok(self.values(engine, Vec::new()))
            }
            (Phase::AwaitParameters { template, .. }, EffectResult::Written { written }) => {
                let template = template.clone();
                Ok(self.extracted(engine, template, *written))
            }
            // Without values, the template does not match.
            (Phase::AwaitParameters { template, .. }, EffectResult::Failed { failure }) => {
                let (template, failed) = (template.clone(), (failure.code, failure.message));
                let written = Written { failure: Some(failed), ..Written::default() };
                Ok(self.extracted(engine, template, written))
            }
            (Phase::AwaitModel { task, refusal, .. }, EffectResult::Written { written }) => {
                let (task, refusal) = (*task, refusal.clone());
                Ok(self.written(engine, task, refusal, *written))
            }
            (Phase::AwaitModel { task, refusal, .. }, EffectResult::Failed { failure }) => {
                let (task, refusal) = (*task, refusal.clone());
                Ok(self.not_written(engine, task, *refusal, failure))
            }
            (Phase::AwaitRows { statement, .. }, EffectResult::Rows { rows }) => {
                let statement = statement.clone();
                Ok(self.rows(engine, statement, rows))
            }
            (Phase::AwaitRows { statement, .. }, EffectResult::Failed { failure }) => {
                let statement = statement.clone();
                Ok(self.not_run(engine, statement, failure))
            }
            (Phase::AwaitTies { tree, .. }, EffectResult::Rows { rows }) => {
                let tree = tree.clone();
                Ok(self.ties(engine, tree, Some(&rows)))
            }
            (Phase::AwaitTies { tree, .. }, EffectResult::Failed { .. }) => {
                let tree = tree.clone();
                Ok(self.ties(engine, tree, None))
            }
            (
                Phase::AwaitValues { .. },
                EffectResult::Rows { .. } | EffectResult::Written { .. },
            )
            | (
                Phase::AwaitModel { .. } | Phase::AwaitParameters { .. },
                EffectResult::Rows { .. } | EffectResult::Values { .. },
            )
            | (
                Phase::AwaitRows { .. } | Phase::AwaitTies { .. },
                EffectResult::Values { .. } | EffectResult::Written { .. },
            )
            | (Phase::Idle | Phase::AwaitAnswer { .. } | Phase::Ended(_), _) => {
                Err(self.unexpected("result of another kind of effect"))
            }
        }
    }

    /// Reads the question again with the stored values that were found.
    fn values(&mut self, engine: &Engine, found: Vec<FoundValues>) -> Vec<Effect> {
        if let Some(question) = &mut self.question {
            question.reading.found = Some(found);
        }
        self.read_again(engine)
    }

    /// Reads the question again with the values that a model took out of it.
    fn extracted(&mut self, engine: &Engine, template: String, written: Written) -> Vec<Effect> {
        let Written { parameters, failure, trace, progress, .. } = written;
        self.view.steps.extend(progress.iter().map(ProgressStep::from));
        if let Some(question) = &mut self.question {
            question.model.trace.extend(trace);
            if let Some((code, message)) = failure {
                let detail = format!("no values for the template {template}: {code}: {message}");
                question.model.trace.push(TraceEntry { stage: "extracting".to_owned(), detail });
            }
            question.reading.extracted = Some(Extraction { template, parameters });
        }
        self.read_again(engine)
    }

    /// Shows rows; if a limit cut them off, looks up ties with the last row.
    fn rows(&mut self, engine: &Engine, statement: Statement, rows: ResultSet) -> Vec<Effect> {
        self.view.notes = show::notes(engine, statement.tree(), &rows);
        self.view.notes.extend(model_notes(&statement));
        let behind = statement.tree().and_then(|tree| beyond(engine, tree, &rows));
        self.view.result = Some(rows);
        match (statement, behind) {
            (Statement::Composed(tree), Some(request)) => {
                let effect = self.effect(request);
                self.enter(Phase::AwaitTies { effect: effect.id, tree });
                vec![effect]
            }
            (statement, _) => {
                self.complete(engine, statement);
                Vec::new()
            }
        }
    }

    /// Adds a note about ties beyond the limit, if they could be looked up.
    fn ties(
        &mut self,
        engine: &Engine,
        tree: Box<QueryTree>,
        beyond: Option<&ResultSet>,
    ) -> Vec<Effect> {
        if let (Some(rows), Some(beyond)) = (&self.view.result, beyond) {
            self.view.notes.extend(show::tie(&tree, rows, beyond));
        }
        self.complete(engine, Statement::Composed(tree));
        Vec::new()
    }

    /// Lets a model repair its statement, at most once; otherwise ends with the failure.
    fn not_run(
        &mut self,
        engine: &Engine,
        statement: Statement,
        failure: ExecutionFailure,
    ) -> Vec<Effect> {
        let repaired = self.question.as_ref().is_none_or(|question| question.model.repaired);
        match statement {
            Statement::Model(model)
                if failure.code == FailureCode::StatementFailed.as_str() && !repaired =>
            {
                self.repair(engine, *model, failure)
            }
            statement => {
                let problem = not_run(failure);
                self.enter(Phase::Ended(Ending::NotRun { problem, statement }));
                self.progress("the data source failed");
                Vec::new()
            }
        }
    }

    fn repair(
        &mut self,
        engine: &Engine,
        statement: ModelStatement,
        failure: ExecutionFailure,
    ) -> Vec<Effect> {
        let Some(question) = &mut self.question else { return Vec::new() };
        question.model.repaired = true;
        let given = Given { engine, start: &self.start };
        let interpretation = given.interpret(question, None);
        let lessons = given.lessons_for_model(question);
        let mut brief = given.brief(question, &interpretation, self.view.round);
        brief.decided.extend(lessons);
        question.lessons.repaired = Some(failure.message.clone());
        let failed = FailedStatement { sql: statement.written.sql, message: failure.message };
        let brief = Brief { failed: Some(failed), ..brief };
        self.await_model(ModelTask::Repair, Box::new(brief), statement.refusal)
    }

    /// Runs the statement of a model, asks its questions, or ends with its failure.
    fn written(
        &mut self,
        engine: &Engine,
        task: ModelTask,
        refusal: Box<Refusal>,
        written: Written,
    ) -> Vec<Effect> {
        let Some(question) = &mut self.question else { return Vec::new() };
        question.lessons.repaired =
            repaired_fault(&written.trace).or(question.lessons.repaired.take());
        question.model.trace.extend(written.trace);
        self.view.steps.extend(written.progress.iter().map(ProgressStep::from));
        if let Some(statement) = written.statement {
            written::show_statement(engine.catalog(), &mut self.view, question, &statement);
            let statement = ModelStatement { written: statement, refusal };
            return self.run(engine, Statement::Model(Box::new(statement)));
        }
        if !written.questions.is_empty() {
            let by_model = written.held.is_empty();
            let asked = written::clarifications(&question.asked.text, &written.questions, by_model);
            for clarification in &asked {
                question.choices.see(clarification);
            }
            question.model.held = written.held;
            self.ask_back(engine, asked, None);
            return Vec::new();
        }
        if let Some(reason) = written.out_of_scope {
            self.refuse(engine, not_in_data(reason), false, None);
            return Vec::new();
        }
        let (code, message) = written.failure.unwrap_or_default();
        let retryable = code.starts_with("model_");
        self.not_written(engine, task, *refusal, ExecutionFailure { code, message, retryable })
    }

    /// Ends the question with its refusal, and adds the failure of the model.
    fn not_written(
        &mut self,
        engine: &Engine,
        task: ModelTask,
        refusal: Refusal,
        failure: ExecutionFailure,
    ) -> Vec<Effect> {
        let retryable = failure.retryable && task == ModelTask::Write;
        let reason = refusal.reason;
        let problem = written::problem(refusal, failure);
        self.refuse(engine, Refusal { reason, problem }, retryable, None);
        Vec::new()
    }
}

/// The first fault that a model repaired; `None` if the last draft that was judged is not sound.
fn repaired_fault(trace: &[TraceEntry]) -> Option<String> {
    let last = trace.iter().rfind(|entry| entry.stage == "judging")?;
    if !last.detail.ends_with("sound") {
        return None;
    }
    let faults = &trace.iter().find(|entry| entry.stage == "repairing")?.detail;
    faults.split(';').next().map(|fault| fault.trim().to_owned())
}

/// The statement for rows beyond the limit; `None` if the rows do not reach the limit or are not ranked.
fn beyond(engine: &Engine, tree: &QueryTree, rows: &ResultSet) -> Option<EffectRequest> {
    let limit = tree.limit?;
    let full = rows.rows.len() == limit as usize && !rows.truncated;
    if !full || show::ranked_column(tree).is_none() {
        return None;
    }
    let sql = printed(engine, tree, Some(TIE_ROWS), limit).ok()?;
    let dialect = engine.catalog().dialect;
    Some(EffectRequest::Execute { sql, dialect, row_limit: TIE_ROWS })
}

fn not_run(failure: ExecutionFailure) -> ProblemView {
    let hint = if failure.retryable {
        "try again in a moment"
    } else {
        "change the question, or ask the person who runs the data source"
    };
    ProblemView {
        code: failure.code,
        stage: Stage::Running,
        message: failure.message,
        hint: hint.to_owned(),
        span: None,
        retryable: failure.retryable,
    }
}

fn not_in_data(reason: String) -> Refusal {
    let failure = Failure {
        code: FailureCode::NotInData,
        message: reason,
        hint: "ask for something that this data holds".to_owned(),
        span: None,
    };
    let problem = show::problem(&failure, Stage::Writing);
    Refusal { reason: Unwritten::OutOfScope, problem }
}
