//! Gradient boosting: each tree corrects what the sum of those before it got wrong.
//!
//! No random numbers and a fixed order, so that equal examples give equal trees.

use super::rows::Rows;
use super::tree::{Loss, Tree};
use crate::score::draw;

/// Number of trees.
const TREES: usize = 150;
/// Part of each step that is taken.
const RATE: f64 = 0.15;

/// Share of the signals that each tree may split on, so that the trees differ.
const SEEN: f64 = 0.5;

/// Trees whose values are summed, in thousandths of a logit.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) base: i32,
    pub(crate) trees: Vec<Tree>,
}

impl Model {
    /// Trees that fit the examples.
    pub(crate) fn fitted(rows: &Rows) -> Self {
        let whole: f64 = rows.weights.iter().sum();
        let hits: f64 =
            rows.weights.iter().zip(&rows.right).filter(|(_, right)| **right).map(|(w, _)| w).sum();
        let mean = (hits / whole).clamp(0.01, 0.99);
        let base = ((mean / (1.0 - mean)).ln() * 1_000.0).round() as i32;
        let mut scores = vec![base; rows.right.len()];
        let mut trees = Vec::new();
        for number in 0..TREES {
            let looks_at = (rows.columns.iter())
                .map(|column| draw(&format!("{number}/{}", column.name)) < SEEN)
                .collect();
            let mut loss = Loss { slopes: Vec::new(), curves: Vec::new(), rate: RATE, looks_at };
            for ((score, right), weight) in scores.iter().zip(&rows.right).zip(&rows.weights) {
                let chance = 1.0 / (1.0 + (-f64::from(*score) / 1_000.0).exp());
                loss.slopes.push((chance - f64::from(u8::from(*right))) * weight);
                loss.curves.push(chance * (1.0 - chance) * weight);
            }
            let tree = Tree::grown(rows, &loss);
            for (row, score) in scores.iter_mut().enumerate() {
                *score += tree.value(rows, row);
            }
            trees.push(tree);
        }
        Self { base, trees }
    }

    /// Sum for an example, in thousandths of a logit.
    pub(crate) fn score(&self, rows: &Rows, row: usize) -> i32 {
        self.base + self.trees.iter().map(|tree| tree.value(rows, row)).sum::<i32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_lowers_the_chance_and_never_raises_it() {
        let signals = [[("bad", 0)], [("bad", 1)]];
        let fitted = |wrong: usize| {
            let examples = (0..400).map(|at| (signals[at % 2].as_slice(), at % 4 != wrong, 1.0));
            let rows = Rows::of(examples, |_| true);
            let model = Model::fitted(&rows);
            (model.score(&rows, 0), model.score(&rows, 1))
        };
        let (usual, bad) = fitted(1);
        assert!(usual > 2_000 && bad < 500, "{usual} {bad}");
        let (usual, bad) = fitted(0);
        assert_eq!(usual, bad);
    }
}
