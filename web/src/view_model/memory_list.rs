//! Remembered choices, marks and lessons as lists.

use wherefore_engine::memory::{Learned, LessonKind, LessonTarget, Memory, Pattern};
use wherefore_engine::settings::Settings;

use super::locale::Locale;
use super::order::sorted;
use crate::texts;

/// Something remembered, in a list.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct MemoryEntry {
    /// Id in the memory.
    pub id: String,
    /// The ambiguous words.
    pub phrase: String,
    /// Their meaning; empty if only a question about them is remembered.
    pub meaning: String,
    /// How often it was chosen, and when it applies.
    pub note: String,
    /// Whether a choice applies without being asked, whatever its frequency; `None` for marks and lessons.
    pub fixed: Option<bool>,
}

/// Questions that were marked as needless, the last marked first.
pub fn needless(memory: &Memory, settings: &Settings) -> Vec<MemoryEntry> {
    let marked = memory.needless.iter().collect();
    let marked = sorted(marked, |one, other| other.last_used.cmp(&one.last_used));
    let limit = settings.needless_marks;
    marked
        .into_iter()
        .map(|known| {
            let is_silent = limit > 0 && known.marks >= limit;
            let effect = if is_silent { texts::no_longer_asked() } else { texts::asked_less() };
            MemoryEntry {
                id: known.id.clone(),
                phrase: known.phrase.clone(),
                meaning: String::new(),
                note: texts::marked_needless_times(&times(known.marks), effect),
                fixed: None,
            }
        })
        .collect()
}

/// Lessons that corrections and repairs taught, the last used first.
pub fn lessons(memory: &Memory) -> Vec<MemoryEntry> {
    let learned = memory.lessons.iter().collect();
    let learned = sorted(learned, |one: &&Learned, other| other.last_used.cmp(&one.last_used));
    learned.into_iter().map(lesson).collect()
}

fn lesson(learned: &Learned) -> MemoryEntry {
    let (phrase, source) = match learned.kind {
        LessonKind::ColumnMapping | LessonKind::TableMapping => {
            (&*learned.words, texts::a_correction())
        }
        LessonKind::ErrorPattern => (texts::error_of_model(), texts::a_repair()),
        LessonKind::QueryPattern => (&*learned.words, texts::a_repair()),
    };
    let meaning = match &learned.means {
        Some(LessonTarget::Column { column }) => format!("{}.{}", column.table, column.column),
        Some(LessonTarget::Table { table }) => table.clone(),
        None => learned.text.clone(),
    };
    let used = match learned.uses {
        0 => texts::not_used_yet().to_owned(),
        uses => texts::used_right(&times(uses), &times(learned.successes)),
    };
    MemoryEntry {
        id: learned.id.clone(),
        phrase: phrase.to_owned(),
        meaning,
        note: texts::learned_from(source, &used),
        fixed: None,
    }
}

/// A number of times in words.
fn times(count: u32) -> String {
    texts::times(count as usize)
}

/// All remembered choices, the last used first.
pub fn entries(memory: &Memory, settings: &Settings) -> Vec<MemoryEntry> {
    let patterns: Vec<&Pattern> = memory.patterns.iter().collect();
    let patterns = sorted(patterns, |one, other| other.last_used.cmp(&one.last_used));
    patterns.into_iter().map(|pattern| entry(pattern, settings)).collect()
}

/// Sets whether a choice applies without being asked; others for the same words no longer do.
pub fn fix(memory: &mut Memory, id: &str, fixed: bool) {
    let about = memory.patterns.iter().find(|pattern| pattern.id == id);
    let Some((ambiguity, phrase)) = about.map(|it| (it.ambiguity, it.phrase.clone())) else {
        return;
    };
    for pattern in &mut memory.patterns {
        if pattern.id == id {
            pattern.fixed = fixed;
        } else if fixed && pattern.ambiguity == ambiguity && pattern.phrase == phrase {
            pattern.fixed = false;
        }
    }
}

/// Number of choices in words.
pub fn count_choices(count: usize) -> String {
    texts::choices_count(count)
}

/// Number of needless questions in words.
pub fn count_needless(count: usize) -> String {
    texts::needless_count(count)
}

/// Number of lessons in words.
pub fn count_lessons(count: usize) -> String {
    texts::lessons_count(count)
}

/// A file with all remembered choices.
pub fn file(memory: &Memory) -> String {
    // Remembered choices always serialise.
    serde_json::to_string_pretty(memory).unwrap_or_default() + "\n"
}

fn entry(pattern: &Pattern, settings: &Settings) -> MemoryEntry {
    let times = times(pattern.frequency);
    let applies = match (pattern.fixed, pattern.frequency >= settings.memory_frequency) {
        (true, _) => texts::applies_always().to_owned(),
        (false, true) => texts::applies_mostly().to_owned(),
        (false, false) => texts::applies_from(&settings.memory_frequency.to_string()),
    };
    let last_used = Locale::with(|locale| locale.day(&pattern.last_used));
    MemoryEntry {
        id: pattern.id.clone(),
        phrase: pattern.phrase.clone(),
        meaning: pattern.meaning.clone(),
        note: texts::chosen_times(&times, &last_used, &applies),
        fixed: Some(pattern.fixed),
    }
}

#[cfg(test)]
mod tests {
    use super::{MemoryEntry, entries, file, fix, lessons, needless};
    use wherefore_engine::memory::Memory;
    use wherefore_engine::settings::Settings;

    fn memory() -> Memory {
        let pattern = |id: &str, phrase: &str, frequency: u32, last_used: &str| {
            serde_json::json!({
                "id": id, "ambiguity": "vague_term", "phrase": phrase,
                "answer": { "type": "option", "option_id": "a" }, "meaning": format!("meaning of {id}"),
                "context": [], "frequency": frequency, "last_used": last_used,
            })
        };
        serde_json::from_value(serde_json::json!({ "version": 1, "patterns": [
            pattern("one", "recent", 1, "2025-01-01"),
            pattern("two", "recent", 3, "2025-03-01"),
            pattern("three", "big", 2, "2025-02-01"),
        ] }))
        .expect("a memory")
    }

    #[test]
    fn the_last_used_is_first_and_says_when_it_applies() {
        let entries = entries(&memory(), &Settings::default());
        let notes: Vec<&str> = entries.iter().map(|entry| entry.note.as_str()).collect();
        assert_eq!(
            notes,
            [
                "chosen 3 times, last on 2025-03-01; used if mostly chosen",
                "chosen 2 times, last on 2025-02-01; used from 3 times on",
                "chosen once, last on 2025-01-01; used from 3 times on",
            ]
        );
    }

    #[test]
    fn marks_and_lessons_say_what_they_do() {
        let memory: Memory = serde_json::from_value(serde_json::json!({
            "version": 1,
            "needless": [
                { "id": "n_1", "ambiguity": "vague_term", "phrase": "recent", "marks": 2, "last_used": "2025-01-01" },
                { "id": "n_2", "ambiguity": "vague_term", "phrase": "big", "marks": 1, "last_used": "2025-01-02" },
            ],
            "lessons": [{
                "id": "l_1", "kind": "column_mapping", "words": "turnover", "confidence": 0.95,
                "means": { "type": "column", "column": { "table": "orders", "column": "total" } },
                "uses": 3, "successes": 1, "last_used": "2025-01-01",
            }],
        }))
        .expect("a memory");
        let notes = |entries: Vec<MemoryEntry>| -> Vec<String> {
            entries
                .into_iter()
                .map(|it| format!("{} → {}: {}", it.phrase, it.meaning, it.note))
                .collect()
        };
        assert_eq!(
            notes(needless(&memory, &Settings::default())),
            [
                "big → : marked as needless once; asked less readily",
                "recent → : marked as needless 2 times; no longer asked",
            ]
        );
        assert_eq!(
            notes(lessons(&memory)),
            ["turnover → orders.total: learned from a correction; used 3 times, right once"]
        );
    }

    #[test]
    fn one_choice_for_the_same_words_is_always_used() {
        let mut memory = memory();
        fix(&mut memory, "one", true);
        fix(&mut memory, "three", true);
        fix(&mut memory, "two", true);
        let fixed: Vec<bool> = memory.patterns.iter().map(|pattern| pattern.fixed).collect();
        assert_eq!(fixed, [false, true, true]);
        fix(&mut memory, "two", false);
        assert!(!memory.patterns[1].fixed);
    }

    #[test]
    fn the_file_is_read_again_as_the_same_memory() {
        let memory = memory();
        assert_eq!(serde_json::from_str::<Memory>(&file(&memory)).expect("JSON"), memory);
    }
}
