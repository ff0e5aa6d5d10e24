//! Pairs of columns that may be a foreign key by their names and types.

use std::collections::BTreeMap;

use super::names::{Name, TableNames};
use crate::catalog::{Catalog, Column, ColumnRef, DataType, Table, TableKind};
use crate::text::Stems;

/// Last words of the name of a key column.
const KEYS: [&str; 5] = ["id", "code", "key", "no", "number"];
/// Most pairs whose values are worth looking up.
const PAIRS: usize = 200;

/// Why a column may refer to another.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Ground {
    /// It is named like the key of another table.
    Key,
    /// It is named like the column of names of another table: `region_name`.
    Name,
    /// Both have the same name, which may be that of a key.
    SameName,
    /// Nothing but its type: only values can tell.
    Values,
}

/// A column that may refer to another, both by the positions of their table and column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likely {
    /// The referencing column.
    pub(super) from: (usize, usize),
    /// The referenced column.
    pub(super) to: (usize, usize),
    /// Why.
    pub(super) ground: Ground,
    /// Whether declared keys connect the two tables in no way.
    pub(super) apart: bool,
    /// Whether the referencing column is that of a view, which declares no keys of its own.
    pub(super) of_view: bool,
}

impl Likely {
    /// The referencing column.
    pub(super) fn from(&self, catalog: &Catalog) -> ColumnRef {
        reference(catalog, self.from)
    }

    /// The referenced column.
    pub(super) fn to(&self, catalog: &Catalog) -> ColumnRef {
        reference(catalog, self.to)
    }
}

/// Pairs of columns that may be undeclared foreign keys, the likeliest first, at most 200; a host may look up how many
/// values of the first the second holds, and give that as [`Catalog::containments`].
pub fn possible_keys(catalog: &Catalog) -> Vec<(ColumnRef, ColumnRef)> {
    let names = TableNames::all(catalog, &mut Stems::default());
    let mut likely = likely_keys(catalog, &names);
    crate::order::by_key(&mut likely, |likely| (likely.ground, likely.of_view));
    likely.truncate(PAIRS);
    likely.iter().map(|likely| (likely.from(catalog), likely.to(catalog))).collect()
}

/// A column that others may refer to.
struct Target<'a> {
    at: (usize, usize),
    column: &'a Column,
    /// Its table's own key, by declaration or by name, or the column of its rows' names.
    own: Option<Ground>,
}

/// Pairs of columns that may be a foreign key: between tables that declared keys do not connect, or with a column that
/// is called like the key of another table and declared to be no foreign key. A view refers by such names only, and nothing
/// refers to it.
pub(super) fn likely_keys(catalog: &Catalog, names: &[TableNames]) -> Vec<Likely> {
    let part = parts(catalog);
    let (by_name, targets) = targets(catalog, names);
    let mut found = Vec::new();
    for (table, definition) in catalog.tables.iter().enumerate() {
        let of_view = definition.kind == TableKind::View;
        for (position, column) in definition.columns.iter().enumerate() {
            let from = (table, position);
            let Some(name) = names.get(table).and_then(|names| names.columns.get(position)) else {
                continue;
            };
            let own = own_key(definition, &names[table], position);
            let words = &stems_of(name);
            let mut add = |target: &Target<'_>, ground: Ground| {
                let (other, key) = target.at;
                let apart = part[other] != part[table];
                let called = names[other].columns.get(key).map(stems_of).as_ref() == Some(words);
                let undeclared = own.is_none() && called && ground == Ground::Key;
                if other != table
                    && !(of_view && ground != Ground::Key)
                    && (apart || undeclared && !is_declared(catalog, from))
                    && target.column.data_type == column.data_type
                    && !target.column.sensitive
                    && !column.sensitive
                {
                    found.push(Likely { from, to: target.at, ground, apart, of_view });
                }
            };
            let whole = words.concat();
            let named: Vec<usize> = (0..words.len())
                .find_map(|start| by_name.get(&words[start..].concat()))
                .or_else(|| tail(&whole, &by_name))
                .cloned()
                .unwrap_or_default();
            for &at in &named {
                let target = &targets[at];
                let theirs = &names[target.at.0].own.stems;
                if own.is_none() || words.starts_with(theirs) && target.own != Some(Ground::Name) {
                    add(target, target.own.unwrap_or(Ground::SameName));
                }
            }
            if !named.is_empty() || own.is_some() || of_view {
                continue;
            }
            if column.data_type == DataType::Text && !looks_like_own_name(words) {
                for target in targets.iter().filter(|target| target.own.is_some()) {
                    add(target, Ground::Values);
                }
            }
        }
    }
    found.extend(same_names(catalog, names, &part, &found));
    found
}

/// Columns that others may refer to, with their positions by every name that refers to them.
fn targets<'a>(
    catalog: &'a Catalog,
    names: &[TableNames],
) -> (BTreeMap<String, Vec<usize>>, Vec<Target<'a>>) {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut targets: Vec<Target<'a>> = Vec::new();
    for (table, (definition, names)) in catalog.tables.iter().zip(names).enumerate() {
        if definition.kind == TableKind::View {
            continue;
        }
        for (position, column) in definition.columns.iter().enumerate() {
            let Some(own) = own_key(definition, names, position) else { continue };
            for name in names_of_key(names, position, own) {
                by_name.entry(name).or_default().push(targets.len());
            }
            targets.push(Target { at: (table, position), column, own: Some(own) });
        }
    }
    (by_name, targets)
}

/// Columns of the same name in tables none of which is called like it: `branch_code` in two tables.
fn same_names(
    catalog: &Catalog,
    names: &[TableNames],
    part: &[usize],
    known: &[Likely],
) -> Vec<Likely> {
    let mut by_name: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (table, (definition, names)) in catalog.tables.iter().zip(names).enumerate() {
        if definition.kind == TableKind::View {
            continue;
        }
        for (position, name) in names.columns.iter().enumerate() {
            let stems = stems_of(name);
            let last = stems.last().map_or("", String::as_str);
            let key = KEYS.contains(&last) || last == "name";
            let sensitive = definition.columns.get(position).is_none_or(|column| column.sensitive);
            if (key && stems.len() > 1 || stems.len() == 1 && is_id(last)) && !sensitive {
                by_name.entry(stems.concat()).or_default().push((table, position));
            }
        }
    }
    let mut found = Vec::new();
    for places in by_name.values().filter(|places| places.len() > 1 && places.len() < 12) {
        for &from in places {
            if known.iter().any(|likely| likely.from == from || likely.to == from) {
                continue;
            }
            for &to in places {
                let data_type = |at: (usize, usize)| catalog.tables[at.0].columns[at.1].data_type;
                if from.0 != to.0
                    && part[from.0] != part[to.0]
                    && data_type(from) == data_type(to)
                    && catalog.tables[to.0].primary_key.is_empty()
                {
                    let (ground, apart, of_view) = (Ground::SameName, true, false);
                    found.push(Likely { from, to, ground, apart, of_view });
                }
            }
        }
    }
    found
}

/// Whether a column is its table's own key: declared, or named like it where none is declared.
fn own_key(table: &Table, names: &TableNames, position: usize) -> Option<Ground> {
    let column = table.columns.get(position)?;
    match table.primary_key.as_slice() {
        [] => {}
        [name] if *name == column.name => return Some(Ground::Key),
        _ => return None,
    }
    let words = stems_of(names.columns.get(position)?);
    let own = &names.own.stems;
    let last = words.last()?.as_str();
    if words.len() == 1 && last == "id" {
        return Some(Ground::Key);
    }
    let initials: String = own.iter().filter_map(|word| word.chars().next()).collect();
    let named = words.concat();
    let before = KEYS.iter().any(|key| named == own.concat() + key);
    if before || named == initials + "id" {
        return Some(Ground::Key);
    }
    (named == own.concat() + "name" && column.data_type == DataType::Text).then_some(Ground::Name)
}

/// Names (stems without spaces) that a column referencing this key would have.
fn names_of_key(names: &TableNames, position: usize, own: Ground) -> Vec<String> {
    let Some(words) = names.columns.get(position).map(stems_of) else {
        return Vec::new();
    };
    let last = words.last().map(String::as_str).unwrap_or_default();
    let mut found = Vec::new();
    let whole = words.len() == 1 && is_id(last);
    if words.len() > 1 && (KEYS.contains(&last) || own == Ground::Name) || whole {
        found.push(words.concat());
    }
    if words.len() == 1 && KEYS.contains(&last) {
        found.push(names.own.stems.concat() + last);
    }
    found
}

/// Stems of a column's name, in which an identifier such as `did` is no form of a verb.
fn stems_of(name: &Name) -> Vec<String> {
    let forms = name.words.iter().zip(&name.stems);
    forms.map(|(word, stem)| if is_id(word) { word.clone() } else { stem.clone() }).collect()
}

/// Keys whose name is the end of a name written as one word: `paperid` of `citingpaperid`.
fn tail<'a>(whole: &str, by_name: &'a BTreeMap<String, Vec<usize>>) -> Option<&'a Vec<usize>> {
    if !whole.ends_with("id") {
        return None;
    }
    let starts = whole.char_indices().map(|(start, _)| start);
    starts.filter(|start| whole.len() - start > 5).find_map(|start| by_name.get(&whole[start..]))
}

/// Whether a word ends like an identifier: `aid`, `saleid`.
fn is_id(word: &str) -> bool {
    word.len() > 2 && word.ends_with("id")
}

/// Whether the words name a row itself rather than another one.
fn looks_like_own_name(words: &[String]) -> bool {
    words.last().is_some_and(|last| ["name", "title", "text"].contains(&last.as_str()))
}

fn reference(catalog: &Catalog, (table, column): (usize, usize)) -> ColumnRef {
    let Some(table) = catalog.tables.get(table) else { return ColumnRef::default() };
    let name = table.columns.get(column).map(|column| column.name.clone());
    ColumnRef::new(table.key(), name.unwrap_or_default())
}

/// Whether a column is part of a declared foreign key.
fn is_declared(catalog: &Catalog, (table, column): (usize, usize)) -> bool {
    let Some(table) = catalog.tables.get(table) else { return true };
    let Some(column) = table.columns.get(column) else { return true };
    let key = table.key();
    catalog.foreign_keys.iter().any(|foreign| {
        !foreign.inferred
            && foreign.from_table == key
            && foreign.from_columns.contains(&column.name)
    })
}

/// Connected component of each table in the graph of declared keys, represented by its lowest index.
fn parts(catalog: &Catalog) -> Vec<usize> {
    let positions: BTreeMap<String, usize> =
        catalog.tables.iter().enumerate().map(|(at, table)| (table.key(), at)).collect();
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); catalog.tables.len()];
    for key in catalog.foreign_keys.iter().filter(|key| !key.inferred) {
        if let (Some(one), Some(other)) =
            (positions.get(&key.from_table), positions.get(&key.to_table))
        {
            neighbours[*one].push(*other);
            neighbours[*other].push(*one);
        }
    }
    let mut part = vec![usize::MAX; catalog.tables.len()];
    for start in 0..part.len() {
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if part[at] == usize::MAX {
                part[at] = start;
                open.extend(&neighbours[at]);
            }
        }
    }
    part
}
