//! Which gold interpretations the options of a dialogue lead to.

use anyhow::Result;

use super::dialogue::Dialogue;
use super::facts::{of_binding, pointed_at};
use super::gold::Golds;
use super::rows::Agreement;
use super::score::share;
use super::source::Source;

/// How a gold interpretation is covered by the options.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Covered {
    /// An option leads to the gold result with exactly its columns.
    pub(crate) strict: bool,
    /// An option leads to the rows of the gold result with additional or missing columns.
    pub(crate) lenient: bool,
    /// An option, or its statement, contains names that only this interpretation contains.
    pub(crate) bound: bool,
}

/// Result of choosing one option.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached {
    /// Label of the option, after the text of its question.
    pub(crate) label: String,
    /// The statement after choosing it, when one is written.
    pub(crate) sql: Option<String>,
    /// Indexes of the gold interpretations with equal rows, each with whether the columns are equal.
    pub(crate) by_rows: Vec<(usize, bool)>,
    /// Index of the gold interpretation that the option's names identify.
    pub(crate) by_names: Option<usize>,
}

impl Covered {
    /// Whether the interpretation is covered by any of the three criteria.
    pub(crate) fn any(self) -> bool {
        self.strict || self.lenient || self.bound
    }
}

/// Chooses every option of the pending questions in turn, with best guesses for the rest.
pub(crate) fn reach(
    source: &Source,
    dialogue: &Dialogue<'_>,
    golds: &Golds,
) -> Result<Vec<Reached>> {
    let mut reached = Vec::new();
    for question in dialogue.questions() {
        for option in &question.options {
            let mut chosen = dialogue.clone();
            chosen.choose(&[(question.id.clone(), option.id.clone())])?;
            let chosen = chosen.finish()?;
            let sql = chosen.statement().map(str::to_owned);
            let met = sql.as_deref().map(|sql| golds.met_by(source, sql)).unwrap_or_default();
            let by_names = pointed_at(&of_binding(&option.binding), &golds.facts)
                .or_else(|| golds.named_by(source, sql.as_deref()?));
            let by_rows =
                met.into_iter().map(|(index, how)| (index, how == Agreement::Same)).collect();
            let label = format!("{} → {}", question.phrase, option.label);
            reached.push(Reached { label, sql, by_rows, by_names });
        }
    }
    Ok(reached)
}

/// How each of `golds` gold interpretations is covered.
pub(crate) fn covered(golds: usize, reached: &[Reached]) -> Vec<Covered> {
    (0..golds)
        .map(|gold| Covered {
            strict: reached.iter().any(|option| option.by_rows.contains(&(gold, true))),
            lenient: reached
                .iter()
                .any(|option| option.by_rows.iter().any(|(index, _)| *index == gold)),
            bound: reached.iter().any(|option| option.by_names == Some(gold)),
        })
        .collect()
}

/// Share (0 to 1) of gold interpretations covered by one criterion; `None` if there are none.
pub(crate) fn covered_share(covered: &[Covered], way: impl Fn(&Covered) -> bool) -> Option<f64> {
    share(covered.iter().filter(|gold| way(gold)).count(), covered.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gold_is_covered_by_rows_or_by_names() {
        let reached = [
            Reached { by_rows: vec![(0, true)], ..Reached::default() },
            Reached { by_rows: vec![(1, false)], by_names: Some(2), ..Reached::default() },
        ];
        let covered = covered(4, &reached);
        let ways: Vec<_> =
            covered.iter().map(|gold| (gold.strict, gold.lenient, gold.bound)).collect();
        assert_eq!(
            ways,
            [
                (true, true, false),
                (false, true, false),
                (false, false, true),
                (false, false, false)
            ]
        );
        assert_eq!(covered_share(&covered, |gold| gold.any()), Some(0.75));
        assert_eq!(covered_share(&covered, |gold| gold.strict), Some(0.25));
        assert_eq!(covered_share(&[], |gold| gold.any()), None);
    }
}
