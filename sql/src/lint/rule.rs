//! A lint rule.

use serde::Serialize;

use super::{Finding, Severity, Statement};
use crate::Code;

/// A lint rule: identifier, name, severity and check.
///
/// Its description and examples are the module documentation of its file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Rule {
    /// Stable identifier, such as `N02`.
    #[serde(rename = "rule")]
    pub id: &'static str,
    /// Readable name, such as `unknown-column`.
    pub name: &'static str,
    /// Default severity of the rule's findings.
    #[serde(skip)]
    pub severity: Severity,
    /// How the rule finds problems.
    #[serde(skip)]
    pub(crate) check: Check,
}

/// How a rule finds problems.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// The guard reports them with this code.
    Guard(Code),
    /// A function that examines a bound statement.
    Statement(fn(&Statement<'_>, &mut Vec<Finding>)),
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Rule {
    /// A rule that examines statements.
    pub(crate) const fn new(
        id: &'static str,
        name: &'static str,
        severity: Severity,
        check: fn(&Statement<'_>, &mut Vec<Finding>),
    ) -> Self {
        Self { id, name, severity, check: Check::Statement(check) }
    }

    /// A rule that the guard enforces.
    pub(crate) const fn of_guard(id: &'static str, name: &'static str, code: Code) -> Self {
        Self { id, name, severity: Severity::Refusal, check: Check::Guard(code) }
    }
}
