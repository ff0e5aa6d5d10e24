//! The Model Context Protocol: over HTTP, with and without a handshake, and on standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::client::{Ask, Client};
use super::mask::Mask;
use super::sample::{Sample, TODAY};
use crate::Failure;
use crate::proxy::command;

const HANDSHAKE: &str = "2025-06-18";
const STATELESS: &str = "2026-07-28";

/// A call as JSON-RPC.
fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn tool(name: &str, arguments: &Value) -> Value {
    request("tools/call", &json!({ "name": name, "arguments": arguments }))
}

fn question(text: &str) -> Value {
    tool("ask", &json!({ "question": text, "today": TODAY }))
}

fn hello(capabilities: &Value) -> Value {
    let info = json!({ "name": "recording", "version": "1" });
    request(
        "initialize",
        &json!({ "protocolVersion": HANDSHAKE, "capabilities": capabilities, "clientInfo": info }),
    )
}

/// Calls that do not depend on each other.
fn calls() -> Vec<Value> {
    let mut calls = vec![
        hello(&json!({})),
        request("tools/list", &json!({})),
        request("ping", &json!({})),
        request("resources/list", &json!({})),
        request("resources/read", &json!({ "uri": "file:///" })),
        request("prompts/list", &json!({})),
        request("nothing/known", &json!({})),
        question("how many customers are in Germany"),
        question("top 10 customers by revenue"),
        question("show me recent orders"),
        question("orders in Berlin"),
        question("delete all orders"),
        question("what ratio of the wounds does each status have"),
        question(" "),
        tool("ask", &json!({ "question": "revenue", "today": TODAY, "skip_clarification": true })),
        tool("ask", &json!({ "question": "revenue", "today": "soon" })),
        tool("ask", &json!({ "question": "revenue", "thread": "thr_0" })),
        tool("ask", &json!({ "question": "revenue", "sql": "x" })),
        tool("ask", &json!({})),
        tool("answer", &json!({ "clarification_id": "clf_0", "answers": [] })),
        tool("answer", &json!({ "clarification_id": "clf_0" })),
        tool("correct", &json!({ "clarification_id": "clf_0", "correction": "not orders" })),
        tool("correct", &json!({ "clarification_id": "clf_0", "correction": { "type": "sql" } })),
        tool("drop_tables", &json!({})),
    ];
    for filter in [
        json!({ "words": "customer" }),
        json!({ "area": "clinic", "words": "wound" }),
        json!({ "area": "nowhere" }),
        json!({ "words": "nothing like it" }),
        json!({ "table": "orders" }),
    ] {
        calls.push(tool("catalog", &filter));
    }
    for statement in [
        json!({ "sql": "select count(*) from customers" }),
        json!({ "sql": "SELECT TOP 2 name FROM customers", "dialect": "mssql" }),
        json!({ "sql": "DELETE FROM customers" }),
        json!({ "sql": "SELECT nmae FROM customers" }),
        json!({ "sql": "SELECT 1", "dialect": "dbase" }),
    ] {
        calls.push(tool("check", &statement));
    }
    calls
}

fn post(body: &Value) -> Ask {
    Ask::post("/mcp", body).header("accept", "application/json, text/event-stream")
}

/// Records calls over HTTP by a client with a handshake.
pub fn over_http(client: &Client<'_>) -> Result<Value, Failure> {
    let mut client = client.again();
    for call in calls() {
        client.send(&post(&call).header("mcp-protocol-version", HANDSHAKE))?;
    }
    let mut asked = client.send(&post(&question("show me recent orders")))?.1;
    let told = &mut asked["result"]["structuredContent"];
    let id = told["clarification_id"].take();
    let answers: Value = told["questions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|asked| json!({ "clarification_id": asked["id"], "answer": { "type": "option", "option_id": asked["options"][0]["id"] } }))
        .collect();
    let answer = tool("answer", &json!({ "clarification_id": id, "answers": answers }));
    let mut answered = client.send(&post(&answer))?.1;
    client.send(&post(&answer))?;
    let thread = answered["result"]["structuredContent"]["thread_id"].take();
    let on = json!({ "question": "only rush orders", "thread": thread, "today": TODAY });
    client.send(&post(&tool("ask", &on)))?;
    let mut asked = client.send(&post(&question("orders in Berlin")))?.1;
    let id = asked["result"]["structuredContent"]["clarification_id"].take();
    let correction = json!({ "clarification_id": id, "correction": "not orders, invoices" });
    client.send(&post(&tool("correct", &correction)))?;
    let list = request("tools/list", &json!({}));
    for ask in [
        Ask::new("POST", "/mcp").text("{ not json").header("content-type", "application/json"),
        post(&json!([])),
        post(&list).header("mcp-protocol-version", "1999-01-01"),
        post(&list).header("origin", "http://evil.example"),
        Ask::new("POST", "/mcp").text(&list.to_string()).header("content-type", "text/plain"),
        Ask::get("/mcp").header("accept", "text/event-stream"),
        Ask::new("DELETE", "/mcp"),
    ] {
        client.send(&ask)?;
    }
    Ok(client.said())
}

/// Records calls without a handshake by a client with forms: ambiguous questions are clarified by a form.
pub fn with_forms(client: &Client<'_>) -> Result<Value, Failure> {
    let mut client = client.again();
    let mut send = |mut call: Value| -> Result<Value, Failure> {
        call["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
            "io.modelcontextprotocol/clientInfo": { "name": "recording", "version": "1" },
        });
        let method = call["method"].as_str().unwrap_or_default();
        let mut ask =
            post(&call).header("mcp-protocol-version", STATELESS).header("mcp-method", method);
        if let Some(name) = call["params"]["name"].as_str() {
            ask = ask.header("mcp-name", name);
        }
        Ok(client.send(&ask)?.1)
    };
    send(request("server/discover", &json!({})))?;
    send(request("tools/list", &json!({})))?;
    for text in ["how many customers are in Germany", "orders in Berlin", "show me recent orders"] {
        for accepts in [true, false] {
            let mut call = question(text);
            let asked = send(call.clone())?;
            let state = &asked["result"]["requestState"];
            if !state.is_string() {
                break;
            }
            let fields = &asked["result"]["inputRequests"]["clarifications"]["params"];
            let title = &fields["requestedSchema"]["properties"]["choice_1"]["enum"][0];
            let filled = if accepts {
                json!({ "action": "accept", "content": { "choice_1": title } })
            } else {
                json!({ "action": "decline" })
            };
            call["params"]["requestState"] = state.clone();
            call["params"]["inputResponses"] = json!({ "clarifications": filled });
            send(call)?;
        }
    }
    let mut lone = question("revenue");
    lone["params"]["requestState"] = json!("clf_0");
    send(lone)?;
    Ok(client.said())
}

/// Records calls on standard input by a client that selects the first choice of every form.
pub fn on_standard_input(sample: &Sample) -> Result<Value, Failure> {
    let mut child = command()?
        .arg("mcp")
        .args(sample.options())
        .arg("--store")
        .arg(sample.path("stdio.sqlite"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let said = speak(&mut child);
    if said.is_err() {
        child.kill()?;
    }
    child.wait()?;
    said
}

fn speak(child: &mut Child) -> Result<Value, Failure> {
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?).lines();
    let (mut mask, mut said) = (Mask::default(), Vec::new());
    let mut calls = calls();
    calls[0] = hello(&json!({ "elicitation": {} }));
    for call in calls {
        writeln!(input, "{call}")?;
        loop {
            let line = output.next().ok_or("the program ended")??;
            let reply: Value = serde_json::from_str(&line)?;
            said.push(mask.value(&json!({ "request": call, "reply": reply })));
            let is_form = reply["method"] == "elicitation/create";
            if is_form {
                let fields = &reply["params"]["requestedSchema"]["properties"];
                let content = json!({ "choice_1": fields["choice_1"]["enum"][0] });
                let result = json!({ "action": "accept", "content": content });
                writeln!(
                    input,
                    "{}",
                    json!({ "jsonrpc": "2.0", "id": reply["id"], "result": result })
                )?;
            } else if reply["id"] == call["id"] {
                break;
            }
        }
        if call["method"] == "initialize" {
            let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
            writeln!(input, "{note}")?;
        }
    }
    Ok(Value::Array(said))
}
