//! A small decision tree that lowers the loss most, found with histograms of the counts.

use super::rows::{MOST, Rows};

/// Most splits between the root and a leaf.
pub(crate) const DEPTH: usize = 4;
/// Penalty on the square of the value of a leaf.
const PENALTY: f64 = 4.0;
/// Least curvature of the loss in a leaf.
const LEAST: f64 = 4.0;
/// Least improvement by a split.
const GAIN: f64 = 0.5;

/// A decision tree; a leaf holds thousandths of a logit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Tree {
    Leaf(i32),
    /// The first tree is for counts up to `most` of a column, the second for larger ones.
    Split {
        column: usize,
        most: u8,
        parts: Box<(Tree, Tree)>,
    },
}

/// Slope and curvature of the loss, summed over examples.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    slope: f64,
    curve: f64,
}

/// Slope and curvature of the loss of each example, and what part of a step is taken.
pub(crate) struct Loss {
    pub(crate) slopes: Vec<f64>,
    pub(crate) curves: Vec<f64>,
    pub(crate) rate: f64,
    /// Which columns are looked at.
    pub(crate) looks_at: Vec<bool>,
}

struct Split {
    gain: f64,
    column: usize,
    most: u8,
    /// Steps of both parts.
    steps: (f64, f64),
}

impl Sum {
    fn of(loss: &Loss, rows: &[usize]) -> Self {
        rows.iter().fold(Self::default(), |sum, row| Self {
            slope: sum.slope + loss.slopes[*row],
            curve: sum.curve + loss.curves[*row],
        })
    }

    /// The step that lowers the loss most, within limits.
    fn step(self, (low, high): (f64, f64)) -> f64 {
        (-self.slope / (self.curve + PENALTY)).clamp(low, high)
    }

    /// How much a step lowers the loss, doubled.
    fn gain(self, step: f64) -> f64 {
        -(2.0 * self.slope * step + (self.curve + PENALTY) * step * step)
    }
}

impl Tree {
    /// The tree that lowers the loss most, by one split after the other.
    pub(crate) fn grown(rows: &Rows, loss: &Loss) -> Self {
        let all: Vec<usize> = (0..rows.right.len()).collect();
        Self::part(rows, loss, &all, DEPTH, (-f64::INFINITY, f64::INFINITY))
    }

    /// `limits` bound the steps of all leaves, so that no fault raises the chance.
    fn part(rows: &Rows, loss: &Loss, members: &[usize], depth: usize, limits: (f64, f64)) -> Self {
        let sum = Sum::of(loss, members);
        let own = sum.step(limits);
        let split = Some(depth)
            .filter(|depth| *depth > 0)
            .and_then(|_| best_split(rows, loss, members, sum, limits))
            .filter(|split| split.gain > sum.gain(own) + GAIN);
        let Some(Split { column, most, steps, .. }) = split else {
            return Self::Leaf((own * loss.rate * 1_000.0).round() as i32);
        };
        let chosen = &rows.columns[column];
        let (few, many): (Vec<usize>, Vec<usize>) =
            members.iter().partition(|row| chosen.counts[**row] <= most);
        let middle = f64::midpoint(steps.0, steps.1);
        let (low, high) = limits;
        let (first, second) =
            if chosen.fault { ((middle, high), (low, middle)) } else { (limits, limits) };
        let few = Self::part(rows, loss, &few, depth - 1, first);
        let many = Self::part(rows, loss, &many, depth - 1, second);
        if few == many && matches!(few, Self::Leaf(_)) {
            return few;
        }
        Self::Split { column, most, parts: Box::new((few, many)) }
    }

    /// The value for an example, in thousandths of a logit.
    pub(crate) fn value(&self, rows: &Rows, row: usize) -> i32 {
        match self {
            Self::Leaf(value) => *value,
            Self::Split { column, most, parts } => {
                let few = rows.columns[*column].counts[row] <= *most;
                if few { parts.0.value(rows, row) } else { parts.1.value(rows, row) }
            }
        }
    }
}

fn best_split(
    rows: &Rows,
    loss: &Loss,
    members: &[usize],
    all: Sum,
    limits: (f64, f64),
) -> Option<Split> {
    let mut best: Option<Split> = None;
    let columns = rows.columns.iter().enumerate().filter(|(at, _)| loss.looks_at[*at]);
    for (at, column) in columns {
        let mut bins = [Sum::default(); MOST + 1];
        for row in members {
            let bin = &mut bins[usize::from(column.counts[*row])];
            bin.slope += loss.slopes[*row];
            bin.curve += loss.curves[*row];
        }
        let mut few = Sum::default();
        for (most, bin) in bins.iter().enumerate().take(MOST) {
            if bin.curve == 0.0 {
                continue;
            }
            few = Sum { slope: few.slope + bin.slope, curve: few.curve + bin.curve };
            let many = Sum { slope: all.slope - few.slope, curve: all.curve - few.curve };
            if few.curve < LEAST || many.curve < LEAST {
                continue;
            }
            let steps = (few.step(limits), many.step(limits));
            if column.fault && steps.0 < steps.1 {
                continue;
            }
            let gain = few.gain(steps.0) + many.gain(steps.1);
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                let most = u8::try_from(most).unwrap_or_default();
                best = Some(Split { gain, column: at, most, steps });
            }
        }
    }
    best
}
