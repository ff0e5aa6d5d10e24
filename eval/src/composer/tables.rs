//! Tables of the composer's evaluation.

use std::collections::BTreeMap;

use super::judge::{Judged, Tie};
use crate::lenient::Forgiven;
use crate::report::{Table, percent};
use crate::score::{bins, share};

/// Questions by type: how many, answered, and right of these.
pub(super) fn kinds(judged: &[Judged]) -> Table {
    let mut by_kind: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for judged in judged {
        by_kind.entry(&judged.kind).or_default().push(judged);
    }
    let mut table =
        Table::new(&["type", "n", "answered", "right", "lenient", "best guess right", "lenient"]);
    for (kind, judged) in by_kind {
        let answered: Vec<_> = judged.iter().filter_map(|judged| judged.answered).collect();
        let count = |right: usize| right.to_string();
        table.row(vec![
            kind.to_owned(),
            count(judged.len()),
            count(answered.len()),
            count(answered.iter().filter(|(_, verdict)| verdict.right).count()),
            count(answered.iter().filter(|(_, verdict)| verdict.is_accepted()).count()),
            count(judged.iter().filter(|judged| judged.guessed.right).count()),
            count(judged.iter().filter(|judged| judged.guessed.is_accepted()).count()),
        ]);
    }
    table
}

/// What the lenient judge forgave, and how often.
pub(super) fn forgiven(judged: &[Judged]) -> Table {
    let mut by_reason: BTreeMap<Forgiven, usize> = BTreeMap::new();
    for (_, verdict) in judged.iter().filter_map(|judged| judged.answered) {
        if let Some(reason) = verdict.forgiven {
            *by_reason.entry(reason).or_default() += 1;
        }
    }
    let mut table = Table::new(&["forgiven", "n"]);
    for (reason, n) in by_reason {
        table.row(vec![format!("{reason:?}"), n.to_string()]);
    }
    table
}

/// Risk-coverage table: error rate among the most confident 10 %, 20 %, … of `n` questions.
pub(super) fn risk(judge: &str, answered: &[(f64, bool)], n: usize) -> Table {
    let mut sorted = answered.to_vec();
    sorted.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut table =
        Table::new(&["of the answered", "coverage", "confidence from", &format!("risk, {judge}")]);
    for tenth in 1..=10 {
        let part = &sorted[..sorted.len() * tenth / 10];
        let wrong = part.iter().filter(|(_, right)| !right).count();
        table.row(vec![
            format!("{} %", tenth * 10),
            percent(share(part.len(), n)),
            part.last().map_or_else(String::new, |(confidence, _)| format!("{confidence:.3}")),
            percent(share(wrong, part.len())),
        ]);
    }
    table
}

/// Mean confidence and share of right predictions, by tenths of the confidence.
pub(super) fn calibration(name: &str, predictions: &[(f64, bool)]) -> Table {
    let mut table = Table::new(&[name, "n", "mean", "right"]);
    for (tenth, bin) in bins(predictions).iter().enumerate().filter(|(_, bin)| bin.n > 0) {
        table.row(vec![
            format!("{:.1} to {:.1}", tenth as f64 / 10.0, (tenth + 1) as f64 / 10.0),
            bin.n.to_string(),
            format!("{:.3}", bin.confidence),
            format!("{:.3}", bin.accuracy),
        ]);
    }
    table
}

/// Links grouped by matching method.
pub(super) fn ways(ties: &[&Tie]) -> Table {
    let mut by_way: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for tie in ties {
        let (n, right) = by_way.entry(&tie.how).or_default();
        *n += 1;
        *right += usize::from(tie.right);
    }
    let mut table = Table::new(&["ties by", "n", "right"]);
    for (way, (n, right)) in by_way {
        table.row(vec![way.to_owned(), n.to_string(), percent(share(right, n))]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risk_is_that_of_the_surest_part() {
        let answered: Vec<(f64, bool)> =
            (0..10).map(|index| (1.0 - f64::from(index) / 10.0, index < 5)).collect();
        let lines = risk("strict", &answered, 20).lines();
        assert!(lines[5].contains("25.0 %") && lines[5].ends_with("0.0 %"), "{}", lines[5]);
        assert!(lines[10].ends_with("50.0 %"), "{}", lines[10]);
    }
}
