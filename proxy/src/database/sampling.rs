//! One statement that reads what several small tables hold: numbers of rows, ranges and listed values.

use std::collections::BTreeMap;

use wherefore_engine::catalog::{Column, Table};

use super::listed_values::{
    LISTED_LENGTH, LISTED_VALUES, PROSE_LENGTH, has_listed_values, value_list,
};

/// Estimated number of rows up to which a table is read together with others.
const SMALL_ROWS: u32 = 10_000;

/// Number of rows that a sample reads.
const SAMPLED_ROWS: u32 = 5_000;
/// Name of the rows of a sample in its statement.
const SAMPLE: &str = "sampled_rows";

/// How the statement is written.
pub(super) struct Spelling {
    /// A name in quotes.
    pub(super) quoted: fn(&str) -> String,
    /// Type of texts in a cast.
    pub(super) text: &'static str,
    /// Collation of listed values, with a space before it; empty if none is needed.
    pub(super) collation: &'static str,
}

/// The statement, and what each of its rows means.
pub(super) struct Sampling {
    /// Text of the statement, whose rows have the number of a part and two texts.
    pub(super) sql: String,
    parts: Vec<Part>,
    /// Whether only some rows are read.
    is_sample: bool,
}

/// A part of the statement, about the table at a position.
#[derive(Clone, Copy, Debug)]
struct Part {
    table: usize,
    read: Read,
}

/// What a part reads: rows of the table, or what the column at a position holds.
#[derive(Clone, Copy, Debug)]
enum Read {
    Rows,
    Range(usize),
    Length(usize),
    Values(usize),
}

/// Whether a table is read together with others.
pub(super) fn is_small(table: &Table) -> bool {
    table.row_estimate.is_some_and(|rows| rows <= SMALL_ROWS)
}

/// Number of parts of the statement that a table takes.
pub(super) fn weight(table: &Table) -> usize {
    reads(table).count()
}

/// Whether the range of a column is read.
pub(super) fn has_range(column: &Column) -> bool {
    !column.sensitive && (column.data_type.is_numeric() || column.data_type.is_temporal())
}

/// Whether the values of a column are listed, and not known from its type.
pub(super) fn is_listed(column: &Column) -> bool {
    !column.sensitive && has_listed_values(column.data_type) && column.values.is_none()
}

fn reads(table: &Table) -> impl Iterator<Item = Read> {
    let columns = table.columns.iter().enumerate().flat_map(|(at, column)| {
        let reads = if has_range(column) {
            vec![Read::Range(at)]
        } else if is_listed(column) {
            vec![Read::Length(at), Read::Values(at)]
        } else {
            Vec::new()
        };
        reads.into_iter()
    });
    std::iter::once(Read::Rows).chain(columns)
}

impl Sampling {
    /// The statement for tables.
    pub(super) fn of(tables: &[Table], spelling: &Spelling) -> Self {
        let mut parts = Vec::new();
        let mut selects = Vec::new();
        for (at, table) in tables.iter().enumerate() {
            let from = name(table, spelling);
            for read in reads(table) {
                selects.push(select(parts.len(), read, table, &from, spelling));
                parts.push(Part { table: at, read });
            }
        }
        Self { sql: selects.join("\nUNION ALL "), parts, is_sample: false }
    }

    /// The statement for the listed values in the first rows of a table; `None` if no column has any.
    pub(super) fn of_sample(table: &Table, spelling: &Spelling) -> Option<Self> {
        let listed = |read: &Read| matches!(read, Read::Length(_) | Read::Values(_));
        let reads: Vec<Read> = reads(table).filter(listed).collect();
        let selects = reads.iter().enumerate();
        let selects = selects.map(|(part, read)| select(part, *read, table, SAMPLE, spelling));
        let sql = format!(
            "WITH {SAMPLE} AS MATERIALIZED (SELECT * FROM {} LIMIT {SAMPLED_ROWS})\n{}",
            name(table, spelling),
            selects.collect::<Vec<_>>().join("\nUNION ALL ")
        );
        let parts: Vec<Part> = reads.into_iter().map(|read| Part { table: 0, read }).collect();
        (!parts.is_empty()).then_some(Self { sql, parts, is_sample: true })
    }

    /// Puts rows of the statement into the tables that it was made for.
    pub(super) fn fill(
        &self,
        tables: &mut [Table],
        rows: impl Iterator<Item = (usize, [Option<String>; 2])>,
    ) {
        let mut lists: BTreeMap<(usize, usize), (f64, Vec<String>)> = BTreeMap::new();
        for (part, [first, second]) in rows {
            let Some(Part { table, read }) = self.parts.get(part).copied() else { continue };
            match read {
                Read::Rows => {
                    let count = first.and_then(|count| count.parse::<u64>().ok());
                    let count = count.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
                    tables[table].row_estimate = count.or(tables[table].row_estimate);
                }
                Read::Range(column) => {
                    let column = &mut tables[table].columns[column];
                    (column.minimum, column.maximum) = (first, second);
                }
                Read::Length(column) => {
                    let average = first.and_then(|average| average.parse::<f64>().ok());
                    let list = lists.entry((table, column)).or_default();
                    list.0 = average.unwrap_or_default();
                }
                Read::Values(column) => {
                    lists.entry((table, column)).or_default().1.extend(first);
                }
            }
        }
        for ((table, column), (average, values)) in lists {
            if average <= PROSE_LENGTH {
                let complete = values.len() <= LISTED_VALUES && !self.is_sample;
                tables[table].columns[column].values = value_list(values, complete);
            }
        }
    }
}

/// Name of a table in quotes, with its schema.
fn name(table: &Table, spelling: &Spelling) -> String {
    let schema = table.schema.as_deref().map(|schema| (spelling.quoted)(schema) + ".");
    schema.unwrap_or_default() + &(spelling.quoted)(&table.name)
}

fn select(part: usize, read: Read, table: &Table, from: &str, spelling: &Spelling) -> String {
    let Spelling { quoted, text, collation } = spelling;
    let name = |column: usize| quoted(&table.columns[column].name);
    let none = format!("CAST(NULL AS {text})");
    match read {
        Read::Rows => {
            format!("SELECT {part} AS part, CAST(count(*) AS {text}) AS a, {none} AS b FROM {from}")
        }
        Read::Range(column) => {
            let name = name(column);
            format!(
                "SELECT {part}, CAST(min({name}) AS {text}), CAST(max({name}) AS {text}) FROM {from}"
            )
        }
        Read::Length(column) => {
            let name = name(column);
            format!(
                "SELECT {part}, CAST(avg(length(value)) AS {text}), {none} FROM \
                 (SELECT CAST({name} AS {text}) AS value FROM {from} WHERE {name} IS NOT NULL LIMIT 1000) AS sampled"
            )
        }
        Read::Values(column) => {
            // One character more than is listed tells that a value is too long.
            let (name, length, most) = (name(column), LISTED_LENGTH + 1, LISTED_VALUES + 1);
            format!(
                "SELECT {part}, substr(value, 1, {length}), {none} FROM (SELECT value FROM \
                 (SELECT DISTINCT CAST({name} AS {text}) AS value FROM {from} WHERE {name} IS NOT NULL) AS listed \
                 ORDER BY value{collation} LIMIT {most}) AS first"
            )
        }
    }
}
