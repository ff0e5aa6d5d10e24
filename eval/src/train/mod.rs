//! `eval train`: fits the chance that a statement is right to statements of the development part.
//!
//! Boosted decision trees, and a table that makes chances of their sums: no random numbers, so that equal data give an
//! equal model. A statement is right if the lenient judge accepts it, which is nearer to what its reader wants.

mod boost;
mod calibrate;
mod learned;
mod model;
mod rows;
mod tree;

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;
use wherefore_engine::session::fingerprint;

use super::report::{self, Table, percent};
use super::score::{calibration_error, covered_at, figure, share};
use boost::Model;
use calibrate::Table as Chances;
use learned::{FOLDS, Learned, SETS};
use rows::Rows;

/// Code on which the signals depend.
const CODE: [&str; 6] = [
    include_str!("../../../engine/src/interpretation/signals/mod.rs"),
    FAULTS,
    include_str!("../../../engine/src/interpretation/signals/ties.rs"),
    include_str!("../../../engine/src/interpretation/signals/tree.rs"),
    include_str!("../../../engine/src/interpretation/signals/unread.rs"),
    include_str!("../../../engine/src/interpretation/signals/words.rs"),
];
/// Code of the signals of faults, none of which raises the chance.
const FAULTS: &str = include_str!("../../../engine/src/interpretation/signals/faults.rs");

/// A statement that the trees did not see: its chance, and what it is.
struct Checked<'a> {
    chance: f64,
    learned: &'a Learned,
}

/// Fits the model and writes it.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let usage = "usage: eval train --data DIR --wordnet DIR --out FILE";
    let [data_option, data, wordnet_option, wordnet, out_option, out] = arguments else {
        bail!(usage)
    };
    if data_option != "--data" || wordnet_option != "--wordnet" || out_option != "--out" {
        bail!(usage);
    }
    let all = learned::collect(Path::new(data), Path::new(wordnet))?;
    let rows = rows_of(&all);
    let mut sums = vec![0; all.len()];
    for fold in 0..FOLDS {
        let seen: Vec<usize> = (0..all.len()).filter(|at| all[*at].fold() != fold).collect();
        let model = Model::fitted(&rows.only(&seen));
        for (at, sum) in sums.iter_mut().enumerate().filter(|(at, _)| all[*at].fold() == fold) {
            *sum = model.score(&rows, at);
        }
    }
    let unseen = sums.iter().zip(&all);
    let points: Vec<(i32, f64, bool)> =
        unseen.map(|(sum, learned)| (*sum, learned.weight(), learned.example.right)).collect();
    let chances = Chances::fitted(&points);
    write(Path::new(out), &model::lines(&Model::fitted(&rows), &rows, &chances))?;
    let checked: Vec<Checked<'_>> = sums
        .iter()
        .zip(&all)
        .map(|(sum, learned)| Checked {
            chance: f64::from(chances.chance(*sum)) / 1_000.0,
            learned,
        })
        .collect();
    report(&checked)
}

fn rows_of(all: &[Learned]) -> Rows {
    let examples = all.iter().map(|learned| {
        (learned.example.signals.as_slice(), learned.example.right, learned.weight())
    });
    Rows::of(examples, |name| FAULTS.contains(&format!("\"{name}\"")))
}

/// Prints how well the chances of unseen statements tell right from wrong, for each set.
fn report(checked: &[Checked<'_>]) -> Result<()> {
    let chances = |wanted: &dyn Fn(&Learned) -> bool| -> Vec<(f64, bool)> {
        let wanted = checked.iter().filter(|checked| wanted(checked.learned));
        wanted.map(|checked| (checked.chance, checked.learned.example.right)).collect()
    };
    let mut sets =
        Table::new(&["answered", "n", "right", "calibration error", "at 90", "at 92", "at 95"]);
    for set in SETS {
        let found = chances(&|learned| learned.set == set && !learned.is_unread());
        let mut row = vec![set.to_owned(), found.len().to_string()];
        row.push(percent(share(found.iter().filter(|(_, right)| *right).count(), found.len())));
        row.push(percent(calibration_error(&found)));
        row.extend([0.9, 0.92, 0.95].map(|at| percent(covered_at(&found, at, found.len()))));
        sets.row(row);
    }
    let mut asked = Table::new(&["unread words alone, chance", "set", "n", "right"]);
    for from in [0.5, 0.6, 0.7, 0.75, 0.8, 0.85] {
        for set in SETS {
            let found = chances(&|learned| learned.set == set && learned.may_be_left_out());
            let above: Vec<bool> =
                found.iter().filter(|(chance, _)| *chance >= from).map(|found| found.1).collect();
            let right = above.iter().filter(|right| **right).count();
            asked.row(vec![
                format!("{from:.2}"),
                set.to_owned(),
                above.len().to_string(),
                percent(share(right, above.len())),
            ]);
        }
    }
    let mut reliability = Table::new(&["chance", "n", "mean", "right"]);
    let all = chances(&|_| true);
    for bin in super::score::bins(&all).iter().filter(|bin| bin.n > 0) {
        let [mean, right] = [bin.confidence, bin.accuracy].map(|value| format!("{value:.3}"));
        reliability.row(vec![String::new(), bin.n.to_string(), mean, right]);
    }
    let answered = chances(&|learned| !learned.is_unread());
    let at = |right| figure(covered_at(&answered, right, answered.len()));
    let result = json!({
        "n": answered.len(),
        "ece": figure(calibration_error(&answered)),
        "covered_at_90": at(0.90),
        "covered_at_92": at(0.92),
        "covered_at_95": at(0.95),
    });
    report::print(&[], &[sets, asked, reliability], &result)
}

/// Writes the lines of a model after a hash of them and of the code of the signals.
fn write(path: &Path, lines: &str) -> Result<()> {
    let hash = fingerprint(&format!("{}{lines}", CODE.concat().replace("\r\n", "\n")));
    std::fs::write(path, format!("# {hash:016x}\n{lines}"))
        .with_context(|| format!("cannot write {}", path.display()))
}
