//! Foreign keys that are named by what the referenced row is to the rows, and by a part of what it leads to.

use super::abbreviation::Keys;
use super::element::{ColumnId, TableId, Target};
use super::identifier::words_of_identifier;
use super::index::SchemaIndex;
use super::mention::{Mention, Reading};
use super::stored::ARTICLES;
use crate::catalog::Table;
use crate::text::stem;

/// Score of a reading below which the word beside it may give a word another meaning.
const LOOSE: f64 = 0.85;

/// Most foreign keys between the referenced row and the part that is named.
const STEPS: usize = 3;

/// Makes one mention of two words that name a foreign key of a single table: "customers with billing country Germany".
/// It means what the second word means, and its words say which key leads there.
pub(crate) fn name_keys(schema: &SchemaIndex, mentions: &mut Vec<Mention>) {
    for at in (1..mentions.len()).rev() {
        let (role, part) = (&mentions[at - 1], &mentions[at]);
        let adjacent = role.tokens.end == part.tokens.start && role.tokens.len() == 1;
        let loose = role.lexical.is_empty()
            && role.readings.iter().all(|reading| reading.score < LOOSE)
            && !role.quoted
            && !part.quoted;
        let named = part.readings.first().is_some_and(|reading| {
            matches!(reading.target, Target::Table(_) | Target::Column(_) | Target::Label(_))
        });
        if !adjacent || !loose || !named {
            continue;
        }
        let phrase = format!("{} {}", role.phrase, part.phrase);
        let stems = stems_of_name(&phrase);
        let keys: Vec<ColumnId> =
            schema.ids().filter_map(|table| key_of(schema, table, &stems)).collect();
        let said = role.phrase.to_lowercase();
        let whole = |key: &&ColumnId| schema.words_of(**key).contains(&said);
        if keys.len() != 1 && keys.iter().filter(whole).count() != 1 {
            continue;
        }
        if restricts(mentions, at, &keys) {
            continue;
        }
        let mut whole = mentions.remove(at);
        let role = &mut mentions[at - 1];
        whole.tokens.start = role.tokens.start;
        whole.span = role.span.union(whole.span);
        whole.phrase = phrase;
        *role = whole;
    }
}

/// Whether the first of two words filters the rows of the table that the second one names, instead of naming a foreign key:
/// "female people", where only `weddings.female_id` is called so and the question does not name weddings.
fn restricts(mentions: &[Mention], at: usize, keys: &[ColumnId]) -> bool {
    let rows = &mentions[at];
    let several =
        wherefore_english::singular(&rows.phrase.to_lowercase()) != rows.phrase.to_lowercase();
    let listed = matches!(rows.readings.first(), Some(Reading { target: Target::Table(_), .. }));
    let names = |mention: &Mention, table: TableId| {
        let first = mention.readings.first().map(|reading| &reading.target);
        first.and_then(Target::table) == Some(table)
    };
    let named = |key: &ColumnId| {
        (0..mentions.len()).any(|other| other != at && names(&mentions[other], key.table))
    };
    several && listed && !keys.iter().any(named)
}

/// The only foreign-key column of a table that a name with two parts can mean: one part is in the name of the column
/// but not in that of the referenced table, the other names that table or a table or column it leads to. “Shipping
/// country” is `shipping_address_id`, where addresses lead to countries.
pub(crate) fn key_of_role(schema: &SchemaIndex, table: TableId, name: &str) -> Option<ColumnId> {
    key_of(schema, table, &stems_of_name(name))
}

/// Stems of the words of a name, without articles.
fn stems_of_name(name: &str) -> Vec<String> {
    let mut said = words_of_identifier(name);
    said.retain(|word| !ARTICLES.contains(&word.as_str()));
    said.iter().map(|word| stem(word)).collect()
}

fn key_of(schema: &SchemaIndex, table: TableId, said: &[String]) -> Option<ColumnId> {
    // A parent is another row than its child.
    let others = schema.edges(table).iter().filter(|edge| edge.forward && edge.to != table);
    let mut keys = others.filter_map(|edge| {
        let [column] = edge.from_columns[..] else { return None };
        let column = ColumnId { table, column };
        let referenced = &schema.profile(edge.to).stems;
        let role = |word: &String| {
            word != "id" && schema.stems_of(column).contains(word) && !referenced.contains(word)
        };
        let (roles, parts): (Vec<&String>, Vec<&String>) = said.iter().partition(|word| role(word));
        // "Sales department" is no department of a `sales_rep_id`.
        let mut own = schema.stems_of(column).iter().filter(|word| role(word));
        let named = !roles.is_empty() && !parts.is_empty() && own.all(|word| said.contains(word));
        (named && leads_to(schema, edge.to, &parts)).then_some(column)
    });
    let key = keys.next()?;
    keys.next().is_none().then_some(key)
}

/// Whether all words are in the name of one table that a table leads to, or of one of its columns.
fn leads_to(schema: &SchemaIndex, table: TableId, words: &[&String]) -> bool {
    let holds = |stems: &[String]| words.iter().all(|word| stems.contains(word));
    let mut reached = vec![table];
    let mut next = 0;
    for _ in 0..=STEPS {
        let end = reached.len();
        for at in next..end {
            let table = reached[at];
            let profile = schema.profile(table);
            let mut columns =
                (0..profile.roles.len()).map(|column| ColumnId { table, column: column as u16 });
            if holds(&profile.stems) || columns.any(|column| holds(schema.stems_of(column))) {
                return true;
            }
            for edge in schema.edges(reached[at]).iter().filter(|edge| edge.forward) {
                if !reached.contains(&edge.to) {
                    reached.push(edge.to);
                }
            }
        }
        next = end;
    }
    false
}

/// Whether a column of a table without a primary key is called like one: `transaction_id` of `financial_transactions`.
pub(super) fn is_own_key(keys: &Keys<'_>, table: &Table, column: &str, words: &[String]) -> bool {
    let [noun, id] = words else { return false };
    let name = words_of_identifier(&table.name);
    let named = id == "id" && name.last().is_some_and(|last| stem(last) == stem(noun));
    let refers = || {
        let key = table.key();
        let mut foreign = keys.from(&key);
        foreign.any(|key| key.from_columns.iter().any(|name| name == column))
    };
    table.primary_key.is_empty() && named && !refers()
}
