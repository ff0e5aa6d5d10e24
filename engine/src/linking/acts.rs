//! Nouns of acts that no table is called: "deliveries" are the rows with a date of delivery.

use wherefore_english::singular;

use super::element::{ColumnId, TableId, Target};
use super::index::SchemaIndex;
use super::mention::{Act, Mention};
use crate::confidence::Method;
use crate::text::{fold, stem};

/// Ties such a noun to the only table with a date that is called after one of its verbs, unless something bears its
/// name.
pub(crate) fn tie_acts(schema: &SchemaIndex, mentions: &mut [Mention]) {
    for mention in mentions {
        let loose = mention.readings.iter().all(|reading| {
            let part =
                [Method::Beginning, Method::Head, Method::Kin, Method::Modifier, Method::Related];
            part.contains(&reading.method) && matches!(reading.target, Target::Column(_))
        });
        let free = mention.lexical.is_empty()
            && mention.vague.is_none()
            && mention.concept.is_none()
            && mention.superlative.is_none();
        if !loose || !free || mention.tokens.len() != 1 {
            continue;
        }
        let noun = stem(&singular(&fold(&mention.phrase)));
        let dates = |verb: &String| -> Vec<ColumnId> {
            let verb = stem(verb);
            let date = |table: TableId| {
                let profile = schema.profile(table);
                let named = |column: &&ColumnId| schema.stems_of(**column).first() == Some(&verb);
                profile.dates.iter().find(named).copied().filter(|_| !profile.is_view)
            };
            schema.ids().filter_map(date).collect()
        };
        let verbs = schema.acts.get(&noun).into_iter().flatten();
        // The first verb is that of the noun itself.
        let dates = verbs.map(dates).find(|dates| !dates.is_empty()).unwrap_or_default();
        if let [date] = dates.as_slice() {
            mention.readings.clear();
            mention.add(Target::Table(date.table), Method::Related, Method::Related.base());
            mention.act = Some(Act::Dated(*date));
        }
    }
}
