//! Overhead of a model call through the proxy, compared with the same call sent directly to the model.

use std::time::Duration;

use anyhow::{Result, anyhow};
use serde_json::json;
use wherefore_tests::proxy::Proxy;

use super::load::{Call, Closed, Connection, Times, closed, open};
use super::upstream::Upstream;
use super::{Sample, Spread, worked};
use crate::budgets::{Budgets, Figure};

/// Response time of the slow model.
const SLOW: Duration = Duration::from_millis(1_500);
/// Rounds with the slow model; each measures direct and proxied calls in turn.
const SLOW_ROUNDS: usize = 3;
const SPREAD_OUT: Closed = Closed { connections: 640, ramp: SLOW, length: Duration::from_secs(6) };
/// Like `SPREAD_OUT`, but all connections start at the same time.
const IN_STEP: Closed = Closed { ramp: Duration::ZERO, ..SPREAD_OUT };
/// Requests per second to the fast model.
const A_SECOND: u32 = 500;
const QUICK_ROUNDS: usize = 7;
const QUICK_LENGTH: Duration = Duration::from_secs(3);

/// A model server, a proxy in front of it, and equivalent calls to both.
struct Sides {
    _upstream: Upstream,
    proxy: Proxy,
    direct: Call,
    through: Call,
    connections: Call,
}

/// Overhead with a slow model and many connections, and the peak memory of the proxy.
pub(super) fn slow(
    sample: &Sample,
    budgets: &Budgets,
    runtime: &tokio::runtime::Runtime,
) -> Result<Vec<Figure>> {
    let budgets = &budgets.proxy;
    let sides = Sides::start(sample, SLOW, runtime)?;
    let mut figures = Vec::new();
    for (load, rounds, name, budget) in [
        (SPREAD_OUT, SLOW_ROUNDS, "slow model", Some(budgets.slow_p99_added_ms)),
        (IN_STEP, 1, "slow model, all in step", None),
    ] {
        let (mut direct, mut through) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            direct.push(runtime.block_on(closed(&sides.direct, load))?);
            through.push(runtime.block_on(closed(&sides.through, load))?);
        }
        figures.extend(beside(name, &direct, &through, &[(0.5, None), (0.99, budget)]));
    }
    let memory = sides.proxy.most_memory().map_err(|error| anyhow!("{error}"))?;
    let budget = Some(budgets.memory_mb);
    figures.push(Figure::new("memory with 640 connections", memory as f64 / 1e6, "MB", budget));
    Ok(figures)
}

/// Overhead with a model that responds immediately, at a fixed request rate.
pub(super) fn quick(
    sample: &Sample,
    budgets: &Budgets,
    runtime: &tokio::runtime::Runtime,
) -> Result<Vec<Figure>> {
    let budgets = &budgets.proxy;
    let sides = Sides::start(sample, Duration::ZERO, runtime)?;
    let (mut direct, mut through, mut opened) = (Vec::new(), Vec::new(), 0);
    let before = sides.proxy.worked().map_err(|error| anyhow!("{error}"))?;
    for _ in 0..QUICK_ROUNDS {
        direct.push(runtime.block_on(open(&sides.direct, A_SECOND, QUICK_LENGTH))?);
        let before = runtime.block_on(sides.connections())?;
        through.push(runtime.block_on(open(&sides.through, A_SECOND, QUICK_LENGTH))?);
        opened += runtime.block_on(sides.connections())? - before - 1;
    }
    let shares =
        [(0.5, Some(budgets.quick_p50_added_ms)), (0.99, Some(budgets.quick_p99_added_ms))];
    let mut figures = beside("quick model", &direct, &through, &shares);
    let number = through.iter().map(Times::count).sum();
    figures.push(worked("quick model", before, &sides.proxy, number)?);
    let name = "quick model: connections that the proxy opened";
    figures.push(Figure::new(name, opened as f64, "", None));
    Ok(figures)
}

impl Sides {
    /// Starts the model server and the proxy, and sends one request through the proxy to capture the body for direct
    /// calls.
    fn start(sample: &Sample, delay: Duration, runtime: &tokio::runtime::Runtime) -> Result<Self> {
        let upstream = Upstream::start(delay)?;
        let url = format!("http://{}/v1", upstream.authority);
        let model = ["--llm-url", &url, "--llm-model", "mock", "--llm-private"];
        let proxy = sample.proxy(&model)?;
        let brief =
            json!({ "question": "what became of the orders of last week", "today": "2026-11-22" });
        let body = json!({ "brief": brief, "table": "orders" }).to_string();
        let through = Call {
            authority: proxy.authority().to_owned(),
            path: "/api/v1/llm/judge_table".to_owned(),
            key: None,
            body: Some(body.into()),
        };
        let upstream_call = |path: &str| Call {
            authority: upstream.authority.clone(),
            path: path.to_owned(),
            key: None,
            body: None,
        };
        let (last, connections) = (upstream_call("/last"), upstream_call("/connections"));
        let sent = runtime.block_on(async {
            Connection::open(&through.authority).await?.send(&through).await?;
            Connection::open(&last.authority).await?.send(&last).await
        })?;
        let direct = Call { path: "/v1/chat/completions".to_owned(), body: Some(sent), ..last };
        Ok(Self { _upstream: upstream, proxy, direct, through, connections })
    }

    /// Number of connections that the model server has accepted so far.
    async fn connections(&self) -> Result<u64> {
        let call = &self.connections;
        let text = Connection::open(&call.authority).await?.send(call).await?;
        Ok(std::str::from_utf8(&text)?.parse()?)
    }
}

/// Medians of direct and proxied calls, and the median of the differences within each round.
fn beside(
    name: &str,
    direct: &[Times],
    through: &[Times],
    shares: &[(f64, Option<f64>)],
) -> Vec<Figure> {
    let mut figures = Vec::new();
    let requests: u64 = through.iter().map(Times::count).sum();
    figures.push(Figure::new(format!("{name}: requests"), requests as f64, "", None));
    for (share, budget) in shares {
        let of = |times: &[Times]| -> Vec<f64> {
            times.iter().map(|times| times.within_ms(*share)).collect()
        };
        let (direct, through) = (of(direct), of(through));
        let added = direct.iter().zip(&through).map(|(direct, through)| through - direct).collect();
        let name = format!("{name}, p{:.0}", share * 100.0);
        figures.push(Spread::of(direct).figure(format!("{name}, directly"), None));
        figures.push(Spread::of(through).figure(format!("{name}, through the proxy"), None));
        figures.push(Spread::of(added).figure(format!("{name}, added"), *budget));
    }
    figures
}
