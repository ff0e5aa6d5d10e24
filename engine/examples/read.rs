//! Reads questions from standard input and prints how an engine for a knowledge file interprets each.

use std::io::BufRead;

use wherefore_engine::{Engine, Knowledge};

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "an example is a host")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: read KNOWLEDGE.json TODAY")?;
    let today = arguments.next().ok_or("usage: read KNOWLEDGE.json TODAY")?;
    let knowledge: Knowledge = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let engine = Engine::new(knowledge);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let preview = engine.preview(&format!("{line} "), &today);
        println!("=== {line}");
        for mention in &preview.understanding.mentions {
            let rivals: Vec<&str> =
                mention.rivals.iter().map(|rival| rival.meaning.as_str()).collect();
            println!(
                "    {} → {} ({:?}, {}) {}",
                mention.phrase,
                mention.meaning,
                mention.kind,
                mention.confidence,
                rivals.join(" | ")
            );
        }
        let unread: Vec<&str> =
            preview.understanding.unread.iter().map(|span| span.of(&line)).collect();
        if !unread.is_empty() {
            println!("    unread: {}", unread.join(", "));
        }
        println!("    confidence {}", preview.understanding.confidence.overall);
        for clarification in &preview.clarifications {
            println!(
                "    ASK [{:?}] {}",
                clarification.ambiguity,
                clarification.plain_text.replace('\n', " / ")
            );
        }
        for assumption in &preview.assumptions {
            println!("    assumes {} = {}", assumption.phrase, assumption.meaning);
        }
        if let Some(problem) = &preview.problem {
            println!("    PROBLEM {}: {} ({})", problem.code, problem.message, problem.hint);
        }
        if let Some(sql) = &preview.sql {
            println!("{sql}");
        }
    }
    Ok(())
}
