//! From sums of trees to chances: a table that never falls, fitted to sums of examples that the trees did not see.

/// Parts of equal weight into which the sums are divided at first.
const PARTS: usize = 20;
/// Thousandths by which the chances of the lowest and the highest sum differ from those of their parts.
const ENDS: i32 = 10;

/// Sums in thousandths of a logit with their chances in thousandths, ascending.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Table(pub(crate) Vec<(i32, i32)>);

/// Examples with neighbouring sums.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    weight: f64,
    score: f64,
    right: f64,
}

impl Part {
    fn add(&mut self, other: Self) {
        self.weight += other.weight;
        self.score += other.score;
        self.right += other.right;
    }

    fn rate(self) -> f64 {
        self.right / self.weight
    }
}

impl Table {
    /// The table that fits sums, each with its weight and whether the example is right.
    pub(crate) fn fitted(sums: &[(i32, f64, bool)]) -> Self {
        let mut sorted = sums.to_vec();
        sorted.sort_by_key(|(score, _, _)| *score);
        let whole: f64 = sorted.iter().map(|(_, weight, _)| weight).sum();
        let mut parts: Vec<Part> = Vec::new();
        let (mut part, mut seen) = (Part::default(), 0.0);
        for (score, weight, right) in &sorted {
            let score = f64::from(*score) * weight;
            part.add(Part { weight: *weight, score, right: weight * f64::from(u8::from(*right)) });
            seen += weight;
            if seen * PARTS as f64 >= whole * (parts.len() + 1) as f64 {
                parts.push(std::mem::take(&mut part));
            }
        }
        let mut rising: Vec<Part> = Vec::new();
        for mut part in parts {
            while let Some(last) = rising.pop_if(|last| last.rate() >= part.rate()) {
                part.add(last);
            }
            rising.push(part);
        }
        let chance = |part: &Part| (part.rate() * 1_000.0).round() as i32;
        let inner = rising.iter().map(|part| ((part.score / part.weight).round() as i32, part));
        let mut points: Vec<(i32, i32)> =
            inner.map(|(score, part)| (score, chance(part).clamp(20, 980))).collect();
        if let (Some(low), Some(high)) = (sorted.first(), sorted.last())
            && let (Some(first), Some(last)) = (points.first().copied(), points.last().copied())
        {
            points.insert(0, (low.0 - 1, first.1 - ENDS));
            points.push((high.0 + 1, last.1 + ENDS));
        }
        Self(points)
    }

    /// Chance of a sum in thousandths, interpolated as the engine does.
    pub(crate) fn chance(&self, score: i32) -> i32 {
        let above = self.0.iter().position(|(known, _)| *known > score);
        match above {
            Some(0) => self.0[0].1,
            None => self.0.last().map_or(500, |last| last.1),
            Some(at) => {
                let ((low, from), (high, to)) = (self.0[at - 1], self.0[at]);
                from + (to - from) * (score - low) / (high - low)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn a_higher_sum_never_has_a_lower_chance() {
        let sums: Vec<(i32, f64, bool)> =
            (0..400).map(|at| (at * 10, 1.0, at % 7 < 3 || at > 250)).collect();
        let table = Table::fitted(&sums);
        let chances: Vec<i32> = (-10..420).map(|at| table.chance(at * 10)).collect();
        assert!(chances.is_sorted(), "{:?}", table.0);
        assert!((400..480).contains(&table.chance(1_000)) && table.chance(3_900) > 950);
    }
}
