//! What goods in stock are worth: their price times the number in stock, never the number alone.
//!
//! Valid: "stock value", "value of the stock by category", "what is our inventory worth", "value of products in stock".
//! The price may be that of the goods which the number in stock refers to. Where no join leads to one price, the word for the worth is tied to nothing, and asked about.

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
        let held = |word: &str| HELD.iter().any(|held| folded == format!("{word} {held}"));
        !mentions[at].quoted
            && (STOCK.contains(&folded.as_str()) || STOCK.iter().any(|word| held(word)))
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
        let held = held_behind(mentions, noun);
        if stock(noun) {
            return Some((noun, held.unwrap_or(noun)));
        }
        let table = matches!(first_target(&mentions[noun]), Some(Target::Table(_)));
        return held.filter(|_| table).map(|last| (noun, last));
    }
    let before = (0..word)
        .rev()
        .find(|before| !(mentions[*before].is(Lexical::Is) || fills(&mentions[*before])))?;
    (stock(before) && fold(&mention.phrase) == "worth").then_some((before, before))
}

/// Last mention of the words right behind a noun that say that it is in stock.
fn held_behind(mentions: &[Mention], noun: usize) -> Option<usize> {
    let mut said = String::new();
    let mut end = mentions[noun].tokens.end;
    for (last, next) in mentions.iter().enumerate().skip(noun + 1).take(3) {
        if next.tokens.start != end {
            return None;
        }
        end = next.tokens.end;
        if !said.is_empty() {
            said.push(' ');
        }
        said.push_str(&fold(&next.phrase));
        if HELD.contains(&said.as_str()) {
            return Some(last);
        }
    }
    None
}

fn first_target(mention: &Mention) -> Option<&Target> {
    mention.readings.first().map(|reading| &reading.target)
}

/// The table with numbers in stock, with prices of its own or one join away, that some mentions name, or the only one.
fn table_of(catalog: &Catalog, schema: &SchemaIndex, said: &[Mention]) -> Option<TableId> {
    let stocked = |table: &TableId| number_in_stock(catalog, schema, *table).is_some();
    let tables = || (0..catalog.tables.len()).map(|table| TableId(table as u16)).filter(stocked);
    let mut priced: Vec<TableId> =
        tables().filter(|table| has(catalog, schema, *table, Role::Price)).collect();
    if priced.is_empty() {
        priced = tables().filter(|table| priced_goods(catalog, schema, *table).is_some()).collect();
    }
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

/// The only table with prices to which one join leads from each row in stock.
pub(crate) fn priced_goods(
    catalog: &Catalog,
    schema: &SchemaIndex,
    stock: TableId,
) -> Option<TableId> {
    let mut goods = (0..catalog.tables.len()).map(|table| TableId(table as u16)).filter(|table| {
        schema.distance(stock, *table) == Some((1, false))
            && has(catalog, schema, *table, Role::Price)
    });
    goods.next().filter(|_| goods.next().is_none())
}

/// Whether anything says how many goods are in stock.
fn holds_stock(catalog: &Catalog, schema: &SchemaIndex) -> bool {
    let mut tables = (0..catalog.tables.len()).map(|table| TableId(table as u16));
    tables.any(|table| {
        [Role::StockLevel, Role::ReorderLevel].iter().any(|role| has(catalog, schema, table, *role))
    })
}

/// The number in stock of a table: the first that is known as one, or the only quantity beside a reorder level.
pub(crate) fn number_in_stock(
    catalog: &Catalog,
    schema: &SchemaIndex,
    table: TableId,
) -> Option<ColumnId> {
    let of_role = |role: Role| numbers_of(catalog, schema, table, role);
    if let Some(level) = of_role(Role::StockLevel).next() {
        return Some(level);
    }
    of_role(Role::ReorderLevel).next()?;
    let mut quantities =
        of_role(Role::Quantity).filter(|column| !schema.has_role(*column, Role::ReorderLevel));
    quantities.next().filter(|_| quantities.next().is_none())
}

fn has(catalog: &Catalog, schema: &SchemaIndex, table: TableId, role: Role) -> bool {
    numbers_of(catalog, schema, table, role).next().is_some()
}

fn numbers_of(
    catalog: &Catalog,
    schema: &SchemaIndex,
    table: TableId,
    role: Role,
) -> impl Iterator<Item = ColumnId> {
    let columns = 0..catalog.table_at(table).columns.len() as u16;
    columns.map(move |column| ColumnId { table, column }).filter(move |column| {
        schema.has_role(*column, role) && catalog.column_at(*column).data_type.is_numeric()
    })
}
