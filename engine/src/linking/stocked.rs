//! What goods in stock are worth: their price times the number in stock, never the number alone.
//!
//! Valid: "stock value", "value of the stock by category", "what is our inventory worth", "value of products in stock".
//! Where no table has both a price and a number in stock, the word for the worth is tied to nothing, and asked about.

use super::element::{ColumnId, TableId, Target};
use super::index::{Named, SchemaIndex};
use super::lexicon::Lexical;
use super::mention::Mention;
use super::pieces::clear;
use crate::catalog::Catalog;
use crate::data::Role;
use crate::dictionary::{Concept, Dictionary};
use crate::text::fold;

/// Words for what goods are worth.
const WORTH: [&str; 3] = ["value", "values", "worth"];
/// Words for goods in stock.
const STOCK: [&str; 3] = ["inventory", "stock", "stocks"];
/// Words behind a noun that say the same.
const HELD: [&str; 3] = ["in stock", "on hand", "still in stock"];

/// Ties words for what goods in stock are worth to the table that has their price and number.
pub(crate) fn name_stock_worth(
    catalog: &Catalog,
    schema: &SchemaIndex,
    dictionary: &Dictionary,
    mentions: &mut Vec<Mention>,
) {
    let sales = |concept: &Concept| {
        concept.roles.contains(&Role::Amount) && !concept.participles.is_empty()
    };
    let Some(concept) = dictionary.concepts.iter().position(sales) else { return };
    for word in (0..mentions.len()).rev() {
        let Some((first, last)) = stock_beside(mentions, word) else { continue };
        let table = table_of(catalog, schema, &mentions[first..=last]);
        if table.is_none() && !holds_stock(catalog, schema) {
            continue;
        }
        clear(&mut mentions[word]);
        let Some(table) = table else { continue };
        mentions[word].concept = Some(concept);
        mentions[word].worth = Some(table);
        mentions[word].stocked = Some(table);
        join(mentions, word.min(first), word.max(last), word);
    }
}

/// Makes one mention of those from `first` to `last`, with what the one at `word` means.
fn join(mentions: &mut Vec<Mention>, first: usize, last: usize, word: usize) {
    let phrases: Vec<&str> =
        mentions[first..=last].iter().map(|mention| mention.phrase.as_str()).collect();
    let phrase = phrases.join(" ");
    let span = mentions[first].span.union(mentions[last].span);
    let tokens = mentions[first].tokens.start..mentions[last].tokens.end;
    let whole = Mention { tokens, span, phrase, ..mentions[word].clone() };
    mentions.splice(first..=last, [whole]);
}

/// First and last mention of the goods in stock that a word says the worth of.
fn stock_beside(mentions: &[Mention], word: usize) -> Option<(usize, usize)> {
    let mention = &mentions[word];
    if mention.quoted || !WORTH.contains(&fold(&mention.phrase).as_str()) {
        return None;
    }
    let stock = |at: usize| {
        let folded = fold(&mentions[at].phrase);
        !mentions[at].quoted && STOCK.contains(&folded.as_str())
    };
    let fills = |mention: &Mention| mention.is(Lexical::Filler) || mention.is(Lexical::Everything);
    let adjacent = word
        .checked_sub(1)
        .filter(|before| stock(*before) && mentions[*before].tokens.end == mention.tokens.start);
    if let Some(before) = adjacent {
        return Some((before, before));
    }
    if mentions.get(word + 1).is_some_and(|next| next.is(Lexical::Of)) {
        let noun = (word + 2..mentions.len()).find(|next| !fills(&mentions[*next]))?;
        if stock(noun) {
            return Some((noun, noun));
        }
        let held = mentions.get(noun + 1).is_some_and(|next| {
            HELD.contains(&fold(&next.phrase).as_str())
                && next.tokens.start == mentions[noun].tokens.end
        });
        let table = matches!(first_target(&mentions[noun]), Some(Target::Table(_)));
        return (held && table).then_some((noun, noun + 1));
    }
    let before = (0..word)
        .rev()
        .find(|before| !(mentions[*before].is(Lexical::Is) || fills(&mentions[*before])))?;
    (stock(before) && fold(&mention.phrase) == "worth").then_some((before, before))
}

fn first_target(mention: &Mention) -> Option<&Target> {
    mention.readings.first().map(|reading| &reading.target)
}

/// The table with prices and numbers in stock that some mentions name, or the only one.
fn table_of(catalog: &Catalog, schema: &SchemaIndex, said: &[Mention]) -> Option<TableId> {
    let tables = (0..catalog.tables.len()).map(|table| TableId(table as u16));
    let priced: Vec<TableId> = tables
        .filter(|table| {
            has(catalog, schema, *table, Role::StockLevel)
                && has(catalog, schema, *table, Role::Price)
        })
        .collect();
    let named = said
        .iter()
        .flat_map(|mention| &mention.readings)
        .find_map(|reading| reading.target.table().filter(|table| priced.contains(table)));
    match (named, priced.as_slice()) {
        (Some(table), _) => Some(table),
        (None, [only]) => Some(*only),
        _ => None,
    }
}

/// Whether anything says how many goods are in stock.
fn holds_stock(catalog: &Catalog, schema: &SchemaIndex) -> bool {
    (0..catalog.tables.len())
        .any(|table| has(catalog, schema, TableId(table as u16), Role::StockLevel))
}

fn has(catalog: &Catalog, schema: &SchemaIndex, table: TableId, role: Role) -> bool {
    let columns = 0..catalog.table_at(table).columns.len() as u16;
    columns.map(|column| ColumnId { table, column }).any(|column| {
        schema.has_role(column, role) && catalog.column_at(column).data_type.is_numeric()
    })
}
