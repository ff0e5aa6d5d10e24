//! What a preview may say while a word of the question is still being typed.

use std::sync::Arc;

use wherefore_engine::text::Span;

use crate::engine_client::Preview;

/// A preview as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Without a verdict: the word that is being typed may change it.
    Unfinished(Arc<Preview>),
    /// As the engine reads the question.
    Whole(Arc<Preview>),
}

impl Shown {
    /// A preview while `word` is being typed: without its problem, and without that this word is not understood or
    /// has to be asked about.
    pub fn of(read: Arc<Preview>, word: Option<Span>) -> Self {
        let Some(word) = word else { return Self::Whole(read) };
        let is_unread = read.understanding.unread.iter().any(|span| span.overlaps(word));
        if read.problem.is_none() && !is_unread {
            return Self::Whole(read);
        }
        let mut preview = Preview::clone(&read);
        preview.problem = None;
        preview.understanding.unread.retain(|span| !span.overlaps(word));
        let asks_about = |span: &Option<Span>| span.is_some_and(|span| span.overlaps(word));
        preview.clarifications.retain(|open| !asks_about(&open.span));
        Self::Unfinished(Arc::new(preview))
    }

    /// What is shown of it.
    pub fn preview(&self) -> &Preview {
        match self {
            Self::Unfinished(preview) | Self::Whole(preview) => preview,
        }
    }
}

/// The word that ends at a byte of a text, if the cursor there is at its end.
pub fn unfinished(text: &str, cursor: usize) -> Option<Span> {
    let (before, after) = text.split_at_checked(cursor)?;
    if after.starts_with(char::is_alphanumeric) {
        return None;
    }
    let start = before.trim_end_matches(char::is_alphanumeric).len();
    (start < cursor).then(|| Span::new(start, cursor))
}

#[cfg(test)]
mod tests {
    use super::{Shown, unfinished};
    use crate::engine_client::{Clarification, Preview};
    use std::sync::Arc;
    use wherefore_engine::ambiguity::AmbiguityKind;
    use wherefore_engine::session::{ProblemView, Stage};
    use wherefore_engine::text::Span;

    fn unread(spans: &[Span]) -> Preview {
        let mut preview = Preview::default();
        preview.understanding.unread = spans.to_vec();
        preview
    }

    #[test]
    fn a_word_is_unfinished_while_the_cursor_is_at_its_end() {
        assert_eq!(unfinished("größte albu", 13), Some(Span::new(9, 13)));
        assert_eq!(unfinished("albu, sold", 4), Some(Span::new(0, 4)));
        for (text, cursor) in
            [("", 0), ("albu ", 5), ("album", 2), ("is it?", 6), ("ö", 1), ("a", 9)]
        {
            assert_eq!(unfinished(text, cursor), None, "{text} at {cursor}");
        }
    }

    #[test]
    fn a_word_that_is_being_typed_is_not_called_not_understood() {
        let (first, last) = (Span::new(0, 3), Span::new(4, 7));
        let shown = Shown::of(Arc::new(unread(&[first, last])), Some(last));
        assert_eq!(shown, Shown::Unfinished(Arc::new(unread(&[first]))));
        let shown = Shown::of(Arc::new(unread(&[first, last])), None);
        assert_eq!(shown, Shown::Whole(Arc::new(unread(&[first, last]))));
    }

    #[test]
    fn nothing_is_asked_about_a_word_that_is_being_typed_and_not_understood() {
        let (first, last) = (Span::new(0, 3), Span::new(4, 7));
        let asks_about = |span| Clarification {
            id: String::new(),
            ambiguity: AmbiguityKind::VagueTerm,
            span: Some(span),
            phrase: String::new(),
            question: String::new(),
            reason: String::new(),
            options: Vec::new(),
            custom: None,
            recommended: None,
            understood: Vec::new(),
        };
        let mut read = unread(&[last]);
        read.clarifications = vec![asks_about(first), asks_about(last)];
        let shown = Shown::of(Arc::new(read.clone()), Some(last));
        assert_eq!(shown.preview().clarifications, [asks_about(first)]);
        read.understanding.unread.clear();
        let shown = Shown::of(Arc::new(read), Some(last));
        assert_eq!(shown.preview().clarifications.len(), 2);
    }

    #[test]
    fn no_problem_is_stated_before_the_word_is_finished() {
        let problem = ProblemView {
            code: "no_subject".to_owned(),
            stage: Stage::Understanding,
            message: String::new(),
            hint: String::new(),
            span: None,
            retryable: false,
        };
        let read = Arc::new(Preview { problem: Some(problem), ..Preview::default() });
        let word = Some(Span::new(0, 1));
        assert_eq!(Shown::of(Arc::clone(&read), word).preview(), &Preview::default());
        assert_eq!(Shown::of(Arc::clone(&read), None), Shown::Whole(read));
    }
}
