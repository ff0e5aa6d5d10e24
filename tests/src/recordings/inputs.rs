//! Questions whose replies are recorded.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::{Failure, workspace};

/// A question, with the question that it follows up on.
#[derive(Clone, Debug)]
pub struct Question {
    /// Text of the question.
    pub text: String,
    /// The question before, if this is a follow-up.
    pub before: Option<String>,
}

/// Everyday questions about the sample; a line that starts with `> ` is a follow-up to the line before it.
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

/// Questions about other catalogs, from `questions.txt` and the engine's dialogues, without duplicates.
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

/// Questions of the user in a dialogue file.
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
