//! First pass over a table: its columns with their names and types, and its key.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use super::error::{Fault, Located};
use super::header::is_header;
use super::limits::MOST_COLUMNS;
use super::names::{Names, is_bare_key, key_rank};
use super::numbers::Decimals;
use super::records::{Record, Records};
use super::types::{Hints, Sniffer, Type};

/// Most columns whose values are compared to find a key.
const MOST_KEYS: usize = 4;

/// Rows as delimited text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Grid {
    /// The text.
    pub(super) text: String,
    /// What separates its fields.
    pub(super) delimiter: u8,
    /// Name of the sheet that the rows are from. Rows of a sheet may lack their last fields.
    pub(super) sheet: Option<String>,
}

/// A column of a table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct TableColumn {
    pub(super) name: String,
    pub(super) kind: Type,
    /// Position of its field in a row.
    pub(super) position: usize,
}

/// Definition of a table.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Definition {
    pub(super) columns: Vec<TableColumn>,
    /// Position of the key among the columns.
    pub(super) key: Option<usize>,
    /// Whether the first row has the names of the columns.
    pub(super) has_header: bool,
    /// Number of rows.
    pub(super) rows: u64,
    /// What was decided about the table that its owner may not expect.
    pub(super) notes: Vec<String>,
}

/// What was seen of the rows of a table.
struct Seen {
    first: Vec<String>,
    columns: Vec<Sniffer>,
    rows: u64,
    /// Whether a field of the first row is found again in its column.
    recurs: bool,
    /// Hashes of the values of columns that may be the key, while all are different.
    keys: BTreeMap<usize, HashSet<u64>>,
    hasher: RandomState,
}

/// Reads all rows of a table, and returns its definition.
pub(super) fn survey(grid: &Grid, table: &str) -> Result<Definition, Located> {
    let mut records = Records::new(&grid.text, grid.delimiter);
    let mut seen: Option<Seen> = None;
    let mut first_line = 1;
    while let Some(record) = records.next()? {
        if record.is_blank() {
            continue;
        }
        match &mut seen {
            None => {
                first_line = record.line;
                seen = Some(Seen::new(table, &record));
            }
            Some(seen) => {
                if grid.sheet.is_none() {
                    check_width(&record, seen.first.len())?;
                }
                seen.row(&record);
            }
        }
    }
    seen.ok_or(Fault::Empty)?.define(table, grid.delimiter, first_line)
}

/// Refuses a row with more or fewer fields than the first; empty fields may follow.
fn check_width(record: &Record<'_>, expected: usize) -> Result<(), Located> {
    let found = record.len();
    let has_more = record.fields().skip(expected).any(|field| !field.is_empty());
    if found < expected || has_more {
        return Err(Fault::UnevenRow { found, expected }.at(record.line));
    }
    Ok(())
}

impl Seen {
    fn new(table: &str, record: &Record<'_>) -> Self {
        let first: Vec<String> = record.fields().map(str::to_owned).collect();
        let mut keys: Vec<(u8, usize)> = first
            .iter()
            .enumerate()
            .filter_map(|(at, name)| {
                let rank = key_rank(table, name).or(is_bare_key(name).then_some(u8::MAX))?;
                Some((rank, at))
            })
            .collect();
        keys.sort_unstable();
        keys.truncate(MOST_KEYS);
        Self {
            columns: vec![Sniffer::default(); first.len()],
            first,
            rows: 0,
            recurs: false,
            keys: keys.into_iter().map(|(_, at)| (at, HashSet::new())).collect(),
            hasher: RandomState::new(),
        }
    }

    fn row(&mut self, record: &Record<'_>) {
        self.rows += 1;
        if record.len() > self.columns.len() {
            self.columns.resize(record.len().min(MOST_COLUMNS), Sniffer::default());
        }
        for (position, column) in self.columns.iter_mut().enumerate() {
            let field = record.field(position);
            column.see(field);
            self.recurs |=
                !field.is_empty() && self.first.get(position).is_some_and(|first| first == field);
        }
        let hasher = &self.hasher;
        self.keys.retain(|position, values| {
            let field = record.field(*position);
            !field.is_empty() && values.insert(hasher.hash_one(field))
        });
    }

    fn define(mut self, table: &str, delimiter: u8, line: u64) -> Result<Definition, Located> {
        let below: Vec<Type> =
            self.columns.iter().map(|column| column.kind(Hints::default())).collect();
        let has_header = is_header(&self.first, &below, self.recurs);
        if has_header && self.rows == 0 {
            return Err(Fault::NoRows.at(line));
        }
        let mut notes = Vec::new();
        if !has_header {
            self.rows += 1;
            for (column, field) in self.columns.iter_mut().zip(&self.first) {
                column.see(field);
            }
            notes.push("the first row looks like data, so the columns are numbered; write their names into a row above it".to_owned());
        }
        let hints = self.hints(delimiter);
        let mut names = Names::default();
        let mut columns = Vec::new();
        for (position, column) in self.columns.iter().enumerate() {
            let given = self.first.get(position).filter(|_| has_header).map_or("", String::as_str);
            if given.is_empty() && column.is_empty() {
                continue;
            }
            let is_taken = names.has(given);
            let name = names.unique(given, &format!("column_{}", position + 1));
            if is_taken {
                notes.push(format!("column {given} occurs twice; the later one is {name}"));
            }
            let kind = column.kind(hints);
            if kind == Type::Text && column.is_ambiguous_date() {
                notes.push(format!(
                    "column {name} stays text: nothing tells whether its dates begin with the day or the month"
                ));
            }
            columns.push(TableColumn { name, kind, position });
        }
        let key = has_header.then(|| self.key(table, &columns)).flatten();
        Ok(Definition { columns, key, has_header, rows: self.rows, notes })
    }

    /// What the columns that can be read in one way only tell about the others, if they agree.
    fn hints(&self, delimiter: u8) -> Hints {
        let all = || self.columns.iter().map(Sniffer::hint);
        // Semicolons separate fields where commas precede the decimals.
        let usual = if delimiter == b';' && all().all(|hint| hint.decimals.is_none()) {
            Some(Decimals::Comma)
        } else {
            None
        };
        Hints {
            decimals: agreed(all().filter_map(|hint| hint.decimals)).or(usual),
            order: agreed(all().filter_map(|hint| hint.order)),
        }
    }

    /// The column that is named like the key of the table, has a value in each row, and none of them twice.
    fn key(&self, table: &str, columns: &[TableColumn]) -> Option<usize> {
        let ranked = columns.iter().enumerate().filter_map(|(at, column)| {
            let is_plain = matches!(column.kind, Type::Integer(_) | Type::Text);
            let is_unique = self.keys.contains_key(&column.position)
                && self.columns[column.position].filled() == self.rows;
            let rank =
                key_rank(table, &column.name).or(is_bare_key(&column.name).then_some(u8::MAX))?;
            (is_plain && is_unique).then_some((rank, at))
        });
        ranked.min().map(|(_, at)| at)
    }
}

/// The value that all have, if any.
fn agreed<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Definition, Located> {
        let grid = Grid { text: text.to_owned(), delimiter: b',', sheet: None };
        survey(&grid, "orders")
    }

    fn shown(text: &str) -> String {
        let definition = read(text).unwrap();
        let columns = definition.columns.iter().enumerate().map(|(at, column)| {
            let key = if definition.key == Some(at) { " key" } else { "" };
            format!("{} {}{key}", column.name, column.kind.declaration())
        });
        columns.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn columns_and_keys_are_found() {
        for (text, expected) in [
            ("id,total\n1,2.5\n2,3\n", "id INTEGER key, total REAL"),
            ("id,total\n1,2.5\n1,3\n", "id INTEGER, total REAL"),
            ("id,total\n1,2.5\n,3\n", "id INTEGER, total REAL"),
            ("order_id,id\n1,a\n2,a\n", "order_id INTEGER key, id TEXT"),
            ("code,name\nx,1\ny,2\n", "code TEXT key, name INTEGER"),
            ("id,amount\n1.5,2\n2.5,3\n", "id REAL, amount INTEGER"),
            ("total,total,\n1,2,3\n4,5,6\n", "total INTEGER, total_2 INTEGER, column_3 INTEGER"),
            ("total,a,\n1,b,\n4,c,\n", "total INTEGER, a TEXT"),
            ("1,Ann\n2,Bob\n", "column_1 INTEGER, column_2 TEXT"),
            ("1,Ann\n", "column_1 INTEGER, column_2 TEXT"),
            ("when,paid\n01/02/2024,13/02/2024\n03/02/2024,14/02/2024\n", "when DATE, paid DATE"),
            ("when,n\n01/02/2024,1\n03/02/2024,2\n", "when TEXT, n INTEGER"),
            ("a,b\n\"1.234\",\"1,5\"\n2,\"2,25\"\n", "a INTEGER, b REAL"),
        ] {
            assert_eq!(shown(text), expected, "{text:?}");
        }
    }

    #[test]
    fn broken_rows_are_refused_with_their_line() {
        for (text, expected) in [
            ("a,b\n1,2\n3\n", Fault::UnevenRow { found: 1, expected: 2 }.at(3)),
            ("a,b\n1,2\n\n3,4,5\n", Fault::UnevenRow { found: 3, expected: 2 }.at(4)),
            ("a,b\n", Fault::NoRows.at(1)),
            ("\n,,\n", Fault::Empty.into()),
            ("a,b\n1,\"2\n", Fault::UnclosedQuote.at(2)),
        ] {
            assert_eq!(read(text).map(|_| ()), Err(expected), "{text:?}");
        }
        assert!(read("a,b\n1,2,,\n").is_ok(), "empty fields may follow");
        assert_eq!(
            read("a,a\n1,2\n").unwrap().notes,
            ["column a occurs twice; the later one is a_2"]
        );
    }

    #[test]
    fn rows_of_a_sheet_may_be_shorter_or_longer() {
        let grid =
            Grid { text: "a,b\n1\n2,3,4\n".into(), delimiter: b',', sheet: Some("S".into()) };
        let columns = survey(&grid, "s").unwrap().columns;
        assert_eq!(
            columns.iter().map(|column| &column.name[..]).collect::<Vec<_>>(),
            ["a", "b", "column_3"]
        );
    }
}
