//! Metrics: shares, F1, percentiles, calibration.

use serde_json::{Value, json};

/// Confusion matrix of ambiguity detection; the prediction is whether something is asked.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Detection {
    /// Number of ambiguous questions that are asked about.
    pub(crate) hits: usize,
    /// Number of ambiguous questions that are not asked about.
    pub(crate) misses: usize,
    /// Number of clear questions that are asked about.
    pub(crate) false_asks: usize,
    /// Number of clear questions that are not asked about.
    pub(crate) rests: usize,
}

impl Detection {
    /// Counts one question.
    pub(crate) fn add(&mut self, ambiguous: bool, asked: bool) {
        *match (ambiguous, asked) {
            (true, true) => &mut self.hits,
            (true, false) => &mut self.misses,
            (false, true) => &mut self.false_asks,
            (false, false) => &mut self.rests,
        } += 1;
    }

    /// Number of questions counted.
    pub(crate) fn n(&self) -> usize {
        self.hits + self.misses + self.false_asks + self.rests
    }

    /// Share of the questions asked about that are ambiguous, 0 to 1.
    pub(crate) fn precision(&self) -> Option<f64> {
        share(self.hits, self.hits + self.false_asks)
    }

    /// Share of the ambiguous questions that are asked about, 0 to 1.
    pub(crate) fn recall(&self) -> Option<f64> {
        share(self.hits, self.hits + self.misses)
    }

    /// Harmonic mean of precision and recall, 0 to 1; `None` without ambiguous questions.
    pub(crate) fn f1(&self) -> Option<f64> {
        let ambiguous = self.hits + self.misses;
        (ambiguous > 0).then(|| {
            2.0 * self.hits as f64 / (2 * self.hits + self.misses + self.false_asks) as f64
        })
    }

    /// F1 of asking about every question, 0 to 1.
    pub(crate) fn always_ask_f1(&self) -> Option<f64> {
        Self {
            hits: self.hits + self.misses,
            false_asks: self.n() - self.hits - self.misses,
            ..Self::default()
        }
        .f1()
    }

    /// Share of the clear questions that are asked about, 0 to 1.
    pub(crate) fn false_ask(&self) -> Option<f64> {
        share(self.false_asks, self.false_asks + self.rests)
    }
}

/// `part / whole`, 0 to 1; `None` when `whole` is 0.
pub(crate) fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Mean; `None` without values.
pub(crate) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Nearest-rank percentile; `None` without values.
pub(crate) fn percentile(values: &[usize], percent: usize) -> Option<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get((sorted.len() * percent).div_ceil(100).max(1) - 1).copied()
}

/// Predictions of one confidence bin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bin {
    /// Number of predictions.
    pub(crate) n: usize,
    /// Mean confidence, 0 to 1.
    pub(crate) confidence: f64,
    /// Share of right predictions, 0 to 1.
    pub(crate) accuracy: f64,
}

/// Ten bins of equal width, lowest confidence first.
pub(crate) fn bins(predictions: &[(f64, bool)]) -> [Bin; 10] {
    let mut sums = [(0_usize, 0.0_f64, 0_usize); 10];
    for (confidence, right) in predictions {
        let sum = &mut sums[((confidence * 10.0) as usize).min(9)];
        *sum = (sum.0 + 1, sum.1 + confidence, sum.2 + usize::from(*right));
    }
    sums.map(|(n, confidence, right)| {
        let whole = n.max(1) as f64;
        Bin { n, confidence: confidence / whole, accuracy: right as f64 / whole }
    })
}

/// Expected calibration error over ten bins, 0 to 1; `None` without predictions.
pub(crate) fn calibration_error(predictions: &[(f64, bool)]) -> Option<f64> {
    let error: f64 = bins(predictions)
        .iter()
        .map(|bin| bin.n as f64 * (bin.confidence - bin.accuracy).abs())
        .sum();
    (!predictions.is_empty()).then(|| error / predictions.len() as f64)
}

/// The largest share of `n` questions of which at least `right` (0 to 1) are right, the most confident first.
///
/// Predictions of equal confidence stay together.
pub(crate) fn covered_at(predictions: &[(f64, bool)], right: f64, n: usize) -> Option<f64> {
    let mut sorted = predictions.to_vec();
    sorted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let (mut hits, mut covered) = (0_usize, 0);
    for (index, (confidence, hit)) in sorted.iter().enumerate() {
        hits += usize::from(*hit);
        let last = sorted.get(index + 1).is_none_or(|(next, _)| next < confidence);
        if last && hits as f64 >= right * (index + 1) as f64 {
            covered = index + 1;
        }
    }
    share(covered, n)
}

/// A metric as JSON, rounded to four digits; `null` for `None`.
pub(crate) fn figure(value: Option<f64>) -> Value {
    value.map_or(Value::Null, |value| json!((value * 10_000.0).round() / 10_000.0))
}

/// A pseudo-random number from 0 to 1 that depends on the text alone (FNV-1a, then mixed).
pub(crate) fn draw(text: &str) -> f64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    ((hash ^ (hash >> 33)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn detection_counts_both_kinds_of_fault() {
        let mut detection = Detection::default();
        for (ambiguous, asked) in [
            (true, true),
            (true, true),
            (true, false),
            (false, true),
            (false, false),
            (false, false),
        ] {
            detection.add(ambiguous, asked);
        }
        assert_eq!(detection.n(), 6);
        assert!(near(detection.precision(), 2.0 / 3.0));
        assert!(near(detection.recall(), 2.0 / 3.0));
        assert!(near(detection.f1(), 2.0 / 3.0));
        assert!(near(detection.false_ask(), 1.0 / 3.0));
        assert!(near(detection.always_ask_f1(), 2.0 / 3.0));
    }

    #[test]
    fn figures_of_nothing_are_absent() {
        let detection = Detection::default();
        assert_eq!(detection.f1(), None);
        assert_eq!(detection.precision(), None);
        assert_eq!(calibration_error(&[]), None);
        assert_eq!(mean(&[]), None);
        assert_eq!(percentile(&[], 90), None);
        assert_eq!(figure(None), Value::Null);
    }

    #[test]
    fn calibration_error_weighs_bins_by_their_size() {
        let mut predictions = vec![(0.95, true); 8];
        predictions.extend([(0.95, false), (0.95, false), (0.5, true), (0.5, false)]);
        let expected = 10.0 / 12.0 * 0.15;
        assert!(near(calibration_error(&predictions), expected));
        assert!(near(calibration_error(&[(1.0, true), (0.0, false)]), 0.0));
    }

    #[test]
    fn coverage_at_an_accuracy_keeps_equal_confidences_together() {
        let predictions = [(0.9, true), (0.8, true), (0.8, false), (0.7, true)];
        assert!(near(covered_at(&predictions, 1.0, 8), 0.125));
        assert!(near(covered_at(&predictions, 0.75, 8), 0.5));
        assert!(near(covered_at(&[(0.9, false)], 0.9, 2), 0.0));
    }

    #[test]
    fn percentile_is_one_of_the_values() {
        assert_eq!(percentile(&[3, 1, 2, 0, 0, 0, 0, 0, 0, 0], 90), Some(2));
        assert_eq!(percentile(&[3], 90), Some(3));
    }

    #[test]
    fn draws_are_the_same_for_the_same_text_and_even() {
        assert!((draw("a") - draw("a")).abs() < f64::EPSILON);
        let low = (0..10_000).filter(|n| draw(&format!("item-{n}")) < 0.05).count();
        assert!((400..600).contains(&low), "{low}");
    }
}
