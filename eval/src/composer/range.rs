//! How far the figures vary with the databases.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::judge::Judged;
use crate::score::{draw, figure, share};

/// Number of samples.
const SAMPLES: usize = 1_000;

/// Counts of one database.
#[derive(Clone, Copy, Default)]
struct Counts {
    questions: usize,
    answered: usize,
    right: usize,
    accepted: usize,
}

/// The 10th and 90th percentiles of coverage and selective accuracy over samples of as many databases, drawn with
/// repetition.
pub(super) fn of(judged: &[Judged]) -> Value {
    let mut by_database: BTreeMap<&str, Counts> = BTreeMap::new();
    for judged in judged {
        let counts = by_database.entry(&judged.database).or_default();
        counts.questions += 1;
        if let Some((_, verdict)) = judged.answered {
            counts.answered += 1;
            counts.right += usize::from(verdict.right);
            counts.accepted += usize::from(verdict.is_accepted());
        }
    }
    let databases: Vec<Counts> = by_database.into_values().collect();
    let samples: Vec<Counts> = (0..SAMPLES).map(|number| sample(&databases, number)).collect();
    let range = |way: fn(&Counts) -> Option<f64>| {
        let mut values: Vec<f64> = samples.iter().filter_map(way).collect();
        values.sort_by(f64::total_cmp);
        [10, 90].map(|percent| figure(values.get(values.len() * percent / 100).copied()))
    };
    json!({
        "coverage": range(|counts| share(counts.answered, counts.questions)),
        "selective_accuracy": range(|counts| share(counts.right, counts.answered)),
        "lenient": range(|counts| share(counts.accepted, counts.answered)),
    })
}

/// Sum over as many databases as there are, each drawn by a hash of the sample's number.
fn sample(databases: &[Counts], number: usize) -> Counts {
    let mut sum = Counts::default();
    for place in 0..databases.len() {
        let drawn = (draw(&format!("{number}/{place}")) * databases.len() as f64) as usize;
        let Some(counts) = databases.get(drawn) else { continue };
        sum.questions += counts.questions;
        sum.answered += counts.answered;
        sum.right += counts.right;
        sum.accepted += counts.accepted;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_as_many_databases_and_is_always_the_same() {
        let one = |questions| Counts { questions, answered: 1, ..Counts::default() };
        let databases = [one(1), one(10), one(100)];
        let sums: Vec<usize> = (0..50).map(|number| sample(&databases, number).questions).collect();
        assert!((0..50).all(|number| sample(&databases, number).answered == 3));
        assert!(sums.contains(&111) && sums.iter().any(|sum| *sum != 111));
        assert_eq!(sums, (0..50).map(|n| sample(&databases, n).questions).collect::<Vec<_>>());
    }
}
