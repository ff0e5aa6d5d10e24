//! A model that replies according to the script of a scenario.

use std::collections::VecDeque;

use wherefore_engine::catalog::Catalog;
use wherefore_engine::writing::{
    Brief, Call, CallFailure, CallResult, Writing, WritingSettings, Written,
};

/// Maximum number of calls; more indicate an endless loop.
const CALLS: usize = 100;

/// The result of a brief if a model gives these answers, separated by lines of `---`.
///
/// `explain fails: …` is the data source's reply to the next EXPLAIN, `fails: CODE …` is a call that fails, `context:
/// N` sets the context size of the model in tokens, and `drafts: N` sets the number of drafts. The last answer is
/// repeated.
pub(crate) fn write(catalog: &Catalog, brief: Brief, script: &str) -> Written {
    let mut settings = WritingSettings { drafts: [1, 2, 2], ..WritingSettings::default() };
    let mut answers: VecDeque<&str> = VecDeque::new();
    let mut plans: VecDeque<&str> = VecDeque::new();
    for part in script.split("\n---\n") {
        if let Some(message) = part.strip_prefix("explain fails: ") {
            plans.push_back(message);
        } else if let Some(tokens) = part.strip_prefix("context: ") {
            settings.context_tokens = tokens.parse().expect("a number of tokens");
        } else if let Some(drafts) = part.strip_prefix("drafts: ") {
            settings.drafts = [drafts.parse().expect("a number of drafts"); 3];
        } else {
            answers.push_back(part);
        }
    }
    let (mut writing, calls) = Writing::begin(catalog, settings, brief, "nonce".to_owned());
    let mut pending = VecDeque::from(calls);
    for _ in 0..CALLS {
        // Simulates a host that stops between two calls.
        let stored = serde_json::to_string(&writing).expect("a machine is plain data");
        writing = serde_json::from_str(&stored).expect("a machine is restored from it");
        let Some((id, call)) = pending.pop_front() else { break };
        let result = match call {
            Call::Complete(_) => {
                let answer = *answers.front().expect("the script holds an answer");
                if answers.len() > 1 {
                    answers.pop_front();
                }
                match answer
                    .strip_prefix("fails: ")
                    .map(|rest| rest.split_once(' ').unwrap_or((rest, "")))
                {
                    Some((code, message)) => CallResult::Failed(CallFailure {
                        code: code.to_owned(),
                        message: message.to_owned(),
                        ..CallFailure::default()
                    }),
                    None => CallResult::Completed(answer.to_owned()),
                }
            }
            Call::Explain(_) => match plans.pop_front() {
                Some(message) => CallResult::Failed(CallFailure {
                    code: "statement_failed".to_owned(),
                    message: message.to_owned(),
                    ..CallFailure::default()
                }),
                None => CallResult::Explained,
            },
        };
        pending.extend(writing.step(catalog, id, result));
        let waiting: Vec<u32> = writing.pending(catalog).into_iter().map(|(id, _)| id).collect();
        let known: Vec<u32> = pending.iter().map(|(id, _)| *id).collect();
        assert_eq!(waiting, known, "calls that wait are found again in a restored machine");
    }
    writing.finished().cloned().expect("the machine ends")
}
