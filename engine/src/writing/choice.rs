//! Chooses a draft, and finds where good drafts disagree (`docs/spec.md` §9).

use super::difference::{Difference, difference};
use super::judge::Judged;
use super::option::{Options, is_settled};
use super::taken::{Role, Taken, Thing};
use super::{Brief, StatedAssumption, WrittenQuestion};
use crate::catalog::Catalog;
use crate::order;

/// Maximum difference in points between the best draft and a good one; less than the points of an error.
const NEAR: i32 = 15;
/// Maximum number of differences that are listed as assumptions.
const TOLD: usize = 3;

/// The choice among drafts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Choice {
    /// Index of the chosen draft.
    pub(super) best: usize,
    /// The question to ask before a draft can be chosen.
    pub(super) question: Option<WrittenQuestion>,
    /// Indexes of equally good drafts, best first.
    pub(super) good: Vec<usize>,
    /// Assumptions about parts in which other good drafts differ.
    pub(super) told: Vec<StatedAssumption>,
}

/// Indexes of drafts that may run, best first: by score, then by length of the statement, then by order.
pub(super) fn ranked(drafts: &[Judged]) -> Vec<usize> {
    let may_run = |at: &usize| drafts[*at].explained && drafts[*at].faults.is_empty();
    let mut ranked: Vec<usize> = (0..drafts.len()).filter(may_run).collect();
    order::by_key(&mut ranked, |at| {
        let draft = &drafts[*at];
        (std::cmp::Reverse(draft.score), draft.sql.len(), *at)
    });
    ranked
}

/// Chooses among ranked drafts; `None` if there are none.
///
/// A draft is good if its score is close to the best and it has no warnings that the best one lacks. If good drafts
/// differ in one part of the question, the user is asked which is meant, unless one alternative was decided or is named
/// in the question; then that draft is chosen. Differences that one question cannot resolve become assumptions.
pub(super) fn choose(
    catalog: &Catalog,
    brief: &Brief,
    drafts: &[Judged],
    ranked: &[usize],
    asks: bool,
) -> Option<Choice> {
    let first = &drafts[*ranked.first()?];
    let is_good = |at: &&usize| {
        let draft = &drafts[**at];
        first.score - draft.score <= NEAR && draft.doubts.len() <= first.doubts.len()
    };
    let good: Vec<usize> = ranked.iter().filter(is_good).copied().collect();
    let mut left: Vec<(usize, Taken)> =
        good.iter().map(|at| (*at, Taken::of(catalog, &drafts[*at].sql))).collect();
    while let Some((best, taken)) = left.first() {
        let found: Vec<Difference> =
            left.iter().skip(1).map(|(_, other)| difference(taken, other)).collect();
        let settled = |thing: &Thing, role: Role| is_settled(brief, role, thing);
        let is_worse = found.iter().any(|difference| {
            let one = difference.one.as_ref();
            one.is_some_and(|(role, own, other)| settled(other, *role) && !settled(own, *role))
        });
        if is_worse {
            left.remove(0);
            continue;
        }
        let open = |(role, own, other): &(Role, Thing, Thing)| {
            !settled(own, *role) && !settled(other, *role)
        };
        let parts: Vec<&(Role, Thing, Thing)> = found
            .iter()
            .filter_map(|difference| difference.one.as_ref())
            .filter(|it| open(it))
            .collect();
        let question = asks.then(|| Options::question(catalog, brief, &parts)).flatten();
        let told = if question.is_some() { Vec::new() } else { told(catalog, brief, &found) };
        return Some(Choice { best: *best, question, good, told });
    }
    None
}

/// Differences of other drafts as assumptions; resolved ones are left out.
fn told(catalog: &Catalog, brief: &Brief, found: &[Difference]) -> Vec<StatedAssumption> {
    let mut told: Vec<StatedAssumption> = Vec::new();
    for Difference { one, several } in found {
        let one = one.iter().map(|(role, own, other)| (*role, Some(own), Some(other)));
        let several =
            several.iter().map(|(role, own, other)| (*role, own.as_ref(), other.as_ref()));
        for (role, own, other) in one.chain(several) {
            let is_settled = own.is_some_and(|own| is_settled(brief, role, own));
            let apart =
                matches!((own, other), (Some(own), Some(other)) if own.table != other.table);
            let words = |thing: &Thing| thing.words(catalog, apart);
            let (value, reason) = match (own, other) {
                (Some(own), Some(other)) => {
                    (words(own), format!("another draft uses {}", words(other)))
                }
                (Some(own), None) => (words(own), "another draft leaves it out".to_owned()),
                (None, Some(other)) => {
                    (format!("without {}", words(other)), "another draft uses it".to_owned())
                }
                (None, None) => continue,
            };
            let term = role.word().to_owned();
            let stated = StatedAssumption { term, value, reason, ..StatedAssumption::default() };
            if !is_settled && told.len() < TOLD && !told.iter().any(|it| it.value == stated.value) {
                told.push(stated);
            }
        }
    }
    told
}
