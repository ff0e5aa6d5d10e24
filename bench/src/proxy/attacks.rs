//! Latency of a signed-in caller while other clients attack the proxy.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use wherefore_tests::postgres::{Cluster, program};
use wherefore_tests::proxy::{Proxy, command};

use super::attackers::{ATTACKS, Attack};
use super::load::{Call, Connection, Times};
use super::machine_load;
use crate::budgets::{Budgets, Figure};

/// Time for which the good caller is measured, after the attack has had a head start.
const LENGTH: Duration = Duration::from_secs(8);
const HEAD_START: Duration = Duration::from_secs(2);
/// Requests of the good caller per second, each on a new connection.
const RATE: u32 = 50;
/// Users that the good requests are sent by, so that none reaches its limit of running queries.
const USERS: u32 = 10;
/// Time after which a request counts as not served.
const PATIENCE: Duration = Duration::from_secs(5);
/// Length of the reasons that are shown, in characters.
const REASON: usize = 90;
const TABLES: &str = "CREATE TABLE few AS SELECT g AS id FROM generate_series(1, 100) AS g; \
     CREATE VIEW big AS SELECT g AS id, repeat('x', 10000) AS filler FROM generate_series(1, 1000000) AS g";

/// Share of requests that are not served, and latency of the others, per attack.
pub(crate) fn figures(budgets: &Budgets) -> Result<Vec<Figure>> {
    rlimit::increase_nofile_limit(u64::MAX)?;
    let failed = |error: wherefore_tests::Failure| anyhow!("{error}");
    let cluster = Cluster::start().map_err(failed)?;
    let owner = cluster.create_database("attacked").map_err(failed)?;
    let psql = program("psql").map_err(failed)?;
    let made =
        Command::new(psql).args(["-v", "ON_ERROR_STOP=1", "-qc", TABLES, &owner]).status()?;
    if !made.success() {
        bail!("psql failed");
    }
    let database = cluster.reader("attacked").map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut figures = vec![machine_load("load average before")];
    for attack in ATTACKS {
        let target = Target::start(&database, attack.users)?;
        let outcome = runtime.block_on(outcome(&target, attack))?;
        let memory = target.proxy.most_memory().map_err(failed)? as f64 / 1e6;
        let Attack { name, connections, .. } = attack;
        let name = format!("{name}, {connections} connections for {} s", LENGTH.as_secs());
        let lost = f64::from(outcome.lost) * 100.0 / f64::from(outcome.sent);
        let (most_lost, p99) = (budgets.attacks.not_served_percent, budgets.attacks.p99_ms);
        figures.extend([
            Figure::new(format!("{name}: not served"), lost, "%", Some(most_lost)),
            Figure::new(format!("{name}: p50"), outcome.times.within_ms(0.5), "ms", None),
            Figure::new(format!("{name}: p99"), outcome.times.within_ms(0.99), "ms", Some(p99)),
            Figure::new(format!("{name}: memory"), memory, "MB", None),
        ]);
    }
    figures.push(machine_load("load average after"));
    Ok(figures)
}

/// A proxy, and the headers that sign its users in.
struct Target {
    proxy: Proxy,
    good: Vec<String>,
    bad: Vec<String>,
}

impl Target {
    fn start(database: &str, users: usize) -> Result<Self> {
        let failed = |error: wherefore_tests::Failure| anyhow!("{error}");
        let proxy = Proxy::start(&["--database", database, "--auth", "keys"]).map_err(failed)?;
        let key = |user: &str| -> Result<String> {
            let mut command = command().map_err(failed)?;
            command.args(["key", "add", "--user", user, "--database", database, "--store"]);
            let output = command.arg(proxy.store()).output()?;
            let shown = String::from_utf8(output.stdout)?;
            let key = shown.lines().next().with_context(|| format!("no key for {user}"))?;
            Ok(format!("Bearer {key}"))
        };
        let good = (0..USERS).map(|number| key(&format!("good-{number}")));
        let good = good.collect::<Result<_>>()?;
        let users = (0..users).map(|number| key(&format!("bad-{number}")));
        let bad = users.map(|key| Ok(format!("Authorization: {}", key?))).collect::<Result<_>>()?;
        Ok(Self { proxy, good, bad })
    }
}

/// What became of the requests of the good caller.
struct Outcome {
    sent: u32,
    lost: u32,
    times: Times,
}

/// Sends the good requests at a fixed rate during an attack.
async fn outcome(target: &Target, attack: Attack) -> Result<Outcome> {
    let mut attackers = tokio::task::JoinSet::new();
    for number in 0..attack.connections {
        let key = match target.bad.len() {
            0 => String::new(),
            users => target.bad[number % users].clone(),
        };
        attackers.spawn(attack.run(target.proxy.authority().to_owned(), key));
    }
    tokio::time::sleep(HEAD_START).await;
    let mut good = tokio::task::JoinSet::new();
    let start = Instant::now();
    let sent = RATE * LENGTH.as_secs() as u32;
    for number in 0..sent {
        let due = start + Duration::from_secs(1) * number / RATE;
        tokio::time::sleep_until(due.into()).await;
        let call = call(target, number);
        good.spawn(async move {
            let served = async {
                let mut connection = Connection::open(&call.authority).await?;
                connection.send(&call).await
            };
            match tokio::time::timeout(PATIENCE, served).await {
                Ok(Ok(_)) => Ok(due.elapsed()),
                // Without the members of a problem document that differ each time.
                Ok(Err(error)) => Err(error.to_string().chars().take(REASON).collect()),
                Err(_) => Err("no response in time".to_owned()),
            }
        });
    }
    let mut outcome = Outcome { sent, lost: 0, times: Times::new()? };
    let mut reasons = BTreeSet::new();
    while let Some(time) = good.join_next().await {
        match time? {
            Ok(time) => outcome.times.note(time)?,
            Err(reason) => {
                outcome.lost += 1;
                reasons.insert(reason);
            }
        }
    }
    for reason in reasons {
        writeln!(std::io::stderr(), "{}: {reason}", attack.name)?;
    }
    Ok(outcome)
}

/// A request of the good caller: alternately the catalog and a statement.
fn call(target: &Target, number: u32) -> Call {
    let (path, body) = match number % 2 {
        0 => ("/api/v1/catalog", None),
        _ => ("/api/v1/sql/execute", Some(json!({ "sql": "SELECT id FROM few" }).to_string())),
    };
    Call {
        authority: target.proxy.authority().to_owned(),
        path: path.to_owned(),
        key: Some(target.good[number as usize / 2 % target.good.len()].clone()),
        body: body.map(Into::into),
    }
}
