//! Decides the next step for a question: search, ask, write, run or refuse.

use super::given::Given;
use super::question::Question;
use super::statement::{Refusal, Statement, TemplateStatement, Unwritten, printed};
use super::{AssumptionSource, ProblemView, Stage, ValueSearch, View, show};
use crate::clarification::Clarification;
use crate::compose::{Failure, Open, contains_binding};
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::interpretation::{Interpretation, Verdict};
use crate::template::TemplateAnswer;
use crate::writing::{Brief, Mode, Writer};

/// Maximum number of readings in one step; each decides ambiguities that the previous one left open.
pub(super) const READINGS: usize = 16;

/// The next step; `basis` as in [`Phase`](super::phase::Phase).
pub(super) enum Next {
    /// Search stored values.
    Search { searches: Vec<ValueSearch>, basis: Option<Box<QueryTree>> },
    /// Let a model take values of a template's parameters out of the question.
    Extract { brief: Box<Brief>, basis: Option<Box<QueryTree>> },
    /// Ask clarifications.
    Ask { questions: Vec<Clarification>, basis: Option<Box<QueryTree>> },
    /// Let a model write the statement.
    Write { brief: Box<Brief>, refusal: Box<Refusal> },
    /// Run a statement.
    Run(Statement),
    /// End without a statement.
    Refuse { refusal: Refusal, basis: Option<Box<QueryTree>> },
}

impl Given<'_> {
    /// Reads the question, decides what needs no clarification, and shows what was understood.
    pub(super) fn advance(
        self,
        question: &mut Question,
        view: &mut View,
        basis: Option<Box<QueryTree>>,
    ) -> Next {
        forget_statement(view);
        let interpretation = self.interpret(question, basis.as_deref());
        if let Some(searches) = self.searches(question, &interpretation) {
            self.show(question, view, &interpretation);
            return Next::Search { searches, basis };
        }
        if let Some(brief) = self.extraction(question, view.round, &interpretation) {
            self.show(question, view, &interpretation);
            return Next::Extract { brief: Box::new(brief), basis };
        }
        let interpretation = self.decide(question, view.round, basis.as_deref(), interpretation);
        self.show(question, view, &interpretation);
        self.next(question, view.round, basis, &interpretation)
    }

    /// The next step after the last reading, in this round of clarification.
    fn next(
        self,
        question: &mut Question,
        round: u8,
        basis: Option<Box<QueryTree>>,
        interpretation: &Interpretation,
    ) -> Next {
        let questions = interpretation.round(self.engine.settings().questions_per_round);
        let (reason, failure) = match &interpretation.verdict {
            Verdict::OutOfScope(failure) => (Unwritten::OutOfScope, failure),
            Verdict::Failed(failure) => (Unwritten::GenerationFailed, failure),
            Verdict::Tree(tree) => {
                return to_run(interpretation, questions, Statement::Composed(tree.clone()), basis);
            }
            Verdict::Template(answer) => {
                let TemplateAnswer { name, sql, table, .. } = (**answer).clone();
                let Some(sql) = sql else { return to_ask(questions, basis) };
                let statement = Statement::Template(TemplateStatement { name, sql, table });
                return to_run(interpretation, questions, statement, basis);
            }
        };
        if !self.may_be_written(reason, failure) {
            let stage = match reason {
                Unwritten::OutOfScope => Stage::Understanding,
                Unwritten::GenerationFailed => Stage::Writing,
            };
            let refusal = Refusal { reason, problem: show::problem(failure, stage) };
            return Next::Refuse { refusal, basis };
        }
        if questions.is_empty() || self.skips(question) || self.is_last(round) {
            let problem = show::problem(failure, Stage::Writing);
            let lessons = self.lessons_for_model(question);
            let mut brief = self.brief(question, interpretation, round);
            brief.decided.extend(lessons);
            let brief = Box::new(brief);
            return Next::Write { brief, refusal: Box::new(Refusal { reason, problem }) };
        }
        Next::Ask { questions, basis }
    }

    /// Reads the question repeatedly, until memory and best guesses decide nothing more.
    fn decide(
        self,
        question: &mut Question,
        round: u8,
        basis: Option<&QueryTree>,
        mut interpretation: Interpretation,
    ) -> Interpretation {
        for _ in 0..READINGS {
            if !self.recall(question, &interpretation) {
                break;
            }
            interpretation = self.interpret(question, basis);
        }
        let skips = self.skips(question);
        if !skips && !self.is_last(round) {
            return interpretation;
        }
        let source = if skips { AssumptionSource::BestGuess } else { AssumptionSource::Budget };
        for _ in 0..READINGS {
            // Joins are confirmed however many rounds were used for other questions.
            let settles = |open: &&Open| skips || !open.clarification.confirms_joins();
            let asked: Vec<Open> = interpretation.questions().filter(settles).cloned().collect();
            if asked.is_empty() || matches!(interpretation.verdict, Verdict::Failed(_)) {
                break;
            }
            for open in asked {
                question.choices.decide(open.clarification.id, open.chosen, source);
            }
            interpretation = self.interpret(question, basis);
        }
        interpretation
    }

    /// Whether a model may write a statement that could not be composed.
    fn may_be_written(self, reason: Unwritten, failure: &Failure) -> bool {
        let may = match reason {
            Unwritten::GenerationFailed => true,
            Unwritten::OutOfScope => failure.code == FailureCode::NothingRecognised,
        };
        may && self.engine.settings().model
    }

    /// Searches for unknown words in columns whose values are not all listed; `None` if a search was made before.
    fn searches(
        self,
        question: &mut Question,
        interpretation: &Interpretation,
    ) -> Option<Vec<ValueSearch>> {
        if question.reading.found.is_some() || !self.engine.catalog().can_execute {
            return None;
        }
        let searches = show::searches(self.engine, &question.asked.text, interpretation);
        if searches.is_empty() {
            question.reading.found = Some(Vec::new());
            return None;
        }
        Some(searches)
    }

    /// The brief for the values of a template that nearly matches; `None` if there is none, or a model was asked before.
    fn extraction(
        self,
        question: &Question,
        round: u8,
        interpretation: &Interpretation,
    ) -> Option<Brief> {
        let asks = self.engine.settings().model && question.reading.extracted.is_none();
        let template = interpretation.near.clone().filter(|_| asks)?;
        let brief = self.brief(question, interpretation, round);
        Some(Brief { template: Some(template), ..brief })
    }

    /// Shows what was understood and assumed, and the statement if there is one.
    fn show(self, question: &mut Question, view: &mut View, interpretation: &Interpretation) {
        let engine = self.engine;
        view.understanding = show::understanding(engine, interpretation);
        view.assumptions = show::assumptions(engine, interpretation);
        question.tell_memory(&mut view.assumptions);
        for open in &interpretation.open {
            question.choices.see(&open.clarification);
        }
        self.note_lessons(question, interpretation);
        view.follow_up = None;
        match &interpretation.verdict {
            Verdict::Tree(_) if interpretation.lacks_a_noun() => {}
            Verdict::Tree(tree) => {
                view.follow_up = self.follow_up(question, tree);
                view.confirmation = Some(show::sentence(engine, tree));
                view.sql = printed(engine, tree, tree.limit, 0).ok();
            }
            Verdict::Template(answer) => {
                view.confirmation = Some(answer.sentence.clone());
                view.sql.clone_from(&answer.sql);
                view.parameters.clone_from(&answer.parameters);
            }
            Verdict::Failed(_) | Verdict::OutOfScope(_) => {}
        }
    }
}

/// Removes the previous statement from the view.
fn forget_statement(view: &mut View) {
    view.sql = None;
    view.confirmation = None;
    view.parameters.clear();
    view.writer = Writer::Composer;
    view.mode = Mode::Direct;
    view.stated.clear();
    view.sub_questions.clear();
}

/// Runs a statement, unless a clarification is open or the statement lacks an answer of the user.
fn to_run(
    interpretation: &Interpretation,
    questions: Vec<Clarification>,
    statement: Statement,
    basis: Option<Box<QueryTree>>,
) -> Next {
    if !questions.is_empty() {
        return Next::Ask { questions, basis: statement.into_tree() };
    }
    if let Some(problem) = lost_decision(interpretation) {
        let refusal = Refusal { reason: Unwritten::GenerationFailed, problem };
        return Next::Refuse { refusal, basis };
    }
    Next::Run(statement)
}

/// Asks for what a statement cannot be written without; ends the question if nothing may be asked.
fn to_ask(questions: Vec<Clarification>, basis: Option<Box<QueryTree>>) -> Next {
    if !questions.is_empty() {
        return Next::Ask { questions, basis };
    }
    let failure = Failure {
        code: FailureCode::NotWritten,
        message: "a value that the question does not give is missing".to_owned(),
        hint: "say the value in the question".to_owned(),
        span: None,
    };
    let problem = show::problem(&failure, Stage::Writing);
    Next::Refuse { refusal: Refusal { reason: Unwritten::GenerationFailed, problem }, basis }
}

/// The problem, if the statement lacks a decision of the user (invariant I9).
fn lost_decision(interpretation: &Interpretation) -> Option<ProblemView> {
    let lost = interpretation
        .open
        .iter()
        .filter(|open| open.decided == Some(AssumptionSource::User))
        .find(|open| match &interpretation.verdict {
            Verdict::Tree(tree) => !contains_binding(tree, &open.chosen),
            Verdict::Template(answer) => !answer.holds(&open.chosen),
            Verdict::Failed(_) | Verdict::OutOfScope(_) => false,
        })?;
    let failure = Failure {
        code: FailureCode::DecisionLost,
        message: format!(
            "the answer about “{}” did not find its place in the query",
            lost.clarification.phrase
        ),
        hint: "ask again in other words".to_owned(),
        span: lost.clarification.span,
    };
    Some(show::problem(&failure, Stage::Writing))
}
