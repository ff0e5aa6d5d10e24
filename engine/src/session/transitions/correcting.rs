//! Corrections: of the question of the session, and of the last answer of a conversation.

use super::Session;
use crate::catalog::Table;
use crate::clarification::OptionBinding;
use crate::compose::{Constraints, reads_table};
use crate::conversation::compares_with_values;
use crate::engine::Engine;
use crate::failure::FailureCode;
use crate::intent::QueryTree;
use crate::linking::{Named, Target};
use crate::session::checks::check_question;
use crate::session::constraints::Kept;
use crate::session::given::Given;
use crate::session::names::{self, Names};
use crate::session::phase::{Ending, Phase};
use crate::session::question::{Asked, Question};
use crate::session::{Context, Correction, Effect, Start, State, StepError, View};

/// Output columns up to which a column is shown because it was asked for, and not as one of the columns of whole rows.
const FEW_COLUMNS: usize = 3;

/// One way to follow a correction.
struct Attempt {
    correction: Correction,
    gives_way: GivesWay,
}

/// Earlier choices that give way to a correction.
#[derive(Clone, Copy)]
enum GivesWay {
    Nothing,
    /// Choices of tables, columns, values and joins.
    Names,
    /// These, and conditions that were chosen.
    Conditions,
}

/// Whether an attempt follows a correction.
enum Followed {
    /// Its statement uses what is selected and nothing that is rejected.
    Yes,
    /// Its statement shows the column that is selected beside others, so that nothing else may have changed. Only if no
    /// other attempt follows the correction is it taken.
    Shown,
    /// It has no statement yet: stored values, an answer or a model are awaited. Only if no other attempt follows the
    /// correction is it taken.
    Undecided,
    No,
}

impl Session {
    /// Reads the question again with a correction; an error if the statement does not use it.
    pub(super) fn correct(
        &mut self,
        engine: &Engine,
        correction: Correction,
    ) -> Result<Vec<Effect>, StepError> {
        let Some(question) = &self.question else { return Err(self.unexpected("correct")) };
        let limit = usize::from(engine.settings().corrections);
        if question.corrections.len() >= limit {
            return Err(StepError::TooManyCorrections { limit });
        }
        let text = match &correction {
            Correction::Text { text } => text.clone(),
            _ => String::new(),
        };
        // Words that are more than names say what else was meant; names are tried as such first.
        let names = (!text.is_empty()).then(|| self.only_names(engine, question, &text));
        let names_only = names.as_ref().is_none_or(Option::is_some);
        // A name alone may be of something that the question has no place for.
        let contrasts = names
            .flatten()
            .is_some_and(|names| !names.rejected.is_empty() && !names.selected.is_empty());
        // "By country" groups; a column that is only shown does not follow it.
        let groups = names::groups(engine.corrections(), &text);
        if (groups || !names_only)
            && let Some((session, effects)) = self.as_follow_up(engine, &text)
        {
            *self = session;
            return Ok(effects);
        }
        let corrected = self.by_names(engine, (correction, &text));
        if corrected.is_err()
            && contrasts
            && let Some((session, effects)) = self.as_follow_up(engine, &text)
        {
            *self = session;
            return Ok(effects);
        }
        corrected
    }

    /// Follows a correction that names tables, columns or a join.
    fn by_names(
        &mut self,
        engine: &Engine,
        (correction, text): (Correction, &str),
    ) -> Result<Vec<Effect>, StepError> {
        let Some(question) = &self.question else { return Err(self.unexpected("correct")) };
        let groups = names::groups(engine.corrections(), text);
        let attempts = self.attempts(engine, question, correction)?;
        let before = self.clone();
        let tree = before.phase.basis().cloned();
        let (mut undecided, mut shown, mut unchanged) = (None, None, false);
        for attempt in attempts {
            let effects = self.read_corrected(engine, attempt);
            match self.followed(engine) {
                // An answer that stays the same does not follow it.
                Followed::Yes | Followed::Shown
                    if before.is_answered() && self.phase.basis() == tree.as_ref() =>
                {
                    unchanged = true;
                }
                Followed::Yes => return Ok(effects),
                Followed::Shown if shown.is_none() && !groups => {
                    shown = Some((self.clone(), effects));
                }
                Followed::Undecided if undecided.is_none() => {
                    undecided = Some((self.clone(), effects));
                }
                Followed::Shown | Followed::Undecided | Followed::No => {}
            }
            *self = before.clone();
        }
        if let Some((session, effects)) = undecided.or(shown) {
            *self = session;
            return Ok(effects);
        }
        Err(StepError::InvalidWords {
            code: FailureCode::CorrectionUnused,
            clarification_id: None,
            text: text.to_owned(),
            reason: if unchanged {
                "the answer stays the same".to_owned()
            } else {
                "the question has no place for it".to_owned()
            },
            span: None,
            hint: "ask a question that names it".into(),
        })
    }

    /// Names of a correction in words; none where it is made of more than names and phrases.
    fn only_names(&self, engine: &Engine, question: &Question, text: &str) -> Option<Constraints> {
        let near = self.phase.basis().and_then(|tree| engine.schema().table(&tree.from));
        let names = Names { engine, today: question.asked.date(), near, exact: true };
        names::read(&names, text).ok()
    }

    /// The session of a correction that is read as a follow-up of its question, and its effects; none where it says
    /// nothing that changes the answer.
    fn as_follow_up(&self, engine: &Engine, text: &str) -> Option<(Self, Vec<Effect>)> {
        let question = self.question.as_ref()?;
        let context = self.context()?;
        let before = context.tree.clone();
        let text = names::led(engine.corrections(), text);
        let asked = Asked { text: text.clone(), ..question.asked.clone() };
        check_question(engine, &text).ok()?;
        let mut session = Self {
            start: Start { context: Some(context), ..self.start.clone() },
            view: View { question: text, ..View::default() },
            question: Some(Question::new(asked)),
            phase: Phase::Idle,
            last_effect: self.last_effect,
        };
        session.passed(State::QueryUnderstanding, "reading the correction");
        let effects = session.read(engine, None);
        let follows = session.question.as_ref().is_some_and(|question| question.reading.follows);
        let changed = session.phase.basis().is_none_or(|tree| *tree != before);
        let read = session.view.understanding.unread.is_empty();
        let taken = match &session.phase {
            // A stored value that is not listed may be meant in place of another one.
            Phase::AwaitValues { .. } => compares_with_values(&before),
            Phase::AwaitAnswer { .. }
            | Phase::AwaitRows { .. }
            | Phase::Ended(Ending::Answered { .. }) => changed && read,
            _ => false,
        };
        (follows && taken).then_some((session, effects))
    }

    /// Ways to follow a correction, in the order to try them: as it is, against earlier choices, and where it names
    /// nothing but a table, in place of each table of the statement, related ones first.
    fn attempts(
        &self,
        engine: &Engine,
        question: &Question,
        correction: Correction,
    ) -> Result<Vec<Attempt>, StepError> {
        let given = Given { engine, start: &self.start };
        let tree = self.phase.basis();
        let constraints = given.constraints_of(question, tree, &correction)?;
        let correction = given.fixed(question, &correction, &constraints).unwrap_or(correction);
        let mut attempts: Vec<Attempt> = [GivesWay::Nothing, GivesWay::Names, GivesWay::Conditions]
            .map(|gives_way| Attempt { correction: correction.clone(), gives_way })
            .into();
        let catalog = engine.catalog();
        if let ([Target::Table(table)], [], Some(tree)) =
            (&constraints.selected[..], &constraints.rejected[..], tree)
        {
            let selected = catalog.table_at(*table).key();
            let in_place_of = |rejected: String| Attempt {
                correction: Correction::Table {
                    selected_table: Some(selected.clone()),
                    rejected_tables: vec![rejected],
                },
                gives_way: GivesWay::Names,
            };
            let keys = catalog.tables.iter().map(Table::key);
            let related = keys.filter(|key| *key != tree.from && reads_table(tree, key));
            let tables = related.chain([tree.from.clone()]);
            attempts.extend(tables.filter(|key| *key != selected).map(in_place_of));
        }
        Ok(attempts)
    }

    fn read_corrected(&mut self, engine: &Engine, attempt: Attempt) -> Vec<Effect> {
        let Some(question) = &mut self.question else { return Vec::new() };
        question.corrections.push(attempt.correction);
        let gives_way = |binding: &OptionBinding| attempt.gives_way.includes(binding);
        question.choices.forget(gives_way);
        if let Some(context) = &mut self.start.context {
            context.decisions.retain(|decided| !gives_way(&decided.binding));
        }
        self.view.result = None;
        self.view.notes.clear();
        self.passed(State::QueryUnderstanding, "reading the correction");
        // The correction invalidates the earlier query tree.
        self.read(engine, None)
    }

    /// Whether the statement of the question runs, or its answer is there.
    fn is_answered(&self) -> bool {
        matches!(self.view.state, State::ExecutingQuery | State::Completed)
    }

    /// Whether the statement follows the corrections.
    fn followed(&self, engine: &Engine) -> Followed {
        let given = Given { engine, start: &self.start };
        match (&self.question, self.phase.basis()) {
            (Some(question), Some(tree)) => match given.kept_corrections(question, tree) {
                Kept::Used => Followed::Yes,
                Kept::Shown if tree.select.len() <= FEW_COLUMNS => Followed::Yes,
                Kept::Shown => Followed::Shown,
                Kept::No => Followed::No,
            },
            _ if matches!(self.phase, Phase::Ended(Ending::Unwritten { .. })) => Followed::No,
            _ => Followed::Undecided,
        }
    }

    /// The session of the answer before this text, corrected by it, and its effects; `None` if the text is a question.
    pub(super) fn corrects_answer(
        &self,
        engine: &Engine,
        asked: &Asked,
    ) -> Result<Option<(Self, Vec<Effect>)>, StepError> {
        let given = Given { engine, start: &self.start };
        let Some(context) = given.usable_context() else { return Ok(None) };
        if !names::is_phrased(engine.corrections(), &asked.text) {
            return Ok(None);
        }
        let near = engine.schema().table(&context.tree.from);
        let names = Names { engine, today: asked.date(), near, exact: true };
        let read = names::read(&names, &asked.text);
        if !read.is_ok_and(|read| !read.selected.is_empty() || !read.joins.is_empty()) {
            return Ok(None);
        }
        let Some(mut session) = self.answered(context.clone(), asked) else { return Ok(None) };
        let correction = Correction::Text { text: asked.text.clone() };
        match session.correct(engine, correction) {
            Ok(effects) => Ok(Some((session, effects))),
            Err(error @ StepError::TooManyCorrections { .. }) => Err(error),
            Err(error) if names::is_plain(engine.corrections(), &asked.text) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// A session as it was when the last text of a context was answered.
    fn answered(&self, mut context: Context, asked: &Asked) -> Option<Self> {
        let said = context.said.pop()?;
        let mut question = Question::new(Asked {
            text: said.text,
            today: said.today,
            skip_clarification: asked.skip_clarification,
        });
        question.corrections = std::mem::take(&mut context.corrections);
        let tree: Box<QueryTree> = Box::new(context.tree.clone());
        let earlier = if context.said.is_empty() {
            for (id, (binding, source)) in context.decisions(&question.asked.text) {
                question.choices.decide(id, binding, source);
            }
            // What was searched for the answer is not searched again, also if nothing was found.
            question.reading.found = Some(context.found);
            None
        } else {
            question.reading.found = Some(Vec::new());
            question.reading.follows = true;
            Some(context)
        };
        Some(Self {
            start: Start { context: earlier, ..self.start.clone() },
            view: View { question: question.asked.text.clone(), ..View::default() },
            question: Some(question),
            phase: Phase::Ended(Ending::Answered { basis: Some(tree) }),
            last_effect: self.last_effect,
        })
    }
}

impl GivesWay {
    /// Whether a choice gives way.
    fn includes(self, binding: &OptionBinding) -> bool {
        let names = matches!(
            binding,
            OptionBinding::Column { .. }
                | OptionBinding::Columns { .. }
                | OptionBinding::Join { .. }
                | OptionBinding::Table { .. }
                | OptionBinding::Value { .. }
        );
        let is_condition =
            matches!(binding, OptionBinding::Predicate { .. } | OptionBinding::TimeRange { .. });
        match self {
            Self::Nothing => false,
            Self::Names => names,
            Self::Conditions => names || is_condition,
        }
    }
}
