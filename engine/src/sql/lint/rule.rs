//! A rule of the linter.

use serde::Serialize;

use super::{Finding, Severity, Statement};
use crate::sql::Code;

/// A rule: what it is called, how bad what it finds is, and how it looks.
///
/// Its text and its examples are the documentation of its file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Rule {
    /// Stable short form, such as `N02`.
    #[serde(rename = "rule")]
    pub id: &'static str,
    /// Name in words, such as `unknown-column`.
    pub name: &'static str,
    /// How bad what it finds is.
    #[serde(skip)]
    pub severity: Severity,
    /// How it looks.
    #[serde(skip)]
    pub(crate) check: Check,
}

/// How a rule looks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// By the guard, which finds this.
    Guard(Code),
    /// At a statement whose names are resolved.
    Statement(fn(&Statement<'_>, &mut Vec<Finding>)),
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Rule {
    /// A rule that looks at statements.
    pub(crate) const fn new(
        id: &'static str,
        name: &'static str,
        severity: Severity,
        check: fn(&Statement<'_>, &mut Vec<Finding>),
    ) -> Self {
        Self { id, name, severity, check: Check::Statement(check) }
    }

    /// A rule that the guard looks after.
    pub(crate) const fn of_guard(id: &'static str, name: &'static str, code: Code) -> Self {
        Self { id, name, severity: Severity::Refusal, check: Check::Guard(code) }
    }
}
