//! Words for a kind of rows right beside the name of these rows: "female people".
//!
//! Alone such a word stands for the rows ("females"); beside their name it says which of them are meant, so that it must not
//! be spent on the name again.

use super::element::Target;
use super::mention::Mention;

/// Unties words from a table whose name stands right beside them.
pub(crate) fn untie_kinds(mentions: &mut [Mention]) {
    let first = |mention: &Mention| {
        let reading = mention.readings.first()?;
        matches!(reading.target, Target::Table(_)).then(|| reading.clone())
    };
    for at in 0..mentions.len() {
        let Some(kind) = first(&mentions[at]).filter(|kind| !kind.method.is_whole()) else {
            continue;
        };
        let named = mentions.get(at + 1).filter(|next| {
            next.tokens.start == mentions[at].tokens.end
                && first(next)
                    .is_some_and(|named| named.method.is_whole() && named.target == kind.target)
        });
        if named.is_some() {
            mentions[at].readings.retain(|reading| reading.target != kind.target);
        }
    }
}
