//! Writing by a model: what the composer refuses goes to the host as a brief, and what comes back is run or asked.

use super::machine::{Question, Session};
use super::shape::{frame, shape};
use super::tied::{said, ties};
use super::{
    Assumption, AssumptionSource, Effect, EffectRequest, ExecutionFailure, Note, NoteKind, Outcome,
    Pending, ProblemView, Stage, State,
};
use crate::ambiguity::{AmbiguityKind, Severity};
use crate::catalog::{Catalog, ColumnRef};
use crate::clarification::{Clarification, ClarificationOption, Decision, OptionBinding, clarify};
use crate::compose::{Describer, Failure, Open};
use crate::engine::Engine;
use crate::interpretation::{Interpretation, Verdict};
use crate::linking::{Named, Target};
use crate::text::Span;
use crate::writing::{
    Brief, DecidedWords, FailedStatement, Required, Writer, Written, WrittenOption,
    WrittenQuestion, WrittenStatement,
};

impl Session {
    /// Whether a model may write what could not be composed.
    pub(super) fn may_be_written(engine: &Engine, verdict: &Verdict) -> bool {
        let refused = match verdict {
            Verdict::Failed(_) => true,
            Verdict::OutOfScope(failure) => failure.code == "nothing_recognised",
            Verdict::Template(_) | Verdict::Tree(_) => false,
        };
        refused && engine.settings().model
    }

    /// Hands the question to the model, with all that is understood of it; `failure` is told if nothing comes of it.
    pub(super) fn write(
        &mut self,
        engine: &Engine,
        question: &Question,
        interpretation: &Interpretation,
    ) -> Vec<Effect> {
        if let Verdict::Failed(failure) | Verdict::OutOfScope(failure) = &interpretation.verdict {
            let outcome = match &interpretation.verdict {
                Verdict::OutOfScope(_) => Outcome::OutOfScope,
                _ => Outcome::GenerationFailed,
            };
            self.fail(engine, outcome, failure, Stage::Writing);
            self.view.outcome = None;
            self.view.suggestions.clear();
            self.view.steps.pop();
            self.refusal = self.view.problem.take().map(|problem| (outcome, problem));
        }
        self.tree = None;
        self.template = None;
        let brief = self.brief(engine, question, interpretation);
        self.enter(State::GeneratingSql, "a model writes the statement");
        vec![self.effect(EffectRequest::Write { brief: Box::new(brief) }, Pending::Statement)]
    }

    fn brief(
        &self,
        engine: &Engine,
        question: &Question,
        interpretation: &Interpretation,
    ) -> Brief {
        let constraints = self.constraints(engine, self.follows);
        let name = |target: &Target| match target {
            Target::Label(table) | Target::Table(table) => engine.catalog().table_at(*table).key(),
            Target::Column(column) | Target::Value(column, _) => {
                engine.catalog().reference(*column).to_string()
            }
            Target::Metric(_) => String::new(),
        };
        let joined = constraints.joins.iter();
        let joined = joined.flat_map(|(left, right)| [left.to_string(), right.to_string()]);
        let before = self.start.context.as_ref().filter(|context| {
            self.follows && context.is_usable(engine.catalog(), engine.settings())
        });
        let decided = self.decided_words(engine.catalog(), &interpretation.open);
        // Frames of what was asked before are merged, and this one's alone says little.
        let frame = (!self.follows).then(|| frame(engine, question, interpretation));
        let frame = frame.as_ref();
        let shape = shape(engine, interpretation, &decided, frame);
        Brief {
            question: question.text.clone(),
            today: question.today.clone(),
            earlier: before
                .map(|context| context.said.iter().map(|said| said.text.clone()).collect())
                .unwrap_or_default(),
            ties: ties(engine, interpretation, frame),
            said: said(interpretation, &decided, frame),
            decided,
            selected: constraints.selected.iter().map(name).chain(joined).collect(),
            rejected: constraints.rejected.iter().map(name).collect(),
            refused: match &interpretation.verdict {
                Verdict::Failed(failure) | Verdict::OutOfScope(failure) => failure.code.to_owned(),
                Verdict::Template(_) | Verdict::Tree(_) => String::new(),
            },
            shape,
            skip_clarification: question.skip_clarification
                || !engine.settings().enable_clarification
                || self.view.round >= engine.settings().rounds,
            failed: None,
            held: self.held.clone(),
        }
    }

    /// What was decided, by anyone, about words of the question.
    fn decided_words(&self, catalog: &Catalog, open: &[Open]) -> Vec<DecidedWords> {
        let by_session = self.decisions.iter().filter_map(|(id, binding, source)| {
            let asked = self.seen.get(id)?;
            Some((asked, binding.clone(), *source))
        });
        let by_default = open.iter().filter_map(|open| {
            let known = self.decisions.iter().any(|(id, ..)| *id == open.clarification.id);
            let source = open.decided.unwrap_or(AssumptionSource::Default);
            (!known).then(|| (&open.clarification, open.chosen.clone(), source))
        });
        by_session
            .chain(by_default)
            .map(|(asked, binding, source)| {
                let chosen = asked.options.iter().find(|option| option.binding == binding);
                let meaning = match (&binding, chosen) {
                    (OptionBinding::Predicate { predicate }, _) => {
                        Describer { catalog }.predicate(predicate)
                    }
                    (_, Some(option)) => option.label.clone(),
                    (_, None) => String::new(),
                };
                DecidedWords {
                    phrase: asked.phrase.clone(),
                    meaning,
                    required: Required::of(&binding),
                    fixed: matches!(source, AssumptionSource::User | AssumptionSource::Correction),
                }
            })
            .collect()
    }

    /// What the model made of it: a statement is run, questions are asked, anything else ends the question.
    pub(super) fn written(&mut self, engine: &Engine, written: Written) -> Vec<Effect> {
        self.trace.extend(written.trace);
        if let Some(statement) = written.statement {
            return self.run_written(engine, statement);
        }
        if !written.questions.is_empty() {
            self.held = written.held;
            self.ask_written(&written.questions);
            return Vec::new();
        }
        if let Some(reason) = written.out_of_scope {
            let failure = Failure {
                code: "not_in_data",
                message: reason,
                hint: "ask for something that this data holds".to_owned(),
                span: None,
            };
            self.fail(engine, Outcome::OutOfScope, &failure, Stage::Writing);
            return Vec::new();
        }
        let (code, message) = written.failure.unwrap_or_default();
        let retryable = code.starts_with("model_");
        self.not_written(engine, ExecutionFailure { code, message, retryable });
        Vec::new()
    }

    /// Ends the question as it would have ended without a model, and says what became of the model's try.
    pub(super) fn not_written(&mut self, engine: &Engine, failure: ExecutionFailure) {
        let (outcome, refused) = self.refusal.take().unwrap_or_else(|| {
            let problem = ProblemView {
                code: "not_written".to_owned(),
                stage: Stage::Writing,
                message: "no statement could be written".to_owned(),
                hint: "ask again in other words".to_owned(),
                span: None,
                retryable: false,
            };
            (Outcome::GenerationFailed, problem)
        });
        self.fail(
            engine,
            outcome,
            &Failure { code: "", message: String::new(), hint: String::new(), span: None },
            Stage::Writing,
        );
        let message = format!("a model is needed for this, and {}", failure.message);
        self.view.problem = Some(ProblemView {
            message,
            retryable: failure.retryable,
            hint: if failure.retryable { "try again in a moment".to_owned() } else { refused.hint },
            code: if failure.retryable { failure.code } else { refused.code },
            ..refused
        });
    }

    fn ask_written(&mut self, questions: &[WrittenQuestion]) {
        let text = self.view.question.clone();
        let clarifications: Vec<Clarification> = questions
            .iter()
            .map(|question| clarification(&text, question, self.held.is_empty()))
            .collect();
        for clarification in &clarifications {
            self.seen.insert(clarification.id.clone(), clarification.clone());
        }
        self.await_answers(clarifications);
    }

    fn run_written(&mut self, engine: &Engine, statement: WrittenStatement) -> Vec<Effect> {
        self.view.writer = Writer::Model;
        self.view.mode = statement.mode;
        self.view.confirmation = Some(statement.explanation.clone());
        self.view.stated.clone_from(&statement.assumptions);
        self.view.sub_questions.clone_from(&statement.steps);
        let answered = self.answered();
        self.view.assumptions.extend(answered);
        let sql = statement.sql.clone();
        self.model_statement = Some(statement);
        self.run(engine, sql)
    }

    /// What was answered to questions of writing, which reading the question finds nothing of: it can be changed too.
    fn answered(&self) -> Vec<Assumption> {
        let shown = |id: &String| self.view.assumptions.iter().any(|known| known.id == *id);
        let answered = self.decisions.iter().filter(|(id, ..)| !shown(id));
        let answered = answered.filter_map(|(id, binding, source)| {
            let clarification = self.seen.get(id)?.clone();
            let chosen = clarification.options.iter().find(|option| option.binding == *binding);
            let chosen = chosen?.clone();
            Some(Assumption {
                id: id.clone(),
                phrase: clarification.phrase.clone(),
                span: clarification.span,
                meaning: chosen.label.clone(),
                source: *source,
                from_memory: None,
                clarification,
                chosen: Some(chosen),
            })
        });
        answered.collect()
    }

    /// That a model wrote the statement, and what it took for granted.
    pub(super) fn model_notes(&self) -> Vec<Note> {
        let Some(statement) = &self.model_statement else { return Vec::new() };
        let note = |text: String| Note { kind: NoteKind::Model, text };
        let taken = statement.assumptions.iter();
        let taken =
            taken.map(|stated| note(format!("It took “{}” as {}.", stated.term, stated.value)));
        let by_model = "A model wrote this query: read it before you rely on it.".to_owned();
        let mended =
            statement.corrected.iter().map(|made| note(format!("It was corrected: {made}.")));
        let doubted =
            statement.doubts.iter().map(|doubt| note(format!("It may be wrong: {doubt}.")));
        std::iter::once(note(by_model)).chain(doubted).chain(mended).chain(taken).collect()
    }

    /// Has a statement repaired that failed when it ran, once.
    pub(super) fn rewrite(
        &mut self,
        engine: &Engine,
        failure: &ExecutionFailure,
    ) -> Option<Vec<Effect>> {
        let statement = self.model_statement.as_ref()?;
        if failure.code != "statement_failed" || self.rewritten {
            return None;
        }
        let failed =
            FailedStatement { sql: statement.sql.clone(), message: failure.message.clone() };
        self.rewritten = true;
        let question = self.question.clone()?;
        let interpretation = self.interpret(engine, &question);
        let brief =
            Brief { failed: Some(failed), ..self.brief(engine, &question, &interpretation) };
        self.enter(State::Repairing, "the model repairs the statement");
        Some(vec![self.effect(EffectRequest::Write { brief: Box::new(brief) }, Pending::Statement)])
    }
}

/// A question of a model, or about what its drafts differ in, as a clarification.
fn clarification(text: &str, question: &WrittenQuestion, by_model: bool) -> Clarification {
    let option = |option: &WrittenOption| {
        let WrittenOption { label, table, column, value, figure } = option.clone();
        let (id, binding) = match (column, value) {
            (Some(column), _) if let Some(function) = figure => {
                let id = format!("{column} {label}");
                (id, OptionBinding::Aggregate { function })
            }
            (None, _) => (table.clone(), OptionBinding::Table { table }),
            (Some(column), None) => {
                let column = ColumnRef { table, column };
                (column.to_string(), OptionBinding::Column { column })
            }
            (Some(column), Some(value)) => {
                let column = ColumnRef { table, column };
                (format!("{column}={value}"), OptionBinding::Value { column, value })
            }
        };
        ClarificationOption { id, label, description: String::new(), binding }
    };
    let options: Vec<ClarificationOption> = question.options.iter().map(option).collect();
    let span = place(text, &question.phrase);
    clarify(
        text,
        Decision {
            kind: match options.first().map(|option| &option.binding) {
                Some(OptionBinding::Aggregate { .. }) => AmbiguityKind::Aggregation,
                Some(OptionBinding::Column { .. }) => AmbiguityKind::Column,
                Some(OptionBinding::Value { .. }) => AmbiguityKind::Value,
                _ => AmbiguityKind::Table,
            },
            severity: Severity::Important,
            phrase: span.map_or(question.phrase.as_str(), |span| span.of(text)).to_owned(),
            span,
            reason: if question.reason.is_empty() {
                "the model that writes the statement asks it".to_owned()
            } else if by_model {
                format!("the model that writes the statement asks: {}", question.reason)
            } else {
                question.reason.clone()
            },
            options,
            recommended: None,
            custom: None,
        },
    )
}

/// Where words stand in a question, ignoring case; none where they do not.
fn place(question: &str, words: &str) -> Option<Span> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    question.char_indices().find_map(|(start, _)| {
        let end = start + words.len();
        let same = question.get(start..end)?.eq_ignore_ascii_case(words);
        same.then(|| Span::new(start, end))
    })
}
