//! Figures of the proxy under load, compared with direct calls if possible.

mod answers;
mod attackers;
mod attacks;
mod load;
mod misses;
mod relay;
mod upstream;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, anyhow};
use wherefore_tests::proxy::Proxy;

use crate::budgets::{Budgets, Figure};
use crate::stream;
pub(crate) use attacks::figures as attack_figures;
pub(crate) use upstream::serve_upstream;

/// Measures all figures on the sample.
pub(crate) fn figures(database: &Path, pack: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let sample = Sample { database: database.to_owned(), pack: pack.to_owned() };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut figures = vec![machine_load("load average before")];
    figures.extend(answers::figures(&sample, budgets, &runtime)?);
    figures.extend(relay::quick(&sample, budgets, &runtime)?);
    figures.extend(relay::slow(&sample, budgets, &runtime)?);
    figures.extend(misses::figures(budgets, &runtime)?);
    figures.extend(stream::figures(budgets)?);
    figures.push(machine_load("load average after"));
    Ok(figures)
}

/// Load average of the machine, without which latencies say little.
fn machine_load(name: &str) -> Figure {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Figure::new(name, load.unwrap_or(f64::NAN), "", None)
}

/// The sample's database and pack.
struct Sample {
    database: PathBuf,
    pack: PathBuf,
}

impl Sample {
    /// Starts a proxy on the sample, with additional arguments.
    fn proxy(&self, more: &[&str]) -> Result<Proxy> {
        let mut arguments = vec!["--database".into(), self.database.clone().into_os_string()];
        arguments.extend(["--pack".into(), self.pack.clone().into_os_string()]);
        arguments.extend(more.iter().map(Into::into));
        Proxy::start(&arguments).map_err(|error| anyhow!("{error}"))
    }
}

/// CPU time of the proxy per request, which other load on the machine affects less than latency.
fn worked(name: &str, before: Duration, proxy: &Proxy, requests: u64) -> Result<Figure> {
    let after = proxy.worked().map_err(|error| anyhow!("{error}"))?;
    let milliseconds = after.saturating_sub(before).as_secs_f64() * 1_000.0 / requests as f64;
    Ok(Figure::new(format!("{name}: processor time of each"), milliseconds, "ms", None))
}

/// Values of one figure, one for each round.
struct Spread {
    median: f64,
    least: f64,
    most: f64,
}

impl Spread {
    fn of(mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let at = |place: usize| rounds.get(place).copied().unwrap_or(f64::NAN);
        Self {
            median: at(rounds.len() / 2),
            least: at(0),
            most: at(rounds.len().saturating_sub(1)),
        }
    }

    /// The median; the name of the figure includes minimum and maximum.
    fn figure(&self, name: String, budget: Option<f64>) -> Figure {
        let name = format!("{name} ({:.2} to {:.2})", self.least, self.most);
        Figure::new(name, self.median, "ms", budget)
    }
}
