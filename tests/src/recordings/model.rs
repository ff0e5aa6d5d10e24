//! A model server with one fixed reply per question, and questions that need a model.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

use super::client::{Ask, Client};
use super::mask::Mask;
use super::sample::TODAY;
use crate::Failure;

/// Questions, each with the reply of the model.
const ASKED: [(&str, &str); 9] = [
    (
        "what ratio of the orders does each status have",
        r#"{"sql": "SELECT status, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM orders) AS share FROM orders GROUP BY status ORDER BY status", "explanation": "The share of the orders that each status has, in percent.", "assumptions": [{"term": "share", "value": "of their number", "reason": "no amount is named", "confidence": 0.8}]}"#,
    ),
    (
        "what ratio of the wounds does each status have",
        r#"Here it is: {"sql": "SELECT AVG(CASE WHEN status = 'healed' THEN 100.0 ELSE 0 END) AS share FROM wounds", "explanation": "The share of healed wounds, in percent."} Anything else?"#,
    ),
    (
        "employees earning more than their manager",
        r#"{"sql": "DELETE FROM employees", "explanation": "They are gone."}"#,
    ),
    (
        "share of revenue by country",
        r#"{"sql": "SELECT nmae FROM countries", "explanation": "Names of countries."}"#,
    ),
    ("compare revenue of January and February 2026", "I cannot help with that."),
    (
        "what ratio of the wounds does each stage have",
        r#"{"out_of_scope": "it is not about the data"}"#,
    ),
    (
        "what ratio of the invoices does each status have",
        r#"{"clarifications": [{"term": "share", "question": "Of what?", "options": [{"label": "invoices", "table": "invoices"}, {"label": "nothing", "table": "ghosts"}, {"label": "payments", "table": "payments"}]}]}"#,
    ),
    (
        "what ratio of the orders do people have",
        r#"{"clarifications": [{"term": "people", "question": "Who is meant?", "options": [{"label": "customers", "table": "customers"}, {"label": "nobody", "table": "ghosts"}, {"label": "staff", "table": "employees"}]}]}"#,
    ),
    ("revenue by month compared to last year", ""),
];

/// Asks every question of a proxy that uses this listener as its model; returns the recorded replies and prompts.
pub fn converse(
    client: &Client<'_>,
    listener: &TcpListener,
) -> Result<Vec<(String, Value)>, Failure> {
    let mut said = Vec::new();
    for (question, answer) in ASKED {
        let server = Server::start(listener, answer)?;
        let mut client = client.again();
        let body = json!({ "question": question, "today": TODAY });
        let (_, reply) = client.send(&Ask::post("query", &body))?;
        if let (Some(id), Some(asked)) =
            (reply["clarification_id"].as_str(), reply["questions"][0].as_object())
        {
            let answer = json!({ "type": "option", "option_id": asked["options"][0]["id"] });
            let answers = json!([{ "clarification_id": asked["id"], "answer": answer }]);
            let body = json!({ "clarification_id": id, "answers": answers });
            client.send(&Ask::post("query/clarify", &body))?;
        }
        // Prompts contain random names; masking them makes the order deterministic.
        let mut mask = Mask::default();
        let mut told: Vec<Value> = server.stop()?.iter().map(|prompt| mask.value(prompt)).collect();
        told.sort_by_key(ToString::to_string);
        said.push((question.to_owned(), json!({ "said": client.said(), "prompts": told })));
    }
    Ok(said)
}

/// A model server on its own thread, for one question.
struct Server {
    thread: thread::JoinHandle<Vec<Value>>,
    address: std::net::SocketAddr,
}

impl Server {
    fn start(listener: &TcpListener, answer: &'static str) -> Result<Self, Failure> {
        let address = listener.local_addr()?;
        let listener = listener.try_clone()?;
        let thread = thread::spawn(move || {
            let mut prompts = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                match serve(stream, answer) {
                    Ok(Value::Null) => break,
                    Ok(prompt) => prompts.push(prompt),
                    // The client has disconnected.
                    Err(_) => {}
                }
            }
            prompts
        });
        Ok(Self { thread, address })
    }

    /// Stops the server; returns the bodies of the requests that it received.
    fn stop(self) -> Result<Vec<Value>, Failure> {
        TcpStream::connect(self.address)?.write_all(b"STOP\r\n\r\n")?;
        Ok(self.thread.join().map_err(|_| "the model's server failed")?)
    }
}

/// Answers one request and returns its body; null for the message that stops the server.
fn serve(mut stream: TcpStream, answer: &str) -> Result<Value, Failure> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    if first.starts_with("STOP") {
        return Ok(Value::Null);
    }
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let reply = if first.contains("/models") {
        json!({ "data": [{ "id": "writer" }] })
    } else {
        json!({
            "choices": [{ "message": { "role": "assistant", "content": answer }, "finish_reason": "stop" }],
            "usage": { "total_tokens": 123 },
        })
    };
    let reply = reply.to_string();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{reply}",
        reply.len()
    )?;
    let body = if body.is_empty() { json!(first.trim()) } else { serde_json::from_slice(&body)? };
    Ok(body)
}
