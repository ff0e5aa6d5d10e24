//! What a follow-up kept of the earlier question, and what it changed, in words.

use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;
use crate::intent::QueryTree;
use crate::narration::Describer;

/// What a follow-up kept of the earlier question, and what it changed.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct FollowUp {
    /// The earlier question, as typed.
    pub follows: String,
    /// Parts that were kept, in words.
    pub kept: Vec<String>,
    /// Parts that were added or removed, in words.
    pub changed: Vec<String>,
}

/// Parts that two query trees share, and parts that they do not, in words.
pub(crate) fn changes(
    catalog: &Catalog,
    before: &QueryTree,
    after: &QueryTree,
) -> (Vec<String>, Vec<String>) {
    let describer = Describer { catalog };
    let (before, after) = (describer.parts(before), describer.parts(after));
    let kept = after.iter().filter(|part| before.contains(part)).cloned().collect();
    let new = after.iter().filter(|part| !before.contains(part)).cloned();
    let gone =
        before.iter().filter(|part| !after.contains(part)).map(|part| format!("no longer: {part}"));
    (kept, new.chain(gone).collect())
}
