//! Questions that are recorded.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::{Failure, workspace};

/// A question, and the one that it goes on from.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// What was asked before.
    pub before: Option<String>,
}

/// Everyday questions about the sample; a line that begins with `> ` goes on from the line before it.
pub fn everyday() -> Result<Vec<Question>, Failure> {
    let mut questions: Vec<Question> = Vec::new();
    for line in lines("tests/data/recorded_questions.txt")? {
        let question = match line.strip_prefix("> ") {
            Some(text) => {
                let before = questions.last().map(|last| last.text.clone());
                Question { text: text.to_owned(), before }
            }
            None => Question { text: line, before: None },
        };
        questions.push(question);
    }
    Ok(questions)
}

/// Questions for other catalogs: those of `questions.txt` and of the engine's dialogues, each once.
pub fn of_other_catalogs() -> Result<Vec<String>, Failure> {
    let mut questions = lines("tests/data/questions.txt")?;
    let folder = workspace::root().join("engine/tests/dialogues");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    for file in files {
        questions.extend(asked(&fs::read_to_string(file)?));
    }
    let mut seen = BTreeSet::new();
    questions.retain(|question| seen.insert(question.clone()));
    Ok(questions)
}

/// Texts of the blocks in which a user asks something.
fn asked(markdown: &str) -> Vec<String> {
    let parts = markdown.split("```user").skip(1);
    let text = |part: &str| {
        let (_, block) = part.split_once('\n')?;
        Some(block.split_once("\n```")?.0.to_owned())
    };
    parts.filter_map(text).collect()
}

/// Lines of a file, without comments and empty ones.
fn lines(path: &str) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(workspace::root().join(path))?;
    let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
    Ok(text.lines().filter(is_said).map(str::to_owned).collect())
}
