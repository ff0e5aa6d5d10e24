//! Words that many stored values contain: "orders with gloves", where products are called "Cut Glove Large".

use super::context::Composer;
use super::option::OPTIONS;
use super::settle::Settled;
use crate::clarification::{ClarificationOption, OptionBinding};
use crate::confidence::Method;
use crate::intent::{Predicate, TextMatch};
use crate::linking::{ColumnId, Lexical, Named, Target};
use crate::reading::Part;

impl Composer<'_> {
    /// Whether a mention is a word that many stored values contain.
    pub(super) fn is_word_of_values(&self, at: usize) -> bool {
        let first = self.mentions.get(at).and_then(|mention| mention.readings.first());
        first.is_some_and(|first| first.method == Method::ValueWord)
    }

    /// Unties a word of stored values where a kind is named that rows are grouped by: "cases per vintage" asks for no single wine.
    pub(super) fn untie_grouped_words(&self, settled: &mut Settled) {
        for at in 1..settled.parts.len() {
            let mention = &settled.mentions[at];
            let grouped = settled.mentions[at - 1].is(Lexical::Group)
                && settled.mentions[at - 1].tokens.end == mention.tokens.start;
            let rows = settled.mentions.get(at + 1).is_some_and(|next| {
                let first = next.readings.first().map(|first| &first.target);
                next.tokens.start == mention.tokens.end && matches!(first, Some(Target::Table(_)))
            });
            let part = mention.readings.first().is_some_and(|first| {
                matches!(first.method, Method::ValueFuzzy | Method::ValuePart | Method::ValueWord)
            });
            if grouped && !rows && !mention.quoted && part {
                settled.mentions[at].readings.clear();
                settled.parts[at] = Part::Unknown;
            }
        }
    }

    /// Predicate of a column whose value contains any of some words.
    pub(super) fn containing(&self, column: ColumnId, words: &[String]) -> Predicate {
        let mut conditions: Vec<Predicate> = words
            .iter()
            .map(|word| Predicate::Text {
                column: self.catalog.reference(column),
                matching: TextMatch::Contains,
                text: word.clone(),
            })
            .collect();
        match conditions.as_slice() {
            [_] => conditions.remove(0),
            _ => Predicate::Any { conditions },
        }
    }

    /// An option for each of the columns whose values contain a word.
    pub(super) fn word_options(&self, words: &[(ColumnId, String)]) -> Vec<ClarificationOption> {
        let option = |(column, word): &(ColumnId, String)| {
            let rows = self.table_rows(column.table);
            let name = self.column_words(*column);
            ClarificationOption {
                id: format!("{}~{word}", self.catalog.reference(*column)),
                label: format!("{name} contains “{word}”"),
                description: format!("{rows} with “{word}” in their {name}"),
                binding: OptionBinding::Predicate {
                    predicate: self.containing(*column, std::slice::from_ref(word)),
                },
                confidence: None,
            }
        };
        words.iter().take(OPTIONS).map(option).collect()
    }
}
