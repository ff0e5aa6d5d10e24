//! Autocorrection: what the linter can mend without changing what a statement means (`spec` §10).

use serde::Serialize;

use super::lint::{Asked, Edit, Finding, Fix, Severity, lint, rewritten};
use crate::catalog::Catalog;

/// Most rounds: a mended name may show the next fault.
const ROUNDS: usize = 3;

/// A statement after autocorrection.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct Corrected {
    /// The statement; as it was where nothing could be mended.
    pub sql: String,
    /// What was mended, in the order in which it was.
    pub made: Vec<Correction>,
    /// What is found in the statement now: errors that are left, warnings, and fixes to be offered.
    pub left: Vec<Finding>,
}

/// A fix that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Correction {
    /// Short form of the rule.
    pub rule: &'static str,
    /// What was wrong.
    pub message: String,
    /// What was done.
    pub title: String,
}

/// Mends the errors of a statement that have a fix beside which nothing else can be meant.
///
/// Warnings are left: what would mend them changes the answer, and is offered.
pub fn autocorrect(sql: &str, catalog: &Catalog, asked: Option<&Asked>) -> Corrected {
    let mut text = sql.to_owned();
    let mut made = Vec::new();
    let mut left = lint(&text, catalog, asked);
    // What is refused as unsafe is not made to run by mending the rest of it.
    let is_refused = left.iter().any(|finding| finding.severity == Severity::Refusal);
    let rounds = if is_refused { 0 } else { ROUNDS };
    for _ in 0..rounds {
        let before = errors(&left);
        write_anew(&text, catalog, &mut left);
        let chosen = choose(&left);
        if chosen.is_empty() {
            break;
        }
        let edits: Vec<Edit> = chosen.iter().flat_map(|(_, fix)| fix.edits.clone()).collect();
        let fix = Fix { title: String::new(), is_safe: true, edits };
        let Some(mended) = fix.apply(&text) else { break };
        let found = lint(&mended, catalog, asked);
        // A mended name may uncover others; but what only makes it worse is not kept.
        if errors(&found) > before {
            break;
        }
        made.extend(chosen.into_iter().map(|(finding, fix)| Correction {
            rule: finding.rule.id,
            message: finding.message.clone(),
            title: fix.title.clone(),
        }));
        text = mended;
        left = found;
    }
    Corrected { sql: text, made, left }
}

/// Gives the first form or function of another database that has no fix the whole statement, written anew: looking for
/// the dialect it is of takes longer than all rules together, so that rules leave it out.
fn write_anew(text: &str, catalog: &Catalog, found: &mut [Finding]) {
    let foreign = |it: &&mut Finding| ["D01", "D02"].contains(&it.rule.id) && it.fixes.is_empty();
    if let Some(first) = found.iter_mut().find(foreign) {
        first.fixes.extend(rewritten(text, catalog));
    }
}

fn errors(found: &[Finding]) -> usize {
    found.iter().filter(|it| it.severity >= Severity::Error).count()
}

/// The first fix of each error, where it is safe, as far as they do not touch the same text.
fn choose(found: &[Finding]) -> Vec<(&Finding, &Fix)> {
    let mut chosen: Vec<(&Finding, &Fix)> = Vec::new();
    for finding in found.iter().filter(|it| it.severity >= Severity::Error) {
        let Some(fix) = finding.fixes.first().filter(|fix| fix.is_safe) else { continue };
        let free = |edit: &Edit| {
            chosen.iter().flat_map(|(_, fix)| &fix.edits).all(|other| {
                let apart = edit.span.end <= other.span.start || other.span.end <= edit.span.start;
                apart && edit.span != other.span
            })
        };
        if fix.edits.iter().all(free) {
            chosen.push((finding, fix));
        }
    }
    chosen
}
