//! Findings of rules, and their fixes.

use serde::Serialize;

use crate::tree::SqlSpan;

use super::Rule;

/// Severity of a finding, in ascending order.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[cfg_attr(feature = "typescript", tsify(rename = "FindingSeverity"))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The statement runs, but its answer is probably wrong.
    Warning,
    /// The data source would reject the statement.
    Error,
    /// The statement is unsafe and never runs.
    Refusal,
}

impl Severity {
    /// Name of the severity, for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Refusal => "refusal",
        }
    }
}

/// A problem that a rule found in a statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct Finding {
    /// The rule.
    #[serde(flatten)]
    pub rule: &'static Rule,
    /// Severity of the finding; a dialect can lower the severity of the rule.
    #[cfg_attr(feature = "typescript", tsify(type = "FindingSeverity"))]
    pub severity: Severity,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
    /// Span to underline; zero-length at 0 for the whole statement.
    pub span: SqlSpan,
    /// Suggested fixes, best first.
    pub fixes: Vec<Fix>,
}

/// A change of the statement's text.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Fix {
    /// What the fix does, such as ``replace `emial` with `email` ``.
    pub title: String,
    /// Whether the fix is the only plausible one. Safe fixes of errors are applied without asking. A fix of a statement
    /// that runs changes its answer, so it is only offered, even if it is safe.
    pub is_safe: bool,
    /// Edits of the original text; they do not overlap.
    pub edits: Vec<Edit>,
}

/// A replacement of a span with other text.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Edit {
    /// Span to replace; a zero-length span inserts.
    pub span: SqlSpan,
    /// Replacement text.
    pub text: String,
}

impl Finding {
    /// A finding without fixes, with the severity of its rule.
    pub(crate) fn new(rule: &'static Rule, message: impl Into<String>, span: SqlSpan) -> Self {
        Self { rule, severity: rule.severity, message: message.into(), span, fixes: Vec::new() }
    }

    /// The same finding with another severity.
    #[must_use]
    pub(crate) fn at(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The same finding with a fix appended.
    #[must_use]
    pub(crate) fn fix(mut self, fix: Option<Fix>) -> Self {
        self.fixes.extend(fix);
        self
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.rule.id, self.severity.word(), self.message)?;
        match self.fixes.first() {
            Some(fix) => write!(f, " ({})", fix.title),
            None => Ok(()),
        }
    }
}

impl Fix {
    /// A fix that is the only plausible one.
    pub(crate) fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), is_safe: true, edits }
    }

    /// A fix to be offered to the user.
    pub(crate) fn offer(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), is_safe: false, edits }
    }

    /// The text with the fix applied; `None` if an edit is out of bounds or edits overlap.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut edits: Vec<&Edit> = self.edits.iter().collect();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut mended = String::with_capacity(text.len());
        let mut at = 0;
        for Edit { span, text: new } in edits {
            mended.push_str(text.get(at..span.start as usize)?);
            mended.push_str(new);
            at = span.end as usize;
        }
        mended.push_str(text.get(at..)?);
        Some(mended)
    }
}

impl Edit {
    /// An edit that replaces a span.
    pub(crate) fn replace(span: SqlSpan, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// An edit that inserts text at a byte offset.
    pub(crate) fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { span: SqlSpan { start: at, end: at }, text: text.into() }
    }
}
