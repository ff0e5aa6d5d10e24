//! `eval composer`: how often a statement is written without a clarification, how often it is right, and how well
//! calibrated the confidence is.

mod judge;
mod range;
mod repeated;
pub(crate) mod reword;
mod tables;

use anyhow::Result;
use serde_json::{Value, json};

use judge::{Judged, Tie, Verdict};

use super::item::Item;
use super::options::{Compared, Options};
use super::report::{self, Table, percent};
use super::score::{calibration_error, covered_at, figure, share};
use super::work;

/// Evaluates all items and prints tables and figures.
pub(crate) fn run(items: &[Item], options: &Options) -> Result<()> {
    let judged = work::each(items, options, |source, item| judge::judge(source, item, options))?;
    let judged: Vec<Judged> = judged.into_iter().flatten().collect();
    let (overview, mut result) = figures(&judged);
    if options.compared == Compared::Changed {
        repeated::add(&judged, &mut result);
    }
    let n = judged.len();
    let strict = confidences(&judged, |verdict| verdict.right);
    let accepted = confidences(&judged, Verdict::is_accepted);
    let ties: Vec<&Tie> = judged.iter().flat_map(|judged| &judged.bindings).collect();
    let bindings: Vec<(f64, bool)> = ties.iter().map(|tie| (tie.confidence, tie.right)).collect();
    let tables = [
        overview,
        tables::kinds(&judged),
        tables::forgiven(&judged),
        tables::risk("strict", &strict, n),
        tables::risk("lenient", &accepted, n),
        tables::calibration("confidence of ties", &bindings),
        tables::ways(&ties),
        tables::calibration("confidence of the whole, strict", &strict),
        tables::calibration("confidence of the whole, lenient", &accepted),
    ];
    let details: Vec<String> = judged.into_iter().map(|judged| judged.detail).collect();
    report::print(if options.verbose { &details } else { &[] }, &tables, &result)
}

/// A statement from which the confidence is learned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Example {
    /// Database.
    pub(crate) database: String,
    /// What the confidence depends on.
    pub(crate) signals: Vec<(&'static str, i32)>,
    /// Whether the lenient judge accepts the statement.
    pub(crate) right: bool,
}

/// The statements that the composer wrote without a clarification, and its best guesses where it asks about unread words
/// alone.
pub(crate) fn examples(items: &[Item], options: &Options) -> Result<Vec<Example>> {
    let judged = work::each(items, options, |source, item| judge::judge(source, item, options))?;
    let examples = judged.into_iter().flatten().filter_map(|judged| {
        let guessed = Some(judged.guessed).filter(|_| judged.only_unread && judged.written);
        let verdict = judged.answered.map(|(_, verdict)| verdict).or(guessed)?;
        Some(Example {
            database: judged.database,
            signals: judged.signals,
            right: verdict.is_accepted(),
        })
    });
    Ok(examples.filter(|example| !example.signals.is_empty()).collect())
}

/// The table of all figures, and the last line.
fn figures(judged: &[Judged]) -> (Table, Value) {
    let n = judged.len();
    let answered: Vec<Verdict> =
        judged.iter().filter_map(|judged| judged.answered).map(|(_, verdict)| verdict).collect();
    let of_answered = |way: fn(Verdict) -> bool| {
        share(answered.iter().filter(|verdict| way(**verdict)).count(), answered.len())
    };
    let of_guessed = |way: fn(Verdict) -> bool| {
        share(judged.iter().filter(|judged| way(judged.guessed)).count(), n)
    };
    let strict: fn(Verdict) -> bool = |verdict| verdict.right;
    let same: fn(Verdict) -> bool = |verdict| verdict.same_columns;
    let strictly = confidences(judged, strict);
    let leniently = confidences(judged, Verdict::is_accepted);
    let bindings: Vec<(f64, bool)> = judged
        .iter()
        .flat_map(|judged| &judged.bindings)
        .map(|tie| (tie.confidence, tie.right))
        .collect();
    let unread = share(judged.iter().filter(|judged| judged.unread).count(), n);
    let coverage = share(answered.len(), n);

    let mut table = Table::new(&["figure", "value", "same columns", "lenient"]);
    let mut add = |name: &str, value: Option<f64>, same: Option<f64>, lenient: Option<f64>| {
        table.row(vec![name.to_owned(), percent(value), percent(same), percent(lenient)]);
    };
    add("coverage", coverage, None, None);
    add(
        "selective accuracy",
        of_answered(strict),
        of_answered(same),
        of_answered(Verdict::is_accepted),
    );
    add(
        "accuracy of best guesses",
        of_guessed(strict),
        of_guessed(same),
        of_guessed(Verdict::is_accepted),
    );
    add("calibration error of ties", calibration_error(&bindings), None, None);
    let (whole, whole_lenient) = (calibration_error(&strictly), calibration_error(&leniently));
    add("calibration error of the whole", whole, None, whole_lenient);
    let points = [0.90, 0.92, 0.95]
        .map(|right| (right, covered_at(&strictly, right, n), covered_at(&leniently, right, n)));
    for (right, strict, lenient) in points {
        add(&format!("coverage at {:.0} % right", right * 100.0), strict, None, lenient);
    }
    add("with unread words", unread, None, None);
    for end in ["asked", "not_written", "out_of_scope"] {
        let ended = judged.iter().filter(|judged| judged.end == end).count();
        add(end, share(ended, n), None, None);
    }
    let point =
        |(_, strict, lenient)| json!({ "strict": figure(strict), "lenient": figure(lenient) });
    let result = json!({
        "n": n,
        "coverage": figure(coverage),
        "selective_accuracy": figure(of_answered(strict)),
        "lenient": figure(of_answered(Verdict::is_accepted)),
        "accuracy": figure(of_guessed(strict)),
        "accuracy_lenient": figure(of_guessed(Verdict::is_accepted)),
        "ece": figure(calibration_error(&bindings)),
        "ece_overall": figure(whole),
        "ece_overall_lenient": figure(whole_lenient),
        "covered_at_90": point(points[0]),
        "covered_at_92": point(points[1]),
        "covered_at_95": point(points[2]),
        "unread": figure(unread),
        "range": range::of(judged),
    });
    (table, result)
}

/// Confidence and verdict of each question that was answered.
fn confidences(judged: &[Judged], way: fn(Verdict) -> bool) -> Vec<(f64, bool)> {
    let answered = judged.iter().filter_map(|judged| judged.answered);
    answered.map(|(confidence, verdict)| (confidence, way(verdict))).collect()
}
