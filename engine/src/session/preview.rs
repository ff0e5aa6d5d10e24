//! The preview: what the engine makes of a text while it is typed.

use super::machine::{check_question, date};
use super::run::statement;
use super::{Preview, ProblemView, Stage, StepError, show};
use crate::compose::Decisions;
use crate::engine::Engine;
use crate::interpretation::Verdict;
use crate::linking::ValueIndex;

/// Preview of a text; nothing is asked, looked up or run.
pub(crate) fn preview(engine: &Engine, text: &str, today: &str) -> Preview {
    let checked = check_question(engine, text).and_then(|()| date(today));
    let today = match checked {
        Ok(today) => today,
        Err(StepError::QuestionEmpty) => return Preview::default(),
        Err(error) => return Preview { problem: Some(refused(&error)), ..Preview::default() },
    };
    let interpretation =
        engine.reader(today).read(text, &Decisions::new(), &ValueIndex::default(), true);
    let mut preview = Preview {
        understanding: show::understanding(engine, &interpretation),
        clarifications: interpretation
            .questions()
            .take(usize::from(engine.settings().questions_per_round))
            .map(|open| open.clarification.clone())
            .collect(),
        assumptions: show::assumptions(engine, &interpretation),
        sql: None,
        problem: None,
    };
    match &interpretation.verdict {
        Verdict::Template(answer) => preview.sql = Some(answer.sql.clone()),
        Verdict::Tree(tree) => preview.sql = statement(engine, tree, tree.limit, 0).ok(),
        Verdict::Failed(failure) => preview.problem = Some(show::problem(failure, Stage::Writing)),
        Verdict::OutOfScope(failure) => {
            preview.problem = Some(show::problem(failure, Stage::Understanding));
        }
    }
    preview
}

fn refused(error: &StepError) -> ProblemView {
    ProblemView {
        code: error.code().to_owned(),
        stage: Stage::Understanding,
        message: error.to_string(),
        hint: String::new(),
        span: None,
        retryable: false,
    }
}
