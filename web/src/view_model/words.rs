//! Texts of the page about the state of a session.

use wherefore_engine::session::{AssumptionSource, MentionKind, Outcome, ResultSet, Stage, State};

use super::cell_text::grouped;
use super::locale::Locale;
use super::problem::{ESTIMATE_NOT_ACCEPTED, lang_of};
use super::report::Mark;
use crate::engine_client::View;
use crate::texts;

/// A text for screen readers.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Said {
    /// Words of the page, in its language.
    pub own: String,
    /// A sentence of the engine or the proxy behind them, in English.
    pub english: String,
}

/// A text for screen readers, with its urgency.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Announcement {
    /// Announced immediately (assertive).
    Alert(Said),
    /// Announced when the screen reader is idle (polite).
    Status(Said),
}

impl Announcement {
    /// Words of the page that are announced immediately.
    pub fn alert(own: impl Into<String>) -> Self {
        Self::Alert(Said { own: own.into(), ..Said::default() })
    }

    /// Words of the page that are announced when the screen reader is idle.
    pub fn status(own: impl Into<String>) -> Self {
        Self::Status(Said { own: own.into(), ..Said::default() })
    }

    /// A failure that is announced immediately: in English, unless the page words errors with this code.
    pub fn failure(code: &str, message: &str) -> Self {
        let said = sentence(message);
        match lang_of(code) {
            Some(_) => Self::Alert(Said { own: String::new(), english: said }),
            None => Self::alert(said),
        }
    }

    /// What a file of the proxy that was saved leaves out.
    pub fn fetched(name: &str, is_saved: bool, left_out: Option<&str>) -> Self {
        match (Self::saved(name, is_saved), left_out) {
            (Self::Status(said), Some(left_out)) if is_saved => {
                Self::status(format!("{}. {left_out}", said.own))
            }
            (said, _) => said,
        }
    }

    /// Whether a file was saved.
    pub fn saved(name: &str, is_saved: bool) -> Self {
        Self::status(if is_saved {
            texts::saved_as(name)
        } else {
            texts::file_blocked().to_owned()
        })
    }
}

/// Announcement for a change of views: the start and the end of a question, but no intermediate state.
pub fn announcement(before: &View, after: &View) -> Option<Announcement> {
    let same_question = before.clarifications == after.clarifications;
    if before.state == after.state && same_question {
        return None;
    }
    match after.state {
        State::ExecutingQuery => Some(Announcement::status(texts::running_said())),
        State::AwaitingClarification | State::AwaitingCorrection => {
            let first = after.clarifications.first()?;
            let english = first.question.clone();
            Some(Announcement::Status(Said { own: headline(after), english }))
        }
        State::Completed => {
            let rows =
                after.result.as_ref().map(|result| row_count(result.rows.len(), result.truncated));
            Some(match rows {
                Some(rows) => Announcement::status(texts::answer_ready(&rows)),
                None if is_confirmed(after) => {
                    Announcement::Status(Said { own: String::new(), english: headline(after) })
                }
                None => Announcement::status(headline(after)),
            })
        }
        State::Failed => {
            let Some(problem) = &after.problem else {
                return Some(Announcement::alert(headline(after)));
            };
            let (own, detail) = (headline(after), sentence(&problem.message));
            Some(match lang_of(&problem.code) {
                Some(_) => Announcement::Alert(Said { own, english: detail }),
                None => Announcement::alert(format!("{own} {detail}")),
            })
        }
        State::Cancelled => Some(Announcement::status(texts::stopped_said())),
        _ => None,
    }
}

/// Heading of a turn, which states its result.
pub fn headline(view: &View) -> String {
    match (view.outcome, view.state) {
        (Some(Outcome::Answered), _) => {
            view.confirmation.as_deref().map_or_else(|| texts::answer().to_owned(), sentence)
        }
        (Some(Outcome::ExecutionFailed), _) if awaits_consent(view) => {
            texts::not_run_yet().to_owned()
        }
        (Some(Outcome::ExecutionFailed), _) => {
            let stage = view.problem.as_ref().map_or(Stage::Running, |problem| problem.stage);
            texts::stage_failed(stage_name(stage))
        }
        (Some(Outcome::GenerationFailed), _) => texts::no_query_written().to_owned(),
        (Some(Outcome::OutOfScope), _) => texts::out_of_scope().to_owned(),
        (Some(Outcome::NeedsClarification), _)
        | (None, State::AwaitingClarification | State::AwaitingCorrection) => {
            texts::questions_first(view.clarifications.len())
        }
        (None, State::Cancelled) => texts::stopped_said().to_owned(),
        (None, State::Completed) => {
            view.confirmation.as_deref().map_or_else(|| texts::done().to_owned(), sentence)
        }
        (None, State::ExecutingQuery) => texts::running().to_owned(),
        (None, State::Failed) => texts::question_failed().to_owned(),
        (None, State::GeneratingSql | State::InferringJoins) => texts::writing().to_owned(),
        (None, State::Judging) => texts::checking().to_owned(),
        (None, State::Repairing) => texts::repairing().to_owned(),
        (None, _) => texts::reading_question().to_owned(),
    }
}

/// Whether the statement runs once its estimate is accepted.
pub fn awaits_consent(view: &View) -> bool {
    view.problem.as_ref().is_some_and(|problem| problem.code == ESTIMATE_NOT_ACCEPTED)
}

/// Whether the heading is the engine's sentence.
pub fn is_confirmed(view: &View) -> bool {
    let is_answered = view.outcome == Some(Outcome::Answered);
    let is_done = view.outcome.is_none() && view.state == State::Completed;
    view.confirmation.is_some() && (is_answered || is_done)
}

/// Whether the session is working and can be stopped.
pub fn is_running(view: &View) -> bool {
    matches!(
        view.state,
        State::QueryUnderstanding
            | State::InferringJoins
            | State::GeneratingSql
            | State::Judging
            | State::Repairing
            | State::ExecutingQuery
    )
}

/// Label and CSS class of an outcome.
pub fn outcome_badge(view: &View) -> (&'static str, &'static str) {
    match view.outcome {
        Some(Outcome::Answered) => (texts::badge_answered(), "badge badge-answered"),
        Some(Outcome::ExecutionFailed) if awaits_consent(view) => {
            (texts::badge_not_run(), "badge badge-asks")
        }
        Some(Outcome::ExecutionFailed) => (texts::badge_query_failed(), "badge badge-failed"),
        Some(Outcome::GenerationFailed) => (texts::badge_no_query(), "badge badge-unwritten"),
        Some(Outcome::NeedsClarification) => (texts::badge_asks(), "badge badge-asks"),
        Some(Outcome::OutOfScope) => (texts::badge_outside(), "badge badge-outside"),
        None => match view.state {
            State::AwaitingClarification | State::AwaitingCorrection => {
                (texts::badge_asks(), "badge badge-asks")
            }
            State::Cancelled => (texts::badge_stopped(), "badge badge-outside"),
            State::Completed => (texts::done(), "badge badge-answered"),
            State::Failed => (texts::badge_failed(), "badge badge-failed"),
            _ => (texts::badge_working(), "badge badge-working"),
        },
    }
}

/// Noun phrase for a stage, used as the subject of a sentence.
pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Checking => texts::stage_checking(),
        Stage::Running => texts::stage_running(),
        Stage::Understanding => texts::stage_understanding(),
        Stage::Values => texts::stage_values(),
        Stage::Writing => texts::stage_writing(),
    }
}

/// What was understood before a clarification, from the lines of the engine; none if they only repeat the question.
///
/// Tables are left out: they are named by the intent or by words of the question.
pub fn understood_words(lines: &[String]) -> Option<String> {
    let told = lines.iter().filter_map(|line| match line.split_once(" → ") {
        Some(("intent", shown)) => Some(shown),
        Some(("table" | "tables", _)) => None,
        Some((phrase, meaning)) if phrase.eq_ignore_ascii_case(meaning) => None,
        _ => Some(line.as_str()),
    });
    let told: Vec<&str> = told.collect();
    (!told.is_empty()).then(|| format!("{}.", told.join(" · ")))
}

/// What is announced after a clarification was marked.
pub fn marked(mark: Mark) -> &'static str {
    match mark {
        Mark::Helpful => texts::marked_helpful(),
        Mark::Needless => texts::marked_needless(),
    }
}

/// Label of the source of an assumption.
pub fn source_name(source: AssumptionSource) -> &'static str {
    match source {
        AssumptionSource::BestGuess => texts::source_best_guess(),
        AssumptionSource::Budget => texts::source_budget(),
        AssumptionSource::Correction => texts::source_corrected(),
        AssumptionSource::Memory => texts::from_memory(),
        AssumptionSource::Model => texts::source_model(),
        AssumptionSource::User => texts::source_chosen(),
        _ => texts::source_default(),
    }
}

/// Label of a kind of mention.
pub fn kind_name(kind: MentionKind) -> &'static str {
    match kind {
        MentionKind::Aggregate => texts::kind_calculation(),
        MentionKind::Column => texts::kind_column(),
        MentionKind::Comparison => texts::kind_comparison(),
        MentionKind::Grouping => texts::kind_grouping(),
        MentionKind::Limit => texts::kind_limit(),
        MentionKind::Number => texts::kind_number(),
        MentionKind::Ordering => texts::kind_order(),
        MentionKind::Table => texts::kind_table(),
        MentionKind::Time => texts::kind_time(),
        MentionKind::VagueTerm => texts::kind_vague(),
        MentionKind::Value => texts::kind_value(),
        _ => texts::kind_term(),
    }
}

/// Confidence as a whole percentage and as a word.
pub fn confidence(overall: f64) -> (u8, &'static str) {
    let percent = (overall.clamp(0.0, 1.0) * 100.0).round() as u8;
    let word = match percent {
        86.. => texts::clear(),
        75..=85 => texts::likely(),
        _ => texts::unsure(),
    };
    (percent, word)
}

/// Row count, with a hint if rows were left out.
pub fn row_count(rows: usize, truncated: bool) -> String {
    match (rows, truncated) {
        (rows, true) => texts::first_rows(&grouped(rows)),
        (rows, false) => texts::rows(rows),
    }
}

/// What files of a result leave out, if anything.
pub fn rows_of_files(result: &ResultSet) -> Option<String> {
    let rows = grouped(result.rows.len());
    match (result.truncated, result.cut_count) {
        (false, 0) => None,
        (true, 0) => Some(texts::only_first_rows(&rows)),
        (false, _) => Some(texts::cut_cells_in_file().to_owned()),
        (true, _) => Some(texts::only_first_cut_rows(&rows)),
    }
}

/// Capitalises the first letter and appends a full stop if there is no final punctuation.
pub fn sentence(message: &str) -> String {
    let mut characters = message.trim().chars();
    let Some(first) = characters.next() else { return String::new() };
    let mut sentence: String = first.to_uppercase().chain(characters).collect();
    if !sentence.ends_with(['.', '!', '?', '…', ':']) {
        sentence.push('.');
    }
    sentence
}

/// A duration in a readable unit.
pub fn duration(milliseconds: f64) -> String {
    if milliseconds < 1.0 {
        texts::under_a_millisecond().to_owned()
    } else if milliseconds < 1_000.0 {
        texts::milliseconds(&format!("{milliseconds:.0}"))
    } else {
        let seconds = format!("{:.1}", milliseconds / 1_000.0);
        let (whole, places) = seconds.split_once('.').unwrap_or((&seconds, ""));
        texts::seconds(&Locale::with(|locale| locale.number("", whole, places)))
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Announcement, Said, announcement, confidence, duration, headline, outcome_badge, row_count,
        rows_of_files, sentence, understood_words,
    };
    use crate::engine_client::View;
    use wherefore_engine::session::{Outcome, ProblemView, ResultSet, Stage, State};

    fn view(state: State, outcome: Option<Outcome>) -> View {
        View { state, outcome, ..View::default() }
    }

    #[test]
    fn the_start_and_the_end_are_announced_once() {
        let idle = View::default();
        let running = view(State::ExecutingQuery, None);
        let done = View {
            result: Some(ResultSet::default()),
            ..view(State::Completed, Some(Outcome::Answered))
        };
        assert_eq!(announcement(&idle, &running), Some(Announcement::status("Running the query.")));
        assert_eq!(
            announcement(&running, &done),
            Some(Announcement::status("Answer ready: 0 rows."))
        );
        assert_eq!(announcement(&done, &done), None);
    }

    #[test]
    fn a_failure_is_an_alert_that_names_the_stage() {
        let failed = View {
            problem: Some(ProblemView {
                code: "database_unavailable".into(),
                stage: Stage::Running,
                message: "database is away".into(),
                hint: String::new(),
                span: None,
                retryable: true,
            }),
            ..view(State::Failed, Some(Outcome::ExecutionFailed))
        };
        let (own, english) = ("Running the query failed.".into(), "Database is away.".into());
        assert_eq!(
            announcement(&View::default(), &failed),
            Some(Announcement::Alert(Said { own, english }))
        );
    }

    #[test]
    fn no_two_outcomes_look_or_read_the_same() {
        let outcomes = [
            Outcome::Answered,
            Outcome::ExecutionFailed,
            Outcome::GenerationFailed,
            Outcome::NeedsClarification,
            Outcome::OutOfScope,
        ];
        for (index, left) in outcomes.iter().enumerate() {
            for right in &outcomes[index + 1..] {
                let (left, right) =
                    (view(State::Completed, Some(*left)), view(State::Completed, Some(*right)));
                assert_ne!(headline(&left), headline(&right));
                assert_ne!(outcome_badge(&left).0, outcome_badge(&right).0);
                assert_ne!(outcome_badge(&left).1, outcome_badge(&right).1);
            }
        }
    }

    #[test]
    fn left_out_rows_are_told() {
        assert_eq!(row_count(1, false), "1 row");
        assert_eq!(row_count(24, false), "24 rows");
        assert_eq!(row_count(1_000, true), "first 1,000 of more than 1,000 rows");
    }

    #[test]
    fn confidence_is_worded_along_the_gate() {
        assert_eq!(confidence(0.86), (86, "clear"));
        assert_eq!(confidence(0.75), (75, "likely"));
        assert_eq!(confidence(0.74), (74, "unsure"));
        assert_eq!(confidence(7.0), (100, "clear"));
    }

    #[test]
    fn messages_become_sentences() {
        assert_eq!(sentence("database is away"), "Database is away.");
        assert_eq!(sentence("Ready?"), "Ready?");
        assert_eq!(sentence(" "), "");
    }

    #[test]
    fn what_was_understood_does_not_repeat_the_question() {
        let said = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            understood_words(&lines)
        };
        assert_eq!(
            said(&["intent → orders", "table → Orders", "shipped → Orders.ShippedDate"]).as_deref(),
            Some("orders · shipped → Orders.ShippedDate.")
        );
        assert_eq!(said(&["table → Orders", "orders → Orders"]), None);
    }

    #[test]
    fn durations_have_a_fitting_unit() {
        assert_eq!(duration(0.4), "under 1 ms");
        assert_eq!(duration(12.4), "12 ms");
        assert_eq!(duration(2_340.0), "2.3 s");
    }

    #[test]
    fn a_file_tells_what_it_leaves_out() {
        let rows = |truncated, cut_count| {
            rows_of_files(&ResultSet { truncated, cut_count, ..ResultSet::default() })
        };
        assert_eq!(rows(false, 0), None);
        assert_eq!(
            rows(true, 0).as_deref(),
            Some("Only the first 0 rows are in CSV and JSON files.")
        );
        assert!(rows(false, 1).is_some_and(|said| said.contains("cut")));
        assert!(rows(true, 1).is_some_and(|said| said.contains("first") && said.contains("cut")));
    }
}
