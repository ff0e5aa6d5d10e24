//! Amounts of the rows that record sales, said with the noun and the verb apart.
//!
//! Valid: "how many units of tea were sold" for a quantity of lines, "average order value" where only the lines of orders
//! have amounts.

use super::element::{TableId, Target};
use super::index::SchemaIndex;
use super::lexicon::Lexical;
use super::mention::Mention;
use crate::catalog::Catalog;
use crate::data::Role;
use crate::dictionary::Dictionary;
use crate::text::fold;

/// Words behind a table for what its rows are worth.
const WORTH: [&str; 4] = ["amount", "size", "total", "value"];

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
            if !pieces && !quantity {
                continue;
            }
            let verb = (at + 1..mentions.len()).find(|next| {
                let phrase = fold(&mentions[*next].phrase);
                let verb = phrase.strip_suffix(" by").unwrap_or(&phrase);
                concept.piece_verbs.iter().any(|known| known == verb)
            });
            let Some(verb) = verb else { continue };
            clear(&mut mentions[at]);
            mentions[at].concept = Some(position);
            let by = fold(&mentions[verb].phrase).ends_with(" by");
            clear(&mut mentions[verb]);
            mentions[verb].lexical = vec![if by { Lexical::By } else { Lexical::Filler }];
        }
    }
}

/// Takes what rows are worth on average as the sales of each, where only related rows have amounts.
pub(crate) fn name_worth(
    catalog: &Catalog,
    schema: &SchemaIndex,
    dictionary: &Dictionary,
    mentions: &mut [Mention],
) {
    let sales = dictionary.concepts.iter().position(|concept| {
        concept.roles.contains(&Role::Amount) && !concept.participles.is_empty()
    });
    let Some((position, concept)) = sales.and_then(|at| Some((at, dictionary.concepts.get(at)?)))
    else {
        return;
    };
    for at in 1..mentions.len().saturating_sub(1) {
        let table = match mentions[at].readings.first().map(|reading| &reading.target) {
            Some(Target::Table(table)) => *table,
            _ => continue,
        };
        let worth = mentions[at + 1].tokens.start == mentions[at].tokens.end
            && WORTH.contains(&fold(&mentions[at + 1].phrase).as_str());
        if !worth || !mentions[at - 1].is(Lexical::Average) || has_amounts(schema, table) {
            continue;
        }
        let recorded = schema.recording(catalog, concept).into_iter().any(|recording| {
            schema.distance(recording.table, table).is_some_and(|(joins, many)| joins == 1 && !many)
        });
        if recorded {
            clear(&mut mentions[at + 1]);
            mentions[at + 1].concept = Some(position);
        }
    }
}

/// Whether rows of a table have an amount of their own.
fn has_amounts(schema: &SchemaIndex, table: TableId) -> bool {
    schema.profile(table).measures.iter().any(|column| schema.has_role(*column, Role::Amount))
}

fn clear(mention: &mut Mention) {
    mention.readings.clear();
    mention.lexical.clear();
    (mention.concept, mention.superlative, mention.vague) = (None, None, None);
    (mention.time, mention.grain) = (None, None);
}
