//! The simulated user. It knows only the bindings of the options and one gold statement.

use wherefore_engine::clarification::Clarification;

use super::facts::{Facts, of_binding};
use super::score::draw;

/// Minimum length of a text that counts as part of a longer one.
const SHORTEST_PART: usize = 3;

/// Reaction to a clarification.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Choice {
    /// Selects the option at this index.
    Option(usize),
    /// No option fits.
    NoneOfThese,
}

/// A user who wants one interpretation.
pub(crate) struct User<'a> {
    /// Facts of the gold statement.
    pub(crate) gold: &'a Facts,
    /// Id of the episode; the seed of wrong clicks.
    pub(crate) episode: &'a str,
    /// Error rate, 0 to 1.
    pub(crate) wrong_clicks: f64,
}

impl User<'_> {
    /// Reaction to the clarification with this sequence number in the episode.
    pub(crate) fn choose(&self, question: &Clarification, number: usize) -> Choice {
        let options: Vec<Facts> =
            question.options.iter().map(|option| of_binding(&option.binding)).collect();
        let choice = matching(&options, self.gold);
        let seed = format!("{}#{number}", self.episode);
        if draw(&seed) >= self.wrong_clicks || options.len() < 2 {
            return choice;
        }
        let others: Vec<usize> =
            (0..options.len()).filter(|index| choice != Choice::Option(*index)).collect();
        let at = (draw(&format!("{seed}#wrong")) * others.len() as f64) as usize;
        others.get(at).map_or(choice, |index| Choice::Option(*index))
    }
}

/// The option that names gold facts that other options do not name, and no fact that the gold statement lacks.
///
/// An option without facts of its own is chosen when no other fits; on a tie none is chosen.
fn matching(options: &[Facts], gold: &Facts) -> Choice {
    let common = match options {
        [first, _, ..] => options.iter().fold(first.clone(), |common, option| &common & option),
        _ => Facts::new(),
    };
    let mut fitting: Vec<(usize, usize)> = options
        .iter()
        .enumerate()
        .filter_map(|(index, option)| {
            let own = option - &common;
            own.iter().all(|fact| names(gold, fact)).then_some((own.len(), index))
        })
        .collect();
    fitting.sort_by_key(|(facts, index)| (std::cmp::Reverse(*facts), *index));
    match fitting.as_slice() {
        [(_, index)] => Choice::Option(*index),
        [(most, index), (next, _), ..] if most > next => Choice::Option(*index),
        _ => Choice::NoneOfThese,
    }
}

/// Whether the gold facts contain a fact; a value matches when it contains the gold value.
fn names(gold: &Facts, fact: &str) -> bool {
    if gold.contains(fact) {
        return true;
    }
    let Some(stored) = fact.strip_prefix("value:") else { return false };
    gold.iter()
        .filter_map(|other| other.strip_prefix("value:"))
        .any(|part| part.len() >= SHORTEST_PART && stored.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Facts {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_option_is_taken_that_the_gold_names() {
        let gold = facts("table:t column:t.a column:t.c value:alice");
        for (options, expected) in [
            (["table:t column:t.a", "table:t column:t.b"], Choice::Option(0)),
            (["table:t column:t.d", "table:t column:t.b"], Choice::NoneOfThese),
            (["table:t column:t.a", "table:t column:t.c"], Choice::NoneOfThese),
            (["", "column:t.b"], Choice::Option(0)),
            (["", "column:t.a"], Choice::Option(1)),
            (["value:alice_smith", "value:bob"], Choice::Option(0)),
            (["every", "column:t.a"], Choice::Option(1)),
        ] {
            assert_eq!(matching(&options.map(facts), &gold), expected, "{options:?}");
        }
        assert_eq!(matching(&[], &gold), Choice::NoneOfThese);
        assert_eq!(matching(&[facts("column:t.d")], &gold), Choice::NoneOfThese);
        assert_eq!(matching(&[Facts::new()], &gold), Choice::Option(0));
    }
}
