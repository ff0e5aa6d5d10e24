//! What the page reads of the engine's views and previews.
//!
//! These types leave out what the page does not show: parts of queries above all, whose code for reading JSON is larger
//! than that of everything else in a view. Names and meanings are those of [`wherefore_engine::session`].

use serde::Deserialize;
use wherefore_engine::Account;
use wherefore_engine::ambiguity::AmbiguityKind;
use wherefore_engine::catalog::ColumnRef;
use wherefore_engine::intent::Comparison;
use wherefore_engine::session::{
    AssumptionSource, FollowUp, FromMemory, MentionView, Note, Outcome, ProblemView, ProgressStep,
    ResultSet, State,
};
use wherefore_engine::text::Span;

/// What the page shows of a session.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct View {
    /// Current state.
    pub state: State,
    /// The question as typed.
    pub question: String,
    /// What was understood.
    pub understanding: Understanding,
    /// Open clarifications, in the order to show them.
    pub clarifications: Vec<Clarification>,
    /// Rounds of clarification so far.
    pub round: u8,
    /// Decisions, by the user or by default; each can be changed.
    pub assumptions: Vec<Assumption>,
    /// The formatted statement, once written.
    pub sql: Option<String>,
    /// Interpretation of the question, in one sentence.
    pub confirmation: Option<String>,
    /// For a follow-up: what was kept of the earlier question, and what changed.
    pub follow_up: Option<FollowUp>,
    /// Rows, once the statement was run.
    pub result: Option<ResultSet>,
    /// Notes about the rows.
    pub notes: Vec<Note>,
    /// The outcome, once the question ended or needs clarification.
    pub outcome: Option<Outcome>,
    /// The problem, if the question failed.
    pub problem: Option<ProblemView>,
    /// Suggested questions.
    pub suggestions: Vec<String>,
    /// Progress steps, in order.
    pub steps: Vec<ProgressStep>,
}

/// Preview of a text while it is typed.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Preview {
    /// What was understood.
    pub understanding: Understanding,
    /// Clarifications that would be asked.
    pub clarifications: Vec<Clarification>,
    /// The formatted statement, if one can be written.
    pub sql: Option<String>,
    /// The problem, if no statement can be written.
    pub problem: Option<ProblemView>,
}

/// What was understood of a question.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
pub struct Understanding {
    /// Phrases of the question with their meaning, in order.
    pub mentions: Vec<MentionView>,
    /// Spans that were not understood.
    pub unread: Vec<Span>,
    /// Confidence of the reading.
    pub confidence: Confidence,
    /// Which words made which clause, and how the other words were read.
    pub account: Account,
}

/// Confidence of a reading.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
pub struct Confidence {
    /// Overall confidence, 0 to 1.
    pub overall: f64,
}

/// A question about an ambiguity.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Clarification {
    /// Id; the same whenever the same question is asked of the same catalog.
    pub id: String,
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// Span in the question; absent if the clarification concerns the whole question.
    pub span: Option<Span>,
    /// Words in the span.
    #[serde(default)]
    pub phrase: String,
    /// Text of the question.
    pub question: String,
    /// Why the clarification is asked, in one sentence without a full stop.
    pub reason: String,
    /// Options, most likely first.
    pub options: Vec<ClarificationOption>,
    /// What the user may enter instead of an option.
    pub custom: Option<CustomInput>,
    /// Id of the recommended option.
    pub recommended: Option<String>,
    /// What was understood of the question so far, one line each.
    #[serde(default)]
    pub understood: Vec<String>,
}

/// One possible answer.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct ClarificationOption {
    /// Id of the option, unique within its clarification.
    pub id: String,
    /// Label of a few words.
    pub label: String,
    /// What the option means, in one sentence; may be empty.
    #[serde(default)]
    pub description: String,
}

/// Input that is accepted instead of an option.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct CustomInput {
    /// What is entered.
    #[serde(rename = "type")]
    pub kind: CustomKind,
    /// Column that is filtered or compared.
    pub column: Option<ColumnRef>,
    /// Comparison with a number.
    pub operator: Option<Comparison>,
    /// Unit of a number, if known.
    pub unit: Option<String>,
    /// Smallest sensible number.
    pub minimum: Option<f64>,
    /// Largest sensible number.
    pub maximum: Option<f64>,
    /// Example for an empty field of text.
    #[serde(default)]
    pub placeholder: String,
}

/// What is entered instead of an option.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(rename_all = "snake_case")]
pub enum CustomKind {
    /// First and last day.
    DateRange,
    /// A threshold.
    Number,
    /// Text.
    Text,
}

/// A decision about an ambiguity, by the user or by default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Assumption {
    /// Id by which the decision can be changed.
    pub id: String,
    /// The ambiguous words.
    pub phrase: String,
    /// Their meaning.
    pub meaning: String,
    /// Who or what decided.
    pub source: AssumptionSource,
    /// The remembered choice, if memory decided.
    pub from_memory: Option<FromMemory>,
    /// The clarification, with all its options.
    pub clarification: Clarification,
    /// The chosen option; absent if the meaning was typed.
    pub chosen: Option<ClarificationOption>,
}

#[cfg(test)]
mod tests {
    use super::{Preview, View};
    use wherefore_engine::session::{
        self, Effect, EffectRequest, EffectResult, Event, FoundValues,
    };
    use wherefore_engine::{Engine, Session};

    const TODAY: &str = "2026-01-31";

    fn engine() -> Engine {
        let bookshop = include_str!("../../../tests/data/bookshop.json");
        Engine::new(serde_json::from_str(bookshop).expect("a catalog"))
    }

    /// Reads a view as the page does.
    fn read(view: &session::View) -> View {
        let text = serde_json::to_string(view).expect("JSON");
        wherefore_engine::read_json(&text).expect("a view of the page")
    }

    #[test]
    fn an_open_clarification_and_its_marks_are_read() {
        let (engine, mut session) = (engine(), Session::new());
        let text = "orders shipped to Zürich 🍷 that are recent".to_owned();
        let ask =
            Event::Ask { text: text.clone(), today: TODAY.to_owned(), skip_clarification: false };
        for Effect { id, request } in session.step(&engine, ask).expect("a question") {
            let EffectRequest::LookUpValues { searches } = request else { panic!("{request:?}") };
            let values = || vec!["Zürich 🍷".to_owned()];
            let found = searches.into_iter().map(|search| FoundValues { search, values: values() });
            let result = EffectResult::Values { found: found.collect() };
            session.step(&engine, Event::EffectResult { effect_id: id, result }).expect("values");
        }
        let (view, shown) = (session.view(), read(session.view()));
        assert!(!view.clarifications.is_empty(), "{view:?}");
        assert_eq!(shown.clarifications.len(), view.clarifications.len());
        for (one, other) in shown.clarifications.iter().zip(&view.clarifications) {
            assert_eq!(
                (&one.id, &one.question, one.span),
                (&other.id, &other.question, other.span)
            );
            assert_eq!(one.options.len(), other.options.len());
            assert_eq!(one.custom.is_some(), other.custom.is_some());
            assert_eq!(
                (&one.recommended, &one.understood),
                (&other.recommended, &other.understood)
            );
        }
        assert_eq!(shown.question, text);
        assert_eq!(shown.understanding.mentions, view.understanding.mentions);
        assert!(shown.understanding.mentions.iter().all(|it| it.span.of(&text) == it.phrase));
        assert_eq!(shown.understanding.unread, view.understanding.unread);

        let preview = engine.preview(&text, TODAY);
        let json = serde_json::to_string(&preview).expect("JSON");
        let shown: Preview = wherefore_engine::read_json(&json).expect("a preview of the page");
        assert_eq!(shown.understanding.mentions, preview.understanding.mentions);
        assert_eq!(shown.clarifications.len(), preview.clarifications.len());
    }

    #[test]
    fn an_answer_with_its_assumptions_is_read() {
        let (engine, mut session) = (engine(), Session::new());
        let (text, today) = ("recent orders".to_owned(), TODAY.to_owned());
        let ask = Event::Ask { text, today, skip_clarification: true };
        let effects = session.step(&engine, ask).expect("a question");
        let [Effect { id, request: EffectRequest::Execute { .. } }] = effects[..] else {
            panic!("{effects:?}")
        };
        let rows = session::ResultSet::default();
        let result = EffectResult::Rows { rows };
        session.step(&engine, Event::EffectResult { effect_id: id, result }).expect("rows");
        let (view, shown) = (session.view(), read(session.view()));
        assert_eq!(shown.outcome, Some(session::Outcome::Answered));
        assert_eq!((shown.state, &shown.sql), (view.state, &view.sql));
        assert_eq!((&shown.result, &shown.notes), (&view.result, &view.notes));
        assert_eq!(shown.understanding.account, view.understanding.account);
        assert_eq!(shown.assumptions.len(), view.assumptions.len());
        for (one, other) in shown.assumptions.iter().zip(&view.assumptions) {
            assert_eq!((&one.id, &one.meaning), (&other.id, &other.meaning));
            assert_eq!(one.chosen.is_some(), other.chosen.is_some());
        }
    }
}
