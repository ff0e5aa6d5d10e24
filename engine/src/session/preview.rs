//! Previews of a text while it is typed.

use super::checks::{check_question, date};
use super::statement::printed;
use super::{Context, Preview, ProblemView, Stage, StepError, show};
use crate::compose::Decisions;
use crate::engine::Engine;
use crate::interpretation::{Earlier, Verdict};
use crate::linking::ValueIndex;

impl Engine {
    /// Preview of a text while it is typed; `today` is `yyyy-mm-dd`.
    ///
    /// A text that is too long, or an invalid `today`, gives an empty preview with a problem.
    pub fn preview(&self, text: &str, today: &str) -> Preview {
        preview(self, text, today, None)
    }

    /// Like [`Self::preview`], for a text that can follow up on an earlier question.
    pub fn preview_after(&self, text: &str, today: &str, context: &Context) -> Preview {
        preview(self, text, today, Some(context))
    }
}

fn preview(engine: &Engine, text: &str, today: &str, context: Option<&Context>) -> Preview {
    let checked = check_question(engine, text).and_then(|()| date(today));
    let today = match checked {
        Ok(today) => today,
        Err(StepError::QuestionEmpty) => return Preview::default(),
        Err(error) => return Preview { problem: Some(refused(&error)), ..Preview::default() },
    };
    let context = context.filter(|context| context.is_usable(engine.catalog(), engine.settings()));
    let reader = engine.reader(today);
    let found = ValueIndex::default();
    let followed = context.and_then(|context| {
        let said = context.dated();
        let earlier = Earlier { said: &said, tree: &context.tree };
        let decisions = context.decisions(&earlier.joined(text));
        reader.follow(earlier, text, &decisions, &found, true)
    });
    let interpretation =
        followed.unwrap_or_else(|| reader.read(text, &Decisions::new(), &found, true));
    let mut preview = Preview {
        understanding: show::understanding(engine, &interpretation),
        clarifications: interpretation.round(engine.settings().questions_per_round),
        assumptions: show::assumptions(engine, &interpretation),
        sql: None,
        problem: None,
    };
    match &interpretation.verdict {
        Verdict::Template(answer) => preview.sql = Some(answer.sql.clone()),
        Verdict::Tree(tree) => preview.sql = printed(engine, tree, tree.limit, 0).ok(),
        Verdict::Failed(failure) => preview.problem = Some(show::problem(failure, Stage::Writing)),
        Verdict::OutOfScope(failure) => {
            preview.problem = Some(show::problem(failure, Stage::Understanding));
        }
    }
    preview
}

fn refused(error: &StepError) -> ProblemView {
    ProblemView {
        code: error.code().to_string(),
        stage: Stage::Understanding,
        message: error.to_string(),
        hint: String::new(),
        span: None,
        retryable: false,
    }
}
