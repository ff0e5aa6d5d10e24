//! Checks and scores a draft: guard, decisions, linter (`docs/spec.md` §9).

use serde::{Deserialize, Serialize};

use super::admit::{Rejection, admit};
use super::ask::of_catalog;
use super::asked::asked;
use super::facts::Facts;
use super::held::lost;
use super::missing::{is_missing, missing};
use super::reply::{AskedOption, Draft};
use super::score::{self, score, times};
use super::values::unknown_values;
use super::{
    Brief, Mode, StatedAssumption, SubQuestion, WritingSettings, WrittenOption, WrittenStatement,
};
use crate::catalog::Catalog;
use wherefore_sql::lint;

/// A checked draft.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Judged {
    /// Number of the draft, from 1; 0 for a statement that failed when it ran.
    #[serde(default)]
    pub(super) number: usize,
    /// The statement as printed from its tree; as the model wrote it if the guard rejects it.
    pub(super) sql: String,
    pub(super) explanation: String,
    pub(super) assumptions: Vec<StatedAssumption>,
    pub(super) steps: Vec<SubQuestion>,
    /// Errors; the draft may run if there are none.
    pub(super) faults: Vec<String>,
    /// Keys of the tables whose columns a repair may use; empty unless the draft names unknown columns.
    #[serde(default)]
    pub(super) concerned: Vec<String>,
    /// Warnings: the draft may run, but is probably wrong.
    #[serde(default)]
    pub(super) doubts: Vec<String>,
    /// Automatic corrections.
    #[serde(default)]
    pub(super) corrected: Vec<String>,
    /// Score; a failing EXPLAIN lowers it later.
    pub(super) score: i32,
    /// Reasons of the score.
    pub(super) reasons: Vec<String>,
    /// Whether EXPLAIN was run.
    pub(super) explained: bool,
    /// Key of the first table in FROM.
    pub(super) table: Option<String>,
}

impl Judged {
    /// Whether the draft has too many doubts to run, such as a part of the question that is missing.
    pub(super) fn is_too_doubtful(&self) -> bool {
        self.score < score::RUNS && !self.doubts.is_empty()
    }

    /// The draft as a finished statement.
    pub(super) fn statement(&self, explanation: String) -> WrittenStatement {
        let Self { sql, assumptions, corrected, doubts, steps, table, .. } = self.clone();
        let mode = if steps.len() > 1 { Mode::Funnel } else { Mode::Direct };
        WrittenStatement { sql, explanation, assumptions, corrected, doubts, steps, mode, table }
    }
}

/// Checks and scores a draft.
pub(super) fn judge(
    catalog: &Catalog,
    brief: &Brief,
    settings: &WritingSettings,
    draft: Draft,
) -> Judged {
    let Draft { sql, explanation, mut assumptions, steps } = draft;
    for assumed in &mut assumptions {
        assumed.options = alternatives(catalog, assumed);
    }
    let mut judged =
        Judged { sql, explanation, assumptions, steps, score: score::START, ..Judged::default() };
    let checked = match admit(catalog, settings, &judged.sql, &mut judged.corrected) {
        Ok(checked) => checked,
        Err(Rejection { mut faults, concerned }) => {
            faults.dedup();
            judged.concerned = concerned;
            judged.score += times(faults.len().min(score::REFUSALS), score::ERROR);
            judged.faults = faults;
            judged.reasons.push("the guard refuses it".to_owned());
            return judged;
        }
    };
    let facts = Facts::of(checked.query(), catalog);
    checked.sql().clone_into(&mut judged.sql);
    judged.table = facts.tables.first().cloned();
    judged.steps.retain(|step| facts.common.contains(&step.name));
    judged.faults = lost(catalog, brief, checked.sql());
    if settings.flags.value_verification {
        judged.faults.extend(unknown_values(catalog, checked.query()));
    }
    let (points, reasons) = score(catalog, brief, settings, &checked, &facts);
    judged.reasons = reasons;
    let Linted { missing: unmet, doubts, errors } = linted(catalog, brief, checked.sql());
    judged.doubts = unmet;
    judged.doubts.extend(missing(catalog, brief, &checked, &facts));
    let lacking = judged.doubts.len();
    judged.doubts.extend(doubts);
    if errors > 0 {
        judged.reasons.push(format!("{:+} errors of the linter", times(errors, score::ERROR)));
    }
    if lacking > 0 {
        let points = times(lacking, score::MISSING);
        judged.reasons.push(format!("{points:+} parts of the question are missing"));
    }
    judged.score += points
        + times(judged.faults.len() + errors, score::ERROR)
        + times(lacking, score::MISSING)
        + times(judged.doubts.len() - lacking, score::WARNING);
    judged
}

/// The options of an assumption that the catalog contains; none if the assumed one is not among them.
fn alternatives(catalog: &Catalog, assumed: &StatedAssumption) -> Vec<WrittenOption> {
    let asked: Vec<AskedOption> = assumed.options.iter().map(AskedOption::of).collect();
    let found = of_catalog(catalog, &asked);
    let first = asked.first().map(|first| of_catalog(catalog, std::slice::from_ref(first)));
    let keeps = first.is_some_and(|first| first.first() == found.first());
    if keeps && found.len() > 1 { found } else { Vec::new() }
}

/// What the linter says of a draft.
#[derive(Debug, Default)]
struct Linted {
    /// Warnings that a part of the question is missing.
    missing: Vec<String>,
    /// Other warnings.
    doubts: Vec<String>,
    /// Number of errors; they need no message, because the data source reports them.
    errors: usize,
}

fn linted(catalog: &Catalog, brief: &Brief, sql: &str) -> Linted {
    let mut linted = Linted::default();
    for finding in lint::lint(sql, catalog, Some(&asked(catalog, brief, sql))) {
        match finding.severity {
            lint::Severity::Error => linted.errors += 1,
            lint::Severity::Warning if is_missing(&finding) => linted.missing.push(finding.message),
            lint::Severity::Warning => linted.doubts.push(finding.message),
            lint::Severity::Note | lint::Severity::Refusal => {}
        }
    }
    linted
}
