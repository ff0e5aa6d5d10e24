//! What a rule found, and what would mend it.

use serde::Serialize;

use crate::sql::tree::SqlSpan;

use super::Rule;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// It runs, and the answer is likely wrong.
    Warning,
    /// The data source will refuse it.
    Error,
    /// Unsafe: it is not run.
    Refusal,
}

impl Severity {
    /// Word for a page and for messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Refusal => "refusal",
        }
    }
}

/// A place in a statement that a rule names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify), tsify(hashmap_as_object))]
pub struct Finding {
    /// The rule.
    #[serde(flatten)]
    pub rule: &'static Rule,
    /// How bad it is here; a dialect may make a rule's severity milder.
    pub severity: Severity,
    /// What is wrong, in lower case without a full stop.
    pub message: String,
    /// What to underline; zero-length at 0 where it is the whole statement.
    pub span: SqlSpan,
    /// What would mend it, best first.
    pub fixes: Vec<Fix>,
}

/// A change of the text.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Fix {
    /// What it does, such as `replace "emial" by "email"`.
    pub title: String,
    /// Whether nothing else can be meant. In an error such a fix is made without asking; in a statement that runs even
    /// this one changes the answer, and is offered.
    pub is_safe: bool,
    /// Edits of one text; they do not overlap.
    pub edits: Vec<Edit>,
}

/// Text that takes the place of a range.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct Edit {
    /// What is replaced; a range of no length inserts.
    pub span: SqlSpan,
    /// What stands there then.
    pub text: String,
}

impl Finding {
    /// A finding without a fix, as bad as its rule says.
    pub(crate) fn new(rule: &'static Rule, message: impl Into<String>, span: SqlSpan) -> Self {
        Self { rule, severity: rule.severity, message: message.into(), span, fixes: Vec::new() }
    }

    /// The same at another severity.
    #[must_use]
    pub(crate) fn at(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// The same with a fix after those it has.
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
    /// A fix beside which nothing else can be meant.
    pub(crate) fn safe(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), is_safe: true, edits }
    }

    /// A fix that is offered.
    pub(crate) fn offer(title: impl Into<String>, edits: Vec<Edit>) -> Self {
        Self { title: title.into(), is_safe: false, edits }
    }

    /// The text after the fix; none where an edit is outside the text or they overlap.
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
    /// Replaces a range.
    pub(crate) fn replace(span: SqlSpan, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }

    /// Inserts at a place.
    pub(crate) fn insert(at: u32, text: impl Into<String>) -> Self {
        Self { span: SqlSpan { start: at, end: at }, text: text.into() }
    }
}
