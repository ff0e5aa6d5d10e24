//! Stored values right beside the noun of a table that holds them: "the Sales department" names a department, although
//! "sales" may be computed as well.

use super::element::Target;
use super::index::SchemaIndex;
use super::mention::{Mention, Reading};
use crate::confidence::Method;

/// Ties a word that a concept or a definition is called too to the stored value that names a row of the table beside it.
pub(crate) fn tie_beside(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for at in 0..mentions.len() {
        let mention = &mentions[at];
        if mention.concept.is_none() && mention.vague.is_none() {
            continue;
        }
        let behind = mentions.get(at + 1).filter(|next| next.tokens.start == mention.tokens.end);
        let Some(Target::Table(table)) =
            behind.and_then(|noun| noun.readings.first()).map(|reading| reading.target.clone())
        else {
            continue;
        };
        let names = |reading: &Reading| {
            reading.method == Method::ValueExact
                && reading.target.table() == Some(table)
                && schema.names_a_row(&reading.target)
        };
        if !mention.readings.iter().any(names) {
            continue;
        }
        let mention = &mut mentions[at];
        mention.readings.retain(names);
        mention.lexical.clear();
        (mention.concept, mention.vague) = (None, None);
    }
}
