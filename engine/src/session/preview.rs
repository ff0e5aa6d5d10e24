//! Previews of a text while it is typed.

use std::collections::BTreeMap;

use super::advance::READINGS;
use super::checks::{check_question, date};
use super::statement::printed;
use super::understood::{Known, with_remarks};
use super::{AssumptionSource, Context, FoundValues, Preview, ProblemView, Stage, StepError, show};
use crate::compose::Decisions;
use crate::day::Date;
use crate::engine::Engine;
use crate::interpretation::{Earlier, Interpretation, Verdict};
use crate::linking::ValueIndex;
use crate::settings::Settings;

impl Engine {
    /// Preview of a text while it is typed; `today` is `yyyy-mm-dd`.
    ///
    /// A text that is too long, or an invalid `today`, gives an empty preview with a problem. If the settings allow no
    /// clarifications, the best options are assumptions, as in a session.
    pub fn preview(&self, text: &str, today: &str) -> Preview {
        preview(self, text, today, None)
    }

    /// What the confidence of a question depends on, by name; empty unless a statement is composed.
    pub fn signals(
        &self,
        text: &str,
        today: &str,
        found: &[FoundValues],
    ) -> Vec<(&'static str, i32)> {
        let Ok(today) = date(today) else { return Vec::new() };
        let found = found.iter().filter_map(|entry| {
            let column = self.schema().column(self.catalog(), &entry.search.column)?;
            Some((column, &entry.values))
        });
        let values =
            found.flat_map(|(column, values)| values.iter().map(move |value| (column, value)));
        let found = ValueIndex::of(values);
        self.reader(today).read(text, &Decisions::new(), &found, false).signals
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
    let interpretation = interpreted(engine, text, today, context, true);
    let understanding = show::understanding(engine, &interpretation);
    let known = match &interpretation.verdict {
        Verdict::Template(answer) => Known::Sentence(&answer.sentence),
        Verdict::Tree(tree) if !interpretation.lacks_a_noun() => Known::Tree(tree),
        Verdict::Tree(_) | Verdict::Failed(_) | Verdict::OutOfScope(_) => Known::Nothing,
    };
    let clarifications = if source_of_guesses(engine.settings()).is_some() {
        Vec::new()
    } else {
        let open = interpretation.round(engine.settings().questions_per_round);
        with_remarks(open, &understanding, &BTreeMap::new(), engine.catalog(), known)
    };
    let mut preview = Preview {
        understanding,
        clarifications,
        assumptions: show::assumptions(engine, &interpretation),
        sql: None,
        problem: None,
    };
    match &interpretation.verdict {
        Verdict::Template(answer) => preview.sql.clone_from(&answer.sql),
        Verdict::Tree(_) if interpretation.lacks_a_noun() => {}
        Verdict::Tree(tree) => preview.sql = printed(engine, tree, tree.limit, 0).ok(),
        Verdict::Failed(failure) => preview.problem = Some(show::problem(failure, Stage::Writing)),
        Verdict::OutOfScope(failure) => {
            preview.problem = Some(show::problem(failure, Stage::Understanding));
        }
    }
    preview
}

/// The interpretation of a text that can follow up on an earlier question; `typing` if its last word can be incomplete.
pub(super) fn interpreted(
    engine: &Engine,
    text: &str,
    today: Date,
    context: Option<&Context>,
    typing: bool,
) -> Interpretation {
    let context = context.filter(|context| context.is_usable(engine.catalog(), engine.settings()));
    let reader = engine.reader(today);
    let found = ValueIndex::default();
    settled(engine.settings(), |guessed| {
        let followed = context.and_then(|context| {
            let said = context.dated();
            let earlier = Earlier { said: &said, tree: &context.tree };
            let mut decisions = context.decisions(&earlier.joined(text));
            decisions.extend(guessed.clone());
            reader.follow(earlier, text, &decisions, &found, typing)
        });
        followed.unwrap_or_else(|| reader.read(text, guessed, &found, typing))
    })
}

/// Reads a text; again with the best options as decisions, while some are left that may not be asked about.
fn settled(settings: &Settings, read: impl Fn(&Decisions) -> Interpretation) -> Interpretation {
    let mut decisions = Decisions::new();
    let mut interpretation = read(&decisions);
    let Some(source) = source_of_guesses(settings) else { return interpretation };
    for _ in 0..READINGS {
        let asked = interpretation.questions().cloned();
        let guessed: Decisions =
            asked.map(|open| (open.clarification.id, (open.chosen, source))).collect();
        if guessed.is_empty() {
            break;
        }
        decisions.extend(guessed);
        interpretation = read(&decisions);
    }
    interpretation
}

/// Why the best options are taken without a question; `None` if the settings allow clarifications.
fn source_of_guesses(settings: &Settings) -> Option<AssumptionSource> {
    match settings {
        Settings { enable_clarification: false, .. } => Some(AssumptionSource::BestGuess),
        Settings { rounds: 0, .. } => Some(AssumptionSource::Budget),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Knowledge;
    use crate::catalog::Catalog;
    use crate::session::{Event, Session};

    const TODAY: &str = "2026-11-20";

    #[test]
    fn a_preview_asks_and_assumes_what_a_session_does() {
        let text = include_str!("../../tests/data/catalogs/shop.json");
        let catalog: Catalog = serde_json::from_str(text).unwrap();
        let engine = Engine::new(Knowledge { catalog, ..Knowledge::default() });
        let off = Settings { enable_clarification: false, ..Settings::default() };
        let no_rounds = Settings { rounds: 0, ..Settings::default() };
        for (settings, source) in [
            (Settings::default(), None),
            (off, Some(AssumptionSource::BestGuess)),
            (no_rounds, Some(AssumptionSource::Budget)),
        ] {
            let engine = engine.with_settings(settings);
            let preview = engine.preview("how many recent orders", TODAY);
            let mut session = Session::new();
            let text = "how many recent orders".to_owned();
            let event = Event::Ask { text, today: TODAY.to_owned(), skip_clarification: false };
            session.step(&engine, event).unwrap();
            let view = session.view();
            assert_eq!(preview.clarifications, view.clarifications, "{source:?}");
            assert_eq!(preview.clarifications.is_empty(), source.is_some(), "{source:?}");
            assert_eq!(preview.assumptions, view.assumptions, "{source:?}");
            assert_eq!(preview.assumptions.first().map(|it| it.source), source);
        }
    }
}
