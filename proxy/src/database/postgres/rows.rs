//! Rows of PostgreSQL as cells, with the type of each column.

use tokio_postgres::types::{Kind, Type};
use tokio_postgres::{Row, Statement};
use wherefore_engine::catalog::DataType;
use wherefore_engine::session::{Cell, ResultColumn};

use super::stream::Rows;
use crate::database::DatabaseError;
use crate::database::limits::{Caps, integer_cell, number_cell};

/// Rows as cells.
pub(super) struct CellRows {
    described: Statement,
    formats: Vec<Format>,
    cell_bytes: usize,
    lengths: Lengths,
    rows: Vec<Vec<Cell>>,
}

impl Rows for CellRows {
    type Header = Vec<ResultColumn>;
    type Batch = Vec<Vec<Cell>>;

    fn new(described: &Statement, cell_bytes: usize) -> Self {
        let formats = formats(described);
        let described = described.clone();
        let lengths = Lengths::of(&described);
        Self { described, formats, cell_bytes, lengths, rows: Vec::new() }
    }

    fn wrapped(&self, sql: &str) -> String {
        as_text(sql, &self.described, self.cell_bytes, &self.lengths)
    }

    fn header(&self) -> Vec<ResultColumn> {
        columns(&self.described)
    }

    fn take(&mut self, row: &Row, caps: &mut Caps) -> Result<Option<usize>, DatabaseError> {
        let mut cells = cells(row, &self.formats)
            .map_err(|error| DatabaseError::Unavailable(format!("cannot read a row: {error}")))?;
        let bytes = caps.take(&mut cells, |column, length| {
            let is_long = self.lengths.is_long(column);
            is_long.then(|| self.lengths.whole(row, column).unwrap_or(length))
        });
        if bytes.is_some() {
            self.rows.push(cells);
        }
        Ok(bytes)
    }

    fn batch(&mut self) -> Result<Option<Vec<Vec<Cell>>>, DatabaseError> {
        Ok((!self.rows.is_empty()).then(|| std::mem::take(&mut self.rows)))
    }
}

/// Columns of a prepared statement.
fn columns(statement: &Statement) -> Vec<ResultColumn> {
    statement
        .columns()
        .iter()
        .map(|column| ResultColumn {
            name: column.name().to_owned(),
            data_type: family(column.type_()),
        })
        .collect()
}

/// Which columns of a statement can be cut, and the columns beyond them that hold the lengths of their whole texts.
pub(super) struct Lengths {
    /// Indices of the columns whose texts can be long.
    long: Vec<usize>,
    width: usize,
}

impl Lengths {
    pub(super) fn of(statement: &Statement) -> Self {
        let columns = statement.columns();
        let long = columns
            .iter()
            .enumerate()
            .filter(|(_, column)| !SHORT.contains(base(column.type_())))
            .map(|(index, _)| index);
        Self { long: long.collect(), width: columns.len() }
    }

    /// Whether the texts of a column can be cut.
    pub(super) fn is_long(&self, column: usize) -> bool {
        self.long.binary_search(&column).is_ok()
    }

    /// Expression of a column as text: as its size if it is binary, and cut only if its texts can be long.
    pub(super) fn text(&self, column: usize, data_type: &Type, cell_bytes: usize) -> String {
        if *base(data_type) == Type::BYTEA {
            format!("octet_length(c{column})::text || ' bytes'")
        } else if self.is_long(column) {
            format!("left(c{column}::text, {})", cell_bytes + 1)
        } else {
            format!("c{column}::text")
        }
    }

    /// Expressions of the columns with lengths, each with a leading comma.
    pub(super) fn expressions(&self, cell_bytes: usize) -> String {
        self.long.iter().fold(String::new(), |text, index| {
            let length = format!("octet_length(c{index}::text)");
            text + ", CASE WHEN " + &length + &format!(" > {cell_bytes} THEN {length} END")
        })
    }

    /// Length of the whole text of a column in bytes, if it was cut.
    pub(super) fn whole(&self, row: &Row, column: usize) -> Option<usize> {
        let place = self.long.binary_search(&column).ok()?;
        let length = row.try_get::<_, Option<i32>>(self.width + place).ok()??;
        usize::try_from(length).ok()
    }
}

/// Types whose text is short and never cut. Exact decimals can have 100,000 digits.
const SHORT: [Type; 16] = [
    Type::BOOL,
    Type::BYTEA,
    Type::DATE,
    Type::FLOAT4,
    Type::FLOAT8,
    Type::INT2,
    Type::INT4,
    Type::INT8,
    Type::INTERVAL,
    Type::MONEY,
    Type::OID,
    Type::TIME,
    Type::TIMESTAMP,
    Type::TIMESTAMPTZ,
    Type::TIMETZ,
    Type::UUID,
];

/// Wraps a checked statement so that the server casts every column to text and returns at most `$1` rows.
fn as_text(sql: &str, statement: &Statement, cell_bytes: usize, lengths: &Lengths) -> String {
    let mut expressions = String::new();
    let mut names = String::new();
    for (index, column) in statement.columns().iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        expressions.extend([comma, &lengths.text(index, column.type_(), cell_bytes)]);
        names.extend([comma, "c", &index.to_string()]);
    }
    expressions.push_str(&lengths.expressions(cell_bytes));
    format!("SELECT {expressions} FROM (\n{sql}\n) AS checked({names}) LIMIT $1")
}

/// How the text of a column is parsed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Format {
    Boolean,
    Float,
    Integer,
    /// Anything that stays text, including exact decimals.
    Text,
    /// Timestamp with a time zone, `2024-05-01 10:00:00+02`.
    Zoned,
}

/// Formats of the columns of a prepared statement.
fn formats(statement: &Statement) -> Vec<Format> {
    statement
        .columns()
        .iter()
        .map(|column| match *base(column.type_()) {
            Type::BOOL => Format::Boolean,
            Type::FLOAT4 | Type::FLOAT8 => Format::Float,
            Type::INT2 | Type::INT4 | Type::INT8 | Type::OID => Format::Integer,
            Type::TIMESTAMPTZ => Format::Zoned,
            _ => Format::Text,
        })
        .collect()
}

/// Cells of a row whose columns were sent as text.
fn cells(row: &Row, formats: &[Format]) -> Result<Vec<Cell>, tokio_postgres::Error> {
    formats
        .iter()
        .enumerate()
        .map(|(index, format)| {
            let text: Option<String> = row.try_get(index)?;
            Ok(text.map_or(Cell::Null, |text| cell(text, *format)))
        })
        .collect()
}

fn cell(text: String, format: Format) -> Cell {
    match format {
        Format::Boolean => Cell::Boolean(text == "true"),
        Format::Float => text.parse().map_or(Cell::Text(text), number_cell),
        Format::Integer => text.parse().map_or(Cell::Text(text), integer_cell),
        Format::Text => Cell::Text(text),
        Format::Zoned => Cell::Text(iso_zoned(&text)),
    }
}

/// ISO 8601 form of a timestamp with a time zone: `2024-05-01T10:00:00+02:00`.
fn iso_zoned(text: &str) -> String {
    let iso = text.replacen(' ', "T", 1);
    match iso.rfind(['+', '-']) {
        Some(sign) if iso.contains('T') && iso.len() - sign == 3 => format!("{iso}:00"),
        _ => iso,
    }
}

pub(super) fn base(data_type: &Type) -> &Type {
    match data_type.kind() {
        Kind::Domain(inner) => base(inner),
        _ => data_type,
    }
}

pub(super) fn family(data_type: &Type) -> DataType {
    let data_type = base(data_type);
    match data_type.kind() {
        Kind::Enum(_) => return DataType::Text,
        Kind::Simple | Kind::Pseudo => {}
        _ => return DataType::Other,
    }
    match *data_type {
        Type::BOOL => DataType::Boolean,
        Type::INT2 | Type::INT4 | Type::INT8 | Type::OID => DataType::Integer,
        Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC | Type::MONEY => DataType::Number,
        Type::DATE => DataType::Date,
        Type::TIMESTAMP | Type::TIMESTAMPTZ => DataType::Timestamp,
        Type::TIME | Type::TIMETZ => DataType::Time,
        Type::JSON | Type::JSONB => DataType::Json,
        Type::UUID => DataType::Uuid,
        Type::BYTEA => DataType::Binary,
        Type::INTERVAL
        | Type::POINT
        | Type::BOX
        | Type::CIRCLE
        | Type::LINE
        | Type::LSEG
        | Type::PATH
        | Type::POLYGON => DataType::Other,
        _ => DataType::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_what_the_server_wrote() {
        for (text, format, expected) in [
            ("true", Format::Boolean, Cell::Boolean(true)),
            ("9007199254740993", Format::Integer, Cell::Text("9007199254740993".into())),
            ("12.30", Format::Text, Cell::Text("12.30".into())),
            ("NaN", Format::Float, Cell::Text("NaN".into())),
            ("0.1", Format::Float, Cell::Number(0.1)),
            (
                "2024-05-01 10:00:00+02",
                Format::Zoned,
                Cell::Text("2024-05-01T10:00:00+02:00".into()),
            ),
            (
                "2024-05-01 10:00:00.5-03:30",
                Format::Zoned,
                Cell::Text("2024-05-01T10:00:00.5-03:30".into()),
            ),
            ("infinity", Format::Zoned, Cell::Text("infinity".into())),
        ] {
            assert_eq!(cell(text.to_owned(), format), expected, "{text}");
        }
    }
}
