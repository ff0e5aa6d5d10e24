//! Marks of users: questions that they found needless are asked less readily.

use serde::{Deserialize, Serialize};

use super::Memory;
use crate::ambiguity::AmbiguityKind;
use crate::text::fold;

/// Maximum number of marked questions in a memory; beyond it, the one that was marked longest ago is dropped.
const MARKED: usize = 500;

/// An ambiguity whose questions were marked as needless.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Needless {
    /// Id; the same for the same kind and phrase.
    pub id: String,
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// The ambiguous words, case-folded and without accents.
    pub phrase: String,
    /// Number of marks as needless, less those as helpful; at least 1.
    pub marks: u32,
    /// Date of the last mark, `yyyy-mm-dd`.
    pub last_used: String,
}

impl Memory {
    /// Counts a mark of a question, as needless or as helpful; `today` is `yyyy-mm-dd`.
    pub fn mark(&mut self, ambiguity: AmbiguityKind, phrase: &str, needless: bool, today: &str) {
        let phrase = fold(phrase);
        let known = self
            .needless
            .iter_mut()
            .find(|known| known.ambiguity == ambiguity && known.phrase == phrase);
        match known {
            Some(known) => {
                known.marks = if needless {
                    known.marks.saturating_add(1)
                } else {
                    known.marks.saturating_sub(1)
                };
                today.clone_into(&mut known.last_used);
            }
            None if needless => self.needless.push(Needless {
                id: identify(ambiguity, &phrase),
                ambiguity,
                phrase,
                marks: 1,
                last_used: today.to_owned(),
            }),
            None => {}
        }
        self.needless.retain(|known| known.marks > 0);
        if self.needless.len() > MARKED {
            let marked = self.needless.iter().enumerate();
            let oldest = marked.min_by_key(|(position, known)| (&known.last_used, *position));
            if let Some((position, _)) = oldest {
                self.needless.remove(position);
            }
        }
    }

    /// The entry of an ambiguity of this kind and phrase, if it was marked as needless.
    pub(crate) fn marked(&self, ambiguity: AmbiguityKind, phrase: &str) -> Option<&Needless> {
        if self.needless.is_empty() {
            return None;
        }
        let phrase = fold(phrase);
        self.needless.iter().find(|known| known.ambiguity == ambiguity && known.phrase == phrase)
    }
}

impl Needless {
    /// Why the question is not asked, for users.
    pub(crate) fn reason(&self) -> String {
        match self.marks {
            1 => "you marked this question as needless".to_owned(),
            marks => format!("you marked this question as needless {marks} times"),
        }
    }
}

/// Id of a marked ambiguity: `n_` and 16 hexadecimal digits of an FNV-1a hash.
fn identify(ambiguity: AmbiguityKind, phrase: &str) -> String {
    format!("n_{:016x}", crate::text::hash(&format!("{ambiguity:?}\u{1f}{phrase}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_counted_by_kind_and_words_and_taken_back() {
        let mut memory = Memory::default();
        let vague = AmbiguityKind::VagueTerm;
        memory.mark(vague, "Recent", true, "2026-11-20");
        memory.mark(vague, "recent", true, "2026-11-21");
        memory.mark(AmbiguityKind::Column, "recent", true, "2026-11-21");
        let marks = |memory: &Memory| memory.marked(vague, "RECENT").map(|known| known.marks);
        assert_eq!(marks(&memory), Some(2));
        memory.mark(vague, "recent", false, "2026-11-22");
        assert_eq!(marks(&memory), Some(1));
        memory.mark(vague, "recent", false, "2026-11-22");
        assert_eq!(marks(&memory), None);
        assert_eq!(memory.needless.len(), 1);
        let id = memory.needless[0].id.clone();
        assert!(memory.forget(&id));
        assert!(memory.needless.is_empty());
    }

    #[test]
    fn the_longest_unmarked_question_is_dropped() {
        let mut memory = Memory::default();
        for number in 0..=MARKED {
            memory.mark(AmbiguityKind::Value, &format!("word {number}"), true, "2026-11-20");
        }
        assert_eq!(memory.needless.len(), MARKED);
        assert_eq!(memory.marked(AmbiguityKind::Value, "word 0"), None);
    }
}
