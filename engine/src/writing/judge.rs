//! Checks and scores a draft: guard, decisions, linter (`docs/spec.md` §9).

use serde::{Deserialize, Serialize};

use super::admit::admit;
use super::asked::asked;
use super::facts::Facts;
use super::held::lost;
use super::reply::Draft;
use super::score::{self, score, times};
use super::values::unknown_values;
use super::{Brief, Mode, StatedAssumption, SubQuestion, WritingSettings, WrittenStatement};
use crate::catalog::Catalog;
use wherefore_sql::lint;

/// A checked draft.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Judged {
    /// The statement as printed from its tree; as the model wrote it if the guard rejects it.
    pub(super) sql: String,
    pub(super) explanation: String,
    pub(super) assumptions: Vec<StatedAssumption>,
    pub(super) steps: Vec<SubQuestion>,
    /// Errors; the draft may run if there are none.
    pub(super) faults: Vec<String>,
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
    let Draft { sql, explanation, assumptions, steps } = draft;
    let mut judged =
        Judged { sql, explanation, assumptions, steps, score: score::START, ..Judged::default() };
    let checked = match admit(catalog, settings, &judged.sql, &mut judged.corrected) {
        Ok(checked) => checked,
        Err(mut faults) => {
            faults.dedup();
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
    let (doubts, errors) = linted(catalog, brief, checked.sql());
    judged.doubts = doubts;
    if errors > 0 {
        judged.reasons.push(format!("{:+} errors of the linter", times(errors, score::ERROR)));
    }
    judged.score += points
        + times(judged.faults.len() + errors, score::ERROR)
        + times(judged.doubts.len(), score::WARNING);
    judged
}

/// Warnings of the linter, and the number of its errors. Errors need no message, because the data source reports them.
fn linted(catalog: &Catalog, brief: &Brief, sql: &str) -> (Vec<String>, usize) {
    let mut found = lint::lint(sql, catalog, Some(&asked(catalog, brief, sql)));
    let errors = found.iter().filter(|it| it.severity == lint::Severity::Error).count();
    found.retain(|finding| finding.severity == lint::Severity::Warning);
    (found.into_iter().map(|finding| finding.message).collect(), errors)
}
