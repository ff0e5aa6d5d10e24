//! Irregular verb forms.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Irregular forms of verbs, each with its base form.
pub(crate) const IRREGULAR_FILE: &str = include_str!("../data/irregular_verbs.txt");

static IRREGULAR: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| crate::pairs(IRREGULAR_FILE).collect());

/// Base form of an irregular verb form.
pub(crate) fn irregular_base(form: &str) -> Option<&'static str> {
    IRREGULAR.get(form).copied()
}
