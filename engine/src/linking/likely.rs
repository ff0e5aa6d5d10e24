//! Pairs of columns that may be a foreign key by their names and types.

use std::collections::BTreeMap;

use super::names::{Name, TableNames};
use crate::catalog::{Catalog, Column, ColumnRef, DataType, Table, TableKind};
use crate::order::Sorted;
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
    let keys = LikelyKeys::new(catalog, &names);
    let mut likely = keys.by_names.clone();
    crate::order::by_key(&mut likely, |likely| (likely.ground, likely.of_view));
    // Values are the weakest ground, so these pairs are last.
    likely.extend(keys.by_values(|_| true).take(PAIRS.saturating_sub(likely.len())));
    likely.truncate(PAIRS);
    likely.iter().map(|likely| (likely.from(catalog), likely.to(catalog))).collect()
}

/// Pairs of columns that may be a foreign key: between tables that declared keys do not connect, or with a column that
/// is called like the key of another table and declared to be no foreign key. A view refers by such names only, and nothing
/// refers to it.
pub(super) struct LikelyKeys {
    /// Pairs that names suggest.
    pub(super) by_names: Vec<Likely>,
    /// Columns that may refer to any of `keys`, as far as names tell, with the connected part of their table.
    free: Vec<Placed>,
    /// Keys that are texts.
    keys: Vec<Placed>,
}

/// Position of a column, and the connected part of its table.
#[derive(Clone, Copy)]
struct Placed {
    at: (usize, usize),
    part: usize,
}

/// A column that others may refer to.
struct Target<'a> {
    at: (usize, usize),
    column: &'a Column,
    /// Whether it is its table's own key, by declaration or by name, or the column of its rows' names.
    own: Ground,
}

/// Stems of the names of all columns, by the positions of table and column.
type ColumnStems<'a> = Vec<Vec<Vec<&'a str>>>;

impl LikelyKeys {
    /// Finds the pairs of a catalog.
    pub(super) fn new(catalog: &Catalog, names: &[TableNames]) -> Self {
        let part = parts(catalog);
        let stems: ColumnStems<'_> =
            names.iter().map(|names| names.columns.iter().map(stems_of).collect()).collect();
        let (by_name, targets) = targets(catalog, names, &stems);
        let declared = declared(catalog);
        let mut by_names = Vec::new();
        let mut free = Vec::new();
        for (table, definition) in catalog.tables.iter().enumerate() {
            let of_view = definition.kind == TableKind::View;
            let key = definition.key();
            for (position, column) in definition.columns.iter().enumerate() {
                let from = (table, position);
                let Some(words) = stems.get(table).and_then(|stems| stems.get(position)) else {
                    continue;
                };
                let own = own_key(definition, &names[table], words, position);
                let is_free = || !declared.contains(&(key.as_str(), column.name.as_str()));
                let named = named(words, &by_name);
                for target in named.iter().map(|at| &targets[*at]) {
                    let (other, ground) = (target.at.0, target.own);
                    let led = words_start_with(words, &names[other].own.stems);
                    let apart = part[other] != part[table];
                    let called = stems[other].get(target.at.1) == Some(words);
                    let undeclared = own.is_none() && called && ground == Ground::Key;
                    if (own.is_none() || led && ground != Ground::Name)
                        && other != table
                        && !(of_view && ground != Ground::Key)
                        && (apart || undeclared && is_free())
                        && target.column.data_type == column.data_type
                        && !target.column.sensitive
                        && !column.sensitive
                    {
                        by_names.push(Likely { from, to: target.at, ground, apart, of_view });
                    }
                }
                let unnamed = named.is_empty() && own.is_none() && !of_view;
                let text = column.data_type == DataType::Text && !column.sensitive;
                if unnamed && text && !looks_like_own_name(words) {
                    free.push(Placed { at: from, part: part[table] });
                }
            }
        }
        let texts = targets
            .iter()
            .filter(|target| target.column.data_type == DataType::Text && !target.column.sensitive);
        let keys = texts.map(|target| Placed { at: target.at, part: part[target.at.0] }).collect();
        let mut found = Self { by_names, free, keys };
        let same = same_names(catalog, &stems, &part, &found.known());
        found.by_names.extend(same);
        found
    }

    /// Pairs that only values can tell, of the referencing columns that `worth` accepts.
    pub(super) fn by_values(
        &self,
        worth: impl Fn((usize, usize)) -> bool,
    ) -> impl Iterator<Item = Likely> {
        self.free.iter().filter(move |free| worth(free.at)).flat_map(|free| {
            let keys = self.keys.iter().filter(|key| key.part != free.part);
            keys.map(|key| Likely {
                from: free.at,
                to: key.at,
                ground: Ground::Values,
                apart: true,
                of_view: false,
            })
        })
    }

    /// All columns of the pairs.
    fn known(&self) -> Sorted<(usize, usize)> {
        let named = self.by_names.iter().flat_map(|likely| [likely.from, likely.to]);
        let free = paired(&self.free, &self.keys);
        Sorted::new(named.chain(free).chain(paired(&self.keys, &self.free)))
    }
}

/// Columns for which there is another one in another part.
fn paired(columns: &[Placed], others: &[Placed]) -> impl Iterator<Item = (usize, usize)> {
    let first = others.first().map(|other| other.part);
    let several = others.iter().any(|other| Some(other.part) != first);
    let elsewhere = move |part: usize| several || first.is_some_and(|first| first != part);
    columns.iter().filter(move |column| elsewhere(column.part)).map(|column| column.at)
}

/// Keys that the name of a column refers to.
fn named<'a>(words: &[&str], by_name: &'a BTreeMap<String, Vec<usize>>) -> &'a [usize] {
    let whole = words.concat();
    let mut start = 0;
    for word in words {
        if let Some(found) = by_name.get(&whole[start..]) {
            return found;
        }
        start += word.len();
    }
    tail(&whole, by_name).map_or(&[], Vec::as_slice)
}

fn words_start_with(words: &[&str], start: &[String]) -> bool {
    words.len() >= start.len() && words.iter().zip(start).all(|(word, start)| word == start)
}

/// Columns that others may refer to, with their positions by every name that refers to them.
fn targets<'a>(
    catalog: &'a Catalog,
    names: &[TableNames],
    stems: &ColumnStems<'_>,
) -> (BTreeMap<String, Vec<usize>>, Vec<Target<'a>>) {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut targets: Vec<Target<'a>> = Vec::new();
    for (table, (definition, names)) in catalog.tables.iter().zip(names).enumerate() {
        if definition.kind == TableKind::View {
            continue;
        }
        for (position, (column, words)) in definition.columns.iter().zip(&stems[table]).enumerate()
        {
            let Some(own) = own_key(definition, names, words, position) else { continue };
            for name in names_of_key(names, words, own) {
                by_name.entry(name).or_default().push(targets.len());
            }
            targets.push(Target { at: (table, position), column, own });
        }
    }
    (by_name, targets)
}

/// Columns of the same name in tables none of which is called like it: `branch_code` in two tables.
fn same_names(
    catalog: &Catalog,
    stems: &ColumnStems<'_>,
    part: &[usize],
    known: &Sorted<(usize, usize)>,
) -> Vec<Likely> {
    let mut by_name: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (table, (definition, stems)) in catalog.tables.iter().zip(stems).enumerate() {
        if definition.kind == TableKind::View {
            continue;
        }
        for (position, stems) in stems.iter().enumerate() {
            let last = stems.last().copied().unwrap_or_default();
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
            if known.contains(&from) {
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
fn own_key(table: &Table, names: &TableNames, words: &[&str], position: usize) -> Option<Ground> {
    let column = table.columns.get(position)?;
    match table.primary_key.as_slice() {
        [] => {}
        [name] if *name == column.name => return Some(Ground::Key),
        _ => return None,
    }
    let own = &names.own.stems;
    let last = *words.last()?;
    if words.len() == 1 && last == "id" {
        return Some(Ground::Key);
    }
    let initials: String = own.iter().filter_map(|word| word.chars().next()).collect();
    let (named, own) = (words.concat(), own.concat());
    let behind = named.strip_prefix(&own);
    if behind.is_some_and(|end| KEYS.contains(&end)) || named == initials + "id" {
        return Some(Ground::Key);
    }
    (behind == Some("name") && column.data_type == DataType::Text).then_some(Ground::Name)
}

/// Names (stems without spaces) that a column referencing this key would have.
fn names_of_key(names: &TableNames, words: &[&str], own: Ground) -> Vec<String> {
    let last = words.last().copied().unwrap_or_default();
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
fn stems_of(name: &Name) -> Vec<&str> {
    let forms = name.words.iter().zip(&name.stems);
    forms.map(|(word, stem)| if is_id(word) { word.as_str() } else { stem.as_str() }).collect()
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
fn looks_like_own_name(words: &[&str]) -> bool {
    words.last().is_some_and(|last| ["name", "title", "text"].contains(last))
}

/// Reference to the column at a position.
pub(super) fn reference(catalog: &Catalog, (table, column): (usize, usize)) -> ColumnRef {
    let Some(table) = catalog.tables.get(table) else { return ColumnRef::default() };
    let name = table.columns.get(column).map(|column| column.name.clone());
    ColumnRef::new(table.key(), name.unwrap_or_default())
}

/// Columns of declared foreign keys, with the keys of their tables.
fn declared(catalog: &Catalog) -> Sorted<(&str, &str)> {
    let keys = catalog.foreign_keys.iter().filter(|key| !key.inferred);
    Sorted::new(keys.flat_map(|key| {
        key.from_columns.iter().map(|column| (key.from_table.as_str(), column.as_str()))
    }))
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
