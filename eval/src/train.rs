//! `eval train`: fits the weights of the confidence to the answers of the development part.
//!
//! Logistic regression with a penalty on large weights, by Newton's method: no random numbers, so that equal data give
//! equal weights. An answer is right if the lenient judge accepts it, which is nearer to what its reader wants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;
use wherefore_engine::session::fingerprint;

use super::composer::{Example, examples};
use super::options::Options;
use super::report::{self, Table};
use super::score::{bins, calibration_error, covered_at, draw, figure};
use super::sets;

/// Penalty on the square of each weight.
const PENALTY: f64 = 6.0;
/// Steps of Newton's method.
const STEPS: usize = 12;
/// Parts of the cross-validation; all answers on one database are in one part.
const FOLDS: usize = 5;
/// Code on which the signals depend.
const CODE: &str = include_str!("../../engine/src/interpretation/signals.rs");
/// Weight of every statement.
const EVERY: &str = "every statement";

/// Weights by the name of their signal.
type Weights = BTreeMap<&'static str, f64>;

/// Fits the weights and writes them.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [data_option, data, out_option, out] = arguments else {
        bail!("usage: eval train --data DIR --out FILE")
    };
    if data_option != "--data" || out_option != "--out" {
        bail!("usage: eval train --data DIR --out FILE");
    }
    let all = collect(Path::new(data))?;
    let mut checked = Vec::new();
    for fold in 0..FOLDS {
        let (test, train): (Vec<&Example>, Vec<&Example>) =
            all.iter().partition(|example| fold_of(example) == fold);
        let weights = fit(&train);
        checked.extend(test.iter().map(|example| (chance(&weights, example), example.right)));
    }
    let weights = fit(&all.iter().collect::<Vec<_>>());
    write(Path::new(out), &weights)?;
    let mut table = Table::new(&["chance", "n", "mean", "right"]);
    for bin in bins(&checked).iter().filter(|bin| bin.n > 0) {
        table.row(vec![
            String::new(),
            bin.n.to_string(),
            format!("{:.3}", bin.confidence),
            format!("{:.3}", bin.accuracy),
        ]);
    }
    let result = json!({
        "n": checked.len(),
        "ece": figure(calibration_error(&checked)),
        "covered_at_90": figure(covered_at(&checked, 0.90, checked.len())),
        "covered_at_95": figure(covered_at(&checked, 0.95, checked.len())),
    });
    report::print(&[], &[table], &result)
}

/// Answers of the development part, with and without declared keys.
fn collect(data: &Path) -> Result<Vec<Example>> {
    let mut all = Vec::new();
    for (set, file, databases) in [
        ("spider", data.join("spider/train.json"), "spider/database"),
        ("geoquery", data.join("geoquery/geography.json"), "geoquery"),
        ("defog", data.join("defog/questions.json"), "defog/databases"),
        ("ambrosia", data.join("ambrosia/validation.json"), "ambrosia/databases"),
        ("everyday", PathBuf::from("eval/everyday/questions.json"), "everyday"),
    ] {
        let mut arguments = vec!["--set".to_owned(), set.to_owned()];
        let mut add = |name: &str, path: &Path| {
            arguments.extend([name.to_owned(), path.display().to_string()]);
        };
        add("--file", &file);
        add("--databases", &data.join(databases));
        if set != "everyday" {
            add("--splits", &data.join("splits.json"));
            add("--part", Path::new("development"));
        }
        for without_keys in [false, true] {
            // Answers below the threshold are examples too.
            let ask_below = Some(0.0);
            let options = Options { without_keys, ask_below, ..Options::parse(&arguments)? };
            let mut items = sets::load(&options)?;
            items.retain(|item| item.ambiguous != Some(true));
            all.extend(examples(&items, &options)?);
        }
    }
    Ok(all)
}

fn fold_of(example: &Example) -> usize {
    (draw(&example.database) * FOLDS as f64) as usize
}

/// Weights that fit the answers. A sign of a fault never raises the chance.
fn fit(examples: &[&Example]) -> Weights {
    let mut names: Vec<&'static str> = vec![EVERY];
    names.extend(examples.iter().flat_map(|example| &example.signals).map(|signal| signal.0));
    names.sort_unstable();
    names.dedup();
    loop {
        let weights = newton(examples, &names);
        let raised = |name: &&'static str| {
            let fault = CODE.split("/// What is probably wrong.").nth(1).unwrap_or_default();
            fault.contains(&format!("\"{name}\"")) && weights.get(*name).is_some_and(|w| *w > 0.0)
        };
        let kept: Vec<&'static str> = names.iter().copied().filter(|name| !raised(name)).collect();
        if kept.len() == names.len() {
            return weights;
        }
        names = kept;
    }
}

fn newton(examples: &[&Example], names: &[&'static str]) -> Weights {
    let size = names.len();
    let at: BTreeMap<&str, usize> =
        names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let rows: Vec<(Vec<(usize, f64)>, f64)> = examples
        .iter()
        .map(|example| {
            let mut row: Vec<(usize, f64)> =
                at.get(EVERY).map(|at| (*at, 1.0)).into_iter().collect();
            let values = example.signals.iter().filter(|signal| signal.1 != 0);
            row.extend(
                values.filter_map(|(name, value)| Some((*at.get(name)?, f64::from(*value)))),
            );
            (row, f64::from(u8::from(example.right)))
        })
        .collect();
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = weights.iter().map(|weight| -PENALTY * weight).collect();
        let mut curve = vec![vec![0.0; size]; size];
        for (index, row) in curve.iter_mut().enumerate() {
            row[index] = PENALTY;
        }
        for (row, right) in &rows {
            let score: f64 = row.iter().map(|(at, value)| weights[*at] * value).sum();
            let chance = 1.0 / (1.0 + (-score).exp());
            for (one, value) in row {
                slope[*one] += (right - chance) * value;
                for (other, factor) in row {
                    curve[*one][*other] += chance * (1.0 - chance) * value * factor;
                }
            }
        }
        for (weight, step) in weights.iter_mut().zip(solved(curve, slope)) {
            *weight += step;
        }
    }
    names.iter().copied().zip(weights).collect()
}

/// Solution of a system of linear equations with a positive definite matrix, by elimination.
fn solved(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let row = matrix[pivot].clone();
        for below in pivot + 1..size {
            let factor = matrix[below][pivot] / row[pivot];
            for (cell, above) in matrix[below].iter_mut().zip(&row) {
                *cell -= factor * above;
            }
            right[below] -= factor * right[pivot];
        }
    }
    for index in (0..size).rev() {
        let known: f64 = (index + 1..size).map(|at| matrix[index][at] * right[at]).sum();
        right[index] = (right[index] - known) / matrix[index][index];
    }
    right
}

fn chance(weights: &Weights, example: &Example) -> f64 {
    let every = weights.get(EVERY).copied().unwrap_or_default();
    let score: f64 = example
        .signals
        .iter()
        .filter_map(|(name, value)| Some(weights.get(name)? * f64::from(*value)))
        .sum();
    1.0 / (1.0 + (-(every + score)).exp())
}

/// Writes the weights in thousandths, after a hash of them and of the code of the signals.
fn write(path: &Path, weights: &Weights) -> Result<()> {
    let rounded = weights.iter().map(|(name, weight)| (name, (weight * 1_000.0).round() as i64));
    let mut lines = String::new();
    for (name, weight) in rounded.filter(|(_, weight)| *weight != 0) {
        writeln!(lines, "{name}\t{weight}")?;
    }
    let hash = fingerprint(&format!("{}{lines}", CODE.replace("\r\n", "\n")));
    std::fs::write(path, format!("# {hash:016x}\n{lines}"))
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_of_wrong_answers_gets_a_negative_weight() {
        let example = |bad: i32, right: bool| Example {
            database: String::new(),
            signals: vec![("bad", bad)],
            right,
        };
        let all: Vec<Example> =
            (0..200).map(|number| example(i32::from(number % 4 == 0), number % 4 != 0)).collect();
        let weights = fit(&all.iter().collect::<Vec<_>>());
        assert!(weights["bad"] < -1.0 && weights[EVERY] > 1.0, "{weights:?}");
        assert!(chance(&weights, &all[0]) < 0.3 && chance(&weights, &all[1]) > 0.8);
    }
}
