//! The chance that a statement answers its question, from signals of the question and its query tree.
//!
//! Decision trees whose values are summed, and a table from sums to chances, all in integers, so that it gives the same
//! bits everywhere. `cargo xtask eval train` writes them.

use std::str::SplitAsciiWhitespace;

/// The model, one thing per line: names of `signal`s, the `base` of the sum, each `tree` in prefix order, and `chance`s
/// in thousandths of ascending sums.
///
/// In a tree, `3>1` stands for a split: the part behind it is for counts of signal 3 up to 1, the next for larger ones.
const MODEL: &str = include_str!("../../data/confidence.tsv");
/// Most splits between the root and a leaf that are read.
const DEPTH: usize = 8;

/// The chance, 0 to 1 in thousandths, that a statement with these signals answers its question.
pub(crate) fn chance(signals: &[(&str, i32)]) -> f64 {
    let mut counts = Vec::new();
    let mut sum = 0_i32;
    let mut below: Option<(i32, i32)> = None;
    for line in MODEL.lines() {
        match line.split_once('\t') {
            Some(("signal", name)) => {
                let known = signals.iter().find(|(known, _)| *known == name);
                counts.push(known.map_or(0, |(_, count)| *count));
            }
            Some(("base", base)) => sum = base.parse().unwrap_or_default(),
            Some(("tree", tree)) => {
                let mut parts = tree.split_ascii_whitespace();
                sum = sum.saturating_add(value(&mut parts, &counts, DEPTH));
            }
            Some(("chance", point)) => {
                let point = point.split_once('\t');
                let parsed = point.and_then(|(at, to)| Some((at.parse().ok()?, to.parse().ok()?)));
                let Some(point) = parsed else { continue };
                if sum < point.0 {
                    return f64::from(between(below.unwrap_or(point), point, sum)) / 1_000.0;
                }
                below = Some(point);
            }
            _ => {}
        }
    }
    f64::from(below.map_or(0, |(_, chance)| chance)) / 1_000.0
}

/// Value of the tree that begins here; all of its parts are taken.
fn value(parts: &mut SplitAsciiWhitespace<'_>, counts: &[i32], depth: usize) -> i32 {
    let Some(part) = parts.next() else { return 0 };
    let Some((signal, most)) = part.split_once('>') else {
        return part.parse().unwrap_or_default();
    };
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    let few = value(parts, counts, depth);
    let many = value(parts, counts, depth);
    let count = signal.parse::<usize>().ok().and_then(|at| counts.get(at)).copied();
    let most = most.parse::<i32>().unwrap_or(i32::MAX);
    if count.unwrap_or_default() > most { many } else { few }
}

/// Chance of a sum between two points, the first at or below it.
fn between(low: (i32, i32), high: (i32, i32), sum: i32) -> i32 {
    let width = high.0.saturating_sub(low.0);
    if width <= 0 {
        return high.1;
    }
    low.1 + (high.1 - low.1) * (sum - low.0) / width
}

#[cfg(test)]
mod tests {
    use super::{MODEL, between, chance, value};

    /// Code on which the signals depend.
    const CODE: [&str; 6] = [
        include_str!("../interpretation/signals/mod.rs"),
        include_str!("../interpretation/signals/faults.rs"),
        include_str!("../interpretation/signals/ties.rs"),
        include_str!("../interpretation/signals/tree.rs"),
        include_str!("../interpretation/signals/unread.rs"),
        include_str!("../interpretation/signals/words.rs"),
    ];

    fn valued(tree: &str, counts: &[i32]) -> i32 {
        value(&mut tree.split_ascii_whitespace(), counts, super::DEPTH)
    }

    #[test]
    fn a_tree_is_read_in_prefix_order() {
        let tree = "0>1 1>0 -5 7 1>2 30 40";
        let values = [[0, 0], [1, 1], [2, 2], [9, 3]].map(|counts| valued(tree, &counts));
        assert_eq!(values, [-5, 7, 30, 40]);
        assert_eq!((valued("", &[]), valued("3>0 4 5", &[])), (0, 4));
    }

    // Promise: confidence.chance
    #[test]
    fn a_chance_lies_between_its_points() {
        let chances = [-100, 0, 50, 99].map(|sum| between((-100, 200), (100, 600), sum));
        assert_eq!(chances, [200, 400, 500, 598]);
        assert_eq!(between((7, 300), (7, 300), i32::MIN), 300);
    }

    #[test]
    fn weights_belong_to_this_code() {
        let mut lines = MODEL.lines();
        let hash = lines.next().and_then(|line| line.strip_prefix("# ")).unwrap();
        let model = lines.collect::<Vec<_>>().join("\n") + "\n";
        let code = CODE.concat().replace("\r\n", "\n");
        let found = format!("{:016x}", crate::confidence::fingerprint(&(code + &model)));
        assert_eq!(hash, found, "run `cargo xtask eval train`");
    }

    #[test]
    fn the_model_is_well_formed() {
        let signals = MODEL.lines().filter(|line| line.starts_with("signal\t")).count();
        let splits = MODEL.lines().filter_map(|line| line.strip_prefix("tree\t")).map(|tree| {
            let (splits, leaves): (Vec<&str>, Vec<&str>) =
                tree.split(' ').partition(|part| part.contains('>'));
            assert_eq!(splits.len() + 1, leaves.len(), "{tree}");
            let known = splits.iter().filter_map(|split| split.split_once('>')?.0.parse().ok());
            assert!(known.clone().count() == splits.len() && known.max() < Some(signals), "{tree}");
            assert!(leaves.iter().all(|leaf| leaf.parse::<i32>().is_ok()), "{tree}");
            splits.len()
        });
        assert!(splits.sum::<usize>() > 100 && MODEL.len() < 20_480);
        let points: Vec<(i32, i32)> = MODEL
            .lines()
            .filter_map(|line| line.strip_prefix("chance\t")?.split_once('\t'))
            .map(|(sum, chance)| (sum.parse().unwrap(), chance.parse().unwrap()))
            .collect();
        assert!(points.len() > 2 && points.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
    }

    // Promise: confidence.faults-lower
    #[test]
    fn a_signal_of_a_fault_never_raises_the_chance() {
        for fault in ["distinct is lost", "an end without a limit", "a count is lost"] {
            for words in 0..12 {
                let usual = [("words in threes", words), ("things named", 3), ("outputs", 1)];
                let wrong = [usual.as_slice(), &[(fault, 1)]].concat();
                assert!(chance(&wrong) <= chance(&usual), "{fault}, {words}");
            }
        }
    }
}
