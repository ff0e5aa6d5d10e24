//! The list of continuations that is offered while a question is typed.

use wherefore_engine::session::{Completion, CompletionKind};

use crate::texts;

/// What a key does while continuations are offered.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ListKey {
    /// The continuation at this place is accepted.
    Accept(usize),
    /// The list is closed.
    Close,
    /// Default behaviour of the composer.
    Default,
    /// Another continuation, or none, is the active one.
    Move(Option<usize>),
}

/// What a key does, given the number of continuations and the active one; modifiers leave all keys to the browser.
pub fn list_key(key: &str, is_modified: bool, count: usize, active: Option<usize>) -> ListKey {
    if count == 0 || is_modified {
        return ListKey::Default;
    }
    match (key, active) {
        ("ArrowDown", None) => ListKey::Move(Some(0)),
        ("ArrowDown", Some(at)) => ListKey::Move(Some((at + 1) % count)),
        ("ArrowUp", Some(at)) => ListKey::Move(at.checked_sub(1)),
        ("Enter", Some(at)) => ListKey::Accept(at),
        ("Escape", _) => ListKey::Close,
        ("Tab", _) => ListKey::Accept(active.unwrap_or(0)),
        _ => ListKey::Default,
    }
}

/// A text with an accepted continuation, and the place of the cursor behind it in UTF-16 code units.
///
/// A space follows the continuation, so that what is typed next is another word.
pub fn accepted(text: &str, completion: &Completion) -> (String, usize) {
    let (start, end) = (completion.span.start as usize, completion.span.end as usize);
    let (before, after) = match (text.get(..start), text.get(end..)) {
        (Some(before), Some(after)) => (before, after),
        _ => (text, ""),
    };
    let space = if after.starts_with(char::is_whitespace) { "" } else { " " };
    let lead = format!("{before}{}{space}", completion.insert);
    let caret = lead.encode_utf16().count();
    (format!("{lead}{after}"), caret)
}

/// The byte of a text at a place in UTF-16 code units; the end for one that is beyond it.
pub fn byte_at(text: &str, place: usize) -> usize {
    let mut units = 0;
    let found = text.char_indices().find(|(_, character)| {
        let is_here = units >= place;
        units += character.len_utf16();
        is_here
    });
    found.map_or(text.len(), |(at, _)| at)
}

/// Name of what a continuation offers.
pub fn kind_label(kind: CompletionKind) -> &'static str {
    match kind {
        CompletionKind::Column => texts::kind_column(),
        CompletionKind::Comparison => texts::kind_comparison(),
        CompletionKind::Grouping => texts::kind_grouping(),
        CompletionKind::Metric => texts::kind_metric(),
        CompletionKind::Operator => texts::kind_condition(),
        CompletionKind::Order => texts::kind_order(),
        CompletionKind::Period => texts::kind_period(),
        CompletionKind::Question => texts::kind_question(),
        CompletionKind::Table => texts::kind_table(),
        CompletionKind::Value => texts::kind_value_short(),
        _ => "",
    }
}

/// What a screen reader says of a list: how many continuations there are, and what Tab accepts.
pub fn announced(items: &[Completion]) -> Option<String> {
    let first = &items.first()?.label;
    Some(texts::continuations_offered(items.len(), first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wherefore_engine::text::Span;

    fn completion(start: usize, end: usize, insert: &str) -> Completion {
        Completion {
            span: Span::new(start, end),
            insert: insert.to_owned(),
            label: insert.trim().to_owned(),
            kind: CompletionKind::Grouping,
            instead: false,
            asks: false,
        }
    }

    #[test]
    fn tab_accepts_the_first_one_and_enter_only_one_that_was_moved_to() {
        assert_eq!(list_key("Tab", false, 3, None), ListKey::Accept(0));
        assert_eq!(list_key("Tab", false, 3, Some(2)), ListKey::Accept(2));
        assert_eq!(list_key("Enter", false, 3, Some(1)), ListKey::Accept(1));
        assert_eq!(list_key("Enter", false, 3, None), ListKey::Default);
        assert_eq!(list_key("Escape", false, 3, None), ListKey::Close);
    }

    #[test]
    fn without_a_list_or_with_a_modifier_every_key_is_the_browsers() {
        for key in ["Tab", "Enter", "Escape", "ArrowDown", "ArrowUp"] {
            assert_eq!(list_key(key, false, 0, None), ListKey::Default, "{key}");
            assert_eq!(list_key(key, true, 3, Some(1)), ListKey::Default, "{key}");
        }
    }

    #[test]
    fn arrows_go_through_the_list_and_back_to_the_text() {
        assert_eq!(list_key("ArrowDown", false, 2, None), ListKey::Move(Some(0)));
        assert_eq!(list_key("ArrowDown", false, 2, Some(1)), ListKey::Move(Some(0)));
        assert_eq!(list_key("ArrowUp", false, 2, Some(1)), ListKey::Move(Some(0)));
        assert_eq!(list_key("ArrowUp", false, 2, Some(0)), ListKey::Move(None));
        assert_eq!(list_key("ArrowUp", false, 2, None), ListKey::Default);
    }

    #[test]
    fn an_accepted_continuation_replaces_its_span_and_a_space_follows() {
        let both = accepted("😀 revenue by mo", &completion(13, 18, "by month"));
        assert_eq!(both, ("😀 revenue by month ".to_owned(), 20));
        let inside = accepted("sales by mo in 2025", &completion(9, 11, "month"));
        assert_eq!(inside, ("sales by month in 2025".to_owned(), 14));
        let beyond = accepted("a", &completion(7, 9, " b"));
        assert_eq!(beyond, ("a b ".to_owned(), 4));
    }

    #[test]
    fn places_of_a_text_are_bytes() {
        assert_eq!(byte_at("é😀x", 0), 0);
        assert_eq!(byte_at("é😀x", 1), 2);
        assert_eq!(byte_at("é😀x", 3), 6);
        assert_eq!(byte_at("é😀x", 99), 7);
    }

    #[test]
    fn every_kind_has_a_label() {
        for kind in [
            CompletionKind::Column,
            CompletionKind::Comparison,
            CompletionKind::Grouping,
            CompletionKind::Metric,
            CompletionKind::Operator,
            CompletionKind::Order,
            CompletionKind::Period,
            CompletionKind::Question,
            CompletionKind::Table,
            CompletionKind::Value,
        ] {
            assert!(!kind_label(kind).is_empty(), "{kind:?}");
        }
    }

    #[test]
    fn the_number_and_what_tab_accepts_are_announced() {
        let items = [completion(0, 0, " by month"), completion(0, 0, "by year")];
        assert_eq!(announced(&items).as_deref(), Some("2 continuations. Tab accepts by month."));
        assert_eq!(
            announced(&items[..1]).as_deref(),
            Some("1 continuation. Tab accepts by month.")
        );
        assert_eq!(announced(&[]), None);
    }
}
