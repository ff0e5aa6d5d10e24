//! Lessons that were learned from corrections and repairs, with how often they were used and were right.

use serde::{Deserialize, Serialize};

use super::{LessonTarget, Memory};
use crate::text::fold;

/// Maximum number of learned lessons in a memory; beyond it, the weakest is dropped, of equal ones the oldest.
const LESSONS: usize = 200;
/// How many uses the confidence that a lesson begins with weighs as much as.
const PRIOR: f64 = 4.0;
/// Strength below which a lesson is no longer applied.
const RETIRED_BELOW: f64 = 0.5;

/// What a lesson is about.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum LessonKind {
    /// Words mean a column.
    ColumnMapping,
    /// A statement of a model failed with this message before it was repaired.
    ErrorPattern,
    /// A repaired statement of a model answered a question with these words.
    QueryPattern,
    /// Words mean a table.
    TableMapping,
}

/// A lesson that was learned.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// Id; the same for the same lesson.
    pub id: String,
    /// Kind.
    pub kind: LessonKind,
    /// The words, case-folded and without accents; of a query pattern, the stems of the question's words. Empty for an
    /// error pattern.
    #[serde(default)]
    pub words: String,
    /// The table or column that the words of a mapping mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<LessonTarget>,
    /// The message of an error pattern, the statement of a query pattern.
    #[serde(default)]
    pub text: String,
    /// Confidence when it was learned: 0.95 from a correction that worked, 0.8 from a failure that was repaired.
    pub confidence: f64,
    /// Number of questions that it was used for.
    #[serde(default)]
    pub uses: u32,
    /// Number of those questions whose answer used it.
    #[serde(default)]
    pub successes: u32,
    /// Date on which it was last learned or used, `yyyy-mm-dd`.
    pub last_used: String,
}

/// What a question teaches about lessons; the host passes it to [`Memory::learn`].
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(default, deny_unknown_fields)]
pub struct LessonNews {
    /// Lessons that were learned; those that are known are kept with their counts.
    pub learned: Vec<Learned>,
    /// Ids of lessons that were used in an answer.
    pub worked: Vec<String>,
    /// Ids of lessons that were used and then corrected, or led to no answer.
    pub failed: Vec<String>,
}

impl LessonNews {
    /// Whether there is nothing to store.
    pub fn is_empty(&self) -> bool {
        self.learned.is_empty() && self.worked.is_empty() && self.failed.is_empty()
    }
}

impl Learned {
    /// A mapping of words to a table or column, from a correction that worked.
    pub(crate) fn mapping(phrase: &str, means: LessonTarget) -> Self {
        let kind = match means {
            LessonTarget::Column { .. } => LessonKind::ColumnMapping,
            LessonTarget::Table { .. } => LessonKind::TableMapping,
        };
        Self { means: Some(means), ..Self::new(kind, fold(phrase), String::new(), 0.95) }
    }

    /// A pattern of an error or a query, from a failure that was repaired.
    pub(crate) fn pattern(kind: LessonKind, words: String, text: String) -> Self {
        Self::new(kind, words, text, 0.8)
    }

    fn new(kind: LessonKind, words: String, text: String, confidence: f64) -> Self {
        let (id, last_used) = (String::new(), String::new());
        Self { id, kind, words, means: None, text, confidence, uses: 0, successes: 0, last_used }
    }

    /// Id of a lesson: `l_` and 16 hexadecimal digits of an FNV-1a hash.
    fn identified(self) -> Self {
        let means = serde_json::to_string(&self.means).unwrap_or_default();
        let (kind, words, text) = (self.kind, &self.words, &self.text);
        // One query pattern for the same words: the latest statement takes the place of the one before.
        let text = if kind == LessonKind::QueryPattern { "" } else { text };
        let id = crate::text::hash(&format!("{kind:?}\u{1f}{words}\u{1f}{means}\u{1f}{text}"));
        Self { id: format!("l_{id:016x}"), ..self }
    }

    /// How much the lesson is trusted, 0 to 1: its confidence, weighed like four uses, and the uses since.
    pub fn strength(&self) -> f64 {
        let successes = PRIOR * self.confidence.clamp(0.0, 1.0) + f64::from(self.successes);
        successes / (PRIOR + f64::from(self.uses))
    }

    /// Whether the lesson was wrong too often to be applied.
    pub fn is_retired(&self) -> bool {
        self.strength() < RETIRED_BELOW
    }
}

impl Memory {
    /// Adds lessons, and counts the uses of those that are known; `today` is `yyyy-mm-dd`.
    pub fn learn(&mut self, news: &LessonNews, today: &str) {
        for learned in &news.learned {
            let learned = learned.clone().identified();
            let known = self.lessons.iter_mut().find(|known| known.id == learned.id);
            match known {
                Some(known) => {
                    known.confidence = known.confidence.max(learned.confidence);
                    known.text.clone_from(&learned.text);
                    // What is taught again is right again.
                    if known.is_retired() {
                        (known.uses, known.successes) = (0, 0);
                    }
                    today.clone_into(&mut known.last_used);
                }
                None => self.lessons.push(Learned { last_used: today.to_owned(), ..learned }),
            }
        }
        let counted = [(&news.worked, 1), (&news.failed, 0)];
        for (ids, success) in counted {
            for lesson in self.lessons.iter_mut().filter(|lesson| ids.contains(&lesson.id)) {
                lesson.uses = lesson.uses.saturating_add(1);
                lesson.successes = lesson.successes.saturating_add(success);
                today.clone_into(&mut lesson.last_used);
            }
        }
        while self.lessons.len() > LESSONS {
            let weaker = |one: &Learned, other: &Learned| {
                let strength = one.strength().total_cmp(&other.strength());
                strength.then_with(|| one.last_used.cmp(&other.last_used))
            };
            let lessons = self.lessons.iter().enumerate();
            let weakest = lessons.min_by(|(_, one), (_, other)| weaker(one, other));
            let Some((position, _)) = weakest else { break };
            self.lessons.remove(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(learned: Vec<Learned>) -> LessonNews {
        LessonNews { learned, ..LessonNews::default() }
    }

    // Promise: memory.lessons-counted
    #[test]
    fn uses_strengthen_a_lesson_and_failures_retire_it() {
        let mut memory = Memory::default();
        let table = LessonTarget::Table { table: "orders".to_owned() };
        let lesson = Learned::mapping("Shipments", table);
        memory.learn(&news(vec![lesson.clone()]), "2026-11-20");
        memory.learn(&news(vec![lesson.clone()]), "2026-11-21");
        let [known] = memory.lessons.as_slice() else { panic!("{memory:?}") };
        assert_eq!((known.kind, known.words.as_str()), (LessonKind::TableMapping, "shipments"));
        assert!((known.strength() - 0.95).abs() < 1e-9);
        let id = known.id.clone();
        let worked = LessonNews { worked: vec![id.clone()], ..LessonNews::default() };
        memory.learn(&worked, "2026-11-22");
        assert!(memory.lessons[0].strength() > 0.95);
        let failed = LessonNews { failed: vec![id.clone()], ..LessonNews::default() };
        for _ in 0..5 {
            assert!(!memory.lessons[0].is_retired());
            memory.learn(&failed, "2026-11-23");
        }
        let known = &memory.lessons[0];
        assert_eq!((known.uses, known.successes, known.is_retired()), (6, 1, true));
        memory.learn(&news(vec![lesson]), "2026-11-24");
        assert!(!memory.lessons[0].is_retired(), "it was taught again");
        assert!(memory.forget(&id));
        assert!(memory.lessons.is_empty());
    }

    #[test]
    fn the_weakest_lesson_is_dropped() {
        let mut memory = Memory::default();
        let pattern = |number: usize| {
            Learned::pattern(LessonKind::ErrorPattern, String::new(), format!("error {number}"))
        };
        memory.learn(&news((0..LESSONS).map(pattern).collect()), "2026-11-20");
        let table = LessonTarget::Table { table: "orders".to_owned() };
        memory.learn(&news(vec![Learned::mapping("shipments", table)]), "2026-11-20");
        assert_eq!(memory.lessons.len(), LESSONS);
        assert!(memory.lessons.iter().any(|lesson| lesson.kind == LessonKind::TableMapping));
    }
}
