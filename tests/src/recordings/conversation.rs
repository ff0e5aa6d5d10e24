//! A question over HTTP, with all possible follow-up requests.

use serde_json::{Value, json};

use super::client::{Ask, Client};
use super::inputs::Question;
use super::sample::TODAY;
use crate::Failure;

/// Maximum number of clarification rounds; no question needs as many.
const ROUNDS: usize = 4;

/// Which option an answer selects; `Own` is custom input if accepted, else the best guess.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Take {
    First,
    Last,
    Own,
}

/// Asks a question, sends all possible follow-up requests, and returns the recorded replies.
///
/// `place` is the number of the question, from which ids are derived. Of the questions that need clarification, every
/// third also gets invalid and custom answers, every fifth a correction, and every seventh is cancelled.
pub fn converse(client: &Client<'_>, place: usize, question: &Question) -> Result<Value, Failure> {
    let mut client = client.again();
    let before = match &question.before {
        Some(before) => client.send(&ask(&format!("before-{place:010}"), before, &Value::Null))?.1,
        None => Value::Null,
    };
    let context = &before["context"];
    let id = |round: &str| format!("recorded-{round}-{place:06}");
    let first = id("first");
    let (status, reply) = client.send(&ask(&first, &question.text, context))?;
    let earlier = usize::from(question.before.is_some());
    client.send(&Ask::get(&format!("query/{first}")))?;
    client.repeats(earlier);
    client.send(&Ask::get(&format!("query/{first}/events")))?;
    if status == 202 {
        client.send(&mark(&reply, "helpful"))?;
        let (_, other) = client.send(&ask(&id("other"), &question.text, context))?;
        answered(&mut client, other, Take::Last)?;
        if place.is_multiple_of(3) {
            let (_, own) = client.send(&ask(&id("owned"), &question.text, context))?;
            misanswered(&mut client, &own)?;
            answered(&mut client, own, Take::Own)?;
        }
        if place.is_multiple_of(5) {
            corrected(&mut client, &id("right"), question, context)?;
        }
        if place.is_multiple_of(7) {
            cancelled(&mut client, &id("ended"), question, context)?;
        }
    }
    let ended = answered(&mut client, reply, Take::First)?;
    changed(&mut client, &ended)?;
    Ok(client.said())
}

/// Asks a question, and answers clarifications with their first options.
pub fn ask_briefly(client: &Client<'_>, question: &Question) -> Result<Value, Failure> {
    let mut client = client.again();
    let body = json!({ "question": question.text, "today": TODAY });
    let (_, reply) = client.send(&Ask::post("query", &body))?;
    answered(&mut client, reply, Take::First)?;
    Ok(client.said())
}

/// Asks several questions as one person, whose memory is kept between them.
pub fn remembered(client: &Client<'_>, person: &str, questions: &[&str]) -> Result<Value, Failure> {
    let mut client = client.again();
    for question in questions {
        let body = json!({ "question": question, "today": TODAY, "person": person });
        let (_, reply) = client.send(&Ask::post("query", &body))?;
        if reply["clarification_id"].is_string() {
            let answers = answers(&reply, Take::Last);
            let remember: Vec<&Value> =
                list(&reply["questions"]).iter().map(|asked| &asked["id"]).collect();
            let body = json!({
                "clarification_id": reply["clarification_id"], "answers": answers,
                "remember": remember, "person": person,
            });
            client.send(&Ask::post("query/clarify", &body))?;
        }
        client.send(&Ask::get(&format!("memory/{person}")))?;
    }
    Ok(client.said())
}

fn ask(id: &str, question: &str, context: &Value) -> Ask {
    let mut body = json!({ "question": question, "today": TODAY, "id": id });
    if !context.is_null() {
        body["context"] = context.clone();
    }
    Ask::post("query", &body)
}

/// Answers clarifications until none are left; returns the last reply.
fn answered(client: &mut Client<'_>, reply: Value, take: Take) -> Result<Value, Failure> {
    let mut reply = reply;
    for _ in 0..ROUNDS {
        if !reply["clarification_id"].is_string() {
            break;
        }
        let body = json!({
            "clarification_id": reply["clarification_id"], "answers": answers(&reply, take),
        });
        reply = client.send(&Ask::post("query/clarify", &body))?.1;
    }
    Ok(reply)
}

fn answers(reply: &Value, take: Take) -> Value {
    let answer =
        |asked: &Value| json!({ "clarification_id": asked["id"], "answer": answer(asked, take) });
    list(&reply["questions"]).iter().map(answer).collect()
}

/// An answer with the first or the last option; without options, with custom input or the best guess.
fn answer(asked: &Value, take: Take) -> Value {
    let options = list(&asked["options"]);
    let option = match take {
        Take::First => options.first(),
        Take::Last => options.last(),
        Take::Own => None,
    };
    match (option, asked["custom"]["type"].as_str()) {
        (Some(option), _) => json!({ "type": "option", "option_id": option["id"] }),
        (None, Some("number")) => json!({ "type": "number", "value": 100 }),
        (None, Some("date_range")) => {
            json!({ "type": "date_range", "start": "2026-01-01", "end": "2026-02-28" })
        }
        (None, Some("text")) if take == Take::First => json!({ "type": "text", "text": "open" }),
        (None, _) => json!({ "type": "best_guess" }),
    }
}

fn mark(reply: &Value, mark: &str) -> Ask {
    let about = &reply["questions"][0]["id"];
    let body =
        json!({ "clarification_id": reply["clarification_id"], "about": about, "mark": mark });
    Ask::post("query/mark", &body)
}

/// Sends invalid answers to a clarification, and an unlikely text, which may be accepted.
fn misanswered(client: &mut Client<'_>, reply: &Value) -> Result<(), Failure> {
    let asked = &reply["questions"][0]["id"];
    let unknown = json!("q_0000000000000000");
    for (about, answer) in [
        (asked, json!({ "type": "option", "option_id": "not offered" })),
        (asked, json!({ "type": "number", "value": -1 })),
        (asked, json!({ "type": "date_range", "start": "2026-02-28", "end": "2026-01-01" })),
        (asked, json!({ "type": "text", "text": "purple elephants" })),
        (&unknown, json!({ "type": "best_guess" })),
    ] {
        let answers = json!([{ "clarification_id": about, "answer": answer }]);
        let body = json!({ "clarification_id": reply["clarification_id"], "answers": answers });
        client.send(&Ask::post("query/clarify", &body))?;
    }
    Ok(())
}

/// Sends corrections instead of an answer to the clarification.
fn corrected(
    client: &mut Client<'_>,
    id: &str,
    question: &Question,
    context: &Value,
) -> Result<(), Failure> {
    let (_, reply) = client.send(&ask(id, &question.text, context))?;
    for text in ["not orders, invoices", "use table orders", "nothing of this kind"] {
        let body = json!({
            "clarification_id": reply["clarification_id"],
            "correction": { "type": "text", "text": text },
        });
        let (status, reply) = client.send(&Ask::post("query/correct", &body))?;
        if status < 300 {
            answered(client, reply, Take::First)?;
        }
    }
    Ok(())
}

fn cancelled(
    client: &mut Client<'_>,
    id: &str,
    question: &Question,
    context: &Value,
) -> Result<(), Failure> {
    let (_, reply) = client.send(&ask(id, &question.text, context))?;
    for id in [&json!(id), &reply["clarification_id"]] {
        client.send(&Ask::post("query/cancel", &json!({ "id": id })))?;
    }
    answered(client, reply, Take::First)?;
    Ok(())
}

/// Changes the first assumption to its last option.
fn changed(client: &mut Client<'_>, ended: &Value) -> Result<(), Failure> {
    let assumption = &ended["view"]["assumptions"][0];
    if !ended["id"].is_string() || !assumption["id"].is_string() {
        return Ok(());
    }
    let answer = answer(&assumption["clarification"], Take::Last);
    let answer = json!({ "clarification_id": assumption["id"], "answer": answer });
    let body = json!({ "id": ended["id"], "answer": answer });
    client.send(&Ask::post("query/change", &body))?;
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
