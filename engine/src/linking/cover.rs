//! Selects, from all candidate mentions, the non-overlapping ones that explain the question best.

use super::mention::Mention;

/// The non-overlapping candidates with the largest sum of weights, in order; ties prefer earlier and longer candidates.
pub(crate) fn cover(candidates: Vec<(Mention, f64)>, tokens: usize) -> Vec<Mention> {
    let mut ending: Vec<Vec<usize>> = vec![Vec::new(); tokens + 1];
    for (position, (mention, _)) in candidates.iter().enumerate() {
        if let Some(at) = ending.get_mut(mention.tokens.end) {
            at.push(position);
        }
    }
    let mut best: Vec<(f64, Option<usize>)> = vec![(0.0, None); tokens + 1];
    for end in 1..=tokens {
        best[end] = (best[end - 1].0, None);
        for &position in &ending[end] {
            let (mention, weight) = &candidates[position];
            let total = best[mention.tokens.start].0 + weight;
            if total > best[end].0 + 1e-9 {
                best[end] = (total, Some(position));
            }
        }
    }
    let mut chosen = Vec::new();
    let mut end = tokens;
    while end > 0 {
        match best[end].1 {
            Some(position) => {
                chosen.push(position);
                end = candidates[position].0.tokens.start;
            }
            None => end -= 1,
        }
    }
    chosen.reverse();
    let mut taken: Vec<Option<Mention>> =
        candidates.into_iter().map(|(mention, _)| Some(mention)).collect();
    chosen.into_iter().filter_map(|position| taken[position].take()).collect()
}
