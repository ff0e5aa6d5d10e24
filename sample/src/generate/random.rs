//! Seeded random numbers. Each part of the generator has a stream of its own, so that a change in one part does not
//! affect the others.

use std::ops::RangeInclusive;

const SEED: u64 = 0x05EE_DB0C_5A3D_1E77;

pub(super) struct Random(fastrand::Rng);

/// Weights for random choice.
pub(super) struct Shares {
    cumulative: Vec<u64>,
}

impl Random {
    /// Stream of the part with this name.
    pub(super) fn for_part(name: &str) -> Self {
        // FNV-1a: the hasher of the standard library may change between releases.
        let seed = name
            .bytes()
            .fold(SEED, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3));
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Integer in the inclusive range.
    pub(super) fn between(&mut self, range: RangeInclusive<i32>) -> i32 {
        self.0.i32(range)
    }

    /// Integer in the inclusive range.
    pub(super) fn amount(&mut self, range: RangeInclusive<i64>) -> i64 {
        self.0.i64(range)
    }

    /// Number in `low..high`.
    pub(super) fn real(&mut self, low: f64, high: f64) -> f64 {
        self.0.f64().mul_add(high - low, low)
    }

    /// True with a probability of `per_mille` / 1,000.
    pub(super) fn chance(&mut self, per_mille: u32) -> bool {
        self.0.u32(0..1000) < per_mille
    }

    /// A random item; `items` must not be empty.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.0.usize(..items.len())]
    }

    /// Index chosen with these weights.
    pub(super) fn index(&mut self, shares: &Shares) -> usize {
        let total = shares.cumulative.last().copied().unwrap_or(1).max(1);
        let drawn = self.0.u64(0..total);
        shares.cumulative.partition_point(|&bound| bound <= drawn)
    }

    /// Shuffles the items in place.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        self.0.shuffle(items);
    }

    /// Random decimal digits; the first may be zero.
    pub(super) fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| self.0.digit(10)).collect()
    }
}

impl Shares {
    pub(super) fn new(weights: impl IntoIterator<Item = u64>) -> Self {
        let cumulative = weights
            .into_iter()
            .scan(0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        Self { cumulative }
    }

    /// Weights of `count` items, of which the first few take most.
    pub(super) fn skewed(count: usize) -> Self {
        Self::new((0..count as u64).map(|rank| 1_000_000 / (rank + 12)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, Shares};

    #[test]
    fn an_index_without_a_share_is_never_drawn() {
        let shares = Shares::new([3, 0, 5]);
        let mut random = Random::for_part("test");
        let drawn: Vec<usize> = (0..200).map(|_| random.index(&shares)).collect();
        assert!(drawn.iter().all(|&index| index == 0 || index == 2));
        assert!(drawn.contains(&0) && drawn.contains(&2));
    }
}
