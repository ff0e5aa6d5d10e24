//! The chance that a statement answers its question, from signals of the question and its query tree.
//!
//! A log-linear model in integer arithmetic, so that it gives the same bits everywhere. `cargo xtask eval train` writes
//! its weights.

/// Weights in thousandths of a logit, by the name of their signal; the first is that of every statement.
const WEIGHTS: &str = include_str!("../../data/confidence.tsv");

/// Ten-thousandths of the logistic function at 0, 250, 500, … thousandths of a logit.
const LOGISTIC: [i32; 21] = [
    5_000, 5_622, 6_225, 6_792, 7_311, 7_773, 8_176, 8_520, 8_808, 9_047, 9_241, 9_399, 9_526,
    9_627, 9_707, 9_770, 9_820, 9_859, 9_890, 9_914, 9_933,
];
/// Thousandths of a logit between two entries of [`LOGISTIC`].
const STEP: i32 = 250;

/// The chance, 0 to 1 in thousandths, that a statement with these signals answers its question.
pub(crate) fn chance(signals: &[(&str, i32)]) -> f64 {
    let mut score = 0_i32;
    for line in WEIGHTS.lines() {
        let Some((name, weight)) = line.split_once('\t') else { continue };
        let Ok(weight) = weight.parse::<i32>() else { continue };
        let signal = signals.iter().find(|(known, _)| *known == name);
        let value = if name == "every statement" { 1 } else { signal.map_or(0, |signal| signal.1) };
        score = score.saturating_add(weight.saturating_mul(value));
    }
    f64::from(logistic(score)) / 1_000.0
}

/// The logistic function in thousandths, interpolated between the entries of its table.
fn logistic(score: i32) -> i32 {
    let size = score.saturating_abs();
    let at = usize::try_from(size / STEP).unwrap_or_default();
    let last = LOGISTIC[LOGISTIC.len() - 1];
    let low = LOGISTIC.get(at).copied().unwrap_or(last);
    let high = LOGISTIC.get(at + 1).copied().unwrap_or(last);
    let upper = low + (high - low) * (size % STEP) / STEP;
    (if score < 0 { 10_000 - upper } else { upper } + 5) / 10
}

#[cfg(test)]
mod tests {
    use super::{WEIGHTS, chance, logistic};

    #[test]
    fn the_table_follows_the_logistic_function() {
        for score in (-4_900..=4_900).step_by(70) {
            let exact = 1.0 / (1.0 + (-f64::from(score) / 1_000.0).exp());
            assert!((f64::from(logistic(score)) / 1_000.0 - exact).abs() < 0.004, "{score}");
        }
        assert_eq!((logistic(i32::MAX), logistic(i32::MIN)), (993, 7));
    }

    #[test]
    fn weights_belong_to_this_code() {
        let mut lines = WEIGHTS.lines();
        let hash = lines.next().and_then(|line| line.strip_prefix("# ")).unwrap();
        let weights = lines.collect::<Vec<_>>().join("\n") + "\n";
        let code = include_str!("../interpretation/signals.rs").replace("\r\n", "\n");
        let found = format!("{:016x}", crate::confidence::fingerprint(&(code + &weights)));
        assert_eq!(hash, found, "run `cargo xtask eval train`");
        assert!(weights.lines().all(|line| {
            line.split_once('\t').is_some_and(|(_, weight)| weight.parse::<i32>().is_ok())
        }));
    }

    #[test]
    fn a_signal_of_a_fault_lowers_the_chance() {
        assert!(chance(&[("a negation is lost", 1)]) < chance(&[]));
    }
}
