//! Times of the page, measured in Chromium.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Deserialize;

use crate::budgets::{Budgets, Figure, measured};

/// Output of `bench/web.mjs`, in milliseconds; one list for each round.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Measurement {
    /// From a keystroke to its painted preview, on the sample, with the processor slowed four times.
    keystrokes: Vec<Vec<f64>>,
    /// The same on 876 tables.
    keystrokes_large: Vec<Vec<f64>>,
    /// From the click on an option to the painted next state.
    clicks: Vec<Vec<f64>>,
    /// Script, style, layout and paint of a frame while 100,000 rows of 20 columns scroll.
    scrolling: Vec<Vec<f64>>,
    /// From the rows of "revenue by month" to the painted line.
    charts: Vec<Vec<f64>>,
    /// Cold loads until a question can be typed, on the profile of a fast phone.
    usable: Vec<f64>,
    /// The same until the question is understood.
    understood: Vec<f64>,
}

/// Percentiles of the rounds, and the loads.
pub(crate) fn figures(file: &Path, budgets: &Budgets) -> Result<Vec<Figure>> {
    let measured: Measurement = measured(file)?;
    let budget = &budgets.web;
    let of_rounds = |name: &str, rounds: &[Vec<f64>], budget: f64| -> Result<[Figure; 2]> {
        if rounds.is_empty() || rounds.iter().any(Vec::is_empty) {
            bail!("nothing was measured for {name}");
        }
        let of = |percent| {
            rounds.iter().map(|round| percentile(&sorted(round), percent)).collect::<Vec<f64>>()
        };
        Ok([spread(name, "p50", &of(50), None), spread(name, "p95", &of(95), Some(budget))])
    };
    let mut figures = Vec::new();
    let keystrokes = "keystroke to painted preview, processor slowed 4 times";
    figures.extend(of_rounds(keystrokes, &measured.keystrokes, budget.keystroke_p95_ms)?);
    figures.extend(of_rounds(
        &format!("{keystrokes}, 876 tables"),
        &measured.keystrokes_large,
        budget.keystroke_large_p95_ms,
    )?);
    figures.extend(of_rounds("option to next state", &measured.clicks, budget.click_p95_ms)?);
    figures.extend(of_rounds(
        "frame of 100,000 x 20 rows scrolled",
        &measured.scrolling,
        budget.scroll_p95_ms,
    )?);
    figures.extend(of_rounds("rows to drawn line", &measured.charts, budget.chart_p95_ms)?);
    if measured.usable.is_empty() || measured.understood.is_empty() {
        bail!("no load was measured");
    }
    let load = "cold load on a fast phone";
    figures.push(spread(load, "usable input", &measured.usable, Some(budget.load_ms)));
    figures.push(spread(load, "question understood", &measured.understood, None));
    Ok(figures)
}

/// The median of rounds, named with the smallest and the largest of them.
fn spread(name: &str, what: &str, rounds: &[f64], budget: Option<f64>) -> Figure {
    let rounds = sorted(rounds);
    let (least, most) = (percentile(&rounds, 0), percentile(&rounds, 100));
    let name = format!("{name}, {what} ({least:.1} to {most:.1})");
    Figure::new(name, percentile(&rounds, 50), "ms", budget)
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

/// Nearest-rank percentile of sorted values.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_figure_is_the_median_of_its_rounds_and_names_the_others() {
        let figure = spread("click", "p95", &[7.0, 5.0, 6.25], Some(50.0));
        assert_eq!(figure.name, "click, p95 (5.0 to 7.0)");
        assert!((figure.value - 6.25).abs() < f64::EPSILON);
    }
}
