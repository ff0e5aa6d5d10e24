//! Quantities of the rows that record sales, said with the noun and the verb apart.
//!
//! Valid: "how many units of tea were sold" for a quantity of lines.

use super::element::{ColumnId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::Mention;
use super::people::holds_persons;
use crate::catalog::Catalog;
use crate::dictionary::{Concept, Dictionary};
use crate::text::fold;

/// Takes counted pieces, with a verb of sales behind them, as the quantity sold.
pub(crate) fn count_pieces(
    catalog: &Catalog,
    schema: &SchemaIndex,
    dictionary: &Dictionary,
    mentions: &mut [Mention],
) {
    for (position, concept) in dictionary.concepts.iter().enumerate() {
        if concept.pieces.is_empty() || schema.recording(catalog, concept).is_empty() {
            continue;
        }
        for at in 0..mentions.len() {
            let counts = |mention: &Mention| {
                mention.is(Lexical::Count)
                    || mention.is(Lexical::CountNoun)
                    || mention.is(Lexical::Sum)
            };
            let phrase = fold(&mentions[at].phrase);
            let before = at.checked_sub(1).is_some_and(|before| counts(&mentions[before]));
            let pieces = before && concept.pieces.contains(&phrase);
            let quantity =
                counts(&mentions[at]) && phrase.split(' ').any(|word| word == "quantity");
            // "how many Chai were sold": pieces of the goods that a value names.
            let goods = before && names_goods(catalog, schema, concept, &mentions[at]);
            if !pieces && !quantity && !goods {
                continue;
            }
            let verb = (at + 1..mentions.len()).find(|next| {
                let phrase = fold(&mentions[*next].phrase);
                let verb = phrase.strip_suffix(" by").unwrap_or(&phrase);
                concept.piece_verbs.iter().any(|known| known == verb)
            });
            let Some(verb) = verb else { continue };
            if goods {
                clear(&mut mentions[verb]);
                mentions[verb].concept = Some(position);
                continue;
            }
            clear(&mut mentions[at]);
            mentions[at].concept = Some(position);
            let by = fold(&mentions[verb].phrase).ends_with(" by");
            clear(&mut mentions[verb]);
            mentions[verb].lexical = vec![if by { Lexical::By } else { Lexical::Filler }];
        }
    }
}

/// Whether a mention is a stored value of rows that those belong to where a concept is recorded, and which are no persons.
fn names_goods(
    catalog: &Catalog,
    schema: &SchemaIndex,
    concept: &Concept,
    mention: &Mention,
) -> bool {
    let recording = schema.recording(catalog, concept);
    mention.readings.iter().any(|reading| {
        let Target::Value(ColumnId { table: goods, .. }, _) = &reading.target else { return false };
        !holds_persons(schema, *goods)
            && recording.iter().any(|at| schema.distance(at.table, *goods) == Some((1, false)))
    })
}

/// Makes a mention one that matches nothing.
pub(super) fn clear(mention: &mut Mention) {
    mention.readings.clear();
    mention.lexical.clear();
    (mention.concept, mention.superlative, mention.vague) = (None, None, None);
    mention.worth = None;
    mention.stocked = None;
    (mention.time, mention.grain) = (None, None);
}
