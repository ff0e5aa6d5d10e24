//! Remembered choices as a list.

use wherefore_engine::memory::{Memory, Pattern};
use wherefore_engine::settings::Settings;

use super::order::sorted;

/// A remembered choice in the list.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct MemoryEntry {
    /// Id of the pattern.
    pub id: String,
    /// The ambiguous words.
    pub phrase: String,
    /// Meaning of the answer.
    pub meaning: String,
    /// How often it was chosen, and when it applies.
    pub note: String,
    /// Whether it applies without being asked, whatever its frequency.
    pub fixed: bool,
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
pub fn count(entries: usize) -> String {
    match entries {
        0 => "Nothing is remembered yet. Choices that you make when you are asked are listed here."
            .to_owned(),
        1 => "1 remembered choice".to_owned(),
        count => format!("{count} remembered choices"),
    }
}

/// A file with all remembered choices.
pub fn file(memory: &Memory) -> String {
    // Remembered choices always serialise.
    serde_json::to_string_pretty(memory).unwrap_or_default() + "\n"
}

fn entry(pattern: &Pattern, settings: &Settings) -> MemoryEntry {
    let times = if pattern.frequency == 1 {
        "once".to_owned()
    } else {
        format!("{} times", pattern.frequency)
    };
    let applies = match (pattern.fixed, pattern.frequency >= settings.memory_frequency) {
        (true, _) => "always used".to_owned(),
        (false, true) => "used if mostly chosen".to_owned(),
        (false, false) => format!("used from {} times on", settings.memory_frequency),
    };
    MemoryEntry {
        id: pattern.id.clone(),
        phrase: pattern.phrase.clone(),
        meaning: pattern.meaning.clone(),
        note: format!("chosen {times}, last on {}; {applies}", pattern.last_used),
        fixed: pattern.fixed,
    }
}

#[cfg(test)]
mod tests {
    use super::{entries, file, fix};
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
