//! Recommends what was chosen most for an ambiguity: by the person, otherwise by others of the tenant.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Learned, Memory, Pattern, Scope};
use crate::ambiguity::AmbiguityKind;
use crate::clarification::{Answer, ClarificationOption};
use crate::text::fold;

/// Number of times that others must have chosen an option before it is recommended to a person.
const OF_OTHERS: u32 = 3;

/// How often the users of a tenant chose an option.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// Kind of ambiguity.
    pub ambiguity: AmbiguityKind,
    /// The ambiguous words.
    pub phrase: String,
    /// Id of the chosen option.
    pub option_id: String,
    /// Number of times that it was chosen.
    pub times: u32,
}

/// Earlier choices of a person and of the tenant, and lessons.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Preferences<'a> {
    patterns: &'a [Pattern],
    chosen: &'a [Chosen],
    /// Lessons that corrections and repairs taught.
    pub(crate) lessons: &'a [Learned],
}

/// The option to recommend.
#[derive(Debug, PartialEq)]
pub(crate) struct Preferred {
    /// Index of the option.
    pub(crate) position: usize,
    /// Why it is recommended, for users.
    pub(crate) reason: String,
}

impl<'a> Preferences<'a> {
    /// Without earlier choices.
    pub(crate) const NONE: Preferences<'static> =
        Preferences { patterns: &[], chosen: &[], lessons: &[] };

    pub(crate) fn new(memory: &'a Memory, chosen: &'a [Chosen]) -> Self {
        Self { patterns: &memory.patterns, chosen, lessons: &memory.lessons }
    }

    /// The option that was chosen more often than any other for the same words, in whichever question.
    pub(crate) fn most_chosen(
        &self,
        ambiguity: AmbiguityKind,
        phrase: &str,
        options: &[ClarificationOption],
    ) -> Option<Preferred> {
        if self.patterns.is_empty() && self.chosen.is_empty() {
            return None;
        }
        let phrase = fold(phrase);
        let of = |scope| {
            let patterns = self.patterns.iter();
            patterns.filter_map(move |pattern| match &pattern.answer {
                Answer::Option { option_id } if pattern.scope == scope => {
                    Some((pattern.ambiguity, &pattern.phrase, option_id, pattern.frequency))
                }
                _ => None,
            })
        };
        let own = most(of(Scope::Person), (ambiguity, &phrase), options);
        if let Some(Most { position, times, all }) = own {
            let label = &options.get(position)?.label;
            let reason = match (times, all) {
                (1, 1) => format!("you chose “{label}” before"),
                _ => format!("you chose “{label}” most often, {times} of {all} times"),
            };
            return Some(Preferred { position, reason });
        }
        let chosen = self.chosen.iter();
        let counted = chosen.map(|one| (one.ambiguity, &one.phrase, &one.option_id, one.times));
        let others = most(of(Scope::DataSource).chain(counted), (ambiguity, &phrase), options);
        let Most { position, times, all } = others.filter(|most| most.times >= OF_OTHERS)?;
        let label = &options.get(position)?.label;
        let reason = format!("“{label}” is chosen most here, {times} of {all} times");
        Some(Preferred { position, reason })
    }
}

/// The option that was chosen most, and how often.
struct Most {
    position: usize,
    times: u32,
    all: u32,
}

/// Counts choices of the offered options; `None` if there are none, or if two options were chosen equally often.
fn most<'a>(
    choices: impl Iterator<Item = (AmbiguityKind, &'a String, &'a String, u32)>,
    (ambiguity, phrase): (AmbiguityKind, &str),
    options: &[ClarificationOption],
) -> Option<Most> {
    let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
    for (kind, words, option_id, times) in choices {
        if kind != ambiguity || (words != phrase && fold(words) != phrase) {
            continue;
        }
        if let Some(position) = options.iter().position(|option| option.id == *option_id) {
            let count = counts.entry(position).or_default();
            *count = count.saturating_add(times);
        }
    }
    let (position, times) = counts.iter().max_by_key(|(_, times)| **times)?;
    if counts.values().filter(|other| *other == times).count() > 1 {
        return None;
    }
    let all = counts.values().fold(0, |all: u32, times| all.saturating_add(*times));
    Some(Most { position: *position, times: *times, all })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clarification::OptionBinding;

    fn options() -> Vec<ClarificationOption> {
        let option = |id: &str| ClarificationOption {
            id: id.to_owned(),
            label: format!("option {id}"),
            description: String::new(),
            binding: OptionBinding::Ignore,
            confidence: None,
        };
        ["a", "b"].map(option).into()
    }

    fn chosen(option_id: &str, times: u32) -> Chosen {
        let (ambiguity, phrase) = (AmbiguityKind::VagueTerm, "Recent".to_owned());
        Chosen { ambiguity, phrase, option_id: option_id.to_owned(), times }
    }

    #[test]
    fn what_others_choose_counts_from_three_times_on_and_without_a_tie() {
        let recommended = |chosen: &[Chosen]| {
            let preferences = Preferences { chosen, ..Preferences::NONE };
            preferences.most_chosen(AmbiguityKind::VagueTerm, "recent", &options())
        };
        let reason = "“option b” is chosen most here, 3 of 4 times".to_owned();
        let found = recommended(&[chosen("a", 1), chosen("b", 3)]);
        assert_eq!(found, Some(Preferred { position: 1, reason }));
        assert_eq!(recommended(&[chosen("a", 1), chosen("b", 2)]), None);
        assert_eq!(recommended(&[chosen("a", 4), chosen("b", 4)]), None);
        assert_eq!(recommended(&[chosen("gone", 9)]), None);
    }
}
