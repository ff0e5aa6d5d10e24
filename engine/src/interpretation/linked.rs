//! The lower half of reading: a text as mentions, each with the part it plays.

use super::verdict::Reader;
use crate::catalog::Catalog;
use crate::linking::{Lexical, Linker, Mention, Named, TableId, Target, ValueIndex, mentions};
use crate::reading::{Part, context_scores, part_of};
use crate::text::{Token, numbers, time_expressions, tokenize};

/// A text with what its words are tied to.
#[derive(Clone, Debug)]
pub(super) struct Linked {
    /// Its tokens.
    pub(super) tokens: Vec<Token>,
    /// Its mentions, in order.
    pub(super) mentions: Vec<Mention>,
    /// The part that each mention plays.
    pub(super) parts: Vec<Part>,
}

impl Reader<'_> {
    /// Links a text; `about` is the table it is about, where that is known beforehand.
    pub(super) fn linked(
        &self,
        text: &str,
        found: &ValueIndex,
        typing: bool,
        about: Option<TableId>,
    ) -> Linked {
        let tokens = tokenize(text);
        let times = time_expressions(&tokens, self.today, self.settings.fiscal_year_start);
        let linker = Linker {
            lexicon: self.lexicon,
            schema: self.schema,
            values: self.values,
            found,
            units: self.units,
            dictionary: self.dictionary,
            typing,
        };
        let mut mentions = mentions(&linker, text, &tokens, &times, &numbers(&tokens));
        let measured = mentions.iter().find_map(|mention| {
            if let Some(Target::Metric(metric)) =
                mention.readings.first().map(|reading| reading.target.clone())
            {
                return self.schema.table(&self.catalog.metrics.get(metric)?.table);
            }
            let concept = self.dictionary.concepts.get(mention.concept?)?;
            self.schema.recording(self.catalog, concept).first().map(|recording| recording.table)
        });
        let measured = about.or(measured).or_else(|| measured_table(self.catalog, &mentions));
        context_scores(self.schema, &mut mentions, measured);
        let parts: Vec<Part> = (0..mentions.len()).map(|at| part_of(&mentions, at)).collect();
        for (mention, part) in mentions.iter_mut().zip(&parts) {
            if *part != Part::Schema {
                mention.readings.clear();
            }
        }
        Linked { tokens, mentions, parts }
    }
}

/// Table of the one column that an aggregate of the question is computed of.
fn measured_table(catalog: &Catalog, mentions: &[Mention]) -> Option<TableId> {
    let computed = [Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum];
    let at = mentions.iter().position(|mention| computed.iter().any(|kind| mention.is(*kind)))?;
    mentions[at + 1..].iter().take(3).find_map(|mention| {
        let first = mention.readings.first()?;
        let alone = mention.readings.get(1).is_none_or(|next| first.score - next.score > 0.1);
        match first.target {
            Target::Column(column) if alone && catalog.column_at(column).data_type.is_numeric() => {
                Some(column.table)
            }
            _ => None,
        }
    })
}
