//! Advancing: the question read with what was decided so far, and taken as far as possible.

use crate::day;

use super::machine::{Question, Session, TemplateStatement};
use super::run::statement;
use super::{
    AssumptionSource, Context, Effect, EffectRequest, FollowUp, Outcome, Pending, Stage, State,
    ValueSearch, show,
};
use crate::clarification::Clarification;
use crate::compose::{Decisions, Failure, Open, contains_binding};
use crate::conversation::changes;
use crate::engine::Engine;
use crate::intent::QueryTree;
use crate::interpretation::{Earlier, Interpretation, Reader, Verdict};
use crate::linking::ValueIndex;
use crate::template::TemplateAnswer;
use crate::writing::{Mode, Writer};

impl Session {
    /// Reads the question with what was decided so far, and goes on as far as possible.
    pub(super) fn advance(&mut self, engine: &Engine) -> Vec<Effect> {
        let Some(question) = self.question.clone() else { return Vec::new() };
        self.view.outcome = None;
        self.view.problem = None;
        self.view.sql = None;
        self.view.confirmation = None;
        self.view.clarifications.clear();
        self.view.writer = Writer::Composer;
        self.view.mode = Mode::Direct;
        self.view.stated.clear();
        self.view.sub_questions.clear();
        self.model_statement = None;
        let mut interpretation = self.interpret(engine, &question);
        if let Some(effect) = self.search(engine, &question, &interpretation) {
            self.show(engine, &interpretation);
            return vec![effect];
        }
        for _ in 0..16 {
            if !self.recall(engine, &interpretation) {
                break;
            }
            interpretation = self.interpret(engine, &question);
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
        if Self::may_be_written(engine, &interpretation.verdict) {
            let questions = interpretation.round(settings.questions_per_round);
            if questions.is_empty() || skip || spent {
                return self.write(engine, &question, &interpretation);
            }
            self.await_answers(questions);
            return Vec::new();
        }
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
                let questions = interpretation.round(settings.questions_per_round);
                if !questions.is_empty() {
                    self.tree = match &interpretation.verdict {
                        Verdict::Tree(tree) => Some((**tree).clone()),
                        _ => None,
                    };
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

    pub(super) fn await_answers(&mut self, mut questions: Vec<Clarification>) {
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
            self.remark(question);
        }
        self.view.round += 1;
        self.view.clarifications = questions;
        self.view.outcome = Some(Outcome::NeedsClarification);
        self.enter(State::AwaitingClarification, "asking what is open");
    }

    pub(super) fn interpret(&mut self, engine: &Engine, question: &Question) -> Interpretation {
        let today = day::parse(&question.today).unwrap_or_default();
        let own = self.decisions.iter();
        let own = own.map(|(id, binding, source)| (id.clone(), (binding.clone(), *source)));
        let mut decisions = Decisions::new();
        decisions.extend(own);
        let found = self.found_values(engine);
        let followed = self.usable_context(engine).and_then(|context| {
            let said = context.dated();
            let earlier = Earlier { said: &said, tree: &context.tree };
            for (id, decision) in context.decisions(&earlier.joined(&question.text)) {
                decisions.entry(id).or_insert(decision);
            }
            let constraints = self.constraints(engine, true);
            let reader = Reader { constraints: &constraints, ..engine.reader(today) };
            reader.follow(earlier, &question.text, &decisions, &found, false)
        });
        self.follows = followed.is_some();
        let interpretation = followed.unwrap_or_else(|| {
            let constraints = self.constraints(engine, false);
            let reader = Reader { constraints: &constraints, ..engine.reader(today) };
            reader.read(&question.text, &decisions, &found, false)
        });
        self.places.extend(interpretation.places.iter().cloned());
        interpretation
    }

    fn usable_context(&self, engine: &Engine) -> Option<&Context> {
        let context = self.start.context.as_ref()?;
        context.is_usable(engine.catalog(), engine.settings()).then_some(context)
    }

    /// What a follow-up kept of what was asked before, and what it changed.
    fn follow_up(&self, engine: &Engine, tree: &QueryTree) -> Option<FollowUp> {
        let context = self.start.context.as_ref().filter(|_| self.follows)?;
        let (kept, changed) = changes(engine.catalog(), &context.tree, tree);
        let follows = context.said.first().map(|said| said.text.clone()).unwrap_or_default();
        Some(FollowUp { follows, kept, changed })
    }

    /// Stored values that searches brought.
    pub(super) fn found_values(&self, engine: &Engine) -> ValueIndex {
        let before = self.start.context.iter().flat_map(|context| &context.found);
        let found = before.chain(self.found.iter().flatten()).filter_map(|entry| {
            let column = engine.schema().column(engine.catalog(), &entry.search.column)?;
            Some((column, &entry.values))
        });
        ValueIndex::of(
            found.flat_map(|(column, values)| values.iter().map(move |value| (column, value))),
        )
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
        self.view.assumptions = show::assumptions(engine, interpretation);
        self.tell_memory();
        for open in &interpretation.open {
            self.seen.insert(open.clarification.id.clone(), open.clarification.clone());
        }
        self.view.follow_up = None;
        match &interpretation.verdict {
            Verdict::Tree(tree) => {
                self.view.follow_up = self.follow_up(engine, tree);
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
}
