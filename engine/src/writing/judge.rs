//! Judging a draft: guard, decisions kept, linter, score (`spec` §9).

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
use crate::sql::lint;

/// A draft with what was found about it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(super) struct Judged {
    /// As the model wrote it, or as printed where the guard let it through.
    pub(super) sql: String,
    pub(super) explanation: String,
    pub(super) assumptions: Vec<StatedAssumption>,
    pub(super) steps: Vec<SubQuestion>,
    /// What has to be repaired; none where it may run.
    pub(super) faults: Vec<String>,
    /// What is likely wrong although it runs.
    #[serde(default)]
    pub(super) doubts: Vec<String>,
    /// What was mended without asking.
    #[serde(default)]
    pub(super) corrected: Vec<String>,
    /// Score, without what EXPLAIN adds.
    pub(super) score: i32,
    /// Why it has this score.
    pub(super) reasons: Vec<String>,
    /// Whether the data source was asked to plan it.
    pub(super) explained: bool,
    /// Key of the first table it reads.
    pub(super) table: Option<String>,
}

impl Judged {
    /// The draft as a statement, with what is said of it.
    pub(super) fn statement(&self, explanation: String) -> WrittenStatement {
        let Self { sql, assumptions, corrected, doubts, steps, table, .. } = self.clone();
        let mode = if steps.len() > 1 { Mode::Funnel } else { Mode::Direct };
        WrittenStatement { sql, explanation, assumptions, corrected, doubts, steps, mode, table }
    }
}

/// Judges a draft.
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

/// What the linter warns of, with what the question says for certain, and how many errors it finds: the data source
/// names those itself.
fn linted(catalog: &Catalog, brief: &Brief, sql: &str) -> (Vec<String>, usize) {
    let mut found = lint::lint(sql, catalog, Some(&asked(catalog, brief, sql)));
    let errors = found.iter().filter(|it| it.severity == lint::Severity::Error).count();
    found.retain(|finding| finding.severity == lint::Severity::Warning);
    (found.into_iter().map(|finding| finding.message).collect(), errors)
}
