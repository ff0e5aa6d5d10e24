//! Latency from a question to its answer without a model: the suggested questions of the sample.

use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use futures_util::future::try_join_all;
use serde_json::{Value, json};

use super::load::{Call, Connection, Times};
use super::{Sample, Spread, worked};
use crate::budgets::{Budgets, Figure};

const ROUNDS: usize = 5;
/// Repetitions of each question by each concurrent client in a round.
const REPEATED: usize = 8;
const AT_A_TIME: usize = 8;
/// Minimum number of suggested questions, so that the mix is representative.
const FEWEST: usize = 15;

/// Latency of one client, and of several concurrent ones.
pub(super) fn figures(
    sample: &Sample,
    budgets: &Budgets,
    runtime: &tokio::runtime::Runtime,
) -> Result<Vec<Figure>> {
    let proxy = sample.proxy(&[])?;
    let catalog = proxy.get("catalog").map_err(|error| anyhow!("{error}"))?.body;
    let mut calls = Vec::new();
    for question in suggestions(&catalog) {
        let body = json!({ "question": question });
        let reply = proxy.post("query", &body).map_err(|error| anyhow!("{error}"))?;
        if reply.status == 200 && reply.body["outcome"] == "answered" {
            calls.push(Call {
                authority: proxy.authority().to_owned(),
                path: "/api/v1/query".to_owned(),
                key: None,
                body: Some(body.to_string().into()),
            });
        }
    }
    ensure!(calls.len() >= FEWEST, "only {} suggested questions are answered", calls.len());
    let mut figures =
        vec![Figure::new("answers: different questions", calls.len() as f64, "", None)];
    for (askers, name) in
        [(1, "answers, one after the other"), (AT_A_TIME, "answers, eight at a time")]
    {
        let mut rounds = Vec::new();
        let before = proxy.worked().map_err(|error| anyhow!("{error}"))?;
        for _ in 0..ROUNDS {
            rounds.push(runtime.block_on(ask(&calls, askers))?);
        }
        let number = rounds.iter().map(Times::count).sum();
        figures.push(worked(name, before, &proxy, number)?);
        for (share, budget) in [(0.5, None), (0.99, Some(budgets.proxy.answer_p99_ms))] {
            let spread = Spread::of(rounds.iter().map(|times| times.within_ms(share)).collect());
            figures.push(spread.figure(format!("{name}, p{:.0}", share * 100.0), budget));
        }
    }
    Ok(figures)
}

/// Each of `askers` clients asks all questions, starting at a different one.
async fn ask(calls: &[Call], askers: usize) -> Result<Times> {
    let askers = (0..askers).map(|asker| {
        let mut calls = calls.to_vec();
        let first = asker * calls.len() / askers;
        calls.rotate_left(first);
        tokio::spawn(async move {
            let authority = &calls.first().context("there is no question")?.authority;
            let mut connection = Connection::open(authority).await?;
            let mut times = Vec::new();
            for _ in 0..REPEATED {
                for call in &calls {
                    let start = Instant::now();
                    connection.send(call).await?;
                    times.push(start.elapsed());
                }
            }
            anyhow::Ok(times)
        })
    });
    let mut all = Times::new()?;
    for times in try_join_all(askers).await? {
        for time in times? {
            all.note(time)?;
        }
    }
    Ok(all)
}

/// Suggested questions in the areas of a catalog.
fn suggestions(catalog: &Value) -> Vec<&str> {
    let areas = catalog.pointer("/catalog/areas").or(catalog.get("areas"));
    let areas = areas.and_then(Value::as_array).into_iter().flatten();
    let suggestions = areas.filter_map(|area| area["suggestions"].as_array()).flatten();
    suggestions.filter_map(Value::as_str).collect()
}
