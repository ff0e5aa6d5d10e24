//! Autocorrection: applies the linter's fixes that leave the meaning of a statement unchanged (`docs/spec.md` §10).

use serde::Serialize;

use super::lint::{Asked, Edit, Finding, Fix, Severity, lint, rewritten};
use wherefore_catalog::Catalog;

/// Maximum number of rounds; correcting one name can reveal the next error.
const ROUNDS: usize = 3;

/// A statement after autocorrection.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct Corrected {
    /// The corrected statement; unchanged if no fix applies.
    pub sql: String,
    /// The corrections, in the order in which they were applied.
    #[cfg_attr(feature = "typescript", tsify(type = "AppliedFix[]"))]
    pub made: Vec<Correction>,
    /// Findings in the corrected statement: remaining errors, warnings, and fixes to offer to the user.
    pub left: Vec<Finding>,
}

/// A fix that was applied.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[cfg_attr(feature = "typescript", tsify(rename = "AppliedFix"))]
pub struct Correction {
    /// Identifier of the rule, such as `N02`.
    pub rule: &'static str,
    /// What was wrong.
    pub message: String,
    /// What the fix did.
    pub title: String,
}

/// Applies the safe fix of every error that has one.
///
/// Warnings are left: fixing them changes the result, so their fixes are only offered.
pub fn autocorrect(sql: &str, catalog: &Catalog, asked: Option<&Asked>) -> Corrected {
    let mut text = sql.to_owned();
    let mut made = Vec::new();
    let mut left = lint(&text, catalog, asked);
    // A statement that the guard refuses as unsafe must not become runnable by fixing the rest of it.
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
        // A corrected name can reveal further errors, but a round that raises the number of errors is discarded.
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

/// Offers a rewrite of the whole statement as the fix of the first finding about another database's syntax or functions
/// that has no fix. Detecting the dialect takes longer than all rules together, so the rules themselves skip it.
fn write_anew(text: &str, catalog: &Catalog, found: &mut [Finding]) {
    let foreign = |it: &&mut Finding| ["D01", "D02"].contains(&it.rule.id) && it.fixes.is_empty();
    if let Some(first) = found.iter_mut().find(foreign) {
        first.fixes.extend(rewritten(text, catalog));
    }
}

fn errors(found: &[Finding]) -> usize {
    found.iter().filter(|it| it.severity >= Severity::Error).count()
}

/// The first fix of each error, if it is safe and does not overlap an edit that was already chosen.
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
