//! Running: the statement of a question, its rows, and how a session ends.

use super::machine::{Session, TemplateStatement};
use super::{
    Effect, EffectRequest, EffectResult, ExecutionFailure, Note, NoteKind, Outcome, Pending,
    ProblemView, ResultSet, Stage, State, StepError, show,
};
use crate::compose::{Failure, lower};
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::sql::{Dialect, print};
use crate::writing::{Mode, Writer};

/// Rows looked at behind a limit for ties with the last one.
const TIE_ROWS: u32 = 20;

impl Session {
    pub(super) fn effect_result(
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
                | (Pending::Statement, EffectResult::Written { .. })
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
                if let Some(effects) = self.rewrite(engine, &failure) {
                    return Ok(effects);
                }
                self.execution_failed(failure);
                Ok(Vec::new())
            }
            (Pending::Statement, EffectResult::Written { written }) => {
                Ok(self.written(engine, *written))
            }
            (Pending::Statement, EffectResult::Failed { failure }) => {
                self.not_written(engine, failure);
                Ok(Vec::new())
            }
            (_, EffectResult::Written { .. }) => Err(self.unexpected("a statement")),
            (Pending::Ties, EffectResult::Rows { rows }) => {
                self.ties(&rows);
                self.complete(engine);
                Ok(Vec::new())
            }
            (Pending::Ties, _) => {
                self.complete(engine);
                Ok(Vec::new())
            }
            (Pending::Answer | Pending::Statement, _) => {
                Err(self.unexpected("values instead of rows"))
            }
        }
    }

    pub(super) fn execute(&mut self, engine: &Engine, tree: &QueryTree) -> Vec<Effect> {
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

    pub(super) fn execute_template(
        &mut self,
        engine: &Engine,
        template: TemplateStatement,
    ) -> Vec<Effect> {
        let detail = format!("writing the statement of the template {}", template.name);
        self.view.writer = Writer::Template;
        self.view.mode = Mode::Template;
        self.enter(State::GeneratingSql, &detail);
        self.tree = None;
        self.view.outcome = None;
        self.view.problem = None;
        let sql = template.sql.clone();
        self.template = Some(template);
        self.run(engine, sql)
    }

    /// Runs a statement, where there is a database to run it on.
    pub(super) fn run(&mut self, engine: &Engine, sql: String) -> Vec<Effect> {
        self.view.sql = Some(sql.clone());
        if !engine.catalog().can_execute {
            let text = "This catalog has no database behind it, so nothing was run.".to_owned();
            self.view.notes = vec![Note { kind: NoteKind::NotRun, text }];
            self.view.notes.extend(self.model_notes());
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
        self.view.notes.extend(self.model_notes());
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
        let of_model = self.model_statement.as_ref().and_then(|written| written.table.as_deref());
        let key = self.tree.as_ref().map(|tree| tree.from.as_str()).or(of_template).or(of_model);
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

    pub(super) fn fail(
        &mut self,
        engine: &Engine,
        outcome: Outcome,
        failure: &Failure,
        stage: Stage,
    ) {
        self.view.outcome = Some(outcome);
        self.view.problem = Some(show::problem(failure, stage));
        self.view.sql = None;
        self.view.confirmation = None;
        self.view.suggestions = show::suggestions(engine, None, &self.view.question);
        self.enter(State::Failed, "no statement was written");
    }
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
