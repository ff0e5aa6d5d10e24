//! "Mississippi river", which is a value of another table too: a row of the table that the last word names.

use super::element::Target;
use super::index::SchemaIndex;
use super::mention::Mention;

/// Whether a phrase that is only a stored value is the name of a row with the noun of its table behind it.
pub(super) fn is_name_with_noun(
    schema: &SchemaIndex,
    mention: &Mention,
    candidates: &[(Mention, f64)],
) -> bool {
    let only_value = |mention: &Mention| {
        mention.readings.iter().all(|reading| matches!(reading.target, Target::Value(..)))
            && !mention.readings.is_empty()
    };
    if mention.tokens.len() < 2 || mention.quoted || !only_value(mention) {
        return false;
    }
    let last = mention.tokens.end - 1;
    let part = |from: usize, to: usize| {
        candidates.iter().map(|(known, _)| known).find(|known| known.tokens == (from..to))
    };
    let (Some(name), Some(noun)) = (part(mention.tokens.start, last), part(last, last + 1)) else {
        return false;
    };
    let Some(Target::Table(table)) = noun.readings.first().map(|reading| &reading.target) else {
        return false;
    };
    let label = &schema.profile(*table).label;
    let named = name.readings.iter().any(|reading| {
        reading.method.is_stored_whole()
            && matches!(&reading.target, Target::Value(column, _) if label.contains(column))
    });
    let own = mention.readings.iter().any(|reading| reading.target.table() == Some(*table));
    named && !own
}
